//! The first that has something to say.

use super::algebra::*;
use super::{Param, primitive};
use crate::math::Vec2;

primitive! {
    /// The first force of a list that is not zero; zero if all are.
    ///
    /// Primitives that have nothing to do answer with exactly zero, so the order is the priority.
    ///
    /// Source: the arbitration by priority of Reynolds 1999. gdx-ai asks for more than a small length
    /// instead, and returns the last one if none has it.
    prioritize(
        me,
        forces: Forces = Param::FORCES,
    ) combines {
        let first = |rest, &force: &A::Vector| choose(force.same(me.zero()), rest, force);
        // Where all are zero it comes down to the last one.
        let none = forces.last().map_or(me.zero(), |&last| last + me.zero());
        forces.iter().rev().fold(none, first)
    }
}

/// By which number each force goes into the result: 1 for the one that is chosen, 0 for the others. Where
/// all are zero it comes down to the last.
pub(super) fn scales(forces: &[Vec2]) -> Vec<f32> {
    let first = forces.iter().position(|&force| force != Vec2::ZERO);
    let chosen = first.or(forces.len().checked_sub(1));
    let scale = |place| if Some(place) == chosen { 1.0 } else { 0.0 };
    (0..forces.len()).map(scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    #[test]
    fn takes_the_first_that_is_not_zero() {
        let world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
        assert_eq!(prioritize(&world.me(0), &[Vec2::ZERO, Vec2::X, Vec2::Y]), Vec2::X);
        assert_eq!(prioritize(&world.me(0), &[]), Vec2::ZERO);
    }
}
