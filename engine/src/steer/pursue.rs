//! Catching a moving agent.

use super::{Param, primitive, seek};
use crate::math::{self, Vec2};
use crate::world::{Agent, Me};

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
        quarry: Agent<'_> = Param::agent("quarry", "whom to catch"),
        horizon: f32 = Param::number("horizon", "s", "the longest time to look ahead").or(f32::INFINITY),
        speed: f32 = Param::SPEED,
    ) wants Always {
        seek(me, expected(me, quarry, horizon, speed), speed)
    }
}

/// Where another agent will be by the time it could be met.
pub(super) fn expected(me: &Me<'_>, other: Agent<'_>, horizon: f32, speed: f32) -> Vec2 {
    let closing = speed + math::length(other.vel());
    let time = if closing > 0.0 {
        math::min(math::length(me.to(other.pos())) / closing, horizon)
    } else {
        0.0
    };
    other.pos() + other.vel() * time
}

#[cfg(test)]
mod tests {
    use super::*;
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
