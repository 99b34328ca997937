//! Arithmetic that gives the same bits on every machine.
//!
//! This module owns the portable transcendental functions, helpers for vectors and angles, and the random streams. All
//! other code must call these instead of the functions of the standard library, whose last bit depends on the C library
//! of the platform; `clippy.toml` lists the forbidden functions.

mod exponential;
mod function;
mod normal;
pub mod random;
mod significant;
pub(crate) mod wide;

pub use exponential::exp;
pub(crate) use exponential::power;
pub use function::{Binary, Compare, Unary};
pub use glam::Vec2;
pub use normal::{normal_quantile, normal_share};
pub use significant::{percent, short, short_beside, short_vector, significant};

/// Half a turn, in radians.
pub const PI: f32 = std::f32::consts::PI;

/// Returns the sine of an angle in radians.
pub fn sin(radians: f32) -> f32 {
    libm::sinf(radians)
}

/// Returns the cosine of an angle in radians.
pub fn cos(radians: f32) -> f32 {
    libm::cosf(radians)
}

/// Returns the tangent of an angle in radians.
pub fn tan(radians: f32) -> f32 {
    libm::tanf(radians)
}

/// Returns the angle in `[-PI/2, PI/2]` whose sine is `x`; NaN outside `[-1, 1]`.
pub fn asin(x: f32) -> f32 {
    libm::asinf(x)
}

/// Returns the angle in `[0, PI]` whose cosine is `x`; NaN outside `[-1, 1]`.
pub fn acos(x: f32) -> f32 {
    libm::acosf(x)
}

/// Returns the angle in `[-PI/2, PI/2]` whose tangent is `x`.
pub fn atan(x: f32) -> f32 {
    libm::atanf(x)
}

/// Returns the angle of the vector `(x, y)` from the x axis, in `[-PI, PI]`; 0 for the zero vector.
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// Returns the hyperbolic sine.
pub fn sinh(x: f32) -> f32 {
    libm::sinhf(x)
}

/// Returns the hyperbolic cosine.
pub fn cosh(x: f32) -> f32 {
    libm::coshf(x)
}

/// Returns the hyperbolic tangent.
pub fn tanh(x: f32) -> f32 {
    libm::tanhf(x)
}

/// Returns the natural logarithm.
pub fn ln(x: f32) -> f32 {
    libm::logf(x)
}

/// Returns the logarithm to the base 10.
pub fn log10(x: f32) -> f32 {
    libm::log10f(x)
}

/// Returns `base` to the power of `exponent`.
pub fn pow(base: f32, exponent: f32) -> f32 {
    libm::powf(base, exponent)
}

/// Returns the square root. IEEE 754 defines it exactly, so the instruction of the processor is portable.
#[inline(always)]
pub fn sqrt(x: f32) -> f32 {
    x.sqrt()
}

/// Returns the larger of two numbers; `b` if they are equal, so that the sign of a zero is defined.
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Returns the smaller of two numbers; `b` if they are equal, so that the sign of a zero is defined.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// Returns the length of a vector, also if its square would overflow or underflow.
#[inline]
pub fn length(v: Vec2) -> f32 {
    let squared = v.length_squared();
    if (SQUARE_TOO_SMALL..SQUARE_TOO_LARGE).contains(&squared) {
        return squared.sqrt();
    }
    let scale = max(v.x.abs(), v.y.abs());
    if scale == 0.0 {
        return 0.0;
    }
    (v / scale).length_squared().sqrt() * scale
}

/// Returns the unit vector in the direction of `v`; the zero vector for the zero vector.
#[inline]
pub fn unit(v: Vec2) -> Vec2 {
    let (unit, odd) = quick_unit(v);
    if odd { odd_unit(v) } else { unit }
}

/// Returns [`unit()`] without a branch, for loops over many vectors, and whether the result is invalid because the square
/// of `v` is imprecise: then call [`unit()`].
#[inline(always)]
pub(crate) fn quick_unit(v: Vec2) -> (Vec2, bool) {
    let squared = v.length_squared();
    let fine = (SQUARE_TOO_SMALL..SQUARE_TOO_LARGE).contains(&squared);
    (v / squared.sqrt(), !fine)
}

#[cold]
fn odd_unit(v: Vec2) -> Vec2 {
    let scale = max(v.x.abs(), v.y.abs());
    if scale == 0.0 || !scale.is_finite() {
        return Vec2::ZERO;
    }
    let scaled = v / scale;
    scaled / scaled.length_squared().sqrt()
}

/// Squares below this have lost precision by underflow.
#[doc(hidden)]
pub const SQUARE_TOO_SMALL: f32 = 1e-30;
/// Squares from this on may have overflowed.
#[doc(hidden)]
pub const SQUARE_TOO_LARGE: f32 = 1e30;

/// Returns `v`, shortened to the length `longest` if it is longer. `longest` may be infinite, but not negative.
#[inline]
pub fn limit(v: Vec2, longest: f32) -> Vec2 {
    debug_assert!(longest >= 0.0, "a length is not negative: {longest}");
    if square_fits(v.length_squared(), longest) || length(v) <= longest {
        return v;
    }
    unit(v) * longest
}

/// Returns whether a square shows that a vector is not longer than `longest`. If not, it may still fit.
#[doc(hidden)]
#[inline(always)]
pub fn square_fits(squared: f32, longest: f32) -> bool {
    // Squares that have underflowed show nothing: they are 0 for vectors that are not.
    let square = longest * longest;
    (squared <= square) & (square >= SQUARE_TOO_SMALL) & (squared < SQUARE_TOO_LARGE)
}

/// Returns [`limit`] without a branch, for loops over many vectors, and whether the result is invalid because the square
/// of `v` is imprecise: then call [`limit`].
#[inline(always)]
pub(crate) fn quick_limit(v: Vec2, longest: f32) -> (Vec2, bool) {
    let squared = v.length_squared();
    let (length, surely_fits) = (squared.sqrt(), square_fits(squared, longest));
    let fits = surely_fits | (length <= longest);
    let cut = v / length * longest;
    let zero = (v.x == 0.0) & (v.y == 0.0);
    let large_enough = squared >= SQUARE_TOO_SMALL;
    let precise = large_enough & (squared < SQUARE_TOO_LARGE);
    let odd = !(precise | surely_fits | zero);
    // Choose each coordinate separately, so that loops can be vectorized.
    let x = if fits { v.x } else { cut.x };
    let y = if fits { v.y } else { cut.y };
    (Vec2::new(x, y), odd)
}

/// Returns the factor by which [`limit`] scales a vector; 1 for the zero vector, which is not shortened.
#[doc(hidden)]
#[inline]
pub fn limit_scale(v: Vec2, longest: f32) -> f32 {
    if v == Vec2::ZERO && longest > 0.0 { 1.0 } else { scale(v, limit(v, longest)) }
}

/// Returns the factor between two vectors in the same direction, computed from the larger coordinate of the first; 0 for
/// the zero vector.
#[inline]
pub fn scale(from: Vec2, to: Vec2) -> f32 {
    let (from, to) = if from.x.abs() >= from.y.abs() { (from.x, to.x) } else { (from.y, to.y) };
    if from == 0.0 { 0.0 } else { to / from }
}

/// Returns `v` turned by a quarter turn, counter-clockwise if y points up.
#[inline]
pub fn perp(v: Vec2) -> Vec2 {
    Vec2::new(-v.y, v.x)
}

/// Returns `v` turned by an angle in radians, counter-clockwise if y points up.
#[inline]
pub fn rotated(v: Vec2, radians: f32) -> Vec2 {
    let (s, c) = (sin(radians), cos(radians));
    Vec2::new(v.x * c - v.y * s, v.x * s + v.y * c)
}

/// Returns the unit vector at an angle in radians from the x axis.
pub fn direction(radians: f32) -> Vec2 {
    Vec2::new(cos(radians), sin(radians))
}

/// Returns the angle of `v` from the x axis in radians, in `[-PI, PI]`; 0 for the zero vector.
pub fn angle(v: Vec2) -> f32 {
    atan2(v.y, v.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_finite() -> impl Strategy<Value = Vec2> {
        let part = prop_oneof![
            -1e3f32..1e3,
            any::<f32>().prop_filter("finite", |x| x.is_finite() && x.abs() < 1e38),
            Just(0.0f32),
            Just(-0.0f32),
        ];
        (part.clone(), part).prop_map(|(x, y)| Vec2::new(x, y))
    }

    proptest! {
        #[test]
        fn unit_has_length_one_or_is_zero(v in any_finite()) {
            let u = unit(v);
            if v == Vec2::ZERO {
                prop_assert_eq!(u, Vec2::ZERO);
            } else {
                prop_assert!((u.length() - 1.0).abs() < 1e-6, "{v} -> {u}");
            }
        }

        #[test]
        fn length_follows_double_precision(v in any_finite()) {
            let exact = (f64::from(v.x).powi(2) + f64::from(v.y).powi(2)).sqrt();
            prop_assert!((f64::from(length(v)) - exact).abs() <= exact * 1e-6);
        }

        #[test]
        fn limit_never_exceeds_and_never_changes_what_fits(
            v in any_finite(),
            scale in prop_oneof![Just(1.0f32), Just(1e-18), Just(1e-22)],
            longest in prop_oneof![0.0f32..1e6, Just(0.0), 0.0f32..1e-18],
        ) {
            let v = v * scale;
            let cut = limit(v, longest);
            prop_assert!(length(cut) <= longest * 1.000_001);
            if length(v) <= longest {
                prop_assert_eq!(cut, v);
            }
        }

        #[test]
        fn quick_functions_give_the_same_unless_they_report_otherwise(
            v in any_finite(),
            longest in prop_oneof![0.0f32..1e3, Just(f32::INFINITY), Just(0.0), 0.0f32..1e-20],
            scale in prop_oneof![Just(1.0f32), Just(1e-18), Just(1e-22), Just(1e14), Just(f32::NAN)],
        ) {
            let bits = |v: Vec2| (v.x.to_bits(), v.y.to_bits());
            let v = v * scale;
            let (quick, odd) = quick_limit(v, longest);
            prop_assert!(odd || bits(quick) == bits(limit(v, longest)), "{v} {longest}: {quick}");
            let (quick, odd) = quick_unit(v);
            prop_assert!(odd || (quick.length() - 1.0).abs() < 1e-6, "{v}: {quick}");
        }

        #[test]
        fn turning_keeps_length(v in any_finite().prop_filter("moderate", |v| v.length() < 1e6 && v.length() > 1e-15), a in -10.0f32..10.0) {
            prop_assert!((rotated(v, a).length() - v.length()).abs() <= v.length() * 1e-5);
        }
    }

    /// The square of such a vector is 0, so that it passed for one within a limit whose square is 0 too.
    #[test]
    fn a_limit_holds_for_vectors_whose_squares_underflow() {
        let v = Vec2::new(1.374_106_4e-23, -1.374_106_4e-23);
        assert_eq!(limit(v, 0.0), Vec2::ZERO);
        assert!((length(limit(v, 1e-23)) / 1e-23 - 1.0).abs() < 1e-6);
        assert_eq!(limit(v, 2e-23), v);
        for longest in [0.0, 1e-23] {
            assert!(quick_limit(v, longest).1, "the quick function leaves it to the other one");
        }
    }

    #[test]
    fn an_infinite_limit_changes_nothing() {
        assert_eq!(limit(Vec2::new(3e20, 4e20), f32::INFINITY), Vec2::new(3e20, 4e20));
    }

    /// Goldens depend on the bits of the portable functions. This fails if a new version of `libm`, or a platform,
    /// computes another last bit.
    #[test]
    fn portable_functions_keep_their_bits() {
        let mut bits = random::Mix::new(0);
        for i in 0..20_000u32 {
            let x = (i as f32 - 10_000.0) * 0.013;
            for y in [sin(x), cos(x), atan2(x, 3.0), exp(x * 0.1), pow(x.abs(), 0.7), tan(x)] {
                bits = bits.with(u64::from(y.to_bits()));
            }
        }
        assert_eq!(
            bits.value(),
            4_118_855_743_969_962_517,
            "bits of the portable functions changed"
        );
    }
}
