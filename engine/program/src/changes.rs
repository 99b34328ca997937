//! Changes of the world that agents decide on: they set themselves goals, leave, capture others, make others, tell them something, contribute to shared values, and change layers.
//! They are collected while a program runs.

use std::sync::Arc;

use super::LANES;
use crate::sim::{ChangeKind, LayerChange, Listeners, MAX_CHANGES, NewcomerSpec, Told};
use crate::world::{Goal, GroupId, LayerId, Neighborhood, Value};

/// A place in a script where agents change the world.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeCall {
    /// The agent leaves.
    Remove,
    /// The agent sets itself a goal: reads its place and its radius.
    SetGoal,
    /// The agent makes another: reads its position, its velocity, and the values of its state.
    Spawn {
        /// The group of the new agent.
        group: GroupId,
        /// The names of the values.
        state: Vec<Arc<str>>,
    },
    /// The agent tells others something: reads who hears it, if that is one agent, the value, and the delay if there is one.
    Tell {
        /// Who hears it.
        to: ListenersCall,
        /// The name of the value.
        name: Arc<str>,
        /// Whether it has a delay.
        is_delayed: bool,
    },
    /// The agent captures another: reads that one. The number says which public value grows, by its index among the names.
    Capture(u16),
    /// The agent contributes to a shared value, by its index: reads the contribution.
    Share(u16),
}

/// A place in a script where agents change a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerCall {
    /// The layer.
    pub layer: LayerId,
    /// The public value that grows by what the agent takes, by its index among the names; `None` if it deposits.
    pub into: Option<u16>,
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
            Self::SetGoal => {
                let (Value::Vector(at), Value::Float(radius)) = (values.next()?, values.next()?)
                else {
                    return None;
                };
                (radius.is_finite() && radius >= 0.0).then_some(())?;
                ChangeKind::SetGoal(Goal { at, radius })
            }
            Self::Spawn { group, state } => {
                let (Value::Vector(pos), Value::Vector(vel)) = (values.next()?, values.next()?)
                else {
                    return None;
                };
                let state = state.iter().cloned().zip(values).collect();
                ChangeKind::Spawn(Box::new(NewcomerSpec { group: *group, pos, vel, state }))
            }
            Self::Capture(into) => match values.next()? {
                Value::Agent(agent) => ChangeKind::Capture { agent, into: *into },
                _ => return None,
            },
            Self::Share(shared) => ChangeKind::Share { shared: *shared, value: values.next()? },
            Self::Tell { to, name, is_delayed } => {
                let to = match to {
                    ListenersCall::Agent => match values.next()? {
                        Value::Agent(id) => Listeners::Agent(id),
                        _ => return None,
                    },
                    ListenersCall::Group(group) => Listeners::Group(*group),
                    ListenersCall::Neighbors(near) => Listeners::Neighbors(neighborhood(*near)),
                };
                let value = values.next()?;
                let delay = match is_delayed.then(|| values.next()) {
                    None => 0.0,
                    Some(Some(Value::Float(delay))) if delay.is_finite() && delay >= 0.0 => delay,
                    Some(_) => return None,
                };
                ChangeKind::Tell(Told { to, name: Arc::clone(name), value, delay })
            }
        })
    }
}

/// The changes that the agents of a block decide on.
#[derive(Debug)]
pub(super) struct Changes {
    /// What the next change consists of, each value with its lane, in the order of the script.
    pub(super) values: Vec<(u8, Value)>,
    /// The changes, each with its lane, in the order of the script.
    decided: Vec<(u8, ChangeKind)>,
    /// The changes of layers, each with its lane, in the order of the script.
    layers: Vec<(u8, LayerChange)>,
    /// The number of changes of each lane, of both kinds.
    counts: [u8; LANES],
}

impl Changes {
    pub(super) fn new() -> Self {
        Self { values: Vec::new(), decided: Vec::new(), layers: Vec::new(), counts: [0; LANES] }
    }

    /// Removes everything.
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.decided.clear();
        self.layers.clear();
        self.counts = [0; LANES];
    }

    /// Adds a change of a lane. `None` if the lane has too many.
    pub(super) fn add(&mut self, lane: usize, kind: ChangeKind) -> Option<()> {
        self.count(lane)?;
        self.decided.push((lane as u8, kind));
        Some(())
    }

    /// Adds a change of a layer. `None` if the lane has too many changes.
    pub(super) fn add_of_layer(&mut self, lane: usize, change: LayerChange) -> Option<()> {
        self.count(lane)?;
        self.layers.push((lane as u8, change));
        Some(())
    }

    /// Counts one more change of a lane. `None` if it has too many.
    fn count(&mut self, lane: usize) -> Option<()> {
        let count = &mut self.counts[lane];
        (usize::from(*count) < MAX_CHANGES).then(|| *count += 1)
    }

    /// Returns whether there are changes of a lane.
    pub(super) fn has_any(&self, lane: usize) -> bool {
        self.counts[lane] > 0
    }

    /// Returns all changes but those of layers, each with its lane.
    pub(super) fn decided(&mut self) -> impl Iterator<Item = (usize, ChangeKind)> + '_ {
        self.decided.drain(..).map(|(lane, kind)| (usize::from(lane), kind))
    }

    /// Returns the changes of layers, each with its lane.
    pub(super) fn of_layers(&self) -> impl Iterator<Item = (usize, LayerChange)> + '_ {
        self.layers.iter().map(|&(lane, change)| (usize::from(lane), change))
    }
}
