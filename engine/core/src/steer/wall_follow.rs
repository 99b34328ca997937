//! Going along walls.

use super::algebra::*;
use super::{Cause, Param, primitive};
use crate::math::{self, Binary, Vec2};
use crate::world::{Me, Question};

primitive! {
    /// Steers along the nearest obstacle at a distance from its surface, around all of its corners.
    ///
    /// desired velocity = unit(t * distance + 2 * n * (distance - d)) * speed, force = desired velocity - vel, where n and d
    /// are normal and distance of the nearest surface, and t is n turned by a quarter turn. They are taken from the
    /// place where the agent will be in horizon seconds, or where an obstacle stops it before, if a surface is nearer there
    ///
    /// side is 1 to keep the wall to the left if y points up, -1 to the right, and 0 for the side on which the
    /// nearest wall is as the agent moves now; an agent that moves straight to the wall keeps it to the left. The
    /// distance is that of the agent's center; less than its radius counts as its radius. So the agent turns before it
    /// comes to an inside corner, and only after it has passed an outside corner.
    ///
    /// If the nearest surface is farther away than sight, or if there are no obstacles, the force is zero.
    ///
    /// Source: Reynolds 1999, "Wall following". None of the libraries after him has it.
    wall_follow(
        me,
        distance: Number = Param::number("distance", "world units", "the distance to keep from the surface"),
        side: Signed = Param::signed("side", "", "1 to keep the wall to the left, -1 to the right, 0 for either").or(0.0),
        sight: Number = Param::number("sight", "world units", "the distance beyond which walls do not matter").or(f32::INFINITY),
        horizon: Number = Param::number("horizon", "s", "how far ahead to look, as a time").or(0.5),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocityOrZero and sees_obstacles and needs_obstacles and needs_a_side {
        let (none, two) = (me.number(0.0), me.number(2.0));
        let (here, near) = me.ask(me.always(), Question::NearestSurface, [me.zero(); 3]);
        let is_near = near.le(sight) & !here.same(me.zero());
        let way = me.vel() * horizon.least(me.number(MAX_HORIZON_S));
        let (normal, off) = me.ask(is_near, Question::SurfaceAhead, [way, me.zero(), me.zero()]);
        me.where_true(is_near, || {
            let is_closing = off.lt(near);
            let (normal, off) = (choose(is_closing, normal, here), choose(is_closing, off, near));
            let side = choose(side.eq(none), here.perp().dot(me.vel()), side);
            let along = choose(side.ge(none), normal.perp(), -normal.perp());
            let distance = distance.binary(Binary::Max, me.radius()).least(me.number(FAR));
            me.steer((along * distance + normal * (two * (distance - off))).unit(), speed)
        })
    } reacts_to {
        nearest_wall(me, sight)
    }
}

/// Returns the obstacle with the nearest surface as a cause.
fn nearest_wall(me: &Me<'_>, sight: f32) -> Cause {
    let mut nearest = Cause::NothingAhead;
    let (_, least) = me.nearest_surface();
    for (index, obstacle) in me.world().obstacles.iter().enumerate() {
        let surface = obstacle.shape.surface(me.pos());
        if surface.distance <= least && least <= sight && surface.normal != Vec2::ZERO {
            nearest = Cause::QueriedObstacle {
                id: me.world().obstacle_id(index),
                name: obstacle.name.clone(),
                at: surface.point,
                distance: math::max(surface.distance, 0.0),
            };
            break;
        }
    }
    nearest
}

/// The maximum time to look ahead: more makes no difference in any world, and results stay finite.
const MAX_HORIZON_S: f32 = 1e9;

/// The maximum distance, so that results stay finite.
const FAR: f32 = 1e15;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::world::{Obstacle, World};

    fn world(pos: Vec2, vel: Vec2, shape: Shape) -> World {
        let mut world = World::example(&[(pos, vel)]);
        world.obstacles.push(Obstacle { name: "it".into(), shape });
        world
    }

    fn wall() -> Shape {
        Shape::Segment { from: Vec2::new(-90.0, 0.0), to: Vec2::new(90.0, 0.0) }
    }

    #[test]
    fn goes_along_a_wall_on_the_asked_side() {
        let desired = |vel: Vec2, side| {
            let world = world(Vec2::new(0.0, 5.0), vel, wall());
            wall_follow(&world.me(0), 5.0, side, 99.0, 0.0, 10.0) + vel
        };
        assert_eq!(desired(Vec2::ZERO, 1.0), Vec2::new(-10.0, 0.0), "the wall to the left");
        assert_eq!(desired(Vec2::ZERO, -1.0), Vec2::new(10.0, 0.0), "and to the right");
        assert_eq!(desired(Vec2::new(1.0, 0.0), 0.0), Vec2::new(10.0, 0.0), "as it moves");
        assert_eq!(desired(Vec2::new(-1.0, 0.0), 0.0), Vec2::new(-10.0, 0.0));
    }

    #[test]
    fn keeps_the_distance_and_ignores_far_walls() {
        let force = |y, sight| {
            let world = world(Vec2::new(0.0, y), Vec2::ZERO, wall());
            wall_follow(&world.me(0), 5.0, -1.0, sight, 0.0, 10.0)
        };
        // Twice the missing distance, relative to the distance: 2 * 2.5 / 5.
        let aslant = Vec2::new(1.0, 1.0).normalize() * 10.0;
        assert!((force(2.5, 99.0) - aslant).length() < 1e-5);
        assert!(force(10.0, 99.0).y < -8.0);
        assert_eq!(force(10.0, 9.9), Vec2::ZERO);
    }

    /// Moves an agent for some seconds and returns its least and largest distance from the wall after the first ten.
    fn run(shape: Shape, mut pos: Vec2, mut vel: Vec2, side: f32) -> (f32, f32, Vec<Vec2>) {
        let (mut least, mut most, mut track) = (f32::MAX, 0.0f32, Vec::new());
        for tick in 0..6000 {
            let world = world(pos, vel, shape.clone());
            let force = wall_follow(&world.me(0), 5.0, side, f32::INFINITY, 0.5, 10.0);
            vel = math::limit(vel + math::limit(force * 4.0, 60.0) * 0.01, 10.0);
            pos += vel * 0.01;
            if tick > 1000 {
                let off = shape.surface(pos).distance;
                (least, most) = (least.min(off), most.max(off));
                track.push(pos);
            }
        }
        (least, most, track)
    }

    #[test]
    fn goes_around_inside_and_outside_corners() {
        let size = Vec2::splat(50.0);
        for side in [-1.0, 0.0, 1.0] {
            let room = Shape::Room { min: Vec2::ZERO, max: size };
            let (least, most, track) = run(room, Vec2::new(20.0, 8.0), Vec2::new(5.0, -2.0), side);
            assert!(least > 4.5 && most < 8.0, "in a room: {least} to {most}");
            // It has been in all four corners.
            for corner in [Vec2::ZERO, Vec2::new(50.0, 0.0), Vec2::new(0.0, 50.0), size] {
                assert!(track.iter().any(|pos| pos.distance(corner) < 15.0), "{corner}");
            }
            let solid = Shape::Box(crate::geom::OrientedBox::new(size * 0.5, size * 0.5, 0.0));
            let (least, most, track) = run(solid, Vec2::new(20.0, 5.0), Vec2::new(5.0, -2.0), side);
            assert!(least > 4.0 && most < 8.0, "around a box: {least} to {most}");
            for corner in [Vec2::ZERO, Vec2::new(50.0, 0.0), Vec2::new(0.0, 50.0), size] {
                assert!(track.iter().any(|pos| pos.distance(corner) < 8.5), "{corner}");
            }
            let thin = Shape::Segment { from: Vec2::new(10.0, 0.0), to: Vec2::new(30.0, 0.0) };
            let (least, most, track) = run(thin, Vec2::new(20.0, 5.0), Vec2::new(5.0, 0.0), side);
            assert!(least > 3.0 && most < 8.5, "around a thin wall: {least} to {most}");
            assert!(track.iter().any(|pos| pos.y > 3.0) && track.iter().any(|pos| pos.y < -3.0));
        }
    }
}
