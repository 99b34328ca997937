//! Catching a moving agent.

use super::algebra::*;
use super::{Param, primitive, seek};

primitive! {
    /// Steers to the point where a moving agent will be when this agent can reach it.
    ///
    /// T = min(|q - pos| / (speed + |vq|), horizon), force = seek(q + vq * T), where q is the position of the
    /// quarry and vq its velocity
    ///
    /// If both agents are at the same place, T is 0 and the force is -vel, like that of `seek` at its target.
    /// If neither agent can move, T is 0.
    ///
    /// Source: Reynolds 1999, "Pursuit"; the time as in Buckland and Yuka. The predicted path is never longer
    /// than the distance, so the prediction never overshoots the agent.
    pursue(
        me,
        quarry: Agent = Param::agent("quarry", "the agent to catch"),
        horizon: Number = Param::number("horizon", "s", "the maximum time to predict").or(f32::INFINITY),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity {
        seek(me, predicted_position(me, quarry, horizon, speed), speed)
    }
}

/// Returns the predicted position of another agent at the time at which the two could meet.
pub(super) fn predicted_position<A: Perception>(
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
        // T = 30 / (10 + 5) = 2: the agent is at (30, 10) then.
        assert!((force - Vec2::new(30.0, 10.0).normalize() * 10.0).length() < 1e-5, "{force}");
        let force = pursue(&world.me(0), world.agent(1), 0.0, 10.0);
        assert_eq!(force, Vec2::new(10.0, 0.0), "no prediction is seek");
    }
}
