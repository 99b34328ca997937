//! Moving with a flow.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Steers with a flow: the value of a field of directions at the agent's place.
    ///
    /// desired velocity = limit(flow, 1) * speed, force = desired velocity - vel; zero if flow is zero
    ///
    /// A flow of length 1 is full speed; a longer one counts as 1. The field is a function of the script, such as `fn
    /// wind(p) { (p - vec(80, 45)).perp() / 30 }`. Ask it for the place where the agent will be, and the agent
    /// turns in time: `me.flow_field(wind(me.pos + 0.5 * me.vel))`. Where the field says nothing, return a zero
    /// vector.
    ///
    /// Source: Reynolds 1999, "Flow field following"; gdx-ai, "Follow Flow Field". SharpSteer2 has the force with the
    /// opposite sign.
    flow_field(
        me,
        flow: Vector = Param::vector("flow", "the flow at the place that counts, 1 for full speed"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocityOrZero {
        let desired = flow.limit(me.number(1.0));
        choose(flow.same(me.zero()), me.zero(), me.steer(desired, speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    #[test]
    fn takes_the_direction_and_the_strength_of_the_flow() {
        let world = World::example(&[(Vec2::ZERO, Vec2::new(2.0, 0.0))]);
        let force = |flow| flow_field(&world.me(0), flow, 10.0);
        assert_eq!(force(Vec2::new(0.0, 0.5)), Vec2::new(-2.0, 5.0));
        assert_eq!(force(Vec2::new(0.0, 1.0)), Vec2::new(-2.0, 10.0));
        assert_eq!(force(Vec2::new(0.0, 7.0)), Vec2::new(-2.0, 10.0), "not faster than speed");
        assert_eq!(force(Vec2::ZERO), Vec2::ZERO, "no flow");
    }
}
