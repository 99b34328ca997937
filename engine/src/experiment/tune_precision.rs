//! How well the values that match measures are known.
//!
//! The measures of one run with other seeds scatter, and so do the values that match them. The interval of a value has the values
//! that would be found if what was observed had been another run, and the seeds other ones. Around the values that were found,
//! measures are linear in the values, with slopes from runs with a lower and a higher value. Then a weighted least-squares
//! estimate is repeated: with seeds drawn again (Efron 1979), an observation drawn again, and, as the only knowledge beside the runs, a
//! value drawn from the range of the plan, which decides where the measures say nothing (randomize-then-optimize: Bardsley,
//! Solonen, Haario and Laine 2014, SIAM J. Sci. Comput. 36). Without seeds drawn again it is the method of simulated moments
//! (McFadden 1989, Econometrica 57).

use super::tune_score::{Target, quantile};
use crate::math::random::Mix;

/// The runs around the values that were found, as far as targets have to do with them.
pub(super) struct Surroundings {
    /// The parts of the values that vary and have an order.
    pub(super) center: Vec<f64>,
    /// For each seed, what its run gives for each target.
    pub(super) here: Vec<Vec<f64>>,
    /// For each value, the distance between a lower and a higher part, and for each seed the difference that it makes.
    pub(super) differences: Vec<(f64, Vec<Vec<f64>>)>,
}

/// How well values are known. All numbers are parts of their ranges.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Precision {
    /// For each value, an interval that has the true one with a probability of about 90 %.
    pub(super) intervals: Vec<[f64; 2]>,
    /// For each value, the standard deviation of estimates.
    pub(super) deviations: Vec<f64>,
    /// Sets of values that cannot be identified: alone, or only some combination of them.
    pub(super) unidentified: Vec<Vec<usize>>,
    /// For each value, the median of estimates.
    pub(super) estimates: Vec<f64>,
}

/// Number of times that an estimate is repeated.
const REPEATS: u64 = 1000;

/// The reciprocal of the variance of a number that is anywhere in its range.
const RANGE_PRECISION: f64 = 12.0;

/// The share of the variance of a number that is anywhere in its range. A value whose estimates vary more than this is not identified.
const UNKNOWN: f64 = 0.5;

/// The share of a direction that a value must have to be named as one of those that cannot be identified together.
const TAKES_PART: f64 = 0.3;

/// A difference that always counts as noise, in relation to the target.
const FINEST: f64 = 1e-3;

/// Numbers in units of the spread between seeds.
struct Whitened {
    center: Vec<f64>,
    /// For each seed, how far its run is from the targets.
    off: Vec<Vec<f64>>,
    /// How far it is from the mean of all seeds.
    scatter: Vec<Vec<f64>>,
    /// For each value and each seed, the slopes.
    slopes: Vec<Vec<Vec<f64>>>,
    /// For each two values, the product of their mean slopes that noise alone gives.
    noise: Vec<Vec<f64>>,
    /// The share of the targets that are independent of each other.
    independent: f64,
}

/// Returns how well values are known. `None` if there are fewer than two seeds.
pub(super) fn precision(targets: &[Target], of: &Surroundings, seed: u64) -> Option<Precision> {
    let whitened = Whitened::new(targets, of)?;
    let count = whitened.center.len();
    let mut estimates: Vec<Vec<f64>> = vec![Vec::with_capacity(REPEATS as usize); count];
    for repeat in 0..REPEATS {
        let random = Mix::new(seed).with_str("precision").with(repeat);
        for (value, estimate) in whitened.estimate(random).into_iter().enumerate() {
            estimates[value].push(estimate);
        }
    }
    let covariance = covariance(&estimates);
    estimates.iter_mut().for_each(|all| all.sort_by(f64::total_cmp));
    let of = |part: f64| estimates.iter().map(move |sorted| quantile(sorted, part));
    let intervals = of(0.05).zip(of(0.95)).map(|(low, high)| [low, high]).collect();
    let deviations = (0..count).map(|value| covariance[value][value].sqrt()).collect();
    let estimates = of(0.5).collect();
    Some(Precision { intervals, deviations, unidentified: unidentified(&covariance), estimates })
}

impl Whitened {
    fn new(targets: &[Target], of: &Surroundings) -> Option<Self> {
        let seeds = of.here.len();
        if seeds < 2 {
            return None;
        }
        let seeds_less_one = seeds as f64 - 1.0;
        let mean = |index: usize| of.here.iter().map(|run| run[index]).sum::<f64>() / seeds as f64;
        let means: Vec<f64> = (0..targets.len()).map(mean).collect();
        let weight = |(index, target): (usize, &Target)| {
            let squares = of.here.iter().map(|run| square(run[index] - means[index]));
            let finest = FINEST * target.scale;
            1.0 / (squares.sum::<f64>() / seeds_less_one + finest * finest).sqrt()
        };
        let weights: Vec<f64> = targets.iter().enumerate().map(weight).collect();
        let weighted = |values: &[f64], of: &dyn Fn(usize) -> f64| -> Vec<f64> {
            let each = values.iter().enumerate();
            each.map(|(index, value)| (value - of(index)) * weights[index]).collect()
        };
        let off = of.here.iter().map(|run| weighted(run, &|index| targets[index].value));
        // A mean of few seeds follows them.
        let grown = (seeds as f64 / seeds_less_one).sqrt();
        let scatter: Vec<Vec<f64>> = of
            .here
            .iter()
            .map(|run| weighted(run, &|index| means[index]).iter().map(|x| x * grown).collect())
            .collect();
        let slopes: Vec<Vec<Vec<f64>>> = of
            .differences
            .iter()
            .map(|(distance, all)| {
                let slope =
                    |run: &Vec<f64>| weighted(run, &|_| 0.0).iter().map(|x| x / distance).collect();
                all.iter().map(slope).collect()
            })
            .collect();
        let noise = noise_of_means(&slopes);
        let independent = independent_share(&scatter);
        Some(Self {
            center: of.center.clone(),
            off: off.collect(),
            scatter,
            slopes,
            noise,
            independent,
        })
    }

    /// Returns an estimate with seeds, an observation and values of the range that are drawn at random.
    fn estimate(&self, random: Mix) -> Vec<f64> {
        let seeds = self.off.len();
        let draw = |number: u64| {
            let at = (f64::from(random.with(number).unit()) * seeds as f64) as usize;
            if at < seeds { at } else { seeds - 1 }
        };
        let drawn: Vec<usize> = (0..seeds as u64).map(draw).collect();
        let observed = &self.scatter[draw(seeds as u64)];
        let mut off = mean_of(&self.off, &drawn);
        off.iter_mut().zip(observed).for_each(|(off, observed)| *off += observed);
        let slopes: Vec<Vec<f64>> = self.slopes.iter().map(|runs| mean_of(runs, &drawn)).collect();
        let pull: Vec<f64> =
            slopes.iter().map(|slope| self.independent * dot(slope, &off)).collect();
        let range = |value: usize| {
            let anywhere = f64::from(random.with((seeds + 1 + value) as u64).unit());
            RANGE_PRECISION * (anywhere - self.center[value])
        };
        let range: Vec<f64> = (0..self.center.len()).map(range).collect();
        let mut parts = self.center.clone();
        // Each direction on its own, since noise looks like a slope where there is none.
        for (square, direction) in eigen(products(&slopes)) {
            // The noise is in the runs, and once more in the draw.
            let left = 1.0 - 2.0 * self.noise_along(&direction) / square;
            let kept = if left > 0.0 { left } else { 0.0 };
            let numerator = dot(&direction, &range) - kept.sqrt() * dot(&direction, &pull);
            let step = numerator / (self.independent * kept * square + RANGE_PRECISION);
            parts.iter_mut().zip(&direction).for_each(|(part, share)| *part += step * share);
        }
        parts.into_iter().map(|part| part.clamp(0.0, 1.0)).collect()
    }

    /// Returns the square of the slope along a direction that noise alone gives.
    fn noise_along(&self, direction: &[f64]) -> f64 {
        let rows = self.noise.iter().zip(direction);
        rows.map(|(row, share)| share * dot(row, direction)).sum()
    }
}

/// Returns the products of each two rows.
fn products(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    rows.iter().map(|a| rows.iter().map(|b| dot(a, b)).collect()).collect()
}

fn square(x: f64) -> f64 {
    x * x
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the mean of some of the rows.
fn mean_of(rows: &[Vec<f64>], drawn: &[usize]) -> Vec<f64> {
    let mut sum = vec![0.0; rows[0].len()];
    for index in drawn {
        sum.iter_mut().zip(&rows[*index]).for_each(|(sum, x)| *sum += x);
    }
    sum.iter().map(|sum| sum / drawn.len() as f64).collect()
}

/// Returns the expected products of how far the means of rows are from the true ones, for each two sets of rows of the same seeds.
fn noise_of_means(sets: &[Vec<Vec<f64>>]) -> Vec<Vec<f64>> {
    let off = |rows: &Vec<Vec<f64>>| -> Vec<f64> {
        let all: Vec<usize> = (0..rows.len()).collect();
        let mean = mean_of(rows, &all);
        let each = rows.iter().flat_map(|row| row.iter().zip(&mean).map(|(x, mean)| x - mean));
        each.collect()
    };
    let seeds = sets.first().map_or(2, Vec::len) as f64;
    let offs: Vec<Vec<f64>> = sets.iter().map(off).collect();
    let scaled = |row: Vec<f64>| row.iter().map(|x| x / (seeds * (seeds - 1.0))).collect();
    products(&offs).into_iter().map(scaled).collect()
}

/// Returns the share of numbers that vary independently of each other, from the eigenvalues of their covariance: the square of
/// their sum over the sum of their squares.
fn independent_share(scatter: &[Vec<f64>]) -> f64 {
    let (mut sum, mut squares) = (0.0, 0.0);
    for a in scatter {
        sum += dot(a, a);
        squares += scatter.iter().map(|b| square(dot(a, b))).sum::<f64>();
    }
    if squares > 0.0 { sum * sum / squares / scatter[0].len() as f64 } else { 1.0 }
}

/// Solves a symmetric system whose matrix is positive definite (Cholesky).
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for row in 0..count {
        for column in 0..=row {
            let sum: f64 = (0..column).map(|k| matrix[row][k] * matrix[column][k]).sum();
            let left = matrix[row][column] - sum;
            matrix[row][column] =
                if row == column { left.sqrt() } else { left / matrix[column][column] };
        }
        let sum: f64 = (0..row).map(|k| matrix[row][k] * right[k]).sum();
        right[row] = (right[row] - sum) / matrix[row][row];
    }
    for row in (0..count).rev() {
        let sum: f64 = (row + 1..count).map(|k| matrix[k][row] * right[k]).sum();
        right[row] = (right[row] - sum) / matrix[row][row];
    }
    right
}

fn covariance(of: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let count = of.first().map_or(1, Vec::len) as f64;
    let centered: Vec<Vec<f64>> = of
        .iter()
        .map(|all| {
            let mean = all.iter().sum::<f64>() / count;
            all.iter().map(|x| x - mean).collect()
        })
        .collect();
    let row = |a: &Vec<f64>| centered.iter().map(|b| dot(a, b) / count).collect();
    centered.iter().map(row).collect()
}

/// Returns the sets of values that cannot be identified, from the covariance of their estimates.
fn unidentified(covariance: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let count = covariance.len();
    let limit = UNKNOWN / RANGE_PRECISION;
    // Alone: also if all other values were known.
    let alone = |value: &usize| {
        let mut unit = vec![0.0; count];
        unit[*value] = 1.0;
        let mut matrix = covariance.to_vec();
        // Estimates that never vary would make the matrix singular.
        (0..count).for_each(|value| matrix[value][value] += 1e-12);
        1.0 / solve(matrix, unit)[*value] > limit
    };
    let mut sets: Vec<Vec<usize>> = (0..count).filter(alone).map(|value| vec![value]).collect();
    let rest: Vec<usize> = (0..count).filter(|value| !sets.contains(&vec![*value])).collect();
    let part = |row: &usize| rest.iter().map(|column| covariance[*row][*column]).collect();
    for (square, direction) in eigen(rest.iter().map(part).collect()) {
        let takes_part = |(_, share): &(&usize, f64)| share.abs() >= TAKES_PART;
        if square > limit {
            let all = rest.iter().zip(direction).filter(takes_part);
            sets.push(all.map(|(value, _)| *value).collect());
        }
    }
    sets.sort();
    sets.dedup();
    sets
}

/// Returns the eigenvalues and eigenvectors of a symmetric matrix (Jacobi's rotations).
fn eigen(mut matrix: Vec<Vec<f64>>) -> Vec<(f64, Vec<f64>)> {
    let count = matrix.len();
    let mut vectors = vec![vec![0.0; count]; count];
    (0..count).for_each(|index| vectors[index][index] = 1.0);
    // Sweeps converge quadratically: a handful is enough for any matrix of this size.
    for _ in 0..30 {
        if (0..count).all(|p| (p + 1..count).all(|q| matrix[p][q] == 0.0)) {
            break;
        }
        for p in 0..count {
            for q in p + 1..count {
                if matrix[p][q] == 0.0 {
                    continue;
                }
                let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
                let sign = if theta < 0.0 { -1.0 } else { 1.0 };
                let tangent = sign / (theta.abs() + (theta * theta + 1.0).sqrt());
                let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
                let sine = tangent * cosine;
                for row in &mut matrix {
                    (row[p], row[q]) =
                        (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
                }
                let (above, below) = matrix.split_at_mut(q);
                for (a, b) in above[p].iter_mut().zip(&mut below[0]) {
                    (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
                }
                for row in &mut vectors {
                    (row[p], row[q]) =
                        (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
                }
            }
        }
    }
    let vector = |index: usize| vectors.iter().map(|row| row[index]).collect();
    (0..count).map(|index| (matrix[index][index], vector(index))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn noise(seed: u64, run: u64, target: u64) -> f64 {
        // A sum of uniform numbers is nearly normal; its variance is 1.
        let random = Mix::new(seed).with(run).with(target);
        (0..12).map(|draw| f64::from(random.with(draw).unit())).sum::<f64>() - 6.0
    }

    /// A model with linear measures: `slopes` for each value and target, noise with `spread`, and an observation with noise of
    /// the truth, which is (0.5, 0.5).
    fn linear(slopes: [[f64; 3]; 2], spread: f64, seed: u64) -> Precision {
        let truth = [0.5, 0.5];
        let at = |parts: [f64; 2], run: u64, step: u64| -> Vec<f64> {
            let value = |target: usize| {
                let exact = parts[0] * slopes[0][target] + parts[1] * slopes[1][target];
                10.0 + exact + spread * noise(seed, run + 1000 * step, target as u64)
            };
            (0..3).map(value).collect()
        };
        let observed = at(truth, 999_999, 9);
        let targets: Vec<Target> = observed
            .iter()
            .enumerate()
            .map(|(measure, value)| Target { measure, value: *value, scale: 10.0 })
            .collect();
        let center = [0.4, 0.6];
        let difference = |value: usize| {
            let moved = |step: f64| {
                let mut parts = center;
                parts[value] += step;
                parts
            };
            let of_run = |run: u64| {
                let pairs = at(moved(0.2), run, 1 + value as u64).into_iter().zip(at(
                    moved(-0.2),
                    run,
                    3 + value as u64,
                ));
                pairs.map(|(high, low)| high - low).collect()
            };
            (0.4, (0..20).map(of_run).collect())
        };
        let of = Surroundings {
            center: center.into(),
            here: (0..20).map(|run| at(center, run, 0)).collect(),
            differences: (0..2).map(difference).collect(),
        };
        precision(&targets, &of, 0).unwrap()
    }

    #[test]
    fn nine_of_ten_intervals_have_the_truth() {
        let mut inside = 0;
        for seed in 0..200 {
            let found = linear([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]], 0.1, seed);
            assert!(found.unidentified.is_empty(), "{found:?}");
            inside +=
                found.intervals.iter().filter(|[low, high]| (*low..=*high).contains(&0.5)).count();
        }
        // 90 % of 400, and three standard deviations of that number.
        assert!((342..=396).contains(&inside), "{inside}");
    }

    #[test]
    fn directions_without_an_effect_are_not_identified() {
        for seed in 0..20 {
            let none = linear([[0.0; 3], [1.0, 1.0, 1.0]], 0.02, seed);
            assert_eq!(none.unidentified, [[0]], "{none:?}");
            let [low, high] = none.intervals[0];
            assert!(low < 0.2 && high > 0.8, "{none:?}");
            let both = linear([[1.0, 2.0, 1.0], [1.0, 2.0, 1.0]], 0.02, seed);
            assert_eq!(both.unidentified, [[0, 1]], "{both:?}");
        }
    }

    proptest! {
        #[test]
        fn eigenvectors_are_stretched(entries in prop::array::uniform6(-3.0..3.0f64)) {
            let [a, b, c, d, e, f] = entries;
            let matrix = vec![vec![a, b, c], vec![b, d, e], vec![c, e, f]];
            for (value, vector) in eigen(matrix.clone()) {
                prop_assert!((dot(&vector, &vector) - 1.0).abs() < 1e-9);
                for (row, x) in matrix.iter().zip(&vector) {
                    prop_assert!((dot(row, &vector) - value * x).abs() < 1e-9);
                }
            }
        }

        #[test]
        fn solutions_solve(rows in prop::collection::vec(prop::array::uniform3(-3.0..3.0f64), 4), right in prop::array::uniform3(-3.0..3.0f64)) {
            let entry = |i: usize, j: usize| {
                rows.iter().map(|row| row[i] * row[j]).sum::<f64>() + f64::from(i == j)
            };
            let matrix: Vec<Vec<f64>> = (0..3).map(|i| (0..3).map(|j| entry(i, j)).collect()).collect();
            let found = solve(matrix.clone(), right.to_vec());
            for (row, right) in matrix.iter().zip(right) {
                prop_assert!((dot(row, &found) - right).abs() < 1e-8);
            }
        }
    }
}
