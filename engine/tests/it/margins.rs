//! Margins of expectations: how far they are from failing.

use flockwork_engine::expect::Standing;

use crate::expect::open;

/// Runs the scenario and returns the margin of its only expectation: its value, its tick and its unit.
fn margin(script: &str, a: &str, more: &str, expect: &str) -> (Option<f32>, u64, &'static str) {
    let mut run = open(script, a, more, expect).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let mut judge = run.judge_with_margins();
    for _ in 0..run.ticks() {
        run.step().unwrap();
        judge.tick(run.simulation());
    }
    judge.end(run.simulation());
    let found = judge.margins()[0];
    (found.value, found.tick, found.unit)
}

#[test]
fn margins_say_how_far_an_expectation_is_from_failing() {
    let goals = "goals: [(at: (30, 10), radius: 3)],";
    let fast = "body: (radius: 2, max_speed: 5),";
    let wall = "obstacles: { \"wall\": Segment(from: (0, 60), to: (20, 60)) },";
    let path = "paths: { \"p\": (points: [(0, 10), (100, 10)], radius: 5) },";
    for (script, a, more, expect, value, tick, unit) in [
        // The fastest agent has the speed 5 at tick 0.
        ("coast", "", "", "MaxSpeed(speed: 7)", 2.0, 0, "world units/s"),
        ("coast", "", "", "MaxSpeed(speed: 4.5)", -0.5, 0, "world units/s"),
        ("speed_up", "", "", "MaxSpeed(speed: 20, group: \"a\")", -45.0, 20, "world units/s"),
        ("speed_up", "", "", "MaxAcceleration(acceleration: 4)", 1.0, 1, "world units/s^2"),
        ("turn", "", "", "MaxTurnRate(deg_per_s: 100)", 10.0, 6, "degrees/s"),
        // Agent 1 turns by a right angle on a way of 1.
        ("turn", "", "", "MinTurningRadius(radius: 1)", -0.36338025, 6, "world units"),
        // Pushed by 3 to the right, and in the rotated world by 3 along what was y: the root of 18.
        (
            "speed_up",
            "",
            "",
            "Symmetric(under: [Rotated], ticks: 1, tolerance: 5)",
            0.7573595,
            1,
            "world units",
        ),
        // Agent 0 stands on the agent of b at tick 8. Agent 1 passes the wall at tick 10.
        ("coast", "", "", "NoOverlap(tolerance: 7)", 2.0, 8, "world units"),
        ("coast", "", wall, "NoOverlap(groups: [\"a\"], tolerance: 4)", 2.0, 10, "world units"),
        ("coast", "", wall, "NoOverlap(groups: [\"b\"])", 55.30952, 0, "world units"),
        ("coast", "", "", "MinSeparation(groups: [\"a\"], distance: 30)", 10.0, 0, "world units"),
        ("coast", "", "", "MinSeparation(distance: 4)", -4.0, 8, "world units"),
        (
            "coast",
            "",
            "",
            "MinSeparation(between: (\"a\", \"b\"), distance: 4)",
            -4.0,
            8,
            "world units",
        ),
        (
            "coast",
            "",
            wall,
            "NoOverlap(between: (\"a\", \"b\"), tolerance: 7)",
            2.0,
            8,
            "world units",
        ),
        ("coast", "", "", "StayInside(min: (-7, 4), max: (120, 90))", 6.0, 0, "world units"),
        (
            "coast",
            "",
            "",
            "StayInside(group: \"a\", min: (0, 0), max: (60, 66))",
            -35.0,
            17,
            "world units",
        ),
        ("coast", "", path, "StayNearPath(path: \"p\", distance: 61)", 1.0, 20, "world units"),
        // Agent 1 needs 2 s for its radius, and agent 2 never moves.
        ("coast", "", "", "Progress(group: \"a\", seconds: 5)", 3.0, 1, "s"),
        ("coast", "", "", "Progress(seconds: 5, group: \"b\")", -16.0, 20, "s"),
        // Agents turn back at each of the ticks from 5 on.
        ("shake", "", "", "NoJitter(reversals: 4, seconds: 3)", 1.0, 7, "reversals"),
        ("shake", "", "", "NoJitter(reversals: 2, seconds: 5)", -1.0, 7, "reversals"),
        (
            "coast",
            "",
            "",
            "Throughput(from: (52, 0), to: (52, 20), at_least: 1, by: 12)",
            0.0,
            12,
            "agents",
        ),
        (
            "coast",
            "",
            "",
            "Throughput(from: (99, 20), to: (99, 0), at_least: 3)",
            -2.0,
            20,
            "agents",
        ),
        // It is within 3 at tick 4, which counts when the next tick begins.
        ("coast", goals, "", "Reach(group: \"a\", by: 12)", 7.0, 12, "s"),
        ("coast", goals, "", "Reach(group: \"a\")", 15.0, 20, "s"),
        // Agent 1 is at (10, 70), 44.72 away from the goal; without a top speed that takes as many seconds, minus the radius.
        ("coast", goals, "", "ReachAll(group: \"a\")", -41.72136, 20, "s"),
        ("coast", fast, "", "ReachAll(group: \"a\", at: (10, 10), radius: 2)", -7.6, 20, "s"),
        ("coast", fast, "", "Reach(group: \"a\", at: (98, 10), radius: 1, by: 0)", -2.2, 0, "s"),
        ("coast", "", "", "ReachAll(group: \"b\", at: (50, 10), radius: 1, by: 9)", 9.0, 9, "s"),
        ("coast", "", "", "Script(name: \"margin\", every: 5)", -4.75, 20, ""),
        ("coast", "", "", "Script(name: \"count\")", 1.0, 20, ""),
        ("coast", "", "", "Script(name: \"talks\")", -1.0, 20, ""),
        // The ways are 5 and 1 times the seconds. Two agents meet at tick 8.
        ("coast", "", "", "Script(name: \"total\", every: 7)", -31.0, 14, ""),
        ("coast", "", "", "Script(name: \"total\", every: 7, from: 0)", -31.0, 14, ""),
    ] {
        assert_eq!(margin(script, a, more, expect), (Some(value), tick, unit), "{expect}");
    }
    // Nothing is compared.
    for expect in ["AllFinite", "Script(name: \"calm\")", "MinTurningRadius(radius: 1)"] {
        assert_eq!(margin("coast", "", "", expect).0, None, "{expect}");
    }
    for one in ["groups: [\"b\"]", "between: (\"b\", \"b\")"] {
        let expect = format!("MinSeparation({one}, distance: 9)");
        assert_eq!(margin("coast", "", "", &expect).0, None, "{one}");
    }
}

/// Caught: the size of bodies counted with a tolerance, too, so that bodies that only touched had nearly failed.
#[test]
fn a_tolerance_says_which_overlap_has_nearly_failed() {
    // Agent 1 touches the wall at the last tick.
    let wall = "obstacles: { \"wall\": Segment(from: (0, 72), to: (20, 72)) },";
    for (tolerance, expected) in [("0", Standing::NearlyFailed), ("0.1", Standing::Passing)] {
        let expect = format!("NoOverlap(groups: [\"a\"], agents: false, tolerance: {tolerance})");
        let mut run = open("coast", "", wall, &expect).unwrap();
        let mut judge = run.judge_with_margins();
        while run.tick() < run.ticks() {
            run.step().unwrap();
            judge.tick(run.simulation());
        }
        judge.end(run.simulation());
        assert_eq!(judge.states()[0].standing, expected, "{tolerance}");
    }
}

#[test]
fn removed_agents_and_several_goals_count_in_the_margin_of_arrivals() {
    // The way of agent 1 leads from (10, 70) over two goals: 10 and 40, minus the radius of the last one.
    let goals =
        "body: (max_speed: 5), goals: [(at: (10, 80), radius: 1), (at: (50, 80), radius: 3)],";
    let all = "ReachAll(group: \"a\", by: 20)";
    // Agent 0 is back at (10, 10) then, and needs 30 for the first goal across the edge.
    assert_eq!(margin("coast", goals, "", all), (Some(-(30.0 + 37.0) / 5.0), 20, "s"));
    assert_eq!(margin("coast", goals, "", &all.replace("All", "")), (Some(-47.0 / 5.0), 20, "s"));
    let removed = "events: [At(tick: 3, do: Remove(group: \"a\", count: 1))],";
    assert_eq!(margin("coast", goals, removed, all), (Some(-20.0), 20, "s"), "the time of the run");
    let removed = removed.replace("count: 1", "count: 2");
    assert_eq!(margin("coast", goals, &removed, &all.replace("All", "")), (Some(-20.0), 20, "s"));
}

#[test]
fn the_latest_margin_is_that_of_the_last_tick() {
    let expect = "MaxSpeed(speed: 20, from: 2), Reach(group: \"a\", at: (50, 10), radius: 1)";
    let mut run = open("speed_up", "", "", expect).ok().unwrap();
    let mut judge = run.judge_with_margins();
    let mut latest = vec![judge.margins()[0].latest];
    let mut course = Vec::new();
    for _ in 0..4 {
        run.step().unwrap();
        judge.tick(run.simulation());
        latest.push(judge.margins()[0].latest);
        course.push(judge.latest_margin(1, run.simulation()).unwrap());
    }
    assert_eq!(latest, [None, None, Some(9.0), Some(6.0), Some(3.0)]);
    assert_eq!(judge.margins()[1].value, None, "not judged yet");
    judge.end(run.simulation());
    assert_eq!(judge.margins()[1].latest, Some(-9.0));
    // What would be missing if the run ended at each tick: the agent goes past the place.
    assert_eq!(course, [-31.0, -20.0, -6.0, -9.0]);
    assert_eq!(
        (course.last(), judge.latest_margin(1, run.simulation())),
        (Some(&-9.0), Some(-9.0))
    );
    assert_eq!(judge.latest_margin(0, run.simulation()), Some(3.0));
    let plain = run.judge();
    assert!(plain.margins().iter().all(|margin| margin.value.is_none()));
}
