//! Warns of comparisons and cases of `switch` with a string that a choice never gives.

use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};

use super::Lowering;
use super::value::LoweredValue;
use crate::diag::brackets::pairs;
use crate::diag::{Code, Diagnostic};
use crate::program::Type;
use crate::script::choice_kind::ChoiceKind;
use crate::script::choices::{self, Choice};
use crate::script::reach;
use crate::tokens::Language;

/// The strings that the columns of a choice can hold.
#[derive(Clone)]
pub(super) struct Options {
    /// The name of the choice.
    choice: String,
    all: Vec<String>,
}

impl Lowering<'_> {
    /// Stores the strings that the state of a choice can be. `name` is the name of the state.
    pub(super) fn note_options(&mut self, value: &LoweredValue, name: &str) {
        if self.trial_world.is_none() {
            return;
        }
        let LoweredValue::Typed(cases) = value else { return };
        let Some(all) = self.possible_states(name) else { return };
        for case in cases.iter().filter(|case| case.ty == Type::String) {
            self.options
                .insert(case.columns, Options { choice: name.to_owned(), all: all.clone() });
        }
    }

    /// Returns the strings that the state of a choice can be: its options, and what scripts assign to it. `None` if it
    /// is not such a state, or if not all of them are known.
    fn possible_states(&self, name: &str) -> Option<Vec<String>> {
        let scripts = reach::all(self.frames.first()?.script);
        let is_it = |choice: &&Choice| {
            let has_options = match choice.kind {
                ChoiceKind::Machine => true,
                ChoiceKind::Choose => choice.has_names,
                ChoiceKind::Keep | ChoiceKind::TimeIn => false,
            };
            has_options && choice.name == name
        };
        let choice = scripts.iter().flat_map(|script| &script.choices).find(is_it)?;
        let (mut all, mut are_known) = (choice.options.clone(), true);
        for script in scripts {
            script.ast.walk(&mut |path| {
                if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
                    && choices::may_set(&assignment.1.lhs, name)
                    && !choices::is_generated(assignment.1.lhs.position(), &script.source)
                {
                    match &assignment.1.rhs {
                        Expr::StringConstant(text, _) => all.push(text.to_string()),
                        _ => are_known = false,
                    }
                }
                are_known
            });
        }
        are_known.then_some(all)
    }

    /// Warns of a comparison with a string that a choice never gives.
    pub(super) fn warn_of_impossible_comparison(
        &mut self,
        call: &FnCallExpr,
        values: &[LoweredValue],
    ) {
        if !matches!(call.name.as_str(), "==" | "!=") {
            return;
        }
        let ([a, b], [left, right]) = (&call.args[..], values) else { return };
        match (a, b) {
            (_, Expr::StringConstant(text, at)) => self.warn_of_impossible(left, text, *at),
            (Expr::StringConstant(text, at), _) => self.warn_of_impossible(right, text, *at),
            (near, Expr::Unit(at)) if matches!(left, LoweredValue::Neighborhood(_)) => {
                self.warn_of_neighborhood_as_nothing(near, &call.name, *at);
            }
            _ => {}
        }
    }

    /// Warns of a neighborhood that is compared with `()`, at a position.
    fn warn_of_neighborhood_as_nothing(&mut self, near: &Expr, operator: &str, nothing: Position) {
        let (Some(_), Some(frame)) = (self.trial_world(), self.frames.last()) else { return };
        let source = &frame.script.source;
        let offset = |at: Position| Some(source.offset(at.line()?, at.position()?));
        let (Some(start), Some(end)) = (offset(near.start_position()), offset(nothing)) else {
            return;
        };
        let warning = Diagnostic::warning("a neighborhood is never `()`, even if nobody is in it")
            .code(Code::WrongType)
            .help("compare its `.count` with 0")
            .at(source, end..end + 1);
        let left =
            source.text.get(start..end).and_then(|text| text.trim_end().strip_suffix(operator));
        let left = left.map(str::trim_end).filter(|left| pairs(left, Language::Rhai).is_some());
        let is_written = source.text[end..].starts_with("()");
        self.findings.push(match left.filter(|_| is_written) {
            Some(left) => {
                let sign = if operator == "==" { "==" } else { ">" };
                let new = format!("{left}.count {sign} 0");
                warning.at(source, start..end + 2).fix(
                    format!("Write `{new}`"),
                    source,
                    start..end + 2,
                    new,
                )
            }
            None => warning,
        });
    }

    /// Warns of a case of a `switch` with a string that a choice never gives.
    pub(super) fn warn_of_impossible_case(
        &mut self,
        value: &LoweredValue,
        text: &str,
        result: Position,
    ) {
        if self.trial_world.is_none() || self.options.is_empty() {
            return;
        }
        if let Some(position) = self.position_of_case(text, result) {
            self.warn_of_impossible(value, text, position);
        }
    }

    /// Returns the position of a case of a `switch`, which the syntax tree does not keep: it is the last such string
    /// before the result of the case.
    pub(super) fn position_of_case(&self, text: &str, result: Position) -> Option<Position> {
        let source = &self.frames.last()?.script.source;
        let before = &source.text[..source.offset(result.line()?, result.position()?)];
        let (line, column) = source.line_column(before.rfind(&format!("\"{text}\""))?);
        Some(Position::new(u16::try_from(line).ok()?, u16::try_from(column).ok()?))
    }

    fn warn_of_impossible(&mut self, value: &LoweredValue, text: &str, position: Position) {
        let (LoweredValue::Typed(cases), Some(_)) = (value, self.trial_world()) else { return };
        let mut strings = cases.iter().filter(|case| case.ty == Type::String);
        let (Some(case), None) = (strings.next(), strings.next()) else { return };
        let Some(options) = self.options.get(&case.columns) else { return };
        let Some(frame) = self.frames.last() else { return };
        if options.all.iter().any(|option| option == text) {
            return;
        }
        let what = format!("the choice `{}` is never \"{text}\"", options.choice);
        let warning =
            Diagnostic::warning(what).suggest(text, options.all.iter().map(String::as_str));
        let source = &frame.script.source;
        self.findings.push(warning.at(source, choices::string_at(source, position)));
    }
}
