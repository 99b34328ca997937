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
