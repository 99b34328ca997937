//! Positions, velocities and headings, in the order in which the grid sorts the agents.
//!
//! Agents that are near each other stand near each other in memory, so that a tick reads and writes it in order. The
//! index of an agent in this order is its *slot*; its *row* is its place in the order of ids, by which everything else
//! knows it.

use std::sync::OnceLock;

use crate::math::Vec2;

/// What a loop over neighbors reads of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sighting {
    /// Position, in world units.
    pub(crate) pos: Vec2,
    /// Velocity, in world units per second.
    pub(crate) vel: Vec2,
}

/// The motions of all agents, by slot.
#[derive(Clone, Debug)]
pub(crate) struct Motions {
    /// The row of each slot.
    rows: Vec<u32>,
    sightings: Vec<Sighting>,
    /// Unit vectors in the direction of the last velocity that was not zero.
    headings: Vec<Vec2>,
    /// The slot of each row; computed when first needed. Not used while slots and rows are the same.
    slots: OnceLock<Vec<u32>>,
    /// Whether each slot is the row with the same number.
    is_in_row_order: bool,
}

impl Default for Motions {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            sightings: Vec::new(),
            headings: Vec::new(),
            slots: OnceLock::new(),
            is_in_row_order: true,
        }
    }
}

/// Motions are equal if those of each row are; the order of slots makes no difference.
impl PartialEq for Motions {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && (0..self.len()).all(|row| {
                let (own, its) = (self.slot(row), other.slot(row));
                self.sightings[own] == other.sightings[its]
                    && self.headings[own] == other.headings[its]
            })
    }
}

impl Motions {
    /// Returns the number of agents.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the row of each slot.
    #[inline]
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Returns position and velocity of the agent in each slot.
    #[inline]
    pub(crate) fn sightings(&self) -> &[Sighting] {
        &self.sightings
    }

    /// Returns the heading of the agent in each slot.
    #[inline]
    pub(crate) fn headings(&self) -> &[Vec2] {
        &self.headings
    }

    /// Returns the row of each slot, and positions, velocities and headings, mutable.
    pub(crate) fn columns_mut(&mut self) -> (&[u32], &mut [Sighting], &mut [Vec2]) {
        (&self.rows, &mut self.sightings, &mut self.headings)
    }

    /// Returns all columns, mutable, to fill them with motions in another order.
    pub(super) fn all_mut(&mut self) -> (&mut [u32], &mut [Sighting], &mut [Vec2]) {
        (&mut self.rows, &mut self.sightings, &mut self.headings)
    }

    /// Returns the slot of a row.
    #[inline]
    pub(crate) fn slot(&self, row: usize) -> usize {
        if self.is_in_row_order {
            return row;
        }
        self.slots.get_or_init(|| self.find_slots())[row] as usize
    }

    #[cold]
    fn find_slots(&self) -> Vec<u32> {
        let mut slots = vec![0; self.rows.len()];
        for (slot, &row) in (0..).zip(&self.rows) {
            slots[row as usize] = slot;
        }
        slots
    }

    /// Returns whether each slot is the row with the same number.
    pub(crate) fn is_in_row_order(&self) -> bool {
        self.is_in_row_order
    }

    /// Returns position and velocity of the agent in a row.
    #[inline]
    pub(crate) fn of(&self, row: usize) -> Sighting {
        self.sightings[self.slot(row)]
    }

    /// Returns position and velocity of the agent in a row, mutable.
    pub(crate) fn of_mut(&mut self, row: usize) -> &mut Sighting {
        let slot = self.slot(row);
        &mut self.sightings[slot]
    }

    /// Returns the heading of the agent in a row.
    #[inline]
    pub(crate) fn heading(&self, row: usize) -> Vec2 {
        self.headings[self.slot(row)]
    }

    /// Returns the heading of the agent in a row, mutable.
    pub(crate) fn heading_mut(&mut self, row: usize) -> &mut Vec2 {
        let slot = self.slot(row);
        &mut self.headings[slot]
    }

    /// Adds an agent as the last row.
    pub(crate) fn push(&mut self, sighting: Sighting, heading: Vec2) {
        let last = self.rows.len() as u32;
        self.rows.push(last);
        if let Some(slots) = self.slots.get_mut() {
            slots.push(last);
        }
        self.sightings.push(sighting);
        self.headings.push(heading);
    }

    /// Keeps the rows that are marked `true`, in their order.
    pub(crate) fn retain(&mut self, keep: &[bool]) {
        let mut count = 0;
        let new_rows: Vec<u32> = keep
            .iter()
            .map(|&keep| {
                count += u32::from(keep);
                count.wrapping_sub(1)
            })
            .collect();
        let mut to = 0;
        for from in 0..self.rows.len() {
            let row = self.rows[from] as usize;
            if keep[row] {
                self.rows[to] = new_rows[row];
                self.sightings[to] = self.sightings[from];
                self.headings[to] = self.headings[from];
                to += 1;
            }
        }
        self.rows.truncate(to);
        self.sightings.truncate(to);
        self.headings.truncate(to);
        self.slots.take();
    }

    /// Takes over the order of other motions of the same agents, and leaves the own ones there.
    pub(super) fn swap(&mut self, spare: &mut Self) {
        debug_assert_eq!(self.len(), spare.len(), "another order of the same agents");
        std::mem::swap(&mut self.rows, &mut spare.rows);
        std::mem::swap(&mut self.sightings, &mut spare.sightings);
        std::mem::swap(&mut self.headings, &mut spare.headings);
        self.slots.take();
        self.is_in_row_order = false;
    }

    /// Puts the agents into the order of rows.
    pub(crate) fn sort_by_row(&mut self) {
        if self.is_in_row_order {
            return;
        }
        let slots = self.slots.take().unwrap_or_else(|| self.find_slots());
        self.sightings = slots.iter().map(|&slot| self.sightings[slot as usize]).collect();
        self.headings = slots.iter().map(|&slot| self.headings[slot as usize]).collect();
        self.rows = (0..slots.len() as u32).collect();
        self.is_in_row_order = true;
    }

    /// Makes room for a number of agents, whose motions are then meaningless.
    pub(super) fn resize(&mut self, agents: usize) {
        self.rows.resize(agents, 0);
        self.sightings.resize(agents, Sighting { pos: Vec2::ZERO, vel: Vec2::ZERO });
        self.headings.resize(agents, Vec2::ZERO);
    }

    /// Frees memory that is reserved for more agents.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.rows.shrink_to_fit();
        self.sightings.shrink_to_fit();
        self.headings.shrink_to_fit();
    }
}
