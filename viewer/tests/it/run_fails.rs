//! `flockwork run`, when it fails: it says why, exits with code 2 and leaves no files behind.

use crate::project::Project;

#[test]
fn scenarios_that_are_not_utf_8() {
    let project = Project::two().with("scenarios/latin1.ron", b"(name: \"Z\xfcrich\")");
    let parts = ["latin1.ron is not text in UTF-8", "line 1 has the byte 0xfc"];
    project.flockwork(&["run", "scenarios/latin1.ron"]).says(2, &parts);
    // For `check`, it is a finding like others.
    project.flockwork(&["check", "scenarios/latin1.ron"]).says(1, &parts);
    project.flockwork(&["check", "."]).says(1, &["not text in UTF-8", "1 error,"]);
}

#[test]
fn a_missing_folder_of_scripts() {
    let project = Project::two();
    std::fs::remove_dir_all(project.path("scripts")).unwrap();
    project.flockwork(&["run", "scenarios/two.ron"]).says(2, &["there is no folder `scripts`"]);
}

#[cfg(target_os = "linux")]
#[test]
fn the_scenario_itself_as_output() {
    let project = Project::two();
    std::fs::rename(project.path("scenarios/two.ron"), project.path("two.csv")).unwrap();
    let before = std::fs::read(project.path("two.csv")).unwrap();
    project
        .flockwork(&["run", "two.csv", "--out", "./two.csv"])
        .says(2, &["two.csv: the file there is not a trajectory"]);
    assert_eq!(std::fs::read(project.path("two.csv")).unwrap(), before);
}

#[test]
fn an_output_folder_that_takes_no_files() {
    // Nobody can write into this folder, not even root.
    let answer = Project::two().flockwork(&["run", "scenarios/two.ron", "--out", "/proc/a.csv"]);
    answer.says(2, &["cannot write /proc/a.csv: no such file"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let project = Project::two();
    for name in ["a.csv", "a.jsonl", "a.txt"] {
        std::os::unix::fs::symlink("/dev/full", project.path(name)).unwrap();
        for ticks in ["1", "20000"] {
            let args = ["run", "scenarios/two.ron", "--out", name, "--ticks", ticks];
            let message = format!("cannot write {name}: the disk is full");
            assert_eq!(project.flockwork(&args).says(2, &[&message]).out(), "");
        }
    }
    assert_eq!(project.names(), ["a.csv", "a.jsonl", "a.txt", "scenarios", "scripts"]);
}

#[test]
fn a_script_that_fails_leaves_the_older_file() {
    let project = Project::two_with(
        "fn steer(me) {\n    if world.tick == 5 && me.id == 1 { return 7; }\n    vec(0, 0)\n}\n",
    )
    .with("a.csv", "tick,time,id,group,x,y,old");
    let args = ["run", "scenarios/two.ron", "--out", "a.csv"];
    let answer = project.flockwork(&args);
    answer.says(2, &["agent 1 of group `walkers`, at tick 5", "scripts/walk.rhai"]);
    assert_eq!(project.read("a.csv"), "tick,time,id,group,x,y,old");
    assert_eq!(project.names(), ["a.csv", "scenarios", "scripts"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_deletes_its_unfinished_file() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    if crate::interrupt::is_ignored(2) {
        return crate::project::skipped("-INT: the tests themselves ignore it");
    }
    let project =
        Project::two_with("fn steer(me) { if world.tick == 0 { debug(\"go\"); } vec(0, 0) }");
    let mut run = Command::new(snapbox::cmd::cargo_bin!("flockwork"))
        .current_dir(project.path("."))
        .args(["run", "scenarios/two.ron", "--out", "a.csv"])
        .args(["--ticks", "1000000000000", "--every", "1000000"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(run.stderr.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("go"));
    assert_eq!(project.names().len(), 3, "the file on its way");
    let pid = run.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert!(lines.any(|line| line.unwrap().contains("nothing is written")));
    assert_eq!(project.names(), ["scenarios", "scripts"]);
}
