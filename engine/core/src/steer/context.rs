//! Context maps: the best of several directions that are not too dangerous.

use super::algebra::*;
use super::{Param, RADIANS, SLOTS, primitive};
use crate::math::{Binary, PI, Unary};

pub(super) const INTERESTS: Param =
    Param::vectors("interests", "the directions to go, each as long as it is interesting");
pub(super) const DANGERS: Param =
    Param::vectors("dangers", "the directions not to go, each as long as it is dangerous");
pub(super) const TOLERANCE: Param =
    Param::number("tolerance", "", "how much danger is accepted above the least").or(0.1);
pub(super) const SPREAD: Param =
    Param::number("spread", RADIANS, "the angle beside a danger at which it ends").or(PI / 4.0);

primitive! {
    /// Chooses the most interesting of several directions that are not too dangerous.
    ///
    /// Interests and dangers are vectors: where to, and how much. The circle is divided into `slots`, of which slot 0
    /// points along x and the others follow counter-clockwise if y points up.
    ///
    /// In the direction of each slot:
    /// interest = the largest of |v| cos(angle to v) over all interests v, at least 0
    /// danger = the largest of |v| (cos(angle to v) - cos(spread)) / (1 - cos(spread)) over all dangers v, at least 0
    ///
    /// A slot is masked if its danger is above the least danger of all slots by more than `tolerance`. The slot with the
    /// largest interest among the others wins; of two equal ones, the one to the left of the sum of the interests. If
    /// neither of its neighbors is masked, the direction is that of the vertex of the parabola through the three
    /// interests; else it is that of the slot.
    ///
    /// The result points there and is as long as the interest in that direction: it is the part of the strongest
    /// interest along it. So with interests of length 1, `me.match_velocity(me.max_speed * context(...))` slows down on
    /// a detour. A slot with the least danger is never masked. The result is zero if no slot that is left has any
    /// interest, in particular without interests. A vector of length 0 counts for nothing. A `spread` below 0.01 counts
    /// as 0.01, and one above PI as PI; a danger that is narrower than a slot may fall between two.
    ///
    /// Source: Fray, "Context Steering" (Game AI Pro 2, 2015), which interpolates by the slopes on both sides.
    /// bevy-steering takes the least danger above zero, and a weighted mean of five slots. In both, dangers are as wide
    /// as interests, which is a spread of PI / 2.
    context(
        me,
        interests: Forces = INTERESTS,
        dangers: Forces = DANGERS,
        tolerance: Number = TOLERANCE,
        spread: Number = SPREAD,
        slots: Slots = Param::SLOTS,
    ) combines and knows_direction and needs_a_side {
        let slot = best_slot(me, interests, dangers, (tolerance, spread), slots);
        let (zero, half) = (me.number(0.0), me.number(0.5));
        let (left, right) = (slot.left, slot.right);
        // The parabola is open downward, and its vertex is at most half a slot away.
        let bend = (left - slot.interest) + (right - slot.interest);
        let is_peak = left.ge(zero) & right.ge(zero) & bend.lt(zero);
        let vertex = choose(is_peak, (right - left) * half / bend, zero);
        // Half a slot away, this is exactly between the two slots.
        let tangent = 2.0 * half_slot_tangent(slots);
        let direction = (slot.direction + slot.direction.perp() * (vertex * me.number(tangent))).unit();
        let mut longest = (zero, me.zero());
        for &interest in interests {
            let along = interest.dot(direction);
            let is_longer = along.gt(longest.0);
            // The part of the interest along the direction, so that the primitive that it comes from has a share.
            longest = (
                choose(is_longer, along, longest.0),
                choose(is_longer, direction * along, longest.1),
            );
        }
        longest.1
    }
}

/// The slot with the largest interest of those that are not masked.
pub(super) struct Slot<A: Algebra> {
    pub(super) index: A::Number,
    direction: A::Vector,
    /// At least 0.
    pub(super) interest: A::Number,
    /// The interests of the next and the previous slot; negative if that is masked.
    left: A::Number,
    right: A::Number,
}

/// Returns the slot that has the most interest of those that are not masked; without any interest, its index has no
/// meaning.
pub(super) fn best_slot<A: Algebra>(
    me: &A,
    interests: &[A::Vector],
    dangers: &[A::Vector],
    (tolerance, spread): (A::Number, A::Number),
    slots: usize,
) -> Slot<A> {
    let zero = me.number(0.0);
    let directions = directions(slots);
    let directions = &directions[..slots];
    let danger = danger_map(me, directions, dangers, spread);
    let least = danger[..slots].iter().fold(me.number(f32::INFINITY), |least, &x| least.least(x));
    let accepted = least + tolerance;
    let mut open = interest_map(me, directions, interests);
    for (interest, &danger) in open.iter_mut().zip(&danger) {
        *interest = choose(danger.gt(accepted), me.number(-1.0), *interest);
    }
    let (all_x, all_y) = interests.iter().fold(me.zero(), |sum, &v| sum + v).parts();
    let at = |(x, y): (f32, f32)| A::Vector::new(me.number(x), me.number(y));
    let mut best = Slot::<A> {
        index: zero,
        direction: me.zero(),
        interest: zero,
        left: me.number(-1.0),
        right: me.number(-1.0),
    };
    for (slot, &(x, y)) in directions.iter().enumerate() {
        let interest = open[slot];
        let is_left = (all_x * me.number(y) - all_y * me.number(x)).gt(zero);
        let is_better = interest.gt(best.interest) | (interest.eq(best.interest) & is_left);
        best = Slot {
            index: choose(is_better, me.number(slot as f32), best.index),
            direction: choose(is_better, at((x, y)), best.direction),
            interest: choose(is_better, interest, best.interest),
            left: choose(is_better, open[(slot + 1) % slots], best.left),
            right: choose(is_better, open[(slot + slots - 1) % slots], best.right),
        };
    }
    best
}

/// The maximum number of slots.
const MAX_SLOTS: usize = SLOTS[SLOTS.len() - 1];

/// Returns the interest in each direction.
fn interest_map<A: Algebra>(
    me: &A,
    directions: &[(f32, f32)],
    interests: &[A::Vector],
) -> [A::Number; MAX_SLOTS] {
    let mut map = [me.number(0.0); MAX_SLOTS];
    for &interest in interests {
        let (x, y) = interest.parts();
        for (slot, &(cos, sin)) in map.iter_mut().zip(directions) {
            let along = x * me.number(cos) + y * me.number(sin);
            *slot = along.binary(Binary::Max, *slot);
        }
    }
    map
}

/// Returns the danger in each direction.
fn danger_map<A: Algebra>(
    me: &A,
    directions: &[(f32, f32)],
    dangers: &[A::Vector],
    spread: A::Number,
) -> [A::Number; MAX_SLOTS] {
    let mut map = [me.number(0.0); MAX_SLOTS];
    let spread = spread.binary(Binary::Max, me.number(0.01)).least(me.number(PI));
    let border = spread.unary(Unary::Cos);
    let scale = me.number(1.0) / (me.number(1.0) - border);
    for &danger in dangers {
        let (x, y) = (danger * scale).parts();
        let subtracted = danger.norm() * border * scale;
        for (slot, &(cos, sin)) in map.iter_mut().zip(directions) {
            let along = x * me.number(cos) + y * me.number(sin) - subtracted;
            *slot = along.binary(Binary::Max, *slot);
        }
    }
    map
}

/// Cosines of 0 to 8 times 1/32 of a turn.
const COSINES: [f32; 9] = [
    1.0,
    0.980_785_25,
    0.923_879_5,
    0.831_469_6,
    0.707_106_77,
    0.555_570_24,
    0.382_683_43,
    0.195_090_32,
    0.0,
];

/// Returns the cosines and sines of the directions of all slots; elements after the last slot have no meaning. They are
/// exactly symmetric: turned by a quarter turn, they are the same.
fn directions(slots: usize) -> [(f32, f32); MAX_SLOTS] {
    let mut all = [(0.0, 0.0); MAX_SLOTS];
    for (slot, direction) in all.iter_mut().enumerate().take(slots) {
        let step = slot * (MAX_SLOTS / slots);
        let (cos, sin) = (COSINES[step % 8], COSINES[8 - step % 8]);
        *direction = [(cos, sin), (-sin, cos), (-cos, -sin), (sin, -cos)][step / 8];
    }
    all
}

/// Returns the tangent of half the angle between two slots.
fn half_slot_tangent(slots: usize) -> f32 {
    let (cos, sin) = directions(slots)[1];
    sin / (1.0 + cos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{self, Vec2, direction};
    use crate::steer::context_slot;
    use crate::world::{Me, World};
    use proptest::prelude::*;

    fn world() -> World {
        World::example(&[(Vec2::ZERO, Vec2::ZERO)])
    }

    /// Returns the direction with 16 slots and the default arguments.
    fn way(interests: &[Vec2], dangers: &[Vec2]) -> Vec2 {
        context(&world().me(0), interests, dangers, 0.1, PI / 4.0, 16)
    }

    fn is_near(a: Vec2, b: Vec2) -> bool {
        (a - b).length() < 1e-5
    }

    #[test]
    fn slots_are_evenly_spaced() {
        for slots in SLOTS {
            for (slot, (x, y)) in directions(slots).into_iter().take(slots).enumerate() {
                let exact = std::f64::consts::TAU * slot as f64 / slots as f64;
                assert_eq!((x, y), (exact.cos() as f32 + 0.0, exact.sin() as f32 + 0.0).snapped());
            }
        }
    }

    trait Snapped {
        fn snapped(self) -> Self;
    }

    impl Snapped for (f32, f32) {
        /// The cosine of a quarter turn in double precision is not quite zero.
        fn snapped(self) -> Self {
            let snap = |x: f32| if x.abs() < 1e-6 { 0.0 } else { x };
            (snap(self.0), snap(self.1))
        }
    }

    #[test]
    fn without_dangers_the_result_is_nearly_the_interest() {
        for i in 0..64 {
            let wanted = direction(i as f32 * 0.1) * 3.0;
            let result = way(&[wanted], &[]);
            // The parabola is not exactly a cosine.
            assert!((result - wanted).length() < 0.01, "{wanted} {result}");
        }
        assert_eq!(way(&[Vec2::X], &[]), Vec2::X);
        assert_eq!(way(&[], &[]), Vec2::ZERO);
        assert_eq!(way(&[Vec2::ZERO], &[]), Vec2::ZERO);
    }

    #[test]
    fn a_danger_masks_the_slots_around_it() {
        // (cos(a) - cos(45 deg)) / (1 - cos(45 deg)) is 0.74 at 22.5 deg and 0 at 45 deg, so three slots are masked.
        let result = way(&[Vec2::X], &[Vec2::X]);
        let slot = direction(PI / 4.0);
        assert!(is_near(result, slot * math::cos(PI / 4.0)), "{result}");
        // Of length 0.13 it is 0.096 at 22.5 deg, which is tolerated: only its own slot is masked.
        let result = way(&[Vec2::X], &[0.13 * Vec2::X]);
        let slot = direction(PI / 8.0);
        assert!(is_near(result, slot * math::cos(PI / 8.0)), "{result}");
        assert_eq!(way(&[Vec2::X], &[0.1 * Vec2::X]), Vec2::X);
    }

    #[test]
    fn the_least_dangerous_slot_is_never_masked() {
        let all: Vec<Vec2> = (0..16).map(|i| direction(i as f32 * PI / 8.0)).collect();
        assert_eq!(way(&[Vec2::X], &all), way(&[Vec2::X], &[]));
        // One direction is less dangerous than all others, and there is some interest in it.
        let mut one_gap = all;
        one_gap[3] = Vec2::ZERO;
        let narrow = context(&world().me(0), &[Vec2::X], &one_gap, 0.1, 0.3, 16);
        assert!(is_near(narrow, direction(3.0 * PI / 8.0) * math::cos(3.0 * PI / 8.0)), "{narrow}");
        // There is none behind the agent.
        one_gap[3] = direction(3.0 * PI / 8.0);
        one_gap[8] = Vec2::ZERO;
        assert_eq!(context(&world().me(0), &[Vec2::X], &one_gap, 0.1, 0.3, 16), Vec2::ZERO);
    }

    #[test]
    fn two_agents_that_meet_head_on_both_turn_left() {
        for turn in [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y] {
            let left = way(&[turn], &[turn]).dot(math::perp(turn));
            assert!(left > 0.4, "{turn}: {left}");
        }
    }

    /// The example of the tests of bevy-steering: the least danger is 0.3, in slots 2 and 6, and slot 6 is more
    /// interesting. Each value is written as vectors that are narrower than a slot.
    #[test]
    fn masks_as_bevy_steering_does() {
        let danger =
            [0.8, 0.6, 0.3, 0.4, 0.5, 0.4, 0.3, 0.7, 0.9, 0.8, 0.6, 0.7, 0.8, 0.7, 0.6, 0.9];
        let vectors: Vec<Vec2> =
            (0..16).map(|i| direction(i as f32 * PI / 8.0) * danger[i]).collect();
        let world = world();
        let me = world.me(0);
        let slot = |interests: &[Vec2]| context_slot(&me, interests, &vectors, 0.05, 0.3, 16);
        let (two, six) = (direction(PI / 4.0), direction(3.0 * PI / 4.0));
        assert_eq!(slot(&[two * 0.4, six * 0.5]), 6.0);
        assert_eq!(slot(&[two * 0.4, six * 0.3]), 2.0);
        assert_eq!(slot(&[Vec2::X, two * 0.4]), 2.0);
        assert_eq!(slot(&[-Vec2::Y]), -1.0);
    }

    fn vectors() -> impl Strategy<Value = Vec<Vec2>> {
        let one = (-1.5f32..1.5, -1.5f32..1.5).prop_map(|(x, y)| Vec2::new(x, y));
        prop::collection::vec(one, 0..4)
    }

    /// The slot that the definition gives, computed in another way: in double precision, with angles.
    fn slot_by_angles(interests: &[Vec2], dangers: &[Vec2], slots: usize) -> Option<(usize, bool)> {
        let angle = |v: &Vec2| f64::from(v.y).atan2(f64::from(v.x));
        let size = |v: &Vec2| f64::from(v.x).hypot(f64::from(v.y));
        let border = std::f64::consts::FRAC_PI_4.cos();
        let slot_angle = |slot: usize| std::f64::consts::TAU * slot as f64 / slots as f64;
        let map = |vectors: &[Vec2], lobe: &dyn Fn(f64) -> f64| -> Vec<f64> {
            let at = |slot| {
                let each =
                    vectors.iter().map(|v| size(v) * lobe((slot_angle(slot) - angle(v)).cos()));
                each.fold(0.0, f64::max)
            };
            (0..slots).map(at).collect()
        };
        let interest = map(interests, &|cos| cos);
        let danger = map(dangers, &|cos| (cos - border) / (1.0 - border));
        let least = danger.iter().copied().fold(f64::INFINITY, f64::min);
        // Values next to a border may fall on either side of it.
        let is_clear = danger.iter().all(|x| (x - least - 0.1).abs() > 1e-4);
        let open = |slot: &usize| danger[*slot] <= least + 0.1;
        let mut left: Vec<usize> = (0..slots).filter(open).collect();
        left.sort_by(|a, b| interest[*b].total_cmp(&interest[*a]));
        let best = left.first().filter(|slot| interest[**slot] > 1e-4)?;
        let is_alone = left.get(1).is_none_or(|next| interest[*best] - interest[*next] > 1e-4);
        Some((*best, is_clear && is_alone))
    }

    proptest! {
        #[test]
        fn takes_the_slot_of_the_definition(interests in vectors(), dangers in vectors(), which in 0usize..3) {
            let slots = SLOTS[which];
            let world = world();
            let me = world.me(0);
            let slot = context_slot(&me, &interests, &dangers, 0.1, PI / 4.0, slots);
            if let Some((expected, true)) = slot_by_angles(&interests, &dangers, slots) {
                prop_assert_eq!(slot, expected as f32);
                // The direction is at most half a slot away.
                let result = context(&me, &interests, &dangers, 0.1, PI / 4.0, slots);
                let center = direction(2.0 * PI * slot / slots as f32);
                prop_assert!(result.normalize().dot(center) >= math::cos(PI / slots as f32) - 1e-4);
                let most = interests.iter().map(|v| v.length()).fold(0.0, f32::max);
                prop_assert!(result.length() <= most * 1.001);
            }
        }

        /// If everything is turned by a quarter turn, the result is the same, turned by a quarter turn, to the bit.
        #[test]
        fn turns_with_its_vectors(interests in vectors(), dangers in vectors(), which in 0usize..3) {
            let turned = |all: &[Vec2]| all.iter().map(|&v| math::perp(v)).collect::<Vec<_>>();
            let world = world();
            let result = |interests: &[Vec2], dangers: &[Vec2]| {
                context(&world.me(0), interests, dangers, 0.1, PI / 4.0, SLOTS[which])
            };
            let (one, other) = (result(&interests, &dangers), result(&turned(&interests), &turned(&dangers)));
            // The first of two interests that are equal to the bit may be another one.
            prop_assert!(is_near(math::perp(one), other), "{} {}", one, other);
        }

        /// Turned by one slot, everything is the same except for rounding.
        #[test]
        fn turns_by_one_slot(interests in vectors(), dangers in vectors(), which in 0usize..3) {
            let slots = SLOTS[which];
            let angle = 2.0 * PI / slots as f32;
            let turned = |all: &[Vec2]| all.iter().map(|&v| math::rotated(v, angle)).collect::<Vec<_>>();
            let world = world();
            let me: Me<'_> = world.me(0);
            let result = |interests: &[Vec2], dangers: &[Vec2]| {
                context(&me, interests, dangers, 0.1, PI / 4.0, slots)
            };
            if let Some((_, true)) = slot_by_angles(&interests, &dangers, slots) {
                let (one, other) = (result(&interests, &dangers), result(&turned(&interests), &turned(&dangers)));
                prop_assert!((math::rotated(one, angle) - other).length() < 1e-3, "{} {}", one, other);
            }
        }
    }
}
