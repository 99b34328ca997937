//! Strings that are put together at runtime. Columns cannot hold them, but a program can show them: it keeps what
//! they are made of, and `debug` shows each part.

use std::rc::Rc;

use rhai::{Dynamic, Expr, Position};

use super::Lowering;
use super::value::{LoweredValue, Text, TextPart, TypeCase};
use crate::program::{AgentInteger, B, Columns, I, OpKind, TextStyle, Type};
use crate::script::{limits, messages};

/// The most bytes of a number as a string: a small float has all digits after its point.
const MAX_NUMBER_BYTES: usize = 64;

/// The most bytes of a character in quotes: `\u{10ffff}`.
const MAX_QUOTED_BYTES: usize = 10;

/// Number of bytes of a string that count as one node of the syntax tree, as for the interpreter, whose steps
/// count more while variables hold long strings.
const BYTES_PER_NODE: usize = 8;

/// Returns whether a value can only be a string.
fn is_string(value: &LoweredValue) -> bool {
    match value {
        LoweredValue::Text(_) => true,
        LoweredValue::Typed(cases) => {
            !cases.is_empty() && cases.iter().all(|case| case.ty == Type::String)
        }
        _ => false,
    }
}

impl Lowering<'_> {
    /// Lowers `debug(value)`.
    pub(super) fn debug(&mut self, value: &LoweredValue, position: Position) -> LoweredValue {
        // A string is shown without quotes.
        let style = if is_string(value) { TextStyle::Plain } else { TextStyle::Quoted };
        let mut text = Text::default();
        if !self.add_to_text(&mut text, value, style) {
            let what = format!("`debug` of {}", value.description());
            return self.leave_to_interpreter(&what, position);
        }
        if let LoweredValue::Typed(_) = value {
            for part in text.parts.iter_mut().filter(|part| part.value.ty == Type::String) {
                part.style = TextStyle::Plain;
            }
        }
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        for TextPart { value, style } in text.parts {
            let mask = value.mask.map_or(active, |mask| self.emit.and(active, mask));
            self.emit.with_value(mask, OpKind::Show(value.ty, style), value.columns);
        }
        let file = self.frame().script.source.name.clone();
        let places = &mut self.emit.program.message_places;
        places.push(messages::place(&file, position.line()));
        let place = (places.len() - 1) as u16;
        self.emit.within::<()>(active, OpKind::EndMessage(place), ());
        LoweredValue::nothing()
    }

    /// Lowers a string with `${...}` in it.
    pub(super) fn interpolated(&mut self, parts: &[Expr], position: Position) -> LoweredValue {
        let mut text = Text::default();
        for part in parts {
            let value = self.expression(part);
            if self.active.is_none() {
                return LoweredValue::never();
            }
            if let Some(instead) = self.not_shown(&value) {
                return instead;
            }
            if !self.add_to_text(&mut text, &value, TextStyle::Plain) {
                let what = format!("{} in a string", value.description());
                return self.leave_to_interpreter(&what, part.position());
            }
        }
        self.text(text, position)
    }

    /// Lowers `a + b` where one is a string; `None` where neither is.
    pub(super) fn joined(
        &mut self,
        a: &LoweredValue,
        b: &LoweredValue,
        position: Position,
    ) -> Option<LoweredValue> {
        if !is_string(a) && !is_string(b) {
            return None;
        }
        if let Some(instead) = self.not_shown(a).or_else(|| self.not_shown(b)) {
            return Some(instead);
        }
        let mut text = Text::default();
        for value in [a, b] {
            if !self.add_to_text(&mut text, value, TextStyle::Plain) {
                let what = format!("joining a string and {}", value.description());
                return Some(self.leave_to_interpreter(&what, position));
            }
        }
        Some(self.text(text, position))
    }

    /// Lowers `value.to_string()` or `value.to_debug()`.
    pub(super) fn as_text(
        &mut self,
        value: &LoweredValue,
        style: TextStyle,
        position: Position,
    ) -> LoweredValue {
        if is_string(value) && style == TextStyle::Plain {
            return value.clone();
        }
        let mut text = Text::default();
        if !self.add_to_text(&mut text, value, style) {
            let what = format!("{} as a string", value.description());
            return self.leave_to_interpreter(&what, position);
        }
        self.text(text, position)
    }

    /// Merges the strings of two branches; `None` if one is not a string, or if columns can hold both.
    pub(super) fn merge_texts(
        &mut self,
        mask: B,
        yes: &LoweredValue,
        no: &LoweredValue,
    ) -> Option<LoweredValue> {
        let is_text = |value: &LoweredValue| matches!(value, LoweredValue::Text(_));
        if !is_string(yes) || !is_string(no) || !(is_text(yes) || is_text(no)) {
            return None;
        }
        let mut merged = Text::default();
        for (value, holds) in [(yes, true), (no, false)] {
            let mut text = Text::default();
            self.add_to_text(&mut text, value, TextStyle::Plain);
            for part in &mut text.parts {
                let own = part.value.mask;
                part.value.mask = Some(match (own, holds) {
                    (Some(own), true) => self.emit.and(own, mask),
                    (Some(own), false) => self.emit.and_not(own, mask),
                    (None, true) => mask,
                    (None, false) => self.emit.not(mask),
                });
            }
            let max_bytes = merged.max_bytes.max(text.max_bytes);
            merged.append(&text);
            merged.max_bytes = max_bytes;
        }
        Some(LoweredValue::Text(Rc::new(merged)))
    }

    /// Returns a string such that more can be added to it; any other value as it is.
    pub(super) fn growing_text(&mut self, value: LoweredValue) -> LoweredValue {
        let mut text = Text::default();
        if !is_string(&value) || !self.add_to_text(&mut text, &value, TextStyle::Plain) {
            return value;
        }
        LoweredValue::Text(Rc::new(text))
    }

    /// Counts a variable that holds a string. The interpreter's steps count more while it does.
    pub(super) fn count_text(&mut self, value: &LoweredValue) {
        if let LoweredValue::Text(text) = value {
            self.nodes += text.max_bytes / BYTES_PER_NODE;
        }
    }

    /// Returns the result of an operation with a value that it cannot show, such as one known only to the interpreter.
    fn not_shown(&mut self, value: &LoweredValue) -> Option<LoweredValue> {
        match value {
            LoweredValue::Interpreted => Some(LoweredValue::Interpreted),
            LoweredValue::Differing(at) => Some(self.leave_differing(*at)),
            value if value.is_never() => Some(self.stop_here()),
            _ => None,
        }
    }

    /// Returns a string as a value.
    fn text(&mut self, text: Text, position: Position) -> LoweredValue {
        if text.max_bytes > limits::MAX_ELEMENTS {
            return self.leave_to_interpreter("a string that may be very long", position);
        }
        self.nodes += text.max_bytes / BYTES_PER_NODE;
        LoweredValue::Text(Rc::new(text))
    }

    /// Appends a value to a string. Returns `false` if only the interpreter can show it.
    fn add_to_text(&mut self, text: &mut Text, value: &LoweredValue, style: TextStyle) -> bool {
        match value {
            LoweredValue::Text(other) if style == TextStyle::Plain => text.append(other),
            LoweredValue::Typed(cases) => {
                let most = cases.iter().map(|case| self.max_bytes(case, style)).max();
                for case in cases {
                    if matches!(case.ty, Type::Obstacle | Type::Path | Type::Field) {
                        return false;
                    }
                    text.add(*case, style, 0);
                }
                text.max_bytes += most.unwrap_or(0);
            }
            LoweredValue::Me => {
                let id = self.emit.own_i(AgentInteger::Id);
                let group = self.emit.own_i(AgentInteger::Group);
                self.add_constant(text, "agent ");
                self.add_column(text, Type::Int, id);
                self.add_constant(text, " (");
                self.add_column(text, Type::String, group);
                self.add_constant(text, ")");
            }
            LoweredValue::Array(items) => {
                self.add_constant(text, "[");
                for (place, item) in items.iter().enumerate() {
                    if place > 0 {
                        self.add_constant(text, ", ");
                    }
                    if !self.add_to_text(text, item, TextStyle::Quoted) {
                        return false;
                    }
                }
                self.add_constant(text, "]");
            }
            LoweredValue::Constant(pick) if pick.index.is_none() => {
                let shown = pick.candidates.first().and_then(|value| self.shown_constant(value));
                match shown {
                    Some(shown) => self.add_constant(text, &shown),
                    None => return false,
                }
            }
            _ => return false,
        }
        true
    }

    fn add_constant(&mut self, text: &mut Text, constant: &str) {
        if let LoweredValue::Typed(cases) = self.string_constant(constant) {
            text.add(cases[0], TextStyle::Plain, constant.len());
        }
    }

    fn add_column(&mut self, text: &mut Text, ty: Type, at: I) {
        let value = TypeCase { ty, mask: None, columns: Columns::I(at) };
        let most = self.max_bytes(&value, TextStyle::Plain);
        text.add(value, TextStyle::Plain, most);
    }

    /// Returns a constant array or map as a string, as the interpreter writes it.
    fn shown_constant(&self, value: &Dynamic) -> Option<String> {
        let script = self.frames.last()?.script;
        messages::by_interpreter(&script.engine, value.clone(), TextStyle::Quoted)
    }

    /// Returns the most bytes that a value can have as a string.
    fn max_bytes(&self, case: &TypeCase, style: TextStyle) -> usize {
        match case.ty {
            Type::Vector => 2 * MAX_NUMBER_BYTES,
            Type::String => {
                let strings = &self.emit.program.strings;
                let known = match case.columns {
                    Columns::I(at) => self.known_integer(at),
                    _ => None,
                };
                let known = known.and_then(|place| strings.get(usize::try_from(place).ok()?));
                let bytes = known.map_or(strings.longest(), |text| text.len());
                if style == TextStyle::Quoted { (bytes + 1) * MAX_QUOTED_BYTES } else { bytes }
            }
            _ => MAX_NUMBER_BYTES,
        }
    }
}
