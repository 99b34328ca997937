//! Obstacles: named shapes that agents should avoid.

use std::sync::Arc;

use crate::geom::Shape;

/// A shape that agents should avoid.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Its name in the scenario.
    pub name: Arc<str>,
    /// Its shape, with its position.
    pub shape: Shape,
}

/// An obstacle, as an index into the world's obstacles, which are in the order of the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObstacleId(pub u16);
