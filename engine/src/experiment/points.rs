//! The points of a plan: which values are tried together.

use super::Variation;
use crate::math::random::Mix;
use crate::scenario::TemplateValue;

/// How the points are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

impl Points {
    /// The maximum number of points of a Sobol sequence.
    pub const MAX_SOBOL: u32 = 1 << 16;

    /// Returns the number of points; `None` if a grid has values without limit, or more points than a number can say.
    pub fn count(self, vary: &[Variation]) -> Option<u64> {
        match self {
            Self::Grid => vary.iter().try_fold(1u64, |all, of| all.checked_mul(of.count()?)),
            Self::LatinHypercube { points, .. } | Self::Sobol { points, .. } => Some(points.into()),
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
            Self::LatinHypercube { points, seed } => {
                let at = |(number, of): (usize, &Variation)| {
                    let random = Mix::new(seed).with_str("latin hypercube").with(number as u64);
                    let share = permuted(index, points.into(), random);
                    let inside = f64::from(random.with(index).with_str("inside").unit());
                    of.at((share as f64 + inside) / f64::from(points))
                };
                vary.iter().enumerate().map(at).collect()
            }
            Self::Sobol { seed, .. } => {
                let at = |(number, of): (usize, &Variation)| {
                    // The sequence has 256 dimensions; other seeds give more.
                    let (dimension, seed) =
                        (number as u32 % 256, seed.wrapping_add(number as u32 / 256));
                    of.at(sobol_burley::sample(index as u32, dimension, seed).into())
                };
                vary.iter().enumerate().map(at).collect()
            }
        }
    }
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
