//! The values that a turn of one agent gives to the variables and calls of its script, for editors.
//!
//! A lowered program notes them while it runs. For a turn that only the interpreter can run, they are traced.

use std::sync::Arc;

use rhai::Dynamic;

use super::{messages, value};
use crate::math;
use crate::program::{NotePlace, NotedStep, NotedValue, Type};
use crate::sim::TurnValue;
use crate::world::Value;

/// Maximum number of elements of an array or a map in its text. Editors show less of it where there is little room.
const MAX_ITEMS: usize = 50;
/// Number of bytes after which the text of an array or a map gets no more elements.
const MAX_TEXT: usize = 1000;

/// Returns the values that a lowered program has noted, in their order.
pub(super) fn noted(all: Vec<(NotePlace, NotedStep)>) -> Vec<TurnValue> {
    let value = |(order, (NotePlace { place, kind, calls }, NotedStep { value, count, .. })): (
        usize,
        _,
    )| {
        let text = noted_text(&value);
        TurnValue { place, kind, calls, order: order as u32, text, count }
    };
    all.into_iter().enumerate().map(value).collect()
}

/// Returns a noted value as a text.
fn noted_text(value: &NotedValue) -> String {
    match value {
        NotedValue::Value(value) => value_text(value),
        NotedValue::Thing(Type::Obstacle) => "an obstacle".to_owned(),
        NotedValue::Thing(Type::Path) => "a path".to_owned(),
        NotedValue::Thing(_) => "a field".to_owned(),
        NotedValue::Neighbors(1) => "1 neighbor".to_owned(),
        NotedValue::Neighbors(count) => format!("{count} neighbors"),
        NotedValue::List(items) => list_text(items.len(), items.iter().map(noted_text)),
        NotedValue::Constant(text) => text.clone(),
        NotedValue::Text(parts) => {
            let mut text = String::new();
            for (value, style) in parts {
                messages::write(value, *style, &mut text);
            }
            string_text(&text)
        }
    }
}

pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::Nothing => "()".to_owned(),
        Value::Bool(x) => x.to_string(),
        Value::Int(x) => x.to_string(),
        Value::Float(x) => math::short(*x),
        Value::Vector(v) => math::short_vector(*v),
        Value::String(text) => string_text(text),
        Value::Agent(id) => messages::agent(*id),
        Value::List(items) => list_text(items.len(), items.iter().map(value_text)),
        Value::Map(items) => {
            let item = |(name, item): &(Arc<str>, Value)| format!("{name}: {}", value_text(item));
            map_text(items.len(), items.iter().map(item))
        }
        Value::Drawn(distribution) => distribution.to_string(),
    }
}

/// Returns a constant as a text; `None` if it cannot be one, such as a function.
pub(super) fn text(value: &Dynamic) -> Option<String> {
    value::from_script(value).ok().map(|value| value_text(&value))
}

fn string_text(text: &str) -> String {
    messages::printable(&format!("{text:?}"))
}

fn list_text(count: usize, items: impl Iterator<Item = String>) -> String {
    format!("[{}]", join(count, items))
}

fn map_text(count: usize, items: impl Iterator<Item = String>) -> String {
    messages::printable(&format!("#{{{}}}", join(count, items)))
}

fn join(count: usize, items: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for (index, item) in items.enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        if index == MAX_ITEMS || text.len() > MAX_TEXT {
            text.push_str(&format!("… {count} in all"));
            break;
        }
        text.push_str(&item);
    }
    text
}
