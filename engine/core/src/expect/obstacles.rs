//! Finds bodies that overlap obstacles.

use std::ops::Range;

use super::bodies::{BodyRadii, CHUNK, collect_violations};
use super::rule::{Contact, Judgment, TickView, Violation, Worse, join};
use crate::geom::CoarseTest;
use crate::math::{self, Vec2};
use crate::threads;

/// Finds the agents whose bodies overlap an obstacle by more than a tolerance. The value of the violation is the
/// depth of the overlap. Obstacles do not repeat across the edge of a world that wraps. `tests` is memory to reuse.
pub(super) fn find_overlaps(
    now: &TickView<'_>,
    bodies: &BodyRadii,
    tolerance: f32,
    tests: &mut Vec<CoarseTest>,
) -> Judgment {
    if now.world.obstacles.is_empty() {
        return Judgment::default();
    }
    tests.clear();
    tests.extend(now.world.obstacles.iter().map(|obstacle| CoarseTest::new(&obstacle.shape)));
    let search = Search { now, bodies, tests };
    let least = if now.with_margins { f32::NEG_INFINITY } else { tolerance };
    let deepest = search.deepest_beyond(least);
    let violation = if deepest > tolerance { search.violations(tolerance) } else { None };
    let margin = now.with_margins && deepest > f32::NEG_INFINITY;
    Judgment { violation, margin: margin.then_some(tolerance - deepest) }
}

/// A search for bodies that overlap obstacles, or are near them.
struct Search<'a, 'm> {
    now: &'a TickView<'m>,
    bodies: &'a BodyRadii,
    /// A test for each obstacle.
    tests: &'a [CoarseTest],
}

impl Search<'_, '_> {
    /// Returns the depth of the deepest overlap of a body and an obstacle, or `least` if none is deeper. Below 0, it is the
    /// smallest gap.
    fn deepest_beyond(&self, least: f32) -> f32 {
        let agents = &self.now.world.agents;
        let in_part = |part: Range<usize>| {
            let mut deepest = least;
            for row in part {
                let Some(radius) = self.bodies.radius(agents, row) else { continue };
                for index in 0..self.tests.len() {
                    let depth = self.depth_beyond(deepest, radius, agents.pos(row), index);
                    deepest = depth.unwrap_or(deepest);
                }
            }
            deepest
        };
        threads::reduce_parts(agents.len(), CHUNK, in_part, math::max).unwrap_or(least)
    }

    /// Returns the overlaps that are deeper than a tolerance.
    #[cold]
    fn violations(&self, tolerance: f32) -> Option<Violation> {
        let agents = &self.now.world.agents;
        collect_violations(agents.len(), Worse::Higher, |row| {
            let radius = self.bodies.radius(agents, row)?;
            let violation = |index| {
                let depth = self.depth_beyond(tolerance, radius, agents.pos(row), index)?;
                Some(Violation::new(row, Contact::Obstacle(index), depth))
            };
            let found = (0..self.tests.len()).map(violation);
            found.fold(None, |some, other| join(some, other, Worse::Higher))
        })
    }

    /// Returns how deep a body is in an obstacle, if that is more than `least`.
    #[inline(always)]
    fn depth_beyond(&self, least: f32, radius: f32, pos: Vec2, index: usize) -> Option<f32> {
        if !self.tests[index].may_touch(pos, radius - least) {
            return None;
        }
        let depth = radius - self.now.world.obstacles[index].shape.surface(pos).distance;
        (depth > least).then_some(depth)
    }
}
