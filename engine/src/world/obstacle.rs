//! Obstacles: shapes that stand in the way.

use std::sync::Arc;

use crate::geom::Shape;

/// A shape that stands in the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Its name in the scenario.
    pub name: Arc<str>,
    /// Where it is.
    pub shape: Shape,
}

/// Which obstacle, by its place among the world's obstacles (in the order they are written).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObstacleId(pub u16);
