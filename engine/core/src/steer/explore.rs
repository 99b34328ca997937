//! Covering the whole world.

use super::algebra::*;
use super::{Cause, Param, arrive, primitive};
use crate::math::{Binary, Unary};

primitive! {
    /// Sweeps the world's rectangle in lanes, so that every point of it comes within sight.
    ///
    /// force = arrive(p, sight), where the point p moves at 4/5 of speed back and forth in straight lanes that are
    /// at most 3/2 * sight apart and half of sight away from the edges; after the last lane it returns lane by lane
    ///
    /// p is a function of time and nothing is remembered. Each agent begins at a random place of the tour, which
    /// depends on the seed and the agent, so several agents share the work. The agent follows p at a distance and
    /// cuts corners by less than sight / 2. What obstacles keep it from reaching stays unseen until the next sweep.
    /// The lanes are along the longer side. There are at least 2 and at most 1000 of them; sight larger than the
    /// world counts as its shorter side.
    ///
    /// Source: Reynolds 1999 names "explore: to exhaustively cover a region of space"; the lanes are ours.
    explore(
        me,
        sight: Number = Param::number("sight", "world units", "the distance within which the agent sees"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and is_random and knows_place and knows_direction and prefers_a_side {
        let tour = Tour::new(me, sight);
        let point = tour.at(me, me.time() * (speed * me.number(0.8)));
        arrive(me, point, sight, speed)
    } reacts_to {
        let tour = Tour::new(me, sight);
        Cause::point(me, tour.at(me, me.world().time() * (speed * 0.8)))
    }
}

/// The way of the point that an agent follows.
struct Tour<A: Algebra> {
    /// The lower corner of the rectangle that it fills.
    min: A::Vector,
    is_wide: A::Boolean,
    /// The length of a lane, and the width of all lanes together.
    lane: A::Number,
    width: A::Number,
    /// The number of steps from one lane to the next, from the first lane to the last.
    steps: A::Number,
}

impl<A: Perception> Tour<A> {
    fn new(me: &A, sight: A::Number) -> Self {
        let (min, size) = me.space();
        let (x, y) = size.parts();
        let is_wide = x.ge(y);
        let (long, short) = (choose(is_wide, x, y), choose(is_wide, y, x));
        let sight = sight.least(short);
        let apart = sight * me.number(1.5);
        let steps = ((short - sight) / apart).unary(Unary::Ceiling).least(me.number(999.0));
        let inset = sight * me.number(0.5);
        Self {
            min: min + Vector::new(inset, inset),
            is_wide,
            lane: long - sight,
            width: short - sight,
            steps: steps.binary(Binary::Max, me.number(1.0)),
        }
    }

    /// Returns the point after a distance from the agent's own start.
    fn at(&self, me: &A, distance: A::Number) -> A::Vector {
        let (none, half, one) = (me.number(0.0), me.number(0.5), me.number(1.0));
        let step = self.width / self.steps;
        let turn = self.lane + step;
        let passed = choose(turn.gt(none), (distance / turn).least(me.number(1e6)), none);
        let turns = passed + (me.noise(me.number(START_NOISE)) + one) * self.steps;
        let whole = turns.unary(Unary::Floor);
        let within = (turns - whole) * turn;
        let along = choose(within.lt(self.lane), within, self.lane);
        let is_back = (whole * half).unary(Unary::Floor).lt(whole * half);
        let along = choose(is_back, self.lane - along, along);
        let aside = choose(within.gt(self.lane), (within - self.lane) / step, none);
        // From 0 to 1 and back, once in twice the number of steps.
        let share = (whole + aside.least(one)) / self.steps;
        let share = (share - (share * half).unary(Unary::Round) * me.number(2.0)).unary(Unary::Abs);
        let aside = share * self.width;
        let (x, y) = (choose(self.is_wide, along, aside), choose(self.is_wide, aside, along));
        self.min + Vector::new(x, y)
    }
}

/// The number on the agent's noise curve that is used here. It is beyond those that `wander` uses.
const START_NOISE: f32 = 2_097_152.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{self, Vec2};
    use crate::world::World;

    fn points(sight: f32, size: Vec2, seconds: u64) -> Vec<Vec2> {
        let mut world = World::example(&[(Vec2::splat(50.0), Vec2::ZERO)]);
        world.space.size = size;
        let point = |tick: u64| {
            world.tick = tick;
            let me = &world.me(0);
            Tour::new(me, sight).at(me, me.time() * 8.0)
        };
        (0..seconds * 10).map(point).collect()
    }

    #[test]
    fn every_point_of_the_world_comes_within_sight() {
        for (sight, size) in [
            (10.0, Vec2::new(100.0, 60.0)),
            (7.0, Vec2::new(50.0, 90.0)),
            (200.0, Vec2::splat(90.0)),
        ] {
            // The whole tour has at most 13 lanes of 90 each, there and back.
            let tour = points(sight, size, 2 * 13 * 100 / 8);
            for i in 0..=20 {
                for j in 0..=20 {
                    let at = size * Vec2::new(i as f32, j as f32) / 20.0;
                    let nearest =
                        tour.iter().map(|&p| math::length(p - at)).fold(f32::MAX, f32::min);
                    assert!(nearest <= sight, "{at} is never nearer than {nearest}, sight {sight}");
                }
            }
        }
    }

    #[test]
    fn the_point_moves_steadily() {
        let tour = points(10.0, Vec2::new(100.0, 60.0), 200);
        let steps: Vec<f32> = tour.windows(2).map(|pair| math::length(pair[1] - pair[0])).collect();
        assert!(steps.iter().all(|&step| step < 0.801), "never faster");
        // A lane has 90 units, a step to the next one 12.5.
        let turns = steps.iter().filter(|&&step| step < 0.799).count();
        assert!((20..=32).contains(&turns), "slower only around corners: {turns}");
    }
}
