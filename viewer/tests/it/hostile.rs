//! Scenarios and scripts that would hang the program or fill its memory. Each is a file; the expected messages are in a file
//! beside it.
//!
//! `tests/hostile/scenarios/NAME.ron` is a scenario whose groups use the behavior `rest`,
//! `tests/hostile/scripts/NAME.rhai` is the behavior of a scenario: `NAME.ron` beside it, or otherwise
//! `tests/hostile/world.ron`, where `SCRIPT` stands for its name. The expected standard error of `flockwork` and its exit
//! code are in `NAME.txt`. To write these files again, set `SNAPSHOTS=overwrite`, and review the changes. `HOSTILE=part`
//! runs only the files with this part in their name, and with `--nocapture` prints the memory and time of each.
//!
//! Large files are described in a compact way, see [`Project::unpack`]. A line `// command: check --perf` at the top is
//! the command to run; the path of the scenario is added at its end. Several commands run one after another. Without such a
//! line, the command is `run`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use snapbox::{Assert, Data};

use crate::bounded::{Bounds, run};
use crate::project::Project;

const ROOT: &str = "tests/hostile";

/// Limits of the program. It usually stops within two seconds; the time limit allows for development builds on busy
/// machines.
const BOUNDS: Bounds = Bounds { memory_bytes: 256 << 20, time: Duration::from_secs(60) };

/// Maximum length of a message, in bytes: longer ones would not be read.
const MAX_MESSAGE: usize = 8 << 10;

#[test]
fn messages_about_scenarios_come_in_time() {
    check_all("scenarios", "ron", messages, |name, text| {
        let rest = "fn steer(me) { vec(0, 0) }";
        let project = Project::empty().with("scripts/rest.rhai", rest);
        project.unpack(&format!("scenarios/{name}.ron"), text)
    });
}

#[test]
fn messages_about_scripts_come_in_time() {
    let world = fs::read_to_string(Path::new(ROOT).join("world.ron")).unwrap();
    check_all("scripts", "rhai", messages_either_way, |name, text| {
        let own = Path::new(ROOT).join(format!("scripts/{name}.ron"));
        let scenario = fs::read_to_string(own).unwrap_or_else(|_| world.clone());
        let scenario = scenario.replace("SCRIPT", name);
        let project = Project::empty().unpack(&format!("scenarios/{name}.ron"), &scenario);
        project.unpack(&format!("scripts/{name}.rhai"), text)
    });
}

/// Checks all files of a folder and reports all differences together.
fn check_all(
    folder: &str,
    ending: &str,
    messages: GetMessages,
    project: impl Fn(&str, &str) -> Project,
) {
    let mut paths: Vec<PathBuf> = fs::read_dir(Path::new(ROOT).join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|of| of == ending))
        .collect();
    paths.sort();
    let only = std::env::var("HOSTILE").unwrap_or_default();
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap().to_str().unwrap();
        if !name.contains(&only) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let commands = text.lines().map_while(|line| line.strip_prefix("// command: "));
        let mut commands: Vec<&str> = commands.collect();
        if commands.is_empty() {
            commands.push("run");
        }
        let project = project(name, &text);
        match commands
            .iter()
            .map(|line| messages(&project, line, name))
            .collect::<Result<String, _>>()
        {
            Err(why) => wrong.push(format!("{}: {why}", path.display())),
            Ok(said) => {
                let expected = Data::read_from(&path.with_extension("txt"), None).raw();
                let compared =
                    Assert::new().action_env("SNAPSHOTS").try_eq(None, Data::text(said), expected);
                wrong.extend(compared.err().map(|error| error.to_string()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[expect(clippy::print_stderr, reason = "a test reports on standard error")]
fn report(line: &str) {
    eprintln!("{line}");
}

/// Runs a command line with the scenario of a project and returns the messages of the program.
type GetMessages = fn(&Project, &str, &str) -> Result<String, String>;

/// Like [`messages`], and checks that a `run` with the interpreter has the same messages: a script is stopped at the same
/// place however it runs.
fn messages_either_way(project: &Project, line: &str, name: &str) -> Result<String, String> {
    let usual = messages(project, line, name)?;
    if let Some(options) = line.strip_prefix("run") {
        let slow = messages(project, &format!("run --interpreter{options}"), name)?;
        let without_command = |said: &str| said.split_once('\n').map(|(_, rest)| rest.to_owned());
        if without_command(&usual) != without_command(&slow) {
            return Err(format!("the interpreter says something else:\n{slow}"));
        }
    }
    Ok(usual)
}

/// Runs a command line with the scenario of a project and returns the messages and the exit code.
fn messages(project: &Project, line: &str, name: &str) -> Result<String, String> {
    let scenario = format!("scenarios/{name}.ron");
    let args: Vec<&str> = line.split(' ').chain([&*scenario]).collect();
    let mut command = Command::new(snapbox::cmd::cargo_bin!("flockwork"));
    command
        .current_dir(project.path(""))
        .args(&args)
        // Otherwise the used memory depends on the machine.
        .env("RAYON_NUM_THREADS", "2");
    let ended = run(&mut command, BOUNDS)?;
    let (code, said) = (ended.status.code(), &ended.stderr);
    if std::env::var_os("HOSTILE").is_some() {
        report(&format!(
            "{name}: {} MiB, {:.2} s",
            ended.peak_bytes >> 20,
            ended.wall.as_secs_f64()
        ));
    }
    match code {
        Some(code @ 0..=2) if !said.contains("panicked") && said.len() <= MAX_MESSAGE => {
            Ok(format!(
                "$ flockwork {line} {scenario}\n{}exit code {code}\n",
                said.replace(&format!("{}/", project.path("").display()), "")
            ))
        }
        _ => {
            let start: String = said.chars().take(2000).collect();
            Err(format!("exit code {code:?}, {} bytes of message: {start}", said.len()))
        }
    }
}
