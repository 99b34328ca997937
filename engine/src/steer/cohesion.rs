//! Staying together.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Steers to the middle of the neighbors, at full speed.
    ///
    /// force = seek(mean of positions); zero where there are no neighbors
    ///
    /// In the middle itself the force is that of `seek` to one's own place, -vel.
    ///
    /// Source: Reynolds 1999, "Cohesion".
    cohesion(
        me,
        neighbors: Neighbors = Param::neighbors("neighbors", "whom to stay with, or within which radius"),
        speed: Number = Param::SPEED,
    ) wants Sometimes {
        let others = me.means(neighbors);
        choose(others.nobody, me.zero(), me.steer(others.offsets.unit(), speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::Neighborhood;
    use crate::world::World;

    #[test]
    fn goes_to_the_middle_of_the_others() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::new(1.0, 0.0)),
            (Vec2::new(2.0, 4.0), Vec2::ZERO),
            (Vec2::new(-2.0, 4.0), Vec2::ZERO),
        ]);
        assert_eq!(cohesion(&world.me(0), Neighborhood::within(5.0), 10.0), Vec2::new(-1.0, 10.0));
        assert_eq!(cohesion(&world.me(0), Neighborhood::within(1.0), 10.0), Vec2::ZERO);
    }
}
