//! Finds what else is wrong in a text behind an error. The RON reader stops at an error, so the field with it is blanked out, and the
//! text is read again.

use std::ops::Range;
use std::sync::Arc;

use ron::error::{Error, SpannedError};

use super::missing_field::any_value;
use super::spanned::ReadText;
use super::{errors, shape};
use crate::diag::{Diagnostic, Source};
use crate::schema::Shape;
use crate::tokens::ron_tree::{RonKind, RonNode, RonTree};

/// Largest number of errors of a file that are looked for.
pub(super) const MAX_ERRORS: usize = 20;
/// Most bytes that are read for this, all readings together.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// A part of a text in which something else is now.
pub(super) struct Replaced {
    pub(super) part: Range<usize>,
    /// What is written there.
    pub(super) written: String,
}

/// Returns the errors behind the first one in a part of a file that is read as a whole, such as a body.
pub(super) fn more_in_part<T: ReadText>(
    first: &Diagnostic,
    source: &Arc<Source>,
    part: Range<usize>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut text = source.text.clone();
    let error_in = |text: &str| {
        let error = T::read_text(&text[part.clone()]).err()?;
        let finding = errors::diagnostic(&error, &Source::new("", text), part.clone());
        Some((error, finding))
    };
    let next_error = |text: &str| start(&error_in(text)?.1);
    let mut blanks: Vec<Replaced> = Vec::new();
    let mut last = first.clone();
    for _ in 0..MAX_ERRORS.min(MAX_BYTES / text.len().max(1)) {
        let Some(new) = replace_wrong(&mut text, &last, true, next_error) else { break };
        if new.part.start < part.start || part.end < new.part.end {
            break;
        }
        blanks.push(new);
        let Some((error, finding)) = error_in(&text) else { break };
        let is_missing = is_missing(&text, &error, &finding, &blanks);
        if !is_missing {
            // The file itself has the same text there.
            found.push(errors::diagnostic(&error, source, part.clone()));
        }
        last = finding;
    }
    found
}

/// Returns whether an error is about something that is missing where a part is replaced: it may have been that part.
pub(super) fn is_missing(
    text: &str,
    error: &SpannedError,
    finding: &Diagnostic,
    replaced: &[Replaced],
) -> bool {
    let tree = RonTree::new(text);
    let bracket = |at: usize| tree.brackets_at(at).and_then(|of| of.opening());
    let Some((at, of)) = start(finding).and_then(|at| Some((at, bracket(at)?))) else {
        return false;
    };
    let is_end = text[at..].starts_with([')', ']', '}']);
    let is_empty = is_end && text[of + 1..at].trim().is_empty();
    let is_field = matches!(error.code, Error::MissingStructField { .. });
    // What is said of brackets as a whole may be about the part that was in them.
    let is_of_whole = replaced.iter().any(|one| bracket(one.part.start) == Some(at));
    is_of_whole
        || (is_empty || is_field) && replaced.iter().any(|one| bracket(one.part.start) == Some(of))
}

/// Returns where an error begins.
pub(super) fn start(error: &Diagnostic) -> Option<usize> {
    error.place.as_ref().map(|place| place.span.start)
}

/// Returns a place within the field that cannot be read. Where a value is expected and a name stands, such as `(x: 1, y: 2)` for a
/// point, that is the field around it.
pub(super) fn within(error: &Diagnostic) -> Option<usize> {
    let at = start(error)?;
    Some(if error.message.starts_with("expected") { at.saturating_sub(1) } else { at })
}

/// Replaces a part of a text, and the comma behind it, by spaces. All else stays at its line and column. Returns false and changes nothing
/// if the part has letters of several bytes.
pub(super) fn blank(text: &mut String, mut span: Range<usize>) -> bool {
    let rest = &text[span.end..];
    let after = rest.trim_start();
    if after.starts_with(',') {
        span.end += rest.len() - after.len() + 1;
    }
    let part = &text[span.clone()];
    if !part.is_ascii() {
        return false;
    }
    let spaces = part.replace(|letter| !matches!(letter, '\n' | '\r'), " ");
    text.replace_range(span, &spaces);
    true
}

/// Returns the innermost field or entry around a byte offset: its bracket and its bytes.
pub(super) fn innermost_entry(text: &str, at: usize) -> Option<(usize, Range<usize>)> {
    let tree = RonTree::new(text);
    let entry = tree.innermost_entry(at)?;
    Some((entry.parent()?.opening()?, entry.entry_span()))
}

/// Replaces the smallest part of a scenario around an error with which a reader gets behind it, such that all else stays at its place: by what
/// is meant, by another value of its type (if the types are read), or by spaces. `next_error` returns where a text has its first error.
/// Returns the part.
pub(super) fn replace_wrong(
    text: &mut String,
    error: &Diagnostic,
    by_type: bool,
    next_error: impl Fn(&str) -> Option<usize>,
) -> Option<Replaced> {
    let at = within(error)?;
    let tree = RonTree::new(text);
    let mut around: Vec<_> = tree.nodes().filter(|node| node.entry_span().contains(&at)).collect();
    around.reverse();
    let helps =
        |part: &Range<usize>, new: &str| next_error(new).is_none_or(|next| next >= part.end);
    let with = |part: &Range<usize>, value: &str| {
        let old = &text[part.clone()];
        let rest = old.get(value.len()..)?.replace(|letter| !matches!(letter, '\n' | '\r'), " ");
        let has_lines = |of: &str| of.matches('\n').count();
        if has_lines(old) != has_lines(value) + has_lines(&rest) {
            return None;
        }
        let mut new = text.clone();
        new.replace_range(part.clone(), &format!("{value}{rest}"));
        Some((part.clone(), new))
            .filter(|(part, new)| text[part.clone()].is_ascii() && helps(part, new))
    };
    let meant = error.fixes().into_iter().next().and_then(|fix| {
        let (part, value) = fix.in_place()?;
        // A larger one may move others.
        let is_within = part.len() <= around.first()?.entry_span().len() + 2;
        with(&part, &value).filter(|_| is_within)
    });
    let values = || {
        around.first().filter(|_| by_type).and_then(|&node| {
            let shape = shape().of_value(node)?;
            let brackets =
                in_round_brackets(node, shape).and_then(|value| with(&node.span(), &value));
            brackets.or_else(|| with(&node.span(), &any_value(shape)?))
        })
    };
    let left_out = || {
        around.iter().find_map(|node| {
            let is_entry = node.key().is_some() || node.parent()?.kind() == RonKind::List;
            let (part, mut new) = (node.entry_span(), text.clone());
            (is_entry && blank(&mut new, part.clone()) && helps(&part, &new)).then_some((part, new))
        })
    };
    let (part, new) = meant.or_else(values).or_else(left_out)?;
    let written = text[part.clone()].to_owned();
    *text = new;
    Some(Replaced { part, written })
}

/// Writes a field that is missing into the blanks of another one. Returns false and changes nothing if there is no room.
pub(super) fn fill(text: &mut String, blanks: &[Replaced], at: usize, field: &str) -> bool {
    let tree = RonTree::new(text);
    let written = tree.brackets_at(at).and_then(|brackets| {
        let Shape::Fields(fields) = shape().in_brackets(brackets)? else { return None };
        let shape = &fields.iter().find(|one| one.name == field)?.shape;
        let written = format!("{field}:{},", any_value(shape)?);
        let is_in = |blank: &&Range<usize>| {
            let around = tree.brackets_at(blank.start).and_then(|around| around.opening());
            around == brackets.opening() && text[(*blank).clone()].trim().is_empty()
        };
        let room = |blank: &&Range<usize>| {
            let rest = &text[blank.start..];
            rest.len() - rest.trim_start_matches(' ').len() >= written.len()
        };
        let mut parts = blanks.iter().map(|one| &one.part).filter(is_in);
        let blank = parts.find(room)?;
        Some((blank.start..blank.start + written.len(), written))
    });
    written.is_some_and(|(part, written)| {
        text.replace_range(part, &written);
        true
    })
}

/// Returns how a map is written in round brackets, with as many bytes, if fields are expected there.
fn in_round_brackets(node: RonNode<'_, '_>, shape: &Shape) -> Option<String> {
    let is_map = node.kind() == RonKind::Map || node.text().starts_with('{');
    if !is_map || !matches!(shape, Shape::Fields(_)) || node.closing().is_none() {
        return None;
    }
    let start = node.span().start;
    let mut new = node.text().to_owned();
    for key in node.children().filter_map(|child| child.key_word()) {
        let word = key.span.start - start..key.span.end - start;
        new.replace_range(word, &format!("{:1$}", key.text, key.span.len()));
    }
    Some(format!("({})", &new[1..new.len() - 1]))
}
