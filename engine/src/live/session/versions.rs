//! The version of the files that a session runs: reading them again, and falling back to an earlier version.

use std::sync::Arc;

use super::{ReloadResult, Session, StepResult};
use crate::diag::{Diagnostic, Diagnostics, Severity};
use crate::live::change::describe_changes;
use crate::live::version::Version;
use crate::runner::check_open;
use crate::sim::{Action, AgentError};
use crate::world::GroupId;

/// Number of versions kept for falling back, including the newest.
const MAX_VERSIONS: usize = 4;

impl Session {
    /// Reads the files again. If they have changed and can run, they run from this tick on and the old future is dropped.
    pub fn reload(&mut self) -> ReloadResult {
        let is_known =
            self.load_errors.is_empty() && self.newest.files.are_unchanged(&self.path, &self.open);
        if is_known { ReloadResult::Unchanged } else { self.retry() }
    }

    /// Does the same, but also tries files again that failed and have not changed.
    pub fn retry(&mut self) -> ReloadResult {
        if self.is_waiting {
            return self.begin_when_repaired();
        }
        let version = match self.read_version() {
            Ok(version) => version,
            Err(result) => return result,
        };
        if version.files == self.newest.files && self.is_runnable(&self.newest) {
            let had_load_errors = !self.load_errors.is_empty();
            self.load_errors = Diagnostics::default();
            return if had_load_errors {
                ReloadResult::Adopted(Vec::new())
            } else {
                ReloadResult::Unchanged
            };
        }
        self.run_from_here(Arc::new(version))
    }

    /// Begins the run of files that could not be loaded before.
    fn begin_when_repaired(&mut self) -> ReloadResult {
        match Self::open(&self.path, self.options.clone()) {
            Ok(session) => *self = session,
            Err(errors) => return self.note_load_errors(errors),
        }
        ReloadResult::Adopted(Vec::new())
    }

    /// Reads the files; if they cannot be loaded, returns the result of the reload.
    pub(in super::super) fn read_version(&mut self) -> Result<Version, ReloadResult> {
        self.adjust_setup(false);
        Version::read(&self.path, &self.options, &self.values, &self.open)
            .map_err(|errors| self.note_load_errors(errors))
    }

    /// Notes why the files cannot be loaded.
    fn note_load_errors(&mut self, errors: Diagnostics) -> ReloadResult {
        let errors = self.with_other_errors(errors);
        if self.load_errors == errors {
            return ReloadResult::Unchanged;
        }
        self.load_errors = errors;
        ReloadResult::Failed
    }

    /// Adds what a check of the files finds: who loads them stops at some mistakes, and is not told of the others.
    pub(super) fn with_other_errors(&self, errors: Diagnostics) -> Diagnostics {
        let mut all = errors.into_vec();
        let is_other = |one: &Diagnostic, known: &[Diagnostic]| {
            let is_same =
                |other: &Diagnostic| (&other.place, &other.message) == (&one.place, &one.message);
            one.severity == Severity::Error && !known.iter().any(is_same)
        };
        for one in check_open(&self.path, &self.open).findings {
            if is_other(&one, &all) {
                all.push(one);
            }
        }
        all.into_iter().collect()
    }

    /// Runs a version that was just read from this tick on, if it can run.
    pub(in super::super) fn run_from_here(&mut self, version: Arc<Version>) -> ReloadResult {
        // The user may have undone an edit.
        let mut known = std::iter::once(&self.version).chain(&self.runnable);
        let known = known.find(|known| known.files == version.files);
        let version = known.cloned().unwrap_or(version);
        // The user may have restored files that failed to run: all later ticks ran as they are now.
        let ran_last = Arc::ptr_eq(&version, &self.history.keyframe_at(self.end).version);
        self.load_errors = Diagnostics::default();
        let settings = self.settings.clone();
        let mut changes = Vec::new();
        if !ran_last {
            changes = describe_changes(&self.version, &version);
            changes.extend(self.forget_settings_changed_by(&version));
        }
        self.newest = Arc::clone(&version);
        let taken = if ran_last {
            Ok(())
        } else if Arc::ptr_eq(&version, &self.version) {
            self.drop_future();
            Ok(())
        } else {
            self.switch_to(&version)
        };
        match taken {
            Ok(()) => {
                self.run_errors = Diagnostics::default();
                self.mark_runnable(&version);
                ReloadResult::Adopted(changes)
            }
            Err(error) => {
                self.settings = settings;
                self.runnable.retain(|runnable| !Arc::ptr_eq(runnable, &version));
                self.run_errors = error.into();
                ReloadResult::Failed
            }
        }
    }

    /// Continues from this tick with the newest files, even if they failed later, and with the params as they were set last,
    /// but without what else the user did later. If these files fail at this tick, continues with the version that has run here.
    pub fn rerun(&mut self) {
        let newest = Arc::clone(&self.newest);
        let is_here = Arc::ptr_eq(&newest, &self.version);
        let switched = if is_here { Ok(()) } else { self.switch_to(&newest) };
        self.drop_future();
        if let Err(error) = switched {
            self.runnable.retain(|runnable| !Arc::ptr_eq(runnable, &newest));
            self.mark_runnable(&Arc::clone(&self.version));
            self.run_errors = error.into();
        } else if !self.is_runnable(&newest) {
            self.mark_runnable(&newest);
            self.run_errors = Diagnostics::default();
        }
    }

    /// Continues with another version from this tick, if it can simulate the next tick.
    pub(super) fn switch_to(&mut self, version: &Arc<Version>) -> Result<(), AgentError> {
        let next = self.now.adopt(version.start())?;
        let held = self.settings_that_hold();
        let (tick, before) = (self.tick(), Arc::clone(self.now.world()));
        let to = |group: GroupId| next.world().names().group(&before.group(group).name);
        let (old, new) = (Arc::clone(&self.version), Arc::clone(version));
        // A value that the edit has changed in the file is newer than one that the user set at this very tick.
        let stays = |action: &Action| match action {
            Action::Set { group, param, .. } => {
                let name = &before.group(*group).name;
                old.param(name, param) == new.param(name, param)
            }
            _ => true,
        };
        let passed_on = |action: &Action| action.with_mapped_groups(&to).filter(|_| stays(action));
        let mut trial = next.clone();
        for action in self.history.input_at(tick).iter().filter_map(passed_on) {
            trial.queue(action);
        }
        trial.step()?;
        self.cut_future();
        self.history.change_input(tick, &passed_on);
        self.now = next;
        let messages = self.now.take_messages();
        self.keep_messages(messages);
        self.version = Arc::clone(version);
        // This tick is judged again, as the edit has made it.
        self.set_judgment(None);
        self.history.record_edit(&self.now, version);
        self.tracks.replace(self.now.world());
        self.queue_input();
        // A group that is spawned again has the params of the file.
        self.carry_settings(&held);
        Ok(())
    }

    /// Continues from a tick at which something has failed: without what the user did there, otherwise with the previous
    /// version.
    pub(super) fn fall_back(&mut self, tick: u64, error: AgentError) -> StepResult {
        let failed = Arc::clone(&self.version);
        let actions = self.take_back_failing_input(tick);
        if !actions.is_empty() {
            for action in &actions {
                if let Action::Set { group, param, .. } = action {
                    let group = Arc::clone(&self.now.world().group(*group).name);
                    self.find_setting_again(&group, param, tick);
                }
            }
            return StepResult::Undone { error, actions };
        }
        self.runnable.retain(|runnable| !Arc::ptr_eq(runnable, &failed));
        self.run_errors = error.into();
        while let Some(before) = self.runnable.last().cloned() {
            if self.switch_to(&before).is_ok() {
                if Arc::ptr_eq(&before, &self.newest) {
                    self.run_errors = Diagnostics::default();
                }
                return StepResult::FellBack;
            }
            self.runnable.pop();
        }
        StepResult::Stuck
    }

    /// Takes back the last of the user's actions at a tick without which the next step does not fail, or all if there is none, and
    /// returns them. The pointer and inputs stay. The session is at that tick then.
    fn take_back_failing_input(&mut self, tick: u64) -> Vec<Action> {
        let all = self.history.input_at(tick).to_vec();
        let is_played =
            |action: &Action| matches!(action, Action::Cursor { .. } | Action::Input { .. });
        for index in (0..all.len()).rev().filter(|index| !is_played(&all[*index])) {
            let mut others = all.clone();
            let last = others.remove(index);
            self.history.set_input(tick, others);
            // The failed step has left the world between two ticks.
            self.go_again(tick);
            if self.now.clone().step().is_ok() {
                return vec![last];
            }
        }
        let (played, done) = all.into_iter().partition(is_played);
        self.history.set_input(tick, played);
        self.go_again(tick);
        done
    }

    /// Adds a version to those that run, as the newest.
    pub(super) fn mark_runnable(&mut self, version: &Arc<Version>) {
        self.runnable.retain(|runnable| !Arc::ptr_eq(runnable, version));
        self.runnable.push(Arc::clone(version));
        if self.runnable.len() > MAX_VERSIONS {
            self.runnable.remove(0);
        }
    }

    pub(super) fn is_runnable(&self, version: &Arc<Version>) -> bool {
        self.runnable.iter().any(|runnable| Arc::ptr_eq(runnable, version))
    }

    /// Lets the current version try again if all versions have failed: the user's action may be what makes it run.
    pub(super) fn allow_retry(&mut self) {
        if self.runnable.is_empty() {
            self.runnable.push(Arc::clone(&self.version));
            self.run_errors = Diagnostics::default();
        }
    }
}
