//! Runs around the values that a tune has found, which say how well these are known.

use super::tune_precision::{Precision, Surroundings, precision};
use super::tune_runs::{TuneRuns, Watch};
use super::tune_score::{Reading, Target};
use super::tune_search::Evaluation;
use super::variation::Variation;
use crate::scenario::TemplateValue;
use crate::threads::NoThreads;

/// How well values are known that match measures.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownValues {
    /// For each value, the ends of an interval that has the true one with a probability of about 90 %, if what was observed are
    /// measures of one run. `None` for a value of a list, which has no order.
    pub intervals: Vec<Option<[TemplateValue; 2]>>,
    /// Sets of values that cannot be identified, by their indices: single ones, and those of which only a combination is known.
    pub unidentified: Vec<Vec<usize>>,
}

/// Maximum number of times that values are changed: by more, or around a better estimate.
pub(super) const ROUNDS: u64 = 4;

/// The part of its range by which a value changes at first, and at most. Slopes over less than the interval are those of noise; over
/// much more, measures are not linear.
const STEPS: [f64; 2] = [0.05, 0.25];

/// The change of a value in relation to the standard deviation of its estimates.
const CHANGE_PER_DEVIATION: f64 = 1.5;

/// The values that are changed for one of them: the lower and the higher one, with their parts.
struct Pair {
    parts: [f64; 2],
    values: [Vec<TemplateValue>; 2],
}

/// Finds out how well values are known. `None` if it was stopped, or if runs have no value.
pub(super) fn known_values(
    runs: &TuneRuns,
    targets: &[Target],
    found: &Evaluation,
    seeds: &[u64],
    mut watch: Watch<'_>,
) -> Result<Option<KnownValues>, NoThreads> {
    let mut center = Center { parts: found.parts.clone(), values: found.values.clone() };
    let mut steps = vec![STEPS[0]; runs.variations.len()];
    let mut last = None;
    for _ in 0..ROUNDS {
        let all = (0..runs.variations.len()).map(|index| pair(runs, &center, index, steps[index]));
        let pairs: Vec<(usize, Pair)> =
            all.enumerate().filter_map(|(index, pair)| Some((index, pair?))).collect();
        let changed = pairs.iter().flat_map(|(_, pair)| pair.values.iter());
        let values: Vec<_> = std::iter::once(&center.values).chain(changed).cloned().collect();
        let Some(readings) = runs.run_values(&values, seeds, &mut watch)? else {
            return Ok(None);
        };
        let precision = surroundings(targets, &center, &pairs, &readings)
            .and_then(|of| precision(targets, &of, runs.plan.seed));
        let Some(precision) = precision else {
            return Ok(None);
        };
        let is_good = next(runs, &pairs, &precision, &mut center, &mut steps);
        last = Some((pairs, precision));
        if is_good {
            break;
        }
    }
    Ok(last.map(|(pairs, precision)| of_values(runs, found, &pairs, &precision)))
}

/// The values around which others are run.
struct Center {
    parts: Vec<f64>,
    values: Vec<TemplateValue>,
}

/// Moves to the estimate if it is so far away that slopes may be others there (Gauss and Newton), and chooses larger steps if the
/// interval is wider than they are. Returns false if it has changed anything.
fn next(
    runs: &TuneRuns,
    pairs: &[(usize, Pair)],
    precision: &Precision,
    center: &mut Center,
    steps: &mut [f64],
) -> bool {
    let moves = |((index, _), estimate): (&(usize, Pair), &f64)| {
        (estimate - center.parts[*index]).abs() > steps[*index]
    };
    let is_far = pairs.iter().zip(&precision.estimates).any(moves);
    let mut is_larger = false;
    for (place, (index, _)) in pairs.iter().enumerate() {
        if is_far {
            let part = &mut center.parts[*index];
            *part += (precision.estimates[place] - *part).clamp(-STEPS[1], STEPS[1]);
            center.values[*index] = runs.variations[*index].rounded_at(*part);
        }
        let step = (CHANGE_PER_DEVIATION * precision.deviations[place]).clamp(STEPS[0], STEPS[1]);
        if step > 1.3 * steps[*index] {
            steps[*index] = step;
            is_larger = true;
        }
    }
    !is_far && !is_larger
}

/// Returns the values for one of them, if it has an order and other ones are near.
fn pair(runs: &TuneRuns, around: &Center, index: usize, step: f64) -> Option<Pair> {
    let of = &runs.variations[index];
    if matches!(of, Variation::List(_)) {
        return None;
    }
    let center = *around.parts.get(index)?;
    let least = of.count().map_or(0.0, |count| 1.0 / count as f64);
    let step = if step > least { step } else { least };
    let mut parts = [center, center];
    let values = [-1.0, 1.0].map(|sign| {
        let mut values = around.values.clone();
        let part = (center + sign * step).clamp(0.0, 1.0);
        values[index] = of.rounded_at(part);
        parts[usize::from(sign > 0.0)] = of.part(&values[index].to_string()).unwrap_or(part);
        values
    });
    (parts[0] < parts[1]).then_some(Pair { parts, values })
}

/// Collects what the runs give for the targets; `None` if one of them gives nothing.
fn surroundings(
    targets: &[Target],
    center: &Center,
    pairs: &[(usize, Pair)],
    readings: &[Vec<Reading>],
) -> Option<Surroundings> {
    let of_run = |run: &Reading| -> Option<Vec<f64>> {
        targets.iter().map(|target| run.measures.get(target.measure).copied().flatten()).collect()
    };
    let of_runs = |runs: &[Reading]| runs.iter().map(of_run).collect::<Option<Vec<_>>>();
    let difference = |((_, pair), sides): (&(usize, Pair), &[Vec<Reading>])| {
        let [low, high] = [of_runs(&sides[0])?, of_runs(&sides[1])?];
        let of_seed = |(low, high): (&Vec<f64>, &Vec<f64>)| {
            low.iter().zip(high).map(|(low, high)| high - low).collect()
        };
        let differences = low.iter().zip(&high).map(of_seed).collect();
        Some((pair.parts[1] - pair.parts[0], differences))
    };
    let (here, readings) = readings.split_first()?;
    Some(Surroundings {
        center: pairs.iter().map(|(index, _)| center.parts[*index]).collect(),
        here: of_runs(here)?,
        differences: pairs.iter().zip(readings.chunks(2)).map(difference).collect::<Option<_>>()?,
    })
}

/// Returns the precision of all values in their own numbers. What was found is one of the values that may be true.
fn of_values(
    runs: &TuneRuns,
    found: &Evaluation,
    pairs: &[(usize, Pair)],
    precision: &Precision,
) -> KnownValues {
    let mut intervals = vec![None; runs.variations.len()];
    for ((index, _), ends) in pairs.iter().zip(&precision.intervals) {
        let of = &runs.variations[*index];
        let (center, [low, high]) = (found.parts[*index], *ends);
        let low = if low < center { low } else { center };
        let high = if high > center { high } else { center };
        let mut ends = [low, high].map(|part| of.rounded_at(part));
        if let Variation::Range { ends: [from, to], .. } = of
            && from > to
        {
            ends.reverse();
        }
        intervals[*index] = Some(ends);
    }
    let set = |set: &Vec<usize>| set.iter().map(|index| pairs[*index].0).collect();
    KnownValues { intervals, unidentified: precision.unidentified.iter().map(set).collect() }
}
