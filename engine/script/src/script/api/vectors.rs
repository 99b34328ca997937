//! Definitions on vectors, which stand for points, directions, velocities and forces.

use super::define::define;
use crate::math::{Binary, Unary};
use crate::steer::{Number, RADIANS, Vector};

define! { on of;
    /// Returns the vector `(x, y)`.
    Typed "vec"(x: Number, y: Number) -> FiniteVector { Vector::new(x, y) }

    /// Returns the unit vector at an angle from the x axis, in radians.
    Typed "direction"(angle: Number in RADIANS) -> FiniteVector [KnowsDirection] {
        Vector::new(angle.unary(Unary::Cos), angle.unary(Unary::Sin))
    }

    /// The x part of the vector.
    Property "x"(v: Vector) -> Number [KnowsPlace, KnowsDirection] { v.parts().0 }

    /// The y part of the vector.
    Property "y"(v: Vector) -> Number [KnowsPlace, KnowsDirection] { v.parts().1 }

    /// Returns the sum of two vectors; an agent stands for its position.
    Typed "+"(a: Point, b: Point) -> FiniteVector { a + b }

    /// Returns the difference of two vectors: the offset from the second to the first; an agent stands for its position.
    Typed "-"(a: Point, b: Point) -> FiniteVector { a - b }

    /// Returns the vector unchanged.
    Typed "+"(v: Vector) -> Vector { v }

    /// Returns the vector of the same length in the opposite direction.
    Typed "-"(v: Vector) -> Vector { -v }

    /// Returns the vector multiplied by a number.
    Typed "*"(v: Vector, by: Number) -> FiniteVector { v * by }

    /// Returns the vector multiplied by a number.
    Typed "*"(by: Number, v: Vector) -> FiniteVector { v * by }

    /// Returns the vector of the products `a.x * b.x` and `a.y * b.y`.
    Typed "*"(a: Vector, b: Vector) -> FiniteVector { parts(a, b, |a, b| a * b) }

    /// Returns the vector divided by a number.
    Typed "/"(v: Vector, by: Number) -> FiniteVector { parts(v, Vector::new(by, by), |a, b| a / b) }

    /// Returns the vector of the quotients `a.x / b.x` and `a.y / b.y`.
    Typed "/"(a: Vector, b: Vector) -> FiniteVector { parts(a, b, |a, b| a / b) }

    /// Returns whether both parts of two vectors are equal.
    Typed "=="(a: Vector, b: Vector) -> Boolean { a.same(b) }

    /// Returns whether two vectors differ in any part.
    Typed "!="(a: Vector, b: Vector) -> Boolean { !a.same(b) }

    /// Returns the length of the vector, in the unit of its parts.
    Typed "length"(v: Vector) -> Number { v.norm() }

    /// Returns the square of the length of the vector.
    Typed "length_squared"(v: Vector) -> Number { v.dot(v) }

    /// Returns the unit vector in the same direction; the zero vector stays zero.
    Typed "normalized"(v: Vector) -> Vector { v.unit() }

    /// Returns the dot product: 0 at right angles, negative if the vectors point apart.
    Typed "dot"(a: Vector, b: Vector) -> Number { a.dot(b) }

    /// Returns the cross product: positive if the second vector is to the left of the first, with y upward.
    Typed "cross"(a: Vector, b: Vector) -> Number [KnowsSide] {
        let ((ax, ay), (bx, by)) = (a.parts(), b.parts());
        ax * by - ay * bx
    }

    /// Returns the vector rotated by a quarter turn to the left, with y upward.
    Typed "perp"(v: Vector) -> Vector [KnowsSide] { v.perp() }

    /// Returns the angle of the vector from the x axis, in radians from -PI to PI; 0 for the zero vector.
    Typed "angle"(v: Vector) -> Number in RADIANS [KnowsDirection] {
        let (x, y) = v.parts();
        y.binary(Binary::Atan2, x)
    }

    /// Returns the vector rotated by an angle in radians, to the left with y upward.
    Typed "rotated"(v: Vector, angle: Number in RADIANS) -> FiniteVector [KnowsSide] { v.rotated(angle) }

    /// Returns the distance between two points, in world units; it does not cross the edge of a world that wraps.
    Typed "distance"(v: Vector, to: Point) -> Number in "world units" { (to - v).norm() }

    /// Returns the vector, shortened to a maximum length if it is longer; a negative or NaN length counts as 0.
    Typed "limit"(v: Vector, longest: Number) -> Vector {
        v.limit(longest.binary(Binary::Max, of.number(0.0)))
    }

    /// Returns the vector of a given length in the same direction.
    Typed "with_length"(v: Vector, length: Number) -> FiniteVector { v.unit() * length }

    /// Returns the point between two others: a share of 0 gives the first, 1 the second, 0.5 the middle.
    Typed "lerp"(from: Vector, to: Point, share: Number) -> FiniteVector { from + (to - from) * share }
}

/// Returns the vector whose parts a function computes from the parts of two others.
fn parts<V: Vector>(a: V, b: V, function: impl Fn(V::Number, V::Number) -> V::Number) -> V {
    let ((ax, ay), (bx, by)) = (a.parts(), b.parts());
    V::new(function(ax, bx), function(ay, by))
}
