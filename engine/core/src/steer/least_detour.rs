//! Walking where the detour is least, past those who are in the way.

use super::algebra::*;
use super::{Cause, Param, RADIANS, primitive};
use crate::math;
use crate::world::NeighborQuestion;

primitive! {
    /// Steers in the direction of the least detour, at a speed that leaves time before the first body in the way.
    ///
    /// The desired velocity is vel + force, at most speed; its direction is e and its length s. In a direction in view, the agent could
    /// walk f world units at s until it touches a neighbor, if that keeps its velocity, or an obstacle; at most horizon. It takes the
    /// direction from whose end, f away, the point at horizon along e is nearest. g is how far it could walk in this direction if all
    /// others stood. force = direction * min(s, g / time) - vel.
    ///
    /// The directions are e, if it is in view, the heading, and those beside it at angles of 2 * PI / 128; of several that are as good, the first one,
    /// and the right one before the left one. Only neighbors in view count, and view is around the heading. As in the source, take it as a force that
    /// reaches the velocity within 0.5 s, and let bodies that touch push each other: `me.least_detour(...) * me.mass / 0.5 + me.social_force(1, 0, 0, 1,
    /// 62.5)`. Without such a push, agents that touch head-on may block each other for ever. An agent without room turns at a millionth of its speed, since its heading is the direction of its motion. A
    /// mirror image of the agent counts as if it were a little to the left, so that they pass on the right; the other way round if both bodies have
    /// `keeps_left`.
    ///
    /// Source: Moussaid, Helbing, Theraulaz, "How simple rules determine pedestrian behavior and crowd disasters" (2011), with its numbers for
    /// meters and a field of view of 75 degrees to each side.
    least_detour(
        me,
        force: Vector = Param::vector("force", "the force that the agent would apply if it were alone"),
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors that count"),
        horizon: Number = Param::number("horizon", "world units", "how far the agent looks").or(8.0),
        view: Number = Param::number("view", RADIANS, "the angle of the field of view").or(150.0 / 180.0 * math::PI),
        time: Number = Param::number("time", "s", "the time to leave before the first contact").or(0.5),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and sees_obstacles and knows_place and prefers_a_side {
        let wanted = (me.vel() + force).limit(speed);
        let about = [wanted, Vector::new(horizon, view), Vector::new(time, time), me.zero()];
        me.ask_neighbors(NeighborQuestion::LeastDetour, neighbors, about) - me.vel()
    } reacts_to {
        Cause::neighbors_or_obstacle(me, &neighbors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::math::Vec2;
    use crate::world::{Neighborhood, Obstacle, World};

    /// Returns the velocity of the first agent, which is at the origin, looks along the x axis and wants (2, 0). All radii are 1.
    fn velocity(world: &World, time: f32) -> Vec2 {
        let (near, force) = (Neighborhood::within(50.0), Vec2::new(2.0, 0.0) - world.me(0).vel());
        least_detour(&world.me(0), force, near, 10.0, 2.6, time, 5.0)
    }

    fn with(others: &[(Vec2, Vec2)]) -> World {
        let all: Vec<_> = [(Vec2::ZERO, Vec2::ZERO)].iter().chain(others).copied().collect();
        World::example(&all)
    }

    /// Returns the detour of a direction, from the definition in double precision: the distance between the end of the free way and the
    /// point at the horizon.
    fn detour(angle: f64, offset: (f64, f64), vel: (f64, f64)) -> f64 {
        let (sin, cos) = libm::sincos(angle);
        // The first time at which the distance is 2, by small steps.
        let touches = |t: f64| {
            let (x, y) = (offset.0 + (vel.0 - 2.0 * cos) * t, offset.1 + (vel.1 - 2.0 * sin) * t);
            x * x + y * y <= 4.0
        };
        let steps = (0..50_000).map(|step| f64::from(step) * 1e-4);
        let free = steps.into_iter().find(|&t| touches(t)).map_or(10.0, |t| 2.0 * t);
        let (x, y) = (10.0 - free * cos, -free * sin);
        (x * x + y * y).sqrt()
    }

    #[test]
    fn takes_the_direction_of_the_least_detour() {
        for (offset, vel) in [
            ((5.0, 0.5), (0.0, 0.0)),
            ((4.0, -3.0), (0.0, 1.5)),
            ((6.0, 1.0), (-1.0, 0.0)),
            ((3.0, 0.2), (1.5, 0.3)),
        ] {
            let other = Vec2::new(offset.0 as f32, offset.1 as f32);
            let world = with(&[(other, Vec2::new(vel.0 as f32, vel.1 as f32))]);
            let found = velocity(&world, 0.0);
            let angle = f64::from(math::atan2(found.y, found.x));
            let best = (-26..=26).map(|n| f64::from(n) * std::f64::consts::PI / 64.0);
            let best = best.map(|angle| detour(angle, offset, vel)).fold(f64::INFINITY, f64::min);
            let took = detour(angle, offset, vel);
            assert!(took < best + 1e-3, "{offset:?}: {angle}, {took} instead of {best}");
        }
    }

    #[test]
    fn leaves_time_before_the_first_contact() {
        // It goes away as fast, so it is not in the way, but near.
        let ahead = with(&[(Vec2::new(5.0, 0.0), Vec2::new(2.0, 0.0))]);
        assert!((velocity(&ahead, 2.0) - Vec2::new(1.5, 0.0)).length() < 1e-5);
        assert_eq!(velocity(&ahead, 0.5), Vec2::new(2.0, 0.0));
        let mut world = with(&[]);
        let (from, to) = (Vec2::new(2.0, -90.0), Vec2::new(2.0, 90.0));
        let shape = Shape::Segment { from, to };
        world.obstacles.push(Obstacle { name: "wall".into(), shape });
        assert!((velocity(&world, 2.0) - Vec2::new(0.5, 0.0)).length() < 1e-5);
    }

    #[test]
    fn neighbors_out_of_view_do_not_count() {
        let world = with(&[(Vec2::new(-3.0, 0.1), Vec2::new(4.0, 0.0))]);
        assert_eq!(velocity(&world, 0.5), Vec2::new(2.0, 0.0));
    }

    #[test]
    fn turns_to_a_goal_behind_it() {
        let world = with(&[]);
        let force = Vec2::new(-2.0, 0.1);
        let near = Neighborhood::within(50.0);
        let turned = least_detour(&world.me(0), force, near, 10.0, 2.6, 0.5, 5.0);
        let angle = math::atan2(turned.y, turned.x);
        assert!((1.2..=1.3).contains(&angle), "at the border of its view: {angle}");
        // Without room, it still turns.
        let blocked = with(&[(Vec2::new(0.5, 1.0), Vec2::ZERO)]);
        let turned = least_detour(&blocked.me(0), force, near, 10.0, 2.6, 0.5, 5.0);
        assert!(turned != Vec2::ZERO, "{turned}");
    }
}
