//! Going straight to a point.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Steers straight to a point at full speed. It does not slow down and overshoots the point.
    ///
    /// force = unit(target - pos) * speed - vel
    ///
    /// At the point itself, no direction is better than another: the force is -vel, which brakes.
    ///
    /// Source: Reynolds 1999, "Seek"; as in Yuka and Buckland. OpenSteer does not normalize (target - pos), so
    /// that the desired speed depends on the distance.
    seek(
        me,
        target: Vector = Param::point("target", "the point to go to"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and goes_straight {
        me.steer(me.to(target).unit(), speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    #[test]
    fn steers_at_full_speed_toward_the_point() {
        let world = World::example(&[(Vec2::new(1.0, 1.0), Vec2::new(2.0, 0.0))]);
        assert_eq!(seek(&world.me(0), Vec2::new(1.0, 9.0), 10.0), Vec2::new(-2.0, 10.0));
        assert_eq!(seek(&world.me(0), Vec2::new(1.0, 1.0), 10.0), Vec2::new(-2.0, 0.0));
    }
}
