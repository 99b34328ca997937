//! A turn of an agent as its values, in order: which lines ran, in which functions, and what each variable was before a line.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::sim::{TurnValue, ValueKind};
use flockwork_engine::tokens::{Language, TokenKind, tokens};

/// The values of a turn.
#[derive(Debug, Default)]
pub(super) struct RecordedTurn {
    steps: Vec<TurnValue>,
    lines: Vec<RecordedLine>,
}

/// A line that ran, once.
#[derive(Clone, Debug)]
pub(super) struct RecordedLine {
    /// The script.
    pub(super) script: Arc<Source>,
    /// The line, counted from 1.
    pub(super) line: usize,
    /// The function that the line is in.
    pub(super) function: Arc<str>,
    /// Its values.
    steps: Range<usize>,
    /// The index of the line that has called this function, and how many functions wait for this one.
    caller: Option<usize>,
    depth: usize,
}

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepSize {
    /// To the next line, also in a function that is called.
    Into,
    /// To the next line of this function.
    Over,
    /// To the end of this function.
    Out,
}

/// A value with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedValue {
    /// The name of a variable, or the text of an expression.
    pub(super) name: String,
    /// The value.
    pub(super) text: String,
}

/// For scripts, where their functions begin, with their names.
#[derive(Default)]
struct Functions(BTreeMap<usize, Vec<(usize, Arc<str>)>>);

impl Functions {
    /// Returns the name of the function that an offset is in.
    fn at(&mut self, script: &Arc<Source>, offset: usize) -> Arc<str> {
        let all = self
            .0
            .entry(Arc::as_ptr(script) as usize)
            .or_insert_with(|| functions_of(&script.text));
        let after = all.partition_point(|(start, _)| *start <= offset);
        after.checked_sub(1).map_or_else(|| "".into(), |index| Arc::clone(&all[index].1))
    }
}

fn functions_of(text: &str) -> Vec<(usize, Arc<str>)> {
    let words: Vec<_> = tokens(text, Language::Rhai).filter(|token| !token.is_comment()).collect();
    let is_function = |pair: &&[flockwork_engine::tokens::Token]| {
        pair.iter().all(|token| token.kind == TokenKind::Word)
            && &text[pair[0].span.clone()] == "fn"
    };
    let function = |pair: &[flockwork_engine::tokens::Token]| {
        (pair[0].span.start, text[pair[1].span.clone()].into())
    };
    words.windows(2).filter(is_function).map(function).collect()
}

impl RecordedTurn {
    /// `steps` are all values of the turn.
    pub(super) fn new(steps: Vec<TurnValue>) -> Self {
        let mut functions = Functions::default();
        let mut lines: Vec<RecordedLine> = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let script = &step.place.source;
            let (line, _) = script.line_column(step.place.span.start);
            let function = functions.at(script, step.place.span.start);
            match lines.last_mut() {
                Some(last)
                    if last.line == line
                        && Arc::ptr_eq(&last.script, script)
                        && last.function == function =>
                {
                    last.steps.end = index + 1;
                }
                _ => lines.push(RecordedLine {
                    script: Arc::clone(script),
                    line,
                    function,
                    steps: index..index + 1,
                    caller: None,
                    depth: 0,
                }),
            }
        }
        add_callers(&mut lines);
        Self { steps, lines }
    }

    /// Returns the lines, in the order in which they ran.
    pub(super) fn lines(&self) -> &[RecordedLine] {
        &self.lines
    }

    /// Returns the index of the line at which a step from a line ends; `None` at the end of the turn.
    pub(super) fn step(&self, from: usize, size: StepSize) -> Option<usize> {
        let mut after = from + 1..self.lines.len();
        let depth = self.lines.get(from)?.depth;
        match size {
            StepSize::Into => after.next(),
            StepSize::Over => after.find(|line| self.lines[*line].depth <= depth),
            StepSize::Out => after.find(|line| self.lines[*line].depth < depth),
        }
    }

    /// Returns the lines of the functions that run at a line, the innermost first: the line itself, and those that have called them.
    pub(super) fn stack(&self, at: usize) -> Vec<usize> {
        let known = |at: &usize| *at < self.lines.len();
        std::iter::successors(Some(at).filter(known), |line| self.lines[*line].caller).collect()
    }

    /// Returns the variables of the function at a line, before that line runs, each with its last value.
    pub(super) fn variables(&self, at: usize) -> Vec<NamedValue> {
        let Some(line) = self.lines.get(at) else { return Vec::new() };
        let mut all: Vec<NamedValue> = Vec::new();
        for other in self.lines[..at].iter().filter(|other| {
            other.function == line.function && Arc::ptr_eq(&other.script, &line.script)
        }) {
            for step in &self.steps[other.steps.clone()] {
                if step.kind == ValueKind::Variable {
                    put(&mut all, name(step), &step.text);
                }
            }
        }
        all
    }

    /// Returns what a line computes: variables, properties, calls and conditions.
    pub(super) fn on_line(&self, at: usize) -> Vec<NamedValue> {
        let Some(line) = self.lines.get(at) else { return Vec::new() };
        let mut all = Vec::new();
        for step in &self.steps[line.steps.clone()] {
            put(&mut all, name(step), &step.text);
        }
        all
    }

    /// Returns the value of a variable, a property or a call, as it was before a line; one that has none yet has that of the line itself.
    pub(super) fn value(&self, at: usize, wanted: &str) -> Option<&str> {
        let line = self.lines.get(at)?;
        let wanted = wanted.trim();
        let is_it = |step: &&TurnValue| name(step) == wanted;
        let before = self.steps[..line.steps.start].iter().rfind(is_it);
        let found = before.or_else(|| self.steps[line.steps.clone()].iter().rfind(is_it));
        found.map(|step| step.text.as_str())
    }
}

/// Finds out which line has called the function of each line: a function that has not ended is returned to.
fn add_callers(lines: &mut [RecordedLine]) {
    let mut stack: Vec<usize> = Vec::new();
    for index in 0..lines.len() {
        let here = &lines[index];
        let is_here = |known: &usize| {
            let known = &lines[*known];
            known.function == here.function && Arc::ptr_eq(&known.script, &here.script)
        };
        let depth = stack.iter().position(is_here).unwrap_or(stack.len());
        stack.truncate(depth);
        (lines[index].caller, lines[index].depth) = (stack.last().copied(), depth);
        stack.push(index);
    }
}

/// Sets the value of a name, which keeps its place.
fn put(all: &mut Vec<NamedValue>, name: String, text: &str) {
    match all.iter_mut().find(|known| known.name == name) {
        Some(known) => text.clone_into(&mut known.text),
        None => all.push(NamedValue { name, text: text.to_owned() }),
    }
}

/// Returns the name of what has a value, with what stands before its dots: `me.params.speed`.
fn name(of: &TurnValue) -> String {
    let text = &of.place.source.text;
    let span = &of.place.span;
    let before = &text[..span.start];
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let start = before
        .rfind(|c| !is_part(c))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    // Behind a bracket, a dot belongs to something longer, which has no name.
    let start = if text[start..].starts_with('.') { span.start } else { start };
    let written = &text[start..span.end];
    let is_call = text[span.end..].starts_with('(');
    if is_call { format!("{written}(..)") } else { written.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockwork_engine::diag::Place;

    const SCRIPT: &str = "fn half(x) {
    x / 2
}
fn steer(me) {
    let a = half(me.speed);
    for i in 0..2 { a += i; }
    vec(a, 0)
}";

    /// A turn with values at parts of the script, each given as the text before a part, the part, and the value.
    fn turn(steps: &[(&str, &str, ValueKind, &str)]) -> RecordedTurn {
        let source = Source::new("a.rhai", SCRIPT);
        let step =
            |(order, (before, part, kind, text)): (usize, &(&str, &str, ValueKind, &str))| {
                let start = SCRIPT.find(before).unwrap() + before.len();
                assert!(SCRIPT[start..].starts_with(part));
                let place = Place { source: Arc::clone(&source), span: start..start + part.len() };
                let order = order as u32;
                TurnValue { place, kind: *kind, order, text: (*text).to_owned(), count: 1 }
            };
        RecordedTurn::new(steps.iter().enumerate().map(step).collect())
    }

    fn example() -> RecordedTurn {
        use ValueKind::{Result, Variable};
        turn(&[
            ("half(me.", "speed", Result, "4"),
            ("{\n    ", "x", Result, "4"),
            ("a = ", "half", Result, "2"),
            ("let ", "a", Variable, "2"),
            ("{ ", "a", Variable, "2"),
            ("{ ", "a", Variable, "3"),
            ("vec(", "a", Result, "3"),
        ])
    }

    #[test]
    fn steps_go_into_over_and_out_of_functions() {
        let turn = example();
        let lines: Vec<(usize, &str)> =
            turn.lines().iter().map(|line| (line.line, &*line.function)).collect();
        assert_eq!(lines, [(5, "steer"), (2, "half"), (5, "steer"), (6, "steer"), (7, "steer")]);
        assert_eq!(turn.step(0, StepSize::Into), Some(1));
        assert_eq!(turn.step(0, StepSize::Over), Some(2));
        assert_eq!(turn.step(1, StepSize::Out), Some(2));
        assert_eq!(turn.step(1, StepSize::Over), Some(2));
        assert_eq!(turn.step(4, StepSize::Into), None);
        assert_eq!(turn.stack(1), [1, 0]);
        assert_eq!(turn.stack(3), [3]);
    }

    #[test]
    fn variables_have_their_values_before_a_line() {
        let turn = example();
        let named = |all: Vec<NamedValue>| -> Vec<String> {
            all.into_iter().map(|one| format!("{} = {}", one.name, one.text)).collect()
        };
        assert_eq!(named(turn.variables(0)), Vec::<String>::new());
        assert_eq!(named(turn.variables(3)), ["a = 2"]);
        assert_eq!(named(turn.variables(4)), ["a = 3"]);
        assert_eq!(named(turn.on_line(0)), ["me.speed = 4"]);
        assert_eq!(named(turn.on_line(2)), ["half(..) = 2", "a = 2"]);
        assert_eq!(turn.value(0, "me.speed"), Some("4"));
        assert_eq!(turn.value(4, " a "), Some("3"));
        assert_eq!(turn.value(4, "b"), None);
    }
}
