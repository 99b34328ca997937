//! The order in which agents decide.
//!
//! Agents that are near each other decide together, so that what they read is near in memory; agents of one group decide
//! together, since they run the same program. The order makes no difference to the result.

use crate::world::World;

/// The order in which the agents of a world decide: group by group, in the order of slots.
#[derive(Clone, Debug, Default)]
pub(super) struct DecisionOrder {
    /// The slot of each turn in the order, and its row. Empty if the order is that of slots, as in a world with one group.
    slots: Vec<u32>,
    rows: Vec<u32>,
    /// The turn of each slot: its index in the order.
    turns: Vec<u32>,
}

impl DecisionOrder {
    /// Finds the order for the present slots.
    pub(super) fn find(&mut self, world: &World) {
        let motions = &world.agents.motions;
        self.slots.clear();
        self.rows.clear();
        self.turns.clear();
        // In the order of rows, the agents of a group mostly follow each other anyway.
        if world.groups.len() <= 1 || motions.is_in_row_order() {
            return;
        }
        let group = |row: u32| usize::from(world.agents.group[row as usize].0);
        let mut next = vec![0u32; world.groups.len()];
        for &row in motions.rows() {
            next[group(row)] += 1;
        }
        let mut sum = 0;
        for next in &mut next {
            sum += std::mem::replace(next, sum);
        }
        self.slots.resize(motions.len(), 0);
        self.rows.resize(motions.len(), 0);
        self.turns.reserve(motions.len());
        for (slot, &row) in (0..).zip(motions.rows()) {
            let next = &mut next[group(row)];
            self.slots[*next as usize] = slot;
            self.rows[*next as usize] = row;
            self.turns.push(*next);
            *next += 1;
        }
    }

    /// Returns the slots in this order; `None` if the order is that of slots.
    pub(super) fn slots(&self) -> Option<&[u32]> {
        (!self.slots.is_empty()).then_some(&self.slots)
    }

    /// Returns the rows in this order.
    pub(super) fn rows<'o>(&'o self, world: &'o World) -> &'o [u32] {
        if self.slots.is_empty() { world.agents.motions.rows() } else { &self.rows }
    }

    /// Returns the turn of each slot: its index in this order; `None` if the order is that of slots.
    pub(super) fn turns(&self) -> Option<&[u32]> {
        (!self.turns.is_empty()).then_some(&self.turns)
    }
}
