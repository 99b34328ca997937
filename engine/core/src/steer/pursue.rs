//! Catching a moving agent.

use super::algebra::*;
use super::{Param, primitive, seek};

primitive! {
    /// Steers to the point where a moving agent will be when this agent can reach it.
    ///
    /// T = min(|q - pos| / (speed + closing * |vq|), horizon), force = seek(q + vq * T), where q is the position of
    /// the quarry and vq its velocity
    ///
    /// closing chooses the time: with 1, both are assumed to close the distance; with 0, it is the distance over the own
    /// speed, a longer time.
    ///
    /// If both agents are at the same place, T is 0 and the force is -vel, like that of `seek` at its target.
    /// If neither agent can move, T is 0.
    ///
    /// Source: Reynolds 1999, "Pursuit"; the time as in Buckland and Yuka. With a closing of 1, the predicted path is
    /// never longer than the distance, so the prediction never overshoots the agent. A closing of 0 is the time of
    /// Bevilacqua and of many sketches; with a horizon, that of bevy-steering. gdx-ai's is the distance over the present
    /// speed: pass `me.speed` as speed, and take the direction.
    pursue(
        me,
        quarry: Agent = Param::agent("quarry", "the agent to catch"),
        horizon: Number = Param::number("horizon", "s", "the maximum time to predict").or(f32::INFINITY),
        speed: Number = Param::SPEED,
        closing: Number = CLOSING,
    ) returns ToDesiredVelocity and goes_straight {
        seek(me, predicted_position(me, quarry, horizon, speed, closing), speed)
    }
}

/// How much the speed of the other agent shortens the predicted time.
pub(super) const CLOSING: Param =
    Param::number("closing", "", "the part of the other's speed that closes the distance").or(1.0);

/// Returns the predicted position of another agent at the time at which the two could meet.
pub(super) fn predicted_position<A: Perception>(
    me: &A,
    other: A::Agent,
    horizon: A::Number,
    speed: A::Number,
    closing: A::Number,
) -> A::Vector {
    let (pos, vel) = (me.pos_of(other), me.vel_of(other));
    let together = speed + vel.norm() * closing;
    let time = (me.to(pos).norm() / together).least(horizon);
    let none = me.number(0.0);
    pos + vel * choose(together.gt(none), time, none)
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
        let force = pursue(&world.me(0), world.agent(1), f32::INFINITY, 10.0, 1.0);
        // T = 30 / (10 + 5) = 2: the agent is at (30, 10) then.
        assert!((force - Vec2::new(30.0, 10.0).normalize() * 10.0).length() < 1e-5, "{force}");
        let force = pursue(&world.me(0), world.agent(1), 0.0, 10.0, 1.0);
        assert_eq!(force, Vec2::new(10.0, 0.0), "no prediction is seek");
    }

    #[test]
    fn the_time_to_predict_is_a_choice() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::new(2.0, 0.0)),
            (Vec2::new(30.0, 0.0), Vec2::new(0.0, 5.0)),
        ]);
        let aim = |closing| {
            let force = pursue(&world.me(0), world.agent(1), f32::INFINITY, 10.0, closing);
            let desired = force + Vec2::new(2.0, 0.0);
            // The y coordinate of the point, which has the x coordinate 30.
            desired.y / desired.x * 30.0
        };
        // T = 30 / (10 + 5), 30 / 10, and 30 / (10 + 0.5 * 5).
        for (closing, y) in [(1.0, 10.0), (0.0, 15.0), (0.5, 12.0)] {
            assert!((aim(closing) - y).abs() < 1e-4, "{closing}: {}", aim(closing));
        }
    }
}
