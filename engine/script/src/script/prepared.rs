//! The lowered programs of a behavior, cached for each group.

mod runner;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};
use std::thread::{self, ThreadId};

use super::compile::Script;
use super::entry_point::EntryFunction;
use super::lower::{self, GroupFacts, GroupKind};
use crate::program::{self, Program};
use crate::world::{GroupId, Need, World, WorldNames};
use runner::Runner;
pub(super) use runner::{LoweredTurns, not_stopped};

/// The lowered programs of a behavior for each group, and idle runners for them. Groups of the same kind share a
/// program; all groups share the runners.
#[derive(Debug, Default)]
pub(super) struct ProgramCache {
    prepared: RwLock<ProgramsByGroup>,
    runners: Arc<Runners>,
}

/// Idle runners, each with the thread that has used it last: as many as have ever been used at the same time.
#[derive(Debug, Default)]
pub(super) struct Runners(Mutex<Vec<(ThreadId, Box<Runner>)>>);

/// The programs of all groups.
#[derive(Debug, Default)]
struct ProgramsByGroup {
    by_group: Vec<Option<Arc<GroupPrograms>>>,
    by_kind: HashMap<GroupKind, Weak<GroupPrograms>>,
    /// The names in the world that the programs are for.
    names: Arc<WorldNames>,
}

/// The programs of a behavior for groups of the same kind.
#[derive(Debug)]
pub(super) struct GroupPrograms {
    kind: GroupKind,
    programs: [Option<Program>; 2],
    /// `steer` with notes of its values, as it was lowered, which can be explained; made when it is first asked for.
    watched: OnceLock<Option<Program>>,
    runners: Arc<Runners>,
}

impl ProgramCache {
    /// Returns the programs for a group, and lowers the behavior again if the world has changed too much.
    pub(super) fn prepared(
        &self,
        script: &Script,
        world: &World,
        group: GroupId,
    ) -> Arc<GroupPrograms> {
        let names = world.names();
        {
            let all = self.prepared.read().unwrap_or_else(PoisonError::into_inner);
            if Arc::ptr_eq(&all.names, names)
                && let Some(known) = all.known(world, group)
            {
                return known;
            }
        }
        let facts = GroupFacts::of(world, group);
        let shared = {
            let mut all = self.all();
            all.reset_for(names);
            // The names of another world may be the same, or another thread has been faster.
            if let Some(known) = all.known(world, group) {
                return known;
            }
            all.of_kind(facts.kind())
        };
        let (prepared, uses_group_name) = match shared {
            Some(shared) => (shared, false),
            None => {
                let (prepared, uses_group_name) = GroupPrograms::new(script, facts, &self.runners);
                (Arc::new(prepared), uses_group_name)
            }
        };
        let mut all = self.all();
        all.reset_for(names);
        all.insert(group, &prepared, uses_group_name);
        prepared
    }

    fn all(&self) -> std::sync::RwLockWriteGuard<'_, ProgramsByGroup> {
        self.prepared.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an idle runner.
    pub(super) fn runner(&self) -> Box<Runner> {
        self.runners.take()
    }

    /// Returns a runner to the idle ones.
    pub(super) fn release(&self, runner: Box<Runner>) {
        self.runners.release(runner);
    }

    /// Returns the neighborhoods that should be computed in advance for all agents of a group.
    pub(super) fn needs(&self, script: &Script, world: &World, group: GroupId) -> Vec<Need> {
        let prepared = self.prepared(script, world, group);
        let Some(program) = prepared.program(EntryFunction::Steer) else {
            return Vec::new();
        };
        let mut runner = self.runner();
        let needs = runner.one.needs(program, world, group);
        self.release(runner);
        needs
    }
}

impl Runners {
    /// Returns an idle runner: one that this thread has used last, if there is one, since its memory is in the caches
    /// of this thread's core.
    pub(super) fn take(&self) -> Box<Runner> {
        let thread = thread::current().id();
        let mut idle = self.idle();
        match idle.iter().rposition(|(last, _)| *last == thread) {
            Some(own) => idle.swap_remove(own).1,
            None => idle.pop().map(|(_, runner)| runner).unwrap_or_default(),
        }
    }

    /// Returns a runner to the idle ones.
    pub(super) fn release(&self, runner: Box<Runner>) {
        self.idle().push((thread::current().id(), runner));
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(ThreadId, Box<Runner>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ProgramsByGroup {
    /// Removes all programs if they are for a world with other names.
    fn reset_for(&mut self, names: &Arc<WorldNames>) {
        if Arc::ptr_eq(&self.names, names) {
            return;
        }
        if self.names != *names {
            *self = Self::default();
        }
        self.names = Arc::clone(names);
    }

    /// Returns the programs of a group, if they are still valid.
    fn known(&self, world: &World, group: GroupId) -> Option<Arc<GroupPrograms>> {
        let known = self.by_group.get(usize::from(group.0))?.as_ref()?;
        let holds = known.kind.is_of(world.group(group), &self.names);
        holds.then(|| Arc::clone(known))
    }

    /// Returns the programs of another group of a kind.
    fn of_kind(&self, kind: &GroupKind) -> Option<Arc<GroupPrograms>> {
        self.by_kind.get(kind).and_then(Weak::upgrade)
    }

    fn insert(&mut self, group: GroupId, prepared: &Arc<GroupPrograms>, uses_group_name: bool) {
        let place = usize::from(group.0);
        if self.by_group.len() <= place {
            self.by_group.resize(place + 1, None);
        }
        self.by_group[place] = Some(Arc::clone(prepared));
        if !uses_group_name && !self.by_kind.contains_key(&prepared.kind) {
            let kind = prepared.kind.clone();
            self.by_kind.insert(kind, Arc::downgrade(prepared));
        }
        // From time to time, remove kinds that no group has any more.
        if self.by_kind.len() > 2 * self.by_group.len() {
            self.by_kind.retain(|_, kind| kind.strong_count() > 0);
        }
    }
}

impl GroupPrograms {
    /// Lowers a behavior. Also returns whether the result is valid for this group only, because it uses its name.
    fn new(script: &Script, facts: GroupFacts, runners: &Arc<Runners>) -> (Self, bool) {
        let (init, steer) = lower::lower(script, &facts, None);
        let uses_group_name = init.iter().chain([&steer]).any(|lowered| lowered.uses_group_name);
        let prepared = Self {
            kind: facts.into_kind(),
            programs: [init.and_then(|init| init.program), steer.program]
                .map(|program| program.map(|program| program::optimize(&program))),
            watched: OnceLock::new(),
            runners: Arc::clone(runners),
        };
        (prepared, uses_group_name)
    }

    /// Returns the program of `steer` with what explanations and the values of a turn need. It may fault all lanes,
    /// since the values until then are useful.
    pub(super) fn watched(
        &self,
        script: &Script,
        world: &World,
        group: GroupId,
    ) -> Option<&Program> {
        let lower = || lower::lower_with_notes(script, &GroupFacts::of(world, group));
        self.watched.get_or_init(lower).as_ref()
    }

    pub(super) fn program(&self, function: EntryFunction) -> Option<&Program> {
        self.programs[function as usize].as_ref()
    }

    /// Returns the idle runners, which all programs of the behavior share.
    pub(super) fn runners(&self) -> &Runners {
        &self.runners
    }
}
