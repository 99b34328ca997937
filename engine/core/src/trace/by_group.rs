//! The agents of each group, found in one pass, so that measures of many groups take no longer than those of few.

use super::Totals;
use super::measures::MeasuredAgents;
use super::rows::Rows;
use super::totals::RunTotals;
use crate::sim::Simulation;
use crate::world::GroupId;

/// The agents of each group at one tick, and what has happened to them.
pub struct AgentsByGroup<'s> {
    simulation: &'s Simulation,
    totals: Option<&'s Totals>,
    /// The rows of the agents, in order.
    rows: Vec<Vec<u32>>,
    sums: Vec<RunTotals>,
}

impl<'s> AgentsByGroup<'s> {
    /// Takes all agents at the present tick. Measures that need totals are `None` without them.
    pub fn new(simulation: &'s Simulation, totals: Option<&'s Totals>) -> Self {
        let world = simulation.world();
        let mut rows = vec![Vec::new(); world.groups.len()];
        for (row, group) in (0..).zip(&world.agents.group) {
            rows[usize::from(group.0)].push(row);
        }
        let sums = totals.map(Totals::sum_by_group).unwrap_or_default();
        Self { simulation, totals, rows, sums }
    }

    /// Returns the agents of a group.
    pub fn group(&self, id: GroupId) -> MeasuredAgents<'_> {
        let rows = Rows::Of(&self.rows[usize::from(id.0)]);
        let sums = self.sums.get(usize::from(id.0)).copied();
        MeasuredAgents::of_rows(self.simulation, Some(id), rows, self.totals.zip(sums))
    }
}
