//! Arriving at a point in a given direction.

use super::algebra::*;
use super::{Param, primitive};
use crate::math::{Binary, Unary};

primitive! {
    /// Steers to a point so that the agent arrives there in a given direction, and stops.
    ///
    /// With n = unit(along), r = pos - target and o = unit(r): desired velocity = way * speed * min(1, |r| / slowing),
    /// force = desired velocity - vel, where way = 2 * dot(n, o) * o - n behind the point, and way = unit(side *
    /// max(0, 1 - |y| / room) - n) in front of it; y is the distance of the agent from the line through the point
    /// along n, and side points to the agent's side of it
    ///
    /// So an agent behind the point takes the circle that touches n at the point, and an agent in front goes
    /// around the point at the distance room first. On the line it goes around on the left, if y points up.
    /// An agent that is past the point by at most a tenth of room stops there, and does not go around again.
    ///
    /// A zero direction counts as the heading. Choose slowing at least 4 * speed * mass / weight: with less, the
    /// agent passes the point before it stands.
    ///
    /// Source: Reynolds 1999 names "docking"; the circles are the dipole field of Panagou 2014, "Motion planning
    /// and collision avoidance using navigation vector fields".
    dock(
        me,
        target: Vector = Param::point("target", "the point to arrive at"),
        along: Vector = Param::vector("along", "the direction in which to arrive"),
        room: Number = Param::number("room", "world units", "the distance at which to go around the point"),
        slowing: Number = Param::number("slowing", "world units", "the distance from the point at which slowing down begins"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and needs_a_side {
        let (none, one, two) = (me.number(0.0), me.number(1.0), me.number(2.0));
        let along = choose(along.unit().same(me.zero()), me.heading(), along.unit());
        let (from, left) = (-me.to(target), along.perp());
        let (past, aside) = (from.dot(along), from.dot(left));
        let (distance, out) = (from.norm(), from.unit());
        let circle = out * (two * along.dot(out)) - along;
        let off = aside.unary(Unary::Abs);
        let outward = choose(off.lt(room), one - off / room, none);
        let side = choose(aside.ge(none), left, -left);
        let around = (side * outward - along).unit();
        let way = choose(past.gt(none), around, circle);
        let slowed = choose(distance.lt(slowing), speed * (distance / slowing), speed);
        let is_there = past.ge(none) & distance.le(room * me.number(0.1));
        me.steer(way, choose(is_there, none, slowed).binary(Binary::Min, speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{self, Vec2};
    use crate::world::World;

    fn desired(pos: Vec2) -> Vec2 {
        let world = World::example(&[(pos, Vec2::ZERO)]);
        dock(&world.me(0), Vec2::ZERO, Vec2::new(3.0, 0.0), 10.0, 0.0, 10.0)
    }

    #[test]
    fn takes_the_circle_that_touches_the_direction_at_the_point() {
        assert_eq!(desired(Vec2::new(-7.0, 0.0)), Vec2::new(10.0, 0.0), "straight behind");
        assert_eq!(desired(Vec2::new(0.0, 7.0)), Vec2::new(-10.0, 0.0), "half the circle to go");
        // At 45 degrees behind, a quarter of the circle is left: across the line.
        let across = desired(Vec2::new(-5.0, -5.0));
        assert!((across - Vec2::new(0.0, 10.0)).length() < 1e-5, "{across}");
    }

    #[test]
    fn goes_around_the_point_if_it_is_in_front() {
        let aslant = Vec2::new(-1.0, 1.0).normalize() * 10.0;
        assert!((desired(Vec2::new(30.0, 0.0)) - aslant).length() < 1e-5, "on the line, left");
        assert_eq!(desired(Vec2::new(30.0, 12.0)), Vec2::new(-10.0, 0.0), "with room enough");
        let right = desired(Vec2::new(30.0, -5.0));
        assert!(right.y < 0.0 && right.x < 0.0, "{right}");
        assert_eq!(desired(Vec2::new(0.9, 0.0)), Vec2::ZERO, "only just past the point");
        assert_eq!(desired(Vec2::ZERO), Vec2::ZERO);
    }

    #[test]
    fn arrives_in_the_direction_from_everywhere() {
        for start in 0..36 {
            let away = math::rotated(Vec2::X, start as f32 * math::PI / 18.0);
            let (mut pos, mut vel) = (away * 60.0, math::perp(away) * 5.0);
            for _ in 0..1200 {
                let world = World::example(&[(pos, vel)]);
                let force = dock(&world.me(0), Vec2::ZERO, Vec2::X, 20.0, 40.0, 10.0);
                vel += force * 0.1;
                pos += vel * 0.1;
            }
            assert!(pos.length() < 2.0, "start {start}: ends at {pos}");
            assert!(vel.length() < 0.05, "start {start}: still moves with {vel}");
            assert!(math::unit(vel).x > 0.9, "start {start}: heading {vel} at {pos}");
        }
    }
}
