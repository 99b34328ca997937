//! Comparisons of values other than numbers and vectors. Values of the same type can be compared, and any value with
//! `()`. All other comparisons are errors, because Rhai would silently treat such values as not equal.

use std::any::TypeId;
use std::ops::{Range, RangeInclusive};

use rhai::{Dynamic, INT, ImmutableString};

use super::{AgentHandle, ApiBuilder, MeHandle, NeighborhoodHandle};
use crate::math::{Compare, Vec2};
use crate::script::problem::{Problem, Result};
use crate::script::value;

const ALL: &[(&str, Compare)] = &[
    ("==", Compare::Eq),
    ("!=", Compare::Ne),
    ("<", Compare::Lt),
    ("<=", Compare::Le),
    (">", Compare::Gt),
    (">=", Compare::Ge),
];

pub(super) fn add(api: &mut ApiBuilder) {
    for &(name, how) in ALL {
        api.function(name, move |a: ImmutableString, b: ImmutableString| {
            how.holds(a.as_str(), b.as_str())
        });
        api.function(name, move |a: char, b: char| how.holds(a, b));
        // A character is compared as a string of one character.
        api.function(name, move |a: ImmutableString, b: char| {
            how.holds(a.as_str(), &*b.encode_utf8(&mut [0; 4]))
        });
        api.function(name, move |a: char, b: ImmutableString| {
            how.holds(&*a.encode_utf8(&mut [0; 4]), b.as_str())
        });
        // Called only if no other function fits the types.
        let any = TypeId::of::<Dynamic>();
        api.raw(name, &[any, any], |arguments| {
            compare_others(name, arguments[0], arguments[1]).map(Dynamic::from)
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

/// Compares values for whose types there is no other function.
fn compare_others(operator: &str, a: &Dynamic, b: &Dynamic) -> Result<bool> {
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
    let problem = match hint(a).or_else(|| hint(b)) {
        Some(hint) => problem.help(hint),
        None => problem,
    };
    let compared = compared_part(a, b).map(|add| (true, add));
    let compared = compared.or_else(|| compared_part(b, a).map(|add| (false, add)));
    Err(match compared {
        Some((is_left, add)) => problem.operand(is_left, add).into(),
        None => problem.into(),
    })
}

/// Returns what to add to a value so that it can be compared with a number.
fn compared_part(value: &Dynamic, with: &Dynamic) -> Option<&'static str> {
    let is_number = with.is_int() || with.is_float();
    match is_number {
        true if value.is::<Vec2>() => Some(".length()"),
        true if value.is::<NeighborhoodHandle>() => Some(".count"),
        _ => None,
    }
}

/// Returns what was probably meant by comparing a value with one of another type.
fn hint(value: &Dynamic) -> Option<&'static str> {
    if value.is_unit() {
        return Some(crate::script::problem::NOTHING_HELP);
    }
    if value.is::<AgentHandle>() || value.is::<MeHandle>() {
        return Some(
            "compare a property such as `.speed`, `.id` or `.group`, or the distance `me.distance(agent)`",
        );
    }
    if value.is::<Vec2>() {
        return Some("compare its `.length()`, or its `.x` and `.y`");
    }
    if value.is::<NeighborhoodHandle>() {
        return Some("compare its `.count`");
    }
    value.is_string().then_some("a string can only be compared with a string")
}
