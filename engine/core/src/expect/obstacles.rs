//! Finds bodies that overlap obstacles.

use super::bodies::{BodyRadii, collect_violations};
use super::rule::{Contact, Judgment, TickView, Violation, Worse, join};
use crate::geom::Shape;
use crate::math::{self, Vec2};

/// Finds the agents whose bodies overlap an obstacle by more than a tolerance. The value of the violation is the
/// depth of the overlap. Obstacles do not repeat across the edge of a world that wraps.
pub(super) fn find_overlaps(now: &TickView<'_>, bodies: &BodyRadii, tolerance: f32) -> Judgment {
    let obstacles: Vec<(&Shape, CoarseTest)> = now
        .world
        .obstacles
        .iter()
        .map(|obstacle| (&obstacle.shape, CoarseTest::new(&obstacle.shape)))
        .collect();
    if obstacles.is_empty() {
        return Judgment::default();
    }
    let agents = &now.world.agents;
    // Calls `visit` with the obstacles that a body overlaps by more than a tolerance, and the depths.
    let each = |row: usize, tolerance: f32, visit: &mut dyn FnMut(usize, f32)| {
        let Some(radius) = bodies.radius(agents, row) else {
            return;
        };
        let (pos, reach) = (agents.pos(row), radius - tolerance);
        for (index, (shape, coarse)) in obstacles.iter().enumerate() {
            if !coarse.may_touch(pos, reach) {
                continue;
            }
            let depth = radius - shape.surface(pos).distance;
            if depth > tolerance {
                visit(index, depth);
            }
        }
    };
    let violation = collect_violations(agents.len(), Worse::Higher, |row| {
        let mut found: Option<Violation> = None;
        each(row, tolerance, &mut |index, depth| {
            let one = Violation::new(row, Contact::Obstacle(index), depth);
            found = join(found, Some(one), Worse::Higher);
        });
        found
    });
    let margin = now.with_margins.then(|| {
        // The deepest overlap, or the smallest gap.
        let mut deepest = f32::NEG_INFINITY;
        for row in 0..agents.len() {
            each(row, deepest, &mut |_, depth| deepest = math::max(deepest, depth));
        }
        (deepest > f32::NEG_INFINITY).then_some(tolerance - deepest)
    });
    Judgment::of_searches(violation, margin.flatten())
}

/// A fast test with a box, which says where the exact distance to an obstacle must be computed.
enum CoarseTest {
    /// Near the box around the obstacle.
    Near(Vec2, Vec2),
    /// Everywhere except well inside the room.
    Outside(Vec2, Vec2),
}

impl CoarseTest {
    fn new(shape: &Shape) -> Self {
        let (low, high) = shape.bounds();
        // The rounding of a distance is far below this.
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
