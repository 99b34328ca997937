//! Expectations judged while a session runs: what is known at each tick about the ticks up to it.
//!
//! A judgment is part of what a session restores and replays: keyframes keep it beside the simulation. So it is that of the
//! present history, wherever the session goes. Where it is not known yet, a [`Replay`](super::Replay) finds it out.

use std::sync::Arc;

use super::version::Version;
use crate::expect::{ExpectationState, Failure, Judge};
use crate::sim::Simulation;
use crate::world::World;

/// The judgment of the expectations over the ticks up to one.
#[derive(Clone)]
pub struct Judged {
    /// The version whose expectations are judged.
    pub(super) version: Arc<Version>,
    judge: Judge,
    tick: u64,
}

/// The files that say how the ticks up to one are judged. They are equal if each tick has the same judgment.
#[derive(Clone)]
pub struct JudgedFiles {
    pub(super) version: Arc<Version>,
    /// The tick at which judging begins: since then, groups and paths have the same names, and ticks are equally long.
    pub(super) since: u64,
}

impl Judged {
    /// Begins at a tick.
    fn new(version: &Arc<Version>, simulation: &Simulation) -> Self {
        let judge = Judge::new(version.run.expectations(), simulation, true);
        let tick = simulation.world().tick;
        let mut judged = Self { version: Arc::clone(version), judge, tick };
        judged.end_if_due(simulation);
        judged
    }

    /// Judges the next tick. After the last tick of the scenario, nothing more is judged.
    pub(super) fn follow(&mut self, simulation: &Simulation, is_edit: bool) {
        self.tick = simulation.world().tick;
        if self.tick > self.version.run.ticks() {
            return;
        }
        if is_edit {
            self.judge.tick_of_edit(simulation);
        } else {
            self.judge.tick(simulation);
        }
        self.end_if_due(simulation);
    }

    fn end_if_due(&mut self, simulation: &Simulation) {
        if self.tick == self.version.run.ticks() {
            self.judge.end(simulation);
        }
    }

    /// Returns the first failures of the expectations so far.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.judge.first_failures()
    }

    /// Returns what is known about each expectation, in the order of [`Session::expectations`](super::Session::expectations).
    pub fn states(&self) -> Vec<ExpectationState> {
        self.judge.states()
    }

    /// Returns the margin of an expectation at this tick, which the simulation is at. If only a later tick decides, it is the
    /// margin that the expectation would have if the run ended here. `None` if nothing is compared.
    pub fn margin(&self, text: &str, simulation: &Simulation) -> Option<f32> {
        let place = self.version.expectations().iter().position(|one| one.text == text)?;
        let is_in_run = self.tick <= self.version.run.ticks();
        is_in_run.then(|| self.judge.latest_margin(place, simulation)).flatten()
    }

    pub(super) fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.judge.bytes()
    }
}

impl JudgedFiles {
    /// Returns the judgment at a keyframe if it is known, or can begin there.
    pub(super) fn judgment(
        &self,
        simulation: &Simulation,
        kept: Option<&Arc<Judged>>,
    ) -> Option<Arc<Judged>> {
        let kept = kept.filter(|judged| judged.version.judges_like(&self.version));
        let begins = simulation.world().tick == self.since;
        let begin = || begins.then(|| Arc::new(Judged::new(&self.version, simulation)));
        kept.cloned().or_else(begin)
    }
}

impl PartialEq for JudgedFiles {
    fn eq(&self, other: &Self) -> bool {
        self.since == other.since && self.version.judges_like(&other.version)
    }
}

/// Returns whether groups and paths have the same names in two worlds, and ticks are equally long.
pub(super) fn have_same_names(a: &World, b: &World) -> bool {
    a.dt == b.dt
        && a.groups.iter().map(|group| &group.name).eq(b.groups.iter().map(|group| &group.name))
        && a.paths.iter().map(|path| &path.name).eq(b.paths.iter().map(|path| &path.name))
}

impl Version {
    /// Returns whether its expectations judge in the same way as those of another version.
    pub(super) fn judges_like(self: &Arc<Self>, other: &Arc<Self>) -> bool {
        let has_scripts = || self.run.expectations().iter().any(|one| one.script().is_some());
        Arc::ptr_eq(self, other)
            || (self.expectations() == other.expectations()
                && self.run.ticks() == other.run.ticks()
                && have_same_names(self.start().world(), other.start().world())
                && (!has_scripts() || self.files.scripts == other.files.scripts))
    }
}
