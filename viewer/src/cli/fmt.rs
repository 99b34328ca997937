//! `flockwork fmt`: formats scenarios, plans and scripts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::format::{diff, format, language};
use flockwork_engine::load::{find, read};
use flockwork_engine::{Diagnostic, OutputFile, with_threads};

use super::check::{count_noun, paths_or_usual, say_left_out};
use super::{CommandResult, Ending, terminal};

/// Format scenarios and scripts: white space, and commas before closing brackets
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork fmt
  flockwork fmt scenarios/hello.ron
  flockwork fmt --check

Files get one style: four spaces for each bracket around a line, line breaks at both ends of
brackets or at none, a space around operators and behind each `,` and `:`, and line breaks where
a line has more than 100 columns. Statements of a block of several lines have lines of their own.
In scenarios and plans, a comma is behind the last element if the closing bracket begins a line.
All other line breaks, strings and comments stay as they are, and a file with a syntax error is
not changed.

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
