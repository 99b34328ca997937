//! `flockwork compare`, and the expectation `NotWorse`.

use serde_json::Value;

use crate::project::Project;

/// Ten walkers. Their random numbers depend on the name of their group.
fn walkers(group: &str, speed: f64) -> String {
    format!(
        "(seed: 1, ticks: 2, world: (size: (200, 200)), groups: {{ \"{group}\": (
            behavior: \"walk\", count: 10, spawn: Disc(center: (100, 100), radius: 40), params: {{ \"speed\": {speed:?} }},
        ) }})"
    )
}

const WALK: &str = "fn init(me) { me.vel = vec(me.params.speed + me.random(-5, 5), 0); }
fn steer(me) { vec(0, 0) }
";

fn project(a: &str, b: &str) -> Project {
    Project::empty()
        .with("scenarios/a.ron", a)
        .with("scenarios/b.ron", b)
        .with("scripts/walk.rhai", WALK)
}

fn row(of: &Value, name: &str) -> Value {
    let rows = of["rows"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap().clone()
}

/// Ten pairs with a known difference of 1.2 standard deviations, and ten without any: nearly all of the first are seen, the intervals contain
/// the truth, and at most one of the others is a false alarm.
#[test]
fn differences_are_seen_and_chance_is_not_one() {
    let (mut seen, mut inside, mut alarms) = (0, 0, 0);
    for pair in 0..10 {
        for difference in [0.0, 1.5] {
            // Other names of groups have other random numbers.
            let b = walkers(&format!("b {pair} {difference}"), 10.0 + difference);
            let project = project(&walkers(&format!("a {pair} {difference}"), 10.0), &b);
            let args = ["compare", "scenarios/a.ron", "scenarios/b.ron", "--json"];
            let answer = project.flockwork(&args).says(0, &[]);
            let found: Value = serde_json::from_str(&answer.out()).unwrap();
            assert_eq!(found["seeds"].as_array().unwrap().len(), 20);
            let speed = row(&found, "mean_speed");
            let interval = speed["interval"].as_array().unwrap();
            let ends = [0, 1].map(|end: usize| interval[end].as_f64().unwrap());
            inside += usize::from((ends[0]..=ends[1]).contains(&difference));
            match difference > 0.0 {
                true => seen += usize::from(speed["verdict"] == "different"),
                false => {
                    let rows = found["rows"].as_array().unwrap();
                    alarms += usize::from(rows.iter().any(|row| row["verdict"] == "different"));
                }
            }
        }
    }
    assert!(seen >= 9, "{seen} of 10 differences");
    assert!(alarms <= 1, "{alarms} false alarms");
    assert!(inside >= 17, "{inside} of 20 intervals");
}

#[test]
fn versions_of_git_and_folders_are_compared() {
    let project = project(&walkers("a", 10.0), &walkers("a", 10.0))
        .with("old/walk.rhai", WALK.replace("me.params.speed", "8"));
    if !project.commit() {
        return;
    }
    let path = "scenarios/a.ron";
    let same = project.flockwork(&["compare", path, "--against", "HEAD"]).says(0, &[]).out();
    assert!(same.contains("A and B do the same for each seed"), "{same}");
    let project = project.with("scripts/walk.rhai", WALK.replace("me.params.speed", "12"));
    for (version, before, label) in [("HEAD", "10", "at HEAD"), ("old", "8", "the scripts in old")]
    {
        let args = ["compare", path, "--against", version, "--measure", "mean_speed"];
        let text = project.flockwork(&args).says(0, &[]).out();
        assert!(text.contains(label) && text.contains("different: mean_speed"), "{text}");
        let line = text.lines().find(|line| line.starts_with("mean_speed")).unwrap();
        let by = 12 - before.parse::<i32>().unwrap();
        // The same random numbers in both: the difference is exact.
        assert!(line.contains(&format!("  {by}  ")) && line.contains("20"), "{line}");
    }
    let page = project.path("page.html");
    let args = ["compare", path, "--against", "old", "--page", "page.html"];
    project.flockwork(&args).says(0, &[]);
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("mean_speed in A") && html.contains("the scripts in old"));
}

/// Caught: five seeds of a scenario without random numbers gave an interval and p < 0.0001.
#[test]
fn seeds_that_change_nothing_are_one_run() {
    let still =
        walkers("a", 10.0).replace("Disc(center: (100, 100), radius: 40)", "Points([(1, 1)])");
    let project = project(&still.replace("count: 10, ", ""), "")
        .with("scripts/walk.rhai", "fn steer(me) { vec(me.params.speed, 0) }");
    let args = ["compare", "scenarios/a.ron", "--b", "a.speed=12"];
    let text = project.flockwork(&args).says(0, &[]).out();
    assert!(text.contains("the seed changes nothing: each version has a single run"), "{text}");
    assert!(text.contains("different: mean_speed") && !text.contains("< 0.0001"), "{text}");
    // Only in one of the versions.
    let project = project
        .with("scripts/noisy.rhai", "fn steer(me) { vec(me.params.speed + me.random(0, 1), 0) }");
    for (a, b) in [("walk", "noisy"), ("noisy", "walk")] {
        let [a, b] = [a, b].map(|script| format!("a.behavior={script}"));
        let args = ["compare", "scenarios/a.ron", "--a", &a, "--b", &b];
        let text = project.flockwork(&args).says(0, &[]).out();
        assert!(!text.contains("the seed changes nothing"), "{text}");
    }
    let args = ["compare", "scenarios/a.ron", "--b", "a.speed=12", "--seeds", "7..9", "--json"];
    let found: Value = serde_json::from_str(&project.flockwork(&args).says(0, &[]).out()).unwrap();
    assert_eq!(found["seeds"], serde_json::json!([7, 8, 9]));
    for (more, why) in [
        (["--b", "seed=3"], "both versions run with the same seeds"),
        (["--seeds", "9..3"], "must be a number of seeds, or two seeds such as 100..119"),
    ] {
        let args = [&["compare", "scenarios/a.ron", "--b", "a.speed=12"][..], &more].concat();
        project.flockwork(&args).says(2, &[why]);
    }
}

#[test]
fn names_may_be_short_and_strings_need_no_quotes() {
    let project = project(&walkers("a", 10.0), "").with("scripts/run.rhai", WALK);
    let args = ["compare", "scenarios/a.ron", "--b", "a.behavior=run", "--b", "a.speed=11"];
    let text = project.flockwork(&args).says(0, &[]).out();
    assert!(text.contains("B  scenarios/a.ron with a.behavior=run, a.speed=11"), "{text}");
    assert!(text.contains("different: mean_speed"), "{text}");
    // Caught: all runs of B ended with an error, and "A and B do the same".
    let args = ["compare", "scenarios/a.ron", "--b", "a.speed=fast"];
    project.flockwork(&args).says(2, &["`a.speed` cannot be fast"]);
    let project = project.with("scripts/run.rhai", "fn steer(me) { throw \"no\" }");
    let args = ["compare", "scenarios/a.ron", "--b", "a.behavior=run"];
    let text = project.flockwork(&args).says(1, &[]).out();
    assert!(text.contains("nothing was compared: no seed has values for both"), "{text}");
}

#[test]
fn an_expectation_compares_with_an_older_version() {
    let expect = "expect: [NotWorse(measure: \"mean_speed\", better: Higher, than: \"HEAD\", by: 0.5, seeds: 6)], groups:";
    let scenario = walkers("a", 10.0).replace("groups:", expect);
    let project = project(&scenario, &walkers("a", 1.0));
    if !project.commit() {
        return;
    }
    let passes = |project: &Project, known: &str| {
        let known = format!(
            "scenarios/a.ron: `mean_speed` is not seen to be worse by more than 0.5 than at HEAD: {known}"
        );
        let text = project.flockwork(&["test", "scenarios/a.ron"]).says(0, &[&known]).out();
        assert!(text.contains("1 passed"), "{text}");
    };
    passes(&project, "it is the same for each seed, as if both were one version");
    let slower = |by: &str| WALK.replace("me.params.speed", &format!("(me.params.speed - {by})"));
    let project = project.with("scripts/walk.rhai", slower("0.4"));
    passes(&project, "the difference is in -0.4");
    let project = project.with("scripts/walk.rhai", slower("0.6"));
    let text = project.flockwork(&["test", "scenarios/a.ron"]).says(1, &[]).out();
    for part in [
        "FAIL",
        "the mean of `mean_speed` is lower than at HEAD",
        "expected at most 0.5 lower",
        "flockwork compare scenarios/a.ron --against HEAD --seeds 6",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    // What is worse for one is better for the other.
    let higher = project.read("scenarios/a.ron");
    let project = project.with("scenarios/a.ron", higher.replace("Higher", "Lower"));
    passes(&project, "the difference is in -0.6");
    // The interval reaches beyond 0.5, but is not all there.
    let noisy = |by: &str| slower(by).replace("-5, 5", "-6, 6");
    let project = project.with("scripts/walk.rhai", noisy("-0.4"));
    passes(&project, "the difference is in 0.0785 to 0.6042 (95 % interval, 6 seeds)");
    let project =
        project.with("scripts/walk.rhai", noisy("0.4")).with("scenarios/a.ron", higher.as_str());
    passes(&project, "the difference is in -0.7215 to -0.1958");
    let project = project.with("scenarios/a.ron", higher.replace("Higher", "Lower"));
    let project = project.with("scripts/walk.rhai", slower("-0.6"));
    let text = project.flockwork(&["test", "scenarios/a.ron"]).says(1, &[]).out();
    assert!(text.contains("the mean of `mean_speed` is higher than at HEAD"), "{text}");
    let project = project.with("scenarios/a.ron", higher).with("scripts/walk.rhai", slower("0.6"));
    let update = ["test", "scenarios/a.ron", "--update", "--reason", "slower"];
    let text = project.flockwork(&update).says(1, &[]).out();
    assert!(text.contains("golden not written: an expectation fails"), "{text}");
    let misspelled = project.read("scenarios/a.ron").replace("mean_speed", "mean_sped");
    let project = project.with("scenarios/c.ron", misspelled);
    project.flockwork(&["check", "scenarios/c.ron"]).says(1, &["did you mean `mean_speed`?"]);
    // A run alone cannot tell, so `run` says nothing and a sweep has no column.
    project.flockwork(&["run", "scenarios/a.ron"]).says(0, &[]);
    let plan = "(scenario: \"scenarios/a.ron\", vary: { \"a.speed\": List([1.0]) })";
    let project = project.with("a.plan.ron", plan);
    project.flockwork(&["sweep", "a.plan.ron"]).says(0, &[]);
    assert!(!project.read("a.sweep/runs.csv").contains("NotWorse"));
}
