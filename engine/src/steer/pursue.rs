//! Catching a moving agent.

use super::algebra::*;
use super::{Param, primitive, seek};

primitive! {
    /// Steers to where a moving agent will be by the time it could be met.
    ///
    /// T = min(|q - pos| / (speed + |vq|), horizon), force = seek(q + vq * T), for an agent at q with
    /// velocity vq
    ///
    /// At the same place the force is that of `seek` to one's own place, -vel. If neither can move, T
    /// is 0.
    ///
    /// Source: Reynolds 1999, "Pursuit"; the time as in Buckland and Yuka. The predicted way is never
    /// longer than the distance, so nobody steers to a point that was overshot by the prediction.
    pursue(
        me,
        quarry: Agent = Param::agent("quarry", "whom to catch"),
        horizon: Number = Param::number("horizon", "s", "the longest time to look ahead").or(f32::INFINITY),
        speed: Number = Param::SPEED,
    ) wants Always {
        seek(me, expected(me, quarry, horizon, speed), speed)
    }
}

/// Where another agent will be by the time it could be met.
pub(super) fn expected<A: Perception>(
    me: &A,
    other: A::Agent,
    horizon: A::Number,
    speed: A::Number,
) -> A::Vector {
    let (pos, vel) = (me.pos_of(other), me.vel_of(other));
    let closing = speed + vel.norm();
    let time = (me.to(pos).norm() / closing).least(horizon);
    let none = me.number(0.0);
    pos + vel * choose(closing.gt(none), time, none)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    #[test]
    fn aims_ahead_of_a_moving_agent() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::ZERO),
            (Vec2::new(30.0, 0.0), Vec2::new(0.0, 5.0)),
        ]);
        let force = pursue(&world.me(0), world.agent(1), f32::INFINITY, 10.0);
        // T = 30 / (10 + 5) = 2: at (30, 10) then.
        assert!((force - Vec2::new(30.0, 10.0).normalize() * 10.0).length() < 1e-5, "{force}");
        let force = pursue(&world.me(0), world.agent(1), 0.0, 10.0);
        assert_eq!(force, Vec2::new(10.0, 0.0), "no prediction is seek");
    }
}
