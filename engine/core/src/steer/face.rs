//! Turning toward a point.

use super::algebra::*;
use super::{Param, RADIANS, primitive};
use crate::math::{self, Unary};

primitive! {
    /// Stops the agent and turns it toward a point.
    ///
    /// desired velocity = unit(target - pos) * speed, or zero if the heading is within tolerance of that direction;
    /// force = desired velocity - vel
    ///
    /// The heading of an agent is the direction of its last motion, so an agent that turns must move: at speed, which is
    /// very low unless you pass more. Once the agent faces the point, it stands still and its heading stays. At
    /// the point itself it only stops.
    ///
    /// Source: gdx-ai, "Face", for agents whose heading follows their velocity. So every agent looks where it is
    /// going, and there is no primitive for that.
    face(
        me,
        target: Vector = Param::point("target", "the point to turn to"),
        tolerance: Number = Param::number("tolerance", RADIANS, "the angle between heading and direction that is near enough").or(0.01),
        speed: Number = Param::number("speed", "world units/s", "the speed at which to turn").or(0.01),
    ) returns ToDesiredVelocity {
        let toward = me.to(target).unit();
        let near = tolerance.least(me.number(math::PI)).unary(Unary::Cos);
        let is_facing = me.heading().dot(toward).ge(near);
        let speed = speed.least(me.number(f32::MAX));
        me.steer(toward, choose(is_facing, me.number(0.0), speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    #[test]
    fn creeps_toward_the_point_until_it_faces_it() {
        let world = World::example(&[(Vec2::ZERO, Vec2::new(2.0, 0.0))]);
        let force = |target| face(&world.me(0), target, 0.1, 0.5);
        assert_eq!(force(Vec2::new(0.0, 9.0)), Vec2::new(-2.0, 0.5));
        assert_eq!(force(Vec2::new(9.0, 0.0)), Vec2::new(-2.0, 0.0), "faces it");
        assert_eq!(force(Vec2::new(9.0, 0.89)), Vec2::new(-2.0, 0.0), "nearly");
        assert_ne!(force(Vec2::new(9.0, 0.91)), Vec2::new(-2.0, 0.0), "too far off");
        assert_eq!(force(Vec2::ZERO), Vec2::new(-2.0, 0.0), "at the point");
    }
}
