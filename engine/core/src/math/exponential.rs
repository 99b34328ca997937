//! The exponential function.

use super::wide::Single;

/// Returns e to the power of `x`, to less than one unit in the last place.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    power(x)
}

/// Returns e to the power of one number, or of many.
///
/// `x` is split into a multiple of ln 2 and a rest, and a rational function gives the power of the rest. Its bits are those of the C library
/// musl and of the crate `libm`.
///
/// Source: FreeBSD's msun, `e_expf.c`, for the method and the coefficients.
#[inline(always)]
pub(crate) fn power<T: Single>(x: T) -> T {
    let of = |bits| T::of(f32::from_bits(bits));
    // The high part has so few digits that its multiples are exact.
    let (high_ln_2, low_ln_2) = (of(0x3f31_7200), of(0x35bf_be8e));
    let (half_ln_2, long, tiny) = (of(0x3eb1_7218), of(0x3f85_1592), of(0x3900_0000));
    let (largest, smallest) = (of(0x42b1_7218), of(0xc2cf_f1b5));
    let (zero, one) = (T::of(0.0), T::of(1.0));

    let (least, most) = (T::of(-105.0), T::of(90.0));
    let inside = x.if_less(most, x, most);
    let inside = least.if_less(inside, inside, least);
    let size = inside.abs();
    let sign = inside.if_less(zero, -one, one);
    let nearest = (size * T::of(std::f32::consts::LOG2_E) + T::of(0.5)).floor() * sign;
    let times = long.if_less(size, nearest, sign);
    let times = half_ln_2.if_less(size, times, zero);
    let (high, low) = (inside - times * high_ln_2, times * low_ln_2);
    let rest = high - low;
    let square = rest * rest;
    let c = rest - square * (of(0x3e2a_aa8f) + square * of(0xbb35_5215));
    let power = one + (rest * c / (T::of(2.0) - c) - low + high);
    // In two steps, of which only the last one may round.
    let first = times.if_less(T::of(127.0), times, T::of(127.0));
    let first = T::of(-100.0).if_less(first, first, T::of(-100.0));
    let result = power * first.power_of_two() * (times - first).power_of_two();
    let result = tiny.if_less(size, result, one + x);
    let result = x.if_less(largest, result, x * T::of(f32::MAX));
    smallest.if_less(x, result, zero.if_less(x.abs(), zero, x))
}

#[cfg(test)]
mod tests {
    use super::exp;

    fn has_the_bits_of_libm(bits: u32) {
        let x = f32::from_bits(bits);
        assert_eq!(exp(x).to_bits(), libm::expf(x).to_bits(), "{x:e}");
    }

    #[test]
    fn many_numbers_have_the_bits_of_libm() {
        (0..=u32::MAX).step_by(4999).for_each(has_the_bits_of_libm);
        for limit in [0x3eb1_7218, 0x3f85_1592, 0x3900_0000, 0x42b1_7218, 0x42cf_f1b5, 0x42ae_ac50]
        {
            for sign in [0, 1 << 31] {
                (limit - 50..=limit + 50).for_each(|bits| has_the_bits_of_libm(bits | sign));
            }
        }
        for bits in [0, 1, 1 << 31, f32::INFINITY.to_bits(), f32::NEG_INFINITY.to_bits()] {
            has_the_bits_of_libm(bits);
        }
    }

    #[test]
    #[ignore = "all numbers there are, for changes of the function"]
    fn all_numbers_have_the_bits_of_libm() {
        (0..=u32::MAX).for_each(has_the_bits_of_libm);
    }
}
