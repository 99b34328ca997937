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
        "\nflockwork test --update 'scenarios/a_b|`c`.ron' scenarios/two.ron --reason \"...\"\n",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
    assert!(!text.contains("still.ron"), "{text}");
    assert!(project.path("out/page/scenarios-two.ron.png").exists());
    // The page has the command, too.
    let page = project.read("out/page/index.html");
    assert!(page.contains("flockwork test --update scenarios/two.ron --reason"));
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
        "\nflockwork test --update scenarios/two.ron --reason \"...\"\n",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
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
