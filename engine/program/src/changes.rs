//! Changes of the world that agents decide on: they leave, and make others. They are collected while a program runs.

use std::sync::Arc;

use crate::sim::{ChangeKind, Listeners, NewcomerSpec, Told};
use crate::world::{GroupId, Neighborhood, Value};

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
    /// The agent tells others something: reads who hears it, if that is one agent, and the value.
    Tell {
        /// Who hears it.
        to: ListenersCall,
        /// The name of the value.
        name: Arc<str>,
    },
}

/// The agents that hear something, as a script names them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ListenersCall {
    /// An agent, which is the first value.
    Agent,
    /// A group.
    Group(GroupId),
    /// A neighborhood of the program, by its index.
    Neighbors(u16),
}

impl ChangeCall {
    /// Returns a change, from the values of one lane, and from a neighborhood of that lane.
    pub(super) fn change(
        &self,
        mut values: impl Iterator<Item = Value>,
        neighborhood: impl FnOnce(u16) -> Neighborhood,
    ) -> Option<ChangeKind> {
        Some(match self {
            Self::Remove => ChangeKind::Remove,
            Self::Spawn { group, state } => {
                let (Value::Vector(pos), Value::Vector(vel)) = (values.next()?, values.next()?)
                else {
                    return None;
                };
                let state = state.iter().cloned().zip(values).collect();
                ChangeKind::Spawn(Box::new(NewcomerSpec { group: *group, pos, vel, state }))
            }
            Self::Tell { to, name } => {
                let to = match to {
                    ListenersCall::Agent => match values.next()? {
                        Value::Agent(id) => Listeners::Agent(id),
                        _ => return None,
                    },
                    ListenersCall::Group(group) => Listeners::Group(*group),
                    ListenersCall::Neighbors(near) => Listeners::Neighbors(neighborhood(*near)),
                };
                let value = values.next()?;
                ChangeKind::Tell(Box::new(Told { to, name: Arc::clone(name), value }))
            }
        })
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
