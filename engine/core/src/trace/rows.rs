//! All agents of a world, or some of them: their rows, and a grid of them.

use std::borrow::Cow;

use crate::math::Vec2;
use crate::world::{Grid, Motions, World};

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
