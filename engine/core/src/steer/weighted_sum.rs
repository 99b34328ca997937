//! A sum with one weight for each force.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Adds up a list of forces, each multiplied by its weight, and limits the sum.
    ///
    /// force = limit(sum of weight * force, max_force)
    ///
    /// The same as `(2.0 * a + 0.5 * b).limit(me.max_force)`, with the weights in a list: a constant, or numbers that the
    /// script computes. A weight may be 0 or negative.
    ///
    /// Source: `BlendedSteering` of gdx-ai; the weighted, truncated sum of Buckland.
    weighted_sum(
        me,
        forces: Forces = Param::vectors("forces", "the forces"),
        weights: Numbers = Param::numbers("weights", "the weight of each force"),
        max_force: Number = Param::MAX_FORCE,
    ) combines {
        let weighted = forces.iter().zip(weights).map(|(&force, &weight)| force * weight);
        weighted.fold(me.zero(), |sum, force| sum + force).limit(max_force)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::steer::{Arg, find};
    use crate::world::World;

    #[test]
    fn adds_weighted_forces_and_limits_the_sum() {
        let world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
        let sum = |weights: [f32; 2], max_force| {
            weighted_sum(&world.me(0), &[Vec2::X, Vec2::new(0.0, 2.0)], &weights, max_force)
        };
        assert_eq!(sum([3.0, 2.0], f32::INFINITY), Vec2::new(3.0, 4.0));
        assert_eq!(sum([3.0, 2.0], 2.5), Vec2::new(1.5, 2.0));
        assert_eq!(sum([-1.0, 0.0], 5.0), -Vec2::X);
        assert_eq!(sum([1.0, 1.0], 0.0), Vec2::ZERO);
        assert_eq!(weighted_sum(&world.me(0), &[], &[], 1.0), Vec2::ZERO);
    }

    #[test]
    fn each_force_needs_a_weight() {
        let world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
        let args = [Arg::Forces(&[Vec2::X, Vec2::Y]), Arg::Numbers(&[1.0])];
        let error = find("weighted_sum").unwrap().call(&world.me(0), &args).unwrap_err();
        assert_eq!(
            error.to_string(),
            "weighted_sum: `weights` must have one number for each of 2 forces, but has 1"
        );
    }
}
