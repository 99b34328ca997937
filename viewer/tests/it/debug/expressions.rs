//! Conditions, messages and expressions: what they know of the script.

use serde_json::{Value, json};

use super::{Editor, project};

/// Conditions could only be about `me`, and a breakpoint that says something stopped.
#[test]
fn conditions_and_messages_have_the_variables_of_the_script() {
    let mut editor = Editor::start(project());
    let launch =
        json!({ "scenario": "scenarios/a.ron", "firstAgent": 1, "stopOnEntry": true, "tick": 2 });
    let set = editor.launch(
        launch,
        json!([
            { "line": 14, "condition": "force > 20 && p.gain == 3" },
            { "line": 14, "logMessage": "agent {me.id}: {force * 2}, {nobody}" },
            { "line": 8, "condition": "forse > 20" },
            { "line": 8, "condition": "rest" },
        ]),
    );
    let wrong = |index: usize| set["breakpoints"][index]["message"].clone();
    assert_eq!((wrong(0), wrong(1)), (Value::Null, Value::Null));
    let forse = "there is no variable `forse` in this script; did you mean `force`?";
    assert_eq!(wrong(2), forse);
    assert_eq!(wrong(3), "there is no variable `rest` in this script");
    assert_eq!(editor.stopped(), ("entry".into(), vec!["steer, agent 1 (a), tick 2:6".into()]));
    // Agent 1 is told, and the turn of agent 2 stops.
    assert_eq!(editor.go("continue"), "breakpoint steer, agent 2 (b), tick 2:14");
    let force: f32 = editor.value("force").parse().unwrap();
    let told = |editor: &mut Editor| editor.event("output")["output"].as_str().unwrap().to_owned();
    // A gray dot is easily overlooked.
    assert_eq!(told(&mut editor), format!("the breakpoint in line 8 does nothing: {forse}\n"));
    assert!(told(&mut editor).contains("`rest`"));
    let first = told(&mut editor);
    assert!(first.starts_with("agent 1: "), "{first}");
    assert!(first.contains(", {nobody: there is no variable `nobody`; "), "{first}");
    let second = told(&mut editor);
    let doubled = second.strip_prefix("agent 2: ").and_then(|rest| rest.split(',').next());
    assert!((doubled.unwrap().parse::<f32>().unwrap() - 2.0 * force).abs() < 0.1, "{second}");
    // Values that are not shown completely are computed as the script does.
    assert_eq!(editor.value("p.gain + me.id"), "5");
}

/// Caught: conditions and values of expressions did not know what a function was called with.
#[test]
fn expressions_have_the_arguments_of_the_function() {
    let script = "fn gain(me, all, factor, part) {
    let twice = factor * 2;
    factor += 1;
    me.seek(all.nearest) * factor
}
fn step_aside(me, near) {
    gain(me, near, me.id + 1, half(me.pos.x))
}
fn half(x) { x / 2 }
fn steer(me) {
    let seen = me.neighbors(500);
    step_aside(me, seen)
}";
    let mut editor = Editor::start(project().with("scripts/go.rhai", script));
    let condition = "near.count > 1 && me.id == 1";
    let all = json!([{ "line": 7, "condition": condition }, { "line": 4 }]);
    editor.launch(json!({ "scenario": "scenarios/a.ron", "agent": 1 }), all);
    assert_eq!(editor.stopped().1[0], "step_aside, agent 1 (a), tick 0:7");
    assert_eq!(editor.value("near.count"), "2");
    assert_eq!(editor.value("near.map(|other| other.id)"), "[0, 2]");
    // Also what was passed on, but not what has changed.
    let inner = json!({ "source": { "path": "scripts/go.rhai" }, "breakpoints": [{ "line": 4 }] });
    editor.ask("setBreakpoints", inner);
    assert_eq!(editor.go("continue"), "breakpoint gain, agent 1 (a), tick 0:4");
    assert_eq!(editor.value("all.count"), "2");
    assert_eq!(editor.value("twice + me.id"), "5");
    assert_eq!(editor.value("factor + me.id"), "4");
    let part: f32 = editor.value("part").parse().unwrap();
    assert_eq!(editor.value("part > 0 || part <= 0"), "true", "{part}");
}

/// Caught: an agent of a loop had no members where a function got it.
#[test]
fn expressions_have_the_elements_of_loops() {
    let script = "fn step_aside(me, other, all) {
    let far = other.pos.x;
    other.pos * far
}
fn steer(me) {
    let sum = vec(0, 0);
    for other in me.neighbors(500) {
        sum += step_aside(me, other, [#{ at: other.pos, who: other }]);
    }
    sum
}";
    let mut editor = Editor::start(project().with("scripts/go.rhai", script));
    let all = json!([{ "line": 3, "condition": "other.id == 2" }, { "line": 8 }]);
    editor.launch(json!({ "scenario": "scenarios/a.ron", "agent": 1 }), all);
    assert_eq!(editor.stopped().1[0], "steer, agent 1 (a), tick 0:8");
    assert_eq!(editor.value("other.id + 1"), "1");
    // Each time, it stands at the line before the call.
    assert_eq!(editor.go("continue"), "breakpoint steer, agent 1 (a), tick 0:8");
    assert_eq!(editor.value("other.group"), "\"b\"");
    assert_eq!(editor.go("continue"), "breakpoint step_aside, agent 1 (a), tick 0:3");
    assert_eq!(editor.value("other.pos.x + me.pos.x"), "70");
    assert_eq!(editor.value("all[0].at.x + all[0].who.id"), "52");
    // A parameter of a closure is another variable.
    assert_eq!(editor.value("me.neighbors(500).map(|other| other.id)"), "[0, 2]");
}

/// Caught: a value that was computed from a variable was computed again after the variable had changed.
#[test]
fn expressions_have_the_values_of_then() {
    let script = "fn remember(me) { me.state.seen = 1.5; }
fn steer(me) {
    let range = 20.5;
    let near = me.neighbors(range);
    range += 480.25;
    let wide = me.neighbors(range);
    let step = vec(1.5, 2);
    step.x = 7.25;
    let found = wide.count;
    remember(me);
    let drawn = me.neighbors(500 + me.random());
    wide = near;
    wide.nearest.pos + step * (found + drawn.count + me.state.seen)
}";
    let mut editor = Editor::start(project().with("scripts/go.rhai", script));
    let launch = json!({ "scenario": "scenarios/a.ron", "agent": 1 });
    editor.launch(launch, json!([{ "line": 12 }]));
    assert_eq!(editor.stopped().1[0], "steer, agent 1 (a), tick 0:12");
    assert_eq!(editor.value("near.count + 0"), "1");
    assert_eq!(editor.value("wide.count + 0"), "2");
    assert_eq!(editor.value("step.x * 2"), "14.5");
    assert_eq!(editor.value("me.state.seen * 2"), "3");
    let unknown = editor.refused("evaluate", json!({ "expression": "drawn.count + 1" }));
    assert_eq!(unknown, "`drawn` is 2 neighbors here, but nothing else is known about it");
    // What was read of the value before is not shown for the new one.
    editor.go("next");
    assert_eq!(editor.value("wide.count"), "1");
}

/// Caught: a message said only that there is no value.
#[test]
fn messages_say_which_name_has_no_value_and_why() {
    let script = "fn half(x) { let part = x / 2; part }
fn steer(me) {
    let near = me.neighbors(3);
    let p = me.params;
    let first = near.count;
    if first > 5 { let many = first; }
    let last = half(2);
    vec(last, 0)
}
";
    let mut editor = Editor::start(project().with("scripts/go.rhai", script));
    let log = "{last}; {part}; {many}; {near.nearest.pos.x}; {p.far}; {near.count}";
    let launch = json!({ "scenario": "scenarios/a.ron", "agent": 2 });
    editor.launch(launch, json!([{ "line": 5, "logMessage": log }]));
    let told = editor.event("output")["output"].as_str().unwrap().to_owned();
    let expected = [
        "{last: `last` has no value yet: it gets one in line 7}",
        "{part: `part` is a variable of another function, in line 1}",
        "{many: `many` has no value yet: it gets one in line 6}",
        "{near.nearest.pos.x: `near.nearest` is `()`, since `near` has 0 neighbors}",
        "{p.far: the group `b` has no param `far`}",
        "0\n",
    ];
    assert_eq!(told, expected.join("; "));
}

/// Caught: it went to its end, and nothing said why.
#[test]
fn a_run_without_breakpoints_stops_at_its_first_line() {
    let wrong = json!([{ "line": 2, "condition": "nea.count > 2" }]);
    for (breakpoints, why) in
        [(json!([]), "no breakpoint is set, "), (wrong, "the breakpoint in line 2 does nothing: ")]
    {
        let mut editor = Editor::start(project());
        editor.launch(json!({ "scenario": "scenarios/a.ron" }), breakpoints);
        assert_eq!(editor.stopped().0, "entry");
        let told = editor.event("output")["output"].as_str().unwrap().to_owned();
        assert!(told.starts_with(why), "{told}");
    }
}

/// Caught: at the first line, the list of variables was there and empty, above what the line computes.
#[test]
fn variables_are_listed_once_there_are_some() {
    let mut editor = Editor::start(project());
    editor.launch(json!({ "scenario": "scenarios/a.ron", "stopOnEntry": true }), json!([]));
    editor.stopped();
    let names = |editor: &mut Editor| -> Vec<String> {
        let all = editor.ask("scopes", json!({ "frameId": 0 }));
        let of = |one: &Value| one["name"].as_str().unwrap().to_owned();
        all["scopes"].as_array().unwrap().iter().map(of).collect()
    };
    assert_eq!(names(&mut editor), ["This line", "Agent"]);
    editor.go("next");
    assert_eq!(names(&mut editor), ["Variables", "This line", "Agent"]);
}

/// Caught: a condition that is wrong for each agent was found only when it was reached, and the names that it suggested were others than in the
/// script.
#[test]
fn a_condition_has_the_messages_of_the_script_before_the_run() {
    let script = "fn steer(me) {
    let near = me.neighbors(30);
    let force = me.vel
        + vec(near.count, 0);
    let later = 1;
    force
}";
    let mut editor = Editor::start(project().with("scripts/go.rhai", script));
    let all = [
        (
            3,
            "near.nearest.distance < 2",
            "an agent has no property `distance`; `distance` is a function of `me`: write `me.distance(other)`",
        ),
        (
            3,
            "near.count > 0 && me.tick > 6",
            "`me` has no property `tick`; did you mean `world.tick`?",
        ),
        (3, "me.time > 1", "`me` has no property `time`; did you mean `world.time`?"),
        (5, "force > 2", "`>` cannot compare a vector with an integer"),
        (3, "later > 2", "`later` is declared below, in line 5"),
        // Nothing can be said between the lines of a statement.
        (4, "me.tick > 6", ""),
        // Some have no neighbors.
        (5, "me.distance(near.nearest) < 2", ""),
        (5, "near.count > 0 && me.distance(near.nearest) < 2 && world.tick > 6", ""),
    ];
    let wanted =
        |(line, condition, _): &(u32, &str, &str)| json!({ "line": line, "condition": condition });
    let wanted: Vec<Value> = all.iter().map(wanted).collect();
    let set = editor.launch(json!({ "scenario": "scenarios/a.ron" }), wanted.into());
    for (index, (_, condition, why)) in all.iter().enumerate() {
        let message = set["breakpoints"][index]["message"].as_str().unwrap_or_default();
        assert!(
            message.starts_with(why) && message.is_empty() == why.is_empty(),
            "{condition}: {message}"
        );
    }
}

/// Caught: the reason was "this has no value here".
#[test]
fn a_call_says_what_it_lacks() {
    let script = "fn steer(me) {
    let near = me.neighbors(1);
    me.separation(near)
}";
    let mut editor = Editor::start(project().with("scripts/go.rhai", script));
    let condition = json!([{ "line": 3, "condition": "me.distance(near.nearest) < 2" }]);
    editor.launch(json!({ "scenario": "scenarios/a.ron" }), condition);
    editor.stopped();
    let told = editor.event("output")["output"].as_str().unwrap().to_owned();
    let why = "`near.nearest` is `()`, since `near` has 0 neighbors";
    assert!(told.ends_with(&format!("cannot be computed: {why}\n")), "{told}");
    assert_eq!(
        editor.refused("evaluate", json!({ "expression": "tick" })),
        "there is no variable `tick`; known: PI, me, near, world"
    );
}
