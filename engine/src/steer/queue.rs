//! Waiting in line.

use super::{Cause, Param, primitive};
use crate::world::Summary;

primitive! {
    /// Brakes what the agent is about to do while someone stands in front who is not faster.
    ///
    /// With q = pos + heading * ahead: if another agent is within radius of q and its velocity along the
    /// heading is at most one's own, then -brake * force - vel, else zero. Add it to the force given.
    ///
    /// An agent at the very same place counts if q is that near. At zero speed the heading is the last one.
    ///
    /// Source: Reynolds, "Queuing" (Doorway); the point ahead and the 0.8 after Bevilacqua, who takes the
    /// first neighbor in the list whether or not it moves off.
    queue(
        me,
        force: Vector = Param::vector("force", "what the agent would do without the queue"),
        ahead: Number = Param::number("ahead", "world units", "how far ahead to look"),
        radius: Number = Param::number("radius", "world units", "how near to that point someone is in the way"),
        brake: Number = Param::number("brake", "", "the share of the force to take back").or(0.8),
    ) wants Never {
        me.where_true(me.is_blocked(ahead, radius), || force * -brake - me.vel())
    } because {
        let mut others = Summary::EMPTY;
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
    fn brakes_for_who_is_in_front_and_not_faster() {
        assert_eq!(force(Vec2::new(25.0, 0.0), Vec2::ZERO), Vec2::new(-11.0, -4.0));
        assert_eq!(force(Vec2::new(25.0, 0.0), Vec2::new(3.0, 9.0)), Vec2::new(-11.0, -4.0));
        assert_eq!(force(Vec2::new(25.0, 0.0), Vec2::new(3.5, 0.0)), Vec2::ZERO, "moves off");
        assert_eq!(force(Vec2::new(-25.0, 0.0), Vec2::ZERO), Vec2::ZERO, "behind");
        assert_eq!(force(Vec2::new(29.0, 0.0), Vec2::ZERO), Vec2::ZERO, "too far");
    }
}
