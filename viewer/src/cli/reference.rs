//! `flockwork reference`: everything that a script can call, read or define.

mod find;
mod markdown;
mod text;

use clap::ValueEnum;
use flockwork_engine::Diagnostic;
use flockwork_engine::script::{Entry, instead_of, reference as entries};

use super::{CommandResult, Ending, terminal};
use find::Found;

/// Print what scripts can call and read
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork reference
  flockwork reference arrive
  flockwork reference v.limit
  flockwork reference vectors
  flockwork reference --format markdown > reference.md

Without a name, all entries are listed with one line each. A name prints every entry
of that name in full: parameters with units and defaults, the result, the formula and
its source. A topic prints its list: scripts, primitives, combinators, me, agents,
neighborhoods, world, obstacles, paths, fields, vectors, numbers, arrays, values, now.")]
pub(super) struct Args {
    /// A name as scripts write it (`seek`, `me.neighbors`, `+`), or a topic
    name: Option<String>,

    /// Format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReferenceFormat::Text)]
    format: ReferenceFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReferenceFormat {
    /// Plain text for a terminal
    Text,
    /// Markdown, with a heading for each entry
    Markdown,
}

/// Executes the command.
pub(super) fn reference(args: Args) -> CommandResult {
    let entries = entries();
    let output = match (&args.name, args.format) {
        (None, ReferenceFormat::Text) => text::overview(&entries),
        (None, ReferenceFormat::Markdown) => markdown::book(&entries),
        (Some(name), format) => {
            let found = find::find(&entries, name);
            if found.is_empty() {
                return Err(unknown(&entries, name).into());
            }
            match format {
                ReferenceFormat::Text => text::found(&entries, &found),
                ReferenceFormat::Markdown => markdown::found(&entries, &found),
            }
        }
    };
    terminal::print(&output)?;
    Ok(Ending::Success)
}

/// Returns the error for a name that is not in the reference.
fn unknown(entries: &[Entry], query: &str) -> Diagnostic {
    let name = find::last_name(query);
    let error = Diagnostic::error(format!("the reference has no `{query}`"));
    let error = match instead_of(name) {
        Some(instead) => error.help(format!("scripts write `{instead}` for this")),
        None => error.suggest(name, entries.iter().flat_map(|entry| entry.names.iter().copied())),
    };
    error.help("`flockwork reference` lists everything")
}

/// Returns the first sentence of an entry's documentation, on one line.
fn summary(entry: &Entry) -> String {
    let first = entry.doc[0].replace('\n', " ");
    match first.find(". ") {
        Some(end) => first[..=end].to_owned(),
        None => first,
    }
}

/// Returns the entries that a search has found, without the topics.
fn found_entries<'a>(found: &[Found<'a>]) -> Vec<&'a Entry> {
    let entries = found.iter().filter_map(|one| match one {
        Found::Entry(entry) => Some(*entry),
        Found::Topic(_) => None,
    });
    entries.collect()
}
