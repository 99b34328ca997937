//! Going to a point and stopping there.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Steers to a point, slows down near it and stops there.
    ///
    /// force = unit(target - pos) * speed * min(1, |target - pos| / slowing) - vel
    ///
    /// At the point itself the force is -vel, which brakes. With a slowing distance of 0 it is the same as
    /// `seek`.
    ///
    /// The velocity follows the desired velocity with a delay of mass / weight seconds. So with weight 1 and
    /// mass 1 an agent overshoots unless slowing is large; a weight such as 3 brakes harder.
    ///
    /// Source: Reynolds 1999, "Arrival". His quotient speed / distance is 0 / 0 at the point. This form is
    /// defined there and has the same value everywhere else.
    arrive(
        me,
        target: Vector = Param::point("target", "the point to stop at"),
        slowing: Number = Param::number("slowing", "world units", "the distance from the target at which slowing down begins"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and goes_straight {
        let offset = me.to(target);
        let distance = offset.norm();
        let slowed = choose(distance.lt(slowing), speed * (distance / slowing), speed);
        me.steer(offset.unit(), slowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    #[test]
    fn slows_down_inside_the_slowing_distance() {
        let world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
        let at = |x: f32| arrive(&world.me(0), Vec2::new(x, 0.0), 20.0, 10.0);
        assert_eq!(at(100.0), Vec2::new(10.0, 0.0));
        assert_eq!(at(20.0), Vec2::new(10.0, 0.0));
        assert_eq!(at(5.0), Vec2::new(2.5, 0.0));
        assert_eq!(at(0.0), Vec2::ZERO);
    }

    #[test]
    fn stops_at_the_point() {
        let world = World::example(&[(Vec2::ZERO, Vec2::new(3.0, -1.0))]);
        assert_eq!(arrive(&world.me(0), Vec2::ZERO, 20.0, 10.0), Vec2::new(-3.0, 1.0));
    }
}
