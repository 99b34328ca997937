//! `flockwork test`, as people and CI services use it.

use std::fs;
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::project::{Project, names, skipped};

/// Returns a project with one scenario, which passes.
fn passing_project() -> Project {
    let project = Project::two();
    project.flockwork(&["test", "--update", "--reason", "it is new"]).says(0, &[]);
    project
}

/// Replaces a text in a file of a project.
fn change(project: &Project, file: &str, from: &str, to: &str) {
    let text = project.read(file);
    assert!(text.contains(from), "{from} is not in {file}");
    fs::write(project.path(file), text.replace(from, to)).unwrap();
}

const WALK: &str = "scripts/walk.rhai";
const GOLDEN: &str = "scenarios/two.golden";

#[test]
fn a_golden_is_written_once_and_then_compared_with() {
    let project = Project::two();
    let answer = project.flockwork(&["test"]);
    let out = answer.says(1, &[]).out();
    for part in ["UNTESTED [", "scenarios/two.ron", "neither a golden nor expectations"] {
        assert!(out.contains(part), "{out}");
    }
    let out =
        project.flockwork(&["test", "--update", "--reason", "it is \"new\""]).says(0, &[]).out();
    assert!(out.contains("NEW [") && out.contains("1 golden written"), "{out}");
    assert!(project.read(GOLDEN).contains("reason \"it is \\\"new\\\"\""));
    let out = project.flockwork(&["test"]).says(0, &[]).out();
    assert!(out.contains("PASS [") && out.contains("1 passed, 0 failed"), "{out}");
    // A golden that would be the same is not written.
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    let golden = fs::File::options().write(true).open(project.path(GOLDEN)).unwrap();
    golden.set_modified(long_ago).unwrap();
    let before = golden.metadata().unwrap().modified().unwrap();
    let out = project.flockwork(&["test", "--update", "--reason", "other"]).says(0, &[]).out();
    assert!(out.contains("note: no golden written: all runs equal their goldens\n"), "{out}");
    assert_eq!(fs::metadata(project.path(GOLDEN)).unwrap().modified().unwrap(), before);
}

#[test]
fn a_golden_is_no_scenario_to_run() {
    let project = passing_project();
    let parts = [
        "scenarios/two.golden is a golden, and not a scenario",
        "name its scenario: scenarios/two.ron",
    ];
    project.flockwork(&["run", GOLDEN]).says(2, &parts);
}

/// Caught: a golden that was accepted in a review without a reason lost the one that it had.
#[test]
fn goldens_keep_their_reason_until_there_is_a_new_one() {
    let project = passing_project();
    for (speed, arguments, reason) in [
        (2, vec!["--review"], "it is new"),
        (3, vec!["--update"], "it is new"),
        (4, vec!["--review", "--reason", "faster"], "faster"),
        (5, vec!["--update", "--reason", ""], ""),
    ] {
        let before = project.read(GOLDEN);
        fs::write(project.path(WALK), format!("fn steer(me) {{ vec(0, {speed}) }}")).unwrap();
        let done = project.command(&["test"]).args(&arguments).stdin("a\n").output().unwrap();
        let out = String::from_utf8(done.stdout).unwrap();
        assert!(done.status.success(), "{arguments:?}: {out}");
        assert!(out.contains("1 golden written") && !out.contains("note: no golden"), "{out}");
        let golden = project.read(GOLDEN);
        assert_ne!(golden, before);
        assert!(golden.contains(&format!("\nreason \"{reason}\"\n")), "{arguments:?}: {golden}");
    }
}

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
        " at tick 2, the next keyframe: position differs by ",
        "forces            computed from the state after tick 1; a golden has agents only at keyframes, so it is \
         not known which one differed first",
        " --tick 1\n",
        "\nhow to read       each bar is the largest distance at a keyframe, relative to the highest bar\n",
    ] {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
    // If only one agent differs, it is the one that differed first.
    let edited = "if me.index == 3 { return vec(1, 1); }\n    let hawk = me";
    drop(project);
    let (_, out) = birds_after("let hawk = me", edited, false).unwrap();
    for part in [
        "in total          1 agent differs at tick 2",
        "the state after tick 0\n",
        " --agent 3 --tick 0\n",
    ] {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
}

#[test]
fn changed_comments_and_spacing_pass_with_a_note() {
    let project = passing_project();
    let before = project.read(GOLDEN);
    change(&project, WALK, "{ vec", "{   /* so */ vec");
    let out = project.flockwork(&["test"]).says(0, &[]).out();
    assert!(out.contains("note: ") && out.contains("`walk` has changed"), "{out}");
    let out = project.flockwork(&["test", "--update"]).says(0, &[]).out();
    assert!(out.contains("UPDATED"), "{out}");
    let after = project.read(GOLDEN);
    let differ = before.lines().zip(after.lines()).filter(|(a, b)| a != b);
    let words: Vec<&str> = differ.map(|(_, b)| b.split(' ').next().unwrap()).collect();
    assert_eq!(words, ["script", "end"], "{after}");
}

/// Caught: `--update` said "0 agent-ticks per second" where it only wrote new goldens.
#[test]
fn the_rate_counts_the_runs_that_write_goldens() {
    let project = Project::two();
    let out = project.flockwork(&["test", "--update"]).says(0, &[]).out();
    let rate = out.split(" s (").nth(1).and_then(|rest| rest.split(" agent-ticks").next());
    assert!(rate.is_some_and(|rate| rate.parse::<f64>().unwrap() > 0.0), "{out}");
}

#[test]
fn broken_goldens_are_errors_and_can_be_updated() {
    let project = passing_project();
    let text = project.read(GOLDEN);
    let line = text.lines().find(|line| line.starts_with("0 walkers")).unwrap();
    for (broken, part) in [
        (String::new(), "two.golden is empty"),
        (text[..text.len() * 2 / 3].to_owned(), "cut off"),
        (text.replacen(line, "0 walkers 0 7 7 7 7", 1), "was changed after it was written"),
        (format!("<<<<<<< ours\n{text}=======\n{text}>>>>>>> theirs\n"), "merge conflict"),
    ] {
        fs::write(project.path(GOLDEN), broken).unwrap();
        let out = project.flockwork(&["test"]).says(1, &[]).out();
        assert!(out.contains(part) && out.contains("flockwork test --update"), "{out}");
        project.flockwork(&["test", "--update", "--reason", "it is new"]).says(0, &[]);
        assert_eq!(project.read(GOLDEN), text);
    }
    // A golden of a later version is not replaced.
    let newer = text.replacen("golden 1", "golden 2", 1);
    fs::write(project.path(GOLDEN), &newer).unwrap();
    let out = project.flockwork(&["test", "--update"]).says(1, &[]).out();
    assert!(out.contains("use a newer Flockwork"), "{out}");
    assert_eq!(project.read(GOLDEN), newer);
}

#[test]
fn goldens_of_another_scenario_are_errors() {
    let project = passing_project();
    let text = project.read("scenarios/two.ron");
    let golden = project.read(GOLDEN);
    let project = project
        .with("scenarios/other.ron", &text)
        .with("scenarios/other.golden", &golden)
        .with("scenarios/gone.golden", &golden);
    let answer = project.flockwork(&["test"]);
    let out = answer.says(1, &["gone.golden has no scenario"]).out();
    assert!(out.contains("the golden belongs to the scenario `two`, not to `other`"), "{out}");
    fs::remove_file(project.path("scenarios/other.ron")).unwrap();

    let third = "Points([(0, 0), (0, 10), (0, 20)])";
    change(&project, "scenarios/two.ron", "Points([(0, 0), (0, 10)])", third);
    let out = project.flockwork(&["test"]).says(1, &[]).out();
    for part in ["tick 0 (0 s), the start", "unexpected        agent 2"] {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
    change(&project, "scenarios/two.ron", "\"walkers\"", "\"people\"");
    let out = project.flockwork(&["test"]).says(1, &[]).out();
    assert!(out.contains("has the groups walkers, but the scenario has people"), "{out}");
}

#[test]
fn runs_that_fail_and_expectations_that_do_not_hold_write_no_golden() {
    let project = passing_project();
    let golden = project.read(GOLDEN);
    change(
        &project,
        "scenarios/two.ron",
        "    ticks: 10,",
        "    ticks: 10,\n    expect: [MaxSpeed(speed: 5)],",
    );
    let out = project.flockwork(&["test", "--update"]).says(1, &[]).out();
    assert!(out.contains("scenarios/two.ron:5:") && out.contains("agent 0"), "{out}");
    assert!(out.contains("two.ron: golden not written: an expectation fails\n"), "{out}");
    assert_eq!(project.read(GOLDEN), golden);
    let out = project.flockwork(&["test"]).says(1, &[]).out();
    assert!(!out.contains("not written"), "{out}");
    fs::write(project.path(WALK), "fn steer(me) {\n    throw \"no\";\n}").unwrap();
    let out = project.flockwork(&["test", "--update"]).says(1, &[]).out();
    assert!(out.contains("scripts/walk.rhai:2:"), "{out}");
    assert!(out.contains("two.ron: golden not written: there is an error\n"), "{out}");
    fs::write(project.path(WALK), "fn steer(me) {").unwrap();
    let out = project.flockwork(&["test", "--update"]).says(1, &[]).out();
    assert!(out.contains("scripts/walk.rhai:1:"), "{out}");
    assert_eq!(project.read(GOLDEN), golden);
}

#[test]
fn scenarios_are_selected() {
    let two = Project::two().read("scenarios/two.ron");
    let mut project = Project::two();
    for i in 0..9 {
        project = project.with(&format!("scenarios/more/s{i}.ron"), &two);
    }
    let list = |args: &[&str]| {
        let mut all = vec!["test", "--list"];
        all.extend(args);
        let out = project.flockwork(&all).says(0, &[]).out();
        out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(list(&[]).len(), 10);
    assert_eq!(
        list(&["--filter", "s3", "--filter", "two"]),
        ["scenarios/more/s3.ron", "scenarios/two.ron"]
    );
    assert_eq!(list(&["scenarios/two.ron"]), ["scenarios/two.ron"]);
    let mut parts: Vec<String> =
        (1..=3).flat_map(|i| list(&["--shard", &format!("{i}/3")])).collect();
    parts.sort_unstable();
    assert_eq!(parts, list(&[]));
}

#[test]
fn an_empty_shard_passes_and_says_that_it_is_empty() {
    let project = passing_project();
    let answer = project.flockwork(&["test", "--shard", "2/3", "--junit", "out.xml"]);
    let answer =
        answer.says(0, &["warning", "shard 2/3 is empty: there is 1 scenario for 3 shards"]);
    assert!(answer.out().contains("0 scenarios: 0 passed, 0 failed"));
    assert!(project.read("out.xml").contains("tests=\"0\""));
    project.flockwork(&["test", "--shard", "1/3"]).says(0, &[]);
}

#[test]
fn shards_cost_about_the_same() {
    let two = Project::two().read("scenarios/two.ron");
    let long = two.replace("ticks: 10,", "ticks: 100,");
    let mut project = Project::two().with("scenarios/a_long.ron", long);
    for i in 0..5 {
        project = project.with(&format!("scenarios/s{i}.ron"), &two);
    }
    let list = |shard: &str| {
        let args = ["test", "--list", "--shard", shard];
        let out = project.flockwork(&args).says(0, &[]).out();
        out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(list("1/2"), ["scenarios/a_long.ron"]);
    assert_eq!(list("2/2").len(), 6);
}

#[test]
fn a_test_that_fails_names_the_next_commands() {
    let project = passing_project();
    let text = project.read("scenarios/two.ron");
    let project = project.with("scenarios/my own.ron", text);
    change(&project, WALK, "vec(me.params.push, 0)", "vec(0, 5)");
    let out = project.flockwork(&["test"]).says(1, &[]).out();
    for part in [
        "\nexplain           flockwork explain scenarios/two.ron --agent 0 --tick 0\n",
        "\nreview            flockwork test --review scenarios/two.ron\n",
        "\naccept            flockwork test --update scenarios/two.ron --reason \"...\"\n",
        // Without a golden there is nothing to review.
        "\naccept            flockwork test --update 'scenarios/my own.ron' --reason \"...\"\n",
    ] {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
    assert_eq!(out.matches("\nreview  ").count(), 1, "{out}");
    // These commands work.
    project
        .flockwork(&["explain", "scenarios/two.ron", "--agent", "0", "--tick", "0"])
        .says(0, &[]);
    project.flockwork(&["test", "--update", "scenarios/two.ron", "--reason", "..."]).says(0, &[]);
    // A failed expectation cannot be accepted.
    change(
        &project,
        "scenarios/two.ron",
        "    ticks: 10,",
        "    ticks: 10,\n    expect: [MaxSpeed(speed: 5)],",
    );
    let args = ["test", "scenarios/two.ron"];
    let out = project.flockwork(&args).says(1, &[]).out();
    assert!(
        out.contains("explain           flockwork explain scenarios/two.ron --agent "),
        "{out}"
    );
    assert!(!out.contains("\naccept  "), "{out}");
}

#[test]
fn text_junit_and_exit_code_agree_on_every_outcome() {
    let project = Project::two();
    let test = |project: &Project, code: i32| {
        let answer = project.flockwork(&["test", "--junit", "out.xml"]);
        (answer.says(code, &[]).out(), project.read("out.xml"))
    };
    let (out, xml) = test(&project, 1);
    assert!(out.contains("UNTESTED [") && out.contains("0 passed, 0 failed, 1 untested"), "{out}");
    assert!(
        xml.contains("failures=\"1\" errors=\"0\"") && xml.contains("type=\"untested\""),
        "{xml}"
    );
    assert!(xml.contains("message=\"it has neither a golden nor expectations"));
    project.flockwork(&["test", "--update"]).says(0, &[]);
    let (_, xml) = test(&project, 0);
    assert!(xml.contains("failures=\"0\" errors=\"0\""), "{xml}");
    // A turn that fails, and a script that cannot be read.
    for script in ["fn steer(me) {\n    throw \"no\";\n}", "fn steer(me) {"] {
        fs::write(project.path(WALK), script).unwrap();
        let (out, xml) = test(&project, 1);
        assert!(
            out.contains("ERROR [") && out.contains("0 passed, 0 failed, 1 with an error"),
            "{out}"
        );
        assert!(xml.contains("failures=\"0\" errors=\"1\"") && xml.contains("<error"), "{xml}");
    }
}

#[test]
fn results_are_written_for_a_ci_service() {
    let project = passing_project();
    let two = project.read("scenarios/two.ron");
    let project = project.with("scenarios/new.ron", two);
    change(
        &project,
        WALK,
        "vec(me.params.push, 0)",
        "if 1 < 2 && 3 > 2 { vec(9, 0) } else { vec(0, 0) }",
    );
    project.flockwork(&["test", "--junit", "out.xml"]).says(1, &[]);
    let xml = project.read("out.xml");
    for part in [
        "<testsuites",
        "tests=\"2\"",
        "failures=",
        "name=\"scenarios/two.ron\" classname=\"scenarios\"",
        "file=\"scenarios/two.ron\"",
        "timestamp=\"20",
        "<failure",
    ] {
        assert!(xml.contains(part), "`{part}` is missing in\n{xml}");
    }
}

#[test]
fn differences_can_be_reviewed_one_by_one() {
    let project = passing_project();
    let two = project.read("scenarios/two.ron");
    let project = project.with("scenarios/a.ron", two);
    let before = project.read(GOLDEN);
    fs::write(project.path(WALK), "fn steer(me) { vec(0, 3) }").unwrap();
    let review = |answers: &str| {
        let done =
            project.command(&["test", "--review", "--reason", "faster"]).stdin(answers).output();
        let done = done.unwrap();
        let out = String::from_utf8(done.stdout).unwrap();
        (done.status.code().unwrap(), out)
    };
    let (code, out) = review("x\nh\nr\ns\n");
    assert_eq!(code, 1, "{out}");
    for part in [
        "1 of 2: scenarios/a.ron",
        "2 of 2: scenarios/two.ron",
        "`x` is not one of the answers",
        "first difference",
        "0 accepted, 1 rejected, 1 left open",
    ] {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
    assert_eq!(project.read(GOLDEN), before);
    assert!(!project.path("scenarios/a.golden").exists());
    let (code, out) = review("n\nq\n");
    assert!(code == 1 && out.contains("0 accepted, 1 rejected, 1 left open"), "{out}");
    // Not a terminal: there is no picture.
    assert!(!out.contains('\u{1b}'), "{out}");
    let (code, out) = review("s\ny\n");
    assert_eq!(code, 1, "{out}");
    assert!(project.read(GOLDEN).contains("reason \"faster\""));
    // At the end of the input, the remaining goldens stay as they are.
    assert_eq!(review("").0, 1);
    assert_eq!(review("a\n").0, 0);
    let (code, out) = review("");
    assert!(code == 0 && out.contains("nothing to review"), "{out}");
}

#[test]
fn mutations_that_no_test_notices_are_listed() {
    let project = Project::two_with(
        "fn steer(me) {\n    let far = 1000;\n    if me.pos.x > far { return vec(7, 0); }\n    vec(me.params.push + 2.5, 0)\n}\n",
    );
    change(&project, "scenarios/two.ron", "max_speed: 20", "max_speed: 90");
    project.flockwork(&["test", "--update"]).says(0, &[]);
    let out = project.flockwork(&["test", "--mutate"]).says(1, &[]).out();
    for part in [
        "not noticed: scripts/walk.rhai:3:36: 7 -> 0",
        "not noticed: scripts/walk.rhai:2:15: 1000 -> 500.0",
        "changes tried",
    ] {
        assert!(out.contains(part) || part.contains("1000"), "`{part}` is missing in\n{out}");
    }
    assert!(!out.contains("2.5 ->"), "{out}");
    change(&project, WALK, "2.5", "2.6");
    project.flockwork(&["test", "--mutate"]).says(2, &["two.ron fails without any change"]);
}

#[test]
fn a_report_is_written() {
    let project = passing_project();
    change(&project, WALK, "vec(me.params.push, 0)", "me.seek(vec(90, 90))");
    project.flockwork(&["test", "--report", "out/page"]).says(1, &["out/page/index.html"]);
    assert!(project.read("out/page/index.html").contains("scenarios/two.ron"));
    let cause = "\"cause\":\"differs from its golden from tick 1 on";
    assert!(project.read("out/page/index.html").contains(cause));
    assert_eq!(names(&project.path("out/page")), ["index.html", "scenarios-two.ron.png"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_to_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::two();
    let folder = project.path("scenarios");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.join("probe"), "").is_ok() {
        skipped("nothing is forbidden to this user");
        fs::remove_file(folder.join("probe")).unwrap();
    } else {
        let out = project.flockwork(&["test", "--update"]).says(1, &[]).out();
        assert!(out.contains("cannot write scenarios/two.golden: permission denied"), "{out}");
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn concurrent_and_killed_updates_leave_complete_goldens() {
    let project = passing_project();
    let whole = project.read(GOLDEN);
    change(&project, "scenarios/two.ron", "ticks: 10,", "ticks: 20000,");
    let start = || {
        Command::new(snapbox::cmd::cargo_bin!("flockwork"))
            .args(["test", "--update"])
            .current_dir(project.path(""))
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut killed = start();
    // Wait until it is in the middle of writing.
    while names(&project.path("scenarios")).iter().all(|name| !name.ends_with(".part")) {
        if killed.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::yield_now();
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let now = project.read(GOLDEN);
    assert!(now == whole || now.trim_end().lines().next_back().unwrap().starts_with("end "));
    let all: Vec<_> = (0..3).map(|_| start()).collect();
    for mut one in all {
        assert!(one.wait().unwrap().success());
    }
    project.flockwork(&["test"]).says(0, &[]);
    let left = names(&project.path("scenarios"));
    let parts = left.iter().filter(|name| name.ends_with(".part")).count();
    assert!(parts <= 1, "only the killed update leaves an unfinished file: {left:?}");
}
