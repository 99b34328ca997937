//! Which bodies reach into obstacles.

use super::bodies::{Bodies, all};
use super::rule::{Moment, Violation, With, Worse, join};
use crate::geom::Shape;
use crate::math::{self, Vec2};

/// Agents whose bodies reach into an obstacle by more than a tolerance; the value is by how much.
/// Obstacles are where they are written, not across the edge too.
pub(super) fn entered(now: &Moment<'_>, bodies: &Bodies, tolerance: f32) -> Option<Violation> {
    let obstacles: Vec<_> = now
        .world
        .obstacles
        .iter()
        .map(|obstacle| (&obstacle.shape, Doubt::of(&obstacle.shape)))
        .collect();
    if obstacles.is_empty() {
        return None;
    }
    let agents = &now.world.agents;
    all(agents.len(), Worse::Higher, |row| {
        let radius = bodies.radius(agents, row)?;
        let (pos, reach) = (agents.pos[row], radius - tolerance);
        let mut found: Option<Violation> = None;
        for (place, (shape, doubt)) in obstacles.iter().enumerate() {
            if !doubt.includes(pos, reach) {
                continue;
            }
            let depth = radius - shape.surface(pos).distance;
            if depth > tolerance {
                let one = Violation::of(row, With::Obstacle(place), depth);
                found = join(found, Some(one), Worse::Higher);
            }
        }
        found
    })
}

/// Where it has to be asked how far the surface is: all but what is clear from a box.
enum Doubt {
    /// Near a box.
    Near(Vec2, Vec2),
    /// Not well inside a box.
    Outside(Vec2, Vec2),
}

impl Doubt {
    fn of(shape: &Shape) -> Self {
        let (low, high) = shape.bounds();
        // Rounding of a distance is far below this.
        let slack = Vec2::splat(1e-5) * low.abs().max(high.abs()).max_element();
        match shape {
            Shape::Room { .. } => Self::Outside(low + slack, high - slack),
            _ => Self::Near(low - slack, high + slack),
        }
    }

    fn includes(&self, pos: Vec2, reach: f32) -> bool {
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
