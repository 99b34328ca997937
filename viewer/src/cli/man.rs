//! `flockwork man`: manual pages, one for the program and one for each command.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use flockwork_engine::{Diagnostic, Diagnostics, FileKind, OutputFile, load};

use super::{Cli, CommandResult, Ending, terminal};

/// Write manual pages into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  flockwork man ~/.local/share/man/man1
  man flockwork-run

Writes flockwork.1 for the program and flockwork-COMMAND.1 for each command. The folder
is made if it does not exist. Manual pages of Flockwork in it are replaced, other files
are not.")]
pub(super) struct Args {
    /// The folder for the pages
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    folder: PathBuf,
}

/// The files that this command writes, and may replace.
const KIND: FileKind =
    FileKind::new("a manual page of Flockwork", &[&[b".ie \\n(.g .ds Aq", b"\n.TH flockwork"]]);

/// Executes the command.
pub(super) fn man(args: Args) -> CommandResult {
    let folder = args.folder;
    load::make_folder(&folder)?;
    // No page takes its name before all of them are written.
    let mut files = Vec::new();
    for (name, page) in pages().map_err(failed)? {
        let path = folder.join(name);
        let mut file = OutputFile::create(&path, KIND)?;
        file.write_all(&page).map_err(|error| OutputFile::error(&path, &error))?;
        files.push(file);
    }
    let count = files.len();
    for file in files {
        file.commit()?;
    }
    terminal::say(&format!("wrote {count} manual pages into {}", folder.display()));
    Ok(Ending::Success)
}

/// Returns the pages with their file names.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut program = Cli::command().disable_help_subcommand(true);
    // Gives each command its full name: `flockwork-run`.
    program.build();
    let full_name = |command: &Command| {
        command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
    };
    let commands = std::iter::once(&program).chain(program.get_subcommands());
    let render = |command: &Command| {
        let mut page = Vec::new();
        let source = concat!("flockwork ", env!("CARGO_PKG_VERSION"));
        Man::new(command.clone()).source(source).render(&mut page)?;
        Ok((format!("{}.1", full_name(command)), page))
    };
    commands.map(render).collect()
}

fn failed(error: io::Error) -> Diagnostics {
    Diagnostic::error(format!("cannot make the manual pages: {error}")).into()
}
