//! `flockwork test`, as people and CI services use it.

use std::fs;
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::project::{Project, names, skipped};

/// Returns a project with one scenario, which passes.
pub(crate) fn passing_project() -> Project {
    let project = Project::two();
    project.flockwork(&["test", "--update", "--reason", "it is new"]).says(0, &[]);
    project
}

/// Replaces a text in a file of a project.
pub(crate) fn change(project: &Project, file: &str, from: &str, to: &str) {
    let text = project.read(file);
    assert!(text.contains(from), "{from} is not in {file}");
    fs::write(project.path(file), text.replace(from, to)).unwrap();
}

pub(crate) const WALK: &str = "scripts/walk.rhai";
pub(crate) const GOLDEN: &str = "scenarios/two.golden";

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
        "\naccept            flockwork test --update scenarios/two.ron\n",
        // Without a golden there is nothing to review.
        "\naccept            flockwork test --update 'scenarios/my own.ron'\n",
    ] {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
    assert_eq!(out.matches("\nreview  ").count(), 1, "{out}");
    // These commands work.
    project
        .flockwork(&["explain", "scenarios/two.ron", "--agent", "0", "--tick", "0"])
        .says(0, &[]);
    project.flockwork(&["test", "--update", "scenarios/two.ron"]).says(0, &[]);
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
