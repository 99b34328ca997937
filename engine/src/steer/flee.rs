//! Going straight away from a point.

use super::{Param, primitive};
use crate::math::{self, Vec2};
use crate::world::Me;

primitive! {
    /// Steers straight away from a point, at full speed, while it is near enough to matter.
    ///
    /// force = unit(pos - target) * speed - vel, as long as |target - pos| <= radius; else zero
    ///
    /// At the point itself it goes on along its heading. Outside the radius it does not brake.
    ///
    /// Source: Reynolds 1999, "Flee"; the radius after Yuka's panic distance.
    flee(
        me,
        target: Vec2 = Param::point("target", "what to get away from"),
        radius: f32 = Param::number("radius", "world units", "farther than this it does not matter").or(f32::INFINITY),
        speed: f32 = Param::SPEED,
    ) wants Sometimes {
        let offset = me.to(target);
        if math::length(offset) > radius {
            return Vec2::ZERO;
        }
        let toward = math::unit(offset);
        let away = if toward == Vec2::ZERO { me.heading() } else { -toward };
        away * speed - me.vel()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    #[test]
    fn wants_full_speed_away_from_the_point() {
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
