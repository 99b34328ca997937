//! The runs of a tune: with other values, and of the scenario as it is.

use std::ops::ControlFlow;

use super::tune_score::{Reading, Scorer};
use super::{Trial, Trials, TunePlan, Variation};
use crate::scenario::TemplateValue;
use crate::threads::NoThreads;

/// The callbacks of a caller that watches the runs.
pub(super) struct Watch<'w> {
    /// Called before every tick. If it returns true, runs that have not ended are given up.
    pub(super) stop: &'w (dyn Fn() -> bool + Sync),
    /// Called after each run.
    pub(super) ran: &'w mut (dyn FnMut() + Send),
}

/// What a tune runs, and how it judges the runs.
pub(super) struct TuneRuns {
    pub(super) plan: TunePlan,
    pub(super) variations: Vec<Variation>,
    /// The seeds of the search.
    pub(super) seeds: Vec<u64>,
    /// Runs with other values.
    pub(super) trials: Trials,
    /// Runs of the scenario as it is.
    pub(super) now: Trials,
    pub(super) scorer: Scorer,
}

impl TuneRuns {
    /// Returns the values as they are written in the scenario; an empty string for one that is not written.
    pub(super) fn written(&self) -> impl Iterator<Item = &str> {
        (0..self.variations.len()).map(|index| self.trials.written(index))
    }

    /// Returns the scores of runs with several seeds, and the number of errors.
    pub(super) fn judge(&self, readings: &[Reading]) -> (Vec<Option<f64>>, u64) {
        let errors = readings.iter().filter(|reading| reading.is_error).count();
        (self.scorer.scores(&readings.iter().collect::<Vec<_>>()), errors as u64)
    }

    /// Runs the scenario as it is. `None` if it was stopped.
    pub(super) fn run_now(
        &self,
        seeds: &[u64],
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<Reading>>, NoThreads> {
        Ok(run(&self.now, &[Vec::new()], seeds, watch)?.and_then(|mut all| all.pop()))
    }

    /// Runs values, each with all seeds. `None` if it was stopped.
    pub(super) fn run_values(
        &self,
        values: &[Vec<TemplateValue>],
        seeds: &[u64],
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<Vec<Reading>>>, NoThreads> {
        run(&self.trials, values, seeds, watch)
    }
}

/// Runs values, each with all seeds. `None` if it was stopped.
fn run(
    trials: &Trials,
    values: &[Vec<TemplateValue>],
    seeds: &[u64],
    watch: &mut Watch<'_>,
) -> Result<Option<Vec<Vec<Reading>>>, NoThreads> {
    let mut all: Vec<Vec<Reading>> = Vec::with_capacity(values.len());
    let per_value = seeds.len() as u64;
    let count = values.len() as u64 * per_value;
    let mut done = 0;
    trials.run(
        count,
        1,
        watch.stop,
        |number| Trial {
            values: values[(number / per_value) as usize].clone(),
            seed: Some(seeds[(number % per_value) as usize]),
        },
        |number, _, outcome| {
            if number % per_value == 0 {
                all.push(Vec::with_capacity(seeds.len()));
            }
            if let Some(last) = all.last_mut() {
                last.push(Reading::of(&outcome));
            }
            done = number + 1;
            (watch.ran)();
            ControlFlow::Continue(())
        },
    )?;
    Ok((done == count).then_some(all))
}
