//! `flockwork sweep` and `flockwork merge`.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use snapbox::str;

use crate::project::Project;

const PLAN: &str = r#"(
    scenario: "scenarios/two.ron",
    vary: {
        "groups.walkers.params.push": List([0.0, 10.0]),
        "groups.walkers.velocity.0": Range(from: 10, to: 20, steps: 3),
    },
    seeds: [7],
    record: ["mean_speed", "walkers.goals_reached"],
)
"#;

/// Agents that wander in a world that is large enough for several seconds of work.
const WANDERERS: &str = r#"(
    ticks: 300,
    world: (size: (100, 100), edge: Wrap),
    groups: { "a": (behavior: "wander", count: 40, spawn: Disc(center: (50, 50), radius: 20), body: (max_speed: 9)) },
    expect: [MinSeparation(distance: 0.01), MaxSpeed(speed: 9.5)],
)
"#;

const WANDER: &str = "fn steer(me) { me.wander() + 0.2 * me.separation(5) }\n";

const LONG_PLAN: &str = r#"(
    scenario: "scenarios/wanderers.ron",
    vary: { "groups.a.body.max_speed": Range(from: 5, to: 12) },
    seeds: 3,
    sweep: (points: LatinHypercube(points: 60), every: 100),
)
"#;

fn wanderers() -> Project {
    Project::empty()
        .with("scenarios/wanderers.ron", WANDERERS)
        .with("scripts/wander.rhai", WANDER)
        .with("long.plan.ron", LONG_PLAN)
}

/// Returns both tables of a folder.
fn tables(project: &Project, folder: &str) -> [String; 2] {
    ["runs.csv", "series.csv"].map(|name| project.read(&format!("{folder}/{name}")))
}

#[test]
fn the_table_has_a_row_for_each_run() {
    let project = Project::two().with("a.plan.ron", PLAN);
    let answer = project.flockwork(&["sweep", "a.plan.ron"]).says(0, &[]);
    assert!(answer.out().starts_with("6 runs are in a.sweep/runs.csv\n"), "{}", answer.out());
    snapbox::assert_data_eq!(
        project.read("a.sweep/runs.csv"),
        str![[r#"
run,point,groups.walkers.params.push,groups.walkers.velocity.0,seed,tick,state_hash,mean_speed,walkers.goals_reached,error
0,0,0.0,10,7,10,f6224642772a9278,10,1,
1,1,0.0,15,7,10,aecaff266e279054,15,1,
2,2,0.0,20,7,10,f86a9be5fe390d45,20,1,
3,3,10.0,10,7,10,ca0f635c9b3d22b8,15,1,
4,4,10.0,15,7,10,61225841bade45f1,20,1,
5,5,10.0,20,7,10,f86a9be5fe390d45,20,1,

"#]]
    );
}

#[test]
fn a_run_that_fails_is_a_row_with_its_error() {
    let script = "fn steer(me) { if me.params.push > 5.0 { throw \"too far\"; } vec(0, 0) }\n";
    let project = Project::two_with(script).with("a.plan.ron", PLAN);
    // Caught: the exit code was 0, and nothing at the end said so.
    let answer = project.flockwork(&["sweep", "a.plan.ron"]).says(1, &[]);
    let out = answer.out();
    let last = out.lines().last().unwrap_or_default();
    assert!(last.starts_with("3 of 6 runs ended with an error"), "{last}");
    assert!(last.contains("scripts/walk.rhai:1:42") && last.ends_with("\"too far\""), "{last}");
    let table = project.read("a.sweep/runs.csv");
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[1].ends_with(",20,2,") || rows[1].ends_with(','), "{}", rows[1]);
    assert!(rows[4].contains("too far"), "{}", rows[4]);
}

#[test]
fn the_table_is_the_same_for_any_number_of_threads_and_for_parts_that_are_merged() {
    let project = wanderers();
    let sweep = |args: &[&str]| {
        let all = [&["sweep", "long.plan.ron"], args].concat();
        project.flockwork(&all).says(0, &[]);
    };
    sweep(&["--threads", "1", "--out", "one"]);
    sweep(&["--threads", "2", "--out", "two"]);
    let expected = tables(&project, "one");
    assert_eq!(expected[0].lines().count(), 181);
    assert_eq!(expected[1].lines().count(), 1 + 180 * 4);
    assert_eq!(tables(&project, "two"), expected);
    for shard in ["3/3", "1/3"] {
        sweep(&["--shard", shard, "--out", "parts"]);
    }
    project.flockwork(&["merge", "parts"]).says(2, &["runs are missing: 60 to 119", "--partial"]);
    let partial = project.flockwork(&["merge", "parts", "--partial"]).says(1, &[]).out();
    assert!(partial.contains("120 runs are in parts/partial/runs.csv"), "{partial}");
    assert!(partial.contains("runs are missing: 60 to 119"), "{partial}");
    let middle = |row: &str| {
        let run = row.split(',').next().unwrap().parse::<u64>();
        run.is_ok_and(|run| (60..120).contains(&run))
    };
    let rest = expected.each_ref().map(|table| {
        table.lines().filter(|row| !middle(row)).map(|row| format!("{row}\n")).collect::<String>()
    });
    assert_eq!(tables(&project, "parts/partial"), rest);
    sweep(&["--shard", "2/3", "--out", "parts"]);
    project.flockwork(&["merge", "parts"]).says(0, &[]);
    assert_eq!(tables(&project, "parts"), expected);
    // A part of another sweep.
    let plan = LONG_PLAN.replace("seeds: 3", "seeds: [5, 6, 7]");
    let other = project.with("long.plan.ron", plan);
    fs::remove_dir_all(other.path("parts/shard-2-of-3")).unwrap();
    other.flockwork(&["sweep", "long.plan.ron", "--shard", "2/3", "--out", "parts"]).says(0, &[]);
    other.flockwork(&["merge", "parts"]).says(2, &["belongs to another sweep", "the plan"]);
}

fn start(project: &Project, out: &str) -> Child {
    Command::new(snapbox::cmd::cargo_bin!("flockwork"))
        .current_dir(project.path("."))
        .args(["sweep", "long.plan.ron", "--out", out])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_sweep_that_is_killed_goes_on_where_it_was() {
    let project = wanderers();
    project.flockwork(&["sweep", "long.plan.ron", "--out", "whole"]).says(0, &[]);
    let expected = tables(&project, "whole");
    let mut most = 0;
    let rows =
        || fs::read_to_string(project.path("killed/runs.csv")).unwrap_or_default().lines().count();
    for killed in 0..20 {
        let mut child = start(&project, "killed");
        // After different numbers of rows; at first before there are any.
        while rows() < most + killed * 37 % 20 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let table = fs::read_to_string(project.path("killed/runs.csv")).unwrap_or_default();
        let rows = table.lines().count();
        assert!(rows >= most, "{rows} rows after {most}");
        most = rows;
        // A power cut may leave half a row, unless the sweep has ended: then its tables are safe on the disk.
        let identity = fs::read_to_string(project.path("killed/sweep.json")).unwrap_or_default();
        if killed % 3 == 0 && rows > 2 && !identity.contains("checksums") {
            let torn = &table[..table.trim_end().len() - 5];
            fs::write(project.path("killed/runs.csv"), torn).unwrap();
            most = torn.lines().count() - 1;
        }
    }
    project.flockwork(&["sweep", "long.plan.ron", "--out", "killed"]).says(0, &[]);
    assert_eq!(tables(&project, "killed"), expected);
}

#[test]
fn results_of_something_else_are_not_continued() {
    let project = wanderers();
    let sweep = |project: &Project, args: &[&str]| {
        project.flockwork(&[&["sweep", "long.plan.ron"], args].concat())
    };
    sweep(&project, &[]).says(0, &[]);
    let again = sweep(&project, &[]).says(0, &[]);
    assert!(again.out().contains("all of them were there already"), "{}", again.out());
    let project = project.with("scripts/wander.rhai", WANDER.replace("0.2", "0.3"));
    sweep(&project, &[]).says(2, &["changed since then: `wander`", "--restart"]);
    let project = project.with("long.plan.ron", LONG_PLAN.replace("60", "50"));
    sweep(&project, &[]).says(2, &["changed since then: the plan, `wander`"]);
    sweep(&project, &["--restart"]).says(0, &[]);
    assert_eq!(tables(&project, "long.sweep")[0].lines().count(), 151);
}

/// With more seeds or points, only the new runs are computed, and the tables are those of a new sweep.
#[test]
fn a_sweep_grows() {
    let plan = |seeds: u32, points: u32| {
        let points = format!("Sobol(points: {points})");
        let seeds = format!("seeds: {seeds}");
        LONG_PLAN.replace("LatinHypercube(points: 60)", &points).replace("seeds: 3", &seeds)
    };
    let project = wanderers().with("long.plan.ron", plan(2, 20));
    let sweep = |args: &[&str]| project.flockwork(&[&["sweep", "long.plan.ron"], args].concat());
    sweep(&["--out", "grown"]).says(0, &[]);
    for (seeds, points, new) in [(3, 20, 20), (3, 32, 36)] {
        fs::write(project.path("long.plan.ron"), plan(seeds, points)).unwrap();
        let before = format!("{} runs are there from before", seeds * points - new);
        let grown = sweep(&["--out", "grown"]).says(0, &[&before]).out();
        assert!(grown.contains(&format!("{new} of them took")), "{grown}");
        let fresh = format!("fresh-{seeds}-{points}");
        sweep(&["--out", &fresh]).says(0, &[]);
        assert_eq!(tables(&project, "grown"), tables(&project, &fresh));
        assert_eq!(project.read("grown/sweep.json"), project.read(&format!("{fresh}/sweep.json")));
        assert!(!project.path("grown/before").exists());
    }
    // Each point has three seeds now: their mean, and the interval of Student's t with two degrees of freedom.
    let points = project.read("grown/points.csv");
    let cells = |row: &str| row.split(',').map(String::from).collect::<Vec<_>>();
    let [header, first] = [0, 1].map(|line| cells(points.lines().nth(line).unwrap()));
    assert_eq!(header[..4], ["point", "groups.a.body.max_speed", "runs", "agents"]);
    assert_eq!((points.lines().count(), &*first[2]), (33, "3"));
    let column = |header: &[String], name: &str| header.iter().position(|of| of == name).unwrap();
    let runs = tables(&project, "grown")[0].clone();
    let at = column(&cells(runs.lines().next().unwrap()), "polarization");
    let of_seeds = runs.lines().skip(1).take(3).map(|row| cells(row)[at].parse::<f64>().unwrap());
    let of_seeds: Vec<f64> = of_seeds.collect();
    let mean = of_seeds.iter().sum::<f64>() / 3.0;
    let variance = of_seeds.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 2.0;
    let half = 4.302_653 * (variance / 3.0).sqrt();
    for (name, wanted) in [("", mean), (".low", mean - half), (".high", mean + half)] {
        let found: f64 = first[column(&header, &format!("polarization{name}"))].parse().unwrap();
        assert!((found - wanted).abs() < 2e-3 * wanted.abs(), "{name}: {found} {wanted}");
    }
    // Rows of another sweep are not mixed in, and none gets lost.
    let whole = tables(&project, "grown");
    fs::write(project.path("long.plan.ron"), plan(2, 32)).unwrap();
    sweep(&["--out", "grown"]).says(2, &["this plan lacks runs that are there, such as run 2"]);
    fs::write(project.path("long.plan.ron"), plan(4, 32).replace("every: 100", "every: 150"))
        .unwrap();
    sweep(&["--out", "grown"]).says(2, &["made with something else", "the plan"]);
    assert_eq!(tables(&project, "grown"), whole);
}

/// A sweep that is killed while it grows keeps the rows of both.
#[test]
fn a_sweep_that_is_killed_while_it_grows_goes_on() {
    let project = wanderers().with("long.plan.ron", LONG_PLAN.replace("seeds: 3", "seeds: 1"));
    let plan = project.path("long.plan.ron");
    project.flockwork(&["sweep", "long.plan.ron", "--out", "grown"]).says(0, &[]);
    fs::write(&plan, LONG_PLAN).unwrap();
    let mut child = start(&project, "grown");
    let [before, table] =
        ["before/sweep.json", "runs.csv"].map(|name| project.path(&format!("grown/{name}")));
    let lines = || fs::read_to_string(&table).unwrap_or_default().lines().count();
    let begun = Instant::now();
    while (!before.exists() || lines() < 30) && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    fs::write(&plan, LONG_PLAN.replace("seeds: 3", "seeds: 4")).unwrap();
    project
        .flockwork(&["sweep", "long.plan.ron", "--out", "grown"])
        .says(2, &["must end before it can grow again"]);
    fs::write(&plan, LONG_PLAN).unwrap();
    project.flockwork(&["sweep", "long.plan.ron", "--out", "grown"]).says(0, &["from before"]);
    project.flockwork(&["sweep", "long.plan.ron", "--out", "fresh"]).says(0, &[]);
    assert_eq!(tables(&project, "grown"), tables(&project, "fresh"));
}

/// The speed after ten ticks is 20 times the push, half as much of the mass, and what the velocity adds.
#[test]
fn points_of_saltelli_and_morris_tell_what_matters() {
    let plan = |points: &str| {
        format!(
            "(scenario: \"scenarios/two.ron\", vary: {{
                \"walkers.push\": Range(from: -4, to: 4), \"walkers.velocity.0\": Range(from: 8, to: 10),
                \"walkers.body.radius\": Range(from: 0.1, to: 0.5),
            }}, record: [\"mean_speed\"], sweep: (points: {points}))"
        )
    };
    let project = Project::two().with("a.plan.ron", plan("Saltelli(bases: 1024)"));
    project.flockwork(&["sweep", "a.plan.ron"]).says(0, &[]);
    let rows = |project: &Project| -> Vec<(String, Vec<f64>)> {
        let table = project.read("a.sweep/sensitivity.csv");
        let rows = table.lines().skip(1).map(|row| {
            let cells: Vec<&str> = row.split(',').collect();
            assert_eq!(cells[0], "mean_speed");
            let numbers = cells[2..].iter().map(|cell| cell.parse().unwrap()).collect();
            (cells[1].to_owned(), numbers)
        });
        rows.collect()
    };
    let shares = rows(&project);
    let names: Vec<&str> = shares.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["walkers.push", "walkers.velocity.0", "walkers.body.radius"]);
    // The variances of the two sums: (8 * 0.5)^2 / 12 and 2^2 / 12.
    for ((_, numbers), share) in shares.iter().zip([0.8, 0.2, 0.0]) {
        assert!(
            (numbers[0] - share).abs() < 0.05 && (numbers[3] - share).abs() < 0.05,
            "{shares:?}"
        );
    }
    let page = project.read("a.sweep/report.html");
    assert!(page.contains("<th>total low</th>"), "{page}");
    assert!(page.contains("mean_speed (world units/s)"), "{page}");
    let project = project.with("a.plan.ron", plan("Morris(ways: 10)"));
    project.flockwork(&["sweep", "a.plan.ron", "--restart"]).says(0, &[]);
    for ((_, numbers), effect) in rows(&project).iter().zip([4.0, 2.0, 0.0]) {
        assert!((numbers[0] - effect).abs() < 0.01 && numbers[4] < 0.01, "{numbers:?}");
    }
}

/// What is recorded at a tick or as a mean over ticks is what the measures over time say.
#[test]
fn measures_are_recorded_at_ticks_and_over_ticks() {
    let plan = |record: &str| {
        format!(
            "(scenario: \"scenarios/wanderers.ron\", vary: {{ \"a.body.max_speed\": List([5, 9]) }}, ticks: 40,
            record: [{record}], expectations: Ignore, sweep: (every: 1))"
        )
    };
    let names = ["polarization", "polarization@10", "polarization@10..19", "agents@0"];
    let record: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let project = wanderers().with("a.plan.ron", plan(&record.join(", ")));
    project.flockwork(&["sweep", "a.plan.ron"]).says(0, &[]);
    let [runs, series] = tables(&project, "a.sweep");
    let header = "run,point,a.body.max_speed,seed,tick,state_hash,polarization,polarization@10,polarization@10..19,agents@0,error";
    assert_eq!(runs.lines().next(), Some(header));
    assert_eq!(series.lines().next(), Some("run,tick,polarization,agents"));
    let over_time = |run: &str, ticks: std::ops::RangeInclusive<u64>| {
        let rows = series.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
        let rows = rows.filter(|row| row[0] == run && ticks.contains(&row[1].parse().unwrap()));
        let all: Vec<f64> = rows.map(|row| row[2].parse().unwrap()).collect();
        all.iter().sum::<f64>() / all.len() as f64
    };
    for row in runs.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let wanted = [40..=40, 10..=10, 10..=19].map(|ticks| over_time(cells[0], ticks));
        for (cell, wanted) in cells[6..9].iter().zip(wanted) {
            assert!((cell.parse::<f64>().unwrap() - wanted).abs() < 1e-6, "{cell} {wanted}");
        }
        assert_eq!(cells[9], "40");
    }
    for (record, why) in [
        ("\"polarization@41\"", "tick 41 is after the end of the runs, tick 40"),
        ("\"polarization@9..6\"", "the first tick is after the last one"),
        ("\"polarisation@9\"", "did you mean `polarization`?"),
    ] {
        fs::write(project.path("a.plan.ron"), plan(record)).unwrap();
        project.flockwork(&["sweep", "a.plan.ron"]).says(2, &[why, "a.plan.ron:2:"]);
    }
}

/// A string had the quotes of RON.
#[test]
fn strings_have_no_quotes_in_tables() {
    let plan = PLAN.replace(
        "\"groups.walkers.params.push\": List([0.0, 10.0])",
        "\"walkers.behavior\": List([\"walk\", \"run\"])",
    );
    let project = Project::two()
        .with("a.plan.ron", plan)
        .with("scripts/run.rhai", "fn steer(me) { vec(9, 0) }\n");
    project.flockwork(&["sweep", "a.plan.ron"]).says(0, &[]);
    let table = project.read("a.sweep/runs.csv");
    assert!(table.contains("\n0,0,walk,10,7,") && table.contains("\n3,3,run,10,7,"), "{table}");
}

#[test]
fn two_processes_never_write_to_one_folder() {
    let project = wanderers();
    let mut first = start(&project, "out");
    let until = Instant::now() + Duration::from_secs(60);
    while !project.path("out/sweep.json").exists() {
        assert!(Instant::now() < until);
        std::thread::sleep(Duration::from_millis(2));
    }
    let second = project.flockwork(&["sweep", "long.plan.ron", "--out", "out"]);
    first.wait().unwrap();
    // The first one may have ended before the second began.
    if second.code() == Some(2) {
        second.says(2, &["another process writes to out"]);
    }
    assert_eq!(tables(&project, "out")[0].lines().count(), 181);
}

/// Caught: only the script that the scenario names was read, so that all runs with another one failed.
#[test]
fn scripts_that_listed_values_name_are_read() {
    let plan = |second: &str| {
        LONG_PLAN
            .replace(
                "body.max_speed\": Range(from: 5, to: 12)",
                "behavior\": List([\"wander\", SECOND])",
            )
            .replace("(points: LatinHypercube(points: 60), every: 100)", "(every: 300)")
            .replace("SECOND", second)
    };
    let project = wanderers()
        .with("scripts/still.rhai", "import \"own\" as own; fn steer(me) { own::stop(me) }\n")
        .with("scripts/own.rhai", "fn stop(me) { -me.vel }\n")
        .with("long.plan.ron", plan("\"still\""));
    let sweep = ["sweep", "long.plan.ron"];
    project.flockwork(&sweep).says(0, &[]);
    assert_eq!(project.read("long.sweep/runs.csv").matches("still").count(), 3);
    let project = project.with("scripts/own.rhai", "fn stop(me) { me.vel }\n");
    project.flockwork(&sweep).says(2, &["changed since then: `own`"]);
    let project = project.with("long.plan.ron", plan("\"stil\""));
    let wrong = [
        "`groups.a.behavior` cannot be \"stil\"",
        "long.plan.ron:3:",
        "no script for the behavior `stil`",
    ];
    project.flockwork(&sweep).says(2, &wrong);
}

/// Caught: parts whose tables were empty, damaged or exchanged were joined without a message.
#[test]
fn damaged_parts_are_not_joined_and_not_continued() {
    let project = wanderers();
    let shard = |number: &str| {
        let args = ["sweep", "long.plan.ron", "--out", "parts", "--shard", number];
        project.flockwork(&args)
    };
    shard("1/2").says(0, &[]);
    shard("2/2").says(0, &[]);
    project.flockwork(&["merge", "parts"]).says(0, &[]);
    let joined = tables(&project, "parts");
    let others = tables(&project, "parts/shard-1-of-2");
    let whole = tables(&project, "parts/shard-2-of-2");
    for (table, name) in ["runs.csv", "series.csv"].into_iter().enumerate() {
        let file = format!("parts/shard-2-of-2/{name}");
        let path = project.path(&file);
        let text = &whole[table];
        let rows: Vec<&str> = text.split_inclusive('\n').collect();
        let changed = [
            String::new(),
            rows[0].to_owned(),
            text.replace(",1", "\0\0"),
            others[table].clone(),
            rows[..rows.len() - 1].concat(),
            [rows.as_slice(), &rows[rows.len() - 1..]].concat().concat(),
            [&rows[..5], &rows[6..]].concat().concat(),
            text.replacen("95,", "96,", 1),
        ];
        for text in changed {
            fs::write(&path, text).unwrap();
            let damaged = format!("{file} is damaged");
            project.flockwork(&["merge", "parts"]).says(2, &[&damaged, "with --restart"]);
            shard("2/2").says(2, &[&damaged]);
            assert_eq!(tables(&project, "parts"), joined);
        }
        fs::write(&path, text).unwrap();
    }
    project.flockwork(&["merge", "parts"]).says(0, &[]);
}

/// Caught: a page of somebody else was found after all runs.
#[test]
fn a_foreign_page_is_found_before_the_runs() {
    let project = wanderers().with("long.sweep/report.html", "mine\n");
    project.flockwork(&["sweep", "long.plan.ron"]).says(2, &["report.html", "is not a report"]);
    assert!(!project.path("long.sweep/runs.csv").exists());
}

/// A file `runs.csv` of somebody else was overwritten, and a table that another program had saved was deleted.
#[test]
fn tables_that_the_sweep_has_not_written_are_kept() {
    let mine = "name,age\nBert,3\n";
    let project = Project::two().with("a.plan.ron", PLAN).with("a.sweep/runs.csv", mine);
    let sweep = ["sweep", "a.plan.ron"];
    project.flockwork(&sweep).says(2, &["a.sweep/runs.csv", "is not a table of a sweep"]);
    assert_eq!(project.read("a.sweep/runs.csv"), mine);
    fs::remove_dir_all(project.path("a.sweep")).unwrap();
    project.flockwork(&sweep).says(0, &[]);
    let saved = project.read("a.sweep/runs.csv").replace('\n', "\r\n");
    let project = project.with("a.sweep/runs.csv", &saved);
    project.flockwork(&sweep).says(2, &["a.sweep/runs.csv is damaged"]);
    assert_eq!(project.read("a.sweep/runs.csv"), saved);
    let again = ["sweep", "a.plan.ron", "--restart"];
    project.flockwork(&again).says(0, &[]);
    assert_eq!(project.read("a.sweep/runs.csv"), saved.replace("\r\n", "\n"));
}

/// Starts a sweep on one thread, and ends it by a signal once its table has a row.
fn interrupted(project: &Project, out: &str) {
    let line = ["sweep", "long.plan.ron", "--threads", "1", "--out", out];
    let mut child = Command::new(snapbox::cmd::cargo_bin!("flockwork"))
        .current_dir(project.path("."))
        .args(line)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let table = project.path(&format!("{out}/runs.csv"));
    let rows = || fs::read_to_string(&table).unwrap_or_default().lines().count();
    let until = Instant::now() + Duration::from_secs(60);
    while rows() < 6 {
        assert!(Instant::now() < until, "there are no rows");
        std::thread::sleep(Duration::from_millis(2));
    }
    let signal = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

/// Caught: rows were written only when half of the sweep had ended, and what had changed since then was continued.
#[test]
fn an_interrupted_sweep_keeps_its_rows_and_continues_no_others() {
    let project = wanderers();
    let sweep = |out: &str| project.flockwork(&["sweep", "long.plan.ron", "--out", out]);
    sweep("whole").says(0, &[]);
    let expected = tables(&project, "whole");
    assert!(!project.path("whole/checksums.csv").exists());
    interrupted(&project, "out");
    let written = tables(&project, "out");
    let rows = written[0].lines().count();
    // Eighty-three runs would fill a million ticks of an agent.
    assert!(rows < 80, "{rows} of 181 lines are there");
    assert!(expected[0].starts_with(&written[0]), "{}", written[0]);
    let third = written[0].match_indices("\n2,").next().unwrap().0 + 1;
    let of_run = |run: &str| written[1].lines().find(|line| line.starts_with(run)).unwrap();
    let changed = [
        (0, format!("{}9{}", &written[0][..third + 2], &written[0][third + 2..])),
        (0, written[0].replacen("\n3,", "\n4,", 1)),
        (1, written[1].replacen(of_run("2,100,"), of_run("1,100,"), 1)),
        (1, written[1].replacen(of_run("1,200,"), "", 1).replacen("\n\n", "\n", 1)),
    ];
    for (table, text) in changed {
        let path = project.path(["out/runs.csv", "out/series.csv"][table]);
        fs::write(&path, &text).unwrap();
        sweep("out").says(2, &["damaged: the rows of run ", "--restart"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        fs::write(&path, &written[table]).unwrap();
    }
    // Caught: the rows were said to have changed.
    let sums = project.read("out/checksums.csv");
    let fourth: Vec<&str> = sums.split_inclusive('\n').collect();
    fs::write(project.path("out/checksums.csv"), [&fourth[..4], &fourth[5..]].concat().concat())
        .unwrap();
    sweep("out").says(2, &["out/checksums.csv has changed", "of run 3", "--restart"]);
    fs::write(project.path("out/checksums.csv"), &sums).unwrap();
    // Caught: without one of its files, the sweep began again without a message.
    for missing in ["sweep.json", "runs.csv", "series.csv", "checksums.csv"] {
        let path = project.path(&format!("out/{missing}"));
        let text = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        sweep("out").says(2, &[&format!("out/{missing} is missing"), "--restart"]);
        assert!(!path.exists());
        fs::write(&path, text).unwrap();
    }
    let identity = fs::read(project.path("whole/sweep.json")).unwrap();
    fs::remove_file(project.path("whole/sweep.json")).unwrap();
    sweep("whole").says(2, &["whole/sweep.json is missing, but runs.csv has rows", "--restart"]);
    fs::write(project.path("whole/sweep.json"), identity).unwrap();
    sweep("whole").says(0, &[]);
    // Missing runs are computed again.
    fs::write(project.path("out/runs.csv"), &written[0][..third]).unwrap();
    sweep("out").says(0, &["2 of 180 runs are done: going on"]);
    assert_eq!(tables(&project, "out"), expected);
    assert!(!project.path("out/checksums.csv").exists());
}

/// Caught: runs were said to be missing.
#[test]
fn a_part_of_another_division_is_named() {
    let project = wanderers();
    for shard in ["1/3", "2/3", "3/3", "2/2"] {
        let args = ["sweep", "long.plan.ron", "--out", "parts", "--shard", shard];
        project.flockwork(&args).says(0, &[]);
    }
    let both = "both parts/shard-2-of-3 and parts/shard-2-of-2 have run 90";
    project.flockwork(&["merge", "parts"]).says(2, &[both, "parts of different divisions"]);
    fs::remove_dir_all(project.path("parts/shard-2-of-2")).unwrap();
    project.flockwork(&["merge", "parts"]).says(0, &[]);
}

/// Caught: the first line of any file could be read from the message about a plan that names it.
#[test]
fn a_plan_names_only_files_of_scenarios() {
    let plan = LONG_PLAN.replace("scenarios/wanderers.ron", "secret");
    let project = wanderers().with("secret", "word: 1234").with("long.plan.ron", plan);
    for command in ["sweep", "check"] {
        let said = project.flockwork(&[command, "long.plan.ron"]);
        let all = [said.out(), said.err()].concat();
        assert!(all.contains("a scenario is a file that ends in .ron"), "{all}");
        assert!(!all.contains("1234"), "{all}");
    }
}

/// Caught: only the first value of each list was looked at.
#[test]
fn all_values_of_a_list_and_both_ends_of_a_range_are_checked() {
    for (variation, wrong) in [
        ("groups.a.count\": List([10, 20, many])", "`groups.a.count` cannot be many"),
        ("groups.a.body.max_speed\": Range(from: 5, to: -2)", "cannot be -2"),
        ("groups.a.count\": Integers(from: 3, to: -5)", "the range is empty"),
        // Caught: between the ends, nothing was tried, and a param could have values of several types.
        ("groups.a.count\": Range(from: 1, to: 2, steps: 3)", "`groups.a.count` cannot be 1.5"),
        ("groups.a.count\": Range(from: 1, to: 3)", "`groups.a.count` cannot be 2.23"),
        ("groups.a.params.far\": List([60, 2.5, many])", "a param has values of one type"),
        ("groups.a.count\": Integers(from: 5, to: 2000000000)", "cannot be 2000000000"),
    ] {
        let plan = LONG_PLAN
            .replace("groups.a.body.max_speed\": Range(from: 5, to: 12)", variation)
            .replace("many", "\"many\"");
        let wrong = wrong.replace("many", "\"many\"");
        let project = wanderers().with("long.plan.ron", plan);
        project.flockwork(&["check", "long.plan.ron"]).says(1, &[&wrong, "long.plan.ron:3:"]);
        project.flockwork(&["sweep", "long.plan.ron"]).says(2, &[&wrong]);
    }
}

/// Caught: a whole sweep was joined as if it were the only part of another one, and a part without runs was said to be there
/// already.
#[test]
fn a_whole_sweep_is_no_part_and_a_part_may_have_no_runs() {
    let project =
        Project::two().with("plans/a.plan.ron", PLAN.replace("scenarios/", "../scenarios/"));
    project.flockwork(&["sweep", "plans/a.plan.ron"]).says(0, &[]);
    let whole = "plans/a.sweep is a whole sweep, and not a part of one";
    project.flockwork(&["merge", "plans"]).says(2, &[whole, "--shard I/N"]);
    assert!(!project.path("plans/runs.csv").exists());
    let shard = |number: &str| {
        let args = ["sweep", "plans/a.plan.ron", "--out", "parts", "--shard", number];
        project.flockwork(&args).says(0, &[]).out()
    };
    shard("1/1");
    project.flockwork(&["merge", "parts"]).says(0, &[]);
    let out = shard("1/100");
    assert!(
        out.contains("this part has no runs, since the sweep has fewer runs than parts"),
        "{out}"
    );
    // Caught: nothing said how to make a table again.
    fs::remove_file(project.path("plans/a.sweep/runs.csv")).unwrap();
    project.flockwork(&["sweep", "plans/a.plan.ron"]).says(2, &["runs.csv", "with --restart"]);
}
