//! Files: the only module that touches them.
//!
//! Reads scenarios and scripts, finds them in folders, and writes outputs whole or not at all. Scripts
//! are read from within their folder only, whatever name or link is asked for.

mod find;
mod folder;
#[cfg(feature = "git")]
mod git;
mod kind;
mod output;
mod read;
mod scripts;
mod unfinished;
#[cfg(feature = "watch")]
mod watch;

use std::path::{Path, PathBuf};

pub use find::{FoundFiles, find};
pub use folder::make_folder;
#[cfg(feature = "git")]
pub use git::{GitRevision, GitScripts};
pub use kind::FileKind;
pub use output::OutputFile;
pub(crate) use read::check_size;
pub use read::read;
pub use scripts::ScriptsFolder;
pub use unfinished::{OutputLock, abandon_outputs};
#[cfg(feature = "watch")]
pub use watch::Watch;

pub use crate::script::SCRIPT_ENDING;

/// The ending of scenario files.
pub const SCENARIO_ENDING: &str = "ron";
/// The ending of goldens, which lie beside their scenarios.
pub const GOLDEN_ENDING: &str = "golden";
/// The folder that scripts are in.
pub const SCRIPTS_FOLDER: &str = "scripts";

/// A path as messages show it: seen from the current folder where it lies below.
fn display_path(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let short = match &here {
        Ok(here) => path.strip_prefix(here).unwrap_or(path),
        Err(_) => path,
    };
    let short = short.strip_prefix(".").unwrap_or(short);
    let short = if short.as_os_str().is_empty() { Path::new(".") } else { short };
    short.display().to_string()
}

/// The folder a file is in; the current one for a bare name.
fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// What went wrong with a file, in the words of the system but without its error number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
