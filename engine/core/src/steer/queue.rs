//! Waiting in line.

use super::{Cause, Param, primitive};
use crate::world::NeighborSummary;

primitive! {
    /// Brakes if another agent in front is not moving faster.
    ///
    /// With q = pos + heading * ahead: if another agent is within radius of q, and its velocity along the heading
    /// is at most that of this agent, the result is -brake * force - vel, else zero. Add the result to the force.
    ///
    /// An agent at exactly the same place counts if q is within radius of it. At zero speed the heading is the
    /// last one.
    ///
    /// Source: Reynolds, "Queuing" (Doorway). The point ahead and the factor 0.8 are Bevilacqua's, who brakes
    /// for the first neighbor in the list even if it moves away.
    queue(
        me,
        force: Vector = Param::vector("force", "the force that the agent would apply without the queue"),
        ahead: Number = Param::number("ahead", "world units", "the distance to the point ahead"),
        radius: Number = Param::number("radius", "world units", "the distance from the point ahead within which another agent blocks"),
        brake: Number = Param::number("brake", "", "the fraction of the force to take back").or(0.8),
    ) returns Raw {
        me.where_true(me.is_blocked(ahead, radius), || force * -brake - me.vel())
    } reacts_to {
        let mut others = NeighborSummary::EMPTY;
        me.each_in_front(ahead, radius, |other| others.add(other));
        Cause::neighbors(me, &others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    fn force(other: Vec2, vel: Vec2) -> Vec2 {
        let world = World::example(&[(Vec2::ZERO, Vec2::new(3.0, 0.0)), (other, vel)]);
        queue(&world.me(0), Vec2::new(10.0, 5.0), 20.0, 8.0, 0.8)
    }

    #[test]
    fn brakes_for_agents_in_front_that_are_not_faster() {
        assert_eq!(force(Vec2::new(25.0, 0.0), Vec2::ZERO), Vec2::new(-11.0, -4.0));
        assert_eq!(force(Vec2::new(25.0, 0.0), Vec2::new(3.0, 9.0)), Vec2::new(-11.0, -4.0));
        assert_eq!(force(Vec2::new(25.0, 0.0), Vec2::new(3.5, 0.0)), Vec2::ZERO, "moves off");
        assert_eq!(force(Vec2::new(-25.0, 0.0), Vec2::ZERO), Vec2::ZERO, "behind");
        assert_eq!(force(Vec2::new(29.0, 0.0), Vec2::ZERO), Vec2::ZERO, "too far");
    }
}
