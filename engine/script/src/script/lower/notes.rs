//! Notes of the values that variables, calls and conditions have, for editors. They are lowered only if they are asked
//! for, and change nothing else.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use rhai::{Expr, FnCallExpr, Position};

use super::value::{LoweredValue, TypeCase};
use super::{CallFrame, Lowering};
use crate::diag::{Place, Source, brackets};
use crate::program::{Note, NotePlace, NotedColumns, OpKind, TypedColumns};
use crate::script::{choice_kind, live_values};
use crate::sim::ValueKind;
use crate::tokens::{Language, tokens};

/// The pairs of brackets in scripts, by the name of the script.
pub(super) type BracketPairs = HashMap<String, Vec<Range<usize>>>;

/// The largest number of notes in a program.
const MAX_NOTES: usize = u16::MAX as usize;

impl Lowering<'_> {
    /// Notes the value of a variable that is read, or of a call that is written as a name with arguments in brackets.
    pub(super) fn note_expression(&mut self, expression: &Expr, value: &LoweredValue) {
        match expression {
            Expr::Variable(variable, _, position)
                if variable.2.is_empty() && !matches!(variable.1.as_str(), "me" | "world") =>
            {
                self.note_value(value, *position, ValueKind::Result);
            }
            Expr::FnCall(call, position) => self.note_call(call, value, *position),
            _ => {}
        }
    }

    /// Notes the value of a call that is written as a name with arguments in brackets.
    pub(super) fn note_call(
        &mut self,
        call: &FnCallExpr,
        value: &LoweredValue,
        position: Position,
    ) {
        let is_word = call.name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if is_word && call.op_token.is_none() {
            self.note_value(value, position, ValueKind::Result);
        }
    }

    /// Notes the value of the variable or the property that an assignment has set.
    pub(super) fn note_assigned(&mut self, target: &Expr) {
        if self.inferred.noted_brackets.is_none() || self.active.is_none() {
            return;
        }
        let mut last = target;
        while let Expr::Dot(parts, ..) = last {
            last = &parts.rhs;
        }
        let (Expr::Variable(_, _, position) | Expr::Property(_, position)) = last else { return };
        // Reading it counts for nothing, and notes nothing itself.
        let (nodes, queries) = (self.nodes, self.queries);
        let brackets = self.inferred.noted_brackets.take();
        let value = self.expression(target);
        (self.nodes, self.queries) = (nodes, queries);
        self.inferred.noted_brackets = brackets;
        self.note_value(&value, *position, ValueKind::Variable);
    }

    /// Notes a value at the name in the script that has it.
    pub(super) fn note_value(&mut self, value: &LoweredValue, position: Position, kind: ValueKind) {
        let Some((source, mut span)) = self.token_at(position) else { return };
        // The name of an imported function follows that of its script.
        while let Some(rest) = source.text[span.end..].strip_prefix("::") {
            span = source.token(source.text.len() - rest.len());
        }
        self.note(value, Place { source, span }, kind);
    }

    /// Notes the value of the condition of an `if` or a `switch`: everything between this word and the brace.
    pub(super) fn note_condition(&mut self, value: &LoweredValue, keyword: Position) {
        let Some((source, keyword)) = self.token_at(keyword) else { return };
        let Some(brackets) = &mut self.inferred.noted_brackets else { return };
        let text = &source.text;
        let pairs = brackets
            .entry(source.name.clone())
            .or_insert_with(|| brackets::pairs(text, Language::Rhai).unwrap_or_default());
        let around = |at: usize| {
            let around = pairs.iter().filter(|pair| pair.start < at && at < pair.end);
            around.max_by_key(|pair| pair.start)
        };
        let is_block = |pair: &&Range<usize>| {
            pair.start >= keyword.end
                && text[pair.start..].starts_with('{')
                && !text[..pair.start].ends_with('#')
                && around(pair.start) == around(keyword.start)
        };
        let Some(block) = pairs.iter().filter(is_block).min_by_key(|pair| pair.start) else {
            return;
        };
        let written = &text[keyword.end..block.start];
        let start = keyword.end + (written.len() - written.trim_start().len());
        let span = start..start + written.trim().len();
        self.note(value, Place { source, span }, ValueKind::Condition);
    }

    /// Notes the value of a parameter of the function that is inlined.
    pub(super) fn note_parameter(&mut self, name: &str, value: &LoweredValue) {
        if self.inferred.noted_brackets.is_none() {
            return;
        }
        let Some(CallFrame { script, name: function, .. }) = self.frames.last() else { return };
        let source = Arc::clone(&script.source);
        // Of functions with the same name, this is the head of the first one.
        let head = script.place_of(function);
        let words = tokens(&source.text[head.clone()], Language::Rhai).map(|token| token.span);
        let mut words = words.map(|span| head.start + span.start..head.start + span.end).skip(2);
        if let Some(span) = words.find(|span| source.text[span.clone()] == *name) {
            self.note(value, Place { source, span }, ValueKind::Parameter);
        }
    }

    /// Returns where a function is called, if values are noted.
    pub(super) fn call_place(&self, position: Position) -> Option<Place> {
        let (source, span) = self.token_at(position)?;
        Some(Place { source, span })
    }

    /// Returns the token at a position, if values are noted and it is written in the script.
    fn token_at(&self, position: Position) -> Option<(Arc<Source>, Range<usize>)> {
        self.inferred.noted_brackets.as_ref()?;
        let source = &self.frames.last()?.script.source;
        let (line, column) = (position.line()?, position.position()?);
        if choice_kind::is_behind(source.line_at(source.offset(line, 1)), column) {
            return None;
        }
        Some((Arc::clone(source), source.token(source.offset(line, column))))
    }

    fn note(&mut self, value: &LoweredValue, place: Place, kind: ValueKind) {
        let named = || {
            // So that a debugger knows that the line has run.
            let name = name_of(value).filter(|_| kind == ValueKind::Variable);
            name.map(|name| NotedColumns::Constant(vec![name.to_owned()], None))
        };
        let (Some(active), Some(value)) = (self.active, noted(value).or_else(named)) else {
            return;
        };
        let calls: Arc<[Place]> =
            self.frames.iter().filter_map(|frame| frame.call.clone()).collect();
        let program = &mut self.emit.program;
        if program.notes.len() == MAX_NOTES {
            return;
        }
        let is_same =
            |one: &NotePlace| one.kind == kind && one.place == place && one.calls == calls;
        let known = program.note_places.iter().position(is_same);
        let place = known.unwrap_or_else(|| {
            program.note_places.push(NotePlace { place, kind, calls });
            program.note_places.len() - 1
        });
        let note = program.notes.len() as u16;
        program.notes.push(Note { place, value });
        self.emit.within::<()>(active, OpKind::Note(note), ());
    }
}

/// Returns a value to note. `None` if it is always the same, such as `me`, or not known.
fn noted(value: &LoweredValue) -> Option<NotedColumns> {
    Some(match value {
        LoweredValue::Typed(cases) => NotedColumns::Typed(cases.iter().map(typed).collect()),
        LoweredValue::Neighborhood(near) => NotedColumns::Neighborhood(*near),
        LoweredValue::Array(items) => {
            NotedColumns::List(items.iter().map(noted).collect::<Option<_>>()?)
        }
        LoweredValue::Constant(pick) => {
            let strings = pick.candidates.iter().map(live_values::text);
            NotedColumns::Constant(strings.collect::<Option<_>>()?, pick.index)
        }
        LoweredValue::Text(text) => {
            NotedColumns::Text(text.parts().map(|(case, style)| (typed(case), style)).collect())
        }
        LoweredValue::Me
        | LoweredValue::World
        | LoweredValue::Params
        | LoweredValue::State
        | LoweredValue::OtherState(_)
        | LoweredValue::Inputs
        | LoweredValue::Shared
        | LoweredValue::Obstacles
        | LoweredValue::Map(_)
        | LoweredValue::List(_)
        | LoweredValue::Closure(_)
        | LoweredValue::Range { .. }
        | LoweredValue::Differing(_)
        | LoweredValue::Interpreted => return None,
    })
}

/// Returns what a variable has that is no value of its own; `None` if it has one, or if it has no name.
fn name_of(value: &LoweredValue) -> Option<&'static str> {
    Some(match value {
        LoweredValue::Me => "me",
        LoweredValue::World => "world",
        LoweredValue::Params => "me.params",
        LoweredValue::State => "me.state",
        LoweredValue::Inputs => "world.inputs",
        LoweredValue::Shared => "world.shared",
        LoweredValue::Map(_) => "a map",
        LoweredValue::List(_) | LoweredValue::Range { .. } => "a list",
        LoweredValue::Closure(_) => "a function",
        _ => return None,
    })
}

fn typed(case: &TypeCase) -> TypedColumns {
    TypedColumns { ty: case.ty, mask: case.mask, columns: case.columns }
}
