//! No option writes over a file that is not of its own kind.

use std::fs;

use crate::project::{Project, names};

/// Options that write files: the command with its other arguments, the option with its value, and the file.
const OUTPUTS: &[(&str, &str, &str)] = &[
    ("run scenarios/two.ron", "--out a.csv", "a.csv"),
    ("run scenarios/two.ron", "--out a.jsonl", "a.jsonl"),
    ("run scenarios/two.ron", "--out a.txt", "a.txt"),
    ("run scenarios/two.ron --format jsonl", "--out a", "a"),
    ("run scenarios/two.ron", "--measures m.csv", "m.csv"),
    ("run scenarios/two.ron", "--measures m.jsonl", "m.jsonl"),
    #[cfg(feature = "parquet")]
    ("run scenarios/two.ron", "--measures m.parquet", "m.parquet"),
    #[cfg(feature = "parquet")]
    ("sweep scenarios/two.plan.ron --out a", "--parquet", "a/runs.parquet"),
    ("render scenarios/two.ron --tick 1 --size 64x64", "--out a.png", "a.png"),
    ("render scenarios/two.ron --to 2 --size 64x64", "--out a.gif", "a.gif"),
    ("compare scenarios/two.ron --b ticks=2 --seeds 2", "--page c.html", "c.html"),
    ("test", "--junit a.xml", "a.xml"),
    ("test", "--report a", "a/index.html"),
    ("export wkt scenarios/two.ron", "--out a.wkt", "a.wkt"),
    ("man", "a", "a/flockwork-run.1"),
];

/// Files of other kinds.
const OTHERS: [(&str, &[u8]); 9] = [
    ("a scenario", b"(\n    name: \"Two\",\n"),
    ("a script", b"fn steer(me) { vec(0, 0) }\n"),
    ("a golden", b"flockwork golden 1\nscenario two 00\n"),
    ("another table", b"tick;time\n0;0\n"),
    ("other positions", b"# framerate: 16\n# id\tframe\tx\ty\n"),
    ("another page", b"<!doctype html>\n<title>Mine</title>\n"),
    ("other results", b"<?xml version=\"1.0\"?>\n<testsuites name=\"pytest\">\n"),
    ("another picture", b"\xff\xd8\xff\xe0\0\x10JFIF\0"),
    ("a blank line", b"\n"),
];

fn project() -> Project {
    let project =
        Project::two().with("scenarios/two.plan.ron", "(scenario: \"two.ron\", seeds: 2)\n");
    project.flockwork(&["test", "--update"]).says(0, &[]);
    project
}

fn done(project: &Project, command: &str, option: &str) -> crate::project::CommandOutput {
    let line = format!("{command} {option}");
    project.flockwork(&line.split(' ').collect::<Vec<_>>())
}

/// `test --junit scenarios/flock.ron` wrote over the scenario, with exit code 0.
#[test]
fn files_of_another_kind_are_kept() {
    for &(command, option, file) in OUTPUTS {
        let project = project();
        for (what, bytes) in OTHERS {
            let project = project_with(&project, file, bytes);
            let before = project.names();
            let message = done(project, command, option).says(
                2,
                &["cannot write", file, "is not a", "name another file, or delete this one first"],
            );
            assert_eq!(message.out(), "", "{command} {option}");
            let after = fs::read(project.path(file)).unwrap();
            assert_eq!(after, bytes, "{what} was replaced by {command} {option}");
            assert_eq!(project.names(), before, "{command} {option}");
        }
    }
}

#[test]
fn files_of_the_same_kind_and_empty_files_are_replaced() {
    for &(command, option, file) in OUTPUTS {
        let project = project();
        done(&project, command, option).says(0, &[]);
        let first = fs::read(project.path(file)).unwrap();
        done(&project, command, option).says(0, &[]);
        project_with(&project, file, b"");
        done(&project, command, option).says(0, &[]);
        let last = fs::read(project.path(file)).unwrap();
        assert_eq!(first[..32], last[..32], "{command} {option}");
    }
}

/// A trajectory may replace one of another format. Otherwise no output replaces another one.
#[test]
fn kinds_are_not_mixed_up() {
    for &(command, option, file) in OUTPUTS {
        let is_run = command.starts_with("run");
        for &(other, its_option, its_file) in OUTPUTS {
            if file == its_file || (is_run && other.starts_with("run")) {
                continue;
            }
            let project = project();
            done(&project, other, its_option).says(0, &[]);
            let bytes = fs::read(project.path(its_file)).unwrap();
            fs::remove_dir_all(project.path("a"))
                .or_else(|_| fs::remove_file(project.path("a")))
                .ok();
            project_with(&project, file, &bytes);
            done(&project, command, option).says(2, &["is not a"]);
            assert_eq!(fs::read(project.path(file)).unwrap(), bytes);
        }
    }
}

fn project_with<'a>(project: &'a Project, file: &str, bytes: &[u8]) -> &'a Project {
    let path = project.path(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
    project
}

/// Options that read the file they name.
const READS: &[(&str, &str)] = &[
    ("bench", "--baseline"),
    ("explain", "--inputs"),
    ("export", "--engine"),
    ("hunt", "--plan"),
    ("render", "--inputs"),
    ("run", "--inputs"),
];

/// Options that write a file only if there is none of that name.
const NEVER_REPLACES: &[(&str, &str)] = &[("import", "--out"), ("view", "--record-to")];

/// Options whose protection of other files is tested elsewhere, since the command needs a scenario of its own, or adds to its file.
const TRIED_ELSEWHERE: &[(&str, &str)] = &[("hunt", "--out"), ("test", "--summary")];

/// An option that writes files has to be in the list, or the tests above do not try it.
#[test]
fn every_option_that_writes_is_tried() {
    let project = Project::empty();
    for command in project.commands() {
        let help = project.flockwork(&[&command, "--help"]).out();
        let options = help.lines().map(str::trim).filter(|line| line.starts_with("--"));
        for option in options.filter(|line| line.contains("<FILE>") || line.contains("<DIR>")) {
            let option = option.split(' ').next().unwrap();
            let is_tried = OUTPUTS
                .iter()
                .any(|(of, with, _)| of.starts_with(&command) && with.starts_with(option));
            let exempt = [READS, NEVER_REPLACES, TRIED_ELSEWHERE]
                .concat()
                .contains(&(command.as_str(), option));
            assert!(is_tried || exempt, "{command} {option}");
        }
    }
}

/// `fmt` has no option for its output: it replaces the files that it reads, if their languages are its own.
#[test]
fn formatting_replaces_scenarios_and_scripts_only() {
    for (what, bytes) in OTHERS {
        let project = Project::empty().with("a.csv", bytes).with("b/a.csv", bytes);
        project.flockwork(&["fmt", "a.csv"]).says(2, &["is neither a scenario"]);
        project.flockwork(&["fmt", "b"]).says(0, &["0 files"]);
        assert_eq!(fs::read(project.path("b/a.csv")).unwrap(), bytes, "{what}");
    }
}

/// The report chooses the names of its pictures, so it replaces a picture of that name only beside an older report.
#[test]
fn pictures_of_a_report_replace_pictures_of_a_report() {
    let project = project();
    let project = project.with("scripts/walk.rhai", "fn steer(me) { me.seek(vec(90, 90)) }");
    let picture = "page/scenarios-two.ron.png";
    let report = |code, parts: &[&str]| {
        project.flockwork(&["test", "--report", "page"]).says(code, parts);
    };
    project_with(&project, picture, b"\x89PNG\r\n\x1a\n mine");
    report(2, &[picture, "a file has this name"]);
    fs::remove_dir_all(project.path("page")).unwrap();
    report(1, &[]);
    report(1, &[]);
    assert_eq!(names(&project.path("page")), ["index.html", "scenarios-two.ron.png"]);
}

/// A file that is not a golden may have the name of one.
#[test]
fn a_golden_replaces_a_golden() {
    let project = Project::two().with("scenarios/two.golden", "my notes\n");
    let message = project.flockwork(&["test", "--update"]).says(1, &[]).out();
    assert!(message.contains("two.golden: the file there is not a golden"), "{message}");
    assert_eq!(project.read("scenarios/two.golden"), "my notes\n");
    for old in ["flockwork golden 1\nbroken\n", "<<<<<<< HEAD\nflockwork golden 1\n=======\n", ""] {
        let project = Project::two().with("scenarios/two.golden", old);
        project.flockwork(&["test", "--update"]).says(0, &[]);
        assert!(project.read("scenarios/two.golden").starts_with("flockwork golden"));
    }
}

/// `test --update` waited until another program read from the pipe.
#[cfg(unix)]
#[test]
fn a_golden_is_no_pipe() {
    let project = Project::two();
    let made =
        std::process::Command::new("mkfifo").arg(project.path("scenarios/two.golden")).status();
    assert!(made.unwrap().success());
    let message = project.flockwork(&["test", "--update"]).says(1, &[]).out();
    assert!(message.contains("two.golden: it is a pipe"), "{message}");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_written_to() {
    let project = Project::two();
    let fifo = project.path("pipe.csv");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let reader = std::thread::spawn(move || fs::read_to_string(fifo).unwrap());
    project.flockwork(&["run", "scenarios/two.ron", "--out", "pipe.csv"]).says(0, &[]);
    assert!(reader.join().unwrap().starts_with("tick,time,"));
    let args = ["run", "scenarios/two.ron", "--out", "/dev/stdout", "--format", "csv"];
    let out = project.flockwork(&args).says(0, &[]).out();
    assert!(out.starts_with("tick,time,"));
}
