//! Places of errors about arguments of calls: the errors know which arguments are wrong, and the text where they are.

use std::ops::Range;

use crate::diag::{Diagnostic, Fix, Remedy, WrongArguments};
use crate::tokens::{Language, TokenKind, tokens};

/// Moves the place of an error from the name of a function to the arguments that it is about, if they are found behind it. Arguments
/// beyond those that the function takes can be removed.
pub(super) fn at_arguments(mut error: Diagnostic) -> Diagnostic {
    let (Some(wrong), Some(place)) = (error.arguments.take(), error.place.clone()) else {
        return error;
    };
    let text = place.source.text.as_str();
    if let WrongArguments::Operand { is_left, add } = wrong {
        let fix = operand_end(text, &place.span, is_left)
            .map(|end| Fix::new(format!("Add `{add}`"), &place.source, end..end, add));
        error.remedies.0.extend(fix.map(Remedy::Change));
        return error;
    }
    let Some(arguments) = arguments_behind(text, place.span.end) else { return error };
    let is_method = text[..place.span.start].trim_end().ends_with('.');
    let index = |index: usize| index.checked_sub(usize::from(is_method));
    match wrong {
        WrongArguments::One(one) => match index(one).and_then(|index| arguments.get(index)) {
            Some(span) => error.at(&place.source, span.clone()),
            None => error,
        },
        WrongArguments::NotInArray(count) => {
            let (Some(first), Some(last)) = (arguments.first(), arguments.get(count - 1)) else {
                return error;
            };
            let span = first.start..last.end;
            let array = format!("[{}]", &text[span.clone()]);
            let group =
                Fix::new("Write `[` and `]` around them", &place.source, span.clone(), array);
            error.at(&place.source, span).remedy(Remedy::Change(group))
        }
        WrongArguments::From(from) => {
            let from = index(from).filter(|&from| from < arguments.len());
            let (Some(from), Some(last)) = (from, arguments.last()) else { return error };
            let span = arguments[from].start..last.end;
            let removed = from.checked_sub(1).map_or(span.start, |before| arguments[before].end);
            let title = format!("Remove `{}`", &text[span.clone()]);
            let remove = Fix::new(title, &place.source, removed..span.end, "");
            let remedy = Remedy::Change(remove);
            match span.is_empty() || text[span.clone()].contains('\n') {
                true => error,
                false => error.at(&place.source, span).remedy(remedy),
            }
        }
        WrongArguments::Operand { .. } => error,
    }
}

/// Returns where an operand of an operator ends. `None` if it is the right one, and more than a variable.
fn operand_end(text: &str, operator: &Range<usize>, is_left: bool) -> Option<usize> {
    if is_left {
        let before = text[..operator.start].trim_end();
        let is_value = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')'));
        return is_value.then_some(before.len());
    }
    let mut after = tokens(&text[operator.end..], Language::Rhai);
    let variable = after.find(|token| !token.is_comment())?;
    let is_variable = variable.kind == TokenKind::Word;
    let end = operator.end + variable.span.end;
    let is_whole = !text[end..].trim_start().starts_with(['.', '(', '[', '?', ':']);
    (is_variable && is_whole).then_some(end)
}

/// Returns the arguments in the parentheses behind a byte offset. `None` if there are none, or if a closure among them may have commas of its
/// own.
fn arguments_behind(text: &str, name_end: usize) -> Option<Vec<Range<usize>>> {
    let rest = text.get(name_end..)?;
    let mut all: Vec<Range<usize>> = Vec::new();
    let (mut depth, mut is_new) = (0, true);
    for token in tokens(rest, Language::Rhai).filter(|token| !token.is_comment()) {
        let span = name_end + token.span.start..name_end + token.span.end;
        let word = &text[span.clone()];
        match word {
            _ if depth == 0 && word != "(" => return None,
            ")" | "]" | "}" if depth == 1 => return Some(all),
            "|" | "||" if depth == 1 => return None,
            "," if depth == 1 => {
                is_new = true;
                continue;
            }
            _ => {}
        }
        if depth > 0 {
            match all.last_mut().filter(|_| !is_new) {
                Some(last) => last.end = span.end,
                None => all.push(span.clone()),
            }
            is_new = false;
        }
        // A string with code in it is several tokens, which begin and end at its braces.
        match word {
            "(" | "[" | "{" | "#{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
    }
    None
}
