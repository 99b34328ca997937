//! Roaming without a target.

use super::algebra::*;
use super::{Param, RADIANS, primitive};
use crate::math;

primitive! {
    /// Steers at full speed in a direction that swings randomly and smoothly to both sides of the heading.
    ///
    /// force = turned(heading, spread * noise(rate * time)) * speed - vel, where noise is a smooth curve
    /// between -1 and 1 that passes through a new random value every 1 / rate seconds; each agent has its own
    /// curve
    ///
    /// All calls of an agent use the same curve, so in one tick, calls with the same rate get the same random
    /// number. The direction is a function of time and nothing is remembered, so it does not depend on the length of a tick, and a run can be continued from any tick.
    ///
    /// Source: Reynolds 1999, "Wander", with coherent noise, which he names as an alternative to a random walk.
    /// The default spread is that of his figure: a circle of radius 1 between two lines at 45 degrees from the
    /// agent. The usual random walk on a circle scales its step by the length of a tick, so that shorter ticks
    /// wander less.
    wander(
        me,
        spread: Number = Param::number("spread", RADIANS, "the maximum angle to either side of the heading").or(math::PI / 4.0),
        rate: Number = Param::number("rate", "1/s", "the number of new random directions per second").or(1.0),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and is_random and prefers_a_side {
        // Beyond a million random values, the fraction of the moment has too few bits left.
        let moment = (me.time() * rate).least(me.number(1e6));
        let turn = me.noise(moment) * spread.least(me.number(math::PI));
        me.steer(me.heading().rotated(turn), speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{self, Vec2};
    use crate::world::World;

    fn world(time: f32, dt: f32) -> World {
        let mut world = World::example(&[(Vec2::ZERO, Vec2::ZERO); 50]);
        world.dt = dt;
        world.tick = (time / dt).round() as u64;
        world
    }

    #[test]
    fn stays_within_its_spread_and_uses_it() {
        let mut widest = 0.0f32;
        for second in 0..200 {
            let world = world(second as f32 * 0.37, 0.01);
            for row in 0..50 {
                let force = wander(&world.me(row), 0.5, 1.0, 10.0);
                assert!((force.length() - 10.0).abs() < 1e-4);
                widest = widest.max(math::angle(force).abs());
            }
        }
        assert!((0.45..=0.500_001).contains(&widest), "{widest}");
    }

    #[test]
    fn swings_equally_to_both_sides() {
        let mut sum = 0.0;
        for second in 0..200 {
            let world = world(second as f32, 0.01);
            sum +=
                (0..50).map(|row| math::angle(wander(&world.me(row), 1.0, 1.0, 10.0))).sum::<f32>();
        }
        // 10,000 values, even in [-1, 1]: the mean has a standard deviation of 0.006.
        assert!((sum / 10_000.0).abs() < 0.03, "{}", sum / 10_000.0);
    }

    #[test]
    fn does_not_depend_on_the_length_of_a_tick() {
        for row in 0..50 {
            let (coarse, fine) = (world(12.5, 0.5), world(12.5, 0.125));
            assert_eq!(
                wander(&coarse.me(row), 1.0, 0.7, 10.0),
                wander(&fine.me(row), 1.0, 0.7, 10.0)
            );
        }
    }
}
