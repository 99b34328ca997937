//! Which bodies reach into obstacles.

use super::bodies::{Bodies, collect_violations};
use super::rule::{Contact, TickView, Violation, Worse, join};
use crate::geom::Shape;
use crate::math::{self, Vec2};

/// Agents whose bodies reach into an obstacle by more than a tolerance; the value is by how much.
/// Obstacles are where they are written, not across the edge too.
pub(super) fn find_overlaps(
    now: &TickView<'_>,
    bodies: &Bodies,
    tolerance: f32,
) -> Option<Violation> {
    let obstacles: Vec<_> = now
        .world
        .obstacles
        .iter()
        .map(|obstacle| (&obstacle.shape, CoarseTest::of(&obstacle.shape)))
        .collect();
    if obstacles.is_empty() {
        return None;
    }
    let agents = &now.world.agents;
    collect_violations(agents.len(), Worse::Higher, |row| {
        let radius = bodies.radius(agents, row)?;
        let (pos, reach) = (agents.pos[row], radius - tolerance);
        let mut found: Option<Violation> = None;
        for (place, (shape, coarse)) in obstacles.iter().enumerate() {
            if !coarse.may_touch(pos, reach) {
                continue;
            }
            let depth = radius - shape.surface(pos).distance;
            if depth > tolerance {
                let one = Violation::of(row, Contact::Obstacle(place), depth);
                found = join(found, Some(one), Worse::Higher);
            }
        }
        found
    })
}

/// Where it has to be asked how far the surface is: all but what is clear from a box.
enum CoarseTest {
    /// Near a box.
    Near(Vec2, Vec2),
    /// Not well inside a box.
    Outside(Vec2, Vec2),
}

impl CoarseTest {
    fn of(shape: &Shape) -> Self {
        let (low, high) = shape.bounds();
        // Rounding of a distance is far below this.
        let slack = Vec2::splat(1e-5) * low.abs().max(high.abs()).max_element();
        match shape {
            Shape::Room { .. } => Self::Outside(low + slack, high - slack),
            _ => Self::Near(low - slack, high + slack),
        }
    }

    fn may_touch(&self, pos: Vec2, reach: f32) -> bool {
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
