//! What agents tell each other: messages that are not heard yet, and, for explanations, what was heard last.
//!
//! The latter is noted only if somebody asks for it. It decides nothing, so it is no state.

use std::sync::Arc;

use super::{AgentId, GroupId, Value, World};

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

/// A value of an agent's state that another agent has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Telling {
    /// The tick in which the teller decided.
    pub tick: u64,
    /// The last tick before the listener knew it.
    pub heard: u64,
    /// The id of the agent that was told it.
    pub listener: AgentId,
    /// The name of the value.
    pub name: Arc<str>,
    /// The id of the agent that told it.
    pub teller: AgentId,
    /// The name of the teller's group.
    pub group: Arc<str>,
    /// Whether the listener had its turn of this tick still before it.
    pub before_turn: bool,
    /// Whether nothing of the value before is left, as is not so of a sum.
    pub replaces: bool,
}

impl World {
    /// Returns what other agents have told an agent since its last turn that is in a value of its state, as far as it is noted.
    #[doc(hidden)]
    pub fn news(&self, listener: AgentId, name: &str) -> Vec<&Telling> {
        let is_news = |one: &&Telling| {
            let is_of_last_tick = !one.before_turn && one.heard + 1 == self.tick;
            is_of_last_tick || (one.before_turn && one.heard == self.tick)
        };
        let all = self.tellings.iter().flatten().filter(is_news);
        let mut all: Vec<&Telling> =
            all.filter(|one| one.listener == listener && *one.name == *name).collect();
        if let Some(last) = all.iter().rposition(|one| one.replaces) {
            all.drain(..last);
        }
        all
    }

    /// Notes what agents were told in this tick, and forgets what is too old.
    pub(crate) fn note_tellings(&mut self, new: Vec<Telling>) {
        let tick = self.tick;
        if let Some(tellings) = &mut self.tellings {
            tellings.retain(|one| (tick.saturating_sub(1)..=tick).contains(&one.heard));
            tellings.extend(new);
        }
    }
}
