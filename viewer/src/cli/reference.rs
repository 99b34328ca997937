//! `flockwork reference`: everything that a script can call, read or define, and what a scenario can have.

mod find;
mod markdown;
mod scenario;
mod text;

use clap::ValueEnum;
use flockwork_engine::Diagnostic;
use flockwork_engine::script::{Entry, instead_of, reference as entries};
use flockwork_lsp::first_sentence;

use super::{CommandResult, Ending, terminal};
use find::Meaning;
use scenario::Part;

/// Print what scripts can call and read, and what scenarios can have
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork reference
  flockwork reference arrive
  flockwork reference v.limit
  flockwork reference vectors
  flockwork reference scenario
  flockwork reference body.radius
  flockwork reference --format markdown > reference.md

Without a name, all entries are listed with one line each. A name prints every entry
of that name in full: parameters with units and defaults, the result, the formula and
its source. A topic prints its list: scripts, primitives, combinators, me, agents,
neighborhoods, world, obstacles, paths, fields, vectors, numbers, arrays, values, now.
The topic `scenario` is what can be written in a scenario.")]
pub(super) struct Args {
    /// A name as scripts or scenarios write it (`seek`, `me.neighbors`, `+`, `Box`), or a topic
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
            let of_scripts = match format {
                _ if found.is_empty() => String::new(),
                ReferenceFormat::Text => text::meanings(&entries, &found),
                ReferenceFormat::Markdown => markdown::meanings(&entries, &found),
            };
            let parts = scenario::parts();
            let of_scenarios = if name == scenario::TOPIC {
                scenario::overview(&parts)
            } else {
                scenario::meanings(&scenario::find(&parts, name))
            };
            let sections = [of_scripts, of_scenarios];
            let sections: Vec<String> =
                sections.into_iter().filter(|text| !text.is_empty()).collect();
            if sections.is_empty() {
                return Err(unknown(&entries, &parts, name).into());
            }
            sections.join("\n")
        }
    };
    terminal::print(&output)?;
    Ok(Ending::Success)
}

/// Returns the error for a name that is not in the reference.
fn unknown(entries: &[Entry], parts: &[Part], query: &str) -> Diagnostic {
    let name = find::last_name(query);
    let error = Diagnostic::error(format!("the reference has no `{query}`"));
    let error = match instead_of(name) {
        Some(instead) => error.help(format!("scripts write `{instead}` for this")),
        None => {
            let of_scripts = entries.iter().flat_map(|entry| entry.names.iter().copied());
            error.suggest(name, of_scripts.chain(parts.iter().map(|part| part.name)))
        }
    };
    error.help("`flockwork reference` lists everything")
}

/// Returns the first sentence of an entry's documentation, on one line.
fn summary(entry: &Entry) -> String {
    first_sentence(&entry.doc[0])
}

/// Returns the entries that a search has found, without the topics.
fn found_entries<'a>(found: &[Meaning<'a>]) -> Vec<&'a Entry> {
    let entries = found.iter().filter_map(|one| match one {
        Meaning::Entry(entry) => Some(*entry),
        Meaning::Topic(_) => None,
    });
    entries.collect()
}
