//! Staying together.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Steers to the center of the neighbors, at full speed.
    ///
    /// force = seek(mean of positions); zero if there are no neighbors
    ///
    /// If the agent is exactly at the center, the force is -vel, like that of `seek` at its target.
    ///
    /// Source: Reynolds 1999, "Cohesion".
    cohesion(
        me,
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors to stay with"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocityOrZero {
        let others = me.means(neighbors);
        choose(others.is_empty, me.zero(), me.steer(others.offsets.unit(), speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::Neighborhood;
    use crate::world::World;

    #[test]
    fn steers_to_the_center_of_the_neighbors() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::new(1.0, 0.0)),
            (Vec2::new(2.0, 4.0), Vec2::ZERO),
            (Vec2::new(-2.0, 4.0), Vec2::ZERO),
        ]);
        assert_eq!(cohesion(&world.me(0), Neighborhood::within(5.0), 10.0), Vec2::new(-1.0, 10.0));
        assert_eq!(cohesion(&world.me(0), Neighborhood::within(1.0), 10.0), Vec2::ZERO);
    }
}
