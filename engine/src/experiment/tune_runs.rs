//! The runs of a tune: with other values, and of the scenario as it is.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::tune_score::{Judged, Reading, Scorer};
use super::{Trial, Trials, TunePlan, Variation};
use crate::scenario::TemplateValue;
use crate::threads::NoThreads;

/// The callbacks of a caller that watches the runs.
pub(super) struct Watch<'w> {
    /// Called before every tick. If it returns true, runs that have not ended are given up.
    pub(super) stop: &'w (dyn Fn() -> bool + Sync),
    /// Called after each run, with the run if it was not known before.
    pub(super) ran: Ran<'w>,
}

/// Called after each run, with the run if it was not known before.
type Ran<'w> = &'w mut (dyn FnMut(Option<&TuneRun>) + Send);

/// A run that has ended, for a caller that keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct TuneRun {
    key: RunKey,
    reading: Reading,
}

/// The values of a run, as they are written; empty for the scenario as it is. And its seed.
type RunKey = (Vec<String>, u64);

/// The cell that says that a run is one of the scenario as it is.
const AS_IT_IS: &str = "scenario";
const WITH_VALUES: &str = "values";

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
    /// Runs that are known from before, which are not run again.
    pub(super) known: BTreeMap<RunKey, Reading>,
}

impl TuneRuns {
    /// Returns the values as they are written in the scenario; an empty string for one that is not written.
    pub(super) fn written(&self) -> impl Iterator<Item = &str> {
        (0..self.variations.len()).map(|index| self.trials.written(index))
    }

    /// Judges runs with several seeds.
    pub(super) fn judge(&self, readings: &[Reading]) -> Judged {
        self.scorer.judge(&readings.iter().collect::<Vec<_>>())
    }

    /// Runs the scenario as it is. `None` if it was stopped.
    pub(super) fn run_now(
        &self,
        seeds: &[u64],
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<Reading>>, NoThreads> {
        Ok(self.run(&self.now, &[Vec::new()], seeds, watch)?.and_then(|mut all| all.pop()))
    }

    /// Runs values, each with all seeds. `None` if it was stopped.
    pub(super) fn run_values(
        &self,
        values: &[Vec<TemplateValue>],
        seeds: &[u64],
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<Vec<Reading>>>, NoThreads> {
        self.run(&self.trials, values, seeds, watch)
    }

    /// Runs values, each with all seeds, unless the run is known. `None` if it was stopped.
    fn run(
        &self,
        trials: &Trials,
        values: &[Vec<TemplateValue>],
        seeds: &[u64],
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<Vec<Reading>>>, NoThreads> {
        let of_values = |values: &Vec<TemplateValue>| {
            let written: Vec<String> = values.iter().map(ToString::to_string).collect();
            seeds.iter().map(move |seed| (written.clone(), *seed)).collect::<Vec<_>>()
        };
        let keys: Vec<RunKey> = values.iter().flat_map(of_values).collect();
        let mut readings: Vec<Option<Reading>> =
            keys.iter().map(|key| self.known.get(key).cloned()).collect();
        let is_missing = |number: &usize| readings[*number].is_none();
        let missing: Vec<usize> = (0..keys.len()).filter(is_missing).collect();
        for _ in missing.len()..keys.len() {
            (watch.ran)(None);
        }
        trials.run(
            missing.len() as u64,
            1,
            watch.stop,
            |index| {
                let number = missing[index as usize];
                let values = values[number / seeds.len()].clone();
                Trial { values, seed: Some(seeds[number % seeds.len()]) }
            },
            |index, _, outcome| {
                let number = missing[index as usize];
                let run = TuneRun { key: keys[number].clone(), reading: Reading::of(&outcome) };
                (watch.ran)(Some(&run));
                readings[number] = Some(run.reading);
                ControlFlow::Continue(())
            },
        )?;
        let all: Option<Vec<Reading>> = readings.into_iter().collect();
        Ok(all.map(|all| all.chunks(seeds.len()).map(<[Reading]>::to_vec).collect()))
    }

    /// Returns the names of the columns of [`cells`](Self::cells).
    pub(super) fn columns<'p>(&self, paths: impl Iterator<Item = &'p str>) -> Vec<String> {
        let mut columns = vec!["of".to_owned()];
        columns.extend(paths.map(String::from));
        columns.push("seed".to_owned());
        columns.extend(self.scorer.measures().iter().map(ToString::to_string));
        for (number, _) in self.expectations().enumerate() {
            columns.extend(["margin", "holds"].map(|name| format!("{name}.{}", number + 1)));
        }
        columns.push("failed".to_owned());
        columns
    }

    /// Returns the expectations whose margins are recorded.
    fn expectations(&self) -> impl Iterator<Item = String> {
        let is_recorded = self.trials.records() == super::Expectations::Margins;
        self.trials.expectations().into_iter().filter(move |_| is_recorded)
    }

    /// Returns the cells of a run, in these columns.
    pub(super) fn cells(&self, run: &TuneRun) -> Vec<String> {
        let number = |value: &Option<f64>| value.map_or_else(String::new, |x| x.to_string());
        let (values, seed) = &run.key;
        let is_now = values.is_empty();
        let mut cells = vec![if is_now { AS_IT_IS } else { WITH_VALUES }.to_owned()];
        match is_now {
            true => cells.extend(self.written().map(String::from)),
            false => cells.extend(values.iter().cloned()),
        }
        cells.push(seed.to_string());
        let Reading { measures, expectations, is_error } = &run.reading;
        // A run with an error has read nothing.
        let count = self.scorer.measures().len();
        cells.extend(
            measures.iter().map(number).chain(std::iter::repeat(String::new())).take(count),
        );
        let none = std::iter::repeat((None, false));
        let all = expectations.iter().copied().chain(none).take(self.expectations().count());
        for (margin, holds) in all {
            cells.extend([number(&margin), holds.to_string()]);
        }
        cells.push(is_error.to_string());
        cells
    }

    /// Remembers a run by its cells. Returns false if they are not those of a run.
    pub(super) fn remember(&mut self, cells: &[&str]) -> bool {
        let sizes =
            [self.variations.len(), self.scorer.measures().len(), self.expectations().count()];
        match read_run(cells, sizes) {
            Some(TuneRun { key, reading }) => {
                self.known.insert(key, reading);
                true
            }
            None => false,
        }
    }
}

/// Reads the cells of a run with so many values, measures and expectations.
fn read_run(cells: &[&str], [values, measures, expectations]: [usize; 3]) -> Option<TuneRun> {
    let number = |cell: &&str| match *cell {
        "" => Some(None),
        text => text.parse::<f64>().ok().map(Some),
    };
    let (of, cells) = cells.split_first()?;
    let (written, cells) = cells.split_at_checked(values)?;
    let (seed, cells) = cells.split_first()?;
    let (read, cells) = cells.split_at_checked(measures)?;
    let (judged, cells) = cells.split_at_checked(2 * expectations)?;
    let [failed] = cells else { return None };
    let is_error = failed.parse().ok()?;
    let values = match *of {
        AS_IT_IS => Vec::new(),
        WITH_VALUES => written.iter().map(|cell| (*cell).to_owned()).collect(),
        _ => return None,
    };
    let pair = |pair: &[&str]| Some((number(&pair[0])?, pair[1].parse().ok()?));
    let mut reading = Reading {
        measures: read.iter().map(number).collect::<Option<_>>()?,
        expectations: judged.chunks(2).map(pair).collect::<Option<_>>()?,
        is_error,
    };
    if is_error {
        reading = Reading { is_error, ..Reading::default() };
    }
    Some(TuneRun { key: (values, seed.parse().ok()?), reading })
}
