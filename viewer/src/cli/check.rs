//! `flockwork check`: what is wrong with scenarios and scripts, without running them.

use std::path::PathBuf;

use flockwork::load::find;
use flockwork::{Diagnostic, Severity, with_threads};

use super::{Answer, Outcome, terminal};

/// Check scenarios and scripts without running them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork check
  flockwork check scenarios/hello.ron scripts

The exit code is 1 if there is an error; warnings and notes are no failure. A
note says what keeps a behavior to the interpreter, which is slower, with the
same results.")]
pub(super) struct Args {
    /// Scenarios, scripts, or folders of them [default: scenarios scripts]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// What is looked at unless something is named.
const FOLDERS: [&str; 2] = ["scenarios", "scripts"];

/// The command.
pub(super) fn check(args: Args) -> Answer {
    let found = find(&paths(args.paths)?)?;
    let files = found.scenarios.iter().chain(&found.scripts);
    let findings = with_threads(1, || findings(files))
        .map_err(|error| vec![Diagnostic::error(error.to_string())])?;
    terminal::show(&findings);
    let count = |severity| {
        findings
            .iter()
            .filter(|one| one.severity == severity)
            .count()
    };
    let errors = count(Severity::Error);
    let mut text = format!(
        "{} and {} checked: {}, {}",
        counted(found.scenarios.len(), "scenario"),
        counted(found.scripts.len(), "script"),
        counted(errors, "error"),
        counted(count(Severity::Warning), "warning"),
    );
    let notes = count(Severity::Note);
    if notes > 0 {
        text += &format!(", {}", counted(notes, "note"));
    }
    terminal::say(&text);
    Ok(if errors == 0 {
        Outcome::Success
    } else {
        Outcome::Shortfall
    })
}

fn paths(named: Vec<PathBuf>) -> Result<Vec<PathBuf>, Vec<Diagnostic>> {
    if !named.is_empty() {
        return Ok(named);
    }
    let usual: Vec<PathBuf> = FOLDERS
        .iter()
        .map(PathBuf::from)
        .filter(|folder| folder.is_dir())
        .collect();
    if usual.is_empty() {
        return Err(vec![
            Diagnostic::error("there is neither a folder `scenarios` nor a folder `scripts` here")
                .help("name what to check, or go to the folder they are in"),
        ]);
    }
    Ok(usual)
}

/// What is wrong with any of the files; once, for a script that several scenarios use.
fn findings<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    for file in files {
        for finding in flockwork::check(file) {
            if !all.contains(&finding) {
                all.push(finding);
            }
        }
    }
    all
}

fn counted(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}
