//! Functions of numbers. Each takes integers where it takes floats.

use std::any::TypeId;

use rhai::{Array, Dynamic, FLOAT, INT, ImmutableString, Map};

use super::Builder;
use crate::math;
use crate::script::error::{Problem, Result};

pub(super) fn add(api: &mut Builder) {
    for (name, function) in OF_ONE {
        api.function(name, move |x: FLOAT| function(x));
        api.function(name, move |x: INT| function(x as FLOAT));
    }
    for (name, function) in OF_TWO {
        api.function(name, move |a: FLOAT, b: FLOAT| function(a, b));
        api.function(name, move |a: INT, b: INT| function(a as FLOAT, b as FLOAT));
        api.function(name, move |a: FLOAT, b: INT| function(a, b as FLOAT));
        api.function(name, move |a: INT, b: FLOAT| function(a as FLOAT, b));
    }
    for (name, function, whole) in EXTREMES {
        api.function(name, move |a: INT, b: INT| whole(a, b));
        api.function(name, move |a: FLOAT, b: FLOAT| function(a, b));
        api.function(name, move |a: FLOAT, b: INT| function(a, b as FLOAT));
        api.function(name, move |a: INT, b: FLOAT| function(a as FLOAT, b));
    }
    // Also of two integers: `1 / 2` is 0.5, and a param written `3` divides as `3.0` does.
    api.function("/", |a: INT, b: INT| a as FLOAT / b as FLOAT);
    api.assigning("/=", [TypeId::of::<INT>(); 2], |a, b| {
        let quotient = |a: &Dynamic, b: &Dynamic| {
            Some((a.as_int().ok()? as FLOAT / b.as_int().ok()? as FLOAT).into())
        };
        quotient(a, b).unwrap_or(Dynamic::UNIT)
    });
    for name in ["pow", "**"] {
        api.function(name, |a: FLOAT, b: FLOAT| math::pow(a, b));
        api.function(name, |a: FLOAT, b: INT| math::pow(a, b as FLOAT));
        api.function(name, |a: INT, b: FLOAT| math::pow(a as FLOAT, b));
        api.function(name, whole_power);
    }
    for (name, function) in TO_WHOLE {
        api.function(name, move |x: FLOAT| function(x));
        api.function(name, |x: INT| x);
    }
    api.function("to_float", |x: FLOAT| x);
    api.function("to_float", |x: INT| x as FLOAT);
    api.function("to_int", |x: INT| x);
    api.function("to_int", |x: FLOAT| -> Result<INT> {
        if x.is_finite() {
            Ok(x as INT)
        } else {
            Err(Problem::new(format!("{x} is not an integer")).into())
        }
    });
    for name in ["to_string", "to_debug"] {
        // What a script that catches an error sees.
        api.function(name, |problem: Problem| problem.to_string());
    }
    api.function("is_finite", |x: FLOAT| x.is_finite());
    api.function("is_nan", |x: FLOAT| x.is_nan());
    for (name, function) in OF_THREE {
        api.open::<FLOAT>(name, 2, |a| three(a, name, *function));
        api.open::<INT>(name, 2, |a| three(a, name, *function));
    }
    // As it is, without the quotes that show where a text begins and ends.
    api.function("debug", |text: ImmutableString| text);
    api.function("print", no_print);
    api.function("print", |_: Dynamic| no_print());
    // Rhai has some for types of its own, which would be the better match.
    api.function("print", |_: ImmutableString| no_print());
    api.function("print", |_: FLOAT| no_print());
    api.function("print", |_: INT| no_print());
    api.function("print", |_: bool| no_print());
    api.function("print", |_: char| no_print());
    api.function("print", |_: Array| no_print());
    api.function("print", |_: Map| no_print());
    api.function("print", |(): ()| no_print());
}

fn no_print() -> Result<()> {
    Err(Problem::new("scripts do not print")
        .help("use `debug(...)`: it is shown with agent and tick")
        .into())
}

type OfOne = fn(f32) -> f32;
type OfTwo = fn(f32, f32) -> f32;
type OfThree = fn(f32, f32, f32) -> f32;

const OF_ONE: &[(&str, OfOne)] = &[
    ("sin", math::sin),
    ("cos", math::cos),
    ("tan", math::tan),
    ("asin", math::asin),
    ("acos", math::acos),
    ("atan", math::atan),
    ("sinh", math::sinh),
    ("cosh", math::cosh),
    ("tanh", math::tanh),
    ("exp", math::exp),
    ("ln", math::ln),
    ("log", math::log10),
    ("sqrt", math::sqrt),
    ("to_radians", |degrees| degrees * (math::PI / 180.0)),
    ("to_degrees", |radians| radians * (180.0 / math::PI)),
];

const OF_TWO: &[(&str, OfTwo)] =
    &[("atan", math::atan2), ("log", |x, base| math::ln(x) / math::ln(base))];

type OfTwoWhole = fn(INT, INT) -> INT;

const EXTREMES: &[(&str, OfTwo, OfTwoWhole)] =
    &[("min", math::min, Ord::min), ("max", math::max, Ord::max)];

const OF_THREE: &[(&str, OfThree)] = &[
    ("clamp", |x, low, high| math::max(math::min(x, high), low)),
    ("lerp", |from, to, share| from + (to - from) * share),
];

/// Rounding to whole values: numbers stay numbers.
const TO_WHOLE: &[(&str, OfOne)] = &[
    ("floor", f32::floor),
    ("ceiling", f32::ceil),
    ("round", f32::round),
    ("fraction", f32::fract),
];

fn whole_power(base: INT, exponent: INT) -> Result<INT> {
    u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent)).ok_or_else(|| {
        Problem::new(format!("{base} ** {exponent} is not an integer in range"))
            .help("make one of them a float, such as 2.0")
            .into()
    })
}

fn three(arguments: &[&mut Dynamic], name: &str, function: OfThree) -> Result<Dynamic> {
    let mut numbers = [0.0; 3];
    for (number, argument) in numbers.iter_mut().zip(arguments) {
        *number = super::number(name, argument)?;
    }
    let [a, b, c] = numbers;
    Ok(function(a, b, c).into())
}
