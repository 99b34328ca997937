//! What is said of brackets, strings and comments that are not closed.

use proptest::prelude::*;

use super::*;

/// Scripts and scenarios that ship, with all sorts of brackets, strings and comments.
const RIGHT: &[(&Signs, &str)] = &[
    (&RON, include_str!("../../../scenarios/night_watch.ron")),
    (&RON, include_str!("../../scenario/tests/full.ron")),
    (&RHAI, include_str!("../../../scripts/patrol_path.rhai")),
    (&RHAI, include_str!("../../../scripts/queue_doorway.rhai")),
    (&RHAI, include_str!("../../../scripts/sneak.rhai")),
];

/// The place of `‹` in a text, without it.
fn marked(text: &str) -> (String, usize) {
    let at = text.find('‹').expect("a mark");
    (text.replacen('‹', "", 1), at)
}

/// Checks that what is behind the mark is to blame.
fn blames(signs: &Signs, text: &str, message: &str) -> Fault {
    let (text, at) = marked(text);
    let fault = find(&text, signs).unwrap_or_else(|| panic!("nothing found in\n{text}"));
    assert_eq!((fault.message.as_str(), fault.span.start), (message, at), "{text}");
    fault
}

#[test]
fn what_is_right_is_not_blamed() {
    for (signs, text) in RIGHT {
        assert!(find(text, signs).is_none(), "{text}");
    }
    for text in [
        r##"("a ( \" [", r"\", r#"quote " ( "#, 'x', '(', '\'', b"(", /* ( /* [ */ { */ 1) // )"##,
        "#![enable(implicit_some)]\n(start: r#\"tick 0\n(\n\"#)",
    ] {
        assert!(find(text, &RON).is_none(), "{text}");
    }
    for text in [
        r##"f("a ( "" [", #"quote " ( "#, '(', '\'', `( \ `, `a ${f("}", `b ${c} (`)} (`) /* ( /* [ */ { */ // )"##,
        "let a = \"one \\\n line (\"; let m = #{ a: `\n \\${ ( \n` };",
    ] {
        assert!(find(text, &RHAI).is_none(), "{text}");
    }
}

#[test]
fn a_bracket_that_is_not_closed_is_found_where_it_is_opened() {
    for (signs, text, message) in [
        (&RON, "‹(\n  a: (1, 2),\n", "this `(` is not closed"),
        (&RON, "(\n  a: ‹(b: (1, 2),\n  c: 3,\n)\n", "this `(` is not closed"),
        (&RON, "(\n  a: {\n    \"x\": ‹(\n      b: 1,\n  },\n)", "this `(` is not closed"),
        (
            &RON,
            "(\n  a: {\n    \"x\": (\n      b: P‹([1],\n      c: (d: 1),\n    ),\n  },\n)",
            "this `(` is not closed",
        ),
        (&RON, "(a: ‹[(1, 2), b: 3)", "this `[` is not closed"),
        (&RHAI, "fn a(b) {\n  c‹(d(1);\n}\nfn e() { }", "this `(` is not closed"),
        (&RHAI, "fn a(b) {\n  if c ‹{\n    d\n  e\n}\nfn f() { }", "this `{` is not closed"),
        (&RHAI, "fn a(b) ‹{\n  c\n\nfn f() {\n  d\n}", "this `{` is not closed"),
        (&RHAI, "`a ‹${b(1` ;", "this `${` is not closed"),
        (&RHAI, "`a ${b‹(1}`", "this `(` is not closed"),
    ] {
        blames(signs, text, message);
    }
}

#[test]
fn a_bracket_too_many_is_found_where_it_closes_something_else() {
    for (signs, text, message) in [
        (&RHAI, "f(1)‹)", "this `)` closes nothing"),
        (&RHAI, "fn a() {\n  b(1)‹);\n}", "this `)` closes nothing"),
        (&RHAI, "fn a() {\n  if b {\n  }\n  ‹}\n  c\n}", "there is one `}` too many"),
        (&RON, "(\n  a: (b: (1, 2))‹),\n  c: 3,\n)\n", "there is one `)` too many"),
        (&RON, "[(1, 2‹]]", "`]` cannot close `(`"),
        (&RON, "([(1, 2)‹), a: 1)", "`)` cannot close `[`"),
    ] {
        blames(signs, text, message);
    }
}

#[test]
fn strings_and_comments_that_do_not_end_are_found_where_they_begin() {
    for (signs, text, message) in [
        (&RON, "(a: ‹\"b,\n c: \"d\", e: \"f\")", "this string is not closed"),
        (&RON, "(a: \"b\", c: ‹\"d)", "this string is not closed"),
        (&RON, "(a: ‹r#\"b\")", "this raw string is not closed"),
        (&RON, "(a: 1, ‹/* b /* c */ d: 2)", "this comment is not closed"),
        (&RHAI, "f(‹\"a, 1);\ng(\"b\");", "this string is not closed"),
        (&RHAI, "f(‹\"a, 1) + g(\"b\");\n", "this string is not closed"),
        (&RHAI, "f(‹`a);\ng(`b`);", "this string is not closed"),
        (&RHAI, "‹/* a /* b */ c", "this comment is not closed"),
    ] {
        blames(signs, text, message);
    }
}

/// Any closing bracket may be left out of what ships: something is found, nearly always in the right
/// line, and most often the right bracket.
#[test]
fn a_missing_bracket_is_nearly_always_found() {
    for (signs, text) in RIGHT {
        let all = brackets(text, signs).unwrap();
        let (mut open, mut pairs, mut found, mut near) = (Vec::new(), 0, 0, 0);
        for bracket in all {
            if bracket.is_open() {
                open.push(bracket.at);
                continue;
            }
            let opening = open.pop().unwrap();
            let mut wrong = (*text).to_owned();
            wrong.remove(bracket.at);
            let fault = find(&wrong, signs).expect("a bracket is missing");
            pairs += 1;
            let at = fault.span.start;
            found += usize::from(at == opening);
            near += usize::from(on_one_line(text, at.min(opening)..at.max(opening)));
        }
        assert!(found * 10 >= pairs * 6, "{found} of {pairs} in\n{text}");
        assert!(near * 10 >= pairs * 9, "{near} of {pairs} in\n{text}");
    }
}

#[test]
fn an_error_before_it_stays_and_one_behind_it_gives_way() {
    let source = Source::new("a.ron", "(a: 1, b: (2, c: 3)");
    let error = |at: usize| Diagnostic::error("what the parser says").at(&source, at..at + 1);
    let kept = blame(error(0), &RON);
    assert_eq!(kept.message, "this `(` is not closed");
    let source = Source::new("a.ron", "(\n a: 1,\n b: (2,\n c: 3,\n)");
    let error = |at: usize| Diagnostic::error("what the parser says").at(&source, at..at + 1);
    let kept = blame(error(3), &RON);
    assert_eq!(kept.message, "what the parser says");
    assert_eq!(kept.related[0].1, "this `(` is not closed");
    let gone = blame(error(19), &RON);
    assert_eq!(gone.message, "this `(` is not closed");
    assert_eq!(gone.place.unwrap().to_string(), "a.ron:3:5");
    assert!(gone.related[1].1.contains("what the parser says"));
    let right = Source::new("a.ron", "(a: 1)");
    let error = Diagnostic::error("what the parser says").at(&right, 1..2);
    assert_eq!(blame(error.clone(), &RON), error);
}

proptest! {
    #[test]
    fn no_text_is_too_odd(text in "[(){}\\[\\]\"'`$#r/*\\\\\na ü]{0,40}") {
        for signs in [&RON, &RHAI] {
            if let Some(fault) = find(&text, signs) {
                for span in fault.related.iter().map(|(span, _)| span).chain([&fault.span]) {
                    prop_assert!(text.get(span.clone()).is_some());
                }
            }
        }
    }
}
