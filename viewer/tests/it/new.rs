//! `flockwork new`.

use std::process::Command;

use crate::project::{Project, names};

#[test]
fn a_new_project_passes_checks_and_tests_and_runs() {
    let project = Project::empty();
    let next = "cd deep/flock\n    flockwork run scenarios/hello.ron";
    project.flockwork(&["new", "deep/flock"]).says(0, &[next]);
    assert_eq!(
        names(&project.path("deep/flock")),
        [".gitignore", "README.md", "scenarios", "scripts"]
    );
    project
        .flockwork(&["check", "deep"])
        .says(0, &["1 scenario and 1 script checked: 0 errors, 0 warnings"]);
    let out = project.flockwork(&["test", "deep"]).says(0, &[]).out();
    assert!(out.contains("1 passed, 0 failed"), "{out}");
    let run = project.flockwork(&["run", "deep/flock/scenarios/hello.ron", "--ticks", "60"]);
    assert_eq!(run.says(0, &[]).summary("scenario"), "Hello");
}

/// Caught: the results of tests were committed, and a table in a folder of its own was not.
#[test]
fn a_new_project_ignores_what_tests_write_and_nothing_else() {
    let project = Project::empty();
    project.flockwork(&["new", "."]).says(0, &[]);
    if !project.commit() {
        return;
    }
    let args = ["test", "--junit", "results.xml", "--report", "report", "--summary", "summary.md"];
    project.flockwork(&args).says(0, &[]);
    let args = ["test", "--report", "flockwork-report"];
    project.flockwork(&args).says(0, &[]);
    project.flockwork(&["run", "scenarios/hello.ron", "--out", "hello.csv"]).says(0, &[]);
    let status = Command::new("git")
        .args(["status", "--porcelain", "--untracked-files=all"])
        .current_dir(project.path(""))
        .output();
    assert_eq!(String::from_utf8(status.unwrap().stdout).unwrap(), "");
    let project = project.with("paper/table.csv", "1\n").with("notes.md", "a note\n");
    let project = project.with("scenarios/area.csv", "1\n");
    assert!(project.git(&["add", "-A"]));
    for file in ["paper/table.csv", "notes.md", "scenarios/area.csv"] {
        assert!(project.git(&["ls-files", "--error-unmatch", file]), "{file}");
    }
}
