//! Moving with a flow.

use super::algebra::*;
use super::stay_on_path::ahead;
use super::{Cause, Param, primitive};
use crate::world::Question;

primitive! {
    /// Steers with a flow, such as a wind or a river.
    ///
    /// desired velocity = limit(flow, 1) * speed, force = desired velocity - vel; zero if flow is zero
    ///
    /// The flow of a field of the scenario is its vector at pos + vel * horizon, where the agent is about to be, so that
    /// the agent turns in time. A vector is the flow itself, such as the result of a function of the script, and horizon
    /// does not matter.
    ///
    /// A flow of length 1 is full speed; a longer one counts as 1.
    ///
    /// Source: Reynolds 1999, "Flow field following"; gdx-ai, "Follow Flow Field". SharpSteer2 has the force with the
    /// opposite sign.
    flow_field(
        me,
        flow: Flow = Param::flow("flow", "the flow, 1 for full speed"),
        horizon: Number = Param::number("horizon", "s", "how far ahead to predict the position, as a time").or(0.5),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocityOrZero {
        let flow = match flow {
            Flow::Vector(flow) => flow,
            Flow::Field(field) => {
                let index = me.index_of(field);
                let about = [ahead(me, horizon), Vector::new(index, index), me.zero()];
                me.ask(me.always(), Question::Flow, about).0
            }
        };
        let desired = flow.limit(me.number(1.0));
        choose(flow.same(me.zero()), me.zero(), me.steer(desired, speed))
    } reacts_to {
        match flow {
            Flow::Field(field) => Cause::field(me, field, ahead(me, horizon)),
            Flow::Vector(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::{Field, FieldId, FieldShape, World};

    #[test]
    fn takes_the_direction_and_the_strength_of_the_flow() {
        let world = World::example(&[(Vec2::ZERO, Vec2::new(2.0, 0.0))]);
        let force = |flow| flow_field(&world.me(0), Flow::Vector(flow), 0.5, 10.0);
        assert_eq!(force(Vec2::new(0.0, 0.5)), Vec2::new(-2.0, 5.0));
        assert_eq!(force(Vec2::new(0.0, 1.0)), Vec2::new(-2.0, 10.0));
        assert_eq!(force(Vec2::new(0.0, 7.0)), Vec2::new(-2.0, 10.0), "not faster than speed");
        assert_eq!(force(Vec2::ZERO), Vec2::ZERO, "no flow");
    }

    #[test]
    fn asks_a_field_for_the_place_ahead() {
        let mut world = World::example(&[(Vec2::new(3.0, 0.0), Vec2::new(4.0, 0.0))]);
        let center = Vec2::new(3.0, 0.0);
        let shape = FieldShape::Vortex { center, radius: 2.0, strength: 0.5 };
        world.fields.push(Field { name: "whirl".into(), shape });
        let force = |horizon| flow_field(&world.me(0), Flow::Field(FieldId(0)), horizon, 10.0);
        assert_eq!(force(0.0), Vec2::ZERO, "no flow in the middle");
        assert_eq!(force(0.5), Vec2::new(-4.0, 5.0), "2 to the right");
        assert_eq!(force(1.0), Vec2::new(-4.0, 4.0), "4 to the right");
    }
}
