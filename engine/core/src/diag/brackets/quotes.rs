//! Quotes that are too much, and strings without their first quote.

/// Returns the second one of two quotes behind a value, as in `"birds"",`, or a quote behind a number, as in `0.5",`. `start` is where the
/// string begins that does not end.
pub(super) fn surplus(text: &str, start: usize) -> Option<usize> {
    let before = &text[..start];
    let value = last_value(before);
    if before.ends_with('"') || value.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(start).filter(|at| ends_value(text, *at));
    }
    let line = text[start + 1..].lines().next().unwrap_or_default();
    let second = start + 2 + line.find("\"\"")?;
    // No other quote is between.
    let is_first = !text[start + 1..second - 1].contains('"');
    Some(second).filter(|at| is_first && ends_value(text, *at))
}

/// Returns whether a quote is before or behind the name of a field, as in `"count: 20,` or `count": 20,`, or before that of a variant, as in
/// `"Disc(`, or in a number or behind the comma that ends a line, as in `0".02,` or `size: 20,"`. `start` is where the string begins that does
/// not end, `bracket` is what is open around it: entries of maps have quotes.
pub(super) fn is_stray(text: &str, start: usize, bracket: Option<u8>) -> bool {
    let (before, rest) = (&text[..start], &text[start + 1..]);
    let is_last = rest.lines().next().is_none_or(|line| line.trim().is_empty());
    let is_in_number = before.ends_with(|c: char| c.is_ascii_digit());
    if is_in_number || is_last && before.ends_with(',') {
        return true;
    }
    let behind = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    let (word, behind) = (&rest[..rest.len() - behind.len()], behind.trim_start_matches(' '));
    let is_first = before.trim_end().ends_with([',', '(', ':', '[']);
    if is_first && word.starts_with(char::is_uppercase) && behind.starts_with('(') {
        return true;
    }
    let is_before = is_first && word.starts_with(char::is_alphabetic) && behind.starts_with(':');
    let is_behind = last_value(before).starts_with(char::is_alphabetic)
        && rest.trim_start_matches(' ').starts_with(':');
    bracket == Some(b'(') && (is_before || is_behind)
}

/// Returns where a word begins whose first quote is missing, as in `birds",`, and where its string ends. `start` is where the string begins
/// that does not end: it is the last quote of the word.
pub(super) fn unopened(text: &str, start: usize) -> Option<(usize, usize)> {
    let before = &text[..start];
    let word = last_value(before);
    let head = before[..before.len() - word.len()].trim_end();
    let is_value = word.starts_with(char::is_alphabetic)
        && head.ends_with([':', ',', '(', '[', '{', '='])
        && ends_value(text, start);
    is_value.then_some((start - word.len(), start + 1))
}

/// Returns the number or the word at the end of a text.
fn last_value(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '/' | '-');
    &text[text.trim_end_matches(is_part).len()..]
}

/// Returns whether nothing, or a sign that can follow a value, is behind the quote at a byte offset.
fn ends_value(text: &str, quote: usize) -> bool {
    let is_end = |c: char| matches!(c, ',' | ')' | ']' | '}' | ';' | ':');
    let rest = text[quote + 1..].lines().next().unwrap_or_default().trim_start();
    rest.is_empty() || rest.starts_with(is_end)
}
