//! The other scenarios of a project, which can be opened in windows of their own.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

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

/// Opens a scenario in a window of its own.
///
/// # Errors
///
/// If the program cannot be started.
pub(super) fn open(path: &Path) -> io::Result<()> {
    let mut window = Command::new(std::env::current_exe()?).arg("view").arg(path).spawn()?;
    // The system keeps what has ended until somebody has asked how.
    thread::spawn(move || window.wait());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn scenarios_of_the_project_are_found_and_no_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let scenarios = folder.path().join("scenarios");
        fs::create_dir_all(scenarios.join("more")).unwrap();
        for name in ["a.ron", "b.ron", "more/c.ron", "a.plan.ron", "a.golden", "notes.txt"] {
            fs::write(scenarios.join(name), "()").unwrap();
        }
        let all = OtherScenarios::of(&scenarios.join("a.ron"));
        let since = Instant::now();
        while all.paths().is_empty() && since.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(*all.paths(), [scenarios.join("b.ron"), scenarios.join("more/c.ron")]);
        fs::write(folder.path().join("alone.ron"), "()").unwrap();
        assert!(OtherScenarios::of(&folder.path().join("alone.ron")).paths().is_empty());
    }
}
