//! A run that can be edited while it goes on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::change::describe_changes;
use super::history::History;
use super::tracks::Tracks;
use super::version::Version;
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::runner::{Options, Run, Setting};
use crate::sim::{Action, AgentError, Message, Simulation};
use crate::world::{GroupId, Values};

/// So many versions are kept to fall back on, the newest among them.
const MAX_VERSIONS: usize = 4;

/// A run that is looked at: one moment of it, the way back, and what runs.
///
/// Time goes from [`Session::first`] to [`Session::end`], and on with each [`Session::step`] at its end.
/// What is done before the end ([`Session::act`], an edit, [`Session::rerun`]) makes another future: the old
/// one is given up, and stays as [`Session::ghost`].
pub struct Session {
    path: PathBuf,
    options: Options,
    now: Simulation,
    version: Arc<Version>,
    end: u64,
    history: History,
    tracks: Tracks,
    ghost: Option<Arc<Tracks>>,
    /// Those that can run, the newest last, as far as is known; none where all have failed.
    runnable: Vec<Arc<Version>>,
    /// The newest one that was made, whether it can run or not.
    newest: Arc<Version>,
    /// Why the files cannot be made into one.
    load_errors: Diagnostics,
    /// Why the newest one has failed.
    run_errors: Diagnostics,
    messages: Vec<Message>,
    /// The params that were set by hand: the group's name and their own.
    tuned: BTreeSet<(String, String)>,
}

/// So many of the last words of scripts are kept at least.
const KEPT_MESSAGES: usize = 4000;

/// What came of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepResult {
    /// A tick that had been there already.
    Replayed,
    /// A new tick.
    New,
    /// None: the texts failed, and those before them go on from here; see [`Session::errors`].
    FellBack,
    /// None: what was done by hand at this tick failed, and is undone.
    Undone(AgentError),
    /// None, and nothing to fall back on.
    Stuck,
}

/// What came of reading the texts again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReloadResult {
    /// They say what they said before.
    Unchanged,
    /// They run from here on; what is different, in a few words each.
    Adopted(Vec<String>),
    /// They cannot run: see [`Session::errors`]. Those before go on.
    Failed,
}

impl Session {
    /// Reads a scenario and its scripts; it begins at its first tick.
    ///
    /// # Errors
    ///
    /// All that is wrong with them.
    pub fn open(path: &Path, options: Options) -> Result<Self, Diagnostics> {
        let version = Arc::new(Version::read(path, &options)?);
        let mut now = version.start().clone();
        // Said once, however often time goes back to the start.
        let messages = now.take_messages();
        let mut tracks = Tracks::default();
        tracks.record(now.world());
        let mut tuned = BTreeSet::new();
        for Setting { group, param, .. } in &options.settings {
            // A shared one may be set for any group; where it is not, its value is the written one.
            let groups = now.world().groups.iter();
            let meant = groups.filter(|of| group.as_deref().is_none_or(|group| *of.name == *group));
            tuned.extend(meant.map(|of| (of.name.to_string(), param.clone())));
        }
        Ok(Self {
            tuned,
            path: path.to_owned(),
            options,
            end: now.world().tick,
            history: History::new(&now, &version),
            tracks,
            ghost: None,
            runnable: vec![Arc::clone(&version)],
            newest: Arc::clone(&version),
            load_errors: Diagnostics::default(),
            run_errors: Diagnostics::default(),
            messages,
            version,
            now,
        })
    }

    /// The scenario's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the scenario is called; where it does not say, the name of its file.
    pub fn name(&self) -> String {
        match self.run().name() {
            "" => self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            name => name.to_owned(),
        }
    }

    /// The run that goes on, as it began.
    pub fn run(&self) -> &Run {
        &self.version.run
    }

    /// The moment that is looked at.
    pub fn simulation(&self) -> &Simulation {
        &self.now
    }

    /// The tick that is looked at.
    pub fn tick(&self) -> u64 {
        self.now.world().tick
    }

    /// The earliest tick there is a way back to: the start of the run, as long as the memory suffices.
    pub fn first(&self) -> u64 {
        self.history.first()
    }

    /// The last tick there has been.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Where everyone has been.
    pub fn tracks(&self) -> &Tracks {
        &self.tracks
    }

    /// Where everyone would have been in the future that was given up last, or has been in a golden.
    pub fn ghost(&self) -> Option<&Arc<Tracks>> {
        self.ghost.as_ref()
    }

    /// Sets or takes away the ghost.
    pub fn set_ghost(&mut self, ghost: Option<Tracks>) {
        self.ghost = ghost.map(Arc::new);
    }

    /// The ticks at which texts were edited, and the first.
    pub fn edits(&self) -> Vec<u64> {
        self.history.edits()
    }

    /// Why the newest texts do not run; none where they do.
    pub fn errors(&self) -> &[Diagnostic] {
        if self.load_errors.is_empty() { &self.run_errors } else { &self.load_errors }
    }

    /// Whether there is nothing that could go on here: all texts have failed.
    pub fn is_stuck(&self) -> bool {
        self.runnable.is_empty() && self.tick() == self.end
    }

    /// What scripts have said up to [`Session::end`], the last few thousand words of it.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The params of each group, with what is about to be done to them.
    pub fn params(&self) -> Vec<Values> {
        let groups = self.now.world().groups.iter();
        let mut params: Vec<Values> = groups.map(|group| group.params.clone()).collect();
        for action in self.now.pending() {
            if let Action::Set { group, param, value } = action {
                params[usize::from(group.0)].set(param, value.clone());
            }
        }
        params
    }

    /// Whether a script of the run reads the pointer: else nobody can notice where it is.
    pub fn reads_cursor(&self) -> bool {
        self.version.reads_cursor
    }

    /// One tick on.
    pub fn step(&mut self) -> StepResult {
        let tick = self.tick();
        if self.is_stuck() {
            return StepResult::Stuck;
        }
        if let Err(fault) = self.now.step() {
            return self.fall_back(tick, fault);
        }
        let messages = self.now.take_messages();
        let stepped = if tick < self.end {
            StepResult::Replayed
        } else {
            self.end = tick + 1;
            self.keep_messages(messages);
            StepResult::New
        };
        if let Some(edit) = self.history.edit_at(tick + 1) {
            self.now = edit.simulation.clone();
            self.version = Arc::clone(&edit.version);
        } else {
            self.history.record(&self.now, &self.version);
        }
        self.tracks.record(self.now.world());
        self.queue_input();
        stepped
    }

    /// Looks at a tick that has been: goes there from the state before it that is kept.
    pub fn seek(&mut self, tick: u64) {
        let tick = tick.clamp(self.first(), self.end);
        self.approach(tick);
        while self.tick() < tick && matches!(self.step(), StepResult::Replayed) {}
    }

    /// Looks at the last tick up to the given one from which there are the fewest to step.
    pub fn approach(&mut self, tick: u64) {
        let keyframe = self.history.keyframe_at(tick);
        let (here, there) = (self.tick(), keyframe.simulation.world().tick);
        if here > tick || here < there {
            self.now = keyframe.simulation.clone();
            self.version = Arc::clone(&keyframe.version);
            self.queue_input();
        }
    }

    /// Does something between this tick and the next. What was to come then is given up, and the newest
    /// texts that can run take over. False if it is about a group or a param that is not there: nothing is
    /// done then.
    pub fn act(&mut self, action: Action) -> bool {
        let before = Arc::clone(self.now.world());
        if !action.is_possible_in(&before) {
            return false;
        }
        if self.tick() < self.end
            && let Some(newest) = self.runnable.last().cloned()
            && !Arc::ptr_eq(&newest, &self.version)
        {
            let there = newest.start().world();
            let to = |group: GroupId| there.group_named(&before.group(group).name);
            let could_be_done = |action: Action| action.is_possible_in(there);
            if !action.with_mapped_groups(&to).is_some_and(could_be_done) {
                return false;
            }
            // Where they cannot go on from here, those of that time do.
            let _ = self.switch_to(&newest);
        }
        let after = self.now.world();
        let to = |group: GroupId| after.group_named(&before.group(group).name);
        let Some(action) =
            action.with_mapped_groups(&to).filter(|action| action.is_possible_in(after))
        else {
            return false;
        };
        self.drop_future();
        self.allow_retry();
        if let Action::Set { group, param, .. } = &action {
            let group = self.now.world().group(*group).name.to_string();
            self.tuned.insert((group, param.to_string()));
        }
        self.history.add_input(self.tick(), action.clone());
        self.now.queue(action);
        true
    }

    /// Reads the texts again. If they can run, they do from here on; what was to come is given up.
    pub fn reload(&mut self) -> ReloadResult {
        let is_known = self.load_errors.is_empty() && self.newest.files.are_unchanged(&self.path);
        if is_known { ReloadResult::Unchanged } else { self.retry() }
    }

    /// The same, but texts that have failed are tried again though they are as they were.
    pub fn retry(&mut self) -> ReloadResult {
        let version = match Version::read(&self.path, &self.options) {
            Ok(version) => version,
            Err(errors) if self.load_errors == errors => return ReloadResult::Unchanged,
            Err(errors) => {
                self.load_errors = errors;
                return ReloadResult::Failed;
            }
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
        let changes = describe_changes(&self.version, &version);
        // An edit may have been taken back.
        let known = self.runnable.iter().find(|runnable| runnable.files == version.files);
        let version = known.cloned().unwrap_or_else(|| Arc::new(version));
        self.load_errors = Diagnostics::default();
        self.newest = Arc::clone(&version);
        let taken = if Arc::ptr_eq(&version, &self.version) {
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
            Err(fault) => {
                self.runnable.retain(|runnable| !Arc::ptr_eq(runnable, &version));
                self.run_errors = fault.into();
                ReloadResult::Failed
            }
        }
    }

    /// Goes on from here with the newest files, also if they have failed later, and without what was done by
    /// hand later. Where the future that is given up ends, or the ghost, is returned: whoever steps on to
    /// there sees both over each other.
    ///
    /// # Errors
    ///
    /// If the texts fail here; all stays as it is then.
    pub fn rerun(&mut self) -> Result<u64, AgentError> {
        let newest = Arc::clone(&self.newest);
        if !Arc::ptr_eq(&newest, &self.version) {
            self.switch_to(&newest)?;
        }
        self.drop_future();
        if !self.is_runnable(&newest) {
            self.run_errors = Diagnostics::default();
            self.mark_runnable(&newest);
        }
        let ghost = self.ghost.as_ref().and_then(|ghost| ghost.ticks());
        Ok(ghost.map_or(self.end, |(_, last)| last.max(self.end)))
    }

    /// The text of the scenario that runs.
    pub(super) fn scenario(&self) -> &Arc<Source> {
        &self.version.files.scenario
    }

    /// The text of the newest scenario that could be made.
    pub(super) fn newest_scenario(&self) -> &Arc<Source> {
        &self.newest.files.scenario
    }

    /// Whether the scripts that run here are those in the files.
    pub(super) fn are_scripts_unchanged(&self) -> bool {
        self.version.files.are_scripts_unchanged(&self.path)
    }

    /// The params that were set by hand: the group's name and their own.
    pub(super) fn tuned(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.tuned.iter();
        all.map(|(group, param)| (group.as_str(), param.as_str()))
    }

    /// What was done by hand from a tick on.
    pub(super) fn input_from(&self, tick: u64) -> Vec<(u64, Action)> {
        self.history.input_from(tick)
    }

    /// How long the texts that run here go on: to the next edit, or the end.
    pub(super) fn version_end(&self) -> u64 {
        self.history.next_edit(self.tick()).unwrap_or(self.end)
    }

    /// Takes in texts that say what runs already.
    pub(super) fn accept_written_files(&mut self) {
        let Ok(version) = Version::read(&self.path, &self.options) else {
            return;
        };
        // Whatever else is new, or does not run, is for the next reload.
        if version.files.scripts != self.newest.files.scripts || !self.is_runnable(&self.newest) {
            return;
        }
        let version = Arc::new(version);
        if Arc::ptr_eq(&self.version, &self.newest) {
            self.now.set_initial_groups(version.start());
            self.version = Arc::clone(&version);
        }
        self.newest = Arc::clone(&version);
        self.mark_runnable(&version);
    }

    #[cfg(test)]
    pub(super) fn set_max_bytes(&mut self, bytes: usize) {
        self.history.set_max_bytes(bytes);
    }

    #[cfg(test)]
    pub(super) fn keyframe_count(&self) -> usize {
        self.history.len()
    }

    /// Lets a version go on from here, if it can take the first step.
    fn switch_to(&mut self, version: &Arc<Version>) -> Result<(), AgentError> {
        let next = self.now.adopt(version.start())?;
        let (tick, before) = (self.tick(), Arc::clone(self.now.world()));
        let to = |group: GroupId| next.world().group_named(&before.group(group).name);
        let (old, new) = (Arc::clone(&self.version), Arc::clone(version));
        // What the file says anew is newer than what was tuned at this very tick.
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
        self.drop_future();
        self.history.change_input(tick, &passed_on);
        self.now = next;
        let messages = self.now.take_messages();
        self.keep_messages(messages);
        self.version = Arc::clone(version);
        self.history.record_edit(&self.now, version);
        self.tracks.replace(self.now.world());
        self.queue_input();
        Ok(())
    }

    /// Takes in what scripts say.
    fn keep_messages(&mut self, messages: Vec<Message>) {
        self.messages.extend(messages);
        if self.messages.len() > 2 * KEPT_MESSAGES {
            let old = self.messages.len() - KEPT_MESSAGES;
            self.messages.drain(..old);
        }
    }

    /// Keeps a version to run, as the newest.
    fn mark_runnable(&mut self, version: &Arc<Version>) {
        self.runnable.retain(|runnable| !Arc::ptr_eq(runnable, version));
        self.runnable.push(Arc::clone(version));
        if self.runnable.len() > MAX_VERSIONS {
            self.runnable.remove(0);
        }
    }

    /// Gives up what comes after this tick; it stays as a ghost.
    fn drop_future(&mut self) {
        let tick = self.tick();
        if tick < self.end {
            self.history.cut(tick);
            self.messages.retain(|message| message.tick < tick);
            self.ghost = Some(Arc::new(self.tracks.cut(tick)));
            self.end = tick;
        }
    }

    /// Where all texts have failed: what is done by hand may well be what makes them run.
    fn allow_retry(&mut self) {
        if self.runnable.is_empty() {
            self.runnable.push(Arc::clone(&self.version));
            self.run_errors = Diagnostics::default();
        }
    }

    /// Does what was done by hand at the tick that has just been arrived at.
    fn queue_input(&mut self) {
        for action in self.history.input_at(self.now.world().tick) {
            self.now.queue(action.clone());
        }
    }

    fn is_runnable(&self, version: &Arc<Version>) -> bool {
        self.runnable.iter().any(|runnable| Arc::ptr_eq(runnable, version))
    }

    /// Goes on from a tick at which something has failed: without what was done by hand there, or else with
    /// the texts before.
    fn fall_back(&mut self, tick: u64, fault: AgentError) -> StepResult {
        let failed = Arc::clone(&self.version);
        let by_hand = self.history.forget_input(tick);
        // The world is somewhere between two ticks.
        let keyframe = self.history.keyframe_at(tick);
        self.now = keyframe.simulation.clone();
        self.version = Arc::clone(&keyframe.version);
        self.queue_input();
        while self.tick() < tick && matches!(self.step(), StepResult::Replayed) {}
        if by_hand {
            return StepResult::Undone(fault);
        }
        self.runnable.retain(|runnable| !Arc::ptr_eq(runnable, &failed));
        self.run_errors = fault.into();
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
}
