//! The folders in which the programs of this user keep their settings and what they remember.

use std::path::PathBuf;

/// Returns the folder that an environment variable names, if it is an absolute path.
pub(crate) fn absolute(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    folder.filter(|folder| folder.is_absolute())
}

/// Returns the folder for the settings of this program. `None` if there is none.
#[cfg(feature = "window")]
pub(crate) fn config() -> Option<PathBuf> {
    folder("APPDATA", "XDG_CONFIG_HOME", ".config")
}

/// Returns the folder for what this program remembers from one run to the next. `None` if there is none.
pub(crate) fn state() -> Option<PathBuf> {
    folder("LOCALAPPDATA", "XDG_STATE_HOME", ".local/state")
}

/// Returns the folder of this program in the one that a variable names, on Windows and elsewhere; without that, in one at home.
fn folder(on_windows: &str, elsewhere: &str, at_home: &str) -> Option<PathBuf> {
    let folder = if cfg!(windows) {
        absolute(on_windows)
    } else {
        absolute(elsewhere).or_else(|| Some(std::env::home_dir()?.join(at_home)))
    };
    Some(folder?.join("flockwork"))
}
