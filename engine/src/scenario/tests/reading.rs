//! What cannot be read.

use super::*;
use crate::diag::brackets;

#[test]
fn a_place_is_file_line_and_column() {
    let text = "(\n  world: (size: (9, 9)),\n  groups: {\"ä\": (behavior: \"b\", spwan: 1)})";
    let found = parse(text).unwrap_err();
    assert_eq!(found[0].position(), "s.ron:3:33");
    assert_eq!(found[0].help[0], "did you mean `spawn`?");
    // In a value that is read apart.
    let text = "(\n  world: (size: (9, 9)),\n  groups: {\"ä\": (behavior: \"b\", spawn: Rin(1))})";
    let found = parse(text).unwrap_err();
    assert_eq!(found[0].position(), "s.ron:3:40");
    assert_eq!(found[0].message, "unknown spawn `Rin`");
    assert_eq!(found[0].help[0], "did you mean `Ring`?");
}

#[test]
fn unreadable_text() {
    let comma = "expected `,` or a closing bracket";
    let colon = "expected `:` and a value";
    check_all(&[
        ("world: (min:", "‹wrld›: (min:", "unknown field `wrld` in `Scenario`"),
        ("edge: Wrap", "edge: ‹Torus›", "unknown edge `Torus`"),
        ("order: Sequential", "order: ‹Random›", "unknown order `Random`"),
        ("mode: Loop", "mode: ‹Lop›", "unknown path mode `Lop`"),
        ("after_goals: Stop", "after_goals: ‹Die›", "unknown after_goals `Die`"),
        ("Circle(", "‹Cirle›(", "unknown obstacle `Cirle`"),
        ("Push(", "‹Pull›(", "unknown action `Pull`"),
        ("At(tick: 120", "‹On›(tick: 120", "unknown event `On`"),
        ("radius: 40", "‹radios›: 40", "unknown field `radios` in `Circle`"),
        ("mass: 2", "‹mas›: 2", "unknown field `mas` in `Body`"),
        ("(at: (3, 2), ", "(at: (3, 2), ‹gaols›: 3, ", "unknown field `gaols` in `Agent`"),
        (", radius: 40)", "‹)›", "missing field `radius` in `Circle`"),
        ("seed: 7", "‹name›: \"x\"", "field `name` is written twice in `Scenario`"),
        ("seed: 7", "seed ‹7›", colon),
        ("dt: 0.0166666667,\n    ticks", "dt: 0.01\n    ‹ticks›", comma),
        ("At(tick: 120, do: Push(", "At(tick: 120, ‹Push›(", "unknown field `Push` in `At`"),
        (
            "params: { \"alert\": 80.0, \"calm\": true, \"word\": \"x\", \"home\": (3, 4.5), \"n\": -3 }",
            "params: ‹5›",
            "expected a map `{ \"name\": .. }`",
        ),
        ("events: [", "events: ‹{›", "expected a list `[..]`"),
        ("name: \"Nächtliche Wache\"", "name: ‹Wache›", "expected a string"),
        ("path: \"round\"", "path: ‹5›", "expected a string"),
        ("(100, 100), (700", "(100, ‹\"ä\"›), (700", "expected a number"),
        ("(100, 100), (700", "(100, 100‹px›), (700", comma),
        (
            "#![enable(implicit_some)]",
            "#![enable(‹implicit_all›)]",
            "no RON extension `implicit_all`",
        ),
        ("    ],\n)\n", "    ],\n) ‹x›", "expected the end of the text"),
    ]);
}

#[test]
fn wrong_numbers() {
    check_all(&[
        ("dt: 0.0166666667", "dt: ‹0›", "expected a number above 0, found `0`"),
        ("dt: 0.0166666667", "dt: ‹-0.1›", "expected a number above 0, found `-0.1`"),
        ("dt: 0.0166666667", "dt: ‹NaN›", "expected a finite number, found `NaN`"),
        ("dt: 0.0166666667", "dt: ‹\"x\"›", "expected a number"),
        ("dt: 0.0166666667", "dt: ‹true›", "expected a number"),
        ("ticks: 1800", "ticks: ‹0›", "expected an integer of at least 1, found `0`"),
        ("ticks: 1800", "ticks: ‹1.5›", "expected an integer of at least 1, found `1.5`"),
        ("seed: 7", "seed: ‹-7›", "expected an integer of at least 0, found `-7`"),
        ("seed: 7", "seed: ‹many›", "expected an integer of at least 0, found `many`"),
        ("seed: 7", "seed: ‹\"ä\"›", "expected an integer of at least 0, found `\"ä\"`"),
        ("count: 2,\n", "count: ‹-2›,\n", "expected an integer of at least 0, found `-2`"),
        ("columns: 10", "columns: ‹0›", "expected an integer of at least 1, found `0`"),
        ("size: (810, 600)", "size: (‹-810›, 600)", "expected a number above 0, found `-810`"),
        ("size: (810, 600)", "size: (810, ‹0›)", "expected a number above 0, found `0`"),
        ("size: (810, 600)", "size: (810‹)›", "expected two numbers (x, y), found 1"),
        ("size: (810, 600)", "size: (810, 600, ‹5›)", "expected `)`"),
        ("size: (810, 600)", "size: ‹810›", "expected `(`"),
        ("size: (810, 600)", "size: (810, ‹inf›)", "expected a finite number, found `inf`"),
        ("min: (-10, 0), size", "min: (‹-inf›, 0), size", "expected a finite number, found `-inf`"),
        (
            "min: (-10, 0), size",
            "min: (‹1e30›, 0), size",
            "expected a number no farther from 0 than 1e15, found `1e30`",
        ),
        (
            "(700, 500)], radius: 25",
            "(700, ‹NaN›)], radius: 25",
            "expected a finite number, found `NaN`",
        ),
        ("radius: 25", "radius: ‹0›", "expected a number above 0, found `0`"),
        ("radius: 6,", "radius: ‹-6›,", "expected a number not below 0, found `-6`"),
        ("mass: 2", "mass: ‹0.0›", "expected a number above 0, found `0.0`"),
        ("max_speed: 60", "max_speed: ‹0›", "expected a number above 0, found `0`"),
        ("max_force: 120", "max_force: ‹-1›", "expected a number above 0, found `-1`"),
        ("radius: 10)", "radius: ‹-1›)", "expected a number not below 0, found `-1`"),
        ("(80, 150)", "(80, ‹inf›)", "expected a finite number, found `inf`"),
        ("heading_deg: -90", "heading_deg: ‹inf›", "expected a finite number, found `inf`"),
        ("\"alert\": 80.0", "\"alert\": ‹NaN›", "expected a finite number, found `NaN`"),
        ("\"home\": (3, 4.5)", "\"home\": (3, ‹inf›)", "expected a finite number, found `inf`"),
        (
            "Every(ticks: 60, do",
            "Every(ticks: ‹0›, do",
            "expected an integer of at least 1, found `0`",
        ),
        (
            "do: Spawn(group: \"a disc\", count: 1)",
            "do: Spawn(group: \"a disc\", count: ‹0›)",
            "expected an integer of at least 1, found `0`",
        ),
        ("value: 10)", "value: ‹1e39›)", "expected a finite number, found `1e39`"),
    ]);
}

#[test]
fn keys_are_texts() {
    check(
        "(world: (size: (9, 9)), groups: {‹a›: (behavior: \"b\", spawn: Points([(1, 1)]))})",
        Severity::Error,
        "expected a string",
    );
}

#[test]
fn a_missing_field_points_at_the_end_of_what_lacks_it() {
    let found = check(
        "(world: (size: (9, 9)), groups: {\"a\": (behavior: \"b\"‹)›})",
        Severity::Error,
        "missing field `spawn` in `Group`",
    );
    assert_eq!(found.label, "add `spawn` before this");
    check(
        "(groups: {\"a\": (behavior: \"b\", spawn: Points([(1, 1)]))}‹)›",
        Severity::Error,
        "missing field `world` in `Scenario`",
    );
}

#[test]
fn what_is_not_closed_is_told_where_it_is_opened() {
    for (text, message) in [
        ("(\n  world: ‹(›size: (9, 9),\n  groups: {},\n)", "this `(` is not closed"),
        ("‹(›world: (size: (9, 9)), groups: {}", "this `(` is not closed"),
        (
            "(name: ‹\"›a, world: (size: (9, 9)),\n groups: {\"b\": ()})",
            "this string is not closed",
        ),
        ("(‹/*› world: (size: (9, 9)), groups: {})", "this comment is not closed"),
        ("(world: (size: (9, 9‹]›), groups: {})", "`]` cannot close `(`"),
    ] {
        check(text, Severity::Error, message);
    }
}

proptest::proptest! {
    /// What RON can read has no bracket that is not closed.
    #[test]
    fn what_can_be_read_is_not_blamed(
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
            proptest::prop_assert_eq!(brackets::unclosed(&source, &brackets::RON), None);
        }
    }
}
