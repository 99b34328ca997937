//! Runs that cannot be: each says why, ends with code 2 and leaves nothing behind.

use crate::project::Project;

#[test]
fn scenarios_that_cannot_be_read() {
    let project = Project::two()
        .with("latin1.ron", b"(name: \"Z\xfcrich\")")
        .with("syntax.ron", "(\n    name: \"Two\n)");
    for (scenario, parts) in [
        ("scenarios/too.ron", ["there is no file scenarios/too.ron", "did you mean `two.ron`?"]),
        ("nowhere/two.ron", ["there is no folder nowhere", ""]),
        ("scenarios", ["scenarios is a folder, not a file", "such as scenarios/two.ron"]),
        ("latin1.ron", ["latin1.ron is not text in UTF-8", "line 1 has the byte 0xfc"]),
        ("syntax.ron", ["syntax.ron:", "name"]),
        ("scripts/walk.rhai", ["scripts/walk.rhai:1:", ""]),
    ] {
        let answer = project.flockwork(&["run", scenario, "--out", "a.csv"]);
        assert_eq!(answer.says(2, &parts).out(), "");
        assert!(!project.path("a.csv").exists());
    }
}

#[test]
fn behaviors_that_are_not_there() {
    let project = Project::two().with("scripts/walk.rhai", "");
    let run = |project: &Project, parts: &[&str]| {
        project.flockwork(&["run", "scenarios/two.ron"]).says(2, parts);
    };
    run(&project, &["scripts/walk.rhai", "no function `steer`"]);
    std::fs::rename(project.path("scripts/walk.rhai"), project.path("scripts/wlak.rhai")).unwrap();
    run(&project, &["behavior `walk`", "scenarios/two.ron:8:23", "did you mean `wlak`?"]);
    std::fs::remove_dir_all(project.path("scripts")).unwrap();
    run(&project, &["scenarios/two.ron:8:23", "there is no folder `scripts`"]);
}

#[test]
fn arguments_that_make_no_sense() {
    let project = Project::two();
    for (args, parts) in [
        (&["--ticks", "0"][..], ["'--ticks <N>'", "must be at least 1"]),
        (&["--ticks", "many"], ["'--ticks <N>'", "integer"]),
        (&["--every", "0", "--out", "a.csv"], ["'--every <K>'", "must be at least 1"]),
        (&["--every", "2"], ["--out <FILE>", "not provided"]),
        (&["--threads=-1"], ["--threads", "from 0 to 1024"]),
        (&["--threads", "99999"], ["from 0 to 1024", ""]),
        (&["--seed", "x"], ["--seed", ""]),
        (&["--set", "walkers"], ["group.param=value", ""]),
        (&["--set", "walker.push=1"], ["no group `walker`", "did you mean `walkers`?"]),
        (&["--set", "walkers.puhs=1"], ["no param `puhs`", "did you mean `push`?"]),
        (&["--set", "walkers.push=fast"], ["`fast`", "declared here"]),
        (&["--out", "a.xlsx"], ["cannot write a.xlsx", ".csv, .jsonl or .txt"]),
        (&["--out", "a"], ["a file ending", ".csv, .jsonl or .txt"]),
        (&["--out", "nowhere/a.csv"], ["cannot write nowhere/a.csv", "there is no folder nowhere"]),
        (&["--out", "scenarios/two.ron/a.csv"], ["there is no folder scenarios/two.ron", ""]),
    ] {
        let args = [&["run", "scenarios/two.ron"], args].concat();
        let answer = project.flockwork(&args);
        assert_eq!(answer.says(2, &parts).out(), "");
        assert_eq!(project.names(), ["scenarios", "scripts"], "{args:?}");
    }
}

#[test]
fn a_folder_as_output() {
    let project = Project::two().with("a.csv/x", "");
    let answer = project.flockwork(&["run", "scenarios/two.ron", "--out", "a.csv"]);
    answer.says(2, &["cannot write a.csv: it is a folder"]);
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
    // This one takes none from anybody, whoever runs the test.
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
fn a_script_that_fails_on_the_way_leaves_the_older_file() {
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

#[test]
fn scripts_that_would_never_end_or_leave_their_folder() {
    for (script, part) in [
        ("fn steer(me) { loop {} }", "scripts/walk.rhai:1"),
        ("fn deep(n) { 1 + deep(n + 1) } fn steer(me) { deep(0) }", "deep"),
        ("import \"../scenarios/x\" as x; fn steer(me) { x::y() }", "scripts folder"),
        ("import \"/etc/x\" as x; fn steer(me) { x::y() }", "scripts folder"),
    ] {
        let project = Project::two_with(script).with("scenarios/x.rhai", "fn y() { 1 }");
        let args = ["run", "scenarios/two.ron", "--out", "a.csv"];
        project.flockwork(&args).says(2, &[part]);
        assert_eq!(project.names(), ["scenarios", "scripts"]);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_takes_its_unfinished_file_with_it() {
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
