//! The judgment of the expectations while a session runs.

use std::sync::Arc;

use super::Session;
use crate::live::judged::{Judged, JudgedFiles, have_same_names};
use crate::live::version::ListedExpectation;

/// The state of a session's expectations.
#[derive(Default)]
pub(super) struct Judging {
    is_on: bool,
    /// The judgment at the session's tick, if it is known.
    latest: Option<Arc<Judged>>,
}

impl Session {
    /// Begins or ends judging the expectations. While it is off, it costs nothing.
    pub fn set_judging(&mut self, is_on: bool) {
        if is_on != self.judging.is_on {
            self.judging = Judging { is_on, latest: None };
            self.history.forget_judgments();
        }
    }

    /// Returns whether the expectations are judged.
    pub fn is_judging(&self) -> bool {
        self.judging.is_on
    }

    /// Returns the expectations of the files that run at this tick.
    pub fn expectations(&self) -> &Arc<[ListedExpectation]> {
        self.version.expectations()
    }

    /// Returns the judgment of the expectations over the ticks up to the current one. They are those of the files that run
    /// at this tick, and are judged from the first tick on, or from the last edit that changed the names of groups or
    /// paths, or the length of a tick. `None` if judging is off, or if earlier ticks still have to be judged:
    /// [`Session::advance`] a replay to the current tick.
    pub fn judged(&self) -> Option<&Judged> {
        self.judging.latest.as_deref().filter(|judged| judged.version.judges_like(&self.version))
    }

    /// Returns whether earlier ticks have to be judged before the judgment at this tick is known.
    pub fn lacks_judgment(&self) -> bool {
        self.judges() && self.judged().is_none()
    }

    fn judges(&self) -> bool {
        self.judging.is_on && !self.expectations().is_empty()
    }

    /// Judges the tick that a session has come to by a step.
    pub(super) fn judge_step(&mut self, is_edit: bool) {
        let Some(mut judged) = self.judging.latest.take() else { return };
        if judged.version.judges_like(&self.version) {
            Arc::make_mut(&mut judged).follow(&self.now, is_edit);
            self.keep_judgment(&judged);
            self.judging.latest = Some(judged);
        }
    }

    /// Takes over the judgment at a tick that the session has come to otherwise, if it is known.
    pub(in super::super) fn set_judgment(&mut self, judged: Option<Arc<Judged>>) {
        self.judging.latest = judged.filter(|_| self.judging.is_on);
    }

    /// Returns the files that say how the ticks up to the current one are judged.
    pub fn judged_files(&self) -> JudgedFiles {
        let now = self.now.world();
        let mut since = self.tick();
        for edit in self.history.keyframes_until(since).filter(|one| one.is_edit) {
            let world = edit.simulation.world();
            if !have_same_names(world, now) {
                break;
            }
            since = world.tick;
        }
        JudgedFiles { version: Arc::clone(&self.version), since }
    }

    /// Returns whether the ticks up to one are judged at all.
    pub(in super::super) fn is_judged(&self, tick: u64, files: &JudgedFiles) -> bool {
        self.judges() && tick >= files.since
    }
}
