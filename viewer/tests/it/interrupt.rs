//! A program that is interrupted leaves no files behind.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::project::{Project, names, skipped};

/// A scenario that runs longer than any test waits, but does not fail.
const SLOW: &str = "(name: \"Slow\", dt: 0.05, ticks: 100000000, world: (size: (100, 100)),
    groups: { \"a\": (behavior: \"walk\", spawn: Points([(0, 0)]), body: (radius: 1, max_speed: 20)) },
)";

fn slow() -> Project {
    let walk = "fn steer(me) { vec(0, 0) }";
    Project::empty().with("scenarios/slow.ron", SLOW).with("scripts/walk.rhai", walk)
}

fn started(project: &Project, line: &str) -> Child {
    Command::new(snapbox::cmd::cargo_bin!("flockwork"))
        .current_dir(project.path("."))
        .args(line.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn send(signal: &str, to: &Child) {
    let sent = Command::new("kill").args([signal, &to.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Returns whether the tests were started with a signal ignored; programs that they start then ignore it too.
pub(crate) fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0) >> (signal - 1) & 1 == 1
}

/// Waits for a file with an ending.
fn wait_for(ending: &str, folder: &Path) {
    let until = Instant::now() + Duration::from_secs(60);
    while !names(folder).iter().any(|name| name.ends_with(ending)) {
        assert!(Instant::now() < until, "there is no {ending} in {}", folder.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until a command is certainly in its runs, though it has written nothing: until it has computed longer than it takes to
/// start. Where that cannot be asked, waits some time.
fn wait_for_work(child: &Child) {
    if !Path::new("/proc/self/stat").exists() {
        return std::thread::sleep(Duration::from_millis(1500));
    }
    // In hundredths of a second, of user and system. The name of the program ends at the last parenthesis.
    let computed = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    };
    let until = Instant::now() + Duration::from_secs(60);
    while computed().unwrap_or_default() < 50 {
        assert!(Instant::now() < until, "the command does not work");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Runs that were interrupted left files `.flockwork-….part` behind.
#[test]
fn signals_end_commands_and_leave_no_files() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        if is_ignored(code - 128) {
            skipped(&format!("{signal}: the tests themselves ignore it, as under `nohup`"));
            continue;
        }
        for (line, folder) in [
            ("run scenarios/slow.ron --out a.csv --every 1000000", "."),
            ("render scenarios/slow.ron --to 100000000 --every 50000 --out a.gif", "."),
            ("test --update", "scenarios"),
        ] {
            let project = slow();
            let mut child = started(&project, line);
            wait_for(".part", &project.path(folder));
            send(signal, &child);
            assert_eq!(child.wait().unwrap().code(), Some(code), "{signal} {line}");
            assert_eq!(names(&project.path("scenarios")), ["slow.ron"], "{signal} {line}");
            assert_eq!(project.names(), ["scenarios", "scripts"], "{signal} {line}");
        }
    }
}

/// The first Ctrl+C waited for the end of a tick.
#[test]
fn an_interrupt_does_not_wait_for_a_long_tick() {
    let script = "fn steer(me) { let s = \"\"; for i in 0..100000 { s = \"a\" + i; } vec(0, 0) }";
    let world = SLOW.replace(
        "spawn: Points([(0, 0)])",
        "count: 20000, spawn: Rect(min: (0, 0), max: (99, 99))",
    );
    if is_ignored(2) {
        return skipped("-INT: the tests themselves ignore it");
    }
    for line in [
        "run scenarios/slow.ron --out a.csv",
        "run scenarios/slow.ron",
        "explain scenarios/slow.ron --agent 0 --tick 5",
        "render scenarios/slow.ron --tick 5 --out a.png",
        "test --update",
    ] {
        let project = slow().with("scripts/walk.rhai", script).with("scenarios/slow.ron", &world);
        let mut child = started(&project, line);
        if line.contains("--out") {
            wait_for(".part", &project.path("."));
        } else {
            wait_for_work(&child);
        }
        let asked = Instant::now();
        send("-INT", &child);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{line}");
        assert!(asked.elapsed() < Duration::from_secs(20), "{line}");
        assert_eq!(names(&project.path("scenarios")), ["slow.ron"], "{line}");
        assert_eq!(project.names(), ["scenarios", "scripts"], "{line}");
    }
}

/// An interrupted `test --hunt` had exit code 0. The others ended without a message if a run took long.
#[test]
fn interrupted_experiments_say_what_is_kept() {
    if is_ignored(2) {
        return skipped("-INT: the tests themselves ignore it");
    }
    let expect = "expect: [MaxSpeed(speed: 21)],\n)";
    let short = SLOW.replace("100000000", "100").replace("\n)", &format!("\n    {expect}"));
    let endless = SLOW.replace("\n)", &format!("\n    {expect}"));
    let plan =
        "(scenario: \"scenarios/slow.ron\", vary: { \"dt\": Range(from: 0.01, to: 0.1) }, seeds: 4,
        sweep: (points: Sobol(points: 2)), tune: (goals: [Margins], budget: 100))";
    for (line, scenario, said) in [
        (
            "sweep a.plan.ron",
            &endless,
            "interrupted: 0 of 8 runs are done; the same command goes on",
        ),
        ("tune a.plan.ron", &endless, "interrupted: no try has ended"),
        ("hunt scenarios/slow.ron", &endless, "interrupted: found nothing in 0 of 500 runs"),
        ("test --hunt 1000000000", &short, "interrupted: the hunts are not complete"),
    ] {
        let project = slow().with("a.plan.ron", plan).with("scenarios/slow.ron", scenario);
        let child = Command::new(snapbox::cmd::cargo_bin!("flockwork"))
            .current_dir(project.path("."))
            .args(line.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_work(&child);
        send("-INT", &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{line}");
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(text.contains(said), "{line}: {text}");
    }
}

/// Caught: SIGTERM wrote a failure without a message, and SIGINT said that nothing was found.
#[test]
fn an_interrupted_hunt_names_the_failure_that_it_has_written() {
    // It fails soon, but the runs for laws of symmetry go on for long.
    let expect = "expect: [Throughput(from: (0, -9), to: (99, -9), at_least: 1, by: 3)],\n)";
    let scenario = SLOW.replace("\n)", &format!("\n    {expect}"));
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        if is_ignored(code - 128) {
            skipped(&format!("{signal}: the tests themselves ignore it"));
            continue;
        }
        let project = slow().with("scenarios/slow.ron", &scenario);
        let child = Command::new(snapbox::cmd::cargo_bin!("flockwork"))
            .current_dir(project.path("."))
            .args("hunt scenarios/slow.ron --shrink-runs 0".split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let file = "scenarios/slow.hunt/failure-1.ron";
        let until = Instant::now() + Duration::from_secs(60);
        while !project.path(file).exists() {
            assert!(Instant::now() < until, "nothing was found");
            std::thread::sleep(Duration::from_millis(5));
        }
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{signal}");
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(text.contains("interrupted") && text.contains(file), "{signal}: {text}");
        assert_eq!(names(&project.path("scenarios/slow.hunt")), ["failure-1.ron"], "{signal}");
    }
}

/// Programs started with `nohup` ignore a signal.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_stays_ignored() {
    let project = slow();
    let program = snapbox::cmd::cargo_bin!("flockwork").display().to_string();
    let line =
        format!("trap '' HUP; exec '{program}' run scenarios/slow.ron --out a.csv --every 1000000");
    let mut child = Command::new("sh")
        .args(["-c", &line])
        .current_dir(project.path("."))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for(".part", &project.path("."));
    send("-HUP", &child);
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(143));
}
