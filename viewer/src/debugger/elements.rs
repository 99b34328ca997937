//! The elements of lists and maps, as these are written.

use std::ops::Range;

use flockwork_engine::tokens::{CodeTokens, Language};

/// Returns the elements of the text of a list or a map, each with what is written behind the list to get it: `[0]` or `.name`. Empty for
/// another value.
pub(super) fn elements(text: &str) -> Vec<(String, &str)> {
    let code = CodeTokens::new(text, Language::Rhai);
    let is_map = code.get(0) == "#";
    let open = usize::from(is_map);
    let is_whole =
        matches!(code.get(open), "[" | "{") && code.closing(open) == Some(code.all.len() - 1);
    let all = code.arguments(open).filter(|_| is_whole).unwrap_or_default();
    let named = |(index, span): (usize, Range<usize>)| {
        let part = &text[span];
        // It stands for all others.
        if part.starts_with('…') {
            return ("…".to_owned(), part.trim_start_matches(['…', ' ']));
        }
        match part.split_once(": ").filter(|_| is_map) {
            Some((name, value)) => (format!(".{name}"), value),
            None => (format!("[{index}]"), part),
        }
    };
    all.into_iter().enumerate().map(named).collect()
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
