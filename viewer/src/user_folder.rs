//! The folders in which the programs of this user keep what they remember.

use std::path::PathBuf;

/// Returns the folder that an environment variable names, if it is an absolute path.
pub(crate) fn absolute(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    folder.filter(|folder| folder.is_absolute())
}

/// Returns the folder for the settings of this program. `None` if there is none.
pub(crate) fn config() -> Option<PathBuf> {
    let folder = if cfg!(windows) {
        absolute("APPDATA")
    } else {
        let home = || Some(std::env::home_dir()?.join(".config"));
        absolute("XDG_CONFIG_HOME").or_else(home)
    };
    Some(folder?.join("flockwork"))
}

/// Returns the folder for what this program remembers from one run to the next. `None` if there is none.
pub(crate) fn state() -> Option<PathBuf> {
    let folder = if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else {
        let home = || Some(std::env::home_dir()?.join(".local/state"));
        absolute("XDG_STATE_HOME").or_else(home)
    };
    Some(folder?.join("flockwork"))
}
