//! Getting away from a moving agent.

use super::algebra::*;
use super::pursue::{CLOSING, predicted_position};
use super::{Param, flee, primitive};

primitive! {
    /// Steers away from the point where a moving agent will be when the two could meet.
    ///
    /// T = min(|q - pos| / (speed + closing * |vq|), horizon), force = flee(q + vq * T) if |q - pos| <= radius, else
    /// zero, where q is the position of the threat and vq its velocity; closing chooses the time as in `pursue`
    ///
    /// If the predicted point is the agent's own position, as when both are at the same place, the agent keeps
    /// going along its heading.
    ///
    /// Source: Reynolds 1999, "Evasion". The radius is measured to the present position of the threat, as in
    /// Buckland: a threat that is near counts even if it is about to rush past.
    evade(
        me,
        threat: Agent = Param::agent("threat", "the agent to get away from"),
        radius: Number = Param::number("radius", "world units", "the distance within which the threat matters").or(f32::INFINITY),
        horizon: Number = Param::number("horizon", "s", "the maximum time to predict").or(f32::INFINITY),
        speed: Number = Param::SPEED,
        closing: Number = CLOSING,
    ) returns ToDesiredVelocityOrZero {
        let is_near = me.to(me.pos_of(threat)).norm().le(radius);
        me.where_true(is_near, || {
            let pos = predicted_position(me, threat, horizon, speed, closing);
            flee(me, pos, me.number(f32::INFINITY), speed)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    #[test]
    fn flees_from_where_the_threat_will_be() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::ZERO),
            (Vec2::new(30.0, 0.0), Vec2::new(0.0, 5.0)),
        ]);
        let force = |radius| evade(&world.me(0), world.agent(1), radius, f32::INFINITY, 10.0, 1.0);
        assert!((force(30.0) + Vec2::new(30.0, 10.0).normalize() * 10.0).length() < 1e-5);
        assert_eq!(force(29.0), Vec2::ZERO);
    }
}
