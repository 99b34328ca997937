//! Getting away from a moving agent.

use super::algebra::*;
use super::pursue::expected;
use super::{Param, flee, primitive};

primitive! {
    /// Steers away from where a moving agent will be by the time it could be met.
    ///
    /// T = min(|q - pos| / (speed + |vq|), horizon), force = flee(q + vq * T), as long as
    /// |q - pos| <= radius; else zero
    ///
    /// At the same place, and where it is expected at one's own place, one goes on along one's heading.
    ///
    /// Source: Reynolds 1999, "Evasion"; the radius is measured to where the agent is now, as in
    /// Buckland: what is near now matters, also if it rushes past.
    evade(
        me,
        threat: Agent = Param::agent("threat", "whom to get away from"),
        radius: Number = Param::number("radius", "world units", "farther than this it does not matter").or(f32::INFINITY),
        horizon: Number = Param::number("horizon", "s", "the longest time to look ahead").or(f32::INFINITY),
        speed: Number = Param::SPEED,
    ) wants Sometimes {
        let is_near = me.to(me.pos_of(threat)).norm().le(radius);
        me.where_true(is_near, || {
            flee(me, expected(me, threat, horizon, speed), me.number(f32::INFINITY), speed)
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
        let force = |radius| evade(&world.me(0), world.agent(1), radius, f32::INFINITY, 10.0);
        assert!((force(30.0) + Vec2::new(30.0, 10.0).normalize() * 10.0).length() < 1e-5);
        assert_eq!(force(29.0), Vec2::ZERO);
    }
}
