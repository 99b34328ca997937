//! Tests of the messages about unclosed brackets, strings and comments.

use proptest::prelude::*;

use super::*;
use crate::diag::cases;

/// Scripts and scenarios that ship, with all sorts of brackets, strings and comments.
const VALID: &[(Language, &str)] = &[
    (Language::Ron, include_str!("../../../../scenarios/night_watch.ron")),
    (Language::Ron, include_str!("../../../../src/scenario/tests/full.ron")),
    (Language::Rhai, include_str!("../../../../scripts/patrol_path.rhai")),
    (Language::Rhai, include_str!("../../../../scripts/queue_doorway.rhai")),
    (Language::Rhai, include_str!("../../../../scripts/sneak.rhai")),
];

#[test]
fn valid_files_have_no_bracket_errors() {
    for &(language, text) in VALID {
        assert!(find(text, language).is_none(), "{text}");
    }
    for text in [
        r##"("a ( \" [", r"\", r#"quote " ( "#, 'x', '(', '\'', b"(", /* ( /* [ */ { */ 1) // )"##,
        "#![enable(implicit_some)]\n(start: r#\"tick 0\n(\n\"#)",
    ] {
        assert!(find(text, Language::Ron).is_none(), "{text}");
    }
    for text in [
        r##"f("a ( "" [", #"quote " ( "#, '(', '\'', `( \ `, `a ${f("}", `b ${c} (`)} (`) /* ( /* [ */ { */ // )"##,
        "let a = \"one \\\n line (\"; let m = #{ a: `\n \\${ ( \n` };",
    ] {
        assert!(find(text, Language::Rhai).is_none(), "{text}");
    }
}

#[test]
fn messages_about_unclosed_brackets() {
    cases::compare("brackets", |language, case| {
        let (name, language) =
            if language == "ron" { ("a.ron", Language::Ron) } else { ("a.rhai", Language::Rhai) };
        cases::rendered(unclosed(&Source::new(name, case), language).as_slice())
    });
}

/// If any closing bracket is left out of a valid file, an error is found: nearly always on the right line, and in most
/// cases at the right bracket.
#[test]
fn a_missing_bracket_is_nearly_always_found() {
    for &(language, text) in VALID {
        let all = brackets(text, language).unwrap();
        let (mut open, mut pairs, mut found, mut near) = (Vec::new(), 0, 0, 0);
        for bracket in all {
            if bracket.is_open() {
                open.push(bracket.at);
                continue;
            }
            let opening = open.pop().unwrap();
            let mut wrong = text.to_owned();
            wrong.remove(bracket.at);
            let error = find(&wrong, language).expect("a bracket is missing");
            pairs += 1;
            let at = error.span.start;
            found += usize::from(at == opening);
            near += usize::from(on_one_line(text, at.min(opening)..at.max(opening)));
        }
        assert!(found * 10 >= pairs * 6, "{found} of {pairs} in\n{text}");
        assert!(near * 10 >= pairs * 9, "{near} of {pairs} in\n{text}");
    }
}

/// If any closing bracket is left out of a valid file, the fix of the error closes all brackets, and often the file has the same words and
/// signs again, except for commas. Nobody knows where in a line a bracket is missing.
#[test]
fn a_missing_bracket_can_be_inserted() {
    let words = |text: &str, language| {
        let code = tokens(text, language).filter(|token| !token.is_comment());
        let words = code.map(|token| text[token.span].to_owned());
        words.filter(|word| word != ",").collect::<Vec<String>>()
    };
    for &(language, text) in VALID {
        let (mut all, mut same) = (0, 0);
        for bracket in brackets(text, language).unwrap().iter().filter(|one| !one.is_open()) {
            let mut wrong = text.to_owned();
            wrong.remove(bracket.at);
            let error = unclosed(&Source::new("a", wrong.as_str()), language).unwrap();
            let fix = error.fixes().remove(0);
            wrong.replace_range(fix.place.span, &fix.text);
            assert!(find(&wrong, language).is_none(), "{} in\n{wrong}", fix.title);
            all += 1;
            same += usize::from(words(&wrong, language) == words(text, language));
        }
        assert!(same * 10 >= all * 4, "{same} of {all} in\n{text}");
    }
}

/// What the first fix of an error makes of a text.
#[test]
fn errors_about_brackets_can_be_repaired() {
    for (language, text, fixed) in [
        (Language::Rhai, "let a = f(g(1;\n", "let a = f(g(1);\n"),
        (
            Language::Rhai,
            "fn a() {\n  if b {\n    c;\n  d // }\n}",
            "fn a() {\n  if b {\n    c;\n  }\n  d // }\n}",
        ),
        (Language::Rhai, "f(1)) + 2", "f(1) + 2"),
        (Language::Rhai, "f([1)", "f([1])"),
        (Language::Rhai, "near.of(\"guest);\n", "near.of(\"guest\");\n"),
        (Language::Rhai, "debug(\"a long text);\n", "debug(\"a long text);\n"),
        (Language::Ron, "(\n a: (\n  b: 1,\n c: 2,\n)", "(\n a: (\n  b: 1,\n ),\n c: 2,\n)"),
        (Language::Ron, "(a: [1, 2, b: 3)", "(a: [1, 2], b: 3)"),
        (Language::Ron, "(a: [(1, 2), f(3), b: 3)", "(a: [(1, 2), f(3)], b: 3)"),
        (
            Language::Ron,
            "(\n w: (size: (8, 6, edge: Wrap),\n g: {\n  \"a\": 1,\n },\n)",
            "(\n w: (size: (8, 6), edge: Wrap),\n g: {\n  \"a\": 1,\n },\n)",
        ),
        (
            Language::Ron,
            "(\n a: R(min: (0, 0, max: (8, 6)),\n g: 1,\n)",
            "(\n a: R(min: (0, 0), max: (8, 6)),\n g: 1,\n)",
        ),
        (Language::Ron, "(a: 1]", "(a: 1)"),
        (
            Language::Ron,
            "(\n a: (\n  b: 1,\n ,\n c: {\n },\n)",
            "(\n a: (\n  b: 1,\n ),\n c: {\n },\n)",
        ),
        (Language::Ron, "(\n a: \"b,\n)", "(\n a: \"b\",\n)"),
        (Language::Ron, "(a: 1", "(a: 1)"),
        (Language::Ron, "(\n a: (b: (1, 2),\n c: 3,\n)", "(\n a: (b: (1, 2)),\n c: 3,\n)"),
    ] {
        let mut new = text.to_owned();
        for fix in unclosed(&Source::new("a", text), language).unwrap().fixes().into_iter().take(1)
        {
            new.replace_range(fix.place.span, &fix.text);
        }
        assert_eq!(new, fixed);
    }
}

/// An editor closes the brace of a new `if` above lines that are still there: the fix removed the `}` before their `else`.
#[test]
fn no_fix_leaves_a_lone_else() {
    let fixed = |text: &str| {
        let error = unclosed(&Source::new("a.rhai", text), Language::Rhai).unwrap();
        let fix = error.repairs().into_iter().next()?;
        Some(format!(
            "{}{}{}",
            &text[..fix.place.span.start],
            fix.text,
            &text[fix.place.span.end..]
        ))
    };
    let rest = "\n    me.b()\n  } else {\n    me.c()\n  }\n}";
    let empty = fixed(&format!("fn a(me) {{\n  if b {{}}{rest}")).unwrap();
    assert_eq!(empty, format!("fn a(me) {{\n  if b {{{rest}"));
    assert_eq!(fixed(&format!("fn a(me) {{\n  me.b(){rest}")), None);
    // A map without entries is no block.
    assert_eq!(fixed(&format!("fn a(me) {{\n  let b = #{{}}{rest}")), None);
}

#[test]
fn a_parser_error_before_the_bracket_is_kept_and_one_after_it_is_replaced() {
    let source = Source::new("a.ron", "(a: 1, b: (2, c: 3)");
    let error = |at: usize| Diagnostic::error("what the parser says").at(&source, at..at + 1);
    let kept = prefer_bracket_error(error(10), Language::Ron);
    assert_eq!(kept.message, "this `(` is not closed");
    let source = Source::new("a.ron", "(\n a: 1,\n b: (2,\n c: 3,\n)");
    let error = |at: usize| Diagnostic::error("what the parser says").at(&source, at..at + 1);
    // Caught: the bracket in a later line was told as a part of it.
    assert_eq!(prefer_bracket_error(error(3), Language::Ron), error(3));
    let gone = prefer_bracket_error(error(19), Language::Ron);
    assert_eq!(gone.message, "this `(` is not closed");
    assert_eq!(gone.place.unwrap().to_string(), "a.ron:3:5");
    assert!(gone.related[1].1.contains("what the parser says"));
    let right = Source::new("a.ron", "(a: 1)");
    let error = Diagnostic::error("what the parser says").at(&right, 1..2);
    assert_eq!(prefer_bracket_error(error.clone(), Language::Ron), error);
}

proptest! {
    #[test]
    fn any_text_gives_valid_spans(text in "[(){}\\[\\]\"'`$#r/*\\\\\na ü]{0,40}") {
        for language in [Language::Ron, Language::Rhai] {
            if let Some(error) = find(&text, language) {
                for span in error.related.iter().map(|(span, _)| span).chain([&error.span]) {
                    prop_assert!(text.get(span.clone()).is_some());
                }
            }
        }
    }
}
