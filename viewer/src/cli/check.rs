//! `flockwork check`: finds mistakes in scenarios and scripts before they run.

pub(super) mod github;
mod json;
mod sarif;

use std::path::PathBuf;
use std::sync::Arc;

use flockwork_engine::load::{FoundFiles, OpenFiles, SCENARIOS_FOLDER, SCRIPTS_FOLDER, find};
use flockwork_engine::plan_file;
use flockwork_engine::{Code, Diagnostic, Diagnostics, Severity, with_threads};
use serde::Serialize;

use super::{CommandResult, Ending, terminal};

/// Find mistakes in scenarios and scripts before they run
#[derive(Debug, clap::Args)]
#[command(after_help = help())]
pub(super) struct Args {
    /// Scenarios, plans, scripts, or folders of them [default: scenarios scripts]
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// Format of the findings
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: CheckFormat,

    /// Also report what keeps behaviors in the interpreter, which is slower
    #[arg(long)]
    perf: bool,
}

/// Formats of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum CheckFormat {
    /// Text for people
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

/// What a check has found.
pub(super) struct CheckedFiles {
    findings: Vec<Diagnostic>,
    counts: Counts,
}

/// Numbers of scenarios, plans, scripts and findings.
#[derive(Serialize)]
struct Counts {
    scenarios: usize,
    plans: usize,
    scripts: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
}

const HELP: &str = "\
Examples:
  flockwork check
  flockwork check scenarios/hello.ron scripts
  flockwork check --format sarif > flockwork.sarif

The exit code is 1 if there is an error; warnings and notes leave it 0. It is 2 if a path
does not exist: then nothing is checked, and only the standard error says so. With --perf,
notes show what keeps a behavior in the interpreter, which is slower, with the same results,
and whose ways are searched on many cells.

Text goes to the standard error, all other formats to the standard output.
  json    one object with version (1), numbers of scenarios, scripts, errors, warnings and
          notes, and findings: severity (error, warning, note), code, message, label (a
          short text about the place, or empty), help (a list), place, related (a list of
          message and place) and fixes (a list of title, place, and the text to write
          there). A place is null or has file, start_line, start_column,
          end_line, end_column (from 1, columns in characters, ends exclusive),
          start_byte and end_byte (from 0).
  sarif   SARIF 2.1.0, for code scanning services
  github  one workflow command per line, which GitHub shows beside the code";

/// Returns the end of `--help`: examples, formats, and each code with its meaning.
fn help() -> String {
    let longest = Code::ALL.iter().map(|code| code.name().len()).max();
    let longest = longest.unwrap_or_default();
    let codes: Vec<String> = Code::ALL
        .iter()
        .map(|code| format!("  {:longest$}  {}", code.name(), code.meaning()))
        .collect();
    format!(
        "{HELP}\n\nTo silence a warning, put a comment on its line or on the line above:\n  \
         // check: allow(unused-param)\n\nCodes of findings:\n{}",
        codes.join("\n")
    )
}

/// Folders that are checked if no path is given.
const FOLDERS: [&str; 2] = [SCENARIOS_FOLDER, SCRIPTS_FOLDER];

/// Executes the command.
pub(super) fn check(args: Args) -> CommandResult {
    let found = find(&paths_or_usual(args.paths)?)?;
    let checked = CheckedFiles::new(&found, args.perf)?;
    checked.show(args.format)?;
    terminal::say(&checked.summary());
    say_left_out(&found);
    Ok(if checked.counts.errors == 0 { Ending::Success } else { Ending::Shortfall })
}

impl CheckedFiles {
    /// Checks files, with `perf` also for what makes them slow.
    pub(super) fn new(found: &FoundFiles, perf: bool) -> Result<Self, Diagnostics> {
        let mut findings = with_threads(1, || findings(found))?;
        findings.retain(|one| perf || !one.code.is_about_speed());
        let count = |severity| findings.iter().filter(|one| one.severity == severity).count();
        let counts = Counts {
            scenarios: found.scenarios.len(),
            plans: found.plans.len(),
            scripts: found.scripts.len(),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
        };
        Ok(Self { findings, counts })
    }

    /// Writes the findings.
    pub(super) fn show(&self, format: CheckFormat) -> Result<(), Diagnostics> {
        match format {
            CheckFormat::Text => terminal::show(&self.findings),
            CheckFormat::Json => terminal::print(&json::json(&self.findings, &self.counts))?,
            CheckFormat::Sarif => terminal::print(&sarif::sarif(&self.findings))?,
            CheckFormat::Github => terminal::print(&github::commands(&self.findings))?,
        }
        Ok(())
    }

    /// Returns the findings that are errors.
    pub(super) fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.findings.iter().filter(|one| one.severity == Severity::Error)
    }

    /// Returns how many files were checked, and how many findings there are.
    pub(super) fn summary(&self) -> String {
        let counts = &self.counts;
        let scripts = match (counts.scenarios, counts.scripts) {
            // No script is named, but those that a scenario uses are checked with it.
            (1, 0) => "its scripts".to_owned(),
            (2.., 0) => "their scripts".to_owned(),
            _ => count_noun(counts.scripts, "script"),
        };
        let plans = match counts.plans {
            0 => String::new(),
            plans => format!(", {}", count_noun(plans, "plan")),
        };
        let mut text = format!(
            "{}{plans} and {scripts} checked: {}, {}",
            count_noun(counts.scenarios, "scenario"),
            count_noun(counts.errors, "error"),
            count_noun(counts.warnings, "warning"),
        );
        if counts.notes > 0 {
            text += &format!(", {}", count_noun(counts.notes, "note"));
        }
        text
    }
}

/// Says how many files in RON were left out, if any were.
pub(super) fn say_left_out(found: &FoundFiles) {
    let count = found.left_out.len();
    if count > 0 {
        terminal::say(&format!(
            "{} left out: neither in a folder `{SCENARIOS_FOLDER}` nor with a `world` or `groups`",
            count_noun(count, ".ron file")
        ));
    }
}

/// Returns the paths that are named, or else the usual folders.
pub(super) fn paths_or_usual(named: Vec<PathBuf>) -> Result<Vec<PathBuf>, Diagnostics> {
    if !named.is_empty() {
        return Ok(named);
    }
    let usual: Vec<PathBuf> =
        FOLDERS.iter().map(PathBuf::from).filter(|folder| folder.is_dir()).collect();
    if usual.is_empty() {
        return Err(Diagnostic::error(
            "there is neither a folder `scenarios` nor a folder `scripts` here",
        )
        .help("give a path, or change to the folder of your project")
        .into());
    }
    Ok(usual)
}

/// Returns all findings in the files. A finding in a file that several others use is listed once.
fn findings(found: &FoundFiles) -> Vec<Diagnostic> {
    let check = |file: &PathBuf| flockwork_engine::check(file);
    let scenarios: Vec<Diagnostic> = found.scenarios.iter().flat_map(check).collect();
    // With a scenario, more is known of what helps.
    let is_new = |one: &Diagnostic| {
        let mut known = scenarios.iter();
        !known.any(|known| known.message == one.message && known.place == one.place)
    };
    let scripts: Vec<Diagnostic> = found.scripts.iter().flat_map(check).filter(is_new).collect();
    let files = scenarios.into_iter().chain(scripts);
    let open = Arc::new(OpenFiles::default());
    let plans = found.plans.iter().filter_map(|plan| plan_file::check(plan, &open).err()).flatten();
    Diagnostics::unique(files.chain(plans)).into_vec()
}

/// Returns a number with the noun that it counts.
pub(super) fn count_noun(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}
