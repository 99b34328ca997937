//! Escaping in a zigzag.

use super::algebra::*;
use super::pursue::predicted_position;
use super::{Param, RADIANS, primitive};
use crate::math::{self, Unary};

primitive! {
    /// Steers away from a threat in a zigzag that the threat cannot foresee.
    ///
    /// force = turned(away, side * width * spread) * speed - vel if |q - pos| <= radius, else zero, where q is the
    /// position of the threat, away = unit(pos - (q + vq * T)) with T as in `evade`, side changes between 1 and -1
    /// every 1 / rate seconds, and width is a new random number between 1/2 and 1 each time
    ///
    /// Each agent changes sides at its own moments and has its own widths, which depend on the seed, the agent and
    /// the time: nothing is remembered. At the predicted point itself, away is the heading.
    ///
    /// Source: after Reynolds 1999, "Evasion", who names deliberately unpredictable ways of escape; the zigzag is
    /// that of the term in flying.
    jink(
        me,
        threat: Agent = Param::agent("threat", "the agent to get away from"),
        radius: Number = Param::number("radius", "world units", "the distance within which the threat matters").or(f32::INFINITY),
        spread: Number = Param::number("spread", RADIANS, "the maximum angle to either side").or(math::PI / 4.0),
        rate: Number = Param::number("rate", "1/s", "the number of changes of the side per second").or(1.0),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocityOrZero and is_random and prefers_a_side {
        let is_near = me.to(me.pos_of(threat)).norm().le(radius);
        me.where_true(is_near, || {
            let (half, two) = (me.number(0.5), me.number(2.0));
            let far = me.number(f32::INFINITY);
            let toward = me.to(predicted_position(me, threat, far, speed, me.number(1.0))).unit();
            let away = choose(toward.same(me.zero()), me.heading(), -toward);
            let moment = (me.time() * rate).least(me.number(1e6)) + me.noise(me.number(FIRST_NOISE));
            let leg = moment.unary(Unary::Floor);
            let is_even = ((leg * half).unary(Unary::Floor) * two).eq(leg);
            let width = half + half * me.noise(leg + me.number(FIRST_NOISE + 2.0)).unary(Unary::Abs);
            let angle = width * spread.least(me.number(math::PI));
            me.steer(away.rotated(choose(is_even, angle, -angle)), speed)
        })
    }
}

/// The numbers on the agent's noise curve that are used here. They are beyond those that `wander` uses, and all
/// integers there are exact.
const FIRST_NOISE: f32 = 8_388_608.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    /// Returns the angle between the desired velocity and the way straight away.
    fn angle(row: usize, time: f32, dt: f32) -> f32 {
        let mut agents = [(Vec2::new(50.0, 0.0), Vec2::ZERO); 20];
        agents[19] = (Vec2::ZERO, Vec2::ZERO);
        let mut world = World::example(&agents);
        world.dt = dt;
        world.tick = (time / dt).round() as u64;
        let force = jink(&world.me(row), world.agent(19), f32::INFINITY, 1.0, 2.0, 10.0);
        assert!((force.length() - 10.0).abs() < 1e-4, "{force}");
        math::angle(force)
    }

    #[test]
    fn changes_sides_twice_per_second_within_the_spread() {
        for row in 0..10 {
            let angles: Vec<f32> =
                (0..800).map(|tick| angle(row, tick as f32 * 0.025, 0.025)).collect();
            let changes = angles.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
            assert!((38..=41).contains(&changes), "{changes} changes in 20 seconds");
            assert!(angles.iter().all(|angle| (0.499..=1.001).contains(&angle.abs())));
            let least = angles.iter().fold(2.0f32, |least, angle| least.min(angle.abs()));
            let most = angles.iter().fold(0.0f32, |most, angle| most.max(angle.abs()));
            assert!(least < 0.6 && most > 0.9, "widths from {least} to {most}");
        }
    }

    #[test]
    fn agents_change_sides_at_their_own_moments() {
        let sides: Vec<bool> = (0..19).map(|row| angle(row, 3.0, 0.025) > 0.0).collect();
        assert!(sides.contains(&true) && sides.contains(&false), "{sides:?}");
    }

    #[test]
    fn does_not_depend_on_the_length_of_a_tick() {
        assert_eq!(angle(3, 12.5, 0.5), angle(3, 12.5, 0.125));
    }

    #[test]
    fn a_threat_out_of_the_radius_does_not_matter() {
        let world = World::example(&[(Vec2::new(50.0, 0.0), Vec2::X), (Vec2::ZERO, Vec2::ZERO)]);
        assert_eq!(jink(&world.me(0), world.agent(1), 49.0, 1.0, 1.0, 10.0), Vec2::ZERO);
        assert_ne!(jink(&world.me(0), world.agent(1), 50.0, 1.0, 1.0, 10.0), Vec2::ZERO);
    }
}
