//! Scenarios that cannot be read.

use super::*;
use crate::diag::{Diagnostic, brackets};
use crate::schema::{Field, Shape};
use crate::tokens::Language;

proptest::proptest! {
    /// A text that RON can read has no unclosed bracket.
    #[test]
    fn readable_texts_have_no_unclosed_bracket(
        parts in proptest::collection::vec(
            proptest::prop_oneof![
                proptest::prelude::Just("(1, 2)"), proptest::prelude::Just("[1, 'a']"), proptest::prelude::Just("\"a ( b\""), proptest::prelude::Just("\"a \\\" {\""),
                proptest::prelude::Just("'('"), proptest::prelude::Just("'\\''"), proptest::prelude::Just("/* ( \" */ 1"), proptest::prelude::Just("// ( \"\n 2"),
                proptest::prelude::Just("r#\" \" ( \"#"), proptest::prelude::Just("#\" \" ( \"#"), proptest::prelude::Just("`a ( ${[1]} {`"),
                proptest::prelude::Just("\"a\"\"(\""), proptest::prelude::Just("`a`"), proptest::prelude::Just("`\\${ (`"), proptest::prelude::Just("`${`${1}`}`"), proptest::prelude::Just("\"\""),
            ],
            0..5,
        ),
    ) {
        let list = format!("[{}]", parts.join(", "));
        if ron::from_str::<ron::Value>(&list).is_ok() {
            let source = Source::new("a", list);
            proptest::prop_assert_eq!(brackets::unclosed(&source, Language::Ron), None);
        }
    }
}

/// Caught: one of two fields that cannot be read was not reported.
#[test]
fn all_fields_that_cannot_be_read_are_told() {
    let said = |text: &str| -> Vec<String> {
        let errors = Scenario::parse(&Source::new("a.ron", text)).err().unwrap();
        let line = |one: &Diagnostic| {
            let place = one.place.as_ref().unwrap();
            format!("{}: {}", place.source.line_column(place.span.start).0, one.message)
        };
        errors.iter().map(line).collect()
    };
    let text = "(
        ticks: \"ten\",
        world: (size: (100, 100), egde: Wrap),
        groups: {
            \"a\": (behavior: \"a\", spawn: Points([]), body: (radus: 1, max_speed: \"fast\")),
            \"b\": (behavior: \"b\", spawn: Points([(1, 1)]), body: (radius: \"x\")),
        },
    )";
    let all = said(text);
    let lines: Vec<&str> = all.iter().map(|line| &line[..2]).collect();
    // In line 5 these are the list without places and two fields of the body.
    assert_eq!(lines, ["2:", "3:", "5:", "5:", "5:", "6:"], "{all:#?}");
    // A field that is missing because another one cannot be read is not reported.
    let all =
        said("(world: (size: (9, 9), edge: 6), groups: { \"a\": (behavior: \"a\", spwn: 5) })");
    assert_eq!(all.len(), 2, "{all:#?}");
    assert!(all.iter().all(|one| !one.contains("missing")), "{all:#?}");
    // Where a comma is missing, what is around it is clear.
    assert_eq!(said("(ticks: \"ten\", world: (size: 5 edge: 6))").len(), 3);
    let all = said("(ticks: \"ten\", world: (size: (5, 5), edge: 6, paths: { \"a\": (radus: 1) })");
    assert_eq!(all.len(), 2, "{all:#?}");
}

/// Caught: `flockwork run` printed the name as it is, so a scenario could send escape sequences to the terminal.
#[test]
fn names_must_have_no_control_characters() {
    let scenario = |name: &str| one_group("size: (9, 9)", name, "spawn: Points([(1, 1)])");
    assert_eq!(parse(&scenario("name: \"Ä\",")).unwrap().name, "Ä");
    let names = [
        (r"a\u{1b}[31mred", r#"`"a\u{1b}[31mred"`"#),
        (r"two\nlines", r#"`"two\nlines"`"#),
        ("two\nlines", r#"the string "two\nlines""#),
        ("a\u{9b}31mred", "`\"a\u{9b}31mred\"`"),
    ];
    for (name, found) in names {
        check(
            &scenario(&format!("name: ‹\"{name}\"›,")),
            Severity::Error,
            &format!("expected a name without control characters, found {found}"),
        );
        check(
            &scenario("").replace("\"ä\"", &format!("‹\"{name}\"›")),
            Severity::Error,
            "the name of this group must have at least one character and no control characters",
        );
    }
}

/// Returns the fields that can be written anywhere in a value of a shape.
fn fields_in(shape: &Shape) -> Vec<&Field> {
    match shape {
        Shape::Fields(fields) => {
            fields.iter().flat_map(|one| [vec![one], fields_in(&one.shape)].concat()).collect()
        }
        Shape::List(of) | Shape::Pair(of) | Shape::Map(of) => fields_in(of),
        other => {
            let shapes = other.variants().iter().filter_map(|one| one.shape.as_ref());
            shapes.flat_map(fields_in).collect()
        }
    }
}

/// Caught: without `max_speed`, it was "none", which means no speed as well as no limit.
#[test]
fn a_default_is_none_of_several_things_or_says_what_it_means() {
    let fields = fields_in(shape());
    assert!(fields.iter().any(|one| one.name == "max_speed"));
    for Field { name, doc, is_required, shape } in fields {
        let has_several = matches!(shape, Shape::List(_) | Shape::Map(_));
        assert!(has_several || !doc.contains("Default: none."), "{name}: {doc}");
        assert!(!is_required || !doc.contains("Default: "), "{name} is required: {doc}");
    }
}
