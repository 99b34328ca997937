//! Tests of the values that a turn gives to variables and calls.

use super::*;
use crate::diag::Place;
use crate::sim::{TurnValue, ValueKind};
use crate::world::AgentId;

/// Returns the values in the first turn of the hero: the line from 1, the name, and the value; a variable that gets the
/// value is marked with `=`.
fn values_of(library: &ScriptFiles) -> Vec<String> {
    let simulation = start(library).unwrap_or_else(|error| panic!("{error}"));
    let mut all = simulation.values(AgentId(0)).unwrap();
    all.sort_by_key(|value| (value.place.source.name.clone(), value.place.span.start));
    all.retain(|value| value.kind != ValueKind::Condition);
    let words = |value: &TurnValue| {
        let Place { source, span } = &value.place;
        let times = if value.count > 1 { format!(" x{}", value.count) } else { String::new() };
        let mark = if value.kind == ValueKind::Variable { " =" } else { ":" };
        let (line, _) = source.line_column(span.start);
        format!("{line} {}{mark} {}{times}", &source.text[span.clone()], value.text)
    };
    all.iter().map(words).collect()
}

fn values_in(script: &str) -> Vec<String> {
    values_of(&scripts(&[("main", script)]))
}

#[test]
fn variables_properties_and_calls_have_values() {
    let script = "\
const FAR = 30;
fn steer(me) {
    let near = me.neighbors(FAR / 2); // what is near ( [
    let v = (me.pos - vec(4, 0)).normalized() * 2;
    if near.count > 1 && v.x != 0 {
        v += near.mean_offset.limit(3);
    }
    me.state.last = v.x;
    let text = `( ${v.x} {`;
    v
}";
    assert_eq!(
        values_in(script),
        [
            "3 near = 2 neighbors",
            "3 neighbors: 2 neighbors",
            "4 v = (2, 0)",
            "4 pos: (10, 0)",
            "4 vec: (4, 0)",
            "4 normalized: (1, 0)",
            "5 near: 2 neighbors",
            "5 count: 2",
            "5 v: (2, 0)",
            "5 x: 2",
            "6 v = (4.683, 1.342)",
            "6 near: 2 neighbors",
            "6 limit: (2.683, 1.342)",
            "8 last = 4.683",
            "8 v: (4.683, 1.342)",
            "8 x: 4.683",
            "9 text = \"( 4.6832814 {\"",
            "9 v: (4.683, 1.342)",
            "9 x: 4.683",
            "10 v: (4.683, 1.342)",
        ]
    );
}

#[test]
fn loops_switches_and_functions_have_values() {
    let script = "\
fn twice(x) { x * 2 }
fn steer(me) {
    let list = [3, 1, 2];
    let sum = 0;
    for (item, i) in list { sum += twice(item) + i; }
    let i = 0;
    while i < 2 { i += 1 }
    let kind = switch i { 1 => \"one\", 2 => { let inner = i; \"two\" }, _ => me.group };
    let other = me.nearest(\"others\");
    let choice = if other == () { vec(0, 0) } else if list[1] > 0 { other.pos } else { other.vel };
    let pick = [choice, me.vel][twice(0)];
    for near in me.neighbors(12) { sum += near.id; }
    pick.x = 1 + sum;
    let wall = world.obstacle(\"pillar\");
    let unused = (me.neighbors(5)).count; /* } */ pick
}";
    assert_eq!(
        values_in(script),
        [
            "1 x: 0 x4",
            "3 list = [3, 1, 2]",
            "4 sum = 0",
            "5 item = 2 x3",
            "5 i = 2 x3",
            "5 list: [3, 1, 2]",
            "5 sum = 15 x3",
            "5 twice: 4 x3",
            "5 item: 2 x3",
            "5 i: 2 x3",
            "6 i = 0",
            "7 i: 2 x3",
            "7 i = 2 x2",
            "8 kind = \"two\"",
            "8 i: 2",
            "8 inner = 2",
            "8 i: 2",
            "9 other = agent 2",
            "9 nearest: agent 2",
            "10 choice = (10, 5)",
            "10 other: agent 2",
            "10 list: [3, 1, 2]",
            "10 other: agent 2",
            "10 pos: (10, 5)",
            "11 pick = (10, 5)",
            "11 choice: (10, 5)",
            "11 vel: (1, 0)",
            "11 twice: 0",
            "12 near = agent 2 x2",
            "12 neighbors: 2 neighbors",
            "12 sum = 18 x2",
            "12 near: agent 2 x2",
            "12 id: 2 x2",
            "13 x = 19",
            "13 sum: 18",
            "14 wall = an obstacle",
            "14 obstacle: an obstacle",
            "15 unused = 1",
            "15 neighbors: 1 neighbor",
            "15 count: 1",
            "15 pick: (19, 5)",
        ]
    );
}

#[test]
fn conditions_have_values() {
    let script = "fn steer(me) {
    if me.id == 0 && me.pos.x > 3 { me.vel = vec(0, 1); }
    switch me.id { 0 => me.seek(vec(9, 9)), _ => vec(0, 0) }
}";
    let simulation = start(&scripts(&[("main", script)])).unwrap();
    let mut all = simulation.values(AgentId(0)).unwrap();
    all.retain(|value| value.kind == ValueKind::Condition);
    let words: Vec<_> = all.iter().map(|value| (value.place.text(), value.text.as_str())).collect();
    assert_eq!(words, [("me.id == 0 && me.pos.x > 3", "true"), ("me.id", "0")]);
}

/// Only the interpreter can run these turns.
#[test]
fn turns_that_only_the_interpreter_can_take_have_values_too() {
    let script = "\
fn steer(me) {
    let list = [2, 3]; list.sort(|a, b| b - a);
    let sum = vec(0, 0);
    for x in list { sum += me.seek(vec(10, x)); }
    sum + me.separation(12)
}";
    assert_eq!(
        values_in(script),
        [
            "2 list = [3, 2] x2",
            "2 list: [2, 3]",
            "2 b: 3",
            "2 a: 2",
            "3 sum = (0, 0)",
            "4 x = 2 x2",
            "4 list: [3, 2]",
            "4 sum = (-2, 20) x2",
            "4 seek: (-1, 10) x2",
            "4 x: 2 x2",
            "5 sum: (-2, 20)",
            "5 separation: (-5.472, -8.944)",
        ]
    );
}

/// Caught: properties had none, of two variables with the same name the older one was shown, and parameters came in reverse order.
#[test]
fn properties_and_variables_have_values_in_turns_of_the_interpreter() {
    let script = "\
fn add(a, b) { a + b }
fn steer(me) {
    let list = [2, 3]; list.sort(|a, b| b - a);
    let x = me.speed;
    let x = add(me.pos.x, x);
    let none = me.nearest(\"others\", 0.1);
    if none != () && none.pos.x > 3 { x += 1; }
    me.state.last = x;
    me.seek(vec(x, me.state.last))
}";
    let all = values_in(script);
    for value in ["4 speed: 1", "5 x: 10", "5 x = 11", "9 x: 11", "9 last: 11"] {
        assert!(all.iter().any(|one| one == value), "{value}: {all:?}");
    }
    let simulation = start(&scripts(&[("main", script)])).unwrap();
    let steps = simulation.steps(AgentId(0)).unwrap();
    let params = steps.iter().filter(|step| step.kind == ValueKind::Parameter);
    let params = params.map(|step| (step.place.text(), step.text.as_str()));
    assert_eq!(params.rev().take(2).collect::<Vec<_>>(), [("b", "1"), ("a", "10")]);
}

/// Caught: the functions that are generated for a machine were on the stack, and its states among the variables.
#[test]
fn turns_of_the_interpreter_show_no_generated_code() {
    let script = "\
fn steer(me) {
    let list = [2, 3]; list.sort(|a, b| b - a);
    me.machine(\"mode\", [\"walk\", \"stop\"])
}
fn walk(me) {
    me.seek(vec(9, 9))
}
fn stop(me) { vec(0, 0) }";
    let simulation = start(&scripts(&[("main", script)])).unwrap();
    let steps = simulation.steps(AgentId(0)).unwrap();
    let line = |step: &TurnValue| step.place.source.line_column(step.place.span.start).0;
    let calls: Vec<usize> =
        steps.iter().filter(|step| line(step) == 6).map(|step| step.calls.len()).collect();
    assert!(!calls.is_empty() && calls.iter().all(|calls| *calls == 1), "{calls:?}");
    let of_machine = steps.iter().filter(|step| step.place.text() == "machine");
    let kinds: Vec<ValueKind> = of_machine.map(|step| step.kind).collect();
    assert!(!kinds.contains(&ValueKind::Variable), "{kinds:?}");
}

#[test]
fn scripts_that_are_imported_have_values_too() {
    let library = scripts(&[
        ("main", "import \"tools\" as tools;\nfn steer(me) { tools::half(me.pos) }"),
        ("tools", "fn half(v) { let half = v / 2; half }"),
    ]);
    let all = values_of(&library);
    assert_eq!(
        all,
        ["2 half: (5, 0)", "2 pos: (10, 0)", "1 half = (5, 0)", "1 v: (10, 0)", "1 half: (5, 0)"]
    );
}

#[test]
fn a_turn_that_fails_has_the_values_until_then() {
    assert_eq!(
        values_in("fn steer(me) { let x = 1 + me.id; me.seek(me.pos.y) }"),
        ["1 x = 1", "1 id: 0", "1 y: 0"]
    );
    // It takes too many steps for the lowered program. The trace keeps the first ones.
    let long = "fn steer(me) { let i = 0; while i < 70000 { let x = i; i = x + 1; } vec(i, 0) }";
    let all = values_in(long);
    assert!(all.iter().any(|one| one.starts_with("1 x = ")), "{all:?}");
}
