//! Which neighbors obstacles hide from an agent.

use crate::geom::{Shape, Surface};
use crate::math::Vec2;
use crate::world::World;

/// The obstacles around an agent that may hide others.
#[derive(Debug, Default)]
pub(super) struct Sight {
    from: Vec2,
    walls: Vec<Wall>,
}

/// An obstacle, seen from the agent.
#[derive(Clone, Copy, Debug)]
struct Wall {
    index: usize,
    /// The unit vector from its nearest point to the agent.
    normal: Vec2,
    /// The distance from the agent, in world units.
    distance: f32,
}

impl Sight {
    /// Forgets all obstacles, and looks from another point.
    pub(super) fn clear(&mut self, from: Vec2) {
        self.from = from;
        self.walls.clear();
    }

    /// Adds an obstacle with its nearest point. An obstacle around the agent hides nobody.
    pub(super) fn add(&mut self, index: usize, nearest: &Surface) {
        if nearest.distance > 0.0 {
            let &Surface { normal, distance, .. } = nearest;
            self.walls.push(Wall { index, normal, distance });
        }
    }

    /// Returns whether no obstacle can hide anybody.
    pub(super) fn is_open(&self) -> bool {
        self.walls.is_empty()
    }

    /// Returns whether an obstacle is on the line to another agent, `offset` and `distance` away.
    #[inline(always)]
    pub(super) fn is_hidden(&self, world: &World, offset: Vec2, distance: f32) -> bool {
        !self.walls.is_empty() && self.is_behind_wall(world, offset, distance)
    }

    fn is_behind_wall(&self, world: &World, offset: Vec2, distance: f32) -> bool {
        self.walls.iter().any(|wall| {
            if distance < wall.distance {
                return false;
            }
            let shape = &world.obstacles[wall.index].shape;
            // A convex obstacle is beyond the line across its nearest point.
            let is_convex = !matches!(shape, Shape::Polygon(_) | Shape::Room { .. });
            let is_before = -wall.normal.dot(offset) < wall.distance;
            !(is_convex && is_before) && shape.cast(self.from, offset, distance, 0.0).is_some()
        })
    }
}
