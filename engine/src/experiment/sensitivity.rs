//! How much each value matters for a result, from the results of points that were chosen for that.

use super::Points;
use super::tune_score::quantile;
use crate::math::random::Mix;

/// How much each value that varies matters, in the order of the plan.
#[derive(Clone, Debug, PartialEq)]
pub enum Sensitivities {
    /// From [`Points::Saltelli`].
    Shares(Vec<VarianceShare>),
    /// From [`Points::Morris`].
    Effects(Vec<ElementaryEffect>),
}

/// The share of the variance of a result that a value explains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VarianceShare {
    /// The share that it explains alone (the first-order index). It may be slightly negative by chance.
    pub alone: f64,
    /// The ends of its 95 % interval.
    pub alone_interval: [f64; 2],
    /// The share that vanishes if the value is known too, besides all others: what it explains alone and together with others (the total
    /// index).
    pub total: f64,
    /// The ends of its 95 % interval.
    pub total_interval: [f64; 2],
}

/// The effects of steps in which only one value changes, for its whole range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementaryEffect {
    /// Their mean.
    pub mean: f64,
    /// The mean of their sizes.
    pub size: f64,
    /// The ends of its 95 % interval.
    pub size_interval: [f64; 2],
    /// Their standard deviation: whether the effect depends on the place, or on other values.
    pub deviation: f64,
}

/// Number of times that bases or ways are drawn for intervals.
const RESAMPLES: u64 = 400;

/// Computes how much each of `count` values matters, from a result for each point; `None` for one without a result, whose base or way does not
/// count. Returns `None` for other kinds of points, with fewer than two bases or ways, or if the result never differs.
///
/// The shares alone are estimated as Saltelli and others did (2010), the total ones as Jansen did (1999). Intervals are quantiles for bases or ways
/// that are drawn again and again.
pub fn sensitivity(points: Points, count: usize, results: &[Option<f64>]) -> Option<Sensitivities> {
    let size = match points {
        Points::Saltelli { .. } => count + 2,
        Points::Morris { .. } => count + 1,
        _ => return None,
    };
    let complete: Vec<(u64, Vec<f64>)> = results
        .chunks_exact(size)
        .enumerate()
        .filter_map(|(index, of)| Some((index as u64, of.iter().copied().collect::<Option<_>>()?)))
        .collect();
    if complete.len() < 2 || count == 0 {
        return None;
    }
    match points {
        Points::Saltelli { .. } => {
            let bases: Vec<Vec<f64>> = complete.into_iter().map(|(_, of)| of).collect();
            shares(&bases, count).map(Sensitivities::Shares)
        }
        _ => Some(Sensitivities::Effects(effects(points, &complete, count))),
    }
}

/// Draws as many numbers below `count`, for a resample.
fn drawn(resample: u64, count: usize) -> Vec<usize> {
    let random = Mix::new(resample).with_str("sensitivity");
    let draw = |number: u64| {
        let at = f64::from(random.with(number).unit()) * count as f64;
        (at as usize).min(count - 1)
    };
    (0..count as u64).map(draw).collect()
}

/// Returns the 95 % interval of a number: quantiles of its values in the resamples.
fn interval(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    [quantile(&values, 0.025), quantile(&values, 0.975)]
}

fn shares(bases: &[Vec<f64>], count: usize) -> Option<Vec<VarianceShare>> {
    // [alone, total] of each value.
    let estimate = |chosen: &[usize]| -> Option<Vec<[f64; 2]>> {
        let n = chosen.len() as f64;
        let both = || chosen.iter().flat_map(|&base| [bases[base][0], bases[base][1]]);
        let mean = both().sum::<f64>() / (2.0 * n);
        let variance = both().map(|y| (y - mean) * (y - mean)).sum::<f64>() / (2.0 * n);
        let of_value = |value: usize| {
            let (mut alone, mut total) = (0.0, 0.0);
            for &base in chosen {
                let [first, second] = [bases[base][0], bases[base][1]].map(|y| y - mean);
                let mixed = bases[base][2 + value] - mean;
                alone += second * (mixed - first);
                total += (first - mixed) * (first - mixed);
            }
            [alone / n / variance, total / (2.0 * n) / variance]
        };
        (variance > 0.0).then(|| (0..count).map(of_value).collect())
    };
    let all: Vec<usize> = (0..bases.len()).collect();
    let found = estimate(&all)?;
    let resampled: Vec<Vec<[f64; 2]>> =
        (0..RESAMPLES).filter_map(|one| estimate(&drawn(one, bases.len()))).collect();
    let interval = |value: usize, which: usize| {
        interval(resampled.iter().map(|all| all[value][which]).collect())
    };
    let share = |(value, [alone, total]): (usize, &[f64; 2])| VarianceShare {
        alone: *alone,
        alone_interval: interval(value, 0),
        total: *total,
        total_interval: interval(value, 1),
    };
    Some(found.iter().enumerate().map(share).collect())
}

fn effects(points: Points, ways: &[(u64, Vec<f64>)], count: usize) -> Vec<ElementaryEffect> {
    let mut of_values: Vec<Vec<f64>> = vec![Vec::with_capacity(ways.len()); count];
    for (way, results) in ways {
        for (step, pair) in results.windows(2).enumerate() {
            let step = points.step(count, *way, step);
            of_values[step.value].push((pair[1] - pair[0]) / step.change);
        }
    }
    let mean = |of: &mut dyn Iterator<Item = f64>| of.sum::<f64>() / ways.len() as f64;
    let effect = |of: Vec<f64>| {
        let middle = mean(&mut of.iter().copied());
        let squares: f64 = of.iter().map(|one| (one - middle) * (one - middle)).sum();
        let sizes = (0..RESAMPLES).map(|resample| {
            mean(&mut drawn(resample, of.len()).into_iter().map(|way| of[way].abs()))
        });
        ElementaryEffect {
            mean: middle,
            size: mean(&mut of.iter().map(|one| one.abs())),
            size_interval: interval(sizes.collect()),
            deviation: (squares / (of.len() as f64 - 1.0)).sqrt(),
        }
    };
    of_values.into_iter().map(effect).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Variation;

    fn results(points: Points, of: impl Fn(&[f64]) -> f64, count: usize) -> Vec<Option<f64>> {
        let pi = std::f32::consts::PI;
        let vary = vec![Variation::Range { ends: [-pi, pi], steps: None, is_log: false }; count];
        let result = |index| {
            let values = points.point(&vary, index);
            let values: Vec<f64> =
                values.iter().map(|value| value.to_string().parse().unwrap()).collect();
            Some(of(&values))
        };
        (0..points.count(&vary).unwrap()).map(result).collect()
    }

    /// The function of Ishigami and Homma (1990) with a = 7 and b = 0.1, whose shares are known: alone 0.3139, 0.4424 and 0, in total
    /// 0.5576, 0.4424 and 0.2437.
    #[test]
    fn the_shares_of_ishigami_are_those_of_theory() {
        let ishigami = |x: &[f64]| {
            let [first, second] = [libm::sin(x[0]), libm::sin(x[1])];
            first + 7.0 * second * second + 0.1 * x[2] * x[2] * x[2] * x[2] * first
        };
        let points = Points::Saltelli { bases: 4096, seed: 0 };
        let found = sensitivity(points, 3, &results(points, ishigami, 3)).unwrap();
        let Sensitivities::Shares(found) = found else { panic!("{found:?}") };
        for (share, [alone, total]) in
            found.iter().zip([[0.3139, 0.5576], [0.4424, 0.4424], [0.0, 0.2437]])
        {
            assert!((share.alone - alone).abs() < 0.02, "{share:?}");
            assert!((share.total - total).abs() < 0.02, "{share:?}");
            let inside = |[low, high]: [f64; 2], x: f64| low <= x && x <= high;
            assert!(inside(share.alone_interval, alone), "{share:?}");
            assert!(inside(share.total_interval, total), "{share:?}");
        }
    }

    /// A sum has the same effects everywhere: its weights, for a range of 2 pi. A product has not.
    #[test]
    fn the_effects_of_a_sum_are_its_weights() {
        let points = Points::Morris { ways: 30, levels: 4, seed: 1 };
        let of = |x: &[f64]| 3.0 * x[0] - 2.0 * x[1] + x[2] * x[3];
        let found = sensitivity(points, 5, &results(points, of, 5)).unwrap();
        let Sensitivities::Effects(found) = found else { panic!("{found:?}") };
        let range = 2.0 * std::f64::consts::PI;
        for (effect, weight) in found.iter().zip([3.0, -2.0]) {
            assert!((effect.mean - weight * range).abs() < 1e-3, "{effect:?}");
            assert!((effect.size - weight.abs() * range).abs() < 1e-3, "{effect:?}");
            assert!(effect.deviation < 1e-3, "{effect:?}");
        }
        assert!(found[2].deviation > 1.0 && found[2].size > found[2].mean.abs(), "{:?}", found[2]);
        assert_eq!((found[4].size, found[4].deviation), (0.0, 0.0));
    }

    #[test]
    fn what_has_no_result_does_not_count() {
        let points = Points::Saltelli { bases: 64, seed: 0 };
        let mut all = results(points, |x| x[0], 2);
        all[5] = None;
        let found = sensitivity(points, 2, &all).unwrap();
        let Sensitivities::Shares(found) = found else { panic!("{found:?}") };
        assert!((found[0].alone - 1.0).abs() < 0.1 && found[1].total == 0.0, "{found:?}");
        assert_eq!(sensitivity(points, 2, &vec![None; 256]), None);
        assert_eq!(sensitivity(points, 2, &vec![Some(1.0); 256]), None);
        assert_eq!(sensitivity(Points::Grid, 2, &all), None);
    }
}
