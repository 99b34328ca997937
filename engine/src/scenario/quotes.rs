//! Fixes of values with quotes that they must not have, without those that they need, or with single ones.

use ron::error::Error;

use super::{advice, color_names};
use crate::diag::Diagnostic;

/// Adds the fix of quotes to the error of a value at its place.
pub(super) fn with_quotes(error: Diagnostic, code: &Error) -> Diagnostic {
    let Some(place) = error.place.clone() else { return error };
    let text = place.source.text.as_str();
    let found = text.get(place.span.clone()).unwrap_or_default();
    let Some(meant) = meant(code, found, &text[place.span.end..], &error.help) else {
        return error;
    };
    // In quotes, the name of a color is still no color.
    let meant = match meant.strip_prefix('"').filter(|_| advice::is_color(text, place.span.start)) {
        Some(name) => match color_names::hex_of(name.trim_end_matches('"')) {
            Some(hex) => format!("\"{hex}\""),
            None => return error,
        },
        None => meant,
    };
    // Only the first quote may be missing.
    let has_end = meant.starts_with('"') && text[place.span.end..].starts_with('"');
    let written = place.span.start..place.span.end + usize::from(has_end);
    let is_told = error.help.iter().any(|help| help.contains(&meant));
    let error = if is_told { error } else { error.help(format!("remove the quotes: {meant}")) };
    error.fix(format!("Write `{meant}`"), &place.source, written, meant)
}

/// Returns what is meant by a value that an error is about, if only its quotes are wrong.
fn meant(error: &Error, found: &str, after: &str, help: &[String]) -> Option<String> {
    let between = |quote: char| found.strip_prefix(quote)?.strip_suffix(quote);
    let is_integer = |text: &str| text.parse::<i64>().is_ok();
    let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    match error {
        Error::ExpectedInteger => between('"').filter(|text| is_integer(text)),
        Error::ExpectedFloat => between('"').filter(|text| is_number(text)),
        Error::InvalidValueForType { expected, .. } => between('"').filter(|text| {
            let wants = |word: &str| expected.contains(word);
            (wants("integer") && is_integer(text)) || (wants("number") && is_number(text))
        }),
        // The name of a list is a list of one name.
        Error::ExpectedArray => {
            let list = between('"').map(|_| format!("[{found}]"))?;
            return help.iter().any(|help| help.ends_with(&format!("`{list}`"))).then_some(list);
        }
        Error::ExpectedIdentifier => between('"')
            .filter(|text| help.iter().any(|help| help.ends_with(&format!("quotes: `{text}`")))),
        Error::ExpectedString | Error::ExpectedChar => {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let is_name = found.starts_with(char::is_alphabetic) && found.chars().all(is_word);
            let is_alone = is_name
                && !advice::means_nothing(found)
                && !after.trim_start().starts_with(['(', '{', '[']);
            let single = between('\'').filter(|text| !text.contains(['"', '\\']));
            return single.or(is_alone.then_some(found)).map(|text| format!("\"{text}\""));
        }
        _ => None,
    }
    .map(str::to_owned)
}
