//! The command line: what can be asked for, and with which exit code it is answered.
//!
//! One file for each command. Messages for people go to the standard error, results to the standard
//! output or to files.

mod bench;
mod check;
mod explain;
mod interrupt;
mod new;
mod primitives;
mod progress;
mod render;
mod run;
mod terminal;
mod test;
mod tick;
mod values;
mod variant;
#[cfg(feature = "window")]
mod view;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use flockwork_engine::Diagnostics;

/// Runs scenarios of steering agents, exact to the bit
#[derive(Debug, Parser)]
#[command(version, after_help = "Example:\n  flockwork new my-flock")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Args),
    #[cfg(feature = "window")]
    View(view::Args),
    Test(test::Args),
    Check(check::Args),
    Explain(explain::Args),
    Render(render::Args),
    Bench(bench::Args),
    Primitives(primitives::Args),
    New(new::Args),
}

/// How a command ended that did what it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Success,
    /// It ran, and something fell short.
    Shortfall,
    /// It was stopped from outside.
    Interrupted,
}

/// A command that could not do what it was asked for says why.
type Answer = Result<Outcome, Diagnostics>;

/// What the program does.
pub(crate) fn main() -> ExitCode {
    let command = Cli::parse().command;
    interrupt::listen();
    let answer = match command {
        Command::Run(args) => run::run(args),
        #[cfg(feature = "window")]
        Command::View(args) => view::view(args),
        Command::Test(args) => test::test(args),
        Command::Check(args) => check::check(args),
        Command::Explain(args) => explain::explain(args),
        Command::Render(args) => render::render(args),
        Command::Bench(args) => bench::bench(args),
        Command::Primitives(args) => primitives::primitives(args),
        Command::New(args) => new::new(args),
    };
    ExitCode::from(match answer {
        Ok(Outcome::Success) => 0,
        Ok(Outcome::Shortfall) => 1,
        Ok(Outcome::Interrupted) => interrupt::exit_code(),
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
            assert!(command.get_about().is_some(), "{name} says nothing");
        }
    }
}
