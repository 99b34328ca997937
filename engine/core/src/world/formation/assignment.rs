//! Which agent goes to which place: the assignment with the least total distance.

use pathfinding::kuhn_munkres::kuhn_munkres_min;
use pathfinding::matrix::Matrix;

/// The maximum number of agents for which the least total distance is found, since the time for it grows with the cube of
/// their number. In a larger group, the n-th agent has the n-th place.
pub(super) const MAX_ASSIGNED: usize = 128;

/// The largest distance, in steps: about the precision of positions.
const LARGEST: f64 = (1u64 << 24) as f64;

/// One step of a distance, as a weight: more than the order makes up for all agents together. Sums of all weights, times the
/// number of agents, still fit 64 bits.
const STEP: i64 = (MAX_ASSIGNED * MAX_ASSIGNED * MAX_ASSIGNED) as i64;

/// The weight of the square of a distance. Agents in a row that move along it all have the same total distance, however
/// they are assigned, so rounding would decide anew in each tick. Squares prefer that nobody overtakes. The total is at most
/// this fraction above the least one.
const OF_SQUARE: f64 = 1.0 / 256.0;

/// Returns the place of each agent. `distances` holds, for each agent, the distance to each place; there are as many
/// places as agents. Of equal assignments, those come first in which earlier agents have earlier places.
pub(super) fn assign(distances: &[f64], agents: usize) -> Vec<u32> {
    if agents > MAX_ASSIGNED {
        return (0..agents as u32).collect();
    }
    let largest = distances.iter().fold(0.0, |most: f64, &one| if one > most { one } else { most });
    if largest == 0.0 {
        return (0..agents as u32).collect();
    }
    let mut weights = Matrix::new_square(agents, 0i64);
    for (i, &distance) in distances.iter().enumerate() {
        let (agent, place) = (i / agents, i % agents);
        let share = distance / largest;
        let steps = ((share + share * share * OF_SQUARE) * LARGEST) as i64;
        weights[(agent, place)] = steps * STEP - (agent * place) as i64;
    }
    let (_, places) = kuhn_munkres_min(&weights);
    places.into_iter().map(|place| place as u32).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn total(distances: &[f64], places: &[u32]) -> f64 {
        let agents = places.len();
        places
            .iter()
            .enumerate()
            .map(|(agent, &place)| distances[agent * agents + place as usize])
            .sum()
    }

    #[test]
    fn the_total_is_least() {
        // The nearest place of both is the first one. Together they need 1 + 2 or 9 + 1.
        assert_eq!(assign(&[1.0, 9.0, 1.0, 2.0], 2), [0, 1]);
        // The first agent gives its nearest place to the second one, which would have far to go.
        assert_eq!(assign(&[1.0, 2.0, 1.0, 9.0], 2), [1, 0]);
        assert_eq!(assign(&[3.0, 1.0, 2.0, 1.0, 3.0, 2.0, 2.0, 2.0, 0.0], 3), [1, 0, 2]);
    }

    #[test]
    fn equal_agents_have_places_in_order() {
        assert_eq!(assign(&[0.0; 9], 3), [0, 1, 2]);
        assert_eq!(assign(&[5.0; 16], 4), [0, 1, 2, 3]);
        assert_eq!(assign(&[], 0), [0; 0]);
        assert_eq!(assign(&[7.0], 1), [0]);
    }

    #[test]
    fn nobody_overtakes_in_a_row() {
        // Agents at 0, 1 and 2, places at 10, 11 and 12: every assignment has a total of 30.
        let distances: Vec<f64> =
            (0..9).map(|i| 10.0 + f64::from(i % 3) - f64::from(i / 3)).collect();
        assert_eq!(assign(&distances, 3), [0, 1, 2]);
    }

    #[test]
    fn the_largest_weights_fit() {
        let most = MAX_ASSIGNED;
        let distances: Vec<f64> = (0..most * most)
            .map(|i| {
                f64::from(f32::MAX)
                    * if (i / most + i % most).is_multiple_of(2) { 1.0 } else { 0.0 }
            })
            .collect();
        let mut places = assign(&distances, most);
        places.sort_unstable();
        assert_eq!(places, (0..most as u32).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn no_other_assignment_is_shorter(
            distances in (1usize..9).prop_flat_map(|agents| {
                prop::collection::vec(0.0f64..1000.0, agents * agents)
            }),
            shuffles in prop::collection::vec(any::<prop::sample::Index>(), 8),
        ) {
            let agents = distances.len().isqrt();
            let places = assign(&distances, agents);
            let mut sorted = places.clone();
            sorted.sort_unstable();
            prop_assert_eq!(&sorted, &(0..agents as u32).collect::<Vec<_>>());
            let mut other = sorted;
            for (i, with) in shuffles.iter().enumerate() {
                other.swap(i % agents, with.index(agents));
                let least = total(&distances, &places);
                prop_assert!(least <= total(&distances, &other) * (1.0 + OF_SQUARE) + 1e-3);
            }
        }
    }
}
