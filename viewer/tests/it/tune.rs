//! `flockwork tune`.

use serde_json::Value;

use crate::project::Project;

const FLOCK: &str = r#"// Sixty birds.
(
    seed: 1,
    ticks: 60,
    world: (size: (200, 200), edge: Wrap),
    groups: {
        "flock": (
            behavior: "soft", count: 60, spawn: Disc(center: (100, 100), radius: 40), velocity: (10, 0),
            body: (radius: 1, max_speed: 30), params: { "separation": 1.0, "alignment": 1.0, "cohesion": 1.0 }, // all alike
        ),
    },
)
"#;

const SOFT: &str = "fn init(me) { me.vel = vec(me.random(-15, 15), me.random(-15, 15)); }
fn steer(me) {
    let p = me.params;
    p.separation * me.separation(15) + p.alignment * me.alignment(40) + p.cohesion * me.cohesion(40)
}
";

/// Returns a project with a plan for the flock.
fn flock(tune: &str) -> Project {
    let plan = format!(
        r#"(
    scenario: "scenarios/flock.ron",
    vary: {{
        "groups.flock.params.separation": Range(from: 0, to: 3),
        "groups.flock.params.alignment": Range(from: 0, to: 3),
        "groups.flock.params.cohesion": Range(from: 0, to: 3),
    }},
    tune: ({tune}),
)
"#
    );
    Project::empty()
        .with("scenarios/flock.ron", FLOCK)
        .with("scripts/soft.rhai", SOFT)
        .with("flock.plan.ron", plan)
}

#[test]
fn planted_weights_are_found_by_measures() {
    // The measures below are the results of a sweep for these weights.
    let planted = [0.923_522, 1.597_3, 1.213_9];
    let project = flock(
        "goals: [Match({
            \"mean_speed\": 13.127873, \"polarization\": 0.93365467, \"spread\": 23.10562,
            \"path_length\": 12.096623, \"turning\": 2.1522577, \"energy\": 84.70819,
        })], budget: 500, confirm: 2",
    );
    let answer = project.flockwork(&["tune", "flock.plan.ron", "--json"]).says(0, &[]);
    let json: Value = serde_json::from_str(&answer.out()).unwrap();
    assert!(json["search_runs"].as_u64().unwrap() <= 500);
    let found = json["found"][0]["values"].as_array().unwrap();
    for (found, planted) in found.iter().zip(planted) {
        let found: f64 = found.as_str().unwrap().parse().unwrap();
        assert!((found / planted - 1.0).abs() <= 0.05, "{found} instead of {planted}");
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    for goals in ["Maximize(\"polarization\")", "Maximize(\"polarization\"), Minimize(\"turning\")"]
    {
        let project = flock(&format!("goals: [{goals}], budget: 60, confirm: 3"));
        let all = ["1", "2"].map(|threads| {
            let args = ["tune", "flock.plan.ron", "--json", "--threads", threads];
            let mut json: Value =
                serde_json::from_str(&project.flockwork(&args).says(0, &[]).out()).unwrap();
            json["seconds"] = Value::Null;
            (
                json,
                project.read("flock.tune/evaluations.csv"),
                project.read("flock.tune/search.svg"),
            )
        });
        assert_eq!(all[0], all[1]);
        assert!(all[0].1.lines().count() > 20, "{}", all[0].1);
    }
}

#[test]
fn values_are_written_into_the_scenario_only_if_they_are_better() {
    let project = flock("goals: [Maximize(\"polarization\")], budget: 60, confirm: 3");
    let args = ["tune", "flock.plan.ron", "--write"];
    project.flockwork(&args).says(0, &["flockwork test scenarios/flock.ron --update"]);
    let written = project.read("scenarios/flock.ron");
    let (before, after) =
        FLOCK.split_once("\"separation\": 1.0, \"alignment\": 1.0, \"cohesion\": 1.0").unwrap();
    assert!(written.starts_with(before) && written.ends_with(after), "{written}");
    assert_ne!(written, FLOCK);

    // Each agent counts as one, whatever the weights are.
    let project = flock("goals: [Maximize(\"agents\")], budget: 60, confirm: 3");
    project.flockwork(&args).says(1, &["nothing was written"]);
    assert_eq!(project.read("scenarios/flock.ron"), FLOCK);
}

#[test]
fn a_gain_within_the_spread_is_written_only_on_request() {
    let plan = "(
        scenario: \"scenarios/flock.ron\",
        vary: { \"groups.flock.params.cohesion\": Range(from: 0.9, to: 1.1) },
        tune: (goals: [Minimize(\"turning\")], budget: 20, confirm: 12),
    )";
    let project = flock("goals: [Margins], budget: 1").with("flock.plan.ron", plan);
    let write = ["tune", "flock.plan.ron", "--write"];
    let answer = project.flockwork(&write).says(1, &["the gain is not confirmed", "--unconfirmed"]);
    assert!(
        answer.out().contains("not confirmed: with other seeds it is lower"),
        "{}",
        answer.out()
    );
    assert_eq!(project.read("scenarios/flock.ron"), FLOCK);
    project.flockwork(&[&write[..], &["--unconfirmed"]].concat()).says(0, &["the values are in"]);
    assert_ne!(project.read("scenarios/flock.ron"), FLOCK);
}

/// Caught: nothing was on the disk after a tune that was killed.
#[test]
fn what_a_killed_tune_has_tried_is_on_the_disk() {
    let project = flock("goals: [Maximize(\"polarization\")], budget: 100000000");
    let mut child = std::process::Command::new(snapbox::cmd::cargo_bin!("flockwork"))
        .current_dir(project.path("."))
        .args(["tune", "flock.plan.ron"])
        .spawn()
        .unwrap();
    let path = project.path("flock.tune/unfinished.csv");
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !path.exists() {
        assert!(std::time::Instant::now() < until, "there is no table");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let table = project.read("flock.tune/unfinished.csv");
    assert!(table.starts_with("evaluation,") && table.lines().count() > 1, "{table}");
    assert!(table.ends_with('\n'), "{table}");
}

/// Caught: the first tries of a tune that was interrupted replaced the table of one that had ended.
#[test]
fn a_tune_that_has_not_ended_leaves_a_finished_table() {
    let project = flock("goals: [Maximize(\"polarization\")], budget: 30, confirm: 5");
    project.flockwork(&["tune", "flock.plan.ron"]).says(0, &[]);
    let files = || {
        ["evaluations.csv", "search.svg"].map(|file| project.read(&format!("flock.tune/{file}")))
    };
    let finished = files();
    let plan = project.read("flock.plan.ron").replace("budget: 30", "budget: 100000000");
    std::fs::write(project.path("long.plan.ron"), plan).unwrap();
    let unfinished = project.path("flock.tune/unfinished.csv");
    assert!(!unfinished.exists());
    for signal in ["-KILL", "-TERM"] {
        let mut child = std::process::Command::new(snapbox::cmd::cargo_bin!("flockwork"))
            .current_dir(project.path("."))
            .args(["tune", "long.plan.ron", "--out", "flock.tune"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while !unfinished.exists() {
            assert!(std::time::Instant::now() < until, "there is no table");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let process = child.id().to_string();
        let sent = std::process::Command::new("kill").args([signal, &process]).status();
        assert!(sent.unwrap().success());
        child.wait().unwrap();
        assert_eq!(files(), finished, "{signal}");
        std::fs::remove_file(&unfinished).unwrap();
    }
}
