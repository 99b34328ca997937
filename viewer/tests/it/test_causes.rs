//! `flockwork test` says what caused a difference.

use std::fs;

use crate::project::Project;
use crate::test::{WALK, change, passing_project};

#[test]
fn a_difference_is_shown_with_tick_agent_primitive_and_line() {
    let project = passing_project();
    if !project.commit() {
        return;
    }
    let script = "fn steer(me) {\n    vec(me.params.push, 0) + 0.5 * me.seek(vec(90, 90))\n}\n";
    fs::write(project.path(WALK), script).unwrap();
    let out = project.flockwork(&["test"]).says(1, &[]).out();
    for part in [
        "FAIL [",
        "the script `walk` has changed",
        "first difference  tick 1",
        "agent 0, position: was (1, 0)",
        "compared with     revision",
        "`seek` at scripts/walk.rhai:2:39: not called before",
        "deviation",
    ] {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
    project.flockwork(&["test", "--update"]).says(0, &[]);
    let out = project.flockwork(&["test", "--against", "HEAD"]).says(0, &[]).out();
    assert!(out.contains("1 passed"), "{out}");
    // The golden was written with files that are in no commit, so the message asks for a revision.
    change(&project, WALK, "0.5", "0.6");
    let out = project.flockwork(&["test"]).says(1, &[]).out();
    assert!(out.contains("name a revision with --against"), "{out}");
    let out = project.flockwork(&["test", "--against", "nothing"]).says(1, &[]).out();
    assert!(out.contains("there is no revision `nothing`"), "{out}");
    // A revision whose files give another golden cannot be compared with.
    let out = project.flockwork(&["test", "--against", "HEAD"]).says(1, &[]).out();
    assert!(out.contains("do not reproduce this golden"), "{out}");
}

/// A state that no force depends on differs, and no position does.
#[test]
fn a_difference_without_another_position_says_so() {
    let project = passing_project();
    let script = "fn steer(me) { me.state.n = 1; vec(me.params.push, 0) }";
    fs::write(project.path(WALK), script).unwrap();
    project.flockwork(&["test", "--update", "--reason", "state"]).says(0, &[]);
    change(&project, WALK, "n = 1", "n = 2");
    let none = "deviation         none, measured at each keyframe: no position differs there";
    let out = project.flockwork(&["test"]).says(1, &[]).out();
    assert!(out.contains(none), "{out}");
}

#[test]
fn without_a_history_the_new_forces_are_shown() {
    let project = passing_project();
    fs::write(project.path(WALK), "fn steer(me) { me.seek(vec(90, 90)) }").unwrap();
    let out = project.flockwork(&["test"]).says(1, &[]).out();
    for part in
        ["first difference  tick 1", "old forces        unknown", "seek ", "scripts/walk.rhai:1:19"]
    {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
}

/// Birds that flee from a hawk, with several settings to change.
const BIRDS: &str = r#"(
    seed: 1,
    dt: 0.05,
    ticks: 40,
    world: (size: (200, 200), edge: Wrap),
    groups: {
        "bird": (
            behavior: "bird",
            count: 6,
            spawn: Disc(center: (20, 100), radius: 15),
            velocity: (20, 0),
            body: (radius: 2, mass: 1, max_speed: 40, max_force: 90),
            params: { "fear": 70 },
        ),
        "hawk": (spawn: Points([(180, 100)]), velocity: (30, 0), body: (radius: 2, max_speed: 40)),
    },
)
"#;

const BIRD: &str = "fn steer(me) {
    let hawk = me.nearest(\"hawk\", me.params.fear);
    if hawk == () { me.wander() } else { 5 * me.evade(hawk) }
}
";

/// Returns the output of a failed test of the birds after a change in their scenario.
fn birds_after(from: &str, to: &str, is_committed: bool) -> Option<(Project, String)> {
    let project =
        Project::empty().with("scenarios/birds.ron", BIRDS).with("scripts/bird.rhai", BIRD);
    project.flockwork(&["test", "--update", "--reason", "new"]).says(0, &[]);
    if is_committed && !project.commit() {
        return None;
    }
    let file = if BIRDS.contains(from) { "scenarios/birds.ron" } else { "scripts/bird.rhai" };
    change(&project, file, from, to);
    let out = project.flockwork(&["test", "--junit", "junit.xml"]).says(1, &[]).out();
    Some((project, out))
}

/// Caught: the diagnosis said that the turn cannot be explained, where the agent had stopped or was gone.
#[test]
fn an_agent_that_has_stopped_or_is_gone_is_the_cause() {
    let walk = "fn steer(me) { if me.goal == () { vec(0, 0) } else { me.seek(me.goal) } }";
    let scenario = "(ticks: 300, world: (size: (200, 100), edge: Clamp), obstacles: { \"it\": Circle(center: (20, 90), radius: 2) }, groups: { \"w\": (behavior: \"walk\", spawn: Points([(20, 50)]), body: (radius: 3, max_speed: 50, max_force: 100), goals: [(at: (150, 50), radius: 8)], after_goals: Stop) })";
    for (from, to, cause) in [
        ("radius: 8", "radius: 11", "in the new run, the agent has stopped after its last goal;"),
        ("radius: 8", "radius: 5", "in the old run, the agent has stopped after its last goal;"),
        ("after_goals: Stop", "after_goals: Remove", "in the new run, there is no such agent;"),
    ] {
        let project =
            Project::empty().with("scripts/walk.rhai", walk).with("scenarios/w.ron", scenario);
        project.flockwork(&["test", "--update", "--reason", "new"]).says(0, &[]);
        if !project.commit() {
            return;
        }
        change(&project, "scenarios/w.ron", from, to);
        let out = project.flockwork(&["test"]).says(1, &[]).out();
        let line = out.lines().find(|line| line.starts_with("cause  ")).unwrap_or_default();
        assert!(line.contains(cause) && line.contains("of group `w`"), "{to}:\n{out}");
        assert!(!out.contains("not explained"), "{out}");
    }
}

/// Caught: the diagnosis blamed the script, or nothing, where only the scenario had changed.
#[test]
fn a_change_of_the_scenario_is_the_cause() {
    for (from, to, scenario, cause) in [
        (
            "max_force: 90",
            "max_force: 60",
            "`max_force` of group `bird` was 90, is 60",
            "the force is the same; `max_force` of group `bird` was 90, is 60",
        ),
        (
            "mass: 1",
            "mass: 2",
            "`mass` of group `bird` was 1, is 2",
            "the force is the same; `mass` of group `bird` was 1, is 2",
        ),
        (
            "dt: 0.05",
            "dt: 0.04",
            "`dt` was 0.05, is 0.04",
            "the force is the same; `dt` was 0.05, is 0.04",
        ),
        (
            "\"fear\": 70",
            "\"fear\": 5",
            "param `fear` of group `bird` was 70, is 5",
            "`hawk == ()` at scripts/bird.rhai:3:8 was false, is true; the scripts are the same, but param `fear` of group `bird` was 70, is 5",
        ),
        ("seed: 1", "seed: 2", "`seed` was 1, is 2", "the scenario: `seed` was 1, is 2"),
        (
            "count: 6",
            "count: 7",
            "`count` of group `bird` was 6, is 7",
            "the scenario: `count` of group `bird` was 6, is 7",
        ),
        (
            "edge: Wrap),",
            "edge: Bounce, way_cell: 5),",
            "`edge` was Wrap, is Bounce; `way_cell` was default, is 5",
            "the scripts are the same, but `edge` was Wrap, is Bounce; and 1 more",
        ),
        (
            "edge: Wrap",
            "edge: Bounce",
            "`edge` was Wrap, is Bounce",
            "the scripts are the same, but `edge` was Wrap, is Bounce",
        ),
        (
            "mass: 1, max_speed: 40, max_force: 90",
            "mass: 1, max_speed: 39, max_force: 60",
            "`max_speed` of group `bird` was 40, is 39; `max_force` of group `bird` was 90, is 60",
            "but `max_speed` of group `bird` was 40, is 39; and 1 more",
        ),
        (
            "velocity: (30, 0), body: (radius: 2, max_speed: 40)",
            "velocity: (29, 0), body: (radius: 2, max_speed: 45)",
            "`max_speed` of group `hawk` was 40, is 45; `velocity` of group `hawk` was (30, 0), is (29, 0)",
            "the scenario: `velocity` of group `hawk` was (30, 0), is (29, 0)",
        ),
    ] {
        let Some((project, out)) = birds_after(from, to, true) else { return };
        assert!(out.contains(&format!("\nscenario          {scenario}\n")), "{to}:\n{out}");
        let line = out.lines().find(|line| line.starts_with("cause  ")).unwrap_or_default();
        assert!(line.ends_with(cause), "{to}:\n{out}");
        assert!(!out.contains("the script itself"), "{out}");
        let is_start = out.contains("the start of the run");
        assert!(
            is_start || !out.contains(": velocity differs"),
            "its position differs too:\n{out}"
        );
        assert!(project.read("junit.xml").contains(cause), "{to}");
    }
    // A script that computes something itself, as before.
    let (from, to) = ("5 * me.evade(hawk)", "5 * me.evade(hawk) + vec(1, 0)");
    let Some((_, out)) = birds_after(from, to, true) else { return };
    assert!(out.contains("the same; the script itself computes something else\n"), "{out}");
    assert!(!out.contains("\nscenario "), "{out}");
    // If both have changed, neither is certain.
    let Some((project, _)) = birds_after("max_force: 90", "max_force: 60", true) else { return };
    change(&project, "scripts/bird.rhai", from, to);
    let out = project.flockwork(&["test"]).says(1, &[]).out();
    let either = "computes something else, or it is the scenario: `max_force` of group `bird` was 90, is 60\n";
    assert!(out.contains(either), "{out}");
    let (from, to) = ("5 * me.evade(hawk)", "6 * me.evade(hawk)");
    let Some((_, out)) = birds_after(from, to, true) else { return };
    for part in [
        "its weight was 5, is 6",
        "\nhow to read       * marks calls that differ, as old -> new; each bar is the largest",
    ] {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
}

#[test]
fn other_keyframes_name_the_field_that_changed_them() {
    for (from, to, parts) in [
        (
            "ticks: 40",
            "ticks: 60",
            ["every 2 ticks", "every 3: `ticks` (or `until` in `golden`) was 40, is 60"],
        ),
        (
            "ticks: 40",
            "ticks: 39",
            ["ends at tick 40", "up to tick 39: `ticks` (or `until` in `golden`) was 40, is 39"],
        ),
        (
            "ticks: 40,",
            "ticks: 40, golden: (mode: Windows(position: 1)),",
            ["every 2 ticks", "every 60: `mode` (or `every`) in `golden` has changed"],
        ),
        (
            "count: 6",
            "count: 90",
            [
                "every 2 ticks",
                "every 4: `every` in `golden` has changed, or, if it is not there, the number of agents",
            ],
        ),
    ] {
        let (_, out) = birds_after(from, to, false).unwrap();
        for part in parts {
            assert!(out.contains(part), "`{part}` is missing in\n{out}");
        }
    }
}

/// Caught: the forces and the command were about the first tick, of an agent that differed most only later.
#[test]
fn forces_without_an_old_run_are_about_the_tick_of_the_agent() {
    let (project, out) = birds_after("max_force: 90", "max_force: 60", false).unwrap();
    for part in [
        "first difference  tick 1 ",
        " at tick 2, the next one that the golden keeps: position differs by ",
        "forces            of tick 2, decided from what the agent knows after tick 1; a golden has the agents of some ticks only, so \
         it is not known which one differed first",
        " --tick 1\n",
        "\nhow to read       each bar is the largest distance at a tick that the golden keeps, relative to the highest bar\n",
    ] {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
    // If only one agent differs, it is the one that differed first.
    let edited = "if me.index == 3 { return vec(1, 1); }\n    let hawk = me";
    drop(project);
    let (_, out) = birds_after("let hawk = me", edited, false).unwrap();
    for part in [
        "in total          1 agent differs at tick 2",
        "of tick 1, decided from what the agent knows after tick 0\n",
        " --agent 3 --tick 0\n",
    ] {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
}
