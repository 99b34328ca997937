//! `flockwork debug`: the debugger, which editors start.

use flockwork_engine::{Diagnostic, with_threads};

use super::{CommandResult, Ending};
use crate::debugger::serve;

/// Let editors step through scripts, forward and back: a debug adapter
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example, for an editor that asks for the command of a debug adapter:
  flockwork debug

The editor starts it and speaks the Debug Adapter Protocol with it over the standard input
and output. A configuration of the editor names the scenario:
  scenario      path of the scenario
  agent         id of an agent, or name of a group; without it, all agents can stop
  tick          tick to go to first
  seed, set     as --seed and --set of `flockwork run`: \"set\": { \"birds.sight\": 40 }
  stopOnEntry   stop at the first line of the first turn
The page \"Editors\" of the book has settings for VS Code and Neovim.")]
pub(super) struct Args {}

/// Executes the command.
pub(super) fn debug(_: Args) -> CommandResult {
    let served = with_threads(0, serve)?;
    served.map_err(|error| {
        Diagnostic::error(format!("the editor has sent what is no message: {error}"))
    })?;
    Ok(Ending::Success)
}
