//! Files: this is the only module that accesses them.
//!
//! Reads and finds scenarios, scripts and goldens, watches them for changes, and writes outputs whole or not at all. It
//! never reads a script outside its scripts folder, whatever name or link is asked for.

mod append;
#[cfg(feature = "git")]
mod changed_files;
mod find;
mod folder;
#[cfg(feature = "git")]
mod git;
mod growing;
mod kind;
mod open_files;
mod other_version;
mod output;
mod read;
mod scripts;
mod unfinished;
#[cfg(feature = "watch")]
mod watch;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::diag::{Diagnostic, is_invisible_control};

pub use append::{append, size_to_append};
#[cfg(feature = "git")]
pub use changed_files::ChangedFiles;
pub use find::{FoundFiles, find, find_all, is_plan, is_scenario};
pub use folder::{delete_files, files_with, folders, make_folder, move_files};
#[cfg(feature = "git")]
pub(crate) use git::history_obstacle;
#[cfg(feature = "git")]
pub use git::{GitRevision, GitScripts, is_tracked};
pub use growing::{FolderLock, GrowingFile, checksum, checksum_of, reader};
pub use kind::FileKind;
pub use open_files::{OpenFiles, real_path};
pub use other_version::other_version;
pub use output::OutputFile;
pub(crate) use read::check_size;
pub use read::read;
pub use scripts::ScriptsFolder;
pub use unfinished::{OutputLock, abandon_outputs};
#[cfg(feature = "watch")]
pub use watch::Watch;

pub use crate::scenario::PLAN_ENDING;
pub use crate::script::SCRIPT_EXTENSION;

/// The extension of scenario files.
pub const SCENARIO_EXTENSION: &str = "ron";
/// The extension of goldens, which are beside their scenarios.
pub const GOLDEN_EXTENSION: &str = "golden";
/// The name of the folder that contains scenarios.
pub const SCENARIOS_FOLDER: &str = "scenarios";
/// The name of the folder that contains scripts.
pub const SCRIPTS_FOLDER: &str = "scripts";

/// Returns a path for messages: relative to the current folder if it is below.
pub(crate) fn display_path(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let here = match here {
        Ok(here) => Some(here),
        // Where there is no disk, there is no current folder, and all paths are below the root.
        Err(error) => (error.kind() == ErrorKind::Unsupported).then(|| PathBuf::from("/")),
    };
    let short = here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path);
    let short = short.strip_prefix(".").unwrap_or(short);
    let short = if short.as_os_str().is_empty() { Path::new(".") } else { short };
    let text = short.display().to_string();
    let escape = |c: char| match is_invisible_control(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// Checks that the path of a file can be shown: with control characters, it could write lines of its own into any output.
///
/// # Errors
///
/// If it has such characters.
fn check_name(path: &Path) -> Result<(), Diagnostic> {
    if path.to_string_lossy().contains(is_invisible_control) {
        let name = display_path(path);
        let error = format!("the name of the file {name} has characters that cannot be seen");
        return Err(Diagnostic::error(error).help("rename the file"));
    }
    Ok(())
}

/// Returns the folder of a file; the current folder if the path is only a name.
fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Returns the system's description of an error, without its error number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
