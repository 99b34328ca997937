//! Shards of hunts and tunes, and of sweeps whose runs are not alike: `--shard`, and `flockwork merge`.

use serde_json::Value;

use crate::project::{Project, names};

/// People who avoid only what comes from the left.
const PASSERS: &str = r#"(
    seed: 3,
    ticks: 400,
    world: (size: (160, 90)),
    groups: {
        "east": (
            behavior: "passer", count: 3, spawn: Rect(min: (5, 10), max: (35, 80)), velocity: (10, 0),
            body: (radius: 1.5, max_speed: 20, max_force: 60), goals: [(at: (150, 45), radius: 5)], after_goals: Remove,
        ),
        "west": (
            behavior: "passer", count: 3, spawn: Rect(min: (125, 10), max: (155, 80)), velocity: (-10, 0),
            body: (radius: 1.5, max_speed: 20, max_force: 60), goals: [(at: (10, 45), radius: 5)], after_goals: Remove,
        ),
    },
    expect: [NoOverlap(), MaxSpeed(speed: 20.5)],
)
"#;

const PASSER: &str = "fn steer(me) {
    let force = me.seek(me.goal);
    let other = me.neighbors(12).nearest;
    if other != () && me.heading.cross(me.to(other)) > 0 {
        force += me.flee(other);
    }
    force
}
";

const FLOCK: &str = r#"(
    seed: 1,
    ticks: 30,
    world: (size: (200, 200), edge: Wrap),
    groups: {
        "flock": (
            behavior: "soft", count: 20, spawn: Disc(center: (100, 100), radius: 40), velocity: (10, 0),
            body: (radius: 1, max_speed: 30), params: { "alignment": 0.2, "cohesion": 1.0 },
        ),
    },
)
"#;

const SOFT: &str = "fn init(me) { me.vel = vec(me.random(-15, 15), me.random(-15, 15)); }
fn steer(me) { me.params.alignment * me.alignment(40) + me.params.cohesion * me.cohesion(40) }
";

/// Returns a plan of a tune.
fn plan(seed: u64, budget: u64, goals: &str) -> String {
    format!(
        r#"(
    scenario: "scenarios/flock.ron",
    vary: {{ "flock.alignment": Range(from: 0, to: 3), "flock.cohesion": Range(from: 0, to: 3) }},
    seeds: 2,
    tune: (goals: [{goals}], budget: {budget}, confirm: 4, seed: {seed}),
)
"#
    )
}

const GOAL: &str = "Maximize(\"polarization\")";

fn project() -> Project {
    Project::empty()
        .with("scenarios/passers.ron", PASSERS)
        .with("scripts/passer.rhai", PASSER)
        .with("scenarios/flock.ron", FLOCK)
        .with("scripts/soft.rhai", SOFT)
        .with("a.plan.ron", plan(7, 100, GOAL))
}

fn hunt(project: &Project, folder: &str, shard: &str, args: &[&str]) -> Value {
    let line = ["hunt", "scenarios/passers.ron", "--runs", "90", "--seed", "5", "--json"];
    let of = ["--folder", folder, "--shard", shard];
    let out = project.flockwork(&[&line[..], &of[..], args].concat()).says(0, &[]).out();
    serde_json::from_str(&out).unwrap()
}

fn tune(project: &Project, folder: &str, shard: &str, args: &[&str]) {
    let line = ["tune", "a.plan.ron", "--out", folder, "--shard", shard];
    project.flockwork(&[&line[..], args].concat()).says(0, &[]);
}

/// Returns the contents of all files in a folder, without those in folders of it.
fn contents(project: &Project, folder: &str) -> Vec<(String, Vec<u8>)> {
    let path = project.path(folder);
    let files = names(&path).into_iter().filter(|name| path.join(name).is_file());
    let mut all: Vec<(String, Vec<u8>)> =
        files.map(|name| (name.clone(), std::fs::read(path.join(name)).unwrap())).collect();
    all.sort();
    all
}

#[test]
fn shards_of_a_hunt_are_searches_of_their_own_and_their_counts_are_added() {
    let project = project();
    let reports: Vec<Value> =
        (1..=3).map(|index| hunt(&project, "a", &format!("{index}/3"), &[])).collect();
    // A shard is the hunt that its command says.
    for report in &reports {
        let command = report["command"].as_str().unwrap();
        let words: Vec<&str> = command.split(' ').skip(1).chain(["--json"]).collect();
        let out = project.flockwork(&words).says(1, &[]).out();
        let alone: Value = serde_json::from_str(&out).unwrap();
        for name in ["runs", "random_runs", "random_failed", "law_runs", "expectations"] {
            assert_eq!(alone[name], report[name], "{name}");
        }
        assert_eq!(alone["failures"][0]["message"], report["failures"][0]["message"]);
    }
    let merged = project.flockwork(&["merge", "a"]).says(1, &[]).out();
    let whole: Value = serde_json::from_str(&project.read("a/hunt.json")).unwrap();
    let sum = |name: &str| reports.iter().map(|report| report[name].as_u64().unwrap()).sum::<u64>();
    for name in [
        "asked_runs",
        "runs",
        "random_runs",
        "random_failed",
        "corner_runs",
        "corner_failed",
        "law_runs",
    ] {
        assert_eq!(whole["report"][name], sum(name), "{name}");
    }
    assert_eq!(sum("asked_runs"), 90);
    let margins = reports.iter().map(|one| &one["expectations"][0]["smallest_margin"]);
    let smallest = margins.map(|margin| margin.as_f64().unwrap()).min_by(f64::total_cmp);
    assert_eq!(whole["report"]["expectations"][0]["smallest_margin"].as_f64(), smallest);
    // Each failure of a shard is one of those that stay, or counted with it.
    let failures = whole["report"]["failures"].as_array().unwrap();
    let found = failures.iter().map(|one| one["start"]["found_by"].as_u64().unwrap()).sum::<u64>();
    let of_shards = reports.iter().map(|one| one["failures"].as_array().unwrap().len() as u64);
    assert_eq!(found, of_shards.sum::<u64>());
    assert!(failures.len() < found as usize, "{merged}");
    let agents: Vec<u64> =
        failures.iter().map(|one| one["after"]["agents"].as_u64().unwrap()).collect();
    assert!(agents.is_sorted(), "{agents:?}");
    for one in failures {
        let file = format!("a/{}", one["file"].as_str().unwrap());
        let message = one["message"].as_str().unwrap();
        let tested = project.flockwork(&["test", &file]).says(1, &[]).out();
        assert!(tested.contains(message), "{tested}");
        assert!(!project.path(&file.replace(".ron", ".golden")).exists());
    }
}

#[test]
fn a_merge_depends_neither_on_the_order_of_shards_nor_on_threads() {
    let project = project();
    for index in [1, 2, 3] {
        hunt(&project, "hunt", &format!("{index}/3"), &["--threads", "1"]);
        tune(&project, "tune", &format!("{index}/3"), &["--threads", "1"]);
    }
    for index in [3, 1, 2] {
        hunt(&project, "other/hunt", &format!("{index}/3"), &["--threads", "3"]);
        tune(&project, "other/tune", &format!("{index}/3"), &["--threads", "3"]);
    }
    for folder in ["hunt", "other/hunt"] {
        project.flockwork(&["merge", folder]).says(1, &[]);
    }
    for folder in ["tune", "other/tune"] {
        project.flockwork(&["merge", folder]).says(0, &[]);
    }
    for folder in ["hunt", "tune"] {
        let all = contents(&project, folder);
        assert!(all.len() >= 2, "{folder}");
        assert!(all == contents(&project, &format!("other/{folder}")), "{folder}");
        // Again, with what is there.
        let code = i32::from(folder == "hunt");
        project.flockwork(&["merge", folder]).says(code, &[]);
        assert!(all == contents(&project, folder), "{folder}");
    }
}

#[test]
fn shards_of_hunts_that_are_missing_or_of_another_hunt_are_not_joined() {
    let project = project();
    let parts = ["shards are missing: 2", "--partial"];
    hunt(&project, "a", "1/3", &[]);
    hunt(&project, "a", "3/3", &[]);
    project.flockwork(&["merge", "a"]).says(2, &parts);
    let partial = project.flockwork(&["merge", "a", "--partial"]).says(1, &[]).out();
    assert!(partial.contains("shards are missing: 2\n"), "{partial}");
    assert!(project.path("a/partial/failure-1.ron").exists());
    // A complete shard ends at once, unless something has changed.
    let line = ["hunt", "scenarios/passers.ron", "--folder", "a", "--shard"];
    let again = |shard: &str, seed: &str, more: &[&str]| {
        project.flockwork(&[&line[..], &[shard, "--runs", "90", "--seed", seed], more].concat())
    };
    assert!(again("1/3", "5", &[]).says(0, &[]).out().starts_with("this shard is complete"));
    again("1/3", "6", &[]).says(2, &["changed since then: the options of the hunt", "--restart"]);
    again("2/3", "6", &[]).says(0, &[]);
    project.flockwork(&["merge", "a"]).says(2, &["does not belong to", "the options of the hunt"]);
    again("2/3", "5", &["--restart"]).says(0, &[]);
    project.flockwork(&["merge", "a"]).says(1, &[]);
    let project = project.with("scripts/passer.rhai", PASSER.replace("12", "13"));
    let line = ["hunt", "scenarios/passers.ron", "--folder", "a", "--runs", "90", "--seed", "5"];
    let all = [&line[..], &["--shard", "1/3"]].concat();
    project.flockwork(&all).says(2, &["changed since then: `passer`"]);
    hunt(&project, "b", "1/2", &[]);
    hunt(&project, "b", "2/3", &[]);
    project.flockwork(&["merge", "b"]).says(2, &["different: the number of shards"]);
    tune(&project, "b", "1/1", &[]);
    project.flockwork(&["merge", "b"]).says(2, &["results of several kinds", "hunt.json"]);
    hunt(&project, "c", "1/2", &[]);
    std::fs::create_dir(project.path("c/copy")).unwrap();
    std::fs::copy(project.path("c/shard-1-of-2/hunt.json"), project.path("c/copy/hunt.json"))
        .unwrap();
    project.flockwork(&["merge", "c"]).says(2, &["both c/copy and c/shard-1-of-2 have shard 1"]);
    let few = ["hunt", "scenarios/passers.ron", "--runs", "2", "--shard", "1/3"];
    project.flockwork(&few).says(2, &["cannot have 3 shards"]);
    let alone = ["hunt", "scenarios/passers.ron", "--restart"];
    project.flockwork(&alone).says(2, &["--restart is for --shard and --on"]);
}

/// Returns the rows of a table, without the first.
fn rows(project: &Project, file: &str) -> Vec<Vec<String>> {
    let text = project.read(file);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect()
}

#[test]
fn shards_of_a_tune_are_searches_of_their_own_and_the_best_of_all_is_found() {
    let project = project();
    for index in 1..=3 {
        tune(&project, "a", &format!("{index}/3"), &[]);
    }
    let merged = project.flockwork(&["merge", "a"]).says(0, &[]).out();
    let shards = rows(&project, "a/shards.csv");
    // The budget of 100 runs is cut into 33, 33 and 34.
    let budgets = [33, 33, 34];
    let mut tries = 1;
    for (row, budget) in shards.iter().zip(budgets) {
        let plan = plan(row[1].parse().unwrap(), budget, GOAL);
        let alone = Project::empty()
            .with("scenarios/flock.ron", FLOCK)
            .with("scripts/soft.rhai", SOFT)
            .with("a.plan.ron", plan);
        alone.flockwork(&["tune", "a.plan.ron"]).says(0, &[]);
        let of_shard = format!("a/shard-{}-of-3/evaluations.csv", row[0]);
        assert_eq!(alone.read("a.tune/evaluations.csv"), project.read(&of_shard));
        tries += rows(&project, &of_shard).len() - 1;
    }
    let all = rows(&project, "a/evaluations.csv");
    assert_eq!(all.len(), tries, "{merged}");
    let goal = |row: &Vec<String>, column: usize| row[column].parse::<f64>().unwrap();
    let best = shards.iter().map(|row| goal(row, 6)).max_by(f64::total_cmp).unwrap();
    let marked: Vec<&Vec<String>> =
        all.iter().filter(|row| row.last().unwrap() == "true").collect();
    assert_eq!(marked.len(), 1);
    assert_eq!(goal(marked[0], 4), best);
    let most = all.iter().map(|row| goal(row, 4)).max_by(f64::total_cmp).unwrap();
    assert_eq!(most, best);
    assert!(
        merged.contains("best of each shard") && merged.contains("to write the values"),
        "{merged}"
    );
    // The command that it names writes them, without any further run.
    let line = merged.lines().find(|line| line.starts_with("to write")).unwrap();
    let words: Vec<&str> = line.split(": flockwork ").nth(1).unwrap().split(' ').collect();
    let verdict = if merged.contains("not confirmed") { 1 } else { 0 };
    let out = project.flockwork(&words).says(verdict, &[]);
    assert!(out.err().contains("runs are done: going on"), "{}", out.err());
}

#[test]
fn a_shard_of_a_tune_that_was_killed_goes_on() {
    let project = project();
    for index in 1..=2 {
        tune(&project, "whole", &format!("{index}/2"), &[]);
        tune(&project, "a", &format!("{index}/2"), &[]);
    }
    // As if it had been killed in the middle of a line.
    let file = "a/shard-2-of-2/runs.csv";
    let text = project.read(file);
    let cut = text.len() / 2;
    std::fs::write(project.path(file), &text[..cut]).unwrap();
    project.flockwork(&["merge", "a"]).says(2, &["runs are missing in a/shard-2-of-2"]);
    let described = project.read("a/shard-2-of-2/tune.json");
    let start = described.find("\"seconds\": ").unwrap();
    let begun = format!("{}\"seconds\": null\n}}\n", &described[..start]);
    std::fs::write(project.path("a/shard-2-of-2/tune.json"), begun).unwrap();
    project.flockwork(&["merge", "a"]).says(2, &["shards are missing: 2"]);
    let partial = project.flockwork(&["merge", "a", "--partial"]).says(1, &[]).out();
    assert!(partial.contains("shards are missing: 2"), "{partial}");
    tune(&project, "a", "2/2", &[]);
    for folder in ["a", "whole"] {
        project.flockwork(&["merge", folder]).says(0, &[]);
    }
    for file in ["evaluations.csv", "shards.csv", "search.svg"] {
        assert_eq!(project.read(&format!("a/{file}")), project.read(&format!("whole/{file}")));
    }
    // Complete: nothing is run again.
    let again = ["tune", "a.plan.ron", "--out", "a", "--shard", "2/2"];
    assert!(project.flockwork(&again).says(0, &[]).err().contains("this shard is complete"));
}

#[test]
fn rows_for_several_goals_are_those_of_all_shards() {
    let goals = "Maximize(\"polarization\"), Minimize(\"spread\")";
    let project = project().with("a.plan.ron", plan(1, 120, goals));
    for index in 1..=2 {
        tune(&project, "a", &format!("{index}/2"), &[]);
    }
    let merged = project.flockwork(&["merge", "a"]).says(0, &[]).out();
    assert!(!merged.contains("best of each shard"), "{merged}");
    let numbers = |row: &Vec<String>| [4, 5].map(|column| row[column].parse::<f64>().unwrap());
    let all = rows(&project, "a/evaluations.csv");
    for row in all.iter().filter(|row| row.last().unwrap() == "true") {
        let [high, low] = numbers(row);
        let is_better = |other: &&Vec<String>| {
            let [other_high, other_low] = numbers(other);
            other_high >= high && other_low <= low && (other_high, other_low) != (high, low)
        };
        assert!(!all.iter().any(|other| is_better(&other)), "{row:?}");
    }
}

#[test]
fn a_tune_needs_enough_runs_for_its_shards() {
    let project = project();
    let few = ["tune", "a.plan.ron", "--shard", "1/9"];
    project
        .flockwork(&few)
        .says(2, &["too small for 9 shards: each needs 14 runs", "a.plan.ron:5"]);
    let few = ["tune", "a.plan.ron", "--on", "slurm", "--shards", "9"];
    project.flockwork(&few).says(2, &["too small for 9 shards"]);
    project.flockwork(&["merge", "scenarios"]).says(2, &["no shards in scenarios"]);
}

/// Runs with 10 to 200 agents.
const COUNTS: &str = r#"(
    scenario: "scenarios/flock.ron",
    vary: { "flock.count": Integers(from: 10, to: 200, step: 10) },
    seeds: 3,
    ticks: 4,
    record: ["spread"],
)
"#;

#[test]
fn shards_of_a_sweep_have_about_the_same_number_of_agents() {
    let project = project().with("a.plan.ron", COUNTS);
    let mut agents: Vec<u64> = Vec::new();
    for index in 1..=4 {
        let shard = format!("{index}/4");
        project
            .flockwork(&["sweep", "a.plan.ron", "--out", "parts", "--shard", &shard])
            .says(0, &[]);
        let all = rows(&project, &format!("parts/shard-{index}-of-4/runs.csv"));
        agents.push(all.iter().map(|row| row[2].parse::<u64>().unwrap()).sum());
    }
    let mean = agents.iter().sum::<u64>() as f64 / 4.0;
    assert!(agents.iter().all(|sum| (*sum as f64 / mean - 1.0).abs() < 0.2), "{agents:?}");
    project.flockwork(&["merge", "parts"]).says(0, &[]);
    project.flockwork(&["sweep", "a.plan.ron"]).says(0, &[]);
    for file in ["runs.csv", "points.csv", "sweep.json"] {
        assert_eq!(
            project.read(&format!("parts/{file}")),
            project.read(&format!("a.sweep/{file}"))
        );
    }
    // A page is of all shards.
    assert!(!project.path("parts/shard-1-of-4/report.html").exists());
}

#[test]
fn shards_of_an_older_cut_are_neither_joined_nor_continued() {
    let project = project().with("a.plan.ron", COUNTS);
    let shard = |shard: &str| {
        project.flockwork(&["sweep", "a.plan.ron", "--out", "parts", "--shard", shard])
    };
    shard("1/2").says(0, &[]);
    shard("2/2").says(0, &[]);
    // As older versions have written it: they cut by the number of runs.
    let file = "parts/shard-1-of-2/sweep.json";
    let older = project.read(file).replace("  \"cut\": \"cost\",\n", "");
    assert!(older != project.read(file), "{older}");
    std::fs::write(project.path(file), older).unwrap();
    let changed = "how the sweep is cut into shards";
    project.flockwork(&["merge", "parts"]).says(2, &["belongs to another sweep", changed]);
    shard("1/2").says(2, &["changed since then", changed]);
}
