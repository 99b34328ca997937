//! The fix of a value that may be `()`: it is checked before it is used.

use crate::diag::{Fix, Place};
use crate::tokens::{CodeTokens, Language, line_start};

/// Returns the fix that checks a variable before the statement at a place: around it, or before it where it gives the force.
pub(super) fn check_before(place: &Place, name: &str) -> Option<Fix> {
    let (source, text) = (&place.source, place.source.text.as_str());
    let code = CodeTokens::new(text, Language::Rhai);
    let at = code.all.partition_point(|token| token.span.start < place.span.start);
    let first = (0..at).rev().find(|&index| code.is_boundary(index))? + 1;
    let end = (at..code.all.len()).find(|&index| code.is_boundary(index))?;
    let (start, head) = (code.all[first].span.start, code.get(first));
    let begins_line = text[line_start(text, start)..start].trim().is_empty();
    if !begins_line || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let statement = &text[start..code.all[end].span.end];
    if code.get(end) == ";" && !["let", "const", "return"].contains(&head) {
        let is_short = !statement.contains('\n') && !statement.contains("//");
        let new = format!("if {name} != () {{ {statement} }}");
        let span = start..start + statement.len();
        let title = format!("Add `if {name} != ()`");
        return is_short.then(|| Fix::new(title, source, span, new));
    }
    // Only `steer` may return nothing.
    let function = (1..first).rev().find(|&index| code.before(index) == "fn")?;
    let indent = &text[line_start(text, start)..start];
    let check = format!("if {name} == () {{ return; }}");
    let is_value = head == "return" || code.get(end) == "}";
    (code.get(function) == "steer" && is_value).then(|| {
        Fix::new(format!("Add `{check}`"), source, start..start, format!("{check}\n{indent}"))
    })
}
