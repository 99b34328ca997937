//! Vectors: points, directions, velocities and forces.

use super::define::define;
use crate::math::{Binary, Unary};
use crate::steer::{Number, RADIANS, Vector};

define! { on of;
    /// The vector of two numbers.
    Fixed "vec"(x: Number, y: Number) -> Made { Vector::new(x, y) }

    /// The unit vector at an angle from the x axis.
    Fixed "direction"(angle: Number in RADIANS) -> Made {
        Vector::new(angle.unary(Unary::Cos), angle.unary(Unary::Sin))
    }

    /// The first part of a vector.
    Property "x"(v: Vector) -> Number { v.parts().0 }

    /// The second part of a vector.
    Property "y"(v: Vector) -> Number { v.parts().1 }

    /// The sum of two vectors, or of where agents are.
    Fixed "+"(a: Point, b: Point) -> Made { a + b }

    /// The way from the second point to the first.
    Fixed "-"(a: Point, b: Point) -> Made { a - b }

    /// The vector itself.
    Fixed "+"(v: Vector) -> Vector { v }

    /// The vector that points the other way.
    Fixed "-"(v: Vector) -> Vector { -v }

    /// A vector, as many times as long.
    Fixed "*"(v: Vector, by: Number) -> Made { v * by }

    /// A vector, as many times as long.
    Fixed "*"(by: Number, v: Vector) -> Made { v * by }

    /// The products of the parts of two vectors.
    Fixed "*"(a: Vector, b: Vector) -> Made { parts(a, b, |a, b| a * b) }

    /// A vector, as many times shorter.
    Fixed "/"(v: Vector, by: Number) -> Made { parts(v, Vector::new(by, by), |a, b| a / b) }

    /// The quotients of the parts of two vectors.
    Fixed "/"(a: Vector, b: Vector) -> Made { parts(a, b, |a, b| a / b) }

    /// Whether two vectors are equal.
    Fixed "=="(a: Vector, b: Vector) -> Truth { a.same(b) }

    /// Whether two vectors differ.
    Fixed "!="(a: Vector, b: Vector) -> Truth { !a.same(b) }

    /// Its length, in the unit of its parts.
    Fixed "length"(v: Vector) -> Number { v.norm() }

    /// The square of its length.
    Fixed "length_squared"(v: Vector) -> Number { v.dot(v) }

    /// The vector of length 1 along it; the zero vector for the zero vector.
    Fixed "normalized"(v: Vector) -> Vector { v.unit() }

    /// The dot product: 0 where they are at right angles, negative where they point apart.
    Fixed "dot"(a: Vector, b: Vector) -> Number { a.dot(b) }

    /// The cross product: positive where the second is to the left of the first, with y upward.
    Fixed "cross"(a: Vector, b: Vector) -> Number {
        let ((ax, ay), (bx, by)) = (a.parts(), b.parts());
        ax * by - ay * bx
    }

    /// It, turned by a quarter to the left, with y upward.
    Fixed "perp"(v: Vector) -> Vector { v.perp() }

    /// Its angle from the x axis, from -PI to PI; 0 for the zero vector.
    Fixed "angle"(v: Vector) -> Number in RADIANS {
        let (x, y) = v.parts();
        y.binary(Binary::Atan2, x)
    }

    /// It, turned by an angle, to the left with y upward.
    Fixed "rotated"(v: Vector, angle: Number in RADIANS) -> Made { v.rotated(angle) }

    /// How far it is from one point to another.
    Fixed "distance"(v: Vector, to: Point) -> Number in "world units" { (to - v).norm() }

    /// It, cut to a length where it is longer; a negative or undefined length is taken for 0.
    Fixed "limit"(v: Vector, longest: Number) -> Vector {
        v.limit(longest.binary(Binary::Max, of.number(0.0)))
    }

    /// The vector of a length along it.
    Fixed "with_length"(v: Vector, length: Number) -> Made { v.unit() * length }

    /// The point a share of the way from one to another: 0 gives the first, 1 the second.
    Fixed "lerp"(from: Vector, to: Point, share: Number) -> Made { from + (to - from) * share }
}

/// The vector of a function of the parts of two others.
fn parts<V: Vector>(a: V, b: V, function: impl Fn(V::Number, V::Number) -> V::Number) -> V {
    let ((ax, ay), (bx, by)) = (a.parts(), b.parts());
    V::new(function(ax, bx), function(ay, by))
}
