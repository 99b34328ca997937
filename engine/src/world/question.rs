//! Questions that primitives ask about the world, beyond reading agents and paths.
//!
//! A question is answered by one plain function, which the interpreter and lowered programs share. So a new one is a
//! variant here and its function.

use super::Me;
use crate::math::{self, Vec2};

/// A question about the world. Numbers travel as coordinates of the vectors; see each function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// See [`Me::nearest_surface`].
    NearestSurface,
}

/// The vectors that a question is about. What a question does not use is zero.
pub type Asked = [Vec2; 3];

impl Question {
    /// Returns the answer: a vector and a number, both finite.
    #[inline(always)]
    pub(crate) fn of(self, me: &Me<'_>, _asked: Asked) -> (Vec2, f32) {
        match self {
            Self::NearestSurface => me.nearest_surface(),
        }
    }
}

impl Me<'_> {
    /// Returns the unit vector out of the obstacle at the nearest point of the surface of any obstacle, and the distance
    /// to that point, in world units: negative inside of the obstacle. Zero and the largest number if there are no
    /// obstacles.
    pub fn nearest_surface(&self) -> (Vec2, f32) {
        let mut nearest = (Vec2::ZERO, f32::MAX);
        for obstacle in &self.world().obstacles {
            let surface = obstacle.shape.surface(self.pos());
            if surface.distance < nearest.1 {
                nearest = (surface.normal, math::max(surface.distance, f32::MIN));
            }
        }
        nearest
    }
}
