//! As much of each as there is force for, in order.

use super::algebra::*;
use super::{Param, primitive};
use crate::math::{self, Vec2};

primitive! {
    /// The sum of a list of forces, cut where the most that is allowed is reached.
    ///
    /// For each force in turn: stop if |sum| >= most, else add the force, cut to most - |sum|. A force
    /// against the sum gives room back. With most 0 the sum is zero.
    ///
    /// Source: the "prioritised, weighted, truncated running sum" of Buckland, also Yuka's.
    budget(
        me,
        forces: Forces = Param::FORCES,
        most: Number = Param::MOST,
    ) combines {
        let mut sum = me.zero();
        for &force in forces {
            let used = sum.norm();
            let left = most - used;
            let fits = left.gt(me.number(0.0));
            let part = force.limit(choose(fits, left, me.number(0.0)));
            sum = choose(fits, sum + part, sum);
        }
        sum
    }
}

/// By which number each force goes into the sum: 1 for what is taken whole, 0 for what is left out.
pub(super) fn scales(forces: &[Vec2], most: f32) -> Vec<f32> {
    let mut sum = Vec2::ZERO;
    let scale = |&force: &Vec2| {
        let used = math::length(sum);
        if used >= most {
            return 0.0;
        }
        sum += math::limit(force, most - used);
        math::limit_scale(force, most - used)
    };
    forces.iter().map(scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    #[test]
    fn spends_in_order() {
        let world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
        let sum = |most| {
            budget(&world.me(0), &[Vec2::new(3.0, 0.0), Vec2::new(0.0, 9.0), Vec2::ONE], most)
        };
        assert_eq!(sum(2.0), Vec2::new(2.0, 0.0));
        assert_eq!(sum(5.0), Vec2::new(3.0, 2.0) + math::limit(Vec2::ONE, 5.0 - 13f32.sqrt()));
        assert_eq!(sum(f32::INFINITY), Vec2::new(4.0, 10.0));
        assert_eq!(sum(0.0), Vec2::ZERO);
    }
}
