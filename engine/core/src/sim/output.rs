//! What turns of agents bring about besides motion and mind: messages of `debug`, and changes of the world.
//!
//! Turns are taken on all threads. What they bring about is put into the order of agents, so that it never depends on threads.

use std::fmt;
use std::sync::Arc;

use super::AgentError;
use crate::math::Vec2;
use crate::world::{AgentId, Goal, GroupId, LayerId, Neighborhood, Value, Values};

/// A line that a script wrote with `debug`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The tick in which the script ran.
    pub tick: u64,
    /// The id of the agent that the script ran for.
    pub agent: AgentId,
    /// The name of its group.
    pub group: Arc<str>,
    /// File and line of the call: `scripts/shy.rhai:11`.
    pub place: String,
    /// The text: one line without control characters.
    pub text: String,
}

/// Number of messages that are kept until they are taken.
const MAX_MESSAGES: usize = 50_000;

/// Adds messages to a list. If the list becomes too long, its last message says so.
pub fn add_messages(to: &mut Vec<Message>, more: impl IntoIterator<Item = Message>) {
    for message in more {
        if to.len() >= MAX_MESSAGES {
            if let Some(last) = to.last_mut() {
                last.text = format!("more than {MAX_MESSAGES} messages; the others are left out");
            }
            return;
        }
        to.push(message);
    }
}

/// Shows one line: `tick 3 agent 1 (bird) scripts/shy.rhai:11: text`.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, agent, group, place, text } = self;
        write!(f, "tick {tick} agent {agent} ({group}) {place}: {text}")
    }
}

/// A change that an agent has decided on. Other agents hear what they are told, and shared values change, when all agents have decided
/// (in sequential order: before the next one decides). The rest happens at the end of the tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The id of the agent that decided.
    pub agent: AgentId,
    /// What changes.
    pub kind: ChangeKind,
}

/// The most changes that one agent can decide on in one tick.
pub const MAX_CHANGES: usize = 32;

/// What an agent changes.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeKind {
    /// The agent itself is removed.
    Remove,
    /// A new agent is made.
    Spawn(Box<NewcomerSpec>),
    /// Another agent is removed.
    Capture {
        /// The id of the other agent.
        agent: AgentId,
        /// The public value of the agent that grows by 1, by its index in
        /// [`WorldNames::public`](crate::world::WorldNames::public).
        into: u16,
    },
    /// The agent sets itself a goal, instead of those that it has left.
    SetGoal(Goal),
    /// A value of other agents' state is set.
    Tell(Told),
    /// A value is contributed to a shared value.
    Share {
        /// The index of the shared value in the world.
        shared: u16,
        /// The contribution.
        value: Value,
    },
}

/// What an agent tells others.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The agents that hear it, without the one that tells it.
    pub to: Listeners,
    /// The name of the value in their state.
    pub name: Arc<str>,
    /// The value.
    pub value: Value,
    /// The seconds until it is heard, finite and at least 0. It takes at least the time that it always takes.
    pub delay: f32,
}

/// The agents that hear what another one tells them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Listeners {
    /// One agent, if it is still there.
    Agent(AgentId),
    /// All agents of a group.
    Group(GroupId),
    /// The neighbors, where all agents were when they decided.
    Neighbors(Neighborhood),
}

/// An agent that another one makes.
#[derive(Clone, Debug, PartialEq)]
pub struct NewcomerSpec {
    /// Its group.
    pub group: GroupId,
    /// Its position, in world units.
    pub pos: Vec2,
    /// Its velocity, in world units per second.
    pub vel: Vec2,
    /// The values that its state has before its behavior prepares it.
    pub state: Values,
}

/// A change of a layer that an agent has decided on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerChange {
    /// The id of the agent that decided.
    pub agent: AgentId,
    /// The layer.
    pub layer: LayerId,
    /// The public value of the agent that grows by what the agent takes, by its index in
    /// [`WorldNames::public`](crate::world::WorldNames::public). `None` if it deposits.
    pub into: Option<u16>,
    /// The cell, by its index.
    pub cell: u32,
    /// The amount, or the most that is taken: finite and at least 0.
    pub amount: f32,
}

/// What the turns of some agents bring about.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The messages of `debug`.
    pub messages: Vec<Message>,
    /// The changes, those of one agent in the order in which it decided on them.
    pub changes: Vec<Change>,
    /// The changes of layers, those of one agent in the order in which it decided on them.
    pub layer_changes: Vec<LayerChange>,
}

impl Output {
    /// Appends the output of other turns of the same tick.
    pub(super) fn append(&mut self, mut others: Self) {
        self.changes.append(&mut others.changes);
        self.layer_changes.append(&mut others.layer_changes);
        self.messages.append(&mut others.messages);
        if self.messages.len() > 2 * MAX_MESSAGES {
            sort_messages(&mut self.messages);
            // One too many shows that there were more.
            self.messages.truncate(MAX_MESSAGES + 1);
        }
    }

    /// Adds the output of all turns of a tick, or of some, in the order of agents, up to the first agent that failed.
    pub(super) fn add_sorted(&mut self, mut new: Self, result: &Result<(), AgentError>) {
        if let Err(error) = result {
            new.messages.retain(|message| message.agent <= error.agent);
        }
        sort_messages(&mut new.messages);
        add_messages(&mut self.messages, new.messages);
        self.changes.append(&mut new.changes);
        self.layer_changes.append(&mut new.layer_changes);
    }
}

/// Sorts messages by agent. Those of one agent stay in their order.
fn sort_messages(messages: &mut [Message]) {
    if !messages.is_sorted_by_key(|message| message.agent) {
        messages.sort_by_key(|message| message.agent);
    }
}
