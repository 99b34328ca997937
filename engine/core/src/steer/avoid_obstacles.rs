//! Getting around obstacles.

use super::algebra::*;
use super::{Cause, Param, primitive};

primitive! {
    /// Steers around the obstacle that the agent would hit first.
    ///
    /// The agent's disc, grown by margin, is swept along its velocity for horizon seconds. If it would touch an
    /// obstacle after a fraction s of that distance, force = (along * speed - vel) * (1 - s), where along is
    /// the direction of travel turned parallel to the obstacle's surface. If it would touch nothing, the force
    /// is zero.
    ///
    /// If the path along the surface soon ends at another obstacle, as in a corner, along leans away from both.
    /// Exactly head-on, the agent turns left. An agent that touches or overlaps an obstacle is steered out of
    /// it and along its surface. At zero speed, only obstacles that the agent touches count, and the heading
    /// takes the place of the velocity.
    ///
    /// Source: Reynolds 1999, "Obstacle Avoidance", with the lateral direction of OpenSteer, which gives no
    /// force at all exactly head-on. Buckland's detection box pushes to the same side wherever the obstacle is.
    avoid_obstacles(
        me,
        horizon: Number = Param::number("horizon", "s", "how far ahead to look for obstacles, as a time").or(2.0),
        margin: Number = Param::number("margin", "world units", "the distance to keep from obstacles").or(0.0),
        speed: Number = Param::SPEED,
    ) returns Raw and sees_obstacles and needs_a_side {
        let (ahead, reach) = path_ahead(me, horizon);
        let hit = me.first_hit(me.always(), ahead, reach, me.radius() + margin);
        me.where_true(hit.found, || around(me, &hit, ahead, reach, speed))
    } reacts_to {
        let (ahead, reach) = path_ahead(me, horizon);
        match me.world().first_hit(me.pos(), ahead, reach, me.body().radius + margin) {
            Some((id, hit)) => Cause::Obstacle {
                id,
                name: me.world().obstacle(id).name.clone(),
                at: hit.point,
                distance: hit.distance,
            },
            None => Cause::NothingAhead,
        }
    }
}

/// Returns the force around an obstacle that the agent would hit within the distance `reach`.
fn around<A: Perception>(
    me: &A,
    hit: &FirstHit<A>,
    ahead: A::Vector,
    reach: A::Number,
    speed: A::Number,
) -> A::Vector {
    let lateral = ahead - hit.normal * ahead.dot(hit.normal);
    let is_head_on = lateral.norm().lt(me.number(HEAD_ON));
    let along = choose(is_head_on, ahead.perp(), lateral.unit());
    let (zero, one) = (me.number(0.0), me.number(1.0));
    let touching = hit.distance.le(zero);
    let lean = choose(touching, hit.normal, me.zero());
    // If the path along the obstacle ends at another one, lean away from both: the sooner it ends, the more.
    let end = me.first_hit(hit.found, along, reach, me.radius());
    let corner = (hit.normal + end.normal) * (one - end.distance / reach);
    let corner = choose(end.found & end.distance.gt(zero), corner, me.zero());
    let along = (along + lean + corner).unit();
    let urgency = choose(touching, one, one - hit.distance / reach);
    me.steer(along, speed) * urgency
}

/// A direction counts as head-on if the sine of its angle to the surface's normal is below this: otherwise
/// rounding would decide the side.
const HEAD_ON: f32 = 1e-4;

/// Returns the direction and the length of the path that the agent is about to take.
fn path_ahead<A: Perception>(me: &A, horizon: A::Number) -> (A::Vector, A::Number) {
    let along = me.vel().unit();
    let ahead = choose(along.same(me.zero()), me.heading(), along);
    (ahead, (me.vel().norm() * horizon).least(me.number(f32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{self, Vec2};
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
        // It touches the disc after 6 of 10 units.
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
