//! Expectations: what is written, and what cannot be judged.

use super::*;

#[test]
fn expectations_say_what_is_written() {
    let all = parse(FULL).unwrap().expectations;
    for (place, parts, from) in [
        (0, &["GroupId(1)", "at: None", "by: Some(Whole(1500))"][..], 0),
        (1, &["GroupId(5)", "Point(Vec2(1.0, 1.0))", "PositiveLength(9.0)", "by: None"], 0),
        (2, &["GroupId(0)", "GroupId(1)", "Length(0.5)", "agents: Some(true)"], 7),
        (6, &["group: None", "Length(90.5)"], 8),
        (8, &["GroupId(0)", "PathId(1)", "Length(30.0)"], 0),
        (9, &["GroupId(0)", "Positive(3.0)", "distance: None"], 0),
        (12, &["AllFinite"], 0),
        (13, &["night/calm", "Whole(50)", "first: 50"], 0),
    ] {
        let (content, first) = all[place].content();
        for part in parts {
            assert!(content.contains(part), "{content}");
        }
        assert_eq!(first, from, "{content}");
    }
    assert_eq!(all[4].to_string(), "MaxSpeed(group: \"guard\", speed: 60.5)");
}

#[test]
fn expectations_that_make_no_sense() {
    check_all(&[
        ("Reach(group: \"thief\", by", "Reach(group: ‹\"thif\"›, by", "no group `thif`"),
        ("[\"guard\", \"thief\"], tol", "[\"guard\", ‹\"thif\"›], tol", "no group `thif`"),
        (
            "[\"guard\", \"thief\"], tol",
            "‹[]›, tol",
            "name at least one group, or leave `groups` out: then it is all",
        ),
        ("path: \"line\", distance", "path: ‹\"lin\"›, distance", "no path `lin`"),
        ("AllFinite,", "‹AllFinit›,", "unknown expectation `AllFinit`"),
        (
            "group: \"guard\", speed",
            "‹groups›: \"guard\", speed",
            "unknown field `groups` in `MaxSpeed`",
        ),
        ("speed: 60.5", "‹60.5›", "expected the name of a field, found `60.5`"),
        (", speed: 60.5)", "‹)›", "missing field `speed` in `MaxSpeed`"),
        ("seconds: 1.5", "seconds: ‹0›", "expected a number above 0, found `0`"),
        ("reversals: 3", "reversals: ‹2.5›", "expected an integer of at least 0, found `2.5`"),
        (
            "ReachAll(group: \"a rect\", at: (1, 1), radius: 9)",
            "‹ReachAll›(group: \"a rect\", at: (1, 1))",
            "a place is both `at` and `radius`; without either, it is the goals",
        ),
        (
            "ReachAll(group: \"a rect\", at: (1, 1), radius: 9)",
            "ReachAll(group: ‹\"a rect\"›)",
            "agents of group `a rect` have no goals",
        ),
        ("to: (0, 9), at", "to: ‹(0, 0)›, at", "a line needs two ends: `to` is the same as `from`"),
        (
            "max: (900, 600)",
            "max: ‹(900, 0)›",
            "`max` of a rectangle must be above `min` in both coordinates",
        ),
        (
            "Progress(group: \"guard\", seconds: 3)",
            "‹Progress›(seconds: 3)",
            "say which `distance` is progress",
        ),
        (
            "\"night/calm\", every: 50",
            "‹\"calm.rhai\"›",
            "`calm.rhai` cannot be the name of a script",
        ),
        (
            "every: 50",
            "from: ‹50›",
            "`from` needs an `every`: without, the script is asked at the end",
        ),
    ]);
}

#[test]
fn expectations_that_say_nothing() {
    let (never, anyway) = ("this expectation is never judged", "this expectation cannot fail");
    for (from, to, message, label) in [
        (
            "by: 1500",
            "by: ‹1801›",
            "this is judged at the end of the run, before its time",
            "the run ends at tick 1800, before 1801",
        ),
        ("from: 7", "from: ‹1801›", never, "the run ends at tick 1800, before 1801"),
        ("every: 50", "every: ‹1801›", never, "the run ends at tick 1800, before 1801"),
        (
            "\"guard\", seconds: 3",
            "\"guard\", seconds: ‹31›",
            never,
            "this takes 1860 ticks, and the run has 1800",
        ),
        (
            "deg_per_s: 90.5",
            "deg_per_s: ‹10800›",
            anyway,
            "nobody can turn by more than half a turn in a tick",
        ),
        (
            "NoOverlap(groups: [\"guard\", \"thief\"], tolerance: 0.5, agents: true",
            "‹NoOverlap›(agents: false",
            anyway,
            "both `agents` and `obstacles` are switched off",
        ),
        (
            "NoOverlap(groups: [\"guard\", \"thief\"]",
            "‹NoOverlap›(groups: [\"thief\"]",
            anyway,
            "bodies without a radius do not overlap each other",
        ),
    ] {
        let found = check(&full_with(from, to), Severity::Warning, message);
        assert_eq!(found.label, label);
    }
    let empty = one_group(
        "size: (9, 9)",
        "events: [At(tick: 1, do: Spawn(group: \"ä\", count: 1))], expect: [MaxSpeed(group: \"ä\", speed: 1)],",
        "count: 0, spawn: Points([(1, 1)])",
    );
    assert!(parse(&empty).unwrap().warnings.is_empty());
    let text = full_with("group: \"guard\", speed", "group: ‹\"a disc\"›, speed")
        .replace("do: Spawn(group: \"a disc\"", "do: Spawn(group: \"a grid\"");
    let found = check(&text, Severity::Warning, never);
    assert_eq!(found.label, "group `a disc` starts empty, and no event spawns any");
}
