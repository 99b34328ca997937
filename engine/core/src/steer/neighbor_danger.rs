//! How dangerous a way is because of neighbors.

use super::algebra::*;
use super::{Param, primitive};
use crate::world::NeighborQuestion;

primitive! {
    /// Returns the danger of a neighbor in the way: a direction for `context`, not a force.
    ///
    /// If the agent moved with velocity and all neighbors kept theirs, it would touch the first of them after t seconds.
    /// danger = unit(velocity) * (1 - t / horizon): of length 1 if they touch now, nearly 0 at the end. Zero if it
    /// touches none within horizon seconds, at zero velocity, and for neighbors from which that way leads away. Agents at
    /// the same place are no danger to each other.
    ///
    /// Source: the time to collision of Reynolds 1999, "Unaligned Collision Avoidance", for each way of a context map.
    neighbor_danger(
        me,
        velocity: Vector = Param::vector("velocity", "the way to test, as the velocity to go there with"),
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors that count"),
        horizon: Number = Param::number("horizon", "s", "how far ahead to look, as a time").or(1.0),
    ) returns Raw {
        let horizon = Vector::new(horizon, me.number(0.0));
        let about = [velocity, horizon, me.zero(), me.zero()];
        let (danger, _) = me.ask_neighbors(NeighborQuestion::WayDanger, neighbors, about).parts();
        velocity.unit() * danger
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::{Neighborhood, World};

    /// Returns the danger for an agent with the radius 1 at the origin, and others with the same radius.
    fn danger(others: &[(Vec2, Vec2)], velocity: Vec2, horizon: f32) -> Vec2 {
        let world = World::example(&[&[(Vec2::ZERO, Vec2::ZERO)], others].concat());
        neighbor_danger(&world.me(0), velocity, Neighborhood::within(50.0), horizon)
    }

    #[test]
    fn rises_from_the_horizon_to_the_touch() {
        let ahead =
            [(Vec2::new(6.0, 0.0), Vec2::new(-1.0, 0.0)), (Vec2::new(9.0, 0.0), Vec2::ZERO)];
        // Both touch after (6 - 2) / (1 + 1) seconds.
        assert_eq!(danger(&ahead, Vec2::X, 4.0), Vec2::new(0.5, 0.0));
        assert_eq!(danger(&ahead, Vec2::X, 2.0), Vec2::ZERO);
        assert_eq!(danger(&ahead, Vec2::X, 0.0), Vec2::ZERO);
        // The other way, the neighbor does not catch up.
        assert_eq!(danger(&ahead, -Vec2::X, 9.0), Vec2::ZERO);
        assert_eq!(danger(&ahead, Vec2::ZERO, 9.0), Vec2::ZERO);
        assert_eq!(danger(&[], Vec2::X, 9.0), Vec2::ZERO);
    }

    #[test]
    fn of_two_that_overlap_only_the_way_together_is_dangerous() {
        let beside = [(Vec2::new(0.0, 1.5), Vec2::ZERO)];
        assert_eq!(danger(&beside, Vec2::Y, 1.0), Vec2::Y);
        assert_eq!(danger(&beside, -Vec2::Y, 1.0), Vec2::ZERO);
        assert_eq!(danger(&beside, Vec2::X, 1.0), Vec2::ZERO);
        assert_eq!(danger(&[(Vec2::ZERO, Vec2::X)], Vec2::Y, 1.0), Vec2::ZERO);
    }
}
