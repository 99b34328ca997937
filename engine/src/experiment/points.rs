//! The points of a plan: which values are tried together.

use super::Variation;
use crate::math::random::Mix;
use crate::scenario::TemplateValue;

/// How the points are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Points {
    /// Each value with each other. The last value of the plan changes first.
    Grid,
    /// A Latin hypercube: for each value that varies, the points are one in each of as many equal shares of its values.
    LatinHypercube {
        /// Number of points.
        points: u32,
        /// The seed of the random choice.
        seed: u64,
    },
    /// The first points of a Sobol sequence, which fills the space evenly, however many there are.
    ///
    /// Source: Burley, "Practical Hash-based Owen Scrambling", JCGT 9(4), 2020.
    Sobol {
        /// Number of points, at most [`Points::MAX_SOBOL`].
        points: u32,
        /// The seed of the scrambling.
        seed: u32,
    },
    /// The first points of a Halton sequence, whose digits are permuted at random.
    ///
    /// Source: Halton, "On the efficiency of certain quasi-random sequences of points", Numerische Mathematik 2, 1960.
    Halton {
        /// Number of points.
        points: u32,
        /// The seed of the permutations.
        seed: u64,
    },
    /// Independent random points.
    Random {
        /// Number of points.
        points: u32,
        /// The seed of the random choice.
        seed: u64,
    },
    /// Points that tell how much of the variance of a result each value explains, alone and together with others: see
    /// [`sensitivity`](super::sensitivity()). Two of them are independent for each base, and one for each value that varies takes that value from
    /// the second and all others from the first.
    ///
    /// Source: Saltelli and others, "Variance based sensitivity analysis of model output", Computer Physics Communications 181, 2010.
    Saltelli {
        /// Number of bases, at most [`Points::MAX_SOBOL`].
        bases: u32,
        /// The seed of the scrambling.
        seed: u32,
    },
    /// Points on random ways through a coarse grid, each step of which changes one value by half of its range or more.
    ///
    /// Source: Morris, "Factorial sampling plans for preliminary computational experiments", Technometrics 33, 1991.
    Morris {
        /// Number of ways.
        ways: u32,
        /// Number of values of each range that are used, even.
        levels: u32,
        /// The seed of the ways.
        seed: u64,
    },
}

/// A step of a way of Morris: the value that changes, by its index, and by how much of its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WayStep {
    pub(super) value: usize,
    pub(super) change: f64,
}

impl Points {
    /// The maximum number of points of a Sobol sequence.
    pub const MAX_SOBOL: u32 = 1 << 16;

    /// Returns the number of points; `None` if a grid has values without limit, or more points than a number can say.
    pub fn count(self, vary: &[Variation]) -> Option<u64> {
        match self {
            Self::Grid => vary.iter().try_fold(1u64, |all, of| all.checked_mul(of.count()?)),
            Self::LatinHypercube { points, .. }
            | Self::Sobol { points, .. }
            | Self::Halton { points, .. }
            | Self::Random { points, .. } => Some(points.into()),
            Self::Saltelli { bases, .. } => u64::from(bases).checked_mul(vary.len() as u64 + 2),
            Self::Morris { ways, .. } => u64::from(ways).checked_mul(vary.len() as u64 + 1),
        }
    }

    /// Returns the values of a point, in the order of the plan. `index` is below the number of points.
    pub fn point(self, vary: &[Variation], index: u64) -> Vec<TemplateValue> {
        match self {
            Self::Grid => {
                let mut rest = index;
                let mut values: Vec<TemplateValue> = vary
                    .iter()
                    .rev()
                    .map(|of| {
                        let count = of.count().unwrap_or(1);
                        let value = of.value(rest % count);
                        rest /= count;
                        value
                    })
                    .collect();
                values.reverse();
                values
            }
            _ => vary
                .iter()
                .enumerate()
                .map(|(number, of)| of.at(self.part(vary.len(), index, number)))
                .collect(),
        }
    }

    /// Returns where a value of a point is in its range, from 0 to 1. `count` values vary.
    fn part(self, count: usize, index: u64, number: usize) -> f64 {
        match self {
            // A grid needs no parts of ranges.
            Self::Grid => 0.0,
            Self::LatinHypercube { points, seed } => {
                let random = Mix::new(seed).with_str("latin hypercube").with(number as u64);
                latin_coordinate(index, points.into(), random)
            }
            Self::Sobol { seed, .. } => sobol(index, number, seed),
            Self::Halton { seed, .. } => {
                let random = Mix::new(seed).with_str("halton").with(number as u64);
                halton(index, prime(number), random)
            }
            Self::Random { seed, .. } => {
                let random = Mix::new(seed).with_str("random points");
                random.with(number as u64).with(index).unit().into()
            }
            Self::Saltelli { seed, .. } => {
                let (base, which) =
                    (index / (count as u64 + 2), (index % (count as u64 + 2)) as usize);
                let takes_second = which == 1 || which == number + 2;
                sobol(base, if takes_second { count + number } else { number }, seed)
            }
            Self::Morris { levels, seed, .. } => {
                let (way, steps) =
                    (index / (count as u64 + 1), (index % (count as u64 + 1)) as usize);
                let change = morris_change(levels);
                let random = Mix::new(seed).with_str("morris").with(way).with(number as u64);
                let grid = f64::from(levels - 1);
                // The lower one of the two values on this way.
                let low = (f64::from(random.with(0).unit()) * f64::from(levels / 2)).floor() / grid;
                let taken = (0..steps).any(|step| self.step(count, way, step).value == number);
                let is_up = random.with(1).value() & 1 == 0;
                if taken == is_up { low + change } else { low }
            }
        }
    }

    /// Returns a step of a way of Morris, by its number from 0.
    pub(super) fn step(self, count: usize, way: u64, step: usize) -> WayStep {
        let Self::Morris { levels, seed, .. } = self else {
            return WayStep { value: 0, change: 0.0 };
        };
        let random = Mix::new(seed).with_str("morris").with(way);
        let value = permuted(step as u64, count as u64, random.with_str("order")) as usize;
        let is_up = random.with(value as u64).with(1).value() & 1 == 0;
        let change = morris_change(levels);
        WayStep { value, change: if is_up { change } else { -change } }
    }
}

/// Returns the size of the steps of Morris with so many levels, as a part of a range.
fn morris_change(levels: u32) -> f64 {
    f64::from(levels) / (2.0 * f64::from(levels - 1))
}

/// Returns a coordinate of a point of a Sobol sequence. The sequence has 256 dimensions; other seeds give more.
fn sobol(index: u64, number: usize, seed: u32) -> f64 {
    let (dimension, seed) = (number as u32 % 256, seed.wrapping_add(number as u32 / 256));
    sobol_burley::sample(index as u32, dimension, seed).into()
}

/// Returns a coordinate of a point of a Halton sequence: the digits of its index, in reverse behind the point, each permuted.
fn halton(index: u64, base: u64, random: Mix) -> f64 {
    let (mut rest, mut unit, mut sum, mut place) = (index, 1.0, 0.0, 0);
    // Further digits would be below the precision of the values.
    while unit > 1e-9 {
        unit /= base as f64;
        sum += unit * permuted(rest % base, base, random.with(place)) as f64;
        rest /= base;
        place += 1;
    }
    sum
}

/// Returns a prime number by its index, from 0.
fn prime(index: usize) -> u64 {
    let is_prime = |n: &u64| (2..).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    (2..).filter(is_prime).nth(index).unwrap_or(2)
}

/// Returns one coordinate of a point of a Latin hypercube with `count` points, from 0 to 1. `random` differs for each coordinate.
pub(super) fn latin_coordinate(index: u64, count: u64, random: Mix) -> f64 {
    let share = permuted(index, count, random);
    let inside = f64::from(random.with(index).with_str("inside").unit());
    (share as f64 + inside) / count as f64
}

/// Returns where a random permutation of the numbers below `count` takes a number. It needs no memory: it mixes the two halves
/// of the number's bits repeatedly until the result is below `count`.
fn permuted(number: u64, count: u64, random: Mix) -> u64 {
    let half = (64 - (count.max(2) - 1).leading_zeros()).div_ceil(2);
    let mask = (1u64 << half) - 1;
    let mut number = number;
    loop {
        let (mut high, mut low) = (number >> half, number & mask);
        for round in 0..4 {
            (high, low) = (low, high ^ (random.with(round).with(low).value() & mask));
        }
        number = high << half | low;
        if number < count {
            return number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(value: &TemplateValue) -> f64 {
        value.to_string().parse().unwrap()
    }

    #[test]
    fn a_grid_has_each_value_with_each_other() {
        let vary = [
            Variation::Integers { range: 1..=2, step: 1 },
            Variation::Integers { range: 7..=9, step: 1 },
        ];
        assert_eq!(Points::Grid.count(&vary), Some(6));
        let all: Vec<String> = (0..6)
            .map(|index| Points::Grid.point(&vary, index).iter().map(ToString::to_string).collect())
            .collect();
        assert_eq!(all, ["17", "18", "19", "27", "28", "29"]);
        let endless = Variation::Range { ends: [0.0, 1.0], steps: None, is_log: false };
        assert_eq!(Points::Grid.count(&[endless]), None);
        let huge = Variation::Integers { range: 0..=i32::MAX, step: 1 };
        assert_eq!(Points::Grid.count(&[huge.clone(), huge.clone(), huge]), None);
    }

    proptest! {
        #[test]
        fn a_permutation_has_each_number_once(count in 1u64..300, seed in any::<u64>()) {
            let mut all: Vec<u64> = (0..count).map(|n| permuted(n, count, Mix::new(seed))).collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..count).collect::<Vec<_>>());
        }

        #[test]
        fn a_latin_hypercube_has_one_point_in_each_share(points in 1u32..60, seed in any::<u64>()) {
            let vary = vec![Variation::Range { ends: [0.0, points as f32], steps: None, is_log: false }; 3];
            let all = Points::LatinHypercube { points, seed };
            for axis in 0..3 {
                let mut shares: Vec<u32> = (0..points)
                    .map(|index| number(&all.point(&vary, index.into())[axis]) as u32)
                    .collect();
                shares.sort_unstable();
                // A number just below a bound may be rounded to it.
                let expected = (0..points).collect::<Vec<_>>();
                let wrong = shares.iter().zip(&expected).filter(|(a, b)| a != b).count();
                prop_assert!(wrong <= 1, "{:?}", shares);
            }
        }
    }

    fn ranges(count: usize) -> Vec<Variation> {
        vec![Variation::Range { ends: [0.0, 1.0], steps: None, is_log: false }; count]
    }

    fn all_points(points: Points, vary: &[Variation]) -> Vec<Vec<f64>> {
        let count = points.count(vary).unwrap();
        (0..count).map(|index| points.point(vary, index).iter().map(number).collect()).collect()
    }

    #[test]
    fn each_power_of_a_base_of_a_halton_sequence_has_one_point_in_each_share() {
        let vary = ranges(4);
        for (axis, count) in [(0, 64), (1, 81), (2, 125), (3, 49)] {
            let all = all_points(Points::Halton { points: count, seed: 5 }, &vary);
            let mut shares: Vec<u32> =
                all.iter().map(|of| (of[axis] * f64::from(count)) as u32).collect();
            shares.sort_unstable();
            assert_eq!(shares, (0..count).collect::<Vec<_>>(), "{axis}");
        }
        assert_eq!([0, 1, 2, 3, 24].map(prime), [2, 3, 5, 7, 97]);
    }

    #[test]
    fn each_point_of_saltelli_takes_one_value_from_the_second() {
        let vary = ranges(3);
        let all = all_points(Points::Saltelli { bases: 16, seed: 1 }, &vary);
        assert_eq!(all.len(), 16 * 5);
        for base in all.chunks(5) {
            assert!((0..3).all(|value| base[0][value] != base[1][value]));
            for value in 0..3 {
                for other in 0..3 {
                    let from = &base[usize::from(other == value)];
                    assert_eq!(base[2 + value][other], from[other]);
                }
            }
        }
    }

    #[test]
    fn each_step_of_morris_changes_one_value() {
        let (vary, points) = (ranges(5), Points::Morris { ways: 40, levels: 4, seed: 2 });
        let all = all_points(points, &vary);
        let mut firsts = [0; 5];
        for (way, on_way) in all.chunks(6).enumerate() {
            for step in 0..5 {
                let WayStep { value, change } = points.step(5, way as u64, step);
                let pairs = on_way[step].iter().zip(&on_way[step + 1]);
                for (other, (before, after)) in pairs.enumerate() {
                    let wanted = if other == value { change } else { 0.0 };
                    assert!((after - before - wanted).abs() < 1e-6, "{before} {after} {wanted}");
                }
                firsts[value] += usize::from(step == 0);
            }
            let is_level = |x: &f64| (x * 3.0 - (x * 3.0).round()).abs() < 1e-5;
            assert!(on_way.iter().flatten().all(is_level), "{on_way:?}");
        }
        // Every value comes first sometimes.
        assert!(firsts.iter().all(|count| *count > 0), "{firsts:?}");
    }

    #[test]
    fn each_power_of_two_of_a_sobol_sequence_has_one_point_in_each_share() {
        let vary = vec![Variation::Range { ends: [0.0, 1.0], steps: None, is_log: false }; 300];
        let all = Points::Sobol { points: 64, seed: 3 };
        let points: Vec<Vec<f64>> =
            (0..64).map(|index| all.point(&vary, index).iter().map(number).collect()).collect();
        for axis in [0, 1, 255, 256, 299] {
            let mut shares: Vec<u32> = points.iter().map(|of| (of[axis] * 64.0) as u32).collect();
            shares.sort_unstable();
            assert_eq!(shares, (0..64).collect::<Vec<_>>(), "{axis}");
        }
    }
}
