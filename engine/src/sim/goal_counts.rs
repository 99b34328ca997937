//! What the agents of a group have reached. It says nothing about the future of a run.

/// Counts of one group, since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoalCounts {
    /// Goals reached, by all agents together.
    pub goals: u64,
    /// How often an agent has come to the end of its goals.
    pub agents: u64,
    /// Agents that an event has taken out before the end of their goals.
    pub lost: u64,
}
