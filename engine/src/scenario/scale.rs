//! Another number of agents than the scenario says.

use super::Scenario;
use crate::sim::SpawnShape;

/// Why a scenario cannot have so many agents.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScaleError {
    /// A group's agents are listed one by one, and more are wanted.
    #[error("group `{group}` would have {wanted} agents, and its spawn lists {listed}")]
    Listed {
        /// The group.
        group: String,
        /// How many it would have.
        wanted: u32,
        /// How many there are places for.
        listed: usize,
    },
    /// The agents are those of a state.
    #[error("the scenario begins with the agents of its `start`")]
    Started,
    /// All groups start empty.
    #[error("no group has agents at the start, so there is nothing to have more or less of")]
    Empty,
}

impl Scenario {
    /// Changes the counts of all groups in proportion, so that together they are as many as asked for; a
    /// group that has agents keeps at least one. All else stays as it is: the world's size, where agents
    /// are put, what events spawn and remove.
    ///
    /// # Errors
    ///
    /// If a group lists where its agents are, and lists too few, if no group has any, or if the scenario has
    /// a start with its own agents.
    pub fn set_agents(&mut self, agents: u32) -> Result<(), ScaleError> {
        if self.setup.start.is_some() {
            return Err(ScaleError::Started);
        }
        let groups = &self.setup.groups;
        let total: u64 = groups.iter().map(|(_, spawn)| u64::from(spawn.count)).sum();
        if total == 0 {
            return Err(ScaleError::Empty);
        }
        // Shares of what is counted up to a group, so that rounding leaves nobody out.
        let share = |upto: u64| upto * u64::from(agents) / total;
        let (mut upto, mut counts) = (0, Vec::new());
        for (group, spawn) in groups {
            let before = share(upto);
            upto += u64::from(spawn.count);
            let wanted = (share(upto) - before).max(u64::from(spawn.count > 0)) as u32;
            let listed = match &spawn.shape {
                SpawnShape::Points(points) => points.len(),
                SpawnShape::Agents(new_agents) => new_agents.len(),
                SpawnShape::Grid { .. }
                | SpawnShape::Ring { .. }
                | SpawnShape::Disc { .. }
                | SpawnShape::Rect { .. } => usize::MAX,
            };
            if wanted as usize > listed {
                return Err(ScaleError::Listed { group: group.name.to_string(), wanted, listed });
            }
            counts.push(wanted);
        }
        for ((_, spawn), count) in self.setup.groups.iter_mut().zip(counts) {
            spawn.count = count;
        }
        Ok(())
    }
}
