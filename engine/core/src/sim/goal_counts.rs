//! Counts the goals that the agents of a group have reached. The future of a run does not depend on these counts.

/// Counts of one group, since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoalCounts {
    /// Goals that all agents of the group together have reached.
    pub goals: u64,
    /// Number of times that an agent has reached its last goal.
    pub agents: u64,
    /// Agents that an event or a program removed before they reached their last goal.
    pub lost: u64,
}
