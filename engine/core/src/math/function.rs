//! The functions of numbers as values, for code that evaluates them in more than one way.

use super::{
    acos, asin, atan, atan2, cos, cosh, exp, ln, log10, max, min, pow, sin, sinh, sqrt, tan, tanh,
};

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub enum Unary {
    Neg,
    Abs,
    Floor,
    Ceiling,
    Round,
    Fraction,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Log10,
}

impl Unary {
    /// Computes the function.
    #[inline(always)]
    pub fn apply(self, x: f32) -> f32 {
        match self {
            Self::Neg => -x,
            Self::Abs => x.abs(),
            Self::Floor => x.floor(),
            Self::Ceiling => x.ceil(),
            Self::Round => x.round(),
            Self::Fraction => x.fract(),
            Self::Sqrt => sqrt(x),
            Self::Sin => sin(x),
            Self::Cos => cos(x),
            Self::Tan => tan(x),
            Self::Asin => asin(x),
            Self::Acos => acos(x),
            Self::Atan => atan(x),
            Self::Sinh => sinh(x),
            Self::Cosh => cosh(x),
            Self::Tanh => tanh(x),
            Self::Exp => exp(x),
            Self::Ln => ln(x),
            Self::Log10 => log10(x),
        }
    }
}

/// A function of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    /// The remainder, with the sign of the first number.
    Rem,
    Pow,
    Min,
    Max,
    Atan2,
}

impl Binary {
    /// Computes the function.
    #[inline(always)]
    pub fn apply(self, a: f32, b: f32) -> f32 {
        match self {
            Self::Add => a + b,
            Self::Sub => a - b,
            Self::Mul => a * b,
            Self::Div => a / b,
            Self::Rem => a % b,
            Self::Pow => pow(a, b),
            Self::Min => min(a, b),
            Self::Max => max(a, b),
            Self::Atan2 => atan2(a, b),
        }
    }
}

/// A comparison, as defined by IEEE 754.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Compare {
    /// Returns whether the comparison of two values holds.
    #[inline(always)]
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Lt => a < b,
            Self::Le => a <= b,
            Self::Gt => a > b,
            Self::Ge => a >= b,
        }
    }
}
