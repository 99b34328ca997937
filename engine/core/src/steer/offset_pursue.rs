//! Keeping a place beside a leader.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Steers to a place at an offset from a leader, and keeps it while the leader moves.
    ///
    /// With h the heading of the leader at q, place = q + h * offset.x + perp(h) * offset.y and d = place - pos:
    /// desired velocity = limit(vq + unit(d) * speed * min(1, |d| / slowing), speed), force = desired velocity - vel
    ///
    /// The offset is in the leader's frame: x points ahead of it, y to its left if y points up. A leader at rest
    /// still has a heading. At the place itself the desired velocity is the leader's, so the agent keeps the
    /// place exactly. An agent ahead of its place slows down until the place comes, and turns around only if
    /// it is far ahead. If the leader is faster than speed, the agent falls behind.
    ///
    /// Source: Reynolds 1999, "Offset pursuit"; the frame as in Buckland. He and Yuka arrive at the place where it
    /// will be after |d| / (speed + |vq|) seconds, so that the agent stays behind a leader that moves. Toward a
    /// leader at rest, the force is the same.
    offset_pursue(
        me,
        leader: Agent = Param::agent("leader", "the agent beside which to move"),
        offset: Vector = Param::vector("offset", "the place in the leader's frame, in world units: ahead, left"),
        slowing: Number = Param::number("slowing", "world units", "the distance from that place at which slowing down begins"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and knows_direction and needs_a_side {
        let heading = me.heading_of(leader);
        let (ahead, left) = offset.parts();
        let place = me.pos_of(leader) + heading * ahead + heading.perp() * left;
        approach_moving(me, me.to(place), me.vel_of(leader), slowing, speed)
    }
}

/// Returns the force that leads to a place that moves, given the offset to it, and keeps the agent there.
pub(super) fn approach_moving<A: Perception>(
    me: &A,
    offset: A::Vector,
    vel: A::Vector,
    slowing: A::Number,
    speed: A::Number,
) -> A::Vector {
    let distance = offset.norm();
    let closing = choose(distance.lt(slowing), speed * (distance / slowing), speed);
    (vel + offset.unit() * closing).limit(speed) - me.vel()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    /// The numbers are those of Yuka's test of its `OffsetPursuitBehavior`, turned into a plane.
    #[test]
    fn arrives_at_the_place_beside_a_leader_at_rest() {
        let world =
            World::example(&[(Vec2::ZERO, Vec2::ZERO), (Vec2::new(1.0, 2f32.sqrt()), Vec2::ZERO)]);
        let force = offset_pursue(&world.me(0), world.agent(1), Vec2::new(2.0, 0.0), 3.0, 2.0);
        let expected = Vec2::new(1.809_068, 0.603_022_7 * 2f32.sqrt());
        assert!((force - expected).length() < 1e-5, "{force}");
    }

    #[test]
    fn the_offset_turns_with_the_leader() {
        let leader = (Vec2::new(50.0, 50.0), Vec2::new(0.0, 4.0));
        let place = Vec2::new(50.0, 50.0) + Vec2::new(-3.0, -10.0);
        let world = World::example(&[(place, Vec2::ZERO), leader]);
        // Ten behind and three to the left: the agent is there already, and takes the leader's velocity.
        let force = offset_pursue(&world.me(0), world.agent(1), Vec2::new(-10.0, 3.0), 5.0, 10.0);
        assert_eq!(force, Vec2::new(0.0, 4.0));
    }

    /// Where an agent that arrives at the predicted place stays behind by several units.
    #[test]
    fn keeps_the_place_exactly_while_the_leader_moves() {
        let (mut leader, vel) = (Vec2::new(20.0, 50.0), Vec2::new(6.0, 0.0));
        let (mut pos, mut own) = (Vec2::new(0.0, 0.0), Vec2::ZERO);
        for _ in 0..400 {
            let world = World::example(&[(pos, own), (leader, vel)]);
            let offset = Vec2::new(-4.0, 2.0);
            own += offset_pursue(&world.me(0), world.agent(1), offset, 20.0, 10.0) * 0.1;
            pos += own * 0.1;
            leader += vel * 0.1;
        }
        assert!((pos - leader - Vec2::new(-4.0, 2.0)).length() < 0.01, "{}", pos - leader);
    }

    #[test]
    fn an_agent_ahead_of_its_place_waits() {
        let world = World::example(&[
            (Vec2::new(5.0, 0.0), Vec2::new(6.0, 0.0)),
            (Vec2::ZERO, Vec2::new(6.0, 0.0)),
        ]);
        let force = offset_pursue(&world.me(0), world.agent(1), Vec2::ZERO, 20.0, 10.0);
        assert_eq!(force, Vec2::new(-2.5, 0.0), "slower, but still forward");
    }
}
