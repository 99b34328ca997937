//! What can be read, but makes no sense.

use super::*;

#[test]
fn wrong_names() {
    for (from, to, message, help) in [
        ("path: \"round\"", "path: ‹\"rond\"›", "no path `rond`", "did you mean `round`?"),
        (
            "Push(group: \"thief\"",
            "Push(group: ‹\"thif\"›",
            "no group `thif`",
            "did you mean `thief`?",
        ),
        (
            "Spawn(group: \"a disc\"",
            "Spawn(group: ‹\"a dics\"›",
            "no group `a dics`",
            "did you mean `a disc`?",
        ),
        (
            "param: \"alert\"",
            "param: ‹\"allert\"›",
            "group `guard` has no param `allert`",
            "did you mean `alert`?",
        ),
        (
            "\"sneak\"",
            "‹\"../sneak\"›",
            "`../sneak` cannot be the name of a behavior",
            "write it like `patrol` or `traffic/merge`: letters a to z, digits, `_` and `-`, with `/` between folders",
        ),
        ("\"sneak\"", "‹\"/sneak\"›", "`/sneak` cannot be the name of a behavior", ""),
        ("\"sneak\"", "‹\"a//b\"›", "`a//b` cannot be the name of a behavior", ""),
        ("\"sneak\"", "‹\"\"›", "`` cannot be the name of a behavior", ""),
        (
            "\"sneak\"",
            "‹\"sneak.rhai\"›",
            "`sneak.rhai` cannot be the name of a behavior",
            "leave out `.rhai`: `sneak`",
        ),
        (
            "\"calm\": true",
            "‹\"be calm\"›: true",
            "`be calm` cannot be read as `me.params.be calm`",
            "name a param with letters a to z, digits and `_`, not with a digit first",
        ),
        ("\"calm\": true", "‹\"1st\"›: true", "`1st` cannot be read as `me.params.1st`", ""),
        ("\"calm\": true", "‹\"alert\"›: true", "param `alert` is written twice", "s.ron:28:23"),
        ("\"a ring\"", "‹\"a grid\"›", "group `a grid` is written twice", "s.ron:41:9"),
        ("\"wall\"", "‹\"pillar\"›", "obstacle `pillar` is written twice", "s.ron:11:9"),
        (
            "\"wall\"",
            "‹\"\"›",
            "the name of this obstacle needs at least one letter and no line breaks",
            "",
        ),
    ] {
        let found = check(&full_with(from, to), Severity::Error, message);
        // An advice, or the place of what it collides with.
        let related = found.related.iter().map(|(place, _)| place.to_string());
        let told: Vec<String> = found.help.iter().cloned().chain(related).collect();
        assert!(help.is_empty() || told.iter().any(|line| line == help), "{help}: {told:?}");
    }
    check(
        &one_group("size: (9, 9)", "", "spawn: Points([(1, 1)]), path: ‹\"a\"›"),
        Severity::Error,
        "no path `a`",
    );
}

#[test]
fn wrong_kinds() {
    let value = "expected true, false, a number, a string or a vector (x, y)";
    // Both places are shown.
    let found = check(
        &full_with("value: 10)", "value: ‹true›)"),
        Severity::Error,
        "param `alert` is a number, not a boolean",
    );
    let (declared, label) = &found.related[0];
    assert_eq!((declared.to_string().as_str(), label.as_str()), ("s.ron:28:32", "declared here"));
    check_all(&[
        ("value: 10)", "value: ‹true›)", "param `alert` is a number, not a boolean"),
        ("value: 10)", "value: ‹(1, 2)›)", "param `alert` is a number, not a vector"),
        ("\"calm\": true", "\"calm\": ‹maybe›", &format!("{value}, found `maybe`")),
        ("\"calm\": true", "\"calm\": ‹{›}", &format!("{value}, found a map")),
        ("\"calm\": true", "\"calm\": (1‹)›", "expected a vector (x, y), found 1"),
        ("\"calm\": true", "\"calm\": (1, 2, ‹3›)", "expected `)`"),
        ("\"calm\": true", "\"calm\": (1, ‹\"x\"›)", "expected a number"),
    ]);
}

#[test]
fn shapes_that_are_none() {
    check_all(&[
        (
            "[(100, 100), (700, 100), (700, 500)]",
            "‹[(100, 100)]›",
            "a path needs at least two points",
        ),
        (
            "[(0, 0), (1, 0), (0, 1)]",
            "‹[(0, 0), (1, 0)]›",
            "a polygon needs at least three corners",
        ),
        (
            "[(0, 0), (1, 0), (0, 1)]",
            "‹[(0, 0), (0.1, 0.1), (0.3, 0.3)]›",
            "a polygon must enclose an area: its corners lie on one line, or its edges cross",
        ),
        (
            "[(0, 0), (1, 0), (0, 1)]",
            "‹[(0, 0), (1, 0.1), (3, 0.3)]›",
            "a polygon must enclose an area: its corners lie on one line, or its edges cross",
        ),
        (
            "max: (800, 600)",
            "max: ‹(800, 0)›",
            "`max` of a room must be above `min` in both coordinates",
        ),
        (
            "max: (700, 500)",
            "max: ‹(500, 500)›",
            "`max` of a rect must be above `min` in both coordinates",
        ),
        (
            "min: (-10, 0), size: (810, 600)",
            "min: (1e15, 0), size: ‹(1, 1)›",
            "the world is too small to be so far out: enlarge `size` or bring `min` nearer to 0",
        ),
    ]);
}

#[test]
fn wrong_counts() {
    check_all(&[
        (
            "count: 2,\n",
            "count: ‹4›,\n",
            "`count` is 4, but `spawn` lists 3: list more or lower `count`",
        ),
        (
            "count: 3, spawn: Grid",
            "spawn: ‹Grid›",
            "say how many agents: this shape needs a `count` beside `spawn`",
        ),
    ]);
    let listed = "list at least one place; for a group that starts empty, set `count: 0`";
    check(&one_group("size: (9, 9)", "", "spawn: ‹Points([])›"), Severity::Error, listed);
    check(&one_group("size: (9, 9)", "", "count: 0, spawn: ‹Agents([])›"), Severity::Error, listed);
    let none = "no agents: give a group a count above 0, or spawn some in an event";
    let disc = "spawn: Disc(center: (1, 1), radius: 1)";
    check(&one_group("size: (9, 9)", "", &format!("count: ‹0›, {disc}")), Severity::Error, none);
    let many = "more than 1000000 agents";
    check(
        &one_group("size: (9, 9)", "", &format!("count: ‹1000001›, {disc}")),
        Severity::Error,
        many,
    );
    let event = "events: [Every(ticks: 1, do: Spawn(group: \"ä\", count: ‹1670›))],";
    check(&one_group("size: (9, 9)", event, &format!("count: 0, {disc}")), Severity::Error, many);
    let event = "events: [Every(ticks: 1, do: Spawn(group: \"ä\", count: 1669))],";
    parse(&one_group("size: (9, 9)", event, &format!("count: 0, {disc}"))).unwrap();
    check(
        "(world: (size: (1, 1)), groups: {‹}›)",
        Severity::Error,
        "no groups: declare at least one",
    );
}

#[test]
fn too_many_names() {
    let many = |count: u32, limits: &str, mark: u32| {
        let mut text = format!("(world: (size: (1, 1)), {limits}, obstacles: {{");
        for i in 0..count {
            let name = format!("\"o{i}\"");
            let name = if i == mark { format!("‹{name}›") } else { name };
            text += &format!("{name}: Circle(center: (5, 5), radius: 1),\n");
        }
        text + "}, groups: {\"a\": (behavior: \"b\", spawn: Points([(0, 0)]))})"
    };
    let usual = "more than 10000 obstacles";
    check(&many(10_001, "seed: 1", 10_000), Severity::Error, usual);
    parse(&many(10_001, "limits: (obstacles: 10001)", u32::MAX)).unwrap();
    let set = "more than 3 obstacles";
    check(&many(6, "limits: (obstacles: 3)", 3), Severity::Error, set);
    let highest = "more than 65535 obstacles";
    let limits = "limits: (obstacles: 65535)";
    check(&many(65_537, limits, 65_535), Severity::Error, highest);
}

/// `=HYPERLINK(..)` went into trajectories, and was computed where they were opened.
#[test]
fn names_that_spreadsheets_compute() {
    for first in ["=", "+", "-", "@"] {
        let group = "(behavior: \"b\", spawn: Points([(0, 0)]))";
        check(
            &format!("(world: (size: (1, 1)), groups: {{‹\"{first}a\"›: {group}}})"),
            Severity::Error,
            &format!("the name of group `{first}a` begins with `{first}`"),
        );
        let text = format!("(world: (size: (1, 1)), groups: {{\"a{first}\": {group}}})");
        parse(&text).unwrap();
    }
}

#[test]
fn limits_say_how_they_are_raised() {
    let error = |limits: &str, count: &str| {
        let group = format!("count: {count}, spawn: Disc(center: (1, 1), radius: 1)");
        let world = format!("size: (9, 9)), limits: ({limits}");
        let found = parse(&one_group(&world, "", &group)).unwrap_err();
        found[0].to_string()
    };
    let told = error("agents: 5", "20");
    for part in ["more than 5 agents", "up to here there are 20", "`limits: (agents: 20)`"] {
        assert!(told.contains(part), "{told}");
    }
    let told = error("agents: 5", "4000000000");
    assert!(told.contains("no scenario can have more than 100000000"), "{told}");
    let told = error("agents: 100000001", "20");
    assert!(told.contains("the limit of agents can be at most 100000000"), "{told}");
    let told = error("agent: 5", "20");
    assert!(told.contains("did you mean `agents`?"), "{told}");
}

#[test]
fn events_that_never_happen() {
    for (from, to, label) in [
        ("tick: 120", "tick: ‹1800›", "the last tick of the run is 1799, before 1800"),
        (
            "Every(ticks: 60, do",
            "Every(ticks: ‹1800›, do",
            "the last tick of the run is 1799, before 1800",
        ),
        ("from: 0", "from: ‹5000›", "the last tick of the run is 1799, before 5000"),
        (
            "from: 0, until: 1000",
            "from: 10, until: ‹10›",
            "it would start at tick 10, but ends before tick 10",
        ),
    ] {
        let found = check(&full_with(from, to), Severity::Warning, "this event never happens");
        assert_eq!(found.label, label);
    }
}

#[test]
fn agents_in_the_wrong_place() {
    let circle = "obstacles: {\"o\": Circle(center: (5, 5), radius: 2)},";
    let found = check(
        &one_group("size: (9, 9)", circle, "spawn: ‹Points›([(1, 1), (5, 6), (5, 5)])"),
        Severity::Warning,
        "2 of 3 agents of group `ä` start inside an obstacle",
    );
    assert_eq!(found.label, "number 1 at [5, 6] is in `o`");
    check(
        &one_group("size: (9, 9)", circle, "count: 7, spawn: ‹Disc›(center: (5, 5), radius: 1)"),
        Severity::Warning,
        "7 of 7 agents of group `ä` start inside an obstacle",
    );
    let found = check(
        &one_group("size: (9, 9), edge: Clamp", "", "spawn: ‹Points›([(1, 1), (9, 9), (9.5, 9)])"),
        Severity::Warning,
        "1 of 3 agents of group `ä` start outside the world",
    );
    assert_eq!(found.label, "number 2 would be at [9.5, 9]");
    // An open world has no edge, but nobody means what is far from it.
    let open = one_group("size: (9, 9)", "", "spawn: Points([(17, 1)])");
    assert!(parse(&open).unwrap().warnings.is_empty());
    check(
        &one_group("size: (9, 9)", "", "spawn: ‹Points›([(99, 1)])"),
        Severity::Warning,
        "1 of 1 agents of group `ä` start outside the world",
    );
    check(
        &one_group(
            "size: (9, 9)",
            "obstacles: {\"r\": Room(min: (0, 0), max: (5, 5))},",
            "spawn: ‹Points›([(6, 6), (1, 1)])",
        ),
        Severity::Warning,
        "1 of 2 agents of group `ä` start inside an obstacle",
    );
}

#[test]
fn everything_wrong_is_said_at_once() {
    let text = FULL
        .replace("path: \"round\"", "path: \"x\"")
        .replace("(80, 150)", "(80, inf)")
        .replace("\"sneak\"", "7")
        .replace("tick: 120", "tick: -1")
        .replace("Push(group: \"thief\"", "Push(group: \"x\"");
    let found = parse(&text).unwrap_err();
    let places: Vec<_> = found.iter().map(Diagnostic::position).collect();
    assert_eq!(places, ["s.ron:24:44", "s.ron:29:19", "s.ron:34:23", "s.ron:47:18", "s.ron:47:38"]);
}

#[test]
fn there_is_an_end_to_errors() {
    let push = "At(tick: 1, do: Push(group: \"x\", velocity: (0, 0))),";
    let found = parse(&full_with("events: [", &format!("events: [{}", push.repeat(1000))));
    assert_eq!(found.unwrap_err().len(), 50);
}

/// Checks what is said about the goals of a group.
fn check_goal(world: &str, obstacle: &str, group: &str, message: Option<&str>) {
    let text = one_group(world, obstacle, &format!("spawn: Points([(1, 1)]), {group}"));
    match message {
        Some(message) => {
            check(&text, Severity::Warning, message);
        }
        None => assert_eq!(parse(&text).unwrap().warnings, [], "{text}"),
    }
}

#[test]
fn goals_in_the_wrong_place() {
    let outside = "a goal of group `ä` is outside the world";
    let inside = "a goal of group `ä` is inside an obstacle";
    let circle = "obstacles: { \"c\": Circle(center: (5, 5), radius: 2) },";
    for (world, group, message) in [
        ("size: (9, 9), edge: Wrap", "goals: [(at: ‹(12, 5)›, radius: 1)]", Some(outside)),
        (
            "size: (9, 9), edge: Clamp",
            "goals: [(at: (1, 1), radius: 1), (at: ‹(5, -2)›, radius: 1)]",
            Some(outside),
        ),
        // Its circle reaches into the world.
        ("size: (9, 9), edge: Wrap", "goals: [(at: (12, 5), radius: 4)]", None),
        ("size: (9, 9)", "goals: [(at: (12, 5), radius: 1)]", None),
        ("size: (9, 9)", "goals: [(at: ‹(120, 5)›, radius: 1)]", Some(outside)),
    ] {
        check_goal(world, "", group, message);
    }
    for (group, message) in [
        ("goals: [(at: ‹(5, 5.5)›, radius: 1)]", Some(inside)),
        // Reached from outside of the obstacle, unless the body is too large for that.
        ("goals: [(at: (5, 6.5), radius: 1)]", None),
        ("body: (radius: 1), goals: [(at: ‹(5, 6.5)›, radius: 1)]", Some(inside)),
        ("goals: [(at: (5, 7.5), radius: 0.1)]", None),
    ] {
        check_goal("size: (9, 9)", circle, group, message);
    }
    // Goals of single agents, and those that an event gives.
    let own = "spawn: Agents([(at: (1, 1), goals: [(at: ‹(5, 5)›, radius: 1)]), (at: (2, 1), goals: [(at: (5, 6), radius: 0.5)])])";
    check(
        &one_group("size: (9, 9)", circle, own),
        Severity::Warning,
        "2 goals of group `ä` are inside an obstacle",
    );
    let later =
        "events: [At(tick: 3, do: SetGoals(group: \"ä\", goals: [(at: ‹(99, 5)›, radius: 1)]))],";
    let spawn = "spawn: Points([(1, 1)])";
    check(&one_group("size: (9, 9)", later, spawn), Severity::Warning, outside);
    // A comment silences it.
    let quiet = "spawn: Points([(1, 1)]), goals: [(at: (99, 5), radius: 1)] // check: allow(outside-world)\n";
    assert!(parse(&one_group("size: (9, 9)", "", quiet)).unwrap().warnings.is_empty());
}

#[test]
fn steps_that_are_too_long() {
    let body = |body: &str| format!("spawn: Points([(1, 1)]), body: ({body})");
    for (dt, group, message) in [
        (
            "dt: ‹0.5›,",
            "radius: 1, max_speed: 20",
            "agents of group `ä` may go 10 in one tick, 5 times their own size",
        ),
        (
            "dt: ‹1›,",
            "max_speed: 51",
            "agents of group `ä` may go 51 in one tick, more than half of the world (100)",
        ),
        (
            "hz: ‹2›,",
            "max_speed: 120",
            "agents of group `ä` may go 60 in one tick, more than half of the world (100)",
        ),
    ] {
        let found =
            check(&one_group("size: (100, 200)", dt, &body(group)), Severity::Warning, message);
        assert_eq!(found.related.len(), 1);
    }
    for (dt, group) in [
        ("dt: 0.5,", "radius: 1, max_speed: 15"),
        ("dt: 1,", "max_speed: 49"),
        ("dt: 10,", "radius: 1"),
    ] {
        let text = one_group("size: (100, 200)", dt, &body(group));
        assert_eq!(parse(&text).unwrap().warnings, [], "{text}");
    }
    let found = check(
        &one_group("size: (9, 9)", "dt: ‹20›,", "spawn: Points([(1, 1)])"),
        Severity::Error,
        "expected at most 10 seconds per tick, found `20`",
    );
    assert_eq!(
        found.help,
        [
            "`dt` is in seconds: did you mean milliseconds, `dt: 0.02`?",
            "or ticks per second, `hz: 20`?"
        ]
    );
}
