//! Two discs with constant velocities: when they are nearest, and when they touch.

use crate::math::wide::{Real, dot};
use crate::math::{self, Vec2};

/// When two points with constant velocities are nearest, and how near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// Seconds from now; 0 if they are nearest now, or do not move relative to each other.
    pub time: f32,
    /// Their distance at that time, in world units.
    pub distance: f32,
}

/// Returns when two points are nearest. `offset` leads from the first to the second; `velocity` is the velocity of the
/// second minus that of the first, in world units per second.
///
/// Both numbers are finite and not negative: a result that is too large for `f32` becomes its largest number.
pub fn nearest_approach(offset: Vec2, velocity: Vec2) -> Approach {
    let (d, v) = (DoubleVec2::new(offset), DoubleVec2::new(velocity));
    let (squared, closing) = (v.dot(v), -d.dot(v));
    let time = if squared > 0.0 && closing > 0.0 {
        // Rounded first, so that the distance is the one at exactly the time that is returned.
        to_finite_f32(closing / squared)
    } else {
        0.0
    };
    let then = d.plus(v.times(f64::from(time)));
    Approach { time, distance: to_finite_f32(then.dot(then).sqrt()) }
}

/// Returns the seconds until two discs touch whose radii add up to `reach`; 0 if they touch or overlap now. `None` if
/// they never touch, or only after more seconds than `f32` can represent. `offset` and `velocity` are the same as for
/// [`nearest_approach`].
pub fn time_to_touch(offset: Vec2, velocity: Vec2, reach: f32) -> Option<f32> {
    let (d, v) = (DoubleVec2::new(offset), DoubleVec2::new(velocity));
    let time = Course::new((d.0, d.1), (v.0, v.1), math::max(reach, 0.0).into()).time() as f32;
    time.is_finite().then_some(time)
}

/// The numbers that decide whether two discs touch, without a division or a root: most discs never do.
#[derive(Clone, Copy)]
pub(crate) struct Course<T> {
    /// The square of the distance, minus the square of the distance at which they touch.
    gap: T,
    /// How fast they come nearer, multiplied by the distance.
    closing: T,
    /// The discriminant of the equation for the time.
    under: T,
}

impl<T: Real> Course<T> {
    /// Returns the course of two discs; the arguments are those of [`time_to_touch`], but `reach` is at least 0.
    #[inline(always)]
    pub(crate) fn new(offset: (T, T), velocity: (T, T), reach: T) -> Self {
        let gap = dot(offset, offset) - reach * reach;
        let (squared, closing) = (dot(velocity, velocity), -dot(offset, velocity));
        Self { gap, closing, under: closing * closing - squared * gap }
    }

    /// Returns 1 if they touch at any time, however late; else 0.
    #[inline(always)]
    pub(crate) fn touches(&self) -> T {
        let (zero, one) = (T::of(0.0), T::of(1.0));
        self.choose(one, one, zero)
    }

    /// Returns the seconds until they touch; infinite if they never do.
    #[inline(always)]
    pub(crate) fn time(&self) -> T {
        // The earlier root, in the form without a subtraction.
        let later = self.gap / (self.closing + self.under.sqrt());
        self.choose(T::of(0.0), later, T::of(f32::INFINITY))
    }

    /// Returns the same, but discs that overlap and part never touch.
    #[inline(always)]
    pub(crate) fn time_to_enter(&self) -> T {
        let (zero, never) = (T::of(0.0), T::of(f32::INFINITY));
        let later = self.gap / (self.closing + self.under.sqrt());
        self.choose(zero.if_less(self.closing, zero, never), later, never)
    }

    /// Returns one of three values: for discs that touch now, later, or never.
    #[inline(always)]
    fn choose(&self, now: T, later: T, never: T) -> T {
        let zero = T::of(0.0);
        let meets = zero.if_less(self.closing, self.under.if_less(zero, never, later), never);
        zero.if_less(self.gap, meets, now)
    }
}

/// A vector in double precision: squares of all `f32` numbers are exact enough, and never overflow.
#[derive(Clone, Copy)]
struct DoubleVec2(f64, f64);

impl DoubleVec2 {
    fn new(v: Vec2) -> Self {
        Self(f64::from(v.x), f64::from(v.y))
    }

    fn dot(self, other: Self) -> f64 {
        self.0 * other.0 + self.1 * other.1
    }

    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }

    fn times(self, by: f64) -> Self {
        Self(self.0 * by, self.1 * by)
    }
}

/// Returns the number as `f32`, at most its largest finite number.
fn to_finite_f32(x: f64) -> f32 {
    math::min(x as f32, f32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const AHEAD: Vec2 = Vec2::new(10.0, 0.0);

    fn touch(offset: Vec2, velocity: (f32, f32), reach: f32) -> Option<f32> {
        time_to_touch(offset, velocity.into(), reach)
    }

    #[test]
    fn discs_that_meet_head_on_touch_when_the_gap_is_closed() {
        assert_eq!(touch(AHEAD, (-2.0, 0.0), 4.0), Some(3.0));
        assert_eq!(touch(AHEAD, (-2.0, 0.0), 0.0), Some(5.0));
        let grazing = touch(AHEAD + Vec2::new(0.0, 4.0), (-2.0, 0.0), 4.0);
        assert_eq!(grazing, Some(5.0), "discs that only graze each other touch");
        assert_eq!(touch(AHEAD + Vec2::new(0.0, 4.1), (-2.0, 0.0), 4.0), None);
    }

    #[test]
    fn discs_that_do_not_close_in_never_touch() {
        for velocity in [(0.0, 0.0), (2.0, 0.0), (0.0, 5.0)] {
            assert_eq!(touch(AHEAD, velocity, 4.0), None, "{velocity:?}");
        }
    }

    #[test]
    fn discs_that_overlap_touch_now_wherever_they_go() {
        for velocity in [(0.0, 0.0), (9.0, 0.0), (-9.0, 0.0)] {
            assert_eq!(touch(AHEAD, velocity, 10.0), Some(0.0));
            assert_eq!(touch(Vec2::ZERO, velocity, 0.0), Some(0.0));
        }
    }

    #[test]
    fn the_nearest_approach_is_now_or_later() {
        let of = |velocity: (f32, f32)| nearest_approach(Vec2::new(10.0, 3.0), velocity.into());
        let expected = |time, distance| Approach { time, distance };
        assert_eq!(of((-2.0, 0.0)), expected(5.0, 3.0));
        let now = math::length(Vec2::new(10.0, 3.0));
        assert_eq!(of((2.0, 0.0)), expected(0.0, now));
        assert_eq!(of((0.0, 0.0)), expected(0.0, now));
        let same = nearest_approach(Vec2::ZERO, Vec2::X);
        assert_eq!(same, expected(0.0, 0.0));
    }

    fn number() -> impl Strategy<Value = f32> {
        any::<f32>().prop_filter("finite", |x| x.is_finite())
    }

    fn vector() -> impl Strategy<Value = Vec2> {
        prop_oneof![
            (number(), number()).prop_map(|(x, y)| Vec2::new(x, y)),
            (-50.0f32..50.0, -50.0f32..50.0).prop_map(|(x, y)| Vec2::new(x, y)),
        ]
    }

    proptest! {
        #[test]
        fn every_input_gives_a_finite_result(d in vector(), v in vector(), reach in number()) {
            let Approach { time, distance } = nearest_approach(d, v);
            prop_assert!(time.is_finite() && time >= 0.0, "{}", time);
            prop_assert!(distance.is_finite() && distance >= 0.0, "{}", distance);
            if let Some(time) = time_to_touch(d, v, reach) {
                prop_assert!(time.is_finite() && time >= 0.0, "{}", time);
            }
        }

        #[test]
        fn a_touch_is_where_the_discs_are_as_far_apart_as_their_radii(
            d in (-50.0f32..50.0, -50.0f32..50.0),
            v in (-9.0f32..9.0, -9.0f32..9.0),
            reach in 0.0f32..20.0,
        ) {
            let (d, v) = (Vec2::from(d), Vec2::from(v));
            let nearest = nearest_approach(d, v);
            match time_to_touch(d, v, reach) {
                Some(time) if time > 0.0 => {
                    let apart = math::length(d + v * time);
                    prop_assert!((apart - reach).abs() < 1e-3, "{} {}", apart, reach);
                    prop_assert!(time <= nearest.time + 1e-3);
                }
                Some(_) => prop_assert!(math::length(d) <= reach + 1e-4),
                None => prop_assert!(nearest.distance > reach - 1e-3),
            }
            // No later or earlier moment is nearer.
            for other in [0.5, 0.99, 1.01, 2.0] {
                let then = math::length(d + v * (nearest.time * other));
                prop_assert!(then >= nearest.distance - 1e-3);
            }
        }
    }
}
