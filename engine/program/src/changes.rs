//! Changes of the world that agents decide on: they leave, and make others. They are collected while a program runs.

use std::sync::Arc;

use crate::sim::{ChangeKind, NewcomerSpec};
use crate::world::{GroupId, Value};

/// A place in a script where agents change the world.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeCall {
    /// The agent leaves.
    Remove,
    /// The agent makes another: reads its position, its velocity, and the values of its state.
    Spawn {
        /// The group of the new agent.
        group: GroupId,
        /// The names of the values.
        state: Vec<Arc<str>>,
    },
}

impl ChangeCall {
    /// Returns a change, from the values of one lane.
    pub(super) fn change(&self, mut values: impl Iterator<Item = Value>) -> Option<ChangeKind> {
        let Self::Spawn { group, state } = self else {
            return Some(ChangeKind::Remove);
        };
        let (Value::Vector(pos), Value::Vector(vel)) = (values.next()?, values.next()?) else {
            return None;
        };
        let state = state.iter().cloned().zip(values).collect();
        Some(ChangeKind::Spawn(Box::new(NewcomerSpec { group: *group, pos, vel, state })))
    }
}

/// The changes that the agents of a block decide on.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// What the next change consists of, each value with its lane, in the order of the script.
    pub(super) values: Vec<(u8, Value)>,
    /// The changes, each with its lane, in the order of the script.
    pub(super) decided: Vec<(u8, ChangeKind)>,
}

impl Changes {
    /// Removes everything.
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.decided.clear();
    }

    /// Returns the changes of a lane.
    pub(super) fn of_lane(&self, lane: usize) -> impl Iterator<Item = &ChangeKind> {
        self.decided.iter().filter(move |(of, _)| usize::from(*of) == lane).map(|(_, kind)| kind)
    }
}
