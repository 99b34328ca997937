//! Expressions about an agent: conditions that hold for it or not, and values.

use std::sync::Arc;

use super::compile::Script;
use super::{Behavior, Scripts};
use crate::diag::{Code, Diagnostic, Diagnostics, brackets};
use crate::sim::Brain;
use crate::tokens::Language;

/// Compiles an expression about an agent, `me`, that is true or false: `me.state.mode == "run"`, `me.speed < 1`. The
/// result is for [`Simulation::agents_where`](crate::sim::Simulation::agents_where).
///
/// # Errors
///
/// If the expression has errors. The diagnostics have no place.
pub fn condition(expression: &str) -> Result<Arc<dyn Brain>, Diagnostic> {
    if expression.trim().is_empty() {
        return Err(Diagnostic::error("there is no condition").help("for example `me.speed > 5`"));
    }
    compiled("fn steer(me) { if (", expression, ") { vec(1, 0) } else { vec(0, 0) } }")
}

/// Compiles an expression about an agent, `me`, of any type. The result is for [`Simulation::steps_of`](crate::sim::Simulation::steps_of): the last
/// value of a variable is that of the expression.
///
/// # Errors
///
/// If the expression has errors. The diagnostics have no place.
pub fn expression(expression: &str) -> Result<Arc<dyn Brain>, Diagnostic> {
    compiled_value("fn steer(me) { let value = (", expression, "); vec(0, 0) }")
}

/// Compiles an expression about an agent, `me`, that is a number: `me.speed`, `me.state.fear * 2`. The result is for
/// [`Simulation::numbers_of`](crate::sim::Simulation::numbers_of).
///
/// # Errors
///
/// If the expression has errors. The diagnostics have no place.
pub fn number(expression: &str) -> Result<Arc<dyn Brain>, Diagnostic> {
    compiled_value("fn steer(me) { vec((", expression, "), 0) }")
}

/// Compiles a script that has an expression of any type in it.
fn compiled_value(
    before: &str,
    expression: &str,
    after: &str,
) -> Result<Arc<dyn Brain>, Diagnostic> {
    if expression.trim().is_empty() {
        return Err(Diagnostic::error("there is no expression").help("for example `me.speed`"));
    }
    compiled(before, expression, after)
}

/// Compiles a script that has an expression in it.
fn compiled(before: &str, expression: &str, after: &str) -> Result<Arc<dyn Brain>, Diagnostic> {
    // The line break ends a comment in the expression.
    let text = format!("{before}{expression}\n{after}");
    let scripts = Scripts::new().with("condition", text.as_str());
    let compiled = Script::compile("condition", &scripts).map_err(Diagnostics::into_first);
    let end = before.len() + expression.len();
    let behavior = compiled.and_then(Behavior::new).map_err(|error| {
        let span = error.place.as_ref().map(|place| place.span.clone());
        match span {
            Some(span) if span.start >= end => Diagnostic::error("the expression is not complete"),
            Some(span) if is_behind_the_end(&error, &text, span.start, before.len() - 1) => {
                let found = &text[span];
                let error =
                    Diagnostic::error(format!("expected an operator or the end, found `{found}`"));
                if found == "=" { error.help("compare with `==`") } else { error }
            }
            _ => without_place(error),
        }
    });
    Ok(Arc::new(behavior?))
}

/// Returns whether a syntax error is about the text after a complete expression: the parenthesis around it, which is at
/// the offset `around`, should be closed there.
fn is_behind_the_end(error: &Diagnostic, text: &str, at: usize, around: usize) -> bool {
    error.code == Code::Syntax
        && brackets::around(text, at, Language::Rhai).last() == Some(&around)
        && error.message.starts_with("expected `)`")
}

/// Removes the place, which is in a generated script.
fn without_place(mut error: Diagnostic) -> Diagnostic {
    error.place = None;
    error
}
