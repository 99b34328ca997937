//! Places of errors about arguments of calls: the errors know which arguments are wrong, and the text where they are.

use std::ops::Range;

use super::scope::variables;
use crate::diag::{Diagnostic, Place, WrongArguments};
use crate::tokens::{CodeTokens, Language, TokenKind, code};

/// Moves the place of an error from the name of a function to the arguments that it is about, if they are found behind it. Arguments
/// beyond those that the function takes can be removed.
pub(super) fn at_arguments(mut error: Diagnostic) -> Diagnostic {
    let (Some(wrong), Some(place)) = (error.arguments.take(), error.place.clone()) else {
        return error;
    };
    let text = place.source.text.as_str();
    if let WrongArguments::Operand { is_left, add } = wrong {
        return match operand_end(text, &place.span, is_left) {
            Some(end) => error.fix(format!("Add `{add}`"), &place.source, end..end, add),
            None => error,
        };
    }
    let Some(arguments) = arguments_behind(text, place.span.end) else { return error };
    let is_method = text[..place.span.start].trim_end().ends_with('.');
    let index = |index: usize| index.checked_sub(usize::from(is_method));
    match wrong {
        WrongArguments::One(one) => match index(one).and_then(|index| arguments.get(index)) {
            Some(span) => error.at(&place.source, span.clone()),
            None => error,
        },
        WrongArguments::Point(one) => {
            let Some(first) = index(one) else { return error };
            let Some(span) = arguments.get(first) else { return error };
            let coordinates = arguments
                .get(first..first + 2)
                .filter(|both| both.iter().all(|one| text[one.clone()].parse::<f32>().is_ok()));
            let error = error.at(&place.source, span.clone());
            let Some([x, y]) = coordinates else { return error };
            let point = format!("vec({}, {})", &text[x.clone()], &text[y.clone()]);
            error.fix(format!("Write `{point}`"), &place.source, x.start..y.end, point)
        }
        WrongArguments::Swapped(one) => {
            let both = index(one).and_then(|first| arguments.get(first..first + 2));
            let Some([first, second]) = both else { return error };
            let swapped = format!("{}, {}", &text[second.clone()], &text[first.clone()]);
            let close = text[second.end..].find(')').map_or(second.end, |at| second.end + at + 1);
            let error = error.at(&place.source, place.span.start..close);
            let title = format!("Write `{swapped}`");
            error.fix(title, &place.source, first.start..second.end, swapped)
        }
        WrongArguments::NotInArray(count) => {
            let (Some(first), Some(last)) = (arguments.first(), arguments.get(count - 1)) else {
                return error;
            };
            let span = first.start..last.end;
            let array = format!("[{}]", &text[span.clone()]);
            let title = "Write `[` and `]` around them";
            error.at(&place.source, span.clone()).fix(title, &place.source, span, array)
        }
        WrongArguments::From(from) => {
            let from = index(from).filter(|&from| from < arguments.len());
            let (Some(from), Some(last)) = (from, arguments.last()) else { return error };
            let span = arguments[from].start..last.end;
            let removed = from.checked_sub(1).map_or(span.start, |before| arguments[before].end);
            let title = format!("Remove `{}`", &text[span.clone()]);
            if span.is_empty() || text[span.clone()].contains('\n') {
                return error;
            }
            let removed = removed..span.end;
            error.at(&place.source, span).fix(title, &place.source, removed, "")
        }
        WrongArguments::Agent(agent) if !is_method => before_dot(error, &place, &arguments, agent),
        WrongArguments::NoNeighbors if arguments.is_empty() => with_neighbors(error, &place),
        WrongArguments::UpTo => match &arguments[..] {
            [end] => range_of_loop(error, &place, end),
            _ => error,
        },
        WrongArguments::Agent(_) | WrongArguments::NoNeighbors | WrongArguments::Operand { .. } => {
            error
        }
    }
}

/// Adds to an error the fix that writes one of the arguments of a call before it and a dot: `me.seek(point)` for `seek(point, me)`.
fn before_dot(
    error: Diagnostic,
    place: &Place,
    arguments: &[Range<usize>],
    agent: usize,
) -> Diagnostic {
    let text = place.source.text.as_str();
    let (Some(last), Some(receiver)) = (arguments.last(), arguments.get(agent)) else {
        return error;
    };
    let Some(close) = text[last.end..].find(')') else { return error };
    let others = (0..arguments.len()).filter(|&index| index != agent);
    let others: Vec<&str> = others.map(|index| &text[arguments[index].clone()]).collect();
    let (receiver, name) = (&text[receiver.clone()], &text[place.span.clone()]);
    let call = format!("{receiver}.{name}({})", others.join(", "));
    let span = place.span.start..last.end + close + 1;
    error.fix(format!("Write `{call}`"), &place.source, span, call)
}

/// Adds to an error of a call without neighbors the fix that writes the only variable with neighbors there.
fn with_neighbors(error: Diagnostic, place: &Place) -> Diagnostic {
    let (text, span) = (place.source.text.as_str(), &place.span);
    let is_of_neighbors = |name: &&str| {
        let declared = format!("let {name} = ");
        let value = text[..span.start].rsplit_once(&declared).map(|(_, value)| value);
        value.is_some_and(|value| value.starts_with("me.neighbors"))
    };
    let variables = variables(text, span.start).into_iter().filter(is_of_neighbors);
    let [near] = variables.collect::<Vec<_>>()[..] else { return error };
    let Some(open) = text[span.end..].find('(') else { return error };
    let open = span.end + open + 1;
    error.fix(format!("Write `{near}` in the brackets"), &place.source, open..open, near)
}

/// Adds to an error of a loop over `range(end)` the fixes that write a range, or what has so many elements. The one comes first that fits how the
/// variable of the loop is used.
fn range_of_loop(error: Diagnostic, place: &Place, end: &Range<usize>) -> Diagnostic {
    let text = place.source.text.as_str();
    let (start, before) = (place.span.start, text[..place.span.start].trim_end());
    let Some(head) = before.strip_suffix(" in") else { return error };
    let close = end.end + text[end.end..].find(')').map_or(0, |close| close + 1);
    let write = |error: Diagnostic, new: &str| {
        error.fix(format!("Write `{new}`"), &place.source, start..close, new)
    };
    let (end, rest) = (&text[end.clone()], &text[close..]);
    let counted = end.strip_prefix("len(").and_then(|inner| inner.strip_suffix(')'));
    let counted = counted.or(end.strip_suffix(".len()")).or(end.strip_suffix(".count"));
    let variable = head.rsplit(' ').next().unwrap_or_default();
    let range = format!("0..{end}");
    match counted.filter(|_| !rest.contains(&format!("[{variable}]"))) {
        Some(all) => {
            let error =
                error.help(format!("to go through the elements, write `for {variable} in {all}`"));
            let is_element = rest.contains(&format!("{variable}."));
            let (first, second) = if is_element { (all, &*range) } else { (&*range, all) };
            write(write(error, first), second)
        }
        None => write(error, &range),
    }
}

/// Returns where an operand of an operator ends. `None` if it is the right one, and more than a variable.
fn operand_end(text: &str, operator: &Range<usize>, is_left: bool) -> Option<usize> {
    if is_left {
        let before = text[..operator.start].trim_end();
        let is_value = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')'));
        return is_value.then_some(before.len());
    }
    let variable = code(&text[operator.end..], Language::Rhai).next()?;
    let is_variable = variable.kind == TokenKind::Word;
    let end = operator.end + variable.span.end;
    let is_whole = !text[end..].trim_start().starts_with(['.', '(', '[', '?', ':']);
    (is_variable && is_whole).then_some(end)
}

/// Returns the arguments in the parentheses behind a byte offset. `None` if there are none, or if a closure among them may have commas of its
/// own.
fn arguments_behind(text: &str, name_end: usize) -> Option<Vec<Range<usize>>> {
    let code = CodeTokens::new(text.get(name_end..)?, Language::Rhai);
    let close = code.closing(0).filter(|_| code.get(0) == "(")?;
    let mut inside = code.outside_brackets(1..close);
    if inside.any(|index| matches!(code.get(index), "|" | "||")) {
        return None;
    }
    let all = code.arguments(0)?.into_iter();
    Some(all.map(|span| name_end + span.start..name_end + span.end).collect())
}
