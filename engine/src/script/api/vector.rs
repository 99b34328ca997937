//! Vectors: points, directions, velocities and forces.

use std::any::TypeId;

use rhai::{Dynamic, FLOAT, INT};

use super::{Builder, Itself, Other, TypeOf, finite};
use crate::math::{self, Vec2};
use crate::script::error::Result;
use crate::script::turn::{number, scaled, truth};

/// Pairs of points of which the second is an agent.
const FROM_VECTOR: &[[TypeOf; 2]] =
    &[[TypeId::of::<Vec2>, TypeId::of::<Other>], [TypeId::of::<Vec2>, TypeId::of::<Itself>]];

/// Pairs of points of which at least one is an agent.
const PAIRS: &[[TypeOf; 2]] = &[
    FROM_VECTOR[0],
    FROM_VECTOR[1],
    [TypeId::of::<Other>, TypeId::of::<Vec2>],
    [TypeId::of::<Other>, TypeId::of::<Other>],
    [TypeId::of::<Other>, TypeId::of::<Itself>],
    [TypeId::of::<Itself>, TypeId::of::<Vec2>],
    [TypeId::of::<Itself>, TypeId::of::<Other>],
    [TypeId::of::<Itself>, TypeId::of::<Itself>],
];

pub(super) fn add(api: &mut Builder) {
    api.kind::<Vec2>();
    make(api);
    operators(api);
    parts(api);
    functions(api);
}

fn make(api: &mut Builder) {
    api.function("vec", |x: FLOAT, y: FLOAT| finite(Vec2::new(x, y)));
    api.function("vec", |x: INT, y: INT| Vec2::new(x as FLOAT, y as FLOAT));
    api.function("vec", |x: FLOAT, y: INT| finite(Vec2::new(x, y as FLOAT)));
    api.function("vec", |x: INT, y: FLOAT| finite(Vec2::new(x as FLOAT, y)));
    api.function("direction", |radians: FLOAT| finite(math::direction(radians)));
    api.function("direction", |radians: INT| math::direction(radians as FLOAT));
}

fn operators(api: &mut Builder) {
    api.function("+", |a: Vec2, b: Vec2| finite(a + b));
    api.function("-", |a: Vec2, b: Vec2| finite(a - b));
    api.points("+", PAIRS, &[], |a, b, _| finite(a + b).map(Dynamic::from));
    api.points("-", PAIRS, &[], |a, b, _| finite(a - b).map(Dynamic::from));
    api.function("-", |a: Vec2| -a);
    api.function("+", |a: Vec2| a);
    api.function("*", |a: Vec2, b: FLOAT| finite(a * b));
    api.function("*", |a: Vec2, b: INT| finite(a * b as FLOAT));
    api.function("*", |a: FLOAT, b: Vec2| finite(b * a));
    api.function("*", |a: INT, b: Vec2| finite(b * a as FLOAT));
    api.function("*", |a: Vec2, b: Vec2| finite(a * b));
    api.function("/", |a: Vec2, b: FLOAT| finite(a / b));
    api.function("/", |a: Vec2, b: INT| finite(a / b as FLOAT));
    api.function("/", |a: Vec2, b: Vec2| finite(a / b));
    api.function("==", |a: Vec2, b: Vec2| truth(a == b));
    api.function("!=", |a: Vec2, b: Vec2| truth(a != b));
    for name in ["to_string", "to_debug"] {
        api.function(name, |v: &mut Vec2| format!("({}, {})", v.x, v.y));
    }
}

fn parts(api: &mut Builder) {
    api.property("x", |v: &mut Vec2| Ok(v.x));
    api.property("y", |v: &mut Vec2| Ok(v.y));
    api.module.set_setter_fn("x", |v: &mut Vec2, x: FLOAT| set(v, Vec2::new(x, v.y)));
    api.module.set_setter_fn("x", |v: &mut Vec2, x: INT| set(v, Vec2::new(x as FLOAT, v.y)));
    api.module.set_setter_fn("y", |v: &mut Vec2, y: FLOAT| set(v, Vec2::new(v.x, y)));
    api.module.set_setter_fn("y", |v: &mut Vec2, y: INT| set(v, Vec2::new(v.x, y as FLOAT)));
}

fn set(v: &mut Vec2, to: Vec2) -> Result<()> {
    *v = finite(to)?;
    Ok(())
}

fn functions(api: &mut Builder) {
    api.function("length", |v: Vec2| number(math::length(v)));
    api.function("length_squared", |v: Vec2| number(v.length_squared()));
    api.function("normalized", |v: Vec2| scale(v, math::unit(v)));
    api.function("dot", |a: Vec2, b: Vec2| number(a.dot(b)));
    api.function("cross", |a: Vec2, b: Vec2| number(a.perp_dot(b)));
    api.function("perp", |v: Vec2| math::perp(v));
    api.function("angle", |v: Vec2| number(math::angle(v)));
    api.function("rotated", |v: Vec2, radians: FLOAT| finite(math::rotated(v, radians)));
    api.function("rotated", |v: Vec2, radians: INT| math::rotated(v, radians as FLOAT));
    api.function("distance", |a: Vec2, b: Vec2| number(math::length(b - a)));
    api.points("distance", FROM_VECTOR, &[], |a, b, _| Ok(number(math::length(b - a)).into()));
    api.function("limit", |v: Vec2, longest: FLOAT| limit(v, longest));
    api.function("limit", |v: Vec2, longest: INT| limit(v, longest as FLOAT));
    api.function("with_length", |v: Vec2, length: FLOAT| {
        finite(math::unit(v) * length).map(|to| scale(v, to))
    });
    api.function("with_length", |v: Vec2, length: INT| scale(v, math::unit(v) * length as FLOAT));
    api.function("lerp", |a: Vec2, b: Vec2, share: FLOAT| finite(a + (b - a) * share));
    api.function("lerp", |a: Vec2, b: Vec2, share: INT| finite(a + (b - a) * share as FLOAT));
    api.points("lerp", FROM_VECTOR, &[TypeId::of::<Dynamic>()], |a, b, share| {
        let share = super::number("lerp", share[0])?;
        finite(a + (b - a) * share).map(Dynamic::from)
    });
}

/// A negative or undefined length is taken for 0.
fn limit(v: Vec2, longest: f32) -> Vec2 {
    let longest = math::max(longest, 0.0);
    scaled(v, math::limit(v, longest), || math::limit_scale(v, longest))
}

/// A vector as another of the same direction.
fn scale(from: Vec2, to: Vec2) -> Vec2 {
    scaled(from, to, || math::scale(from, to))
}
