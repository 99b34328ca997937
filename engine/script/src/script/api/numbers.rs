//! Definitions on numbers. Each takes integers wherever it takes floats.

use super::define::define;
use crate::math::{Binary, Compare, PI, Unary};
use crate::program::I2;
use crate::steer::{Number, RADIANS};

define! { on of;
    /// Returns the sum of two numbers.
    BuiltIn "+"(a: Number, b: Number) -> Number { a + b }
    integers -> Integer { of.integers(I2::Add, a, b)? }

    /// Returns the difference of two numbers.
    BuiltIn "-"(a: Number, b: Number) -> Number { a - b }
    integers -> Integer { of.integers(I2::Sub, a, b)? }

    /// Returns the product of two numbers.
    BuiltIn "*"(a: Number, b: Number) -> Number { a * b }
    integers -> Integer { of.integers(I2::Mul, a, b)? }

    /// Returns the quotient of two numbers as a float, also of two integers: `1 / 2` is 0.5.
    Typed "/"(a: Number, b: Number) -> Number { a / b }

    /// Returns the remainder of a division, with the sign of the first number.
    BuiltIn "%"(a: Number, b: Number) -> Number { a.binary(Binary::Rem, b) }
    integers -> Integer { of.integers(I2::Rem, a, b)? }

    /// Returns a number raised to the power of another.
    Typed "**" or "pow"(base: Number, exponent: Number) -> Number { base.binary(Binary::Pow, exponent) }
    integers -> Integer { of.integers(I2::Pow, base, exponent)? }

    /// Returns the number unchanged.
    BuiltIn "+"(x: Number) -> Number { x }
    integers -> Integer { x }

    /// Returns the number with the opposite sign.
    BuiltIn "-"(x: Number) -> Number { -x }
    integers -> Integer { of.negated(x)? }

    /// Returns whether two numbers are exactly equal, as IEEE 754 defines it.
    Typed "=="(a: Number, b: Number) -> Boolean { a.compare(Compare::Eq, b) }
    integers -> Boolean { of.compare(Compare::Eq, a, b) }

    /// Returns whether two numbers differ at all, as IEEE 754 defines it.
    Typed "!="(a: Number, b: Number) -> Boolean { a.compare(Compare::Ne, b) }
    integers -> Boolean { of.compare(Compare::Ne, a, b) }

    /// Returns whether the first number is less than the second.
    Typed "<"(a: Number, b: Number) -> Boolean { a.compare(Compare::Lt, b) }
    integers -> Boolean { of.compare(Compare::Lt, a, b) }

    /// Returns whether the first number is less than or equal to the second.
    Typed "<="(a: Number, b: Number) -> Boolean { a.compare(Compare::Le, b) }
    integers -> Boolean { of.compare(Compare::Le, a, b) }

    /// Returns whether the first number is greater than the second.
    Typed ">"(a: Number, b: Number) -> Boolean { a.compare(Compare::Gt, b) }
    integers -> Boolean { of.compare(Compare::Gt, a, b) }

    /// Returns whether the first number is greater than or equal to the second.
    Typed ">="(a: Number, b: Number) -> Boolean { a.compare(Compare::Ge, b) }
    integers -> Boolean { of.compare(Compare::Ge, a, b) }

    /// Returns the sine of an angle in radians.
    Typed "sin"(angle: Number in RADIANS) -> Number { angle.unary(Unary::Sin) }

    /// Returns the cosine of an angle in radians.
    Typed "cos"(angle: Number in RADIANS) -> Number { angle.unary(Unary::Cos) }

    /// Returns the tangent of an angle in radians.
    Typed "tan"(angle: Number in RADIANS) -> Number { angle.unary(Unary::Tan) }

    /// Returns the angle with this sine, in radians from -PI/2 to PI/2; NaN for numbers beyond -1 and 1.
    Typed "asin"(x: Number) -> Number in RADIANS { x.unary(Unary::Asin) }

    /// Returns the angle with this cosine, in radians from 0 to PI; NaN for numbers beyond -1 and 1.
    Typed "acos"(x: Number) -> Number in RADIANS { x.unary(Unary::Acos) }

    /// Returns the angle with this tangent, in radians from -PI/2 to PI/2.
    Typed "atan"(x: Number) -> Number in RADIANS [KnowsDirection] { x.unary(Unary::Atan) }

    /// Returns the angle of the vector `(x, y)` from the x axis, in radians from -PI to PI; `y` comes first.
    Typed "atan"(y: Number, x: Number) -> Number in RADIANS [KnowsDirection] { y.binary(Binary::Atan2, x) }

    /// Returns the hyperbolic sine of a number.
    Typed "sinh"(x: Number) -> Number { x.unary(Unary::Sinh) }

    /// Returns the hyperbolic cosine of a number.
    Typed "cosh"(x: Number) -> Number { x.unary(Unary::Cosh) }

    /// Returns the hyperbolic tangent of a number.
    Typed "tanh"(x: Number) -> Number { x.unary(Unary::Tanh) }

    /// Returns e raised to the power of a number.
    Typed "exp"(x: Number) -> Number { x.unary(Unary::Exp) }

    /// Returns the natural logarithm of a number.
    Typed "ln"(x: Number) -> Number { x.unary(Unary::Ln) }

    /// Returns the logarithm of a number to the base 10.
    Typed "log"(x: Number) -> Number { x.unary(Unary::Log10) }

    /// Returns the logarithm of a number to a given base.
    Typed "log"(x: Number, base: Number) -> Number { x.unary(Unary::Ln) / base.unary(Unary::Ln) }

    /// Returns the square root of a number; NaN for a negative one.
    Typed "sqrt"(x: Number) -> Number { x.unary(Unary::Sqrt) }

    /// Converts an angle from degrees to radians.
    Typed "to_radians"(degrees: Number) -> Number in RADIANS { degrees * of.number(PI / 180.0) }

    /// Converts an angle from radians to degrees.
    Typed "to_degrees"(radians: Number) -> Number { radians * of.number(180.0 / PI) }

    /// Returns the number without its sign.
    BuiltIn "abs"(x: Number) -> Number { x.unary(Unary::Abs) }
    integers -> Integer { of.absolute(x)? }

    /// Returns the smaller of two numbers.
    Typed "min"(a: Number, b: Number) -> Number { a.least(b) }
    integers -> Integer { of.integers(I2::Min, a, b)? }

    /// Returns the larger of two numbers.
    Typed "max"(a: Number, b: Number) -> Number { a.binary(Binary::Max, b) }
    integers -> Integer { of.integers(I2::Max, a, b)? }

    /// Returns the number, limited to the range from `low` to `high`.
    Untyped "clamp"(x: Number, low: Number, high: Number) -> Number { x.least(high).binary(Binary::Max, low) }

    /// Returns the number between two others: a share of 0 gives the first, 1 the second, 0.5 the middle.
    Untyped "lerp"(from: Number, to: Number, share: Number) -> Number { from + (to - from) * share }

    /// Returns the number rounded down, as a float; an integer stays an integer.
    Typed "floor"(x: Number) -> Number { x.unary(Unary::Floor) }
    integers -> Integer { x }

    /// Returns the number rounded up, as a float; an integer stays an integer.
    Typed "ceiling"(x: Number) -> Number { x.unary(Unary::Ceiling) }
    integers -> Integer { x }

    /// Returns the number rounded to the nearest, halves away from 0, as a float; an integer stays an integer.
    Typed "round"(x: Number) -> Number { x.unary(Unary::Round) }
    integers -> Integer { x }

    /// Returns the part of the number after the decimal point, with its sign; 0 for an integer.
    Typed "fraction"(x: Number) -> Number { x.unary(Unary::Fraction) }
    integers -> Integer { of.integers(I2::Sub, x, x)? }

    /// Returns the number as a float.
    Typed "to_float"(x: Number) -> Number { x }

    /// Returns the number as an integer, without what follows the decimal point.
    Typed "to_int"(x: Number) -> Integer { of.to_integer(x)? }
    integers -> Integer { x }

    /// Returns whether a float is neither infinite nor NaN.
    Typed "is_finite"(x: Float) -> Boolean { x.unary(Unary::Abs).lt(of.number(f32::INFINITY)) }

    /// Returns whether a float is NaN, "not a number".
    Typed "is_nan"(x: Float) -> Boolean { x.compare(Compare::Ne, x) }
}
