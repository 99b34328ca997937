//! The other scenarios of a project, which can be opened in place of the shown one.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use flockwork_engine::load::{SCENARIOS_FOLDER, find_all};

/// The scenarios that were there when they were last looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct OtherScenarios {
    /// The scenario that is shown.
    shown: PathBuf,
    found: Arc<Mutex<Arc<[PathBuf]>>>,
}

impl OtherScenarios {
    /// Begins to look for the scenarios of the project that a scenario belongs to.
    pub(super) fn of(shown: &Path) -> Self {
        let all = Self { shown: shown.to_owned(), ..Self::default() };
        all.find();
        all
    }

    /// Begins to look for all scenarios in the folder `scenarios` that the shown one is in. In other folders, nobody knows how many
    /// files there are.
    pub(super) fn find(&self) {
        let is_project = |folder: &&Path| folder.ends_with(SCENARIOS_FOLDER);
        let Some(folder) = self.shown.ancestors().skip(1).find(is_project) else { return };
        let (all, folder) = (self.clone(), folder.to_owned());
        thread::spawn(move || {
            let (files, _) = find_all(&[folder]);
            let others = files.scenarios.into_iter().filter(|path| *path != all.shown);
            *all.found.lock().unwrap_or_else(PoisonError::into_inner) = others.collect();
        });
    }

    /// Returns the paths that are known so far.
    pub(super) fn paths(&self) -> Arc<[PathBuf]> {
        Arc::clone(&self.found.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How long it is watched whether a new window opens.
const OPENS: Duration = Duration::from_millis(700);

/// Opens a window with a scenario by starting the program with arguments, and returns when it has opened.
///
/// # Errors
///
/// If there is no such file, the program cannot be started, or it ends at once because the scenario cannot run.
pub(super) fn open(scenario: &Path, arguments: &[OsString]) -> Result<(), String> {
    missing(scenario).map_or(Ok(()), Err)?;
    start(arguments).map_err(|error| format!("{} cannot be opened: {error}", scenario.display()))
}

/// Says that a file is not there.
fn missing(file: &Path) -> Option<String> {
    (!file.exists()).then(|| format!("there is no file {}", file.display()))
}

fn start(arguments: &[OsString]) -> io::Result<()> {
    let mut window = Command::new(std::env::current_exe()?).args(arguments).spawn()?;
    let since = Instant::now();
    while since.elapsed() < OPENS {
        if let Some(status) = window.try_wait()? {
            return Err(io::Error::other(format!(
                "it ends at once ({status}); `flockwork check` says why"
            )));
        }
        thread::sleep(Duration::from_millis(20));
    }
    // The system keeps what has ended until somebody has asked how.
    thread::spawn(move || window.wait());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Caught: a click on the notice of a file that was deleted told to check it.
    #[test]
    fn a_file_that_has_gone_is_told_as_such() {
        let told = missing(Path::new("there/was_one.ron"));
        assert_eq!(told.as_deref(), Some("there is no file there/was_one.ron"));
        assert_eq!(missing(Path::new(".")), None);
    }
}
