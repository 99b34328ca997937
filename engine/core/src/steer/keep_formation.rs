//! Keeping a place in a formation.

use super::algebra::*;
use super::{Param, primitive};
use crate::world::Question;

primitive! {
    /// Steers to the agent's place in the formation of its group, and moves on with the anchor.
    ///
    /// force = limit(u + unit(s - pos) * speed * min(1, |s - pos| / slowing), speed) - vel, where s is the place and u the
    /// velocity of the anchor
    ///
    /// The scenario declares the formation of a group. It turns with the heading of the anchor. There is a place for each
    /// agent of the group that is still there, except for the anchor and for agents that have stopped. The sum of the distances
    /// from the agents to their places is the least possible, up to 0.4 % that prefer that nobody overtakes. In a
    /// group of more than 128, the n-th agent has the n-th place.
    ///
    /// At its place, the agent has the velocity of the anchor. While the anchor turns, outer places move faster than it, and
    /// agents with about its maximum speed fall behind. With a slowing distance of 0, agents go to their places at full
    /// speed. Without a formation, the place is at the anchor. An agent that is its own anchor keeps its velocity, up to
    /// speed.
    ///
    /// Source: places that are relative to a leader are Reynolds' "Offset Pursuit" (1999); the assignment is the linear sum
    /// assignment problem, solved after Kuhn and Munkres.
    keep_formation(
        me,
        anchor: Agent = Param::agent("anchor", "the agent that the formation is around"),
        slowing: Number = Param::number("slowing", "world units", "the distance from the place at which slowing down begins"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and needs_formation and needs_a_side {
        let row = Vector::new(me.row_of(anchor), me.number(0.0));
        let about = [me.pos_of(anchor), me.heading_of(anchor), row];
        let (place, _) = me.ask(me.always(), Question::PlaceInFormation, about);
        let offset = me.to(place);
        let distance = offset.norm();
        let slowed = choose(distance.lt(slowing), speed * (distance / slowing), speed);
        let desired = me.vel_of(anchor) + offset.unit() * slowed;
        desired.limit(speed) - me.vel()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::{Formation, FormationShape, World};

    fn world(agents: &[(Vec2, Vec2)]) -> World {
        let mut world = World::example(agents);
        let shape = FormationShape::Column;
        world.groups[0].formation = Some(Formation { shape, spacing: 10.0, behind: 10.0 });
        world
    }

    #[test]
    fn moves_with_the_anchor_at_its_place() {
        let forward = Vec2::new(4.0, 0.0);
        let world = world(&[(Vec2::new(50.0, 50.0), forward), (Vec2::new(40.0, 50.0), forward)]);
        assert_eq!(keep_formation(&world.me(1), world.agent(0), 20.0, 10.0), Vec2::ZERO);
        assert_eq!(keep_formation(&world.me(0), world.agent(0), 20.0, 10.0), Vec2::ZERO, "itself");
    }

    #[test]
    fn catches_up_by_its_own_speed() {
        let forward = Vec2::new(4.0, 0.0);
        let world = world(&[(Vec2::new(50.0, 50.0), forward), (Vec2::new(30.0, 50.0), Vec2::ZERO)]);
        let force = |slowing, speed| keep_formation(&world.me(1), world.agent(0), slowing, speed);
        assert_eq!(force(20.0, 10.0), Vec2::new(9.0, 0.0), "half of 10 and 4");
        assert_eq!(force(5.0, 10.0), Vec2::new(10.0, 0.0), "at most its speed");
        assert_eq!(force(0.0, 10.0), Vec2::new(10.0, 0.0));
    }
}
