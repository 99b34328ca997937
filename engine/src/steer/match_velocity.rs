//! Moving as something else does.

use super::{Param, primitive};

primitive! {
    /// Steers to a given velocity, or to that of another agent.
    ///
    /// force = velocity - vel
    ///
    /// Defined everywhere; where nothing moves it is zero.
    ///
    /// Source: gdx-ai, "MatchVelocity", without its division by a time: how quickly it is reached is for
    /// the body's mass and max_force.
    match_velocity(
        me,
        velocity: Vector = Param::vector("velocity", "the velocity to have, or an agent to move like"),
    ) wants Always {
        velocity - me.vel()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    #[test]
    fn wants_the_difference() {
        let world = World::example(&[(Vec2::ZERO, Vec2::new(1.0, 2.0))]);
        assert_eq!(match_velocity(&world.me(0), Vec2::new(4.0, 0.0)), Vec2::new(3.0, -2.0));
    }
}
