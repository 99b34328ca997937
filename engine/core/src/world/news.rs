//! What has changed states of agents lately, besides their own turns: for explanations.
//!
//! It is noted only if somebody asks for it. It decides nothing, so it is no state.

use std::sync::Arc;

use super::{AgentId, World};

/// A change of a value of an agent's state that was not made in a turn of the agent.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// The tick in which it was decided on.
    pub tick: u64,
    /// The last tick before the agent knew it.
    pub heard: u64,
    /// The id of the agent.
    pub agent: AgentId,
    /// The name of the value.
    pub name: Arc<str>,
    /// What has changed it.
    pub source: NewsSource,
    /// Whether the agent had its turn of this tick still before it.
    pub before_turn: bool,
    /// Whether nothing of the value before is left, as is not so of a sum.
    pub replaces: bool,
}

/// What has changed a value of an agent's state.
#[derive(Clone, Debug, PartialEq)]
pub enum NewsSource {
    /// Another agent has told it something.
    Told {
        /// The id of the other agent.
        id: AgentId,
        /// The name of the group of that agent.
        group: Arc<str>,
    },
    /// It has taken something from a layer with this name.
    Taken(Arc<str>),
    /// It has captured another agent.
    Captured {
        /// The id of the other agent.
        id: AgentId,
        /// The name of the group of that agent.
        group: Arc<str>,
    },
}

impl News {
    /// Returns what an agent has brought about itself, and knows in the next tick.
    pub(crate) fn of_own_act(
        tick: u64,
        agent: AgentId,
        name: Arc<str>,
        source: NewsSource,
    ) -> Self {
        Self { tick, heard: tick, agent, name, source, before_turn: false, replaces: false }
    }
}

impl World {
    /// Returns what has changed a value of an agent's state since its last turn, as far as it is noted.
    #[doc(hidden)]
    pub fn news(&self, agent: AgentId, name: &str) -> Vec<&News> {
        let is_news = |one: &&News| {
            let is_of_last_tick = !one.before_turn && one.heard + 1 == self.tick;
            is_of_last_tick || (one.before_turn && one.heard == self.tick)
        };
        let all = self.news.iter().flatten().filter(is_news);
        let mut all: Vec<&News> =
            all.filter(|one| one.agent == agent && *one.name == *name).collect();
        if let Some(last) = all.iter().rposition(|one| one.replaces) {
            all.drain(..last);
        }
        all
    }

    /// Notes changes of states, and forgets what is too old.
    pub(crate) fn note_news(&mut self, new: Vec<News>) {
        let tick = self.tick;
        if let Some(news) = &mut self.news {
            news.retain(|one| (tick.saturating_sub(1)..=tick).contains(&one.heard));
            news.extend(new);
        }
    }
}
