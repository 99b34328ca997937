//! A search for starts that fail: runs starts, and keeps what they show.

use std::ops::ControlFlow;

use super::against::OtherVersion;
use super::guide::Guide;
use super::hunt_result::{HuntResult, SmallestMargin};
use super::probe::{Counted, Deciding, FailureKind, FoundStart, ProbeOptions, Probed, Probes};
use super::shrink::lead;
use super::starts::{Start, Starts};
use crate::threads::NoThreads;

/// How often a start at which an expectation fails before the first tick is moved toward the one that is written.
const MOVES_TO_WRITTEN: u32 = 4;

/// What is searched.
#[derive(Clone, Copy)]
pub(super) struct SearchSpace<'h> {
    pub(super) probes: &'h Probes,
    /// The other version, with which starts must hold.
    pub(super) against: Option<&'h OtherVersion>,
    pub(super) starts: &'h Starts,
    /// The only expectation that counts.
    pub(super) only: Option<usize>,
}

/// How a start was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StartKind {
    /// The scenario as it is.
    Written,
    /// Spread over all starts.
    Spread,
    /// Spread, and then changed to something that is rare among all starts.
    Corner,
    /// Made from those before.
    Guided,
}

/// A search so far.
pub(super) struct SearchState<'h> {
    space: SearchSpace<'h>,
    stop: &'h (dyn Fn() -> bool + Sync),
    progress: &'h mut (dyn FnMut(u64) + Send),
    found: &'h mut (dyn FnMut(&FoundStart) + Send),
    pub(super) result: HuntResult,
    pub(super) guide: Guide,
}

impl<'h> SearchState<'h> {
    pub(super) fn new(
        space: SearchSpace<'h>,
        stop: &'h (dyn Fn() -> bool + Sync),
        progress: &'h mut (dyn FnMut(u64) + Send),
        found: &'h mut (dyn FnMut(&FoundStart) + Send),
    ) -> Self {
        let count = space.probes.scenario().expectations.len();
        let result = HuntResult { margins: vec![None; count], ..HuntResult::default() };
        Self { space, stop, progress, found, result, guide: Guide::new(count) }
    }

    /// Runs the scenario as it is.
    pub(super) fn run_as_written(&mut self) -> Result<(), NoThreads> {
        let sources = vec![self.space.probes.source().text.clone()];
        self.run_sources(Vec::new(), sources, StartKind::Written)
    }

    /// Runs some starts.
    ///
    /// A start at which an expectation fails before the first tick is moved toward the one that is written, and tried again.
    pub(super) fn run(&mut self, starts: Vec<Start>, kind: StartKind) -> Result<(), NoThreads> {
        let sources = starts.iter().map(|start| self.space.starts.text(start)).collect();
        self.run_sources(starts, sources, kind)
    }

    /// Runs some starts; without any, the scenario runs as it is written.
    fn run_sources(
        &mut self,
        mut starts: Vec<Start>,
        mut sources: Vec<String>,
        kind: StartKind,
    ) -> Result<(), NoThreads> {
        let SearchSpace { probes, against, starts: space, only } = self.space;
        let options = ProbeOptions {
            counted: Counted::only(only),
            deciding: Deciding::Scripts,
            with_margins: true,
            with_history: against.is_some(),
            with_features: true,
            stop: self.stop,
        };
        let mut results = vec![Probed::FailsAtOnce; sources.len()];
        let mut left: Vec<usize> = (0..sources.len()).collect();
        let mut done = self.result.runs;
        for _ in 0..=MOVES_TO_WRITTEN {
            let tried: Vec<&str> = left.iter().map(|&index| sources[index].as_str()).collect();
            probes.run(&tried, options, |number, probed| {
                done += u64::from(!matches!(probed, Probed::FailsAtOnce));
                results[left[number]] = probed;
                (self.progress)(done);
                ControlFlow::Continue(())
            })?;
            left.retain(|&index| index < starts.len() && results[index] == Probed::FailsAtOnce);
            for &index in &left {
                space.move_to_written(&mut starts[index]);
                sources[index] = space.text(&starts[index]);
            }
        }
        let mut others = self.with_other_version(&sources, &results)?.into_iter();
        for (index, probed) in results.into_iter().enumerate() {
            let other = if is_usable(&probed) { others.next() } else { None };
            if matches!(probed, Probed::Stopped) || other == Some(Probed::Stopped) {
                self.result.is_stopped = true;
                break;
            }
            self.take(&sources[index], starts.get(index), (probed, other), kind);
        }
        (self.progress)(self.result.runs);
        Ok(())
    }

    /// Runs those starts that could be used with the other version, if there is one.
    fn with_other_version(
        &self,
        sources: &[String],
        results: &[Probed],
    ) -> Result<Vec<Probed>, NoThreads> {
        let Some(against) = self.space.against else { return Ok(Vec::new()) };
        let usable = sources.iter().zip(results).filter(|(_, probed)| is_usable(probed));
        let usable: Vec<_> = usable
            .map(|(text, probed)| match probed {
                Probed::Failed(failure) => (text.as_str(), Some(&failure.kind)),
                _ => (text.as_str(), None),
            })
            .collect();
        against.results(&usable, true, self.stop)
    }

    /// Takes the result of a start, and the one with the other version, if there is one.
    fn take(
        &mut self,
        text: &str,
        start: Option<&Start>,
        (probed, other): (Probed, Option<Probed>),
        kind: StartKind,
    ) {
        let run = self.result.runs;
        self.result.runs += 1;
        let is_usable = is_usable(&probed);
        self.result.unusable += u64::from(!is_usable);
        self.result.random += u64::from(is_usable && kind == StartKind::Spread);
        self.result.corner += u64::from(is_usable && kind == StartKind::Corner);
        if let Some(other) = &other {
            self.compare(&probed, other, start);
        }
        match probed {
            Probed::Invalid(why) => {
                self.result.misfit.get_or_insert(why);
            }
            Probed::FailsAtOnce | Probed::Stopped => {}
            Probed::Failed(_) if matches!(&other, Some(other) if !holds(other)) => {
                self.result.failed_with_both += 1;
            }
            Probed::Failed(failure) => {
                self.result.random_failed += u64::from(kind == StartKind::Spread);
                self.result.corner_failed += u64::from(kind == StartKind::Corner);
                if let (FailureKind::Expectation(index), Some((value, unit))) =
                    (&failure.kind, failure.margin)
                {
                    let tick = failure.tick;
                    self.keep_margin(*index, SmallestMargin { value, unit, run, tick });
                }
                self.keep_found(FoundStart { run, text: text.to_owned(), failure: *failure });
            }
            Probed::Held(held) => {
                self.guide.note_features(&held.features, start);
                if self.keep_margins(run, &held.margins, start, other.is_some()) {
                    self.result.nearest = Some(text.to_owned());
                }
            }
        }
    }

    /// Compares a run with the same one of the other version.
    fn compare(&mut self, probed: &Probed, other: &Probed, start: Option<&Start>) {
        self.result.compared += 1;
        if are_same(probed, other) {
            self.result.same_in_both += 1;
            return;
        }
        let Some(start) = start else { return };
        self.guide.note_difference(start);
        match (probed, other) {
            (Probed::Held(now), Probed::Held(before)) => {
                for (index, margins) in now.margins.iter().zip(&before.margins).enumerate() {
                    if let (Some(margin), Some(before)) = (margins.0.value, margins.1.value)
                        && self.judges(index)
                    {
                        self.guide.note_start(index, (margin, Some(before)), start);
                    }
                }
            }
            (Probed::Failed(now), Probed::Failed(before)) => {
                if let (FailureKind::Expectation(index), Some(now), Some(before)) =
                    (&now.kind, now.margin, before.margin)
                {
                    self.guide.note_start(*index, (now.0, Some(before.0)), start);
                }
            }
            _ => {}
        }
    }

    fn judges(&self, expectation: usize) -> bool {
        self.space.only.is_none_or(|only| only == expectation)
    }

    /// Keeps a start that fails, if it is the best one of its kind: one that leaves time to react, with few agents and ticks.
    fn keep_found(&mut self, new: FoundStart) {
        let second = lead(self.space.probes);
        let order = |one: &FoundStart| {
            let ticks = one.failure.tick - one.failure.first_tick;
            (ticks < second, one.failure.nearest.len(), ticks)
        };
        let known = self.result.found.iter_mut().find(|one| one.failure.kind == new.failure.kind);
        match known {
            Some(known) if order(&new) >= order(known) => {}
            Some(known) => {
                (self.found)(&new);
                *known = new;
            }
            None => {
                (self.found)(&new);
                self.result.found.push(new);
            }
        }
    }

    /// Keeps the margin of an expectation if it is the smallest so far.
    fn keep_margin(&mut self, index: usize, margin: SmallestMargin) {
        if let Some(smallest) = self.result.margins.get_mut(index)
            && smallest.is_none_or(|smallest| margin.value < smallest.value)
        {
            *smallest = Some(margin);
        }
    }

    /// Keeps the margins of a run in which nothing failed. Returns whether it is nearest to a failure so far.
    fn keep_margins(
        &mut self,
        run: u64,
        margins: &[crate::expect::Margin],
        start: Option<&Start>,
        has_other: bool,
    ) -> bool {
        let before = self.guide.least_margin();
        for (index, margin) in margins.iter().enumerate() {
            let Some(value) = margin.value else { continue };
            if !self.judges(index) {
                continue;
            }
            let (unit, tick) = (margin.unit, margin.tick);
            self.keep_margin(index, SmallestMargin { value, unit, run, tick });
            self.guide.note_held(index, value, start.is_some());
            if let (Some(start), false) = (start, has_other) {
                self.guide.note_start(index, (value, None), start);
            }
        }
        match (before, self.guide.least_margin()) {
            (Some(before), Some(now)) => now < before,
            (None, now) => now.is_some(),
            _ => false,
        }
    }
}

/// Returns whether a start could be used.
fn is_usable(probed: &Probed) -> bool {
    matches!(probed, Probed::Held(_) | Probed::Failed(_))
}

/// Returns whether the other version holds.
fn holds(other: &Probed) -> bool {
    matches!(other, Probed::Held(_))
}

/// Returns whether two runs had the same states in all ticks up to their end.
fn are_same(one: &Probed, other: &Probed) -> bool {
    match (one, other) {
        (Probed::Held(one), Probed::Held(other)) => one.history == other.history,
        (Probed::Failed(one), Probed::Failed(other)) => {
            (one.tick, one.history) == (other.tick, other.history)
        }
        _ => false,
    }
}
