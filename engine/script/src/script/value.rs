//! Converts values between scripts and the engine, and names their types in messages.

use rhai::{Array, Dynamic, FLOAT, INT, ImmutableString, Map};

use super::handles::{AgentHandle, ScriptType};
use super::problem::{self, Problem, Result};
use crate::math::Vec2;
use crate::world::Value;

/// Converts a value to one of a script.
pub(super) fn to_script(value: &Value) -> Dynamic {
    match value {
        Value::Nothing => Dynamic::UNIT,
        Value::Bool(x) => (*x).into(),
        Value::Int(x) => (*x).into(),
        Value::Float(x) => (*x).into(),
        Value::Vector(x) => Dynamic::from(*x),
        Value::String(x) => x.as_ref().into(),
        Value::Agent(id) => Dynamic::from(AgentHandle(*id)),
        Value::List(items) => items.iter().map(to_script).collect::<Array>().into(),
        Value::Map(items) => items
            .iter()
            .map(|(name, value)| (name.as_ref().into(), to_script(value)))
            .collect::<Map>()
            .into(),
        Value::Drawn(distribution) => distribution.middle().into(),
    }
}

/// Converts a value of a script to one that the state of an agent can hold.
///
/// # Errors
///
/// If it is not plain data, or a number in it is not finite.
pub(super) fn from_script(value: &Dynamic) -> Result<Value> {
    if value.is_unit() {
        return Ok(Value::Nothing);
    }
    if let Ok(x) = value.as_bool() {
        return Ok(Value::Bool(x));
    }
    if let Ok(x) = value.as_int() {
        return Ok(Value::Int(x));
    }
    if let Some(x) = number(value) {
        return if x.is_finite() {
            Ok(Value::Float(x))
        } else {
            Err(Problem::from(problem::state_not_finite().label(format!("this is {x}"))).into())
        };
    }
    if let Some(x) = vector(value) {
        return Ok(Value::Vector(x));
    }
    if let Some(x) = value.read_lock::<ImmutableString>() {
        return Ok(Value::String(x.as_str().into()));
    }
    if let Some(x) = value.read_lock::<AgentHandle>() {
        return Ok(Value::Agent(x.0));
    }
    if let Some(items) = value.read_lock::<Array>() {
        return items.iter().map(from_script).collect::<Result<_>>().map(Value::List);
    }
    if let Some(items) = value.read_lock::<Map>() {
        let item = |(name, value): (&rhai::Identifier, &Dynamic)| {
            Ok((name.as_str().into(), from_script(value)?))
        };
        return items.iter().map(item).collect::<Result<_>>().map(Value::Map);
    }
    Err(Problem::from(problem::not_storable(&kind(value))).into())
}

/// Returns the number in a float or an integer.
pub(super) fn number(value: &Dynamic) -> Option<f32> {
    let integer = || value.as_int().ok().map(|x: INT| x as FLOAT);
    value.as_float().ok().or_else(integer)
}

/// Returns the vector in a value.
pub(super) fn vector(value: &Dynamic) -> Option<Vec2> {
    value.read_lock::<Vec2>().map(|v| *v)
}

/// Returns how a point or an agent is written, for a value of another type in its place.
pub(super) fn hint_of_point(value: &Dynamic) -> Option<&'static str> {
    if number(value).is_some() {
        return Some("write a point as `vec(x, y)`, such as `vec(10, 20)`");
    }
    if value.is_string() {
        return Some("an agent of a group is `me.nearest(\"name\")`, or `()` if there is none");
    }
    hint_of_array(value)
}

/// Returns help for an array of two numbers that was probably meant to be a point.
pub(super) fn hint_of_array(value: &Dynamic) -> Option<&'static str> {
    let items = value.read_lock::<Array>()?;
    let is_point = items.len() == 2 && items.iter().all(|item| number(item).is_some());
    is_point.then_some("write a point as `vec(10, 20)`, not as an array")
}

/// Returns the name of the type of a value for messages, with an article. It is the type, not the value, so that the
/// same message can be given before a script runs.
pub(super) fn kind(value: &Dynamic) -> String {
    let known = ScriptType::of_type(value.type_id());
    kind_of_name(known.map_or_else(|| value.type_name(), |kind| kind.name))
}

/// Returns the name of a type for messages, with an article, in place of the one that Rhai or [`ScriptType`] has.
pub(super) fn kind_of_name(name: &str) -> String {
    match name {
        "i64" => "an integer".to_owned(),
        "f32" => "a float".to_owned(),
        "bool" => "a boolean".to_owned(),
        "char" => "a character".to_owned(),
        "Fn" => "a function".to_owned(),
        name if name.contains("::ops::range::") => "a range".to_owned(),
        "()" | "me" | "world" | "other.state" | "world.shared" => format!("`{name}`"),
        "params" | "state" => format!("`me.{name}`"),
        "inputs" => "`world.inputs`".to_owned(),
        "a string" => name.to_owned(),
        name if name.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {name}"),
        name => format!("a {name}"),
    }
}

/// Number of characters of a thrown string that a message shows.
const MAX_THROWN_CHARS: usize = 200;

/// Describes a thrown value for a message.
pub(super) fn thrown(value: &Dynamic) -> String {
    if let Some(text) = value.read_lock::<ImmutableString>() {
        let cut = text.char_indices().nth(MAX_THROWN_CHARS);
        match cut {
            Some((end, _)) => format!("\"{}...\"", &text[..end]),
            None => format!("\"{}\"", text.as_str()),
        }
    } else if value.is_int() || value.is_float() || value.is_bool() {
        value.to_string()
    } else {
        kind(value)
    }
}
