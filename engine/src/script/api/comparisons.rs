//! Comparisons. Values of the same kind compare; anything compares with `()`; all else is an error, since
//! Rhai would take it for "not equal" without a word.

use std::any::TypeId;
use std::ops::{Range, RangeInclusive};

use rhai::{
    Dynamic, FLOAT, FuncRegistration, INT, ImmutableString, Module, NativeCallContext, RhaiFunc,
    Shared,
};

use super::{Builder, Itself, Nearby, Other};
use crate::math::Vec2;
use crate::script::error::{Problem, Result};
use crate::script::{traced, value};

/// Each operator with what it says of numbers, as IEEE 754 has it, and of an order.
struct Comparison {
    name: &'static str,
    numbers: fn(&FLOAT, &FLOAT) -> bool,
    integers: fn(&INT, &INT) -> bool,
    strings: fn(&str, &str) -> bool,
}

macro_rules! comparison {
    ($name:literal, $of:path) => {
        Comparison { name: $name, numbers: $of, integers: $of, strings: |a, b| $of(a, b) }
    };
}

const ALL: &[Comparison] = &[
    comparison!("==", PartialEq::eq),
    comparison!("!=", PartialEq::ne),
    comparison!("<", PartialOrd::lt),
    comparison!("<=", PartialOrd::le),
    comparison!(">", PartialOrd::gt),
    comparison!(">=", PartialOrd::ge),
];

pub(super) fn add(api: &mut Builder) {
    for Comparison { name, numbers, integers, strings } in ALL {
        api.function(name, move |a: FLOAT, b: FLOAT| numbers(&a, &b));
        api.function(name, move |a: FLOAT, b: INT| numbers(&a, &(b as FLOAT)));
        api.function(name, move |a: INT, b: FLOAT| numbers(&(a as FLOAT), &b));
        api.function(name, move |a: INT, b: INT| integers(&a, &b));
        api.function(name, move |a: ImmutableString, b: ImmutableString| strings(&a, &b));
        api.function(name, move |a: char, b: char| {
            integers(&INT::from(u32::from(a)), &INT::from(u32::from(b)))
        });
        // A character is a string of one.
        api.function(name, move |a: ImmutableString, b: char| {
            strings(&a, b.encode_utf8(&mut [0; 4]))
        });
        api.function(name, move |a: char, b: ImmutableString| {
            strings(a.encode_utf8(&mut [0; 4]), &b)
        });
        // Asked only where nothing fits the types better.
        let any = TypeId::of::<Dynamic>();
        api.raw(name, &[any, any], |arguments| {
            other(name, arguments[0], arguments[1]).map(Dynamic::from)
        });
    }
    for (name, equal) in [("==", true), ("!=", false)] {
        api.function(name, move |a: bool, b: bool| (a == b) == equal);
        api.function(name, move |a: Vec2, b: Vec2| (a == b) == equal);
        api.function(name, move |a: Nearby, b: Nearby| (a == b) == equal);
        api.function(name, move |_: Itself, _: Itself| equal);
        api.function(name, move |a: Range<INT>, b: Range<INT>| (a == b) == equal);
        api.function(name, move |a: RangeInclusive<INT>, b: RangeInclusive<INT>| (a == b) == equal);
    }
}

/// The comparisons of values of which one at least is traced.
pub(super) fn add_traced(module: &mut Module) {
    let of = [TypeId::of::<FLOAT>(), TypeId::of::<INT>(), TypeId::of::<traced::Number>()];
    for Comparison { name, numbers, .. } in ALL {
        for (a, b) in [(2, 0), (2, 1), (2, 2), (0, 2), (1, 2)] {
            bind(module, name, [of[a], of[b]], move |arguments| {
                let number = |place: usize| value::number(arguments[place]).unwrap_or_default();
                numbers(&number(0), &number(1))
            });
        }
    }
    let of = [TypeId::of::<Vec2>(), TypeId::of::<traced::Vector>()];
    for (name, equal) in [("==", true), ("!=", false)] {
        for (a, b) in [(0, 1), (1, 0), (1, 1)] {
            bind(module, name, [of[a], of[b]], move |arguments| {
                (value::vector(arguments[0]) == value::vector(arguments[1])) == equal
            });
        }
    }
}

fn bind(
    module: &mut Module,
    name: &str,
    types: [TypeId; 2],
    compare: impl Fn(&[&mut Dynamic]) -> bool + Send + Sync + 'static,
) {
    let func = RhaiFunc::Pure {
        func: Shared::new(
            move |_: Option<NativeCallContext<'_>>, arguments: &mut [&mut Dynamic]| {
                Ok(compare(arguments).into())
            },
        ),
        has_context: false,
        is_pure: true,
        is_volatile: true,
    };
    FuncRegistration::new(name).set_into_module_raw(module, types, func);
}

/// The answer for values that no function of their types compares.
fn other(operator: &str, a: &Dynamic, b: &Dynamic) -> Result<bool> {
    let is_equality = matches!(operator, "==" | "!=");
    if is_equality && (a.is_unit() || b.is_unit()) {
        return Ok((a.is_unit() && b.is_unit()) == (operator == "=="));
    }
    let (left, right) = (value::kind(a), value::kind(b));
    let problem = Problem::of_types(if is_equality {
        format!("{left} and {right} cannot be compared with `{operator}`")
    } else {
        format!("`{operator}` cannot compare {left} with {right}")
    });
    Err(match hint(a).or_else(|| hint(b)) {
        Some(hint) => problem.help(hint).into(),
        None => problem.into(),
    })
}

/// What is probably meant where a value is compared with one of another kind.
fn hint(value: &Dynamic) -> Option<&'static str> {
    if value.is_unit() {
        return Some(crate::script::error::NOTHING);
    }
    if value.is::<Other>() || value.is::<Itself>() {
        return Some(
            "compare the distance, `me.distance(agent)`, or a property such as `.speed`, `.id` or `.group`",
        );
    }
    if value.is::<Vec2>() {
        return Some("compare its `.length()`, or its `.x` and `.y`");
    }
    if value.is::<Nearby>() {
        return Some("compare its `.count`");
    }
    value
        .is_string()
        .then_some("a string equals only another string: compare two numbers or two strings")
}
