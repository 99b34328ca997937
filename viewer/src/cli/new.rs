//! `flockwork new`: makes a project to start with.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use flockwork_engine::suite::{Case, update};
use flockwork_engine::{Diagnostic, Diagnostics, OutputFile, load, with_threads};

use super::{CommandResult, Ending, terminal};

/// Create a project with a first scenario and its script
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  flockwork new my-flock
  cd my-flock
  flockwork run scenarios/hello.ron")]
pub(super) struct Args {
    /// Folder of the project: a new one, or an empty one
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    folder: PathBuf,
}

/// Files of the project, by their paths in it.
const FILES: [(&str, &str); 4] = [
    ("scenarios/hello.ron", include_str!("new/hello.ron")),
    ("scripts/hello.rhai", include_str!("new/hello.rhai")),
    ("README.md", include_str!("new/README.md")),
    (".gitignore", include_str!("new/gitignore")),
];

/// Executes the command.
pub(super) fn new(args: Args) -> CommandResult {
    let folder = args.folder;
    require_empty(&folder)?;
    for (name, text) in FILES {
        write(&folder.join(name), text)?;
    }
    with_threads(1, || first_golden(&folder.join(FILES[0].0)))??;
    let mut text = format!("created the project in {}. Next:\n\n", folder.display());
    if folder != Path::new(".") {
        text += &format!("    cd {}\n", quote(&folder));
    }
    text += "    flockwork run scenarios/hello.ron\n    flockwork view scenarios/hello.ron\n    flockwork test\n";
    terminal::say(&text);
    Ok(Ending::Success)
}

/// Writes the first golden of the scenario.
fn first_golden(scenario: &Path) -> Result<(), Diagnostics> {
    let case = Case::open(scenario);
    let tested = case.test();
    match tested.header {
        Some(mut header) if tested.errors.is_empty() => {
            "made by flockwork new".clone_into(&mut header.reason);
            update(&case, &header).map(|_| ())
        }
        _ => Err(tested.errors.into()),
    }
}

/// Checks that a folder is empty, or does not exist.
fn require_empty(folder: &Path) -> Result<(), Diagnostic> {
    let shown = folder.display();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(Diagnostic::error(format!("{shown} is not a folder")));
        }
        Err(error) => return Err(Diagnostic::error(format!("cannot read {shown}: {error}"))),
    };
    if entries.count() > 0 {
        return Err(Diagnostic::error(format!("the folder {shown} is not empty"))
            .help("give a new folder, or an empty one"));
    }
    Ok(())
}

/// Writes a file, and makes the folders that it is in.
fn write(path: &Path, text: &str) -> Result<(), Diagnostic> {
    if let Some(folder) = path.parent() {
        load::make_folder(folder)?;
    }
    OutputFile::create_new(path)?.write_whole(text)
}

/// Quotes a path for a shell, where that is needed.
fn quote(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
