//! One force of a list, by chance.

use super::algebra::*;
use super::{Param, primitive};
use crate::math::Binary;

primitive! {
    /// Takes one force of a list by chance: each one that is not zero gets its turn, the most important first.
    ///
    /// For each force in turn that is not zero: with the probability `chance` the result is `force / chance`, limited to
    /// max_force; else the next one gets its turn. Zero if none is taken. The division makes up for the ticks in which a
    /// force is not taken. A chance from 1 on always takes the force as it is, a chance of 0 never.
    ///
    /// `random` decides. With `me.random()` the agent decides anew in each tick; with a number that the script keeps for
    /// some time, the choice lasts as long. One number is enough for the whole list: what is left of it after one force
    /// decides about the next.
    ///
    /// Source: the prioritized dithering of Reynolds and Buckland, which computes only the forces that get their turn.
    /// Here all are computed.
    dither(
        me,
        forces: Forces = Param::FORCES,
        chances: Numbers = Param::numbers("chances", "the probability of each force, from 0 to 1"),
        random: Number = Param::number("random", "", "a random number from 0 up to 1, such as me.random()"),
        max_force: Number = Param::MAX_FORCE,
    ) combines {
        let (zero, one) = (me.number(0.0), me.number(1.0));
        let (mut taken, mut random, mut is_open) = (me.zero(), random, me.always());
        for (&force, &chance) in forces.iter().zip(chances) {
            // NaN is no chance.
            let chance = chance.binary(Binary::Max, zero).least(one);
            let has_turn = is_open & !force.same(me.zero());
            let is_taken = has_turn & (random.lt(chance) | chance.ge(one));
            let scaled = force * (one / chance.binary(Binary::Max, me.number(LEAST_CHANCE)));
            taken = choose(is_taken, scaled, taken);
            // Given that it is at least the chance, this is again evenly distributed from 0 to 1.
            random = choose(has_turn & !is_taken, (random - chance) / (one - chance), random);
            is_open = is_open & !is_taken;
        }
        taken.limit(max_force)
    }
}

/// A force is divided by this if its chance is less, so that the result stays finite.
const LEAST_CHANCE: f32 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    fn taken(forces: &[Vec2], chances: &[f32], random: f32) -> Vec2 {
        let world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
        dither(&world.me(0), forces, chances, random, 100.0)
    }

    #[test]
    fn takes_forces_with_their_chances() {
        let (forces, chances) = ([Vec2::X, Vec2::Y], [0.5, 0.5]);
        // The second one gets its turn if the number is at least 0.5; (0.7 - 0.5) / 0.5 = 0.4 is less than its chance.
        assert_eq!(taken(&forces, &chances, 0.4), 2.0 * Vec2::X);
        assert_eq!(taken(&forces, &chances, 0.7), 2.0 * Vec2::Y);
        assert_eq!(taken(&forces, &chances, 0.8), Vec2::ZERO);
        // A force that is zero passes the number on as it is.
        assert_eq!(taken(&[Vec2::ZERO, Vec2::Y], &chances, 0.4), 2.0 * Vec2::Y);
        assert_eq!(taken(&[], &[], 0.4), Vec2::ZERO);
    }

    #[test]
    fn certain_and_impossible_forces_do_not_depend_on_the_number() {
        let forces = [Vec2::X, Vec2::Y, Vec2::ONE];
        let largest = 1.0 - f32::EPSILON / 2.0;
        for random in [0.0, 0.3, 0.999, largest] {
            assert_eq!(taken(&forces, &[0.0, 1.0, 1.0], random), Vec2::Y);
            assert_eq!(taken(&forces, &[-1.0, f32::NAN, 2.0], random), Vec2::ONE);
        }
        // Whatever rounding leaves of the number, the last force is certain.
        for chance in [0.1, 0.3, 1.0 / 3.0, 0.9, 0.999] {
            assert_eq!(taken(&forces, &[chance, chance, 1.0], largest), Vec2::ONE);
        }
    }

    /// Buckland draws a number for each force. The probabilities are the same: p, then (1 - p) * q, and so on.
    #[test]
    fn shares_of_many_numbers_are_those_of_independent_draws() {
        let (forces, chances) = ([Vec2::X, Vec2::ZERO, Vec2::Y, -Vec2::X], [0.2, 0.9, 0.5, 1.0]);
        let count = 100_000;
        let mut counts = [0; 3];
        for i in 0..count {
            let force = taken(&forces, &chances, i as f32 / count as f32);
            counts[if force.x > 0.0 {
                0
            } else if force.y > 0.0 {
                1
            } else {
                2
            }] += 1;
        }
        for (counted, probability) in counts.into_iter().zip([0.2, 0.8 * 0.5, 0.8 * 0.5]) {
            let share = f64::from(counted) / f64::from(count);
            assert!((share - probability).abs() < 1e-4, "{counts:?}");
        }
    }
}
