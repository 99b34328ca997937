//! Functions that are bound one by one: assignments, conversions to strings, and functions that scripts must not call.

use std::any::TypeId;

use rhai::{Array, Dynamic, FLOAT, INT, ImmutableString, Map};

use super::{ApiBuilder, finite};
use crate::math::Vec2;
use crate::script::messages;
use crate::script::problem::{self, Problem, Result};

pub(super) fn add(api: &mut ApiBuilder) {
    assignments(api);
    strings(api);
    // Without the quotes that Rhai puts around strings.
    api.function("debug", |text: ImmutableString| text);
    api.function("print", no_print);
    api.function("print", |_: Dynamic| no_print());
    // Rhai's own functions for these types would be a better match than `Dynamic`.
    api.function("print", |_: ImmutableString| no_print());
    api.function("print", |_: FLOAT| no_print());
    api.function("print", |_: INT| no_print());
    api.function("print", |_: bool| no_print());
    api.function("print", |_: char| no_print());
    api.function("print", |_: Array| no_print());
    api.function("print", |_: Map| no_print());
    api.function("print", |(): ()| no_print());
}

fn assignments(api: &mut ApiBuilder) {
    // `/=` gives a float, as `/` does.
    api.assigning("/=", [TypeId::of::<INT>(); 2], |a, b| {
        let quotient = |a: &Dynamic, b: &Dynamic| {
            Some((a.as_int().ok()? as FLOAT / b.as_int().ok()? as FLOAT).into())
        };
        quotient(a, b).unwrap_or(Dynamic::UNIT)
    });
    api.module.set_setter_fn("x", |v: &mut Vec2, x: FLOAT| set(v, Vec2::new(x, v.y)));
    api.module.set_setter_fn("x", |v: &mut Vec2, x: INT| set(v, Vec2::new(x as FLOAT, v.y)));
    api.module.set_setter_fn("y", |v: &mut Vec2, y: FLOAT| set(v, Vec2::new(v.x, y)));
    api.module.set_setter_fn("y", |v: &mut Vec2, y: INT| set(v, Vec2::new(v.x, y as FLOAT)));
}

fn set(v: &mut Vec2, to: Vec2) -> Result<()> {
    *v = finite(to)?;
    Ok(())
}

fn strings(api: &mut ApiBuilder) {
    for name in ["to_string", "to_debug"] {
        // For scripts that catch an error.
        api.function(name, |problem: Problem| problem.to_string());
        api.function(name, |v: &mut Vec2| messages::vector(*v));
    }
}

fn no_print() -> Result<()> {
    Err(Problem::from(problem::no_print()).into())
}
