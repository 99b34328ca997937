//! A behavior lowered for one group, ready to be done.

use std::sync::{Mutex, PoisonError};

use super::behavior::Step;
use super::compile::Script;
use super::lower::{self, Facts};
use crate::program::{Machine, Program};
use crate::world::{GroupId, Need, World};

/// What a behavior is lowered to for a group, as long as the names and types it was lowered for hold.
#[derive(Debug)]
pub(super) struct Prepared {
    facts: Facts,
    steps: [Option<Lowered>; 2],
}

/// A program, and machines to do it with: as many as have ever been at work at the same time.
#[derive(Debug)]
pub(super) struct Lowered {
    pub(super) program: Program,
    machines: Mutex<Vec<Box<Machine>>>,
}

impl Prepared {
    pub(super) fn new(script: &Script, world: &World, group: GroupId) -> Self {
        let facts = Facts::of(world, group);
        let (init, steer) = lower::lower(script, &facts, None);
        let lowered = |lowered: lower::Lowered| {
            lowered.program.map(|program| Lowered {
                program,
                machines: Mutex::new(Vec::new()),
            })
        };
        Self {
            facts,
            steps: [init.and_then(lowered), lowered(steer)],
        }
    }

    /// Whether it still holds for a group.
    pub(super) fn is_for(&self, world: &World, group: GroupId) -> bool {
        self.facts.hold_for(world, group)
    }

    pub(super) fn group(&self) -> GroupId {
        self.facts.group()
    }

    pub(super) fn step(&self, step: Step) -> Option<&Lowered> {
        self.steps[step as usize].as_ref()
    }

    /// The neighbourhoods that are worth perceiving for all agents in advance.
    pub(super) fn needs(&self, world: &World, group: GroupId) -> Vec<Need> {
        let Some(lowered) = self.step(Step::Steer) else {
            return Vec::new();
        };
        let mut machine = lowered.machine();
        let needs = machine.needs(&lowered.program, world, group);
        lowered.give_back(machine);
        needs
    }
}

impl Lowered {
    /// A machine that nobody else uses.
    pub(super) fn machine(&self) -> Box<Machine> {
        self.idle()
            .pop()
            .unwrap_or_else(|| Box::new(Machine::new(&self.program)))
    }

    /// Keeps a machine for the next who needs one.
    pub(super) fn give_back(&self, machine: Box<Machine>) {
        self.idle().push(machine);
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Box<Machine>>> {
        self.machines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
