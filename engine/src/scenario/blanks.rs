//! Finds what else is wrong in a text behind an error. The RON reader stops at an error, so the field with it is blanked out, and the
//! text is read again.

use std::ops::Range;
use std::sync::Arc;

use super::errors;
use super::spanned::ReadText;
use crate::diag::{Diagnostic, Source};
use crate::tokens::ron_tree::RonTree;

/// Largest number of errors of a file that are looked for.
pub(super) const MAX_ERRORS: usize = 20;
/// Most bytes that are read for this, all readings together.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// Returns the errors behind the first one in a part of a file that is read as a whole, such as a body.
pub(super) fn more_in_part<T: ReadText>(
    first: &Diagnostic,
    source: &Arc<Source>,
    part: Range<usize>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut text = source.text.clone();
    let mut at = within(first);
    for _ in 0..MAX_ERRORS.min(MAX_BYTES / text.len().max(1)) {
        let Some((_, span)) = at.and_then(|at| innermost_entry(&text, at)) else { break };
        if !(part.start <= span.start && span.end <= part.end && blank(&mut text, span)) {
            break;
        }
        let Err(error) = T::read_text(&text[part.clone()]) else { break };
        let blanked = Source::new(source.name.clone(), text.clone());
        at = within(&errors::diagnostic(&error, &blanked, part.clone()));
        // The file itself has the same text there.
        found.push(errors::diagnostic(&error, source, part.clone()));
    }
    found
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
