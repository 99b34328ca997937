//! A run that can be edited while it continues.

mod judging;
mod scene;
mod settings;
mod setup;
mod versions;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::history::History;
use super::judged::Judged;
use super::param_notes::ParamNotes;
use super::settings::{ParamSetting, Settings, set_by_options};
use super::tracks::Tracks;
use super::version::{Version, VersionFiles};
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::load::{OpenFiles, OutputFile, ScriptsFolder};
use crate::runner::{Options, Run};
use crate::scenario::TemplateValue;
use crate::sim::{Action, AgentError, Message, Simulation};
use crate::world::{Goal, GroupId, Values};
use judging::Judging;
use scene::FileEdits;

/// An interactive run: the current state, its history and its files.
///
/// Its ticks reach from [`Session::first`] to [`Session::end`]; a [`Session::step`] at the end adds one. A change before
/// the end ([`Session::act`], an edit, [`Session::rerun`]) makes another future. The old future is dropped and stays
/// visible as [`Session::ghost`].
pub struct Session {
    path: PathBuf,
    /// Files that are read and written in place of those on disk.
    open: Arc<OpenFiles>,
    options: Options,
    /// The seed in the options at the beginning.
    given_seed: Option<u64>,
    /// Values that take the place of those in the scenario, by path.
    values: Vec<(String, TemplateValue)>,
    now: Simulation,
    version: Arc<Version>,
    end: u64,
    history: History,
    tracks: Tracks,
    ghost: Option<Arc<Tracks>>,
    /// Whether the ghost stays when a future is dropped.
    is_ghost_kept: bool,
    /// The versions that are known to run, oldest first. Empty if all of them failed.
    runnable: Vec<Arc<Version>>,
    /// The newest version that could be loaded, whether it runs or not.
    newest: Arc<Version>,
    /// Why the files on disk cannot be loaded.
    load_errors: Diagnostics,
    /// Why the newest version failed to run.
    run_errors: Diagnostics,
    messages: Vec<Message>,
    settings: Settings,
    file_edits: FileEdits,
    judging: Judging,
    /// Whether the files could not be loaded yet.
    is_waiting: bool,
}

/// What runs while the files cannot be loaded: a world in which no agent ever is. A scenario without any possible agent is an error.
const EMPTY: &str = r#"(
    dt: 0.1, ticks: 1, world: (size: (100, 100)),
    groups: { "waiting": (behavior: "waiting", count: 0, spawn: Points([(50, 50)]), body: (radius: 1, max_speed: 1, max_force: 1)) },
    events: [When(condition: Inside(group: "waiting", area: Circle(center: (50, 50), radius: 1)), do: Spawn(group: "waiting", count: 1))],
)"#;

/// The smallest number of messages of scripts that are kept, if there are so many.
const KEPT_MESSAGES: usize = 4000;

/// The result of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepResult {
    /// A tick that had been simulated before.
    Replayed,
    /// A new tick.
    New,
    /// No step: the files failed, and the previous version continues from here; see [`Session::errors`].
    FellBack,
    /// No step: it failed because of what the user did at this tick. The last of these actions without which it does not fail is undone, or
    /// all of them if there is none.
    Undone {
        /// Why the step failed.
        error: AgentError,
        /// What is undone.
        actions: Vec<Action>,
    },
    /// No step, and there is no version left that runs.
    Stuck,
}

/// The result of reading the files again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReloadResult {
    /// The files have not changed.
    Unchanged,
    /// They run from this tick on; a few words for each change.
    Adopted(Vec<String>),
    /// They cannot run: see [`Session::errors`]. The previous version keeps running.
    Failed,
}

impl Session {
    /// Reads a scenario and its scripts and begins at the first tick.
    ///
    /// # Errors
    ///
    /// All errors in the scenario and its scripts.
    pub fn open(path: &Path, options: Options) -> Result<Self, Diagnostics> {
        Self::open_with_values(path, options, Vec::new())
    }

    /// Does the same, but with other values at some paths of the scenario, such as `groups.birds.params.center`. They also
    /// take the place of what later edits of the scenario say there.
    ///
    /// # Errors
    ///
    /// All errors in the scenario and its scripts, and paths that lead nowhere.
    pub fn open_with_values(
        path: &Path,
        options: Options,
        values: Vec<(String, TemplateValue)>,
    ) -> Result<Self, Diagnostics> {
        Self::begin(path, options, values, OpenFiles::default())
    }

    /// Does the same as [`Session::open`], but reads and writes open files in place of those on disk.
    ///
    /// # Errors
    ///
    /// All errors in the scenario and its scripts.
    pub fn open_files(
        files: OpenFiles,
        path: &Path,
        options: Options,
    ) -> Result<Self, Diagnostics> {
        Self::begin(path, options, Vec::new(), files)
    }

    /// Opens a scenario that has errors: a world without agents waits until [`reload`](Self::reload) finds files that can be loaded, and then the run
    /// begins. `None` if there is no such scenario to repair.
    pub fn open_broken(path: &Path, options: &Options, errors: Diagnostics) -> Option<Self> {
        let files = OpenFiles::default();
        files.read(path).ok()?;
        let mut empty = OpenFiles::default();
        empty.open(path, EMPTY);
        let script = ScriptsFolder::of_open_scenario(path, &Arc::default()).path_of("waiting")?;
        empty.open(&script, "fn steer(me) { vec(0, 0) }");
        let mut session = Self::begin(path, Options::default(), Vec::new(), empty).ok()?;
        session.open = Arc::new(files);
        session.load_errors = session.with_other_errors(errors);
        session.options = options.clone();
        session.is_waiting = true;
        Some(session)
    }

    fn begin(
        path: &Path,
        options: Options,
        values: Vec<(String, TemplateValue)>,
        open: OpenFiles,
    ) -> Result<Self, Diagnostics> {
        let open = Arc::new(open);
        let version = Arc::new(Version::read(path, &options, &values, &open)?);
        let mut now = version.start().clone();
        // These messages appear once, however often the user goes back to the start.
        let messages = now.take_messages();
        let mut tracks = Tracks::default();
        tracks.record(now.world());
        Ok(Self {
            settings: set_by_options(&options, &version),
            file_edits: FileEdits::default(),
            judging: Judging::default(),
            is_waiting: false,
            path: path.to_owned(),
            open,
            given_seed: options.seed,
            options,
            values,
            end: now.world().tick,
            history: History::new(&now, &version),
            tracks,
            ghost: None,
            is_ghost_kept: false,
            runnable: vec![Arc::clone(&version)],
            newest: Arc::clone(&version),
            load_errors: Diagnostics::default(),
            run_errors: Diagnostics::default(),
            messages,
            version,
            now,
        })
    }

    /// Returns the scenario file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the files that are read and written in place of those on disk.
    pub fn files(&self) -> &OpenFiles {
        &self.open
    }

    /// Returns the same files to change them. The next [`Session::reload`] reads them.
    pub fn files_mut(&mut self) -> &mut OpenFiles {
        Arc::make_mut(&mut self.open)
    }

    /// Reads the scenario file as it is now.
    pub(super) fn read_scenario(&self) -> Result<Arc<Source>, Diagnostic> {
        self.open.read(&self.path)
    }

    /// Replaces the scenario file, which was read as `there`.
    pub(super) fn write_scenario(
        &mut self,
        there: Arc<Source>,
        text: &str,
    ) -> Result<(), Diagnostic> {
        self.write_at(&self.path.clone(), there, text)
    }

    /// Replaces the file at a path, which was read as `there`.
    pub(super) fn write_at(
        &mut self,
        path: &Path,
        there: Arc<Source>,
        text: &str,
    ) -> Result<(), Diagnostic> {
        if self.open.get(path).is_some() {
            self.files_mut().open(path, text);
            return Ok(());
        }
        OutputFile::rewrite(path, there)?.write_whole(text)
    }

    /// Returns the name of the scenario; if it has none, the name of its file.
    pub fn name(&self) -> String {
        match self.run().name() {
            "" => self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            name => name.to_owned(),
        }
    }

    /// Returns the run of the current version, at its start.
    pub fn run(&self) -> &Run {
        &self.version.run
    }

    /// Returns the simulation at the current tick.
    pub fn simulation(&self) -> &Simulation {
        &self.now
    }

    /// Returns the current tick.
    pub fn tick(&self) -> u64 {
        self.now.world().tick
    }

    /// Returns the earliest tick that can be restored: the start of the run, unless the history has become too large.
    pub fn first(&self) -> u64 {
        self.history.first()
    }

    /// Returns the last simulated tick.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Returns the past positions of all agents.
    pub fn tracks(&self) -> &Tracks {
        &self.tracks
    }

    /// Returns trajectories for comparison: those of the future that was dropped last, or of a golden.
    pub fn ghost(&self) -> Option<&Arc<Tracks>> {
        self.ghost.as_ref()
    }

    /// Sets or removes the ghost. The next future that is dropped replaces it.
    pub fn set_ghost(&mut self, ghost: Option<Tracks>) {
        self.ghost = ghost.map(Arc::new);
        self.is_ghost_kept = false;
    }

    /// Sets a ghost that stays, whatever is dropped, until it is set or removed with [`set_ghost`](Self::set_ghost).
    pub fn keep_ghost(&mut self, ghost: Arc<Tracks>) {
        self.ghost = Some(ghost);
        self.is_ghost_kept = true;
    }

    /// Returns whether the ghost stays when a future is dropped.
    pub fn is_ghost_kept(&self) -> bool {
        self.is_ghost_kept
    }

    /// Returns the ticks at which files were edited, including the start.
    pub fn edits(&self) -> Vec<u64> {
        self.history.edits()
    }

    /// Returns whether a run of the files alone leads to this tick as it is here: files were not edited after the first tick,
    /// and nothing was done by hand so far.
    pub fn is_of_files(&self) -> bool {
        let is_edited = self.history.edits().iter().any(|edit| *edit > self.first());
        let has_values = !self.values.is_empty() || self.options.seed != self.given_seed;
        let is_changed = is_edited || has_values || self.history.has_input_up_to(self.tick());
        // Params that were set later and written: the file has changed, and this tick has not.
        let is_written = |one: &ParamSetting| one.tick > self.tick() && one.is_written;
        !is_changed && self.errors().is_empty() && !self.settings().iter().any(is_written)
    }

    /// Returns whether this tick was simulated with older files than the newest ones that run.
    pub fn has_older_files(&self) -> bool {
        self.runnable.last().is_some_and(|newest| !Arc::ptr_eq(newest, &self.version))
    }

    /// Returns the last tick up to this one at which files were edited or params were set, if there were ticks before it:
    /// these ran with older ones.
    pub fn changed_at(&self) -> Option<u64> {
        let ticks = self.first() + 1..=self.tick();
        let settings = self.settings.values().map(|latest| latest.tick);
        self.history.edits().into_iter().chain(settings).filter(|tick| ticks.contains(tick)).max()
    }

    /// Returns the params of each group as they are written in the newest scenario file that could be read.
    pub fn file_params(&self) -> &Arc<BTreeMap<String, Values>> {
        self.newest.file_params()
    }

    /// Returns what the newest files that could be read say of the params of each group.
    pub fn param_notes(&self) -> &Arc<ParamNotes> {
        self.newest.param_notes()
    }

    /// Returns why the newest files do not run; empty if they do.
    pub fn errors(&self) -> &[Diagnostic] {
        if self.load_errors.is_empty() { &self.run_errors } else { &self.load_errors }
    }

    /// Returns whether the files could not be loaded yet: see [`Session::open_broken`].
    pub fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    /// Returns true if the run cannot continue here: all versions have failed.
    pub fn is_stuck(&self) -> bool {
        self.runnable.is_empty() && self.tick() == self.end
    }

    /// Returns the last few thousand messages of scripts up to [`Session::end`].
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Returns the params of each group, including changes that wait for the next tick.
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

    /// Returns the [params](Self::params_with_counts) of each group without those that only the scripts of other groups read.
    pub fn params_of_use(&self) -> Vec<Values> {
        let (mut all, notes) = (self.params_with_counts(), self.param_notes());
        for (group, params) in self.now.world().groups.iter().zip(&mut all) {
            let notes = notes.get(&*group.name);
            params.retain(|param| {
                let note = notes.and_then(|notes| notes.get(param));
                note.is_none_or(|note| !note.is_for_others)
            });
        }
        all
    }

    /// Returns the sequences of goals of each group, including changes that wait for the next tick.
    pub fn goals(&self) -> Vec<Vec<Arc<[Goal]>>> {
        let groups = self.now.world().groups.iter();
        let mut goals: Vec<_> = groups.map(|group| group.goals.clone()).collect();
        for action in self.now.pending() {
            if let Action::SetGoals { group, goals: new } = action {
                goals[usize::from(group.0)] = vec![Arc::clone(new)];
            }
        }
        goals
    }

    /// Returns true if a script of the run reads `world.cursor`. Otherwise the pointer has no effect.
    pub fn reads_cursor(&self) -> bool {
        self.version.reads_cursor
    }

    /// Moves on by one tick.
    pub fn step(&mut self) -> StepResult {
        let tick = self.tick();
        if self.is_stuck() {
            return StepResult::Stuck;
        }
        if let Err(error) = self.now.step() {
            return self.fall_back(tick, error);
        }
        let messages = self.now.take_messages();
        let stepped = if tick < self.end {
            StepResult::Replayed
        } else {
            self.end = tick + 1;
            self.keep_messages(messages);
            StepResult::New
        };
        let edit = self.history.edit_at(tick + 1);
        let is_edit = edit.is_some();
        if let Some(edit) = edit {
            self.now = edit.simulation.clone();
            self.version = Arc::clone(&edit.version);
        } else {
            self.history.record(&self.now, &self.version);
        }
        self.judge_step(is_edit);
        self.tracks.record(self.now.world());
        self.queue_input();
        stepped
    }

    /// Goes to an earlier tick: restores the keyframe before it and simulates the ticks between.
    pub fn seek(&mut self, tick: u64) {
        let tick = tick.clamp(self.first(), self.end);
        self.approach(tick);
        while self.tick() < tick && matches!(self.step(), StepResult::Replayed) {}
    }

    /// Goes to the tick from which the fewest steps lead to the given one: the keyframe before it, or the current tick.
    pub fn approach(&mut self, tick: u64) {
        let there = self.history.keyframe_at(tick).simulation.world().tick;
        if self.tick() > tick || self.tick() < there {
            self.restore(tick);
        }
    }

    /// Goes to a tick of the history even if it is the present one.
    pub(super) fn go_again(&mut self, tick: u64) {
        self.restore(tick);
        while self.tick() < tick && matches!(self.step(), StepResult::Replayed) {}
    }

    /// Goes to the keyframe at or before a tick.
    fn restore(&mut self, tick: u64) {
        let keyframe = self.history.keyframe_at(tick);
        self.now = keyframe.simulation.clone();
        self.version = Arc::clone(&keyframe.version);
        let judged = keyframe.judged.clone();
        self.set_judgment(judged);
        self.queue_input();
    }

    /// Does something between this tick and the next. The old future is dropped, and the newest version that runs takes
    /// over, with the params as they were set last. Returns false and does nothing if the action is about a group or a
    /// param that does not exist.
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
            let to = |group: GroupId| there.names().group(&before.group(group).name);
            let could_be_done = |action: Action| action.is_possible_in(there);
            if !action.with_mapped_groups(&to).is_some_and(could_be_done) {
                return false;
            }
            // If the newest version cannot continue from here, the version of that tick does.
            let _ = self.switch_to(&newest);
        }
        let after = self.now.world();
        let to = |group: GroupId| after.names().group(&before.group(group).name);
        let Some(action) =
            action.with_mapped_groups(&to).filter(|action| action.is_possible_in(after))
        else {
            return false;
        };
        self.drop_future();
        self.allow_retry();
        if let Action::Set { group, param, value } = &action {
            let group = self.now.world().group(*group).name.to_string();
            self.note_setting(&group, param, value);
        }
        self.add_input(action);
        true
    }

    /// Goes to a tick and takes back things that the user did there with [`act`](Self::act), as if they had never been done.
    /// Their groups are those of the present tick. The value that a param was set to does not matter: the last one is taken
    /// back. The old future is dropped, and the newest version that runs takes over, with the params as they were set last.
    /// Returns false and changes nothing if one of the things was not done there.
    pub fn retract(&mut self, tick: u64, actions: &[Action]) -> bool {
        let (here, there) = (self.now.world(), self.history.keyframe_at(tick).simulation.world());
        let to = |group: GroupId| there.names().group(&here.group(group).name);
        let mapped: Option<Vec<Action>> =
            actions.iter().map(|action| action.with_mapped_groups(&to)).collect();
        let set = actions.iter().filter_map(|action| match action {
            Action::Set { group, param, .. } => Some((Arc::clone(&here.group(*group).name), param)),
            _ => None,
        });
        let set: Vec<_> = set.collect();
        let is_there = (self.first()..=self.end).contains(&tick);
        let Some(mapped) = mapped.filter(|_| is_there) else { return false };
        if !self.history.remove_input(tick, &mapped) {
            return false;
        }
        for (group, param) in set {
            self.find_setting_again(&group, param, tick);
        }
        // The current state may already contain the action.
        self.go_again(tick);
        if let Some(newest) = self.runnable.last().cloned()
            && !Arc::ptr_eq(&newest, &self.version)
        {
            // If the newest version cannot continue from here, the version of that tick does.
            let _ = self.switch_to(&newest);
        }
        self.drop_future();
        self.allow_retry();
        true
    }

    /// Goes to the tick of an edit, and takes the edit back: the state is the one before it. The old future is dropped.
    /// At the first tick, that is the start of a version. Returns false and changes nothing if there is no such edit, or no
    /// state before it.
    pub(super) fn drop_edit(&mut self, tick: u64, version: &Arc<Version>) -> bool {
        if self.history.edit_at(tick).is_none() {
            return false;
        }
        if tick > self.first() {
            self.history.remove_edit(tick);
        } else if version.start().world().tick == tick {
            self.history.record_edit(version.start(), version);
        } else {
            return false;
        }
        self.go_again(tick);
        self.drop_future();
        self.tracks.replace(self.now.world());
        true
    }

    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// Keeps a judgment if there is a keyframe at its tick.
    pub(super) fn keep_judgment(&mut self, judged: &Arc<Judged>) {
        self.history.keep_judgment(judged);
    }

    /// Returns the scenario that runs here.
    pub(super) fn scenario(&self) -> &Arc<Source> {
        &self.version.scenario
    }

    /// Returns the newest files that could be loaded.
    pub(super) fn newest_files(&self) -> &VersionFiles {
        &self.newest.files
    }

    /// Returns the newest scenario file that could be loaded.
    pub(super) fn newest_scenario(&self) -> &Arc<Source> {
        &self.newest.files.scenario
    }

    /// Returns the newest scenario that could be loaded, with the session's own values.
    pub(super) fn newest_filled(&self) -> &Arc<Source> {
        &self.newest.scenario
    }

    /// Returns the number of values that take the place of those in the scenario.
    pub(super) fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Returns true if the scripts that run here equal those on disk.
    pub(super) fn are_scripts_unchanged(&self) -> bool {
        self.version.files.are_scripts_unchanged(&self.path, &self.open)
    }

    /// Returns what the user did from a tick on.
    pub(super) fn input_from(&self, tick: u64) -> Vec<(u64, Action)> {
        self.history.input_from(tick)
    }

    /// Takes over files that this session has written and that say what runs already.
    pub(super) fn accept_written_files(&mut self) {
        self.adjust_setup(true);
        let version = Version::read(&self.path, &self.options, &self.values, &self.open);
        let Ok(version) = version else { return };
        // Other changes, and files that do not run, are left to the next reload.
        if version.files.scripts != self.newest.files.scripts || !self.is_runnable(&self.newest) {
            return;
        }
        let (version, old) = (Arc::new(version), Arc::clone(&self.newest));
        self.history.rename_version(&old, &version);
        if Arc::ptr_eq(&self.version, &old) {
            self.now.set_initial_groups(version.start());
            self.version = Arc::clone(&version);
        }
        self.newest = Arc::clone(&version);
        self.runnable.retain(|runnable| !Arc::ptr_eq(runnable, &old));
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

    /// Adds messages of scripts, and drops old ones.
    fn keep_messages(&mut self, messages: Vec<Message>) {
        self.messages.extend(messages);
        if self.messages.len() > 2 * KEPT_MESSAGES {
            let old = self.messages.len() - KEPT_MESSAGES;
            self.messages.drain(..old);
        }
    }

    /// Drops the ticks after this one; they stay visible as a ghost. Params that were set there are set at this tick.
    pub(super) fn drop_future(&mut self) {
        self.cut_future();
        self.carry_settings(&[]);
    }

    fn cut_future(&mut self) {
        let tick = self.tick();
        if tick < self.end {
            self.history.cut(tick);
            self.messages.retain(|message| message.tick < tick);
            let dropped = self.tracks.cut(tick);
            if !self.is_ghost_kept {
                self.ghost = Some(Arc::new(dropped));
            }
            self.end = tick;
        }
    }

    /// Records something that the user does at the current tick.
    pub(super) fn add_input(&mut self, action: Action) {
        self.history.add_input(self.tick(), action.clone());
        self.now.queue(action);
    }

    /// Repeats what the user did at the current tick.
    fn queue_input(&mut self) {
        for action in self.history.input_at(self.now.world().tick) {
            self.now.queue(action.clone());
        }
    }
}
