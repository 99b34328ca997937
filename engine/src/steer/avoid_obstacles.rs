//! Getting around obstacles.

use super::{Cause, Param, primitive};
use crate::geom::Hit;
use crate::math::{self, Vec2};
use crate::world::{Me, ObstacleId};

primitive! {
    /// Steers around the obstacle that the agent would hit first.
    ///
    /// The agent's disc, grown by margin, is swept along its velocity for horizon seconds. Where it would
    /// touch an obstacle after a share s of that way, force = (along * speed - vel) * (1 - s), where along
    /// is the heading turned into the obstacle's surface. Where nothing is hit the force is zero.
    ///
    /// Where the way along the surface soon ends at another one, as in a corner, along leans away from
    /// both. Exactly head-on it turns left. An agent that touches or overlaps an obstacle is led out and along
    /// its surface. At zero speed only what it touches counts, with its heading for its velocity.
    ///
    /// Source: Reynolds 1999, "Obstacle Avoidance", with the lateral direction of OpenSteer, which gives no
    /// force at all exactly head-on; Buckland's detection box pushes to the same side wherever the
    /// obstacle is.
    avoid_obstacles(
        me,
        horizon: f32 = Param::number("horizon", "s", "how far ahead to look, in time").or(2.0),
        margin: f32 = Param::number("margin", "world units", "how much room to leave").or(0.0),
        speed: f32 = Param::SPEED,
    ) wants Never {
        let (ahead, reach) = way(me, horizon);
        let Some((_, hit)) = first_hit(me, ahead, reach, me.body().radius + margin) else {
            return Vec2::ZERO;
        };
        let lateral = ahead - hit.normal * ahead.dot(hit.normal);
        let along = if math::length(lateral) < HEAD_ON { math::perp(ahead) } else { math::unit(lateral) };
        let touching = hit.distance <= 0.0;
        let lean = if touching { hit.normal } else { Vec2::ZERO };
        let along = math::unit(along + lean + out_of_the_corner(me, along, reach, &hit));
        let urgency = if touching { 1.0 } else { 1.0 - hit.distance / reach };
        (along * speed - me.vel()) * urgency
    } because {
        let (ahead, reach) = way(me, horizon);
        match first_hit(me, ahead, reach, me.body().radius + margin) {
            Some((id, hit)) => Cause::Obstacle {
                id,
                name: me.world().obstacle(id).name.clone(),
                at: hit.point,
                distance: hit.distance,
            },
            None => Cause::Nothing,
        }
    }
}

/// The sine of the angle to a surface's normal below which a way is head-on: to either side of it, the
/// side would hang on rounding.
const HEAD_ON: f32 = 1e-4;

/// The way to come: its direction and its length.
fn way(me: &Me<'_>, horizon: f32) -> (Vec2, f32) {
    let along = math::unit(me.vel());
    let ahead = if along == Vec2::ZERO { me.heading() } else { along };
    (ahead, math::min(math::length(me.vel()) * horizon, f32::MAX))
}

/// How to lean where the way along an obstacle ends at another one: away from both, the more the sooner.
fn out_of_the_corner(me: &Me<'_>, along: Vec2, reach: f32, wall: &Hit) -> Vec2 {
    match first_hit(me, along, reach, me.body().radius) {
        Some((_, end)) if end.distance > 0.0 => {
            (wall.normal + end.normal) * (1.0 - end.distance / reach)
        }
        _ => Vec2::ZERO,
    }
}

/// The first obstacle that a disc touches on its way, and where.
fn first_hit(me: &Me<'_>, ahead: Vec2, reach: f32, radius: f32) -> Option<(ObstacleId, Hit)> {
    me.world().first_hit(me.pos(), ahead, reach, radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    use crate::geom::Shape;
    use crate::world::Obstacle;

    fn world(pos: Vec2, vel: Vec2, shape: Shape) -> World {
        let mut world = World::example(&[(pos, vel)]);
        world.obstacles.push(Obstacle { name: "it".into(), shape });
        world
    }

    fn disc() -> Shape {
        Shape::Circle { center: Vec2::new(10.0, 0.0), radius: 3.0 }
    }

    #[test]
    fn turns_to_the_side_on_which_it_passes() {
        for side in [-1.0, 1.0] {
            let world = world(Vec2::new(0.0, side), Vec2::new(5.0, 0.0), disc());
            let force = avoid_obstacles(&world.me(0), 2.0, 0.0, 10.0);
            assert!(force.y * side > 0.0, "{force}");
        }
    }

    #[test]
    fn turns_left_exactly_head_on() {
        let world = world(Vec2::ZERO, Vec2::new(5.0, 0.0), disc());
        let force = avoid_obstacles(&world.me(0), 2.0, 0.0, 10.0);
        // Touches after 6 of the 10 units to come.
        assert!((force - Vec2::new(-5.0, 10.0) * 0.4).length() < 1e-5, "{force}");
    }

    #[test]
    fn ignores_what_it_will_not_hit() {
        let me = |pos, vel| avoid_obstacles(&world(pos, vel, disc()).me(0), 2.0, 0.0, 10.0);
        assert_eq!(me(Vec2::ZERO, Vec2::new(-5.0, 0.0)), Vec2::ZERO, "behind");
        assert_eq!(me(Vec2::new(0.0, 4.1), Vec2::new(5.0, 0.0)), Vec2::ZERO, "beside");
        assert_eq!(me(Vec2::ZERO, Vec2::new(2.9, 0.0)), Vec2::ZERO, "too far");
        assert_eq!(me(Vec2::ZERO, Vec2::ZERO), Vec2::ZERO, "at rest");
    }

    #[test]
    fn leaves_a_corner() {
        let room = Shape::Room { min: Vec2::ZERO, max: Vec2::splat(100.0) };
        let mut pos = Vec2::new(80.0, 90.0);
        let mut vel = Vec2::new(9.0, 4.0);
        for _ in 0..200 {
            let force = avoid_obstacles(&world(pos, vel, room.clone()).me(0), 2.0, 0.0, 10.0);
            vel = math::limit(vel + math::limit(force, 10.0) * 0.1, 10.0);
            pos += vel * 0.1;
            assert!(pos.max_element() <= 99.1, "stands in the wall at {pos}");
        }
        assert!(vel.length() > 5.0, "still moves: {vel}");
    }

    #[test]
    fn is_led_out_of_an_obstacle() {
        let world = world(Vec2::new(8.0, 0.0), Vec2::ZERO, disc());
        assert!(avoid_obstacles(&world.me(0), 2.0, 0.0, 10.0).x < 0.0);
    }
}
