//! What a run reads at certain ticks: means of measures.

use super::When;
use crate::diag::Diagnostic;
use crate::sim::Simulation;
use crate::trace::RunMeasures;

/// A measure, and the ticks over which its mean is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Observation {
    /// The index of the measure among the recorded ones.
    pub(super) measure: usize,
    /// When it is read.
    pub(super) when: When,
}

/// The ticks of runs, as far as they are the same for all values.
#[derive(Clone, Copy)]
pub(super) struct RunTimes {
    /// The seconds of a tick; `None` if that varies.
    pub(super) dt: Option<f32>,
    /// The first tick of the scenario as it is written.
    pub(super) first: u64,
    /// The last tick; `None` if that varies.
    pub(super) last: Option<u64>,
}

impl RunTimes {
    /// Returns why something cannot be read then, if it cannot.
    pub(super) fn check_when(self, when: When) -> Option<String> {
        match when {
            When::End => None,
            When::At(tick) => self.check(tick),
            When::Mean(first, last) => self.check(first).or_else(|| self.check(last)),
        }
    }

    /// Returns why a tick is none of the runs, if it is none.
    pub(super) fn check(self, tick: u64) -> Option<String> {
        let first = self.first;
        if tick < first {
            return Some(format!("tick {tick} is before the start of the runs, tick {first}"));
        }
        let last = self.last.filter(|last| tick > *last)?;
        Some(format!("tick {tick} is after the end of the runs, tick {last}"))
    }
}

/// How to observe longer.
pub(super) const RUN_LONGER: &str = "leave it out, or let the runs be longer: `ticks` of the plan";

/// The observations of one run so far.
pub(super) struct Observed<'o> {
    observations: &'o [Observation],
    /// For each observation, the sum of the values, and their number.
    sums: Vec<(f64, u64)>,
    /// For each measure, whether it is read at this tick.
    needed: Vec<bool>,
    /// The last tick that was seen.
    last: u64,
}

impl<'o> Observed<'o> {
    pub(super) fn new(observations: &'o [Observation], measures: usize) -> Self {
        let sums = vec![(0.0, 0); observations.len()];
        Self { observations, sums, needed: vec![false; measures], last: 0 }
    }

    /// Reads what is read at a tick.
    ///
    /// # Errors
    ///
    /// If the script of a measure fails.
    pub(super) fn add(
        &mut self,
        tick: u64,
        simulation: &Simulation,
        measures: &RunMeasures,
    ) -> Result<(), Diagnostic> {
        self.last = tick;
        let mut is_any = false;
        self.needed.fill(false);
        for one in self.observations.iter().filter(|one| one.when.contains(tick)) {
            self.needed[one.measure] = true;
            is_any = true;
        }
        if !is_any {
            return Ok(());
        }
        let values = measures.take_where(simulation, |index| self.needed[index])?;
        for (one, (sum, count)) in self.observations.iter().zip(&mut self.sums) {
            if let (true, Some(value)) = (one.when.contains(tick), values[one.measure]) {
                *sum += f64::from(f32::from(value));
                *count += 1;
            }
        }
        Ok(())
    }

    /// Returns the mean of each observation, with the measures at the end of the run. `None` if it had no value, or if the run ended
    /// before its last tick.
    pub(super) fn means(&self, at_end: &[Option<f32>]) -> Vec<Option<f64>> {
        let mean = |(one, (sum, count)): (&Observation, &(f64, u64))| match one.when.last() {
            None => at_end[one.measure].map(f64::from),
            Some(last) => (last <= self.last && *count > 0).then(|| sum / *count as f64),
        };
        self.observations.iter().zip(&self.sums).map(mean).collect()
    }
}
