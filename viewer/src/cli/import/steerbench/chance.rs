//! The random parts of a test case: places, directions and goals that depend only on the seed.

use flockwork_engine::geom::Shape;
use flockwork_engine::math::Vec2;
use flockwork_engine::math::random::Mix;

use crate::area::Point;

/// How often a place is drawn that does not overlap anything.
const MAX_TRIES: u64 = 1000;

/// Draws places, and remembers those that are taken.
pub(super) struct Chance {
    seed: Mix,
    /// The box of the world, from which goals are drawn.
    world: (Point, Point),
    taken: Vec<Shape>,
}

impl Chance {
    pub(super) fn new(seed: u64, world: (Point, Point)) -> Self {
        Self { seed: Mix::new(seed), world, taken: Vec::new() }
    }

    /// Takes a place, so that nothing is put there.
    pub(super) fn keep_free(&mut self, shape: Shape) {
        self.taken.push(shape);
    }

    /// Draws a place in a box for something with a radius, and returns whether that place is free.
    pub(super) fn free_point(
        &self,
        what: &str,
        index: u32,
        bounds: (Point, Point),
        radius: f64,
    ) -> (Point, bool) {
        let stream = self.seed.with_str(what).with(u64::from(index));
        let draw = |tries: u64| point_in(stream.with(tries), bounds);
        let is_free = |at: &Point| {
            let at = Vec2::new(at[0] as f32, at[1] as f32);
            self.taken.iter().all(|shape| shape.surface(at).distance >= radius as f32)
        };
        match (0..MAX_TRIES).map(draw).find(is_free) {
            Some(at) => (at, true),
            None => (draw(0), false),
        }
    }

    /// Draws a goal, which is not inside an obstacle.
    pub(super) fn goal(&self, what: &str, index: u32) -> Point {
        let bounds = self.world;
        self.free_point(&format!("goal of {what}"), index, bounds, 0.0).0
    }

    /// Draws a direction, as a unit vector.
    pub(super) fn direction(&self, what: &str, index: u32) -> Point {
        let drawn = self.seed.with_str("direction of").with_str(what).with(u64::from(index));
        let Vec2 { x, y } = drawn.direction();
        [f64::from(x), f64::from(y)]
    }
}

/// Draws a point, in centimeters.
fn point_in(stream: Mix, (min, max): (Point, Point)) -> Point {
    [0, 1].map(|axis| {
        let share = f64::from(stream.with(axis as u64).unit());
        let x = min[axis] + (max[axis] - min[axis]) * share;
        ((x * 100.0).round() / 100.0).clamp(min[axis], max[axis])
    })
}
