//! A turn of an agent as its values, in order: which lines ran, in which functions, and what each variable was before a line.

use std::ops::Range;
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::sim::{TurnValue, ValueKind};
use flockwork_engine::tokens::{CodeTokens, Language, line_start};

use super::edited_line::{LineChange, edited_line};

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
    /// The calls that lead to its function, the outermost first.
    calls: Arc<[Place]>,
}

/// A function that runs at a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The script.
    pub(super) script: Arc<Source>,
    /// The line that runs in it, counted from 1.
    pub(super) line: usize,
    /// The function.
    pub(super) function: Arc<str>,
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

/// The last value of a part of a script.
#[derive(Debug)]
pub(super) struct LastValue {
    /// The value. It counts how many there were.
    pub(super) value: TurnValue,
    /// The order of the first one.
    first: u32,
    /// The line that it belongs to.
    line: usize,
    /// When its line ran.
    pub(super) pass: Pass,
}

/// When a line ran that has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// In this pass through a loop, or outside of loops.
    This,
    /// In an earlier pass.
    Before,
    /// It runs next.
    Next,
}

/// Where a function begins in its script, and its name.
type FunctionStart = (usize, Arc<str>);

/// The functions of scripts, in the order of their texts.
#[derive(Debug, Default)]
pub(super) struct Functions(Vec<(Arc<Source>, Vec<FunctionStart>)>);

impl Functions {
    /// Returns the name of the function that an offset is in.
    fn at(&mut self, script: &Arc<Source>, offset: usize) -> Arc<str> {
        let known = self.0.iter().position(|(known, _)| Arc::ptr_eq(known, script));
        let known = known.unwrap_or_else(|| {
            self.0.push((Arc::clone(script), functions_of(&script.text)));
            self.0.len() - 1
        });
        let all = &self.0[known].1;
        let after = all.partition_point(|(start, _)| *start <= offset);
        after.checked_sub(1).map_or_else(|| "".into(), |index| Arc::clone(&all[index].1))
    }
}

fn functions_of(text: &str) -> Vec<FunctionStart> {
    let code = CodeTokens::new(text, Language::Rhai);
    let names = (1..code.all.len()).filter(|&name| code.before(name) == "fn" && code.is_word(name));
    names.map(|name| (code.all[name - 1].span.start, code.get(name).into())).collect()
}

impl RecordedTurn {
    /// `steps` are all values of the turn, and `functions` those of scripts that are known.
    pub(super) fn new(mut steps: Vec<TurnValue>, functions: &mut Functions) -> Self {
        // Those in which an agent begins are counted for themselves.
        steps.iter_mut().zip(0..).for_each(|(step, order)| step.order = order);
        let mut lines: Vec<RecordedLine> = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            // A function stops first in its body.
            if step.kind == ValueKind::Parameter {
                continue;
            }
            let script = &step.place.source;
            let (line, _) = script.line_column(step.place.span.start);
            let function = functions.at(script, step.place.span.start);
            match lines.last_mut() {
                Some(last)
                    if last.line == line
                        && Arc::ptr_eq(&last.script, script)
                        && last.function == function
                        && last.calls == step.calls =>
                {
                    last.steps.end = index + 1;
                }
                _ => lines.push(RecordedLine {
                    script: Arc::clone(script),
                    line,
                    function,
                    steps: index..index + 1,
                    calls: Arc::clone(&step.calls),
                }),
            }
        }
        Self { steps, lines }
    }

    /// Returns the lines, in the order in which they ran.
    pub(super) fn lines(&self) -> &[RecordedLine] {
        &self.lines
    }

    /// Returns whether a line only goes on after functions that it has called: it began before them.
    pub(super) fn goes_on(&self, index: usize) -> bool {
        let here = &self.lines[index];
        let depth = here.calls.len();
        let before = self.lines[..index].iter().rposition(|line| line.calls.len() <= depth);
        let begins = |line: &RecordedLine| {
            line.line == here.line
                && Arc::ptr_eq(&line.script, &here.script)
                && line.calls == here.calls
        };
        before.is_some_and(|before| before + 1 < index && begins(&self.lines[before]))
    }

    /// Returns the index of the line at which a step from a line ends; `None` at the end of the turn.
    pub(super) fn step(&self, from: usize, size: StepSize) -> Option<usize> {
        let mut after = from + 1..self.lines.len();
        let depth = |line: &usize| self.lines[*line].calls.len();
        let here = self.lines.get(from)?.calls.len();
        match size {
            StepSize::Into => after.next(),
            StepSize::Over => after.find(|line| depth(line) <= here),
            StepSize::Out => after.find(|line| depth(line) < here),
        }
    }

    /// Returns the index of the line that is that of a turn before its script was edited, and what became of it: if it is gone, it
    /// is the next one of the same function that runs.
    pub(super) fn line_after_edit(&self, before: &Self, index: usize) -> (usize, LineChange) {
        let Some(old) = before.lines.get(index) else { return (0, LineChange::Gone) };
        let is_in_function = |line: &&RecordedLine| {
            line.function == old.function && line.script.name == old.script.name
        };
        let Some(script) = self.lines.iter().find(is_in_function).map(|line| &line.script) else {
            return (0, LineChange::Gone);
        };
        let (wanted, change) = edited_line(&old.script.text, &script.text, old.line);
        let is_old = |line: &&RecordedLine| is_in_function(line) && line.line == old.line;
        let again = before.lines[..index].iter().filter(is_old).count();
        let indices = |is_it: &dyn Fn(usize) -> bool| -> Vec<usize> {
            let all = self.lines.iter().enumerate();
            all.filter(|(_, line)| is_in_function(line) && is_it(line.line))
                .map(|(index, _)| index)
                .collect()
        };
        // In a loop, it runs as often as before.
        let same = indices(&|line| change != LineChange::Gone && line == wanted);
        if let Some(same) = same.get(again).or(same.last()) {
            return (*same, change);
        }
        let next = indices(&|line| line >= wanted).first().copied();
        (next.or(indices(&|_| true).last().copied()).unwrap_or(0), LineChange::Gone)
    }

    /// Returns the functions that run at a line, the innermost first.
    pub(super) fn frames(&self, at: usize, functions: &mut Functions) -> Vec<Frame> {
        let Some(RecordedLine { script, line, function, calls, .. }) = self.lines.get(at) else {
            return Vec::new();
        };
        let (script, function) = (Arc::clone(script), Arc::clone(function));
        let mut all = vec![Frame { script, line: *line, function }];
        all.extend(calls.iter().rev().map(|Place { source, span }| Frame {
            script: Arc::clone(source),
            line: source.line_column(span.start).0,
            function: functions.at(source, span.start),
        }));
        all
    }

    /// Returns the lines before a line that ran in a function that runs at it: `frame` is 0 for the innermost one.
    fn lines_of_frame(&self, at: usize, frame: usize) -> Vec<&RecordedLine> {
        self.indices_of_frame(at, frame).into_iter().map(|index| &self.lines[index]).collect()
    }

    /// Returns the same lines by their indices.
    fn indices_of_frame(&self, at: usize, frame: usize) -> Vec<usize> {
        let Some(here) = self.lines.get(at) else { return Vec::new() };
        let Some(depth) = here.calls.len().checked_sub(frame) else { return Vec::new() };
        let calls = &here.calls[..depth];
        // What ran before the function was called belongs to another call of it.
        let is_since = |index: &usize| self.lines[*index].calls.starts_with(calls);
        let since = (0..at).rev().take_while(is_since);
        let mut all: Vec<usize> =
            since.filter(|index| self.lines[*index].calls.len() == depth).collect();
        // An agent begins in a function of its own.
        let function = match all.first() {
            Some(last) if frame > 0 => &self.lines[*last].function,
            _ => &here.function,
        };
        all.retain(|index| self.lines[*index].function == *function);
        all.reverse();
        all
    }

    /// Returns where a variable of a function that runs at a line got its value before that line: the index of the line, and the value.
    pub(super) fn last_set(
        &self,
        at: usize,
        frame: usize,
        wanted: &str,
    ) -> Option<(usize, &TurnValue)> {
        let is_it = |step: &TurnValue| name(step) == wanted;
        self.last_in(self.indices_of_frame(at, frame), is_it)
    }

    /// Returns the same for a member of the agent, such as `state.seen`, which any function may have set.
    pub(super) fn last_set_of_agent(&self, at: usize, member: &str) -> Option<(usize, &TurnValue)> {
        let is_it = |step: &TurnValue| {
            let name = name(step);
            let (of, rest) = name.split_once('.').unwrap_or_default();
            rest == member && (of == "me" || member.starts_with("state."))
        };
        self.last_in((0..at.min(self.lines.len())).collect(), is_it)
    }

    fn last_in(
        &self,
        lines: Vec<usize>,
        is_it: impl Fn(&TurnValue) -> bool,
    ) -> Option<(usize, &TurnValue)> {
        lines.into_iter().rev().find_map(|line| {
            let steps = self.steps[self.lines[line].steps.clone()].iter();
            let mut set = steps.filter(|step| step.kind == ValueKind::Variable);
            set.rfind(|step| is_it(step)).map(|step| (line, step))
        })
    }

    /// Returns the value of a parameter of the function that a line is in.
    fn parameter(&self, line: &RecordedLine, wanted: &str) -> Option<&TurnValue> {
        let is_it = |step: &&TurnValue| {
            step.kind == ValueKind::Parameter && step.calls == line.calls && name(step) == wanted
        };
        self.steps[..line.steps.start].iter().rfind(is_it)
    }

    /// Returns the parameters of a function that runs at a line.
    fn parameters(&self, at: usize, frame: usize) -> Vec<NamedValue> {
        let Some(here) = self.lines.get(at) else { return Vec::new() };
        let Some(depth) = here.calls.len().checked_sub(frame) else { return Vec::new() };
        let is_one = |step: &&TurnValue| {
            step.kind == ValueKind::Parameter && *step.calls == here.calls[..depth]
        };
        let before = self.steps[..here.steps.start].iter();
        let mut all = Vec::new();
        before.filter(is_one).for_each(|step| put(&mut all, name(step), &step.text));
        all
    }

    /// Returns the call of the function that runs at a line; `None` for the one that the agent begins with.
    pub(super) fn call(&self, at: usize, frame: usize) -> Option<&Place> {
        self.lines.get(at)?.calls.iter().rev().nth(frame)
    }

    /// Returns the text of the script of a function that runs at a line, and the part of it from the beginning of the function to the line.
    pub(super) fn function_until(&self, at: usize, frame: usize) -> Option<(&str, Range<usize>)> {
        let place = match frame.checked_sub(1) {
            None => &self.steps[self.lines.get(at)?.steps.start].place,
            Some(inner) => self.call(at, inner)?,
        };
        let (script, place) = (&place.source, place.span.start);
        let end = line_start(&script.text, place);
        let functions = functions_of(&script.text);
        let start = functions.iter().map(|(start, _)| *start).rfind(|start| *start <= place)?;
        Some((&script.text, start..end.max(start)))
    }

    /// Returns the variables of a function that runs at a line, before that line, each with its last value.
    pub(super) fn variables(&self, at: usize, frame: usize) -> Vec<NamedValue> {
        let mut all = self.parameters(at, frame);
        for line in self.lines_of_frame(at, frame) {
            for step in &self.steps[line.steps.clone()] {
                if step.kind == ValueKind::Variable {
                    let name = name(step);
                    set_member(&mut all, &name, &step.text);
                    put(&mut all, name, &step.text);
                }
            }
        }
        all
    }

    /// Returns the script of a function that runs at a line, and the last value of each of its parts that ran before that line; also those
    /// that the line itself compares.
    pub(super) fn last_values(&self, at: usize, frame: usize) -> Option<(&Source, Vec<LastValue>)> {
        let mut lines = self.lines_of_frame(at, frame);
        let here = self.lines.get(at)?;
        let has_condition = |line: &RecordedLine| {
            self.steps[line.steps.clone()].iter().any(|step| step.kind == ValueKind::Condition)
        };
        lines.extend((frame == 0 && has_condition(here)).then_some(here));
        let script = &lines.first()?.script;
        let mut last: Vec<LastValue> = Vec::new();
        for line in lines {
            let pass = if frame == 0 && std::ptr::eq(line, here) { Pass::Next } else { Pass::This };
            let steps = self.steps[line.steps.clone()].iter();
            for step in steps.filter(|step| step.kind != ValueKind::Statement) {
                let is_same = |known: &&mut LastValue| {
                    known.value.place.span == step.place.span && known.value.kind == step.kind
                };
                let known = last.iter_mut().find(is_same);
                let count = known.as_ref().map_or(0, |known| known.value.count) + 1;
                let value = TurnValue { count, ..step.clone() };
                match known {
                    Some(known) => (known.value, known.pass) = (value, pass),
                    None => {
                        last.push(LastValue { value, first: step.order, line: line.line, pass })
                    }
                }
            }
        }
        // A loop that has begun again above a line since it ran.
        let passes: Vec<(usize, u32, u32)> =
            last.iter().map(|one| (one.line, one.first, one.value.order)).collect();
        for one in last.iter_mut().filter(|one| one.pass == Pass::This) {
            let ran = one.value.order;
            let began_again = |&(line, first, last): &(usize, u32, u32)| {
                line < one.line && first < ran && ran < last
            };
            if passes.iter().any(began_again) {
                one.pass = Pass::Before;
            }
        }
        Some((script, last))
    }

    /// Returns what a line computes: variables, properties, calls and conditions.
    pub(super) fn on_line(&self, at: usize) -> Vec<NamedValue> {
        let Some(line) = self.lines.get(at) else { return Vec::new() };
        let mut all = Vec::new();
        let steps = self.steps[line.steps.clone()].iter();
        for step in steps.filter(|step| step.kind != ValueKind::Statement) {
            put(&mut all, name(step), &step.text);
        }
        all
    }

    /// Returns the value of a variable, a property or a call, as it was before a line; one that has none yet has that of the line itself. `None`
    /// if what it is read of was set since.
    pub(super) fn value(&self, at: usize, wanted: &str) -> Option<&str> {
        let here = self.lines.get(at)?;
        let wanted = wanted.trim();
        let is_it = |step: &&TurnValue| step.kind != ValueKind::Statement && name(step) == wanted;
        let in_line = |line: &RecordedLine| self.steps[line.steps.clone()].iter().rfind(is_it);
        let indices = self.indices_of_frame(at, 0);
        let before =
            indices.iter().rev().find_map(|&index| Some((index, in_line(&self.lines[index])?)));
        if let Some((line, step)) = before {
            return (!self.is_set_since(line, step, at, wanted)).then_some(step.text.as_str());
        }
        in_line(here).or_else(|| self.parameter(here, wanted)).map(|step| step.text.as_str())
    }

    /// Returns whether a part of what was read before a line was set between. The value that was read is one of another line, by its index.
    fn is_set_since(&self, line: usize, read: &TurnValue, at: usize, wanted: &str) -> bool {
        let frame = self.indices_of_frame(at, 0);
        let is_it = |step: &TurnValue| {
            let name = name(step);
            let is_part = |whole: &str, part: &str| {
                whole
                    .strip_prefix(part)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            step.order > read.order && (is_part(wanted, &name) || is_part(&name, wanted))
        };
        let is_state = wanted.starts_with("me.state.");
        let lines = (line..at).filter(|index| is_state || frame.contains(index)).collect();
        self.last_in(lines, is_it).is_some()
    }
}

/// Sets the value of a name, which keeps its place.
fn put(all: &mut Vec<NamedValue>, name: String, text: &str) {
    match all.iter_mut().find(|known| known.name == name) {
        Some(known) => text.clone_into(&mut known.text),
        None => all.push(NamedValue { name, text: text.to_owned() }),
    }
}

/// Sets a coordinate of a vector that has a name.
fn set_member(all: &mut [NamedValue], member: &str, text: &str) {
    let Some((of, coordinate)) = member.rsplit_once('.') else { return };
    let Some(known) = all.iter_mut().find(|known| known.name == of) else { return };
    let parts = known.text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match (parts.and_then(|parts| parts.split_once(", ")), coordinate) {
        (Some((_, y)), "x") => known.text = format!("({text}, {y})"),
        (Some((x, _)), "y") => known.text = format!("({x}, {text})"),
        _ => {}
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

    const SCRIPT: &str = "fn half(x) {
    x / 2
}
fn steer(me) {
    let a = half(me.speed);
    for i in 0..2 { a += i; }
    vec(a, 0)
}";

    /// A part of the script: the text before it, and itself.
    type Part = (&'static str, &'static str);

    fn place(source: &Arc<Source>, (before, part): Part) -> Place {
        let start = SCRIPT.find(before).unwrap() + before.len();
        assert!(SCRIPT[start..].starts_with(part));
        Place { source: Arc::clone(source), span: start..start + part.len() }
    }

    /// A turn with values at parts of the script, and the calls that lead there.
    fn turn(steps: &[(Part, ValueKind, &str, &[Part])]) -> RecordedTurn {
        let source = Source::new("a.rhai", SCRIPT);
        let step =
            |(order, (part, kind, text, calls)): (usize, &(Part, _, &str, &[Part]))| TurnValue {
                place: place(&source, *part),
                kind: *kind,
                calls: calls.iter().map(|call| place(&source, *call)).collect(),
                order: order as u32,
                text: (*text).to_owned(),
                count: 1,
            };
        let steps = steps.iter().enumerate().map(step).collect();
        RecordedTurn::new(steps, &mut Functions::default())
    }

    const CALL: Part = ("a = ", "half");

    fn example() -> RecordedTurn {
        use ValueKind::{Result, Statement, Variable};
        turn(&[
            (("half(me.", "speed"), Result, "4", &[]),
            (("{\n    ", "x"), Result, "4", &[CALL]),
            (CALL, Result, "2", &[]),
            (("let ", "a"), Variable, "2", &[]),
            (("{ ", "a"), Variable, "2", &[]),
            (("{ ", "a"), Variable, "3", &[]),
            (("i; }\n    ", "vec"), Statement, "", &[]),
            (("vec(", "a"), Result, "3", &[]),
        ])
    }

    fn lines(turn: &RecordedTurn) -> Vec<(usize, &str)> {
        turn.lines().iter().map(|line| (line.line, &*line.function)).collect()
    }

    fn frames(turn: &RecordedTurn, at: usize) -> Vec<(usize, String)> {
        let all = turn.frames(at, &mut Functions::default()).into_iter();
        all.map(|frame| (frame.line, frame.function.to_string())).collect()
    }

    #[test]
    fn steps_go_into_over_and_out_of_functions() {
        let turn = example();
        assert_eq!(
            lines(&turn),
            [(5, "steer"), (2, "half"), (5, "steer"), (6, "steer"), (7, "steer")]
        );
        assert_eq!(turn.step(0, StepSize::Into), Some(1));
        assert_eq!(turn.step(0, StepSize::Over), Some(2));
        assert_eq!(turn.step(1, StepSize::Out), Some(2));
        assert_eq!(turn.step(1, StepSize::Over), Some(2));
        assert_eq!(turn.step(4, StepSize::Into), None);
        assert_eq!([0, 1, 2, 3].map(|line| turn.goes_on(line)), [false, false, true, false]);
        assert_eq!(frames(&turn, 1), [(2, "half".into()), (5, "steer".into())]);
        assert_eq!(frames(&turn, 3), [(6, "steer".into())]);
    }

    /// Caught: a function that calls itself looked like a loop, with one function on the stack.
    #[test]
    fn a_function_that_calls_itself_is_there_once_for_each_call() {
        const AGAIN: Part = ("    ", "x");
        let inner = ("{\n    ", "x");
        let turn = turn(&[
            (inner, ValueKind::Variable, "4", &[CALL]),
            (inner, ValueKind::Variable, "2", &[CALL, AGAIN]),
            (("    x ", "/"), ValueKind::Statement, "", &[CALL]),
        ]);
        assert_eq!(lines(&turn), [(2, "half"), (2, "half"), (2, "half")]);
        assert_eq!(frames(&turn, 1), [(2, "half".into()), (2, "half".into()), (5, "steer".into())]);
        assert_eq!(turn.step(0, StepSize::Over), Some(2));
        assert_eq!(turn.step(1, StepSize::Out), Some(2));
        // Each has its own variables.
        assert!(turn.variables(1, 0).is_empty());
        assert_eq!(turn.variables(1, 1)[0].text, "4");
        assert_eq!(turn.variables(2, 0)[0].text, "4");
    }

    #[test]
    fn lines_that_ran_have_their_last_values() {
        let turn = example();
        let values = |at: usize, frame: usize| -> Vec<String> {
            let (_, all) = turn.last_values(at, frame).unwrap();
            let words = |LastValue { value, .. }: &LastValue| {
                format!("{} {} {}", name(value), value.text, value.count)
            };
            all.iter().map(words).collect()
        };
        assert!(turn.last_values(0, 0).is_none());
        assert_eq!(values(1, 1), ["me.speed 4 1"]);
        // The call is of the line that runs.
        assert_eq!(values(2, 0), ["me.speed 4 1"]);
        assert_eq!(values(4, 0), ["me.speed 4 1", "half(..) 2 1", "a 2 1", "a 3 2"]);
    }

    #[test]
    fn variables_have_their_values_before_a_line() {
        let turn = example();
        let named = |all: Vec<NamedValue>| -> Vec<String> {
            all.into_iter().map(|one| format!("{} = {}", one.name, one.text)).collect()
        };
        assert_eq!(named(turn.variables(0, 0)), Vec::<String>::new());
        assert_eq!(named(turn.variables(3, 0)), ["a = 2"]);
        assert_eq!(named(turn.variables(4, 0)), ["a = 3"]);
        assert_eq!(named(turn.on_line(0)), ["me.speed = 4"]);
        assert_eq!(named(turn.on_line(2)), ["half(..) = 2", "a = 2"]);
        assert_eq!(named(turn.on_line(4)), ["a = 3"]);
        assert_eq!(turn.value(0, "me.speed"), Some("4"));
        assert_eq!(turn.value(4, " a "), Some("3"));
        assert_eq!(turn.value(4, "b"), None);
    }
}
