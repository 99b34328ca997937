//! `flockwork fmt`: formats scenarios, plans and scripts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::format::{Change, changes, format, language};
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

Lines are indented by four spaces for each bracket around them, a space follows each `,`,
`;` and `:`, and white space at the end of lines and repeated empty lines are removed.
Strings and comments stay as they are, and so do line breaks, columns that are aligned by
spaces, and the distance of a line to the one that it continues. A file with a syntax error
is not changed.

The exit code is 1 if a file has an error, and with --check also if one is not formatted.")]
pub(super) struct Args {
    /// Scenarios, plans, scripts, or folders of them [default: scenarios scripts]
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// Write nothing, and show the first change of each file that is not formatted
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
        if let Some(first) = changes(&source.text, &text).first() {
            changed += 1;
            if args.check {
                terminal::show(&[not_formatted(&source, first)]);
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

/// Returns the message about the first change of a file.
fn not_formatted(source: &Arc<Source>, Change { span, text }: &Change) -> Diagnostic {
    let removed = &source.text[span.clone()];
    let spaces = |part: &str| count_noun(part.chars().count(), "space");
    let label = match (removed, text.as_str()) {
        (removed, _) if removed.contains('\n') => "remove empty lines".to_owned(),
        (_, text) if text.contains('\n') => "end the last line".to_owned(),
        ("", text) => format!("add {}", spaces(text)),
        (removed, "") => format!("remove {}", spaces(removed)),
        (_, text) => format!("write {}", spaces(text)),
    };
    Diagnostic::error(format!("{} is not formatted", source.name))
        .at(source, span.clone())
        .label(label)
        .help("`flockwork fmt` formats it")
}
