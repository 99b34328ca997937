//! A behavior lowered for its groups, ready to be done.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};

use super::behavior::EntryFunction;
use super::compile::Script;
use super::lower::{self, GroupFacts, GroupKind};
use crate::program::{Machine, Program};
use crate::world::{GroupId, Need, World, WorldNames};

/// What a behavior is lowered to, group by group, and machines to do it with. Groups of one kind share what
/// they are lowered to; all share the machines.
#[derive(Debug, Default)]
pub(super) struct ProgramCache {
    prepared: RwLock<AllPrepared>,
    /// As many as have ever been at work at the same time, while they are not.
    machines: Mutex<Vec<Box<Machine>>>,
}

/// What a behavior is lowered to.
#[derive(Debug, Default)]
struct AllPrepared {
    by_group: Vec<Option<Arc<Prepared>>>,
    by_kind: HashMap<GroupKind, Weak<Prepared>>,
    /// Of the world that it is for.
    names: Arc<WorldNames>,
}

/// What a behavior is lowered to for groups of one kind.
#[derive(Debug)]
pub(super) struct Prepared {
    kind: GroupKind,
    steps: [Option<Program>; 2],
}

impl ProgramCache {
    /// What a behavior is lowered to for a group, made anew where the world has changed too much.
    pub(super) fn prepared(&self, script: &Script, world: &World, group: GroupId) -> Arc<Prepared> {
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
        let alike = {
            let mut all = self.all();
            all.take_up(names);
            all.known(world, group).or_else(|| all.alike(facts.kind()))
        };
        let (prepared, uses_group_name) = match alike {
            Some(alike) => (alike, false),
            None => {
                let (prepared, uses_group_name) = Prepared::new(script, facts);
                (Arc::new(prepared), uses_group_name)
            }
        };
        let mut all = self.all();
        all.take_up(names);
        all.keep(group, &prepared, uses_group_name);
        prepared
    }

    fn all(&self) -> std::sync::RwLockWriteGuard<'_, AllPrepared> {
        self.prepared.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// A machine for a program, that nobody else uses.
    pub(super) fn machine(&self, program: &Program) -> Box<Machine> {
        match self.idle().pop() {
            Some(mut machine) => {
                machine.fit(program);
                machine
            }
            None => Box::new(Machine::new(program)),
        }
    }

    /// Keeps a machine for the next who needs one.
    pub(super) fn give_back(&self, machine: Box<Machine>) {
        self.idle().push(machine);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Box<Machine>>> {
        self.machines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The neighborhoods that are worth perceiving for all agents of a group in advance.
    pub(super) fn needs(&self, script: &Script, world: &World, group: GroupId) -> Vec<Need> {
        let prepared = self.prepared(script, world, group);
        let Some(program) = prepared.step(EntryFunction::Steer) else {
            return Vec::new();
        };
        let mut machine = self.machine(program);
        let needs = machine.needs(program, world, group);
        self.give_back(machine);
        needs
    }
}

impl AllPrepared {
    /// Forgets all if it is not for a world of these names.
    fn take_up(&mut self, names: &Arc<WorldNames>) {
        if Arc::ptr_eq(&self.names, names) {
            return;
        }
        if self.names != *names {
            *self = Self::default();
        }
        self.names = Arc::clone(names);
    }

    /// What a group has, if that still holds.
    fn known(&self, world: &World, group: GroupId) -> Option<Arc<Prepared>> {
        let known = self.by_group.get(usize::from(group.0))?.as_ref()?;
        let holds = known.kind.is_of(world.group(group), &self.names);
        holds.then(|| Arc::clone(known))
    }

    /// What another group of a kind has.
    fn alike(&self, kind: &GroupKind) -> Option<Arc<Prepared>> {
        self.by_kind.get(kind).and_then(Weak::upgrade)
    }

    fn keep(&mut self, group: GroupId, prepared: &Arc<Prepared>, uses_group_name: bool) {
        let place = usize::from(group.0);
        if self.by_group.len() <= place {
            self.by_group.resize(place + 1, None);
        }
        self.by_group[place] = Some(Arc::clone(prepared));
        if !uses_group_name && !self.by_kind.contains_key(&prepared.kind) {
            let kind = prepared.kind.clone();
            self.by_kind.insert(kind, Arc::downgrade(prepared));
        }
        // Kinds that no group is of any more are dropped now and then.
        if self.by_kind.len() > 2 * self.by_group.len() {
            self.by_kind.retain(|_, kind| kind.strong_count() > 0);
        }
    }
}

impl Prepared {
    /// Lowers a behavior; whether the result is of no use to other groups of the kind.
    fn new(script: &Script, facts: GroupFacts) -> (Self, bool) {
        let (init, steer) = lower::lower(script, &facts, None);
        let uses_group_name = init.iter().chain([&steer]).any(|lowered| lowered.uses_group_name);
        let prepared = Self {
            kind: facts.into_kind(),
            steps: [init.and_then(|init| init.program), steer.program],
        };
        (prepared, uses_group_name)
    }

    pub(super) fn step(&self, step: EntryFunction) -> Option<&Program> {
        self.steps[step as usize].as_ref()
    }
}
