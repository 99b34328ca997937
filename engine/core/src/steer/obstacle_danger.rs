//! How dangerous a way is because of obstacles.

use super::algebra::*;
use super::{Cause, Param, primitive};
use crate::math::{self, Vec2};
use crate::world::Me;

primitive! {
    /// Returns the danger of an obstacle in the way: a direction for `context`, not a force.
    ///
    /// The agent's disc is swept along velocity for horizon seconds. If it touches an obstacle after a fraction s of that
    /// distance, danger = unit(velocity) * (1 - s): of length 1 if it touches one now, nearly 0 if it touches one at the
    /// end. Zero if the way is free, at zero velocity, and for a way that leads out of the obstacle or along its surface.
    ///
    /// Source: the rays of obstacle avoidance in context steering; Fray, "Context Steering" (Game AI Pro 2, 2015).
    obstacle_danger(
        me,
        velocity: Vector = Param::vector("velocity", "the way to test, as the velocity to go there with"),
        horizon: Number = Param::number("horizon", "s", "how far ahead to look for obstacles, as a time").or(1.0),
    ) returns Raw and sees_obstacles {
        let reach = (velocity.norm() * horizon).least(me.number(f32::MAX));
        let hit = me.first_hit(reach.gt(me.number(0.0)), velocity, reach, me.radius());
        let leads_into = velocity.dot(hit.normal).lt(me.number(0.0));
        me.where_true(hit.found & leads_into, || {
            velocity.unit() * (me.number(1.0) - hit.distance / reach)
        })
    } reacts_to {
        first_obstacle(me, velocity, horizon)
    }
}

/// Returns the obstacle that an agent would touch first, if the way leads into it.
fn first_obstacle(me: &Me<'_>, velocity: Vec2, horizon: f32) -> Cause {
    let reach = math::min(math::length(velocity) * horizon, f32::MAX);
    let hit = || me.world().first_hit(me.pos(), velocity, reach, me.body().radius);
    match (reach > 0.0).then(hit).flatten() {
        Some((id, hit)) if velocity.dot(hit.normal) < 0.0 => Cause::Obstacle {
            id,
            name: me.world().obstacle(id).name.clone(),
            at: hit.point,
            distance: hit.distance,
        },
        _ => Cause::NothingAhead,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::world::{Obstacle, World};

    /// Returns the danger for an agent at a point, 7 from the center of a disc of radius 3 if that is the origin.
    fn danger(pos: Vec2, velocity: Vec2, horizon: f32) -> Vec2 {
        let mut world = World::example(&[(pos, Vec2::ZERO)]);
        let shape = Shape::Circle { center: Vec2::new(7.0, 0.0), radius: 3.0 };
        world.obstacles.push(Obstacle { name: "it".into(), shape });
        obstacle_danger(&world.me(0), velocity, horizon)
    }

    #[test]
    fn rises_from_the_end_of_the_way_to_the_obstacle() {
        // The radius of the agent is 1, so that it can move 3.
        assert_eq!(danger(Vec2::ZERO, Vec2::new(2.0, 0.0), 2.0), Vec2::new(0.25, 0.0));
        assert_eq!(danger(Vec2::ZERO, Vec2::new(2.0, 0.0), 1.4), Vec2::ZERO);
        assert_eq!(danger(Vec2::ZERO, Vec2::new(-2.0, 0.0), 9.0), Vec2::ZERO);
        assert_eq!(danger(Vec2::ZERO, Vec2::ZERO, 9.0), Vec2::ZERO);
        assert_eq!(danger(Vec2::ZERO, Vec2::X, 0.0), Vec2::ZERO);
        assert_eq!(danger(Vec2::ZERO, Vec2::X, f32::INFINITY), Vec2::X);
    }

    #[test]
    fn a_way_out_is_not_dangerous() {
        let touching = Vec2::new(3.5, 0.0);
        assert_eq!(danger(touching, Vec2::X, 1.0), Vec2::X);
        assert_eq!(danger(touching, Vec2::Y, 1.0), Vec2::ZERO);
        assert_eq!(danger(touching, -Vec2::X, 1.0), Vec2::ZERO);
    }
}
