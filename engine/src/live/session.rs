//! A run that can be edited while it goes on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::change::changes;
use super::history::History;
use super::tracks::Tracks;
use super::version::Version;
use crate::diag::{Diagnostic, Source};
use crate::runner::{Options, Run};
use crate::sim::{Action, Fault, Message, Simulation};
use crate::world::Values;

/// So many versions are kept to fall back on, the newest among them.
const MOST_VERSIONS: usize = 4;

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
    /// Those that can run, the newest last; none where all have failed.
    good: Vec<Arc<Version>>,
    /// The newest one that was made, whether it can run or not.
    newest: Arc<Version>,
    errors: Vec<Diagnostic>,
    messages: Vec<Message>,
    /// The params that were set by hand: the group's name and their own.
    tuned: BTreeSet<(String, String)>,
}

/// What came of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Stepped {
    /// A tick that had been there already.
    Again,
    /// A new tick.
    On,
    /// None: the texts failed, and those before them go on from here; see [`Session::errors`].
    FellBack,
    /// None: what was done by hand at this tick failed, and is undone.
    Undone(Fault),
    /// None, and nothing to fall back on.
    Stuck,
}

/// What came of reading the texts again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reloaded {
    /// They say what they said before.
    Same,
    /// They run from here on; what is different, in a few words each.
    Took(Vec<String>),
    /// They cannot run: see [`Session::errors`]. Those before go on.
    Failed,
}

impl Session {
    /// Reads a scenario and its scripts; it begins at its first tick.
    ///
    /// # Errors
    ///
    /// All that is wrong with them.
    pub fn open(path: &Path, options: Options) -> Result<Self, Vec<Diagnostic>> {
        let version = Arc::new(Version::read(path, &options)?);
        let now = version.began().clone();
        let mut tracks = Tracks::default();
        tracks.record(now.world());
        let settings = options.settings.iter();
        let tuned = settings
            .map(|one| (one.group.clone(), one.param.clone()))
            .collect();
        let mut this = Self {
            tuned,
            path: path.to_owned(),
            options,
            end: now.world().tick,
            history: History::new(&now, &version),
            tracks,
            ghost: None,
            good: vec![Arc::clone(&version)],
            newest: Arc::clone(&version),
            errors: Vec::new(),
            messages: Vec::new(),
            version,
            now,
        };
        this.messages = this.now.take_messages();
        Ok(this)
    }

    /// The scenario's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the scenario is called; where it does not say, the name of its file.
    pub fn name(&self) -> String {
        match self.run().name() {
            "" => self
                .path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
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
        &self.errors
    }

    /// Whether there is nothing that could go on here: all texts have failed.
    pub fn is_stuck(&self) -> bool {
        self.good.is_empty() && self.tick() == self.end
    }

    /// What scripts have said in new ticks since this was last asked.
    pub fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }

    /// The params of each group, with what is about to be done to them.
    pub fn params(&self) -> Vec<Values> {
        let groups = self.now.world().groups.iter();
        let mut params: Vec<Values> = groups.map(|group| group.params.clone()).collect();
        for action in self.now.pending() {
            if let Action::Set {
                group,
                param,
                value,
            } = action
            {
                params[usize::from(group.0)].set(param, value.clone());
            }
        }
        params
    }

    /// Whether a script of the run reads the pointer: else nobody can notice where it is.
    pub fn reads_cursor(&self) -> bool {
        let mut scripts = self.version.texts.scripts.values();
        scripts.any(|source| source.text.contains("cursor"))
    }

    /// The text of the scenario that runs.
    pub(super) fn scenario(&self) -> &Arc<Source> {
        &self.version.texts.scenario
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

    #[cfg(test)]
    pub(super) fn set_most_bytes(&mut self, bytes: usize) {
        self.history.set_most_bytes(bytes);
    }

    #[cfg(test)]
    pub(super) fn kept_bytes(&self) -> usize {
        self.history.bytes()
    }

    /// One tick on.
    pub fn step(&mut self) -> Stepped {
        let tick = self.tick();
        if self.is_stuck() {
            return Stepped::Stuck;
        }
        if let Err(fault) = self.now.step() {
            return self.fall_back(tick, fault);
        }
        let said = self.now.take_messages();
        let stepped = if tick < self.end {
            Stepped::Again
        } else {
            self.end = tick + 1;
            self.messages.extend(said);
            Stepped::On
        };
        if let Some(edit) = self.history.edit_at(tick + 1) {
            self.now = edit.simulation.clone();
            self.version = Arc::clone(&edit.version);
        } else {
            self.history.pass(&self.now, &self.version);
        }
        self.tracks.record(self.now.world());
        self.repeat_input();
        stepped
    }

    /// Looks at a tick that has been: goes there from the state before it that is kept.
    pub fn seek(&mut self, tick: u64) {
        let tick = tick.clamp(self.first(), self.end);
        self.approach(tick);
        while self.tick() < tick && matches!(self.step(), Stepped::Again) {}
    }

    /// Looks at the last tick up to the given one from which there are the fewest to step.
    pub fn approach(&mut self, tick: u64) {
        let keyframe = self.history.before(tick);
        let (here, there) = (self.tick(), keyframe.simulation.world().tick);
        if here > tick || here < there {
            self.now = keyframe.simulation.clone();
            self.version = Arc::clone(&keyframe.version);
            self.repeat_input();
        }
    }

    /// Does something between this tick and the next. What was to come then is given up.
    pub fn act(&mut self, action: Action) {
        self.cut();
        if self.good.is_empty() {
            // It may well be what makes them run.
            self.good.push(Arc::clone(&self.version));
            self.errors.clear();
        }
        if let Action::Set { group, param, .. } = &action {
            let group = self.now.world().group(*group).name.to_string();
            self.tuned.insert((group, param.to_string()));
        }
        self.history.act(self.tick(), action.clone());
        self.now.act(action);
    }

    /// Reads the texts again. If they can run, they do from here on; what was to come is given up.
    pub fn reload(&mut self) -> Reloaded {
        if self.newest.texts.stand(&self.path) && self.is_newest_known() {
            return Reloaded::Same;
        }
        let version = match Version::read(&self.path, &self.options) {
            Ok(version) => Arc::new(version),
            Err(errors) => return self.fail(errors),
        };
        if version.texts == self.version.texts && self.can_run(&self.version) {
            // The edit has been taken back.
            self.newest = Arc::clone(&self.version);
            self.errors.clear();
            return Reloaded::Took(Vec::new());
        }
        let changes = changes(&self.version, &version);
        self.newest = Arc::clone(&version);
        match self.take(&version) {
            Ok(()) => {
                self.good.push(version);
                if self.good.len() > MOST_VERSIONS {
                    self.good.remove(0);
                }
                self.errors.clear();
                Reloaded::Took(changes)
            }
            Err(fault) => self.fail(vec![fault.diagnostic()]),
        }
    }

    /// Goes on from here with the newest texts that can run, and without what was done by hand later. Where
    /// the future that is given up ends, or the ghost, is returned: whoever steps on to there sees both over
    /// each other.
    ///
    /// # Errors
    ///
    /// If the texts fail here.
    pub fn rerun(&mut self) -> Result<u64, Fault> {
        if let Some(newest) = self.good.last().cloned()
            && !Arc::ptr_eq(&newest, &self.version)
        {
            self.take(&newest)?;
        }
        self.cut();
        let ghost = self.ghost.as_ref().and_then(|ghost| ghost.ticks());
        Ok(ghost.map_or(self.end, |(_, last)| last.max(self.end)))
    }

    /// Lets a version go on from here.
    fn take(&mut self, version: &Arc<Version>) -> Result<(), Fault> {
        let next = self.now.adopt(self.version.began(), version.began())?;
        self.cut();
        self.history
            .regroup(self.tick(), self.now.world(), next.world());
        self.now = next;
        self.messages.extend(self.now.take_messages());
        self.version = Arc::clone(version);
        self.history.edit(&self.now, version);
        self.repeat_input();
        Ok(())
    }

    /// Gives up what comes after this tick; it stays as a ghost.
    fn cut(&mut self) {
        let tick = self.tick();
        if tick < self.end {
            self.history.cut(tick);
            self.ghost = Some(Arc::new(self.tracks.cut(tick)));
            self.end = tick;
        }
    }

    /// Does what was done by hand at the tick that has just been arrived at.
    fn repeat_input(&mut self) {
        for action in self.history.input_at(self.now.world().tick) {
            self.now.act(action.clone());
        }
    }

    /// Whether it is known what the newest texts come to.
    fn is_newest_known(&self) -> bool {
        self.errors.is_empty() || !self.can_run(&self.newest)
    }

    fn can_run(&self, version: &Arc<Version>) -> bool {
        self.good.iter().any(|good| Arc::ptr_eq(good, version))
    }

    fn fail(&mut self, errors: Vec<Diagnostic>) -> Reloaded {
        if self.errors == errors {
            return Reloaded::Same;
        }
        self.errors = errors;
        Reloaded::Failed
    }

    /// Goes on from a tick at which something has failed: without what was done by hand there, or else with
    /// the texts before.
    fn fall_back(&mut self, tick: u64, fault: Fault) -> Stepped {
        let failed = Arc::clone(&self.version);
        let by_hand = self.history.forget_input(tick);
        // The world is somewhere between two ticks.
        let keyframe = self.history.before(tick);
        self.now = keyframe.simulation.clone();
        self.version = Arc::clone(&keyframe.version);
        self.repeat_input();
        while self.tick() < tick && matches!(self.step(), Stepped::Again) {}
        if by_hand {
            return Stepped::Undone(fault);
        }
        self.good.retain(|good| !Arc::ptr_eq(good, &failed));
        self.errors = vec![fault.diagnostic()];
        while let Some(before) = self.good.last().cloned() {
            if self.take(&before).is_ok() {
                return Stepped::FellBack;
            }
            self.good.pop();
        }
        Stepped::Stuck
    }
}
