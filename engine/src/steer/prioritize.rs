//! The first force that is not zero.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Returns the first force of a list that is not zero; zero if all of them are.
    ///
    /// A primitive that has nothing to do returns exactly zero, so the order of the list is the priority.
    ///
    /// Source: the arbitration by priority of Reynolds 1999. gdx-ai takes the first force that is longer than a
    /// small length, and the last one if there is none.
    prioritize(
        me,
        forces: Forces = Param::FORCES,
    ) combines {
        let first = |rest, &force: &A::Vector| choose(force.same(me.zero()), rest, force);
        // If all of them are zero, the result is the last one.
        let none = forces.last().map_or(me.zero(), |&last| last + me.zero());
        forces.iter().rev().fold(none, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    #[test]
    fn takes_the_first_that_is_not_zero() {
        let world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
        assert_eq!(prioritize(&world.me(0), &[Vec2::ZERO, Vec2::X, Vec2::Y]), Vec2::X);
        assert_eq!(prioritize(&world.me(0), &[]), Vec2::ZERO);
    }
}
