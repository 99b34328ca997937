//! Changes the number of agents of a scenario.

use super::Scenario;
use crate::sim::SpawnShape;

/// Why the number of agents cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScaleError {
    /// A group lists its agents one by one, and the list is too short.
    #[error("group `{group}` would have {wanted} agents, but its spawn lists only {listed}")]
    Listed {
        /// The group.
        group: String,
        /// The number of agents that it would have.
        wanted: u32,
        /// The number of agents that its spawn lists.
        listed: usize,
    },
    /// The scenario has a start with its own agents.
    #[error("the agents of this scenario come from its `start`: their number cannot be changed")]
    Started,
    /// All groups start empty.
    #[error("no group has agents at the start: their number cannot be changed")]
    Empty,
}

impl Scenario {
    /// Changes the counts of all groups in proportion, so that their sum is `agents`. A group that has agents keeps at
    /// least one. Everything else stays as it is: the size of the world, the places of agents, and what events spawn
    /// and remove.
    ///
    /// # Errors
    ///
    /// If a group lists too few agents, if no group has agents, or if the scenario has a start.
    pub fn set_agents(&mut self, agents: u32) -> Result<(), ScaleError> {
        if self.setup.start.is_some() {
            return Err(ScaleError::Started);
        }
        let groups = &self.setup.groups;
        let total: u64 = groups.iter().map(|(_, spawn)| u64::from(spawn.count)).sum();
        if total == 0 {
            return Err(ScaleError::Empty);
        }
        // Running totals are scaled, not single counts, so that rounding loses no agents.
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
