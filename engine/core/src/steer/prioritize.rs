//! The first force that is long enough.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Returns the first force of a list that is longer than `epsilon`; the last one if none is.
    ///
    /// A primitive that has nothing to do returns exactly zero, so the order of the list is the priority. With an
    /// `epsilon`, a force that is almost zero does not keep the next one from its turn either. If no force is longer, the
    /// result is the last one as it is, so that the fallback at the end of the list still steers a little. An empty list
    /// gives zero.
    ///
    /// Source: the arbitration by priority of Reynolds 1999; with `epsilon`, `PrioritySteering` of gdx-ai, whose epsilon
    /// is 0.001.
    prioritize(
        me,
        forces: Forces = Param::FORCES,
        epsilon: Number = Param::number("epsilon", "", "the length up to which a force does not count").or(0.0),
    ) combines {
        let first = |rest, &force: &A::Vector| choose(force.norm().le(epsilon), rest, force);
        // If none is longer, the result is the last one.
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
        let me = world.me(0);
        assert_eq!(prioritize(&me, &[Vec2::ZERO, Vec2::X, Vec2::Y], 0.0), Vec2::X);
        assert_eq!(prioritize(&me, &[Vec2::new(1e-30, 0.0), Vec2::Y], 0.0), Vec2::new(1e-30, 0.0));
        assert_eq!(prioritize(&me, &[], 0.0), Vec2::ZERO);
    }

    /// As in gdx-ai, the length must exceed the epsilon, and the last force is the result if none does.
    #[test]
    fn takes_the_first_that_is_longer_than_epsilon() {
        let world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
        let me = world.me(0);
        let forces = [Vec2::new(0.001, 0.0), Vec2::new(0.0, 0.5), Vec2::new(3.0, 4.0)];
        let taken = |epsilon| {
            let force = prioritize(&me, &forces, epsilon);
            forces.iter().position(|one| *one == force).unwrap()
        };
        assert_eq!([0.0, 0.001, 0.5, 4.9, 5.0, 9.0].map(taken), [0, 1, 2, 2, 2, 2]);
        assert_eq!(prioritize(&me, &[Vec2::X, Vec2::new(0.1, 0.0)], 2.0), Vec2::new(0.1, 0.0));
    }
}
