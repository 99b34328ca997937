//! Moving the way the neighbors move.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Steers along the mean velocity of the neighbors, at full speed.
    ///
    /// force = unit(sum of velocities) * speed - vel; zero if the sum is zero
    ///
    /// If all neighbors stand still, or their velocities cancel out, there is no direction to follow and the
    /// force is zero.
    ///
    /// Source: Reynolds 1999, "Alignment", with velocities in place of headings; as a desired velocity after
    /// Shiffman.
    alignment(
        me,
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors to align with"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocityOrZero {
        let along = me.means(neighbors).velocities.unit();
        choose(along.same(me.zero()), me.zero(), me.steer(along, speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::Neighborhood;
    use crate::world::World;

    #[test]
    fn follows_the_mean_velocity() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::new(1.0, 0.0)),
            (Vec2::new(2.0, 0.0), Vec2::new(0.0, 3.0)),
            (Vec2::new(0.0, -4.0), Vec2::new(0.0, 1.0)),
        ]);
        assert_eq!(alignment(&world.me(0), Neighborhood::within(5.0), 10.0), Vec2::new(-1.0, 10.0));
        assert_eq!(alignment(&world.me(0), Neighborhood::within(1.0), 10.0), Vec2::ZERO);
    }
}
