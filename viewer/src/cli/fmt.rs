//! `flockwork fmt`: formats scenarios, plans and scripts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::format::{diff, format, language};
use flockwork_engine::load::{find, read};
use flockwork_engine::{Diagnostic, OutputFile, with_threads};

use super::check::{count_noun, paths_or_usual, say_left_out};
use super::{CommandResult, Ending, terminal};

/// Format scenarios and scripts: only white space changes
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork fmt
  flockwork fmt scenarios/hello.ron
  flockwork fmt --check

A script gets one style: statements of a block of several lines on lines of their own, four
spaces for each bracket around a line and for a line that continues the one before, a space
around operators, and line breaks where a line has more than 100 columns. In scenarios and
plans, line breaks and columns that are aligned by spaces stay: lines are indented, and a
space follows each `,` and `:`. Strings and comments stay as they are everywhere, and a file
with a syntax error is not changed.

The exit code is 1 if a file has an error, and with --check also if one is not formatted.")]
pub(super) struct Args {
    /// Scenarios, plans, scripts, or folders of them [default: scenarios scripts]
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// Write nothing, and show the difference of each file that is not formatted
    #[arg(long)]
    check: bool,
}

/// Executes the command.
pub(super) fn fmt(args: Args) -> CommandResult {
    let found = find(&paths_or_usual(args.paths)?)?;
    let files: Vec<&PathBuf> =
        found.scenarios.iter().chain(&found.plans).chain(&found.scripts).collect();
    let (mut changed, mut errors) = (0, 0);
    for path in &files {
        let Some(language) = language(path) else { continue };
        let formatted = with_threads(1, || {
            let source = read(path)?;
            format(&source, language).map(|text| (source, text))
        })?;
        let (source, text) = match formatted {
            Ok(formatted) => formatted,
            Err(error) => {
                terminal::show(&[error]);
                errors += 1;
                continue;
            }
        };
        if source.text != text {
            changed += 1;
            if args.check {
                let (name, diff) = (&source.name, diff(&source.text, &text));
                terminal::print(&format!("--- {name}\n+++ {name}\n{diff}"))?;
            } else {
                write(path, source, &text)?;
            }
        }
    }
    let what = if args.check { "not formatted" } else { "changed" };
    terminal::say(&format!(
        "{}: {changed} {what}, {}",
        count_noun(files.len(), "file"),
        count_noun(errors, "error")
    ));
    say_left_out(&found);
    let is_good = errors == 0 && (changed == 0 || !args.check);
    Ok(if is_good { Ending::Success } else { Ending::Shortfall })
}

/// Replaces a file, unless it has changed since it was read.
fn write(path: &Path, source: Arc<Source>, text: &str) -> Result<(), Diagnostic> {
    OutputFile::rewrite(path, source)?.write_whole(text)
}
