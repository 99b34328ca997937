use super::*;
use crate::math::Vec2;
use crate::world::Value;

/// A scenario that begins with these lines.
fn started(lines: &str) -> String {
    format!(
        "(
  ticks: 900, world: (size: (9, 9), edge: Clamp),
  paths: {{ \"way\": (points: [(0, 0), (1, 1)], radius: 1) }},
  groups: {{
    \"a\": (behavior: \"b\", params: {{ \"k\": 1.5 }}, spawn: Points([(1, 1)])),
    \"b c\": (behavior: \"b\", spawn: Points([(1, 1)])),
  }},
  start: r#\"{lines}\"#,
)"
    )
}

const GOOD: &str = "
  groups a \"b c\"
  tick 500 made 4 2:1:0:0 2:0:0:0

  cursor 3 -0
  param a k 2.5
  goals \"b c\" then 3 4 1
  0 a 0 1 2 0.5 0
  3 \"b c\" 1 9 9 0 0 stopped path way 1 back state seen [1,@2,] word \"\\\"\"
";

#[test]
fn a_start_is_the_state_that_is_written() {
    let scenario = parse(&started(GOOD)).unwrap();
    assert_eq!(scenario.first_tick(), 500);
    assert!(scenario.warnings.is_empty());
    let state = scenario.setup.start.unwrap();
    assert_eq!(state.cursor, Some(Vec2::new(3.0, -0.0)));
    assert_eq!((state.groups[0].made, state.groups[0].reached.goals), (2, 1));
    assert_eq!(state.groups[0].params.get("k"), Some(&Value::Float(2.5)));
    assert_eq!(state.groups[1].goals[0][0].at, Vec2::new(3.0, 4.0));
    assert_eq!(state.agents.id, [0, 3]);
    assert_eq!(state.agents.made(), 4);
    assert_eq!(state.agents.heading, [Vec2::X, Vec2::X]);
    assert!(state.agents.stopped[1] && state.minds.progress(1)[0].back);
    assert_eq!(state.minds.state(1).get("word"), Some(&Value::Text("\"".into())));
    // A keyframe of a golden has a hash, and no names.
    let hashed = GOOD.replace("500 made", "500 0123456789abcdef made");
    let hashed = hashed.replace("groups a \"b c\"", "");
    assert_eq!(parse(&started(&hashed)).unwrap().setup.start.unwrap(), state);
    // With Windows' line ends, and in plain quotes.
    let windows = started(GOOD).replace('\n', "\r\n");
    assert_eq!(parse(&windows).unwrap().setup.start.unwrap(), state);
    let plain = started("").replace("r#\"\"#", &written::quoted(GOOD));
    assert_eq!(parse(&plain).unwrap().setup.start.unwrap(), state);
}

#[test]
fn a_set_param_counts_over_what_the_start_says() {
    let mut scenario = parse(&started(GOOD)).unwrap();
    scenario.set_param("a", "k", "7").unwrap();
    let state = scenario.setup.start.as_ref().unwrap();
    assert_eq!(state.groups[0].params.get("k"), Some(&Value::Float(7.0)));
    assert_eq!(scenario.set_agents(5), Err(ScaleError::Started));
}

#[test]
fn what_is_wrong_with_a_start_is_told_at_its_line() {
    for (from, to, message) in [
        (
            "groups a \"b c\"",
            "‹groups a x›",
            "the start has the groups a, x, and the scenario a, b c",
        ),
        ("tick 500", "tick ‹5O0›", "expected the number of a tick"),
        ("tick 500", "‹tock› 500", "expected tick"),
        (
            "tick 500 made 4 2:1:0:0 2:0:0:0",
            "‹tick 900 made 4 2:1:0:0 2:0:0:0›",
            "the start is at tick 900, and the run ends at tick 900: `ticks` must be above it",
        ),
        (
            "tick 500 made 4 2:1:0:0 2:0:0:0",
            "‹tick 500 made 4 2:1:0:0 3:0:0:0›",
            "the groups have made 5 agents together, and 4 have been made in all",
        ),
        (
            "made 4 2:1:0:0 2:0:0:0",
            "made 4 2:1:0:0 2:0:0:0 ‹9›:9:9:9",
            "expected the end of the line",
        ),
        ("cursor 3 -0", "cursor 3 ‹inf›", "expected a finite number"),
        ("param a k 2.5", "‹param a q 2.5›", "group `a` has no param `q`"),
        ("param a k 2.5", "‹param a k true›", "param `k` of group `a` is a number, not a boolean"),
        (
            "goals \"b c\" then 3 4 1",
            "‹goals \"b c\" then 3 4 0›",
            "a goal has a place no farther from 0 than 1e15 and a radius above 0",
        ),
        ("0 a 0 1 2 0.5 0", "0 ‹aa› 0 1 2 0.5 0", "no group `aa`"),
        (
            "0 a 0 1 2 0.5 0",
            "0 a ‹2› 1 2 0.5 0",
            "expected a number below how many its group has made",
        ),
        (
            "0 a 0 1 2 0.5 0",
            "‹0 a 0 1 22 0.5 0›",
            "[1, 22] is outside the world, whose edge lets nobody out",
        ),
        ("0 a 0 1 2 0.5 0", "‹0 a 0 1 2 0.5 0 look 2 0›", "the heading [2, 0] is no unit vector"),
        ("0 a 0 1 2 0.5 0", "0 a 0 1 ‹x› 0.5 0", "expected a number"),
        ("3 \"b c\" 1", "‹4› \"b c\" 1", "expected a higher id, and one that has been made"),
        ("path way 1", "path ‹ways› 1", "no path `ways`"),
        ("seen [1,@2,]", "seen [1,@2‹]›", "expected `,`"),
        (
            "0 a 0 1 2 0.5 0",
            "‹what› is this\n",
            "expected the line of an agent, which begins with its id",
        ),
    ] {
        assert_eq!(GOOD.matches(from).count(), 1, "{from}");
        check(&started(&GOOD.replace(from, to)), Severity::Error, message);
    }
    // Places in a text with escapes are not to be found in the file.
    let plain = started("").replace("r#\"\"#", "‹\"tick\\tx\"›");
    let (source, _) = unmarked(&plain);
    let found = Scenario::parse(&source).unwrap_err();
    assert_eq!(found.len(), 1);
}

#[test]
fn what_lies_before_the_start_is_no_mistake_unless_it_must_be_judged() {
    let with = |more: &str| started(GOOD).replace("  start:", &format!("  {more},\n  start:"));
    for fine in [
        "events: [At(tick: 3, do: Spawn(group: \"a\", count: 9999999)), Every(ticks: 20, until: 400, do: Cursor())]",
        "expect: [AllFinite, MaxSpeed(speed: 9, from: 20), Script(name: \"x\", every: 900)]",
        "golden: (until: 501)",
    ] {
        let scenario = parse(&with(fine)).unwrap();
        assert_eq!(scenario.warnings, [], "{fine}");
    }
    for (wrong, message) in [
        ("expect: [Reach(group: \"b c\", by: ‹499›)]", "this cannot be judged any more"),
        ("golden: (until: ‹500›)", "the golden cannot end at tick 500: the run begins at tick 500"),
    ] {
        check(&with(wrong), Severity::Error, message);
    }
    let terms = parse(&with("golden: (mode: Exact)")).unwrap().golden;
    assert_eq!((terms.from, terms.every, terms.until), (500, 20, 900));
}
