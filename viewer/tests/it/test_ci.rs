//! What CI services need of `flockwork test`: summaries, a time limit, and no retries.

use std::fs;

use crate::project::Project;

/// Returns a project with two scenarios that fail, one with a name that Markdown would change, and one that passes.
fn failing_project() -> Project {
    let two = Project::two().read("scenarios/two.ron");
    let still = two.replace("behavior: \"walk\",", "");
    let still = still.replace("params: { \"push\": 0.0 }, // check: allow(unused-param)\n", "");
    let project = Project::two().with("scenarios/a_b|`c`.ron", &two);
    let project = project.with("scenarios/still.ron", still);
    project.flockwork(&["test", "--update", "--reason", "new"]).says(0, &[]);
    assert!(project.commit(), "there is no git here");
    project.with("scripts/walk.rhai", "fn steer(me) { me.seek(vec(90, 90)) }")
}

#[test]
fn a_summary_has_counts_differences_diagnoses_and_the_command_that_accepts() {
    let project = failing_project();
    let args = ["test", "--summary", "out.md", "--report", "out/page"];
    project.flockwork(&args).says(1, &[]);
    let text = project.read("out.md");
    for part in [
        "### Flockwork tests\n\n3 scenarios: 1 passed, 2 failed in ",
        "\n| scenario | result | tick | agent | difference | cause |\n",
        "\n| `scenarios/two.ron` | FAIL | `1` | `agent 0 (walkers)` | `position differs by ",
        "`` `seek` at scripts/walk.rhai:1:19: not called before",
        "\n| ``scenarios/a_b\\|`c`.ron`` | FAIL |",
        "<summary><code>scenarios/a_b|`c`.ron</code></summary>\n\n```\n",
        "first difference  tick 1",
        "Picture of both runs: `out/page/scenarios-two.ron.png`\n",
        ": `out/page/index.html`\n",
        "\nflockwork test --update 'scenarios/a_b|`c`.ron' scenarios/two.ron\n",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
    assert!(!text.contains("still.ron"), "{text}");
    assert!(project.path("out/page/scenarios-two.ron.png").exists());
    // The page has the command, too.
    let page = project.read("out/page/index.html");
    assert!(page.contains("flockwork test --update scenarios/two.ron"));
    // The next one follows it.
    project.flockwork(&["test", "scenarios/still.ron", "--summary", "out.md"]).says(0, &[]);
    let both = project.read("out.md");
    let added = both.strip_prefix(&text).expect("what was there is still there");
    assert!(
        added.starts_with("### Flockwork tests\n\n1 scenario: 1 passed, 0 failed in "),
        "{added}"
    );
    assert_eq!(added.lines().count(), 4, "{added}");
}

#[test]
fn a_summary_shows_failed_expectations_and_errors() {
    let two = Project::two().read("scenarios/two.ron");
    let fast = two.replace("    ticks: 10,", "    ticks: 10,\n    expect: [MaxSpeed(speed: 5)],");
    let project = Project::two().with("scenarios/fast.ron", fast).with("scenarios/bad.ron", "(");
    project.flockwork(&["test", "--summary", "out.md"]).says(1, &[]);
    let text = project.read("out.md");
    for part in [
        "\n| `scenarios/fast.ron` | FAIL | `0` | `agent 0` | `agent 0 (walkers) has speed ",
        "\n| `scenarios/bad.ron` | ERROR |  |  | `",
        "\n| `scenarios/two.ron` | UNTESTED |  |  | `it has neither a golden nor expectations",
        "\nflockwork test --update scenarios/two.ron\n",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
}

/// Caught: a job was red with an all green summary, because the check had found an error in a script that no scenario uses.
#[test]
fn errors_of_the_check_are_in_all_results() {
    let project = Project::two();
    project.flockwork(&["test", "--update"]).says(0, &[]);
    let args =
        ["test", "--check", "--format", "github", "--summary", "out.md", "--junit", "out.xml"];
    let answer = project.flockwork(&args).says(0, &["1 scenario and 1 script checked: 0 errors"]);
    assert!(!answer.out().contains("::error"), "{}", answer.out());
    assert!(project.read("out.md").contains("\n1 scenario and 1 script checked: 0 errors"));
    assert!(!project.read("out.xml").contains("name=\"check\""));
    let project = project.with("scripts/unused.rhai", "fn steer(me) { me.sek(vec(1, 2)) }");
    let answer = project.flockwork(&args).says(1, &["1 error, 0 warnings"]);
    let out = answer.out();
    assert!(out.contains("1 passed, 0 failed"), "{out}");
    assert!(out.contains("::error file=scripts/unused.rhai,line=1,"), "{out}");
    let text = project.read("out.md");
    assert!(text.contains("\n```\nerror: there is no function `sek`\n"), "{text}");
    let junit = project.read("out.xml");
    for part in ["tests=\"2\"", "errors=\"1\"", "name=\"scripts/unused.rhai:1:19\"", "did you mean"]
    {
        assert!(junit.contains(part), "`{part}` is missing in\n{junit}");
    }
    // An error that a scenario has is printed once.
    let project = project.with("scripts/walk.rhai", "fn steer(me) { me.sek(vec(1, 2)) }");
    let out = project.flockwork(&args).says(1, &["2 errors"]).out();
    assert_eq!(out.matches("::error file=scripts/walk.rhai").count(), 1, "{out}");
    project.flockwork(&["test", "--check", "--list"]).says(2, &["cannot be used with"]);
}

#[test]
fn annotations_are_at_the_line_of_the_cause() {
    let project = failing_project();
    let annotation = |project: &Project, start: &str| {
        let out = project.flockwork(&["test", "--format", "github"]).says(1, &[]).out();
        let mut lines = out.lines().filter(|line| line.starts_with("::error"));
        let line = lines.find(|line| line.contains("title=FAIL scenarios/two.ron::"));
        let line = line.unwrap_or_else(|| panic!("none in\n{out}")).to_owned();
        assert!(line.starts_with(start), "{line}");
        line
    };
    let line = annotation(&project, "::error file=scripts/walk.rhai,line=1,endLine=1,col=19,");
    for part in
        ["differs from its golden from tick 1 on; cause: `seek`", "test --update scenarios/two"]
    {
        assert!(line.contains(part), "{line}");
    }
    // A call that is gone has no line: that before it is shown.
    let gone = "fn steer(me) {\n    me.seek(vec(90, 90))\n        + me.flee(vec(0, 0))\n}\n";
    let project = project.with("scripts/walk.rhai", gone);
    project.flockwork(&["test", "--update"]).says(0, &[]);
    assert!(project.git(&["add", "-A"]) && project.git(&["commit", "-qm", "two calls"]));
    let project =
        project.with("scripts/walk.rhai", gone.replace("        + me.flee(vec(0, 0))\n", ""));
    annotation(&project, "::error file=scripts/walk.rhai,line=2,");
    assert!(project.git(&["checkout", "-q", "."]));
    // So is the line of a change in the scenario.
    let two = project.read("scenarios/two.ron");
    let project = project.with("scenarios/two.ron", two.replace("dt: 0.05", "dt: 0.04"));
    annotation(&project, "::error file=scenarios/two.ron,line=3,");
    // An expectation that fails has its own line.
    let fast = two.replace("    ticks: 10,", "    ticks: 10,\n    expect: [MaxSpeed(speed: 5)],");
    let project = project.with("scenarios/two.ron", fast);
    annotation(&project, "::error file=scenarios/two.ron,line=5,endLine=5,col=14,");
}

#[test]
fn a_summary_says_why_nothing_was_tested_and_where_the_report_is() {
    let project = Project::two();
    project.flockwork(&["test", "--update"]).says(0, &[]);
    assert!(project.commit(), "there is no git here");
    let summary = |args: &[&str]| {
        let _ = fs::remove_file(project.path("out.md"));
        project.flockwork(&[&["test", "--summary", "out.md"], args].concat()).says(0, &[]);
        project.read("out.md")
    };
    let text = summary(&["--changed"]);
    let why = "\nnothing to test: no change since the last commit concerns any of 1 scenario\n";
    assert!(text.contains(why), "{text}");
    let text = summary(&["--shard", "2/2"]);
    assert!(text.contains("\nshard 2/2 has 0 of 1 scenario\n"), "{text}");
    let text = summary(&["--report", "page", "--artifact", "report-1"]);
    assert!(text.contains("`index.html` in the artifact `report-1`"), "{text}");
    project.flockwork(&["test", "--artifact", "x"]).says(2, &["--report"]);
}

#[test]
fn a_summary_is_added_to_no_other_file() {
    let project = Project::two();
    let scenario = project.read("scenarios/two.ron");
    let args = ["test", "--update", "--summary"];
    for (file, says) in [
        ("scenarios/two.ron", "cannot add a summary to scenarios/two.ron: it does not end in .md"),
        ("scenarios", "cannot write scenarios: "),
        ("no/out.md", "cannot write no/out.md: "),
    ] {
        project.flockwork(&[&args[..], &[file]].concat()).says(2, &[says]);
    }
    assert_eq!(project.read("scenarios/two.ron"), scenario);
    assert!(!project.path("scenarios/two.golden").exists());
    // GitHub's file has no ending.
    fs::write(project.path("file_of_job"), "Before\n").unwrap();
    let file = project.path("file_of_job");
    let command = project.command(&args).arg(&file).env("GITHUB_STEP_SUMMARY", &file);
    assert!(command.output().unwrap().status.success());
    assert!(project.read("file_of_job").starts_with("Before\n### Flockwork tests\n"));
}

#[test]
fn a_long_summary_says_what_it_leaves_out() {
    let two = Project::two().read("scenarios/two.ron");
    let mut project = Project::two();
    for i in 0..400 {
        project = project.with(&format!("scenarios/{}{i}.ron", "long_".repeat(30)), &two);
    }
    fs::write(project.path("out.md"), "x".repeat(900_000)).unwrap();
    project.flockwork(&["test", "--summary", "out.md"]).says(1, &[]);
    let text = project.read("out.md");
    assert!(text.len() < 1_010_000, "{}", text.len());
    for part in [
        " rows of the table are left out here. ",
        " diagnoses are left out here. ",
        "401 runs can be accepted. The command with all their paths would be too long: ",
    ] {
        assert!(text.contains(part), "`{part}` is missing");
    }
}

#[test]
fn a_test_that_takes_too_long_fails_and_the_others_still_run() {
    let two = Project::two().read("scenarios/two.ron");
    let slow = two.replace("ticks: 10,", "ticks: 1000000000,\n    expect: [AllFinite],");
    let project = Project::two();
    project.flockwork(&["test", "--update"]).says(0, &[]);
    let project = project.with("scenarios/slow.ron", slow);
    let answer = project.flockwork(&["test", "--timeout", "1", "--junit", "out.xml"]).says(1, &[]);
    let out = answer.out();
    for part in
        ["FAIL [", "PASS [", "1 passed, 1 failed", "the test was stopped at tick ", ", after 1 s\n"]
    {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
    assert!(project.read("out.xml").contains("failures=\"1\" errors=\"0\""));
    let args = ["test", "--timeout", "0.1", "--update", "scenarios/slow.ron"];
    let out = project.flockwork(&args).says(1, &[]).out();
    assert!(out.contains("golden not written: the test did not end in time"), "{out}");
    assert!(!project.path("scenarios/slow.golden").exists());
    project
        .flockwork(&["test", "--timeout", "0"])
        .says(2, &["must be a number of seconds above 0"]);
}

#[test]
fn retries_are_refused() {
    let project = Project::two();
    let why = "`--retries` is refused: runs are exact, so a retry gives the same result";
    project.flockwork(&["test", "--retries", "2"]).says(2, &[why]);
    assert!(!project.flockwork(&["test", "--help"]).out().contains("retries"));
}

#[test]
fn tools_read_each_result_as_a_line_of_json() {
    let project = failing_project();
    let out = project.flockwork(&["test", "--format", "json"]).says(1, &["2 failed"]).out();
    let line = |scenario: &str| -> serde_json::Value {
        let all = out.lines().map(|line| serde_json::from_str(line).unwrap());
        all.into_iter().find(|one: &serde_json::Value| one["scenario"] == scenario).unwrap()
    };
    let failed = line("scenarios/two.ron");
    assert_eq!(failed["result"], "fail");
    assert_eq!(failed["is_acceptable"], true);
    assert_eq!(failed["findings"][0]["place"]["file"], "scripts/walk.rhai");
    let message = failed["findings"][0]["message"].as_str().unwrap();
    assert!(message.contains("differs from its golden from tick 1 on"), "{message}");
    assert!(failed["details"].as_str().unwrap().contains("flockwork explain"), "{failed:#}");
    // The decision at tick 0 leads to the difference at tick 1.
    assert_eq!((&failed["agent"], &failed["tick"]), (&"0".into(), &0.into()), "{failed:#}");
    // After it was accepted, there is nothing to say.
    let accept = ["test", "--format", "json", "--update", "--reason", "meant"];
    let out = project.flockwork(&accept).says(0, &[]).out();
    let lines: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().any(|one| one["result"] == "updated"), "{out}");
    assert!(lines.iter().all(|one| one["findings"].as_array().unwrap().is_empty()), "{out}");
    assert!(project.read("scenarios/two.golden").contains("meant"));
    project.flockwork(&["test", "--format", "json", "--review"]).says(2, &["as it ends"]);
}

/// Caught: without a Git history, the message was at the comment above the scenario, and no line of the script that had changed was marked.
#[test]
fn without_a_history_the_script_that_has_changed_is_marked() {
    let scenario = format!("// Two.\n{}", Project::two().read("scenarios/two.ron"));
    let project = Project::two().with("scenarios/two.ron", &scenario);
    project.flockwork(&["test", "--update", "--reason", "new"]).says(0, &[]);
    let script = "// Goes.\nfn steer(me) { me.seek(vec(90, 90)) }\n";
    let project = project.with("scripts/walk.rhai", script);
    let finding = |project: &Project| -> serde_json::Value {
        let out = project.flockwork(&["test", "--format", "json"]).says(1, &[]).out();
        serde_json::from_str::<serde_json::Value>(&out).unwrap()["findings"][0].clone()
    };
    let found = finding(&project);
    let place = &found["place"];
    assert_eq!((&place["file"], &place["start_line"]), (&"scripts/walk.rhai".into(), &2.into()));
    let help = found["help"][0].as_str().unwrap();
    assert!(
        help.starts_with("the line of the cause is not known: without a Git history"),
        "{help}"
    );
    // A changed scenario is marked where it begins, below its comment.
    let project = Project::two();
    project.flockwork(&["test", "--update", "--reason", "new"]).says(0, &[]);
    let project = project
        .with("scenarios/two.ron", scenario.replace("velocity: (20, 0)", "velocity: (10, 0)"));
    let place = finding(&project)["place"].clone();
    assert_eq!((&place["file"], &place["start_line"]), (&"scenarios/two.ron".into(), &2.into()));
}
