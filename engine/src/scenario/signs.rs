//! Fixes of signs from other formats: `=` for `:` or behind it, `;` for `,`, two commas, a list or a map in place of round brackets.

use std::sync::Arc;

use ron::error::Error;

use crate::diag::{Diagnostic, Remedy, Source, brackets};
use crate::tokens::Language;
use crate::tokens::ron_tree::{RonKind, RonTree};

/// Adds the fix of a wrong sign to the error of a value at its place.
pub(super) fn with_signs(mut error: Diagnostic, code: &Error, source: &Arc<Source>) -> Diagnostic {
    let Some(span) = error.place.as_ref().map(|place| place.span.clone()) else { return error };
    let text = source.text.as_str();
    let is_bracket = matches!(code, Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_));
    match (code, text.get(span.clone()).unwrap_or_default()) {
        (_, "=") if text[..span.start].trim_end().ends_with(':') => {
            error.message = "this `=` is one too many".to_owned();
            let rest = &text[span.end..];
            let end = text.len() - rest.trim_start_matches(' ').len();
            error.fix("Remove this `=`", source, span.start..end, "")
        }
        (Error::ExpectedMapColon | Error::ExpectedComma, "=") => {
            let end = text[..span.start].trim_end().len();
            error.fix("Write `:`", source, end..span.end, ":")
        }
        (Error::ExpectedComma, ";") => error.fix("Write `,`", source, span, ","),
        (Error::ExpectedIdentifier | Error::UnexpectedChar(',' | ';'), sign @ ("," | ";"))
            if text[..span.start].trim_end().ends_with([',', '(', '[', '{']) =>
        {
            error.fix(format!("Remove this `{sign}`"), source, span, "")
        }
        (_, "[") if is_bracket => match point(text, span.start) {
            Some((list, point)) => error.fix(format!("Write `{point}`"), source, list, point),
            None => error,
        },
        (_, "{") if is_bracket && closes_round(source, span.start) => {
            error.fix("Write `(`", source, span, "(")
        }
        _ => error,
    }
}

/// Returns the bytes of the list of two numbers whose bracket is at a byte offset, and how it is written as a point.
fn point(text: &str, at: usize) -> Option<(std::ops::Range<usize>, String)> {
    let tree = RonTree::new(text);
    let list = tree.brackets_at(at + 1).filter(|list| list.opening() == Some(at))?;
    let numbers: Vec<_> = list.children().collect();
    let is_point = numbers.len() == 2 && numbers.iter().all(|one| one.kind() == RonKind::Number);
    let is_whole = is_point && list.closing().is_some();
    is_whole.then(|| (list.span(), format!("({}, {})", numbers[0].text(), numbers[1].text())))
}

/// Returns whether a round bracket is where the bracket at a byte offset should be closed.
fn closes_round(source: &Arc<Source>, at: usize) -> bool {
    let wrong = brackets::unclosed(source, Language::Ron);
    wrong.is_some_and(|wrong| {
        let closing = wrong.place.as_ref().and_then(|place| source.text.get(place.span.clone()));
        closing == Some(")") && wrong.related.iter().any(|(open, _)| open.span.start == at)
    })
}

/// Leaves out the proposal of a name for an unknown field, at a byte offset, if the field with that name is there already.
pub(super) fn without_repeated(
    mut error: Diagnostic,
    source: &Arc<Source>,
    at: usize,
) -> Diagnostic {
    let tree = RonTree::new(&source.text);
    let Some(brackets) = tree.brackets_at(at) else { return error };
    let is_there = |name: &str| brackets.get(name).is_some();
    let is_repeated =
        |remedy: &Remedy| matches!(remedy, Remedy::Name { meant, .. } if is_there(meant));
    if error.message.starts_with("unknown field") && error.remedies.0.iter().any(is_repeated) {
        error.remedies.0.retain(|remedy| !is_repeated(remedy));
        error.help.retain(|help| !help.starts_with("did you mean"));
    }
    error
}
