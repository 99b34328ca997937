//! A fast test whether a disc may touch a shape.

use super::Shape;
use crate::math::{self, Vec2};

/// A fast test with a box, which says where the exact distance to an obstacle must be computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CoarseTest {
    /// Near the box around the obstacle.
    Near(Vec2, Vec2),
    /// Everywhere except well inside the room.
    Outside(Vec2, Vec2),
}

impl CoarseTest {
    pub(crate) fn new(shape: &Shape) -> Self {
        let (low, high) = shape.bounds();
        // The rounding of a distance is far below this.
        let slack = Vec2::splat(1e-5) * low.abs().max(high.abs()).max_element();
        match shape {
            Shape::Room { .. } => Self::Outside(low + slack, high - slack),
            _ => Self::Near(low - slack, high + slack),
        }
    }

    /// Returns whether a disc may touch the shape or overlap it. The radius may be negative.
    #[inline]
    pub(crate) fn may_touch(&self, pos: Vec2, reach: f32) -> bool {
        let reach = math::max(reach, 0.0) * 1.000_01;
        let inside = |low: Vec2, high: Vec2| {
            (pos.x >= low.x) & (pos.x <= high.x) & (pos.y >= low.y) & (pos.y <= high.y)
        };
        match *self {
            Self::Near(low, high) => inside(low - reach, high + reach),
            Self::Outside(low, high) => !inside(low + reach, high - reach),
        }
    }
}
