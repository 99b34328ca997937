//! `flockwork lsp`: the language server, which editors start.

use flockwork_engine::with_threads;

use super::{CommandResult, Ending};
use crate::lsp::{Served, serve};

/// Help editors with scenarios and scripts: a language server
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example, for an editor that asks for the command of a language server:
  flockwork lsp

The editor starts it and speaks the Language Server Protocol with it over the standard
input and output. It reports what `flockwork check` finds while you type, and counts
unsaved texts before files on disk. The page \"Editors\" of the book has settings for
Neovim, Helix, Emacs and VS Code.")]
pub(super) struct Args {}

/// Executes the command.
pub(super) fn lsp(_: Args) -> CommandResult {
    match with_threads(1, serve)?? {
        Served::ShutDown => Ok(Ending::Success),
        Served::Left => Ok(Ending::Shortfall),
    }
}
