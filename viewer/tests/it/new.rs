//! Starting projects.

use crate::project::{Project, names};

#[test]
fn a_new_project_is_sound_and_runs() {
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

#[test]
fn an_empty_folder_will_do_and_no_other() {
    let project = Project::empty();
    project.flockwork(&["new", "."]).says(0, &[]);
    let before = project.read("scenarios/hello.ron");
    project.flockwork(&["new", "."]).says(2, &["is not empty"]);
    project.flockwork(&["new", "README.md"]).says(2, &["README.md is not a folder"]);
    project.flockwork(&["new", "README.md/x"]).says(2, &["README.md"]);
    assert_eq!(project.read("scenarios/hello.ron"), before);
    assert_eq!(project.names(), [".gitignore", "README.md", "scenarios", "scripts"]);
}
