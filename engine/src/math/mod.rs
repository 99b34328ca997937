//! Arithmetic that gives the same bits on every machine.
//!
//! Owns the portable transcendental functions, the helpers on vectors and angles, and the random
//! streams. Everything else in the project calls these instead of the standard library's functions,
//! whose last bit depends on the platform's C library; `clippy.toml` lists what is not to be called.

mod function;
pub mod random;
mod significant;

pub use function::{Binary, Compare, Unary};
pub use glam::Vec2;
pub use significant::{percent, short, short_vector, significant};

/// Half a turn, in radians.
pub const PI: f32 = std::f32::consts::PI;

/// Sine of an angle in radians.
pub fn sin(radians: f32) -> f32 {
    libm::sinf(radians)
}

/// Cosine of an angle in radians.
pub fn cos(radians: f32) -> f32 {
    libm::cosf(radians)
}

/// Tangent of an angle in radians.
pub fn tan(radians: f32) -> f32 {
    libm::tanf(radians)
}

/// The angle in `[-PI/2, PI/2]` whose sine is `x`; NaN outside `[-1, 1]`.
pub fn asin(x: f32) -> f32 {
    libm::asinf(x)
}

/// The angle in `[0, PI]` whose cosine is `x`; NaN outside `[-1, 1]`.
pub fn acos(x: f32) -> f32 {
    libm::acosf(x)
}

/// The angle in `[-PI/2, PI/2]` whose tangent is `x`.
pub fn atan(x: f32) -> f32 {
    libm::atanf(x)
}

/// The angle of the vector `(x, y)` from the x axis, in `[-PI, PI]`; 0 for the zero vector.
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// Hyperbolic sine.
pub fn sinh(x: f32) -> f32 {
    libm::sinhf(x)
}

/// Hyperbolic cosine.
pub fn cosh(x: f32) -> f32 {
    libm::coshf(x)
}

/// Hyperbolic tangent.
pub fn tanh(x: f32) -> f32 {
    libm::tanhf(x)
}

/// e to the power of `x`.
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// Natural logarithm.
pub fn ln(x: f32) -> f32 {
    libm::logf(x)
}

/// Logarithm to the base 10.
pub fn log10(x: f32) -> f32 {
    libm::log10f(x)
}

/// `base` to the power of `exponent`.
pub fn pow(base: f32, exponent: f32) -> f32 {
    libm::powf(base, exponent)
}

/// Square root: exact by IEEE 754, so the processor's instruction will do.
pub fn sqrt(x: f32) -> f32 {
    x.sqrt()
}

/// The larger of two numbers; `b` where they compare equal, so that zeros of either sign are settled.
pub fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The smaller of two numbers; `b` where they compare equal, so that zeros of either sign are settled.
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// Length of a vector, also where its square would overflow or vanish.
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

/// The vector of length 1 along `v`; the zero vector for the zero vector.
#[inline]
pub fn unit(v: Vec2) -> Vec2 {
    let (unit, odd) = quick_unit(v);
    if odd { odd_unit(v) } else { unit }
}

/// [`unit`], and whether that has to be asked since the square of `v` says too little: without a branch,
/// for loops over many.
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

/// Squares outside this range have lost precision (underflow) or their value (overflow).
pub(crate) const SQUARE_TOO_SMALL: f32 = 1e-30;
pub(crate) const SQUARE_TOO_LARGE: f32 = 1e30;

/// `v`, cut to the length `longest` where it is longer. `longest` may be infinite, not negative.
pub fn limit(v: Vec2, longest: f32) -> Vec2 {
    debug_assert!(longest >= 0.0, "a length is not negative: {longest}");
    let squared = v.length_squared();
    if squared <= longest * longest && squared < SQUARE_TOO_LARGE {
        return v;
    }
    if length(v) <= longest {
        return v;
    }
    unit(v) * longest
}

/// [`limit`], and whether that has to be asked since the square of `v` says too little: without a
/// branch, for loops over many.
#[inline(always)]
pub(crate) fn quick_limit(v: Vec2, longest: f32) -> (Vec2, bool) {
    let squared = v.length_squared();
    let (length, square_fits) = (squared.sqrt(), squared <= longest * longest);
    let fits = square_fits | (length <= longest);
    let cut = v / length * longest;
    let small = squared < SQUARE_TOO_LARGE;
    let odd = !small | ((squared < SQUARE_TOO_SMALL) & !square_fits);
    // Each part by itself: loops over many are made of these.
    let x = if fits { v.x } else { cut.x };
    let y = if fits { v.y } else { cut.y };
    (Vec2::new(x, y), odd)
}

/// The number by which [`limit`] takes a vector: also for no vector, of which nothing is cut.
pub(crate) fn limit_scale(v: Vec2, longest: f32) -> f32 {
    if v == Vec2::ZERO && longest > 0.0 { 1.0 } else { scale(v, limit(v, longest)) }
}

/// The number by which a vector has become another of the same direction, made out along its longer
/// part; 0 for no vector.
pub(crate) fn scale(from: Vec2, to: Vec2) -> f32 {
    let (from, to) = if from.x.abs() >= from.y.abs() { (from.x, to.x) } else { (from.y, to.y) };
    if from == 0.0 { 0.0 } else { to / from }
}

/// `v` turned by a quarter, counter-clockwise where y points up.
pub fn perp(v: Vec2) -> Vec2 {
    Vec2::new(-v.y, v.x)
}

/// `v` turned by an angle in radians, counter-clockwise where y points up.
pub fn rotated(v: Vec2, radians: f32) -> Vec2 {
    let (s, c) = (sin(radians), cos(radians));
    Vec2::new(v.x * c - v.y * s, v.x * s + v.y * c)
}

/// The unit vector at an angle in radians from the x axis.
pub fn direction(radians: f32) -> Vec2 {
    Vec2::new(cos(radians), sin(radians))
}

/// The angle of `v` from the x axis in radians, in `[-PI, PI]`; 0 for the zero vector.
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
        fn limit_never_exceeds_and_never_changes_what_fits(v in any_finite(), longest in 0.0f32..1e6) {
            let cut = limit(v, longest);
            prop_assert!(length(cut) <= longest * 1.000_001);
            if length(v) <= longest {
                prop_assert_eq!(cut, v);
            }
        }

        #[test]
        fn quick_ways_give_the_same_unless_they_say_so(
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

    #[test]
    fn no_limit_leaves_everything() {
        assert_eq!(limit(Vec2::new(3e20, 4e20), f32::INFINITY), Vec2::new(3e20, 4e20));
    }

    /// The bits of the portable functions are part of what a golden promises: this fails when a new
    /// version of `libm`, or a platform, computes another last bit.
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
