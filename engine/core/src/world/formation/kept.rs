//! Keeps the assignments of a tick, so that each is computed once for a whole group.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use super::assignment::{MAX_ASSIGNED, assign};
use super::{Anchor, Formation};
use crate::math::Vec2;
use crate::world::{GroupId, World};

/// The key of an assignment, beside the agents: the group, and the row, position and heading of the anchor, as bits.
type Key = (GroupId, Option<u32>, [u32; 4]);

/// The agents of a formation, in the order of rows, and the place of each.
#[derive(Debug)]
struct Assigned {
    rows: Vec<u32>,
    /// Empty if the n-th agent has the n-th place.
    places: Vec<u32>,
}

/// The number of assignments that are kept. If each agent had an anchor of its own, the memory would grow with the square of
/// the number of agents.
const MAX_KEPT: usize = 64;

/// The assignments that agents have asked for while they decide. They are valid until an agent moves.
#[derive(Debug, Default)]
pub(in crate::world) struct KeptFormations {
    /// Whether agents are deciding. At any other time nothing is kept, since anything may change.
    is_open: bool,
    kept: RwLock<HashMap<Key, Arc<OnceLock<Assigned>>>>,
}

/// A copy of a world computes its own assignments.
impl Clone for KeptFormations {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl KeptFormations {
    /// Drops all assignments. Those that are asked for from now on are kept.
    pub(in crate::world) fn open(&mut self) {
        self.is_open = true;
        self.forget();
    }

    /// Drops all assignments and keeps none.
    pub(in crate::world) fn close(&mut self) {
        self.forget();
        self.is_open = false;
    }

    /// Returns whether assignments are kept.
    pub(in crate::world) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Drops all assignments, because an agent has moved.
    pub(in crate::world) fn forget(&mut self) {
        if !self.is_open {
            return;
        }
        self.kept.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns where the assignment of a key is kept; `None` if it is not.
    fn entry(&self, key: &Key) -> Option<Arc<OnceLock<Assigned>>> {
        if !self.is_open {
            return None;
        }
        if let Some(there) = self.kept.read().unwrap_or_else(PoisonError::into_inner).get(key) {
            return Some(Arc::clone(there));
        }
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT && !kept.contains_key(key) {
            return None;
        }
        Some(Arc::clone(kept.entry(*key).or_default()))
    }
}

impl Assigned {
    fn new(world: &World, group: GroupId, formation: &Formation, anchor: &Anchor) -> Self {
        let rows = world.formation_members(group, anchor);
        let count = rows.len();
        if count > MAX_ASSIGNED {
            return Self { rows, places: Vec::new() };
        }
        let places: Vec<Vec2> = (0..count)
            .map(|place| world.space.inside(anchor.position(formation.place(place, count))))
            .collect();
        let mut distances = Vec::with_capacity(count * count);
        for &row in &rows {
            let pos = world.agents.pos(row as usize);
            distances.extend(places.iter().map(|&place| {
                let offset = world.space.offset(pos, place);
                let (x, y) = (f64::from(offset.x), f64::from(offset.y));
                (x * x + y * y).sqrt()
            }));
        }
        let places = assign(&distances, count);
        Self { rows, places }
    }

    /// Returns the number of agents, and the place of the agent of a row.
    fn place(&self, row: u32) -> (usize, Option<usize>) {
        let index = self.rows.binary_search(&row).ok();
        let place = |index: usize| self.places.get(index).map_or(index, |&place| place as usize);
        (self.rows.len(), index.map(place))
    }
}

impl World {
    /// Returns the number of agents in the formation of a group, and the place of the agent of a row, if it has one.
    pub(super) fn place_of(
        &self,
        group: GroupId,
        formation: &Formation,
        anchor: &Anchor,
        row: u32,
    ) -> (usize, Option<usize>) {
        let Anchor { pos, heading, row: anchor_row } = anchor;
        let key = (group, *anchor_row, [pos.x, pos.y, heading.x, heading.y].map(f32::to_bits));
        let assigned = || Assigned::new(self, group, formation, anchor);
        match self.formations.entry(&key) {
            Some(kept) => kept.get_or_init(assigned).place(row),
            None => assigned().place(row),
        }
    }
}
