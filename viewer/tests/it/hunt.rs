//! `flockwork hunt` and `flockwork test --hunt`.

use crate::project::Project;

/// Walkers who never look at each other.
const BLIND: &str = "fn steer(me) { me.seek(me.goal) }\n";

const WALKERS: &str = r#"(
    ticks: 300,
    world: (size: (160, 90)),
    groups: {
        "east": (
            behavior: "blind", count: 3, spawn: Rect(min: (5, 10), max: (35, 80)), velocity: (10, 0),
            body: (radius: 1.5, max_speed: 20, max_force: 60), goals: [(at: (150, 45), radius: 5)], after_goals: Remove,
        ),
        "west": (
            behavior: "blind", count: 1, spawn: Points([(150, 80)]), velocity: (-10, 0),
            body: (radius: 1.5, max_speed: 20, max_force: 60), goals: [(at: (10, 80), radius: 5)], after_goals: Remove,
        ),
    },
    expect: [NoOverlap(groups: ["east", "west"])],
)
"#;

fn walkers() -> Project {
    Project::empty().with("scenarios/walkers.ron", WALKERS).with("scripts/blind.rhai", BLIND)
}

#[test]
fn what_is_found_is_a_scenario_that_fails_until_the_repair() {
    let project = walkers();
    let args = ["hunt", "scenarios/walkers.ron", "--runs", "100", "--json"];
    let answer = project.flockwork(&args).says(1, &[]);
    let report: serde_json::Value = serde_json::from_str(&answer.out()).unwrap();
    let found = &report["failures"][0];
    assert_eq!(found["expectation"], 1);
    assert!(found["margin"].as_f64().unwrap() < 0.0, "{found}");
    // Caught: the smallest margin was that of the runs in which nothing failed.
    let smallest = report["expectations"][0]["smallest_margin"].as_f64();
    assert!(smallest.unwrap() < 0.0, "{report}");
    assert!(found["after"]["agents"].as_u64().unwrap() <= 2, "{found}");
    let file = found["file"].as_str().unwrap();
    assert_eq!(file, "scenarios/walkers.hunt/failure-1.ron");
    let text = project.read(file);
    assert!(
        text.starts_with("// Found by `flockwork hunt`: this start breaks NoOverlap("),
        "{text}"
    );
    let golden = file.replace(".ron", ".golden");
    assert!(!project.path(&golden).exists());
    let message = found["message"].as_str().unwrap();
    let tested = project.flockwork(&["test", file]).says(1, &[]);
    assert!(tested.out().contains(message), "{}", tested.out());
    // Caught: a golden of the failure differed from the repaired run, so that the test failed for ever.
    let project = project.with("scripts/blind.rhai", POLITE);
    project.flockwork(&["test", file]).says(0, &[]);
    let update = ["test", file, "--update", "--reason", "repaired"];
    project.flockwork(&update).says(0, &[]);
    assert!(project.read(&golden).contains("repaired"));
    project.flockwork(&["test", file]).says(0, &[]);
}

/// Goldens that hunts wrote at first go with the failure that they belong to, and only these.
#[test]
fn a_golden_that_a_hunt_has_written_is_removed() {
    let project = walkers();
    let hunt = ["hunt", "scenarios/walkers.ron", "--runs", "100"];
    project.flockwork(&hunt).says(1, &[]);
    let (file, golden) =
        ("scenarios/walkers.hunt/failure-1.ron", "scenarios/walkers.hunt/failure-1.golden");
    let project = project.with("scripts/blind.rhai", POLITE);
    let update = ["test", file, "--update", "--reason", "found by a hunt"];
    project.flockwork(&update).says(0, &[]);
    assert!(project.path(golden).exists());
    let project = project.with("scripts/blind.rhai", BLIND);
    project.flockwork(&hunt).says(1, &[]);
    assert!(!project.path(golden).exists());
}

/// Caught: starts with another script than the one that the scenario names could not be used.
#[test]
fn listed_behaviors_are_hunted() {
    let plan = |second: &str| {
        format!(
            "(scenario: \"scenarios/walkers.ron\", vary: {{ \"groups.east.behavior\": List([\"blind\", \"{second}\"]) }})"
        )
    };
    let project = walkers()
        .with("scripts/lost.rhai", "fn steer(me) { me.goal.no_such_thing() }\n")
        .with("a.plan.ron", plan("lost"))
        .with("b.plan.ron", plan("missing"));
    let hunt = |plan: &str| {
        project.flockwork(&["hunt", "scenarios/walkers.ron", "--runs", "20", "--plan", plan])
    };
    hunt("a.plan.ron").says(2, &["`groups.east.behavior` cannot be \"lost\"", "no_such_thing"]);
    hunt("b.plan.ron").says(2, &["no script for the behavior `missing`"]);
    let project = project.with("scripts/lost.rhai", "fn steer(me) { throw \"lost\" }\n");
    let out = project
        .flockwork(&["hunt", "scenarios/walkers.ron", "--runs", "20", "--plan", "a.plan.ron"])
        .says(1, &[])
        .out();
    assert!(out.contains("lost.rhai:1:16") && !out.contains("could not be used"), "{out}");
}

#[test]
fn what_cannot_be_hunted_is_an_error() {
    let project = walkers().with(
        "scenarios/free.ron",
        WALKERS.replace("expect: [NoOverlap(groups: [\"east\", \"west\"])],", ""),
    );
    project
        .flockwork(&["hunt", "scenarios/free.ron"])
        .says(2, &["has no expectations", "say what must hold"]);
    let scenario = "scenarios/walkers.ron";
    project
        .flockwork(&["hunt", scenario, "--expect", "NoOverlop"])
        .says(2, &["did you mean `NoOverlap`?"]);
    project
        .flockwork(&["hunt", scenario, "--vary", "groups.east.counts=1..5"])
        .says(2, &["unknown field `counts`", "--vary:1:1"]);
    project
        .flockwork(&["hunt", scenario, "--vary", "ticks"])
        .says(2, &["`=` and a range are missing"]);
    let out = ["hunt", scenario, "--out", scenario];
    project.flockwork(&out).says(2, &["is not a scenario that a hunt has written"]);
    assert_eq!(project.read(scenario), WALKERS);
}

#[test]
fn tests_can_hunt_too() {
    let project = walkers();
    let scenario = "scenarios/walkers.ron";
    let calm = WALKERS.replace("NoOverlap(groups: [\"east\", \"west\"])", "AllFinite");
    let calm = walkers().with(scenario, calm);
    let hunt = ["test", scenario, "--hunt", "50", "--hunt-seed", "1"];
    calm.flockwork(&hunt).says(0, &[]);
    let tested = project.flockwork(&hunt).says(1, &[]);
    let again = "flockwork hunt scenarios/walkers.ron --runs 50 --seed 1";
    assert!(tested.out().contains(again), "{}", tested.out());
    project.flockwork(&again.split(' ').skip(1).collect::<Vec<_>>()).says(1, &[]);
}

/// Caught: a failure that somebody had edited was replaced, and so was the failure of another expectation, with their goldens.
#[test]
fn only_failures_as_a_hunt_wrote_them_are_replaced() {
    let project = walkers();
    let scenario = "scenarios/walkers.ron";
    let file = |number: u32| format!("scenarios/walkers.hunt/failure-{number}.ron");
    let hunt = |project: &Project| {
        project.flockwork(&["hunt", scenario, "--runs", "100"]).says(1, &[]).out()
    };
    hunt(&project);
    let first = project.read(&file(1));
    hunt(&project);
    assert!(project.read(&file(1)) == first && !project.path(&file(2)).exists());
    let edited = format!("{first}// What I found out\n");
    std::fs::write(project.path(&file(1)), &edited).unwrap();
    let kept = "kept scenarios/walkers.hunt/failure-1.ron, since it has been changed";
    let out = hunt(&project);
    assert!(out.contains(kept) && out.contains(&file(2)), "{out}");
    assert!(project.read(&file(1)) == edited && project.read(&file(2)) == first);
    let out = ["hunt", scenario, "--runs", "100", "--out", &file(1)];
    project.flockwork(&out).says(2, &["failure-1.ron: the file there has been changed"]);
    assert_eq!(project.read(&file(1)), edited);
    // Another expectation fails.
    std::fs::write(
        project.path(scenario),
        WALKERS.replace("NoOverlap(", "NoOverlap(agents: true, "),
    )
    .unwrap();
    let out = hunt(&project);
    assert!(out.contains("failure-2.ron, since it has another failure"), "{out}");
    assert!(project.read(&file(2)) == first && project.path(&file(3)).exists());
    // A golden that somebody has accepted is kept, too.
    let standing = "fn steer(me) { -3 * me.vel }\n";
    let project = project.with("scripts/blind.rhai", standing);
    let accept = ["test", "--update", &file(3), "--reason", "right now"];
    project.flockwork(&accept).says(0, &[]);
    let project = project.with("scripts/blind.rhai", BLIND);
    let golden = project.read(&file(3).replace(".ron", ".golden"));
    assert!(golden.contains("right now"), "{golden}");
    assert!(hunt(&project).contains(&file(4)));
    assert_eq!(project.read(&file(3).replace(".ron", ".golden")), golden);
    // Caught: so was a failure that was kept as a test.
    if project.commit() {
        let out = hunt(&project);
        assert!(out.contains("failure-4.ron, since it has been added to Git"), "{out}");
        assert!(project.path(&file(5)).exists());
    }
}

/// Caught: the hunt wrote as many places as were written, whatever the count was.
#[test]
fn a_count_that_varies_as_a_value_keeps_the_area_of_the_spawn() {
    let vary = "groups.east.count=1..5";
    let hunt = ["hunt", "scenarios/walkers.ron", "--runs", "200", "--vary", vary];
    let out = walkers().flockwork(&hunt).says(1, &[]).out();
    assert!(!out.contains("`spawn` lists"), "{out}");
}

/// Caught: the scenario was said to fail if only a law failed that the hunt tries of its own accord, and expectations
/// that did not count were listed without a margin.
#[test]
fn the_report_says_what_fails() {
    let side =
        "fn steer(me) { me.seek(me.goal) + 0.3 * me.flee(me.neighbors(80).first ?? me.pos) }\n";
    let calm = WALKERS
        .replace("NoOverlap(groups: [\"east\", \"west\"])", "MaxSpeed(speed: 30), AllFinite");
    let project = walkers().with("scripts/blind.rhai", side).with("scenarios/walkers.ron", calm);
    let hunt = |options: &[&str]| {
        let args = ["hunt", "scenarios/walkers.ron", "--runs", "20"];
        project.flockwork(&[args.as_slice(), options].concat())
    };
    project.flockwork(&["test", "scenarios/walkers.ron"]).says(0, &[]);
    let out = hunt(&[]).says(1, &[]).out();
    assert!(
        out.starts_with("found nothing in 21 runs, but a law of symmetry that the hunt tries"),
        "{out}"
    );
    assert!(out.contains("the scenario breaks one as it is"), "{out}");
    let out = hunt(&["--expect", "1"]).says(0, &[]).out();
    assert!(out.contains("  1. MaxSpeed(") && !out.contains("2. AllFinite"), "{out}");
}

/// Walkers that step aside.
const POLITE: &str = "fn steer(me) {
    let other = me.neighbors(15).nearest;
    me.seek(me.goal) + if other == () { vec(0, 0) } else { 4 * me.flee(other) }
}
";

#[test]
fn a_hunt_against_another_version_finds_what_that_does_right() {
    let project = walkers().with("polite/blind.rhai", POLITE).with("empty/readme.txt", "");
    let scenario = "scenarios/walkers.ron";
    let hunt = |against: &str| {
        project.flockwork(&["hunt", scenario, "--runs", "100", "--against", against])
    };
    let answer = hunt("polite").says(1, &["scenarios/walkers.hunt/failure-1.ron now: agent "]);
    let text = project.read("scenarios/walkers.hunt/failure-1.ron");
    assert!(text.contains(" --against polite\n"), "{text}");
    assert!(answer.out().contains("found a failure in "), "{}", answer.out());
    // The failure is that of the present scripts.
    let file = "scenarios/walkers.hunt/failure-1.ron";
    let polite = Project::empty().with(file, text).with("scripts/blind.rhai", POLITE);
    polite.flockwork(&["test", file]).says(0, &[]);
    hunt("scripts").says(2, &["the other version has the same scripts", "HEAD~1"]);
    hunt("empty").says(2, &["there are no scripts in empty", "name a folder with scripts"]);
    hunt("nowhere").says(2, &["there is no folder `nowhere` either"]);
}

#[test]
fn a_hunt_against_a_revision_uses_its_scripts() {
    let project = walkers().with("scripts/blind.rhai", POLITE);
    if !project.commit() {
        return;
    }
    let scenario = "scenarios/walkers.ron";
    let hunt = |against: &str| {
        project.flockwork(&["hunt", scenario, "--runs", "100", "--against", against])
    };
    hunt("HEAD").says(2, &["the other version has the same scripts"]);
    std::fs::write(project.path("scripts/blind.rhai"), BLIND).unwrap();
    assert!(hunt("HEAD").says(1, &[]).out().contains("NoOverlap("));
    hunt("no-such").says(2, &["there is no revision `no-such`", "there is no folder"]);
    let longer = WALKERS.replace("\"blind\", count: 1", "\"newer\", count: 1");
    std::fs::write(project.path(scenario), longer).unwrap();
    std::fs::write(project.path("scripts/newer.rhai"), BLIND).unwrap();
    hunt("HEAD").says(2, &["no script for the behavior `newer`", "this is the other version"]);
}
