//! What is read from expressions and values as they are written: tokens, parts between commas, and the elements of lists and maps.

use flockwork_engine::tokens::{Language, Token, tokens};

/// Returns the tokens of a text that are no comments.
pub(super) fn code(text: &str) -> impl Iterator<Item = Token> + '_ {
    tokens(text, Language::Rhai).filter(|token| !token.is_comment())
}

/// Splits a text at the commas that are in no brackets and in no string.
pub(super) fn split(text: &str) -> Vec<&str> {
    let (mut all, mut start, mut depth) = (Vec::new(), 0, 0);
    let (mut in_string, mut is_escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                all.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        all.push(text[start..].trim());
    }
    all
}

/// Returns the elements of the text of a list or a map, each with what is written behind the list to get it: `[0]` or `.name`. Empty for
/// another value.
pub(super) fn elements(text: &str) -> Vec<(String, &str)> {
    let inside = |open: &str, close: char| text.strip_prefix(open)?.strip_suffix(close);
    let (inner, is_map) = match (inside("[", ']'), inside("#{", '}')) {
        (Some(inner), _) => (inner, false),
        (_, Some(inner)) => (inner, true),
        _ => return Vec::new(),
    };
    let named = |(index, part)| match part {
        part if is_rest(part) => ("…".to_owned(), part.trim_start_matches(['…', ' '])),
        part if is_map => match part.split_once(": ") {
            Some((name, value)) => (format!(".{name}"), value),
            None => (format!("[{index}]"), part),
        },
        part => (format!("[{index}]"), part),
    };
    split(inner).into_iter().enumerate().map(named).collect()
}

/// Returns whether an element stands for all others.
fn is_rest(part: &str) -> bool {
    part.starts_with('…')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_maps_have_elements() {
        let all = |text| {
            let all = elements(text).into_iter();
            all.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>()
        };
        assert_eq!(all("[1, (2, 3), [4, 5]]"), ["[0] 1", "[1] (2, 3)", "[2] [4, 5]"]);
        let strings = r#"#{a: "x, \"]", b: #{c: 1}}"#;
        assert_eq!(all(strings), [r#".a "x, \"]""#, ".b #{c: 1}"]);
        assert_eq!(all("[1, … 60 in all]"), ["[0] 1", "… 60 in all"]);
        for other in ["[]", "#{}", "(1, 2)", "\"[1]\"", "2 neighbors"] {
            assert_eq!(all(other), [""; 0], "{other}");
        }
    }
}
