//! Sixteen numbers at once.

use std::array;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The number of numbers in a [`Wide`]: as many as the widest vectors of processors have.
pub(crate) const WIDE: usize = 16;

/// Sixteen numbers. Compiled for wide vectors, an operation on all of them takes as long as on one.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Wide<T>(pub(crate) [T; WIDE]);

/// One number or many: what formulas are written in that are computed for both, with the same bits. A formula has no branches: it computes
/// both sides, and chooses.
pub(crate) trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Returns a constant.
    fn of(x: f32) -> Self;
    /// Returns the square root.
    fn sqrt(self) -> Self;
    /// Returns the number without its sign.
    fn abs(self) -> Self;
    /// Returns the largest integer that is not larger.
    fn floor(self) -> Self;
    /// Returns `yes` where the number is less than another one, else `no`.
    fn if_less(self, than: Self, yes: Self, no: Self) -> Self;
}

/// Numbers in single precision.
pub(crate) trait Single: Real {
    /// Returns 2 to the power of the number, an integer from -126 to 127.
    fn power_of_two(self) -> Self;
}

/// Returns the dot product.
#[inline(always)]
pub(crate) fn dot<T: Real>(a: (T, T), b: (T, T)) -> T {
    a.0 * b.0 + a.1 * b.1
}

macro_rules! one_number {
    ($($number:ident),*) => {
        $(impl Real for $number {
            #[inline(always)]
            fn of(x: f32) -> Self {
                x.into()
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                $number::sqrt(self)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $number::abs(self)
            }

            #[inline(always)]
            fn floor(self) -> Self {
                $number::floor(self)
            }

            #[inline(always)]
            fn if_less(self, than: Self, yes: Self, no: Self) -> Self {
                if self < than { yes } else { no }
            }
        })*
    };
}

one_number!(f32, f64);

impl Single for f32 {
    #[inline(always)]
    fn power_of_two(self) -> Self {
        // The sum has the integer in its last bits.
        const INTEGERS: f32 = 12_582_912.0;
        f32::from_bits((self + INTEGERS).to_bits().wrapping_add(127) << 23)
    }
}

impl<T: Copy> Wide<T> {
    /// Returns a function of each number.
    #[inline(always)]
    pub(crate) fn each<U>(self, of: impl Fn(T) -> U) -> Wide<U> {
        Wide(array::from_fn(|lane| of(self.0[lane])))
    }

    #[inline(always)]
    fn both(self, other: Self, of: impl Fn(T, T) -> T) -> Self {
        Self(array::from_fn(|lane| of(self.0[lane], other.0[lane])))
    }
}

impl<T: Real> Real for Wide<T> {
    #[inline(always)]
    fn of(x: f32) -> Self {
        Self([T::of(x); WIDE])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.each(T::sqrt)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.each(T::abs)
    }

    #[inline(always)]
    fn floor(self) -> Self {
        self.each(T::floor)
    }

    #[inline(always)]
    fn if_less(self, than: Self, yes: Self, no: Self) -> Self {
        let less = |lane: usize| self.0[lane].if_less(than.0[lane], yes.0[lane], no.0[lane]);
        Self(array::from_fn(less))
    }
}

impl<T: Single> Single for Wide<T> {
    #[inline(always)]
    fn power_of_two(self) -> Self {
        self.each(T::power_of_two)
    }
}

macro_rules! operators {
    ($($operator:ident $name:ident;)*) => {
        $(impl<T: Real> $operator for Wide<T> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                self.both(other, T::$name)
            }
        })*
    };
}

operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl<T: Real> Neg for Wide<T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.each(T::neg)
    }
}
