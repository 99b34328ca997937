//! Expectations of scenarios: each holds in one scenario and fails in another, with agent, tick and value.

use std::sync::Arc;

use flockwork_engine::diag::{Diagnostic, Diagnostics, Source};
use flockwork_engine::script::Library;
use flockwork_engine::trace::RunMeasures;
use flockwork_engine::world::AgentId;
use flockwork_engine::{Failure, Options, Run};

/// The behaviors of the agents, and scripts with `expect`.
const SCRIPTS: &[(&str, &str)] = &[
    ("coast", "fn steer(me) { vec(0, 0) }"),
    // Faster by 3 in each tick.
    ("speed_up", "fn steer(me) { vec(3, 0) }"),
    // Reverses its velocity in each tick from the fourth on.
    ("shake", "fn steer(me) { if world.tick < 4 { vec(0, 0) } else { -2 * me.vel } }"),
    // Turns by 90 degrees at tick 5.
    ("turn", "fn steer(me) { if world.tick == 5 { me.vel = me.vel.perp(); } vec(0, 0) }"),
    // Stops at tick 3.
    ("rest", "fn steer(me) { if world.tick == 3 { me.vel = vec(0, 0); } vec(0, 0) }"),
    ("calm", "fn expect(now) { now.mean_speed < 5.5 }"),
    (
        "talks",
        "fn expect(now) {\n  debug(now.groups.a.center);\n  now.groups[\"b\"].agents == 1 && now.closest_pair > 9 && now.goals_reached == 0 && false\n}",
    ),
    ("odd", "fn expect(now) { now.center }"),
    ("margin", "fn expect(now) { 5.25 - now.time / 2 }"),
    ("told", "// It is early. Half is enough.\nfn expect(now) { 5.25 - now.time / 2 }"),
    ("count", "fn expect(now) { now.groups.b.agents }"),
    ("total", "fn expect(now) { 12 - now.groups.a.path_length - now.collisions / 2 }"),
    ("lanes", "fn measure(now) {\n  now.max_speed - now.collisions / 2\n}"),
    ("none", "fn measure(now) { if now.tick < 3 { () } else { now.groups.a.agents } }"),
    ("vector", "fn measure(now) {\n  now.center\n}"),
    ("unknown", "fn measure(now) { now.lane }"),
    ("infinite", "fn expect(now) { 1.0 / 0.0 }"),
    ("wrong", "fn expect(now) {\n  let all = now;\n  all.sped > 1\n}"),
    ("runs_on", "fn expect(now) { while true { } }"),
    ("dice", "fn expect(now) { now.random() > 0.5 }"),
    ("crowd", "fn expect(now) { world.agent(\"a\") != () }"),
    (
        "states",
        "fn steer(me) { me.machine(\"mode\", [\"calm\"]) }\nfn calm(me) { [1].map(|x| x); vec(0, 0) }",
    ),
    ("group", "fn expect(now) { world.count(\"a\") == 2 && now.groups.c == () }"),
];

struct TestScripts;

impl Library for TestScripts {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        let found = SCRIPTS.iter().find(|(known, _)| *known == name);
        Ok(found.map(|(name, text)| Source::new(format!("scripts/{name}.rhai"), *text)))
    }

    fn names(&self) -> Vec<String> {
        SCRIPTS.iter().map(|(name, _)| (*name).into()).collect()
    }
}

/// Opens a run of 20 ticks of one second in a world of 100 by 100. Group "a" has the behavior `script` and two agents,
/// at (10, 10) with velocity (5, 0) and at (10, 50) with velocity (0, 1). Group "b" keeps its velocity and has one agent
/// at rest, at (50, 10). `a` are more fields of group "a", `more` are more fields of the scenario.
pub(crate) fn open(script: &str, a: &str, more: &str, expect: &str) -> Result<Run, Diagnostics> {
    let body = if a.contains("body:") { "" } else { "body: (radius: 2)," };
    let text = format!(
        "(dt: 1, ticks: 20, world: (size: (100, 100), edge: Wrap), {more} groups: {{
            \"a\": (behavior: \"{script}\", {body} {a} spawn: Agents([
                (at: (10, 10), velocity: (5, 0)), (at: (10, 50), velocity: (0, 1)),
            ])),
            \"b\": (behavior: \"coast\", body: (radius: 3), spawn: Points([(50, 10)])),
        }}, expect: [\n{expect}\n])"
    );
    Run::new(&Source::new("s.ron", text), &TestScripts, &Options::default())
}

/// Runs the scenario and returns the failures.
pub(crate) fn judge(script: &str, a: &str, more: &str, expect: &str) -> Vec<Failure> {
    let mut run = open(script, a, more, expect).unwrap_or_else(|errors| panic!("{}", errors[0]));
    assert_eq!(run.warnings(), [], "{}", run.warnings()[0]);
    let (mut judge, mut measuring) = (run.judge(), run.judge_with_margins());
    for _ in 0..run.ticks() {
        run.step().unwrap();
        judge.tick(run.simulation());
        measuring.tick(run.simulation());
    }
    let failures = judge.finish(run.simulation());
    measuring.end(run.simulation());
    for (expectation, margin) in measuring.margins().into_iter().enumerate() {
        let fails = failures.iter().any(|failure| failure.expectation == expectation);
        let is_negative = margin.value.is_some_and(|margin| margin < 0.0);
        assert_eq!(is_negative, fails, "{expect}: {margin:?}");
    }
    assert_eq!(measuring.into_failures(), failures, "{expect}");
    failures
}

/// Checks the message, tick and agent of the only failure; if `message` is empty, nothing may fail.
fn check(
    script: &str,
    a: &str,
    more: &str,
    expect: &str,
    message: &str,
    tick: u64,
    agent: Option<u32>,
) {
    let failures = judge(script, a, more, expect);
    if message.is_empty() {
        assert_eq!(failures, [], "{expect}");
        return;
    }
    assert_eq!(failures.len(), 1, "{expect} should have failed");
    let one = &failures[0];
    assert_eq!(one.message, message);
    assert_eq!((one.tick, one.agent), (tick, agent.map(AgentId)), "{message}");
}

const HOLDS: &str = "";

#[test]
fn expectations_about_motion() {
    for (script, expect, message, tick, agent) in [
        ("coast", "MaxSpeed(speed: 5)", HOLDS, 0, 0),
        (
            "coast",
            "MaxSpeed(group: \"a\", speed: 4.5)",
            "agent 0 (a) has speed 5 at tick 0; expected at most 4.5",
            0,
            0,
        ),
        ("coast", "MaxSpeed(group: \"b\", speed: 0)", HOLDS, 0, 0),
        (
            "speed_up",
            "MaxSpeed(speed: 20, from: 2)",
            "agent 0 (a) has speed 23 at tick 6; expected at most 20",
            6,
            0,
        ),
        (
            "speed_up",
            "MaxSpeed(speed: 20, from: 9)",
            "agent 0 (a) has speed 32 at tick 9; expected at most 20",
            9,
            0,
        ),
        ("speed_up", "MaxAcceleration(acceleration: 3)", HOLDS, 0, 0),
        (
            "speed_up",
            "MaxAcceleration(acceleration: 2.5)",
            "agent 0 (a) changes its velocity by 3 per second at tick 1; expected at most 2.5",
            1,
            0,
        ),
        ("turn", "MaxTurnRate(deg_per_s: 91)", HOLDS, 0, 0),
        (
            "turn",
            "MaxTurnRate(deg_per_s: 80, group: \"a\")",
            "agent 0 (a) turns by 90 degrees per second at tick 6; expected at most 80",
            6,
            0,
        ),
        ("coast", "Symmetric(under: [Translated, Rotated, Mirrored, Reordered])", HOLDS, 0, 0),
        (
            "speed_up",
            "Symmetric(under: [Mirrored, Rotated], ticks: 1, tolerance: 4)",
            "agent 0 (a) is 4.243 away from its place in the rotated run, 1 tick after tick 0; expected at most 4",
            1,
            0,
        ),
        ("turn", "MinTurningRadius(radius: 0.6)", HOLDS, 0, 0),
        (
            "turn",
            "MinTurningRadius(radius: 1, group: \"a\")",
            "agent 1 (a) turns with a radius of 0.6366 at tick 6; expected at least 1",
            6,
            1,
        ),
        ("turn", "NoJitter(reversals: 0, seconds: 5)", HOLDS, 0, 0),
        (
            "shake",
            "NoJitter(reversals: 2, seconds: 5)",
            "agent 0 (a) turns back 3 times within 5 s at tick 7; expected at most 2",
            7,
            0,
        ),
        ("shake", "NoJitter(reversals: 2, seconds: 2)", HOLDS, 0, 0),
        ("shake", "AllFinite", HOLDS, 0, 0),
    ] {
        check(script, "", "", expect, message, tick, Some(agent));
    }
}

#[test]
fn expectations_about_places() {
    let path = "paths: { \"p\": (points: [(0, 10), (100, 10)], radius: 5) },";
    for (script, expect, message, tick, agent) in [
        ("coast", "StayInside(min: (0, 0), max: (100, 100))", HOLDS, 0, 0),
        (
            "coast",
            "StayInside(group: \"a\", min: (0, 0), max: (60, 66))",
            "agent 0 (a) is at [65, 10] at tick 11, 5 outside the rectangle from [0, 0] to [60, 66]",
            11,
            0,
        ),
        (
            "coast",
            "StayInside(group: \"a\", area: Circle(center: (0, 10), radius: 60))",
            "agent 0 (a) is at [65, 10] at tick 11, 5 outside the area",
            11,
            0,
        ),
        ("coast", "StayInside(area: Polygon([(0, 0), (200, 0), (0, 200)]))", HOLDS, 0, 0),
        ("coast", "StayOutside(area: Rect(min: (0, 90), max: (100, 130)))", HOLDS, 0, 0),
        (
            "coast",
            "StayOutside(group: \"a\", area: Rect(min: (60, 0), max: (100, 20)))",
            "agent 0 (a) is at [65, 10] at tick 11, 5 inside the area",
            11,
            0,
        ),
        ("coast", "StayNearPath(group: \"b\", path: \"p\", distance: 0)", HOLDS, 0, 0),
        (
            "coast",
            "StayNearPath(path: \"p\", distance: 45)",
            "agent 1 (a) is 46 away from path `p` at tick 6; expected at most 45",
            6,
            1,
        ),
        ("coast", "Progress(group: \"a\", seconds: 2)", HOLDS, 0, 0),
        (
            "coast",
            "Progress(group: \"a\", seconds: 1)",
            "agent 1 (a) never got 2 away from [10, 50] in 1 s, from tick 0 to tick 1, and is 1 away at the end",
            1,
            1,
        ),
        (
            "rest",
            "Progress(seconds: 6, distance: 4, group: \"a\")",
            "agent 1 (a) never got 4 away from [10, 50] in 6 s, from tick 0 to tick 6, and is 3 away at the end",
            6,
            1,
        ),
        (
            "rest",
            "Progress(seconds: 6, distance: 4, group: \"a\", from: 5)",
            "agent 0 (a) never got 4 away from [25, 10] in 6 s, from tick 5 to tick 11, and is 0 away at the end",
            11,
            0,
        ),
    ] {
        check(script, "", path, expect, message, tick, Some(agent));
    }
    // An agent that has stopped after its last goal is not stuck.
    let goals = "goals: [(at: (25, 10), radius: 1)], after_goals: Stop,";
    let one = "Progress(seconds: 6, distance: 4, group: \"a\")";
    let late = "agent 1 (a) never got 4 away from [10, 50] in 6 s, from tick 0 to tick 6, and is 3 away at the end";
    check("rest", goals, "", one, late, 6, Some(1));
}

#[test]
fn expectations_about_distances() {
    let wall = "obstacles: {
        \"wall\": Segment(from: (0, 60), to: (20, 60)),
        \"hall\": Room(min: (-9, -9), max: (109, 109)),
    },";
    for (expect, message, tick, agent) in [
        // Agent 0 starts 40 away from the agent of b and comes 5 nearer in each tick. Their radii are 2 and 3.
        (
            "NoOverlap(obstacles: false)",
            "agent 0 (a) overlaps agent 2 (b) by 5 at tick 8; expected at most 0",
            8,
            0,
        ),
        ("NoOverlap(tolerance: 5, obstacles: false)", HOLDS, 0, 0),
        (
            "NoOverlap(tolerance: 4.5, obstacles: false)",
            "agent 0 (a) overlaps agent 2 (b) by 5 at tick 8; expected at most 4.5",
            8,
            0,
        ),
        ("NoOverlap(groups: [\"a\"], obstacles: false)", HOLDS, 0, 0),
        ("NoOverlap(groups: [\"b\"])", HOLDS, 0, 0),
        (
            "NoOverlap(groups: [\"b\", \"a\"], agents: false)",
            "agent 1 (a) overlaps obstacle `wall` by 1 at tick 9; expected at most 0",
            9,
            1,
        ),
        ("NoOverlap(agents: false, tolerance: 2)", HOLDS, 0, 0),
        (
            "MinSeparation(distance: 10.5)",
            "agent 0 (a) is 10 away from agent 2 (b) at tick 6; expected at least 10.5",
            6,
            0,
        ),
        ("MinSeparation(groups: [\"a\"], distance: 40)", HOLDS, 0, 0),
        ("MinSeparation(between: (\"a\", \"a\"), distance: 40)", HOLDS, 0, 0),
        ("MinSeparation(between: (\"b\", \"b\"), distance: 40)", HOLDS, 0, 0),
        // At tick 6 it is exactly 10 away.
        (
            "MinSeparation(between: (\"b\", \"a\"), distance: 10)",
            "agent 0 (a) is 5 away from agent 2 (b) at tick 7; expected at least 10",
            7,
            0,
        ),
        (
            "NoOverlap(between: (\"a\", \"b\"))",
            "agent 0 (a) overlaps agent 2 (b) by 5 at tick 8; expected at most 0",
            8,
            0,
        ),
        // Agent 1 runs into the wall, which is no agent.
        ("NoOverlap(between: (\"a\", \"b\"), tolerance: 5)", HOLDS, 0, 0),
        (
            "MinSeparation(distance: 10.5, from: 7)",
            "agent 0 (a) is 5 away from agent 2 (b) at tick 7; expected at least 10.5",
            7,
            0,
        ),
    ] {
        check("coast", "", wall, expect, message, tick, Some(agent));
    }
    let room = "obstacles: { \"hall\": Room(min: (0, 0), max: (100, 58)) },";
    let deep = "agent 1 (a) overlaps obstacle `hall` by 1 at tick 7; expected at most 0";
    check("coast", "", room, "NoOverlap(groups: [\"a\"])", deep, 7, Some(1));
    // Agent 0 is near the agent of b across the edge.
    let near = "agent 0 (a) is 20 away from agent 2 (b) at tick 4; expected at least 24";
    check("coast", "", "", "MinSeparation(distance: 24)", near, 4, Some(0));
    let back = "events: [At(tick: 0, do: Push(group: \"a\", velocity: (-10, 0)))],";
    let near = "agent 0 (a) is 20 away from agent 2 (b) at tick 8; expected at least 24";
    check("coast", "", back, "MinSeparation(distance: 24)", near, 8, Some(0));
}

#[test]
fn expectations_about_arrivals() {
    let goals = "goals: [(at: (30, 10), radius: 3)],";
    for (a, expect, message, tick, agent) in [
        // It is within 3 at tick 4. Goals are counted when the next tick begins.
        (goals, "Reach(group: \"a\", by: 5)", HOLDS, 0, None),
        (
            goals,
            "Reach(group: \"a\", by: 4)",
            "no agent of group `a` has reached its last goal by tick 4",
            4,
            None,
        ),
        (
            goals,
            "ReachAll(group: \"a\")",
            "agent 1 (a) has not reached its last goal by tick 20: it still has 41.7 to go",
            20,
            Some(1),
        ),
        ("", "Reach(group: \"a\", at: (85, 10), radius: 0.5, by: 15)", HOLDS, 0, None),
        (
            "",
            "Reach(group: \"a\", at: (85, 10), radius: 0.5, by: 14)",
            "no agent of group `a` has been within 0.5 of [85, 10] by tick 14: the nearest, agent 0, still has 4.5 to go",
            14,
            None,
        ),
        ("", "ReachAll(group: \"b\", at: (50, 10), radius: 1)", HOLDS, 0, None),
        // Across the edge.
        ("", "Reach(group: \"a\", at: (98, 10), radius: 12.5, by: 0)", HOLDS, 0, None),
        ("", "Throughput(from: (52, 0), to: (52, 20), at_least: 1, by: 9)", HOLDS, 0, None),
        (
            "",
            "Throughput(from: (52, 0), to: (52, 20), at_least: 1, by: 8)",
            "0 agents crossed the line from [52, 0] to [52, 20] by tick 8; expected at least 1",
            8,
            None,
        ),
        (
            "",
            "Throughput(group: \"a\", from: (99, 20), to: (99, 0), at_least: 2)",
            "1 agent of group `a` crossed the line from [99, 20] to [99, 0] by tick 20; expected at least 2",
            20,
            None,
        ),
    ] {
        check("coast", a, "", expect, message, tick, agent);
    }
    // One agent is removed before it arrives, and a new one is late.
    let events = "events: [
        At(tick: 3, do: Remove(group: \"a\", count: 1)),
        At(tick: 15, do: Spawn(group: \"a\", count: 1)),
    ],";
    let both = "ReachAll(group: \"a\", at: (10, 54), radius: 1, by: 16)";
    let late = "agent 3 (a) has not been within 1 of [10, 54] by tick 16: it still has 43.3 to go";
    check("coast", "", events, both, late, 16, Some(3));
    let lost =
        "1 agent of group `a` was removed by tick 14 without having been within 1 of [10, 54]";
    check("coast", "", events, &both.replace("16", "14"), lost, 14, None);
    let lost = "1 agent of group `a` was removed by tick 14 without having reached its last goal";
    let goals = "goals: [(at: (10, 54), radius: 1)],";
    check("coast", goals, events, "ReachAll(group: \"a\", by: 14)", lost, 14, None);
    let gone = "goals: [(at: (10, 54), radius: 1)], after_goals: Remove,";
    check("coast", gone, events, "Reach(group: \"a\", by: 14)", HOLDS, 14, None);
}

#[test]
fn removing_an_agent_keeps_what_is_known_of_the_others() {
    // Agent 0 is removed at tick 3. The results for agent 1 must stay with agent 1.
    let events = "events: [At(tick: 3, do: Remove(group: \"a\", count: 1))],";
    for expect in [
        "MaxAcceleration(acceleration: 0)",
        "MaxTurnRate(deg_per_s: 1)",
        "MinTurningRadius(radius: 99)",
        "NoJitter(reversals: 0, seconds: 9)",
        "Throughput(group: \"a\", from: (0, 55), to: (20, 55), at_least: 1)",
        "Throughput(group: \"a\", from: (12, 0), to: (12, 20), at_least: 1)",
        "Progress(group: \"a\", seconds: 2)",
    ] {
        check("coast", "", events, expect, HOLDS, 0, None);
    }
}

#[test]
fn expectations_in_scripts() {
    for (expect, message, tick, help) in [
        ("Script(name: \"calm\")", HOLDS, 0, ""),
        ("Script(name: \"calm\", every: 8)", HOLDS, 0, ""),
        (
            "Script(name: \"talks\")",
            "the script `talks` returned false at tick 20",
            20,
            "debug output: (10, 90) (scripts/talks.rhai:2)",
        ),
        (
            "Script(name: \"talks\", every: 8)",
            "the script `talks` returned false at tick 8",
            8,
            "the function `expect` is at scripts/talks.rhai:1:1",
        ),
        (
            "Script(name: \"talks\", every: 8, from: 3)",
            "the script `talks` returned false at tick 3",
            3,
            "it fails in 3 ticks in all",
        ),
        (
            "Script(name: \"odd\")",
            "the script `odd` failed at tick 20: `expect` must return true, false or a finite number, but returned a \
             vector",
            20,
            "the error is at scripts/odd.rhai:1:1",
        ),
        (
            "Script(name: \"infinite\")",
            "the script `infinite` failed at tick 20: `expect` must return true, false or a finite number, but \
             returned inf",
            20,
            "the error is at scripts/infinite.rhai:1:1",
        ),
        ("Script(name: \"count\")", HOLDS, 0, ""),
        (
            "Script(name: \"margin\", every: 1)",
            "the script `margin` returned -0.25 at tick 11; 0 or more holds",
            11,
            "the function `expect` is at scripts/margin.rhai:1:1",
        ),
        // Caught: a number said nothing to a person who does not program.
        (
            "Script(name: \"told\", every: 1)",
            "told does not hold: \"It is early.\" (it returned -0.25 at tick 11; 0 or more holds)",
            11,
            "the function `expect` is at scripts/told.rhai:2:1",
        ),
        (
            "Script(name: \"wrong\")",
            "the script `wrong` failed at tick 20: the map has no element `sped`",
            20,
            "the error is at scripts/wrong.rhai:3:7",
        ),
        (
            "Script(name: \"group\")",
            "the script `group` failed at tick 20: there is no group `c`",
            20,
            "the error is at scripts/group.rhai:1:54",
        ),
        // Caught: there is no agent, and no `me`.
        (
            "Script(name: \"runs_on\")",
            "the script `runs_on` failed at tick 20: stopped after 1,000,000 steps; is this loop endless?",
            20,
            "",
        ),
        (
            "Script(name: \"crowd\")",
            "the script `crowd` failed at tick 20: `world.agent` needs a group with exactly one agent, but `a` has 2",
            20,
            "this function runs for no agent, so there is no `me`",
        ),
        (
            "Script(name: \"dice\")",
            "the script `dice` failed at tick 20: `random` does not take a map",
            20,
            "this function runs for no agent, so there is no `me`",
        ),
    ] {
        let found = judge("coast", "", "", expect);
        check("coast", "", "", expect, message, tick, None);
        assert!(
            help.is_empty() || found[0].help.iter().any(|line| line == help),
            "{help}: {:?}",
            found[0].help
        );
    }
}

#[test]
fn scenarios_define_measures_with_scripts() {
    let measures = "measures: { \"lanes\": \"lanes\", \"late\": \"none\", \"bad\": \"vector\" },";
    let mut run = open("coast", "", measures, "").unwrap_or_else(|errors| panic!("{}", errors[0]));
    let names = run.measure_names();
    let find = |name: &str| names.find(name).unwrap();
    let measures = vec![find("lanes"), find("a.agents"), find("late")];
    let mut measures = RunMeasures::new(run.simulation(), measures);
    let mut bad = RunMeasures::new(run.simulation(), vec![find("bad")]);
    let mut found = Vec::new();
    for _ in 0..9 {
        let values = measures.take(run.simulation()).unwrap().into_iter();
        found.push(values.map(|value| value.map(f32::from)).collect::<Vec<_>>());
        run.step().unwrap();
        measures.add_tick(run.simulation());
        bad.add_tick(run.simulation());
    }
    assert_eq!(found[0], [Some(5.0), Some(2.0), None]);
    // Agent 0 meets the agent of b at tick 7: both count.
    assert_eq!(found[8], [Some(4.0), Some(2.0), Some(2.0)]);
    let error = bad.take(run.simulation()).unwrap_err();
    let message = "`measure` must return a finite number or nothing, but returned a vector";
    assert_eq!(
        (error.message.as_str(), error.position().as_str()),
        (message, "scripts/vector.rhai:1:1")
    );
    assert!(names.all().iter().any(|of| of.name() == "lanes"));
    let error = names.find("lane").unwrap_err();
    assert!(error.help.iter().any(|line| line == "did you mean `lanes`?"), "{:?}", error.help);
    let error = names.find("a.lanes").unwrap_err();
    assert_eq!(error.message, "the measure `lanes` is one of the whole run, not of a group");
}

#[test]
fn measures_of_a_scenario_are_checked_before_the_run() {
    for (measures, parts) in [
        (
            "\"m\": \"lane\"",
            &["no script for the measure `lane`", "s.ron:1:", "did you mean `lanes`?"][..],
        ),
        (
            "\"m\": \"calm\"",
            &["no function `measure`", "scripts/calm.rhai:1:1", "returns a number"],
        ),
        ("\"m\": \"unknown\"", &["`now` has no element `lane`", "scripts/unknown.rhai:1:23"]),
        ("\"density\": \"lanes\"", &["there is a measure with this name already", "s.ron:1:"]),
        ("\"a.b\": \"lanes\"", &["the name of a measure cannot contain a dot"]),
        ("\"m\": \"lanes\", \"m\": \"none\"", &["s.ron:1:"]),
        ("\"m\": \"a b\"", &["`a b` cannot be the name of a script"]),
    ] {
        let errors = open("coast", "", &format!("measures: {{ {measures} }},"), "").err();
        let text = errors.unwrap()[0].to_string();
        for part in parts {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }
}

#[test]
fn a_failure_is_shown_where_the_expectation_is_written() {
    let expect = "NoJitter(reversals: 1, seconds: 9),\n MaxSpeed( // not that fast\n group: \"a\", speed: 4,),";
    let mut run = open("shake", "", "", expect).ok().unwrap();
    let written: Vec<String> = run.expectations().iter().map(ToString::to_string).collect();
    assert_eq!(written, ["NoJitter(reversals: 1, seconds: 9)", "MaxSpeed(group: \"a\", speed: 4)"]);
    let mut judge = run.judge();
    assert!(judge.failed(), "it fails at tick 0 already");
    for _ in 0..5 {
        run.step().unwrap();
        judge.tick(run.simulation());
    }
    let failures = judge.into_failures();
    assert_eq!(failures.len(), 1, "the other has not failed so far");
    let shown = failures[0].diagnostic(&run.expectations()[1]).to_string();
    for part in [
        "error: agent 0 (a) has speed 5 at tick 0; expected at most 4",
        "--> s.ron:8:2",
        "it fails in 6 ticks in all",
        "the worst value is 5, for agent 0 at tick 0",
    ] {
        assert!(shown.contains(part), "{part} is missing in\n{shown}");
    }
}

#[test]
fn scripts_that_cannot_serve_as_an_expectation_are_rejected_before_the_run() {
    for (name, parts) in [
        (
            "clam",
            &["no script for the expectation `clam`", "s.ron:7:14", "did you mean `calm`?"][..],
        ),
        ("coast", &["no function `expect`", "scripts/coast.rhai:1:1"]),
        // Caught: functions were listed that had not been written.
        ("states", &["no function `expect`", "known: calm, steer\n"]),
    ] {
        let errors = open("coast", "", "", &format!("Script(name: \"{name}\")")).err();
        let text = errors.unwrap()[0].to_string();
        for part in parts {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }
}
