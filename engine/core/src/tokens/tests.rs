use proptest::prelude::*;

use super::*;

/// Returns the tokens of a text as `kind:text`, with `…` behind those that are not finished.
fn written(language: Language, text: &str) -> Vec<String> {
    let all = tokens(text, language);
    let all = all.map(|token| {
        let end = if token.is_closed { "" } else { "…" };
        format!("{:?}:{}{end}", token.kind, &text[token.inner])
    });
    all.collect()
}

#[test]
fn scenarios_have_strings_of_several_lines_and_raw_ones() {
    let text = "(a: \"x\\\" \n(\", b: r#\"y\"\"#, c: -1.5e-3, 'z', /* a /* b */ */ d: Some(.5)) // e\n\"end";
    assert_eq!(
        written(Language::Ron, text),
        [
            "Sign:(",
            "Word:a",
            "Sign::",
            "Text:x\\\" \n(",
            "Sign:,",
            "Word:b",
            "Sign::",
            "Text:y\"",
            "Sign:,",
            "Word:c",
            "Sign::",
            "Number:-1.5e-3",
            "Sign:,",
            "Character:z",
            "Sign:,",
            "BlockComment:/* a /* b */ */",
            "Word:d",
            "Sign::",
            "Word:Some",
            "Sign:(",
            "Number:.5",
            "Sign:)",
            "Sign:)",
            "LineComment:// e",
            "Text:end…",
        ]
    );
}

#[test]
fn a_string_that_is_not_closed_ends_before_what_comes_next() {
    assert_eq!(
        written(Language::Ron, "(a: \"flo, b: \"c\")"),
        [
            "Sign:(",
            "Word:a",
            "Sign::",
            "Text:flo…",
            "Sign:,",
            "Word:b",
            "Sign::",
            "Text:c",
            "Sign:)"
        ]
    );
    assert_eq!(
        written(Language::Rhai, "f(\"a, b\n`c ${d\n/* e"),
        ["Word:f", "Sign:(", "Text:a, b…", "Template:c ", "Word:d", "BlockComment:/* e…"]
    );
    assert_eq!(written(Language::Rhai, "`c\nd"), ["Template:c…", "Word:d"]);
}

#[test]
fn scripts_have_code_in_strings() {
    assert_eq!(
        written(Language::Rhai, "`a \\${b} ${#{c: `${1}`}} ``` + \"d\"\"\" + #\"e\"# + 'f'"),
        [
            "Template:a \\${b} ",
            "Sign:#",
            "Sign:{",
            "Word:c",
            "Sign::",
            "Template:",
            "Number:1",
            "Template:",
            "Sign:}",
            "Template: ``",
            "Sign:+",
            "Text:d\"\"",
            "Sign:+",
            "Text:e",
            "Sign:+",
            "Character:f",
        ]
    );
}

#[test]
fn numbers_end_before_ranges_and_calls() {
    assert_eq!(
        written(Language::Rhai, "0..5 1.max(2.5e-3) 0xe-1 1..=2 a-1"),
        [
            "Number:0",
            "Sign:..",
            "Number:5",
            "Number:1",
            "Sign:.",
            "Word:max",
            "Sign:(",
            "Number:2.5e-3",
            "Sign:)",
            "Number:0xe",
            "Sign:-",
            "Number:1",
            "Number:1",
            "Sign:..=",
            "Number:2",
            "Word:a",
            "Sign:-",
            "Number:1",
        ]
    );
}

proptest! {
    /// Tokens follow each other with only white space between them, and every byte belongs to one.
    #[test]
    fn nothing_of_any_text_is_lost(text in "[(){}\\[\\]\"'`$#r/*\\\\\n.0e+-a, ü]{0,60}") {
        for language in [Language::Ron, Language::Rhai] {
            let mut end = 0;
            for token in tokens(&text, language) {
                prop_assert!(token.span.start < token.span.end);
                prop_assert!(text[end..token.span.start].trim().is_empty());
                prop_assert!(text.get(token.inner.clone()).is_some());
                prop_assert!(token.span.start <= token.inner.start && token.inner.end <= token.span.end);
                end = token.span.end;
            }
            prop_assert!(text[end..].trim().is_empty());
        }
    }
}

#[test]
fn brackets_belong_together_and_have_arguments() {
    let code = CodeTokens::new("f(a, [1, 2](3), /* , */ \"(,\") + g() }", Language::Rhai);
    let at = |word: &str| (0..code.all.len()).find(|&index| code.get(index) == word).unwrap();
    assert_eq!(code.closing(1), Some(at("+") - 1));
    assert_eq!(code.opening(at("+") - 1), Some(1));
    assert_eq!(code.opening_around(at("2")), Some(at("[")));
    assert_eq!((code.closing(0), code.opening(0), code.opening(at("}"))), (None, None, None));
    let arguments = |open| -> Vec<&str> {
        code.arguments(open).unwrap().into_iter().map(|span| &code.text[span]).collect()
    };
    assert_eq!(arguments(1), ["a", "[1, 2](3)", "\"(,\""]);
    assert!(arguments(at("g") + 1).is_empty());
    let outside: Vec<_> = code.outside_brackets(0..code.all.len()).map(|at| code.get(at)).collect();
    assert_eq!(outside, ["f", "+", "g", "}"]);
}
