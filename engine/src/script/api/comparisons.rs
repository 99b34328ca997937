//! Comparisons of other things than numbers and vectors. Values of the same kind compare; anything compares
//! with `()`; all else is an error, since Rhai would take it for "not equal" without a word.

use std::any::TypeId;
use std::ops::{Range, RangeInclusive};

use rhai::{Dynamic, INT, ImmutableString};

use super::{AgentHandle, Builder, MeHandle, NeighborhoodHandle};
use crate::math::{Compare, Vec2};
use crate::script::error::{Problem, Result};
use crate::script::value;

const ALL: &[(&str, Compare)] = &[
    ("==", Compare::Eq),
    ("!=", Compare::Ne),
    ("<", Compare::Lt),
    ("<=", Compare::Le),
    (">", Compare::Gt),
    (">=", Compare::Ge),
];

pub(super) fn add(api: &mut Builder) {
    for &(name, how) in ALL {
        api.function(name, move |a: ImmutableString, b: ImmutableString| {
            how.of(a.as_str(), b.as_str())
        });
        api.function(name, move |a: char, b: char| how.of(a, b));
        // A character is a string of one.
        api.function(name, move |a: ImmutableString, b: char| {
            how.of(a.as_str(), &*b.encode_utf8(&mut [0; 4]))
        });
        api.function(name, move |a: char, b: ImmutableString| {
            how.of(&*a.encode_utf8(&mut [0; 4]), b.as_str())
        });
        // Asked only where nothing fits the types better.
        let any = TypeId::of::<Dynamic>();
        api.raw(name, &[any, any], |arguments| {
            other(name, arguments[0], arguments[1]).map(Dynamic::from)
        });
    }
    for (name, equal) in [("==", true), ("!=", false)] {
        api.function(name, move |a: bool, b: bool| (a == b) == equal);
        api.function(name, move |a: NeighborhoodHandle, b: NeighborhoodHandle| (a == b) == equal);
        api.function(name, move |_: MeHandle, _: MeHandle| equal);
        api.function(name, move |a: Range<INT>, b: Range<INT>| (a == b) == equal);
        api.function(name, move |a: RangeInclusive<INT>, b: RangeInclusive<INT>| (a == b) == equal);
    }
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
        return Some(crate::script::error::NOTHING_HELP);
    }
    if value.is::<AgentHandle>() || value.is::<MeHandle>() {
        return Some(
            "compare the distance, `me.distance(agent)`, or a property such as `.speed`, `.id` or `.group`",
        );
    }
    if value.is::<Vec2>() {
        return Some("compare its `.length()`, or its `.x` and `.y`");
    }
    if value.is::<NeighborhoodHandle>() {
        return Some("compare its `.count`");
    }
    value
        .is_string()
        .then_some("a string equals only another string: compare two numbers or two strings")
}
