//! The density of agents, estimated from the distances between them.

use super::rows::{GridOfSome, Rows};
use crate::math;
use crate::world::World;

/// The neighbor whose distance counts is the fourth-nearest. A nearer one says little about the surroundings, and a
/// farther one looks beyond a small crowd.
const NEIGHBORS: usize = 4;

/// Returns the mean over the agents of the density around each, in agents per square world unit; `None` if there are
/// fewer than three agents.
///
/// Around an agent whose k-th nearest other agent is at the distance r, the density is (k - 1) / (pi r^2): an estimate
/// without bias if agents stand at random. k is 4, or the number of other agents if there are fewer. An agent has at
/// least the area of its own body; those without a body and with k others at their own place are left out. Obstacles do not
/// matter.
///
/// Source: Loftsgaarden, Quesenberry, "A nonparametric estimate of a multivariate density function", Annals of
/// Mathematical Statistics 36, 1965.
pub(super) fn density(world: &World, rows: Rows<'_>) -> Option<f32> {
    let k = NEIGHBORS.min(rows.count(world).checked_sub(1)?);
    if k < 2 {
        return None;
    }
    let grid = GridOfSome::new(world, rows);
    // The squared distance of the k-th nearest of the agents that are visited within a radius.
    let search = |row: usize, radius: f32| {
        let mut nearest = [f32::INFINITY; NEIGHBORS];
        grid.each_near(row, radius, |_, squared| {
            if squared < nearest[k - 1] {
                let index = nearest.partition_point(|&known| known <= squared);
                nearest.copy_within(index..k - 1, index + 1);
                nearest[index] = squared;
            }
        });
        nearest[k - 1]
    };
    let (mut sum, mut taken) = (0.0f64, 0usize);
    // Neighborhoods are about as large as that of the agent before.
    let mut radius = f32::INFINITY;
    for row in rows.each(world) {
        let squared = loop {
            let squared = search(row, radius);
            if squared <= radius * radius {
                break squared;
            }
            radius *= 2.0;
        };
        radius = if squared > 0.0 { 1.5 * squared.sqrt() } else { f32::INFINITY };
        let body = world.agent(row).body().radius;
        let area = f64::from(math::PI) * f64::from(math::max(squared, body * body));
        if area > 0.0 {
            sum += (k - 1) as f64 / area;
            taken += 1;
        }
    }
    (taken > 0).then(|| finite(sum / taken as f64))
}

/// Returns a number in single precision; the largest or smallest one for numbers beyond these.
pub(super) fn finite(number: f64) -> f32 {
    number.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::Edge;
    use proptest::prelude::*;

    fn world(points: &[(f32, f32)], edge: Edge, radius: f32) -> World {
        let agents: Vec<_> = points.iter().map(|&(x, y)| (Vec2::new(x, y), Vec2::ZERO)).collect();
        let mut world = World::example(&agents);
        world.space.edge = edge;
        world.groups[0].body.radius = radius;
        world
    }

    fn by_trying_all(world: &World) -> Option<f32> {
        let agents = &world.agents;
        let mut found = Vec::new();
        for row in 0..agents.len() {
            let others = (0..agents.len()).filter(|&other| other != row);
            let offset = |other| world.space.offset_inside(agents.pos(row), agents.pos(other));
            let mut all: Vec<f32> = others.map(|other| offset(other).length_squared()).collect();
            all.sort_by(f32::total_cmp);
            let k = all.len().min(4);
            if k < 2 {
                return None;
            }
            let body = world.agent(row).body().radius;
            let area = f64::from(math::PI) * f64::from(all[k - 1].max(body * body));
            found.extend((area > 0.0).then(|| (k - 1) as f64 / area));
        }
        let sum: f64 = found.iter().sum();
        (!found.is_empty()).then(|| (sum / found.len() as f64) as f32)
    }

    #[test]
    fn agents_on_a_lattice_have_about_the_density_of_the_lattice() {
        let points: Vec<(f32, f32)> =
            (0..400).map(|i| (5.0 * (i % 20) as f32, 5.0 * (i / 20) as f32)).collect();
        // The world has 100 by 100, so all agents see the same: four others at 5.
        let found = density(&world(&points, Edge::Wrap, 0.0), Rows::All).unwrap();
        assert!((found - 3.0 / (math::PI * 25.0)).abs() < 1e-7, "{found}");
        assert!((found / 0.04 - 1.0).abs() < 0.05, "{found}");
    }

    #[test]
    fn agents_at_random_places_have_the_density_of_the_whole() {
        let random = |i: u32, salt: u32| {
            let x = (i.wrapping_mul(0x9E37_79B9) ^ salt).wrapping_mul(0x85EB_CA6B);
            ((x ^ (x >> 15)).wrapping_mul(0xC2B2_AE35) >> 8) as f32 / (1u32 << 24) as f32 * 100.0
        };
        let points: Vec<_> = (0..4000).map(|i| (random(i, 1), random(i, 0xABCD_1234))).collect();
        let found = density(&world(&points, Edge::Wrap, 0.0), Rows::All).unwrap();
        // Four thousand estimates with a relative standard deviation of 0.7.
        assert!((found / 0.4 - 1.0).abs() < 0.1, "{found}");
    }

    #[test]
    fn bodies_limit_the_density_of_agents_at_one_place() {
        let points = [(1.0, 1.0); 6];
        assert_eq!(density(&world(&points, Edge::Open, 0.0), Rows::All), None);
        let found = density(&world(&points, Edge::Open, 2.0), Rows::All).unwrap();
        assert!((found - 3.0 / (math::PI * 4.0)).abs() < 1e-7, "{found}");
        assert_eq!(density(&world(&points[..2], Edge::Open, 1.0), Rows::All), None);
        assert_eq!(density(&world(&[], Edge::Open, 1.0), Rows::All), None);
    }

    proptest! {
        #[test]
        fn the_density_equals_that_of_a_search_over_all_pairs(
            points in prop::collection::vec((0.0f32..100.0, 0.0f32..100.0), 0..90),
            // Whole numbers, so that many agents are equally near or at the same place.
            whole in any::<bool>(),
            edge in prop_oneof![Just(Edge::Wrap), Just(Edge::Open)],
            radius in prop_oneof![Just(0.0f32), 0.0f32..9.0],
        ) {
            let points: Vec<(f32, f32)> = points
                .into_iter()
                .map(|(x, y)| if whole { ((x / 10.0).floor(), (y / 10.0).floor()) } else { (x, y) })
                .collect();
            let world = world(&points, edge, radius);
            prop_assert_eq!(density(&world, Rows::All), by_trying_all(&world));
        }
    }
}
