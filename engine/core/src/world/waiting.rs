//! Messages of agents that others do not hear at once.

use std::sync::Arc;

use super::{AgentId, GroupId, Value};

/// What an agent tells others.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentMessage {
    /// The tick in which it is told.
    pub tick: u64,
    /// The id of the agent that tells it. It may be gone when others hear it.
    pub teller: AgentId,
    /// The group of that agent.
    pub group: GroupId,
    /// The name of a public state of those who hear it.
    pub name: Arc<str>,
    /// The value.
    pub value: Value,
}

/// A message that is not heard yet.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitingMessage {
    /// The tick in which those who hear it know it.
    pub heard: u64,
    /// The agents that hear it.
    pub to: LateListeners,
    /// What they hear.
    pub message: AgentMessage,
}

/// The agents that hear a message later, without the one that tells it.
#[derive(Clone, Debug, PartialEq)]
pub enum LateListeners {
    /// These agents, if they are still there.
    Agents(Arc<[AgentId]>),
    /// All agents that are in a group then.
    Group(GroupId),
}
