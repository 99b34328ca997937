//! Functions of numbers. Each takes integers where it takes floats.

use super::define::define;
use crate::math::{Binary, Compare, PI, Unary};
use crate::program::I2;
use crate::steer::{Number, RADIANS};

define! { on of;
    /// The sum of two numbers.
    Language "+"(a: Number, b: Number) -> Number { a + b }
    integers -> Integer { of.integers(I2::Add, a, b)? }

    /// The difference of two numbers.
    Language "-"(a: Number, b: Number) -> Number { a - b }
    integers -> Integer { of.integers(I2::Sub, a, b)? }

    /// The product of two numbers.
    Language "*"(a: Number, b: Number) -> Number { a * b }
    integers -> Integer { of.integers(I2::Mul, a, b)? }

    /// The quotient of two numbers, a float also of integers: a param written `3` divides as `3.0` does.
    Fixed "/"(a: Number, b: Number) -> Number { a / b }

    /// The remainder of a division, with the sign of the first number.
    Language "%"(a: Number, b: Number) -> Number { a.binary(Binary::Rem, b) }
    integers -> Integer { of.integers(I2::Rem, a, b)? }

    /// A number to the power of another.
    Fixed "**" or "pow"(base: Number, exponent: Number) -> Number { base.binary(Binary::Pow, exponent) }
    integers -> Integer { of.integers(I2::Pow, base, exponent)? }

    /// The number itself.
    Language "+"(x: Number) -> Number { x }
    integers -> Integer { x }

    /// The number with the other sign.
    Language "-"(x: Number) -> Number { -x }
    integers -> Integer { of.negated(x)? }

    /// Whether two numbers are equal, as IEEE 754 says.
    Fixed "=="(a: Number, b: Number) -> Truth { a.compare(Compare::Eq, b) }
    integers -> Truth { of.compare(Compare::Eq, a, b) }

    /// Whether two numbers differ, as IEEE 754 says.
    Fixed "!="(a: Number, b: Number) -> Truth { a.compare(Compare::Ne, b) }
    integers -> Truth { of.compare(Compare::Ne, a, b) }

    /// Whether a number is less than another.
    Fixed "<"(a: Number, b: Number) -> Truth { a.compare(Compare::Lt, b) }
    integers -> Truth { of.compare(Compare::Lt, a, b) }

    /// Whether a number is at most another.
    Fixed "<="(a: Number, b: Number) -> Truth { a.compare(Compare::Le, b) }
    integers -> Truth { of.compare(Compare::Le, a, b) }

    /// Whether a number is greater than another.
    Fixed ">"(a: Number, b: Number) -> Truth { a.compare(Compare::Gt, b) }
    integers -> Truth { of.compare(Compare::Gt, a, b) }

    /// Whether a number is at least another.
    Fixed ">="(a: Number, b: Number) -> Truth { a.compare(Compare::Ge, b) }
    integers -> Truth { of.compare(Compare::Ge, a, b) }

    /// Sine of an angle.
    Fixed "sin"(angle: Number in RADIANS) -> Number { angle.unary(Unary::Sin) }

    /// Cosine of an angle.
    Fixed "cos"(angle: Number in RADIANS) -> Number { angle.unary(Unary::Cos) }

    /// Tangent of an angle.
    Fixed "tan"(angle: Number in RADIANS) -> Number { angle.unary(Unary::Tan) }

    /// The angle from -PI/2 to PI/2 whose sine it is; NaN beyond 1 and -1.
    Fixed "asin"(x: Number) -> Number in RADIANS { x.unary(Unary::Asin) }

    /// The angle from 0 to PI whose cosine it is; NaN beyond 1 and -1.
    Fixed "acos"(x: Number) -> Number in RADIANS { x.unary(Unary::Acos) }

    /// The angle from -PI/2 to PI/2 whose tangent it is.
    Fixed "atan"(x: Number) -> Number in RADIANS { x.unary(Unary::Atan) }

    /// The angle of the vector `(x, y)` from the x axis, from -PI to PI.
    Fixed "atan"(y: Number, x: Number) -> Number in RADIANS { y.binary(Binary::Atan2, x) }

    /// Hyperbolic sine.
    Fixed "sinh"(x: Number) -> Number { x.unary(Unary::Sinh) }

    /// Hyperbolic cosine.
    Fixed "cosh"(x: Number) -> Number { x.unary(Unary::Cosh) }

    /// Hyperbolic tangent.
    Fixed "tanh"(x: Number) -> Number { x.unary(Unary::Tanh) }

    /// The number e to the power of another.
    Fixed "exp"(x: Number) -> Number { x.unary(Unary::Exp) }

    /// Natural logarithm.
    Fixed "ln"(x: Number) -> Number { x.unary(Unary::Ln) }

    /// Logarithm to the base 10.
    Fixed "log"(x: Number) -> Number { x.unary(Unary::Log10) }

    /// Logarithm to a base.
    Fixed "log"(x: Number, base: Number) -> Number { x.unary(Unary::Ln) / base.unary(Unary::Ln) }

    /// Square root.
    Fixed "sqrt"(x: Number) -> Number { x.unary(Unary::Sqrt) }

    /// Degrees as radians.
    Fixed "to_radians"(degrees: Number) -> Number in RADIANS { degrees * of.number(PI / 180.0) }

    /// Radians as degrees.
    Fixed "to_degrees"(radians: Number) -> Number { radians * of.number(180.0 / PI) }

    /// The number without its sign.
    Language "abs"(x: Number) -> Number { x.unary(Unary::Abs) }
    integers -> Integer { of.absolute(x)? }

    /// The smaller of two numbers.
    Fixed "min"(a: Number, b: Number) -> Number { a.least(b) }
    integers -> Integer { of.integers(I2::Min, a, b)? }

    /// The larger of two numbers.
    Fixed "max"(a: Number, b: Number) -> Number { a.binary(Binary::Max, b) }
    integers -> Integer { of.integers(I2::Max, a, b)? }

    /// A number, kept between two others.
    Open "clamp"(x: Number, low: Number, high: Number) -> Number { x.least(high).binary(Binary::Max, low) }

    /// The number a share of the way from one to another: 0 gives the first, 1 the second.
    Open "lerp"(from: Number, to: Number, share: Number) -> Number { from + (to - from) * share }

    /// The next integer below; a float.
    Fixed "floor"(x: Number) -> Number { x.unary(Unary::Floor) }
    integers -> Integer { x }

    /// The next integer above; a float.
    Fixed "ceiling"(x: Number) -> Number { x.unary(Unary::Ceiling) }
    integers -> Integer { x }

    /// The nearest integer, halves away from 0; a float.
    Fixed "round"(x: Number) -> Number { x.unary(Unary::Round) }
    integers -> Integer { x }

    /// What a number has behind the point, with its sign.
    Fixed "fraction"(x: Number) -> Number { x.unary(Unary::Fraction) }
    integers -> Integer { x }

    /// A number as a float.
    Fixed "to_float"(x: Number) -> Number { x }

    /// A number as an integer: what it has behind the point is cut off.
    Fixed "to_int"(x: Number) -> Integer { of.to_integer(x)? }
    integers -> Integer { x }

    /// Whether a float is neither infinite nor NaN.
    Fixed "is_finite"(x: Float) -> Truth { x.unary(Unary::Abs).lt(of.number(f32::INFINITY)) }

    /// Whether a float is no number.
    Fixed "is_nan"(x: Float) -> Truth { x.compare(Compare::Ne, x) }
}
