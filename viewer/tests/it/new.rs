//! `flockwork new`.

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
