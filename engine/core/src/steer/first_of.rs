//! The index of the first force that is long enough.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Returns the index of the force that `prioritize` takes.
    ///
    /// The first force that is longer than `epsilon` has it; the last one if none is; -1 for an empty list. A script that
    /// remembers the index for some time can keep to a force: `forces[index]`.
    ///
    /// Source: gdx-ai and GDQuest's framework tell which behavior was taken; `getSelectedBehaviorIndex`.
    first_of(
        me,
        forces: Forces = Param::FORCES,
        epsilon: Number = Param::number("epsilon", "", "the length up to which a force does not count").or(0.0),
    ) chooses {
        let index = |place: usize| me.number(place as f32);
        let none = forces.len().checked_sub(1).map_or(me.number(-1.0), index);
        let first = |rest, (place, &force): (usize, &A::Vector)| {
            choose(force.norm().le(epsilon), rest, index(place))
        };
        forces.iter().enumerate().rev().fold(none, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::steer::prioritize;
    use crate::world::World;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_force_that_prioritize_takes(
            sizes in prop::collection::vec(0u8..4, 1..5),
            epsilon in prop_oneof![Just(0.0f32), Just(1.0), Just(2.5), Just(9.0)],
        ) {
            let world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
            let me = world.me(0);
            let forces: Vec<Vec2> =
                sizes.iter().enumerate().map(|(i, &size)| Vec2::new(0.0, f32::from(size)) * if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
            let place = first_of(&me, &forces, epsilon);
            prop_assert_eq!(forces[place as usize], prioritize(&me, &forces, epsilon));
        }
    }

    #[test]
    fn an_empty_list_has_none() {
        let world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
        assert_eq!(first_of(&world.me(0), &[], 0.0), -1.0);
    }
}
