//! Messages of `debug`, and values as strings: the same for the interpreter and for lowered programs.

use std::fmt::Write;
use std::sync::Arc;

use rhai::{Dynamic, Engine, FloatWrapper, NativeCallContext, Position};

use super::limits::MAX_MESSAGE_CHARS;
use crate::diag::is_invisible_control;
use crate::math::Vec2;
use crate::program::{MAX_MESSAGES, MessagePart, Program, TextStyle};
use crate::sim::Message;
use crate::world::{AgentId, Value, World};

/// A message that a script writes with `debug`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DebugMessage {
    /// File and line of the call: `scripts/shy.rhai:11`.
    pub(super) place: String,
    /// The message, one line.
    pub(super) text: String,
}

impl DebugMessage {
    /// Returns the message of an agent.
    pub(super) fn of(self, world: &World, row: usize) -> Message {
        let agent = world.agent(row);
        Message {
            tick: world.tick,
            agent: agent.id(),
            group: Arc::clone(&agent.group().name),
            place: self.place,
            text: self.text,
        }
    }
}

/// Adds a message to those of one agent in one tick, unless there are too many.
pub(super) fn add(to: &mut Vec<DebugMessage>, text: &str, place: impl FnOnce() -> String) {
    let text = match to.len() {
        ..MAX_MESSAGES => printable(text),
        MAX_MESSAGES => {
            format!("more than {MAX_MESSAGES} messages in one tick; the others are left out")
        }
        _ => return,
    };
    to.push(DebugMessage { place: place(), text });
}

/// Returns where a message is written: file and line.
pub(super) fn place(file: &str, line: Option<usize>) -> String {
    line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"))
}

/// Returns the messages that an agent wrote, from the parts that its lowered program collected.
pub(super) fn of_parts<'p>(
    program: &Program,
    parts: impl Iterator<Item = &'p MessagePart>,
) -> Vec<DebugMessage> {
    let mut all = Vec::new();
    let mut text = String::new();
    for part in parts {
        match part {
            MessagePart::Value(value, style) => write(value, *style, &mut text),
            MessagePart::End(at) => {
                add(&mut all, &text, || program.message_places[usize::from(*at)].clone());
                text.clear();
            }
        }
    }
    all
}

/// Appends a value as a string.
pub(super) fn write(value: &Value, style: TextStyle, to: &mut String) {
    let is_quoted = style == TextStyle::Quoted;
    let done = match value {
        Value::Nothing if is_quoted => write!(to, "()"),
        Value::Nothing => Ok(()),
        Value::Bool(x) => write!(to, "{x}"),
        Value::Int(x) => write!(to, "{x}"),
        // As Rhai writes floats.
        Value::Float(x) if is_quoted => write!(to, "{:?}", FloatWrapper::new(*x)),
        Value::Float(x) => write!(to, "{}", FloatWrapper::new(*x)),
        Value::Vector(v) => write!(to, "{}", vector(*v)),
        Value::String(text) if is_quoted => write!(to, "{text:?}"),
        Value::String(text) => write!(to, "{text}"),
        Value::Agent(id) => write!(to, "{}", agent(*id)),
        Value::List(_) | Value::Map(_) | Value::Drawn(_) => {
            unreachable!("columns hold no {value:?}")
        }
    };
    debug_assert!(done.is_ok(), "writing to a string");
}

/// Returns a value of a script as a string, as the interpreter writes it; `None` if it cannot.
pub(super) fn by_interpreter(
    engine: &Engine,
    mut value: Dynamic,
    style: TextStyle,
) -> Option<String> {
    let function = if style == TextStyle::Quoted { "to_debug" } else { "to_string" };
    let global = engine.new_global_runtime_state();
    let context: NativeCallContext<'_> = (engine, function, None, &global, Position::NONE).into();
    context.call_native_fn_raw(function, true, &mut [&mut value]).ok()?.into_string().ok()
}

/// Returns a vector as a string.
pub(super) fn vector(v: Vec2) -> String {
    format!("({}, {})", v.x, v.y)
}

/// Returns an agent as a string.
pub(super) fn agent(id: AgentId) -> String {
    format!("agent {id}")
}

/// Returns a string on one line, shortened if it is very long. Characters that control a terminal or the direction of
/// writing are escaped.
pub(super) fn printable(text: &str) -> String {
    let mut line = String::new();
    for (place, c) in text.chars().enumerate() {
        if place == MAX_MESSAGE_CHARS {
            line.push('…');
            break;
        }
        if is_invisible_control(c) {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{api, value};
    use proptest::prelude::*;

    fn any_value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Nothing),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(Value::Int),
            any::<u32>().prop_map(|bits| Value::Float(f32::from_bits(bits))),
            any::<f32>().prop_map(|x| Value::Float(x.trunc())),
            any::<[f32; 2]>().prop_map(|v| Value::Vector(v.into())),
            any::<String>().prop_map(|text| Value::String(text.into())),
            any::<u32>().prop_map(|id| Value::Agent(AgentId(id))),
        ]
    }

    proptest! {
        #[test]
        fn values_are_written_as_the_interpreter_writes_them(value in any_value()) {
            let engine = api::engine();
            for style in [TextStyle::Plain, TextStyle::Quoted] {
                let mut text = String::new();
                write(&value, style, &mut text);
                let wanted = by_interpreter(&engine, value::to_script(&value), style);
                prop_assert_eq!(Some(text), wanted);
            }
        }
    }
}
