//! What agents were told last, and by whom: for explanations.
//!
//! It is noted only if somebody asks for it. It decides nothing, so it is no state.

use std::sync::Arc;

use super::{AgentId, World};

/// A value of an agent's state that another agent has set.
#[derive(Clone, Debug, PartialEq)]
pub struct Telling {
    /// The tick in which the teller decided.
    pub tick: u64,
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
}

impl World {
    /// Returns what has set a value of an agent's state since its last turn, if that was another agent and is noted.
    #[doc(hidden)]
    pub fn last_telling(&self, listener: AgentId, name: &str) -> Option<&Telling> {
        let is_news = |one: &&Telling| {
            let is_of_last_tick = !one.before_turn && one.tick + 1 == self.tick;
            is_of_last_tick || (one.before_turn && one.tick == self.tick)
        };
        let all = self.tellings.iter().flatten().rev().filter(is_news);
        let mut all = all.filter(|one| one.listener == listener && *one.name == *name);
        all.next()
    }

    /// Notes what agents were told in this tick, and forgets what is too old.
    pub(crate) fn note_tellings(&mut self, new: Vec<Telling>) {
        let tick = self.tick;
        if let Some(tellings) = &mut self.tellings {
            tellings.retain(|one| (tick.saturating_sub(1)..=tick).contains(&one.tick));
            tellings.extend(new);
        }
    }
}
