//! Moving behind a leader.

use super::algebra::*;
use super::pursue::CLOSING;
use super::{Param, arrive, evade, primitive};

primitive! {
    /// Steers to a place behind a leader, and out of the leader's way if the agent is in it.
    ///
    /// force = arrive(q - h * behind, slowing), plus evade(leader) if the leader at q, or the point q + h *
    /// behind in front of it, is within sight; h is the leader's heading. closing chooses the time that evade predicts,
    /// as in `pursue`.
    ///
    /// A leader at rest still has a heading, so there is always a place behind it. At the same place as the
    /// leader, the first part leads the agent away, and with a sight above 0 the agent also goes along its own
    /// heading.
    ///
    /// Source: Reynolds 1999, "Leader Following"; the two circles after Bevilacqua. To keep followers apart,
    /// add `separation`.
    follow_leader(
        me,
        leader: Agent = Param::agent("leader", "the agent to follow"),
        behind: Number = Param::number("behind", "world units", "the distance to keep behind the leader"),
        slowing: Number = Param::number("slowing", "world units", "the distance from that place at which slowing down begins"),
        sight: Number = Param::number("sight", "world units", "the distance to the leader's way within which to make room; 0 never makes room").or(0.0),
        speed: Number = Param::SPEED,
        closing: Number = CLOSING,
    ) returns Raw {
        let reach = me.heading_of(leader) * behind;
        let pos = me.pos_of(leader);
        let follow = arrive(me, pos - reach, slowing, speed);
        let far = me.number(f32::INFINITY);
        let near = |point| me.to(point).norm().le(sight);
        let in_the_way = sight.gt(me.number(0.0)) & (near(pos) | near(pos + reach));
        let room = me.where_true(in_the_way, || evade(me, leader, far, far, speed, closing));
        choose(in_the_way, follow + room, follow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    fn world(pos: Vec2) -> World {
        World::example(&[(pos, Vec2::ZERO), (Vec2::new(50.0, 0.0), Vec2::new(2.0, 0.0))])
    }

    #[test]
    fn goes_behind_the_leader() {
        let world = world(Vec2::ZERO);
        let force = follow_leader(&world.me(0), world.agent(1), 20.0, 60.0, 10.0, 10.0, 1.0);
        assert_eq!(force, Vec2::new(5.0, 0.0));
    }

    #[test]
    fn makes_room_in_front_of_the_leader() {
        let world = world(Vec2::new(70.0, 1.0));
        let follow = follow_leader(&world.me(0), world.agent(1), 20.0, 1.0, 0.0, 10.0, 1.0);
        let room = follow_leader(&world.me(0), world.agent(1), 20.0, 1.0, 5.0, 10.0, 1.0);
        assert!(follow.x < -9.0 && room.x > follow.x + 9.0, "{follow} {room}");
    }
}
