//! The agents of each group, found in one pass, so that measures of many groups take no longer than those of few.

use std::borrow::Cow;

use super::Totals;
use super::measures::MeasuredAgents;
use super::totals::RunTotals;
use crate::math::Vec2;
use crate::sim::Simulation;
use crate::world::{Grid, GroupId, Motions, World};

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

/// The rows of all agents, or of some of them, in order.
#[derive(Clone, Copy)]
pub(super) enum Rows<'s> {
    All,
    Of(&'s [u32]),
}

impl<'s> Rows<'s> {
    /// Returns the number of agents.
    pub(super) fn count(self, world: &World) -> usize {
        match self {
            Self::All => world.agents.len(),
            Self::Of(rows) => rows.len(),
        }
    }

    /// Returns the rows.
    pub(super) fn each(self, world: &World) -> impl Iterator<Item = usize> + use<'s> {
        (0..self.count(world)).map(move |index| match self {
            Self::All => index,
            Self::Of(rows) => rows[index] as usize,
        })
    }
}

/// A grid of some agents, for searches between two ticks: the grid of the world may be older than the last moves, and it
/// contains all agents. The agents stay where they are, since a copy of a large world needs much memory.
pub(super) struct GridOfSome<'w> {
    world: &'w World,
    motions: Cow<'w, Motions>,
    /// The row of each slot of the motions.
    slot_rows: Cow<'w, [u32]>,
    grid: Grid,
    /// The slot in the motions of each slot in the grid.
    slots: Vec<u32>,
}

impl<'w> GridOfSome<'w> {
    pub(super) fn new(world: &'w World, rows: Rows<'w>) -> Self {
        let agents = &world.agents;
        let (motions, slot_rows) = match rows {
            Rows::All => (Cow::Borrowed(&agents.motions), Cow::Borrowed(agents.motions.rows())),
            Rows::Of(rows) => {
                let mut motions = Motions::default();
                for row in rows.iter().map(|&row| row as usize) {
                    motions.push(agents.pos(row), Vec2::ZERO, Vec2::X);
                }
                (Cow::Owned(motions), Cow::Borrowed(rows))
            }
        };
        let (grid, slots) = Grid::beside(&world.space, &motions);
        Self { world, motions, slot_rows, grid, slots }
    }

    /// Calls `visit` with the row of each agent within a radius of the agent in a row, and with the square of its distance;
    /// perhaps also with some that are farther away.
    pub(super) fn each_near(&self, row: usize, radius: f32, mut visit: impl FnMut(usize, f32)) {
        let pos = self.world.agents.pos(row);
        self.grid.each_run(pos, pos, radius, |run, _| {
            for &slot in &self.slots[run] {
                let other = self.slot_rows[slot as usize] as usize;
                let at = self.motions.positions()[slot as usize];
                if other != row {
                    visit(other, self.world.space.offset_inside(pos, at).length_squared());
                }
            }
        });
    }
}
