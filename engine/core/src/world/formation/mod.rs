//! Formations: where the agents of a group belong, relative to an anchor.
//!
//! Which agent belongs to which place is a pure function of the present positions, so nothing about it is kept between
//! ticks.

mod assignment;
mod kept;
mod shape;

pub(super) use kept::KeptFormations;
pub use shape::{Formation, FormationShape};

use super::{Me, World};
use crate::math::{self, Vec2};

/// Stands for the row of an anchor that is a point and no agent.
pub const NO_ANCHOR_ROW: f32 = -1.0;

/// The origin of a formation, whose x axis points along the heading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// Its position, in world units.
    pub pos: Vec2,
    /// The unit vector that it faces along; zero counts as the direction of the x axis.
    pub heading: Vec2,
    /// The row of the agent that it is, if it is one. An agent of the same group then has no place of its own.
    pub row: Option<u32>,
}

impl Anchor {
    /// Returns the position of a place that is given relative to the anchor: x ahead of it and y to its left.
    fn position(&self, offset: Vec2) -> Vec2 {
        let ahead = if self.heading == Vec2::ZERO { Vec2::X } else { self.heading };
        let at = self.pos + ahead * offset.x + math::perp(ahead) * offset.y;
        if at.is_finite() { at } else { self.pos }
    }
}

impl Me<'_> {
    /// Returns the position of this agent's place in the formation of its group, in world units. A group without a
    /// formation has all its places at the anchor. An agent that is its own anchor, or that has stopped after its last
    /// goal, has its place where it is.
    pub fn place_in_formation(&self, anchor: &Anchor) -> Vec2 {
        let Some(formation) = &self.group().formation else {
            return anchor.pos;
        };
        let row = self.row() as u32;
        if anchor.row == Some(row) {
            return self.pos();
        }
        let (members, place) = self.world().place_of(self.group_id(), formation, anchor, row);
        place.map_or_else(
            || self.pos(),
            |place| self.world().space.inside(anchor.position(formation.place(place, members))),
        )
    }
}

impl World {
    /// Returns the rows of the agents that have a place in the formation of a group: those that are not the anchor and
    /// have not stopped, in the order of rows.
    fn formation_members(&self, group: super::GroupId, anchor: &Anchor) -> Vec<u32> {
        let agents = &self.agents;
        let rows = (0..).zip(agents.group.iter().zip(&agents.stopped));
        let members = rows
            .filter(|&(row, (&of, &stopped))| of == group && !stopped && anchor.row != Some(row));
        members.map(|(row, _)| row).collect()
    }
}

#[cfg(test)]
mod tests;
