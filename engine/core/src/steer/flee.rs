//! Going straight away from a point.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Steers straight away from a point at full speed, while the point is within a radius.
    ///
    /// force = unit(pos - target) * speed - vel if |target - pos| <= radius, else zero
    ///
    /// At the point itself, the agent keeps going along its heading. Outside the radius the force is zero: the
    /// agent does not brake.
    ///
    /// Source: Reynolds 1999, "Flee"; the radius as in Yuka's panic distance.
    flee(
        me,
        target: Vector = Param::point("target", "the point to get away from"),
        radius: Number = Param::number("radius", "world units", "the distance within which the target matters").or(f32::INFINITY),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocityOrZero {
        let offset = me.to(target);
        let toward = offset.unit();
        let away = choose(toward.same(me.zero()), me.heading(), -toward);
        choose(offset.norm().gt(radius), me.zero(), me.steer(away, speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    #[test]
    fn steers_at_full_speed_away_from_the_point() {
        let world = World::example(&[(Vec2::new(1.0, 1.0), Vec2::new(2.0, 0.0))]);
        let me = world.me(0);
        assert_eq!(flee(&me, Vec2::new(1.0, 9.0), f32::INFINITY, 10.0), Vec2::new(-2.0, -10.0));
        assert_eq!(
            flee(&me, Vec2::new(1.0, 9.0), 8.0, 10.0),
            Vec2::new(-2.0, -10.0),
            "the edge counts"
        );
        assert_eq!(flee(&me, Vec2::new(1.0, 9.0), 7.9, 10.0), Vec2::ZERO);
        assert_eq!(
            flee(&me, Vec2::new(1.0, 1.0), 1.0, 10.0),
            Vec2::new(8.0, 0.0),
            "along the heading"
        );
    }
}
