//! Forces in order of importance, up to a limit.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Adds up a list of forces in order, until the sum reaches a maximum force.
    ///
    /// For each force in turn: stop if |sum| >= max_force, else add the force, limited to the length max_force
    /// - |sum|. A force against the sum makes room for later ones. With a max_force of 0 the sum is zero.
    ///
    /// Source: the "prioritised, weighted, truncated running sum" of Buckland; also in Yuka. The numbers are the same;
    /// there, a weight belongs to each behavior, and later behaviors are not computed once the maximum is reached.
    budget(
        me,
        forces: Forces = Param::FORCES,
        max_force: Number = Param::MAX_FORCE,
    ) combines {
        let mut sum = me.zero();
        for &force in forces {
            let used = sum.norm();
            let left = max_force - used;
            let fits = left.gt(me.number(0.0));
            let limited = force.limit(choose(fits, left, me.number(0.0)));
            sum = choose(fits, sum + limited, sum);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{self, Vec2};
    use crate::world::World;

    #[test]
    fn adds_forces_in_order_up_to_the_maximum() {
        let world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
        let sum = |max_force| {
            budget(&world.me(0), &[Vec2::new(3.0, 0.0), Vec2::new(0.0, 9.0), Vec2::ONE], max_force)
        };
        assert_eq!(sum(2.0), Vec2::new(2.0, 0.0));
        assert_eq!(sum(5.0), Vec2::new(3.0, 2.0) + math::limit(Vec2::ONE, 5.0 - 13f32.sqrt()));
        assert_eq!(sum(f32::INFINITY), Vec2::new(4.0, 10.0));
        assert_eq!(sum(0.0), Vec2::ZERO);
    }
}
