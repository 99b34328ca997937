//! Going to a point around obstacles.

use super::algebra::*;
use super::{Cause, Param, primitive};
use crate::world::Question;

primitive! {
    /// Steers to a point on the shortest way around the obstacles, and on request stops there.
    ///
    /// force = unit(next - pos) * speed * min(1, length / slowing) - vel
    ///
    /// next is the next corner of the shortest way on which the body does not touch an obstacle, or target if it is
    /// in sight, and length is the length of that way. With the default slowing of 0 the agent does not slow down. At
    /// the end of the way itself the force is -vel.
    ///
    /// If target is in an obstacle or too close to one, or if no way leads there, the way ends at the nearest point
    /// that the agent can reach. Without obstacles, and for a body that fits nowhere, the way is straight. Other agents
    /// are not in the way. In a world that wraps, the way may cross the edge.
    ///
    /// Ways are searched on a grid whose cells are half as large as the radius, see `way_cell` of the world. All
    /// agents with about the same radius and the same target share the result of one search, so many
    /// agents with one target cost little. A target that moves costs a search each time it enters another cell where it is not in sight.
    ///
    /// Source: Treuille, Cooper, Popovic, "Continuum Crowds" (2006), for one field for all agents with the same
    /// goal. The search is "Lazy Theta*" of Nash, Koenig, Tovey (2010), so agents go from corner to
    /// corner, not from cell to cell.
    go_to(
        me,
        target: Vector = Param::point("target", "the point to go to"),
        slowing: Number = Param::number("slowing", "world units", "the distance from the end, along the way, at which slowing down begins").or(0.0),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and sees_obstacles and searches_way and knows_place and knows_direction and prefers_a_side {
        let (next, length) = me.ask(me.always(), Question::Way, [target, me.zero(), me.zero()]);
        let slowed = choose(length.lt(slowing), speed * (length / slowing), speed);
        me.steer(me.to(next).unit(), slowed)
    } reacts_to {
        Cause::next_on_way(me, target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::math::{self, Vec2};
    use crate::steer::{arrive, seek};
    use crate::world::{Obstacle, World};

    fn world(pos: Vec2) -> World {
        let mut world = World::example(&[(pos, Vec2::new(3.0, 1.0))]);
        let shape = Shape::Segment { from: Vec2::new(50.0, 20.0), to: Vec2::new(50.0, 80.0) };
        world.obstacles.push(Obstacle { name: "wall".into(), shape });
        world
    }

    #[test]
    fn in_sight_of_the_target_it_is_seek_or_arrive() {
        for target in [Vec2::new(45.0, 31.5), Vec2::new(70.0, 5.0)] {
            let world = world(Vec2::new(40.0, 10.0));
            let me = world.me(0);
            assert_eq!(go_to(&me, target, 0.0, 8.0), seek(&me, target, 8.0));
            assert_eq!(go_to(&me, target, 60.0, 8.0), arrive(&me, target, 60.0, 8.0));
        }
    }

    #[test]
    fn behind_a_wall_it_goes_to_the_end_of_the_wall() {
        let (pos, target) = (Vec2::new(40.0, 40.0), Vec2::new(60.0, 40.0));
        let world = world(pos);
        let me = world.me(0);
        let desired = go_to(&me, target, 0.0, 8.0) + me.vel();
        assert!((math::length(desired) - 8.0).abs() < 1e-4, "{desired}");
        // The lower end of the wall is at (50, 20), and the radius is 1.
        let along = math::unit(Vec2::new(9.0, -20.5));
        assert!(math::unit(desired).dot(along) > 0.99, "{desired}");
    }

    #[test]
    fn slowing_counts_along_the_way() {
        let (pos, target) = (Vec2::new(49.0, 24.0), Vec2::new(51.0, 24.0));
        let world = world(pos);
        let me = world.me(0);
        // The target is 2 away, but the way around the end of the wall is more than 8 long.
        let desired = math::length(go_to(&me, target, 20.0, 8.0) + me.vel());
        assert!((8.0 * 8.0 / 20.0..8.0 * 14.0 / 20.0).contains(&desired), "{desired}");
    }
}
