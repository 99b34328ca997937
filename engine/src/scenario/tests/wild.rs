use proptest::prelude::*;

use super::*;

/// Checks that a text is read or refused without a panic, and that all places are inside the text.
fn check_harmless(text: &str) {
    let source = Source::new("s.ron", text);
    let found = match Scenario::parse(&source) {
        Ok(scenario) => scenario.warnings,
        Err(errors) => {
            assert!(!errors.is_empty(), "refused without a reason");
            errors.into_vec()
        }
    };
    for one in found {
        let place = one.place.as_ref().expect("every finding has a place");
        assert!(
            text.get(place.span.clone()).is_some(),
            "{:?} of {} in {one:?}",
            place.span,
            text.len()
        );
        assert!(!one.message.is_empty());
        one.render(false);
    }
}

/// Pieces of text that have a meaning in RON.
const PIECES: [&str; 28] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\\",
    "'",
    "//",
    "/*",
    "*/",
    "#",
    "r#\"",
    "b'",
    "Some(",
    "None",
    "()",
    "inf",
    "-",
    "..",
    "1e99",
    "99999999999999999999999",
    "ä",
    "\u{2028}",
    "#![enable(unwrap_variant_newtypes)]",
];

/// Attributes with which a scenario can begin.
const HEADERS: [&str; 4] = [
    "#![enable(implicit_some)]",
    "#![enable(unwrap_variant_newtypes)]",
    "#![enable(unwrap_newtypes)]",
    "#![enable(explicit_struct_names)]",
];

fn char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn damaged_scenarios_are_refused_without_harm(
        edits in prop::collection::vec((0usize..3000, 0usize..40, 0usize..PIECES.len() + 1, any::<bool>()), 1..4),
        header in 0usize..HEADERS.len(),
    ) {
        let mut text = FULL.replace(HEADERS[0], HEADERS[header]);
        for (at, len, piece, long) in edits {
            let start = char_boundary(&text, at);
            let len = if long { len } else { len % 3 };
            let end = char_boundary(&text, start + len).max(start);
            text.replace_range(start..end, PIECES.get(piece).unwrap_or(&""));
        }
        check_harmless(&text);
    }

    #[test]
    fn any_text_is_refused_without_harm(text in "\\PC{0,40}") {
        check_harmless(&text);
    }

    #[test]
    fn moved_parts_are_refused_without_harm(from in 0usize..3000, len in 0usize..200, to in 0usize..3000) {
        let start = char_boundary(FULL, from);
        let part = &FULL[start..char_boundary(FULL, start + len).max(start)];
        let at = char_boundary(FULL, to);
        check_harmless(&format!("{}{part}{}", &FULL[..at], &FULL[at..]));
    }
}

#[test]
fn every_beginning_of_a_scenario_is_refused_without_harm() {
    for end in (0..FULL.len()).filter(|&i| FULL.is_char_boundary(i)) {
        check_harmless(&FULL[..end]);
    }
}

#[test]
fn deep_nesting_is_refused() {
    for open in ["(", "[", "{", "Some(", "{\"a\":"] {
        check_harmless(&open.repeat(100_000));
        check_harmless(&full_with("\"sneak\"", &open.repeat(100_000)));
    }
}

#[test]
fn other_attributes_change_nothing() {
    for header in &HEADERS[..3] {
        let scenario = parse(&FULL.replace(HEADERS[0], header)).unwrap();
        assert_eq!(scenario.setup.events, parse(FULL).unwrap().setup.events);
    }
}
