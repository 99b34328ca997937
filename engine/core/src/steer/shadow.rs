//! Keeping close to a moving agent.

use super::algebra::*;
use super::offset_pursue::approach_moving;
use super::{Param, primitive};
use crate::math::Binary;

primitive! {
    /// Steers toward a quarry until it is near, and then moves as it moves.
    ///
    /// With q the position of the quarry, d = max(|q - pos| - distance, 0): desired velocity = limit(vq + unit(q -
    /// pos) * speed * min(1, d / slowing), speed), force = desired velocity - vel
    ///
    /// Within the distance the desired velocity is the quarry's, limited to speed. The agent is not pushed away
    /// if it is nearer. There is no jump at the distance, so the agent does not swing between the two.
    ///
    /// Source: Reynolds 1999, "Shadowing", which approaches the quarry and then uses alignment to match its speed
    /// and heading.
    shadow(
        me,
        quarry: Agent = Param::agent("quarry", "the agent to keep close to"),
        distance: Number = Param::number("distance", "world units", "the distance from the quarry within which its velocity is matched"),
        slowing: Number = Param::number("slowing", "world units", "the distance beyond that at which matching begins"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity {
        let offset = me.to(me.pos_of(quarry));
        let gap = (offset.norm() - distance).binary(Binary::Max, me.number(0.0));
        approach_moving(me, offset.unit() * gap, me.vel_of(quarry), slowing, speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    fn force(x: f32) -> Vec2 {
        let world = World::example(&[
            (Vec2::new(x, 0.0), Vec2::X),
            (Vec2::new(50.0, 0.0), Vec2::new(0.0, 6.0)),
        ]);
        shadow(&world.me(0), world.agent(1), 10.0, 20.0, 10.0)
    }

    #[test]
    fn matches_the_velocity_within_the_distance() {
        assert_eq!(force(40.0), Vec2::new(-1.0, 6.0));
        assert_eq!(force(47.0), Vec2::new(-1.0, 6.0));
        assert_eq!(force(50.0), Vec2::new(-1.0, 6.0), "at the same place");
    }

    #[test]
    fn approaches_from_farther_away() {
        // 10 beyond the distance: half of the speed toward the quarry.
        assert_eq!(force(30.0), Vec2::new(4.0, 6.0));
        let far = force(0.0) + Vec2::X;
        assert!((far - Vec2::new(10.0, 6.0).normalize() * 10.0).length() < 1e-5, "{far}");
    }
}
