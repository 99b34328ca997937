//! The command line: the commands, and the exit codes of the program.
//!
//! One file for each command. Messages for people go to the standard error, results to the standard
//! output or to files.

mod aligned;
mod figures;
mod interrupt;
mod jobs;
mod origin;
mod progress;
mod run_args;
mod shard;
mod suggestions;
mod terminal;
mod tick;
mod typed_table;
mod values;

use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{Parser, Subcommand};
use flockwork_engine::Diagnostics;
use serde::Serialize;

/// Run, watch and test scenarios of steering agents; each run gives the same bits
#[derive(Debug, Parser)]
#[command(version = version(), after_help = "Example:\n  flockwork new my-flock")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Lists the commands: the name of the variant, and that of the file, which has `Args` and a function of the same name.
macro_rules! commands {
    ($($(#[$attribute:meta])* $Variant:ident: $name:ident;)*) => {
        $($(#[$attribute])* mod $name;)*

        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$attribute])* $Variant($name::Args),)*
        }

        impl Command {
            fn execute(self) -> CommandResult {
                match self {
                    $($(#[$attribute])* Self::$Variant(args) => $name::$name(args),)*
                }
            }
        }
    };
}

// In the order of `flockwork --help`.
commands! {
    Run: run;
    #[cfg(feature = "window")]
    View: view;
    Test: test;
    Check: check;
    Fmt: fmt;
    Explain: explain;
    Render: render;
    Sweep: sweep;
    Tune: tune;
    Merge: merge;
    Hunt: hunt;
    Compare: compare;
    Bench: bench;
    Score: score;
    Import: import;
    Export: export;
    Reference: reference;
    New: new;
    Lsp: lsp;
    Debug: debug;
    Completions: completions;
    Man: man;
}

/// How a command ended that did what it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Success,
    /// It ran, and found something that is not as it should be: a failed test, an error in a file.
    Shortfall,
    /// A signal ended it.
    Interrupted,
}

/// How a command ended, or why it could not do what it was asked for.
type CommandResult = Result<Ending, Diagnostics>;

/// The version, with the commit if that is known.
static VERSION: OnceLock<String> = OnceLock::new();

/// Returns the version of the program.
fn version() -> &'static str {
    VERSION.get().map_or(env!("CARGO_PKG_VERSION"), String::as_str)
}

/// Returns a value as JSON in lines that people can read, too.
fn json_text(value: &(impl Serialize + ?Sized)) -> String {
    // Strings and numbers can always be serialized.
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    format!("{text}\n")
}

/// Executes the command line and returns the exit code.
pub(crate) fn main(commit: Option<&str>) -> ExitCode {
    VERSION.get_or_init(|| match commit {
        Some(commit) => format!("{} ({commit})", env!("CARGO_PKG_VERSION")),
        None => env!("CARGO_PKG_VERSION").to_owned(),
    });
    let answer = match Cli::try_parse() {
        Ok(cli) => {
            interrupt::listen();
            cli.command.execute()
        }
        Err(error) => match suggestions::missing_in_build(&error) {
            Some(missing) => Err(missing.into()),
            None => suggestions::corrected(error).exit(),
        },
    };
    ExitCode::from(match answer {
        Ok(Ending::Success) => 0,
        Ok(Ending::Shortfall) => 1,
        Ok(Ending::Interrupted) => interrupt::exit_code(),
        Err(errors) => {
            terminal::show(&errors);
            2
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_commands_are_well_formed_and_each_has_an_example() {
        let mut cli = Cli::command();
        cli.build();
        cli.clone().debug_assert();
        for command in cli.get_subcommands().filter(|one| one.get_name() != "help") {
            let help = command.get_after_help().map(ToString::to_string);
            let name = command.get_name();
            assert!(
                help.is_some_and(|help| help.contains(&format!("flockwork {name}"))),
                "{name} has no example"
            );
            assert!(command.get_about().is_some(), "{name} has no description");
        }
    }
}
