//! `flockwork completions`: scripts that complete its command line in a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, CommandResult, Ending, terminal};

/// Print a script that completes commands and options in your shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork completions bash > ~/.local/share/bash-completion/completions/flockwork
  flockwork completions zsh > \"${fpath[1]}/_flockwork\"
  flockwork completions fish > ~/.config/fish/completions/flockwork.fish
  flockwork completions powershell >> $PROFILE")]
pub(super) struct Args {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Executes the command.
pub(super) fn completions(args: Args) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "flockwork", &mut script);
    terminal::print(&String::from_utf8_lossy(&script))?;
    Ok(Ending::Success)
}
