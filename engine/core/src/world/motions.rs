//! Positions, velocities and headings, in the order in which the grid sorts the agents.
//!
//! Agents that are near each other stand near each other in memory, so that a tick reads and writes it in order. The
//! index of an agent in this order is its *slot*; its *row* is its place in the order of ids, by which everything else
//! knows it.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::math::Vec2;

/// The motions of all agents, by slot.
#[derive(Debug)]
pub struct Motions {
    /// The row of each slot.
    rows: Vec<u32>,
    /// Positions, in world units.
    pos: Vec<Vec2>,
    /// Velocities, in world units per second.
    vel: Vec<Vec2>,
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
            pos: Vec::new(),
            vel: Vec::new(),
            headings: Vec::new(),
            slots: OnceLock::new(),
            is_in_row_order: true,
        }
    }
}

impl Clone for Motions {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Does the same without new memory, if there is enough.
    fn clone_from(&mut self, source: &Self) {
        let Self { rows, pos, vel, headings, slots, is_in_row_order } = source;
        self.rows.clone_from(rows);
        self.pos.clone_from(pos);
        self.vel.clone_from(vel);
        self.headings.clone_from(headings);
        let mut own = self.slots.take();
        if let Some(slots) = slots.get() {
            own.get_or_insert_default().clone_from(slots);
            self.slots = own.map_or_else(OnceLock::new, OnceLock::from);
        }
        self.is_in_row_order = *is_in_row_order;
    }
}

/// Motions are equal if those of each row are; the order of slots makes no difference.
impl PartialEq for Motions {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && (0..self.len()).all(|row| {
                let (own, its) = (self.slot(row), other.slot(row));
                self.pos[own] == other.pos[its]
                    && self.vel[own] == other.vel[its]
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
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Returns the position of the agent in each slot.
    #[inline]
    pub fn positions(&self) -> &[Vec2] {
        &self.pos
    }

    /// Returns the velocity of the agent in each slot.
    #[inline]
    pub fn velocities(&self) -> &[Vec2] {
        &self.vel
    }

    /// Returns the heading of the agent in each slot.
    #[inline]
    pub fn headings(&self) -> &[Vec2] {
        &self.headings
    }

    /// Returns all columns, mutable.
    pub(crate) fn columns_mut(&mut self) -> MotionColumns<'_> {
        let Self { rows, pos, vel, headings, .. } = self;
        MotionColumns { rows, pos, vel, headings }
    }

    /// Returns the slot of a row.
    #[inline]
    pub fn slot(&self, row: usize) -> usize {
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

    /// Returns a column, which has a value for each slot, in the order of rows.
    pub fn by_row<'c>(&self, column: &'c [Vec2]) -> Cow<'c, [Vec2]> {
        if self.is_in_row_order {
            return Cow::Borrowed(column);
        }
        let slots = self.slots.get_or_init(|| self.find_slots());
        slots.iter().map(|&slot| column[slot as usize]).collect()
    }

    /// Returns whether each slot is the row with the same number.
    pub(crate) fn is_in_row_order(&self) -> bool {
        self.is_in_row_order
    }

    /// Returns the position of the agent in a row.
    #[inline]
    pub(crate) fn pos(&self, row: usize) -> Vec2 {
        self.pos[self.slot(row)]
    }

    /// Returns the position of the agent in a row, mutable.
    pub(crate) fn pos_mut(&mut self, row: usize) -> &mut Vec2 {
        let slot = self.slot(row);
        &mut self.pos[slot]
    }

    /// Returns the velocity of the agent in a row.
    #[inline]
    pub(crate) fn vel(&self, row: usize) -> Vec2 {
        self.vel[self.slot(row)]
    }

    /// Returns the velocity of the agent in a row, mutable.
    pub(crate) fn vel_mut(&mut self, row: usize) -> &mut Vec2 {
        let slot = self.slot(row);
        &mut self.vel[slot]
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
    pub(crate) fn push(&mut self, pos: Vec2, vel: Vec2, heading: Vec2) {
        let last = self.rows.len() as u32;
        self.rows.push(last);
        if let Some(slots) = self.slots.get_mut() {
            slots.push(last);
        }
        self.pos.push(pos);
        self.vel.push(vel);
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
                self.pos[to] = self.pos[from];
                self.vel[to] = self.vel[from];
                self.headings[to] = self.headings[from];
                to += 1;
            }
        }
        self.rows.truncate(to);
        self.pos.truncate(to);
        self.vel.truncate(to);
        self.headings.truncate(to);
        self.slots.take();
    }

    /// Takes over the order of other motions of the same agents, and leaves the own ones there.
    pub(super) fn swap(&mut self, spare: &mut Self) {
        debug_assert_eq!(self.len(), spare.len(), "another order of the same agents");
        std::mem::swap(&mut self.rows, &mut spare.rows);
        std::mem::swap(&mut self.pos, &mut spare.pos);
        std::mem::swap(&mut self.vel, &mut spare.vel);
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
        for column in [&mut self.pos, &mut self.vel, &mut self.headings] {
            *column = slots.iter().map(|&slot| column[slot as usize]).collect();
        }
        self.rows = (0..slots.len() as u32).collect();
        self.is_in_row_order = true;
    }

    /// Makes room for a number of agents, whose motions are then meaningless.
    pub(super) fn resize(&mut self, agents: usize) {
        self.rows.resize(agents, 0);
        self.pos.resize(agents, Vec2::ZERO);
        self.vel.resize(agents, Vec2::ZERO);
        self.headings.resize(agents, Vec2::ZERO);
    }

    /// Frees memory that is reserved for more agents.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.rows.shrink_to_fit();
        self.pos.shrink_to_fit();
        self.vel.shrink_to_fit();
        self.headings.shrink_to_fit();
    }
}

/// The columns of motions, mutable, by slot. They can be split.
pub(crate) struct MotionColumns<'m> {
    pub(crate) rows: &'m mut [u32],
    pub(crate) pos: &'m mut [Vec2],
    pub(crate) vel: &'m mut [Vec2],
    pub(crate) headings: &'m mut [Vec2],
}

impl MotionColumns<'_> {
    /// Returns the number of slots.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Splits off the first slots.
    pub(crate) fn split(self, slots: usize) -> (Self, Self) {
        let (rows, other_rows) = self.rows.split_at_mut(slots);
        let (pos, other_pos) = self.pos.split_at_mut(slots);
        let (vel, other_vel) = self.vel.split_at_mut(slots);
        let (headings, other_headings) = self.headings.split_at_mut(slots);
        (
            Self { rows, pos, vel, headings },
            Self { rows: other_rows, pos: other_pos, vel: other_vel, headings: other_headings },
        )
    }
}
