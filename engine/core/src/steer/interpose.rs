//! Getting between two agents.

use super::algebra::*;
use super::{Param, arrive, primitive};

primitive! {
    /// Steers to a point between two moving agents, and stops there.
    ///
    /// between(x, y) = x + (y - x) * ratio, T = min(|between(a, b) - pos| / speed, horizon), force =
    /// arrive(between(a + va * T, b + vb * T), slowing), where a and b are the positions of the two agents and va and
    /// vb their velocities
    ///
    /// The ratio 0 is at the first agent, 1 at the second; more counts as 1. If speed is 0, T is 0. In a world that
    /// wraps, each of the two counts where it is nearest to this agent. At the point itself the force is -vel.
    ///
    /// Source: Buckland 2005, "Interpose"; the ratio as in gdx-ai.
    interpose(
        me,
        a: Agent = Param::agent("a", "one agent"),
        b: Agent = Param::agent("b", "the other agent"),
        slowing: Number = Param::number("slowing", "world units", "the distance from that point at which slowing down begins"),
        ratio: Number = Param::number("ratio", "", "where to stand: 0 at the first agent, 1 at the second").or(0.5),
        horizon: Number = Param::number("horizon", "s", "the maximum time to predict").or(f32::INFINITY),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity {
        let (none, ratio) = (me.number(0.0), ratio.least(me.number(1.0)));
        let between = |a: A::Vector, b: A::Vector| a + (b - a) * ratio;
        let now = between(me.to(me.pos_of(a)), me.to(me.pos_of(b)));
        let time = choose(speed.gt(none), now.norm() / speed, none);
        let time = time.least(horizon).least(me.number(MAX_HORIZON_S));
        let then = now + between(me.vel_of(a), me.vel_of(b)) * time;
        arrive(me, me.pos() + then, slowing, speed)
    }
}

/// The maximum time to predict: more makes no difference in any world, and results stay finite.
const MAX_HORIZON_S: f32 = 1e9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    fn force(a: (Vec2, Vec2), b: (Vec2, Vec2), ratio: f32, horizon: f32) -> Vec2 {
        let world = World::example(&[(Vec2::ZERO, Vec2::ZERO), a, b]);
        interpose(&world.me(0), world.agent(1), world.agent(2), 3.0, ratio, horizon, 1.0)
    }

    fn at(x: f32, y: f32) -> Vec2 {
        Vec2::new(x, y)
    }

    /// The numbers are those of Yuka's test of its `InterposeBehavior`.
    #[test]
    fn goes_to_where_the_middle_will_be() {
        let vel = Vec2::ONE;
        let force = force((at(-1.0, 10.0), vel), (at(1.0, 10.0), vel), 0.5, f32::INFINITY);
        assert!((force - at(0.447_213_6, 0.894_427_2)).length() < 1e-6, "{force}");
    }

    #[test]
    fn the_ratio_chooses_the_place() {
        let (a, b) = ((at(0.0, 8.0), Vec2::X), (at(8.0, 0.0), Vec2::X));
        assert_eq!(force(a, b, 0.0, 0.0), Vec2::Y);
        assert_eq!(force(a, b, 1.0, 0.0), Vec2::X);
        assert_eq!(force(a, b, 7.0, 0.0), Vec2::X, "more than 1 is 1");
        let quarter = force(a, b, 0.25, 0.0);
        assert!((quarter - at(2.0, 6.0).normalize()).length() < 1e-6, "{quarter}");
    }

    #[test]
    fn stands_still_in_the_middle() {
        let (a, b) = ((at(-4.0, 2.0), Vec2::ZERO), (at(4.0, -2.0), Vec2::ZERO));
        assert_eq!(force(a, b, 0.5, f32::INFINITY), Vec2::ZERO);
    }
}
