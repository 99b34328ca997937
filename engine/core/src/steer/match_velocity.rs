//! Moving at a given velocity.

use super::{Param, primitive};

primitive! {
    /// Steers to a given velocity, or to the velocity of another agent.
    ///
    /// force = velocity - vel
    ///
    /// The force is defined for every input. It is zero if the agent already has that velocity.
    ///
    /// Source: gdx-ai, "MatchVelocity", but without its division by a time: mass and max_force of the body
    /// decide how soon the velocity is reached.
    match_velocity(
        me,
        velocity: Vector = Param::vector("velocity", "the velocity to reach, or the agent whose velocity to match"),
    ) returns ToDesiredVelocity {
        velocity - me.vel()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    #[test]
    fn returns_the_difference_of_velocities() {
        let world = World::example(&[(Vec2::ZERO, Vec2::new(1.0, 2.0))]);
        assert_eq!(match_velocity(&world.me(0), Vec2::new(4.0, 0.0)), Vec2::new(3.0, -2.0));
    }
}
