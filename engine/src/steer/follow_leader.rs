//! Walking behind a leader.

use super::algebra::*;
use super::{Param, arrive, evade, primitive};

primitive! {
    /// Steers to a place behind a leader, and out of its way where the agent stands in it.
    ///
    /// force = arrive(q - h * behind, slowing), plus evade(leader) while the leader at q, or the point
    /// q + h * behind in front of it, is within sight; h is the leader's heading
    ///
    /// A leader at rest still has a heading, so there is always a behind. At the same place as the leader
    /// the arrival alone leads away, and with sight the agent goes along its heading too.
    ///
    /// Source: Reynolds 1999, "Leader Following"; the two circles after Bevilacqua. Keeping apart from
    /// other followers is `separation`'s.
    follow_leader(
        me,
        leader: Agent = Param::agent("leader", "whom to follow"),
        behind: Number = Param::number("behind", "world units", "how far behind to stay"),
        slowing: Number = Param::number("slowing", "world units", "the distance from that place from which to slow down"),
        sight: Number = Param::number("sight", "world units", "how near the leader's way has to be to make room; 0 for never").or(0.0),
        speed: Number = Param::SPEED,
    ) wants Never {
        let reach = me.heading_of(leader) * behind;
        let place = me.pos_of(leader);
        let follow = arrive(me, place - reach, slowing, speed);
        let far = me.number(f32::INFINITY);
        let near = |point| me.to(point).norm().le(sight);
        let in_the_way = sight.gt(me.number(0.0)) & (near(place) | near(place + reach));
        let room = me.where_true(in_the_way, || evade(me, leader, far, far, speed));
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
        let force = follow_leader(&world.me(0), world.agent(1), 20.0, 60.0, 10.0, 10.0);
        assert_eq!(force, Vec2::new(5.0, 0.0));
    }

    #[test]
    fn makes_room_in_front_of_the_leader() {
        let world = world(Vec2::new(70.0, 1.0));
        let follow = follow_leader(&world.me(0), world.agent(1), 20.0, 1.0, 0.0, 10.0);
        let room = follow_leader(&world.me(0), world.agent(1), 20.0, 1.0, 5.0, 10.0);
        assert!(follow.x < -9.0 && room.x > follow.x + 9.0, "{follow} {room}");
    }
}
