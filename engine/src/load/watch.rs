//! Being told when the files of a scenario change.

use std::path::{Path, PathBuf};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::{ScriptsFolder, folder_of, shown};
use crate::diag::Diagnostic;

/// Watches the folders that a scenario and its scripts are in, rather than the files: most editors save by
/// putting another file in the place of the old one.
#[derive(Debug)]
pub struct Watch {
    watcher: RecommendedWatcher,
    scenario: PathBuf,
    folders: Vec<PathBuf>,
}

impl Watch {
    /// Calls `changed`, on a thread of its own, whenever something in those folders may have changed: often
    /// several times for one save, and in the middle of it.
    ///
    /// # Errors
    ///
    /// If the system has no more watches to give.
    pub fn of_scenario(
        scenario: &Path,
        changed: impl Fn() + Send + 'static,
    ) -> Result<Self, Diagnostic> {
        let told = move |event: notify::Result<Event>| {
            // Reading is an event too, and would lead to more reading.
            let is_reading =
                matches!(&event, Ok(event) if matches!(event.kind, EventKind::Access(_)));
            if !is_reading {
                changed();
            }
        };
        let failed = |error: &notify::Error| {
            Diagnostic::warning(format!(
                "cannot watch the files of {}: {error}",
                shown(scenario)
            ))
        };
        let watcher = notify::recommended_watcher(told).map_err(|error| failed(&error))?;
        let mut this = Self {
            watcher,
            scenario: scenario.to_owned(),
            folders: Vec::new(),
        };
        this.renew().map_err(|error| failed(&error))?;
        Ok(this)
    }

    /// Watches the folders that are there now: one that was deleted and made again is another. To be called
    /// after a change, before reading.
    ///
    /// # Errors
    ///
    /// If not even the scenario's folder can be watched.
    pub fn renew(&mut self) -> notify::Result<()> {
        for folder in self.folders.drain(..) {
            // Where it is gone, so is its watch.
            let _ = self.watcher.unwatch(&folder);
        }
        let home = folder_of(&self.scenario);
        let scripts = ScriptsFolder::of_scenario(&self.scenario);
        let mut wanted = vec![home.clone()];
        // A scenario may be a link to one elsewhere.
        let real = self.scenario.canonicalize().ok();
        wanted.extend(real.as_deref().and_then(Path::parent).map(Path::to_owned));
        // The folders around are told when one of these is made again.
        let around = |folder: &Path| folder.parent().map(Path::to_owned);
        wanted.extend(home.canonicalize().ok().as_deref().and_then(around));
        wanted.extend(scripts.root().and_then(around));
        wanted.sort_unstable();
        wanted.dedup();
        let mut wanted: Vec<(PathBuf, RecursiveMode)> = wanted
            .into_iter()
            .map(|folder| (folder, RecursiveMode::NonRecursive))
            .collect();
        if let Some(root) = scripts.root() {
            wanted.retain(|(folder, _)| folder != root);
            wanted.push((root.to_owned(), RecursiveMode::Recursive));
        }
        let mut first = None;
        for (folder, mode) in wanted {
            match self.watcher.watch(&folder, mode) {
                Ok(()) => self.folders.push(folder),
                Err(error) => first = first.or(Some(error)),
            }
        }
        match first {
            Some(error) if self.folders.is_empty() => Err(error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::mpsc::{self, Receiver};
    use std::time::Duration;

    fn project() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["scenarios", "scripts/birds"] {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        let scenario = dir.path().join("scenarios/a.ron");
        fs::write(&scenario, "()").unwrap();
        fs::write(dir.path().join("scripts/a.rhai"), "1").unwrap();
        (dir, scenario)
    }

    fn told(changes: &Receiver<()>) -> bool {
        let heard = changes.recv_timeout(Duration::from_secs(10)).is_ok();
        // The rest of what one save gives.
        while changes.recv_timeout(Duration::from_millis(50)).is_ok() {}
        heard
    }

    #[test]
    fn every_way_to_save_is_noticed_and_reading_is_not() {
        let (dir, scenario) = project();
        let (tell, changes) = mpsc::channel();
        let mut watch = Watch::of_scenario(&scenario, move || {
            let _ = tell.send(());
        })
        .unwrap();
        let script = dir.path().join("scripts/a.rhai");
        let other = dir.path().join("scripts/birds/b.rhai");
        let ways: [(&str, &dyn Fn()); 7] = [
            ("written over", &|| fs::write(&script, "2").unwrap()),
            ("renamed over", &|| {
                let new = dir.path().join("scripts/.a.new");
                fs::write(&new, "3").unwrap();
                fs::rename(new, &script).unwrap();
            }),
            ("deleted", &|| fs::remove_file(&script).unwrap()),
            ("made again", &|| fs::write(&script, "4").unwrap()),
            ("in a folder below", &|| fs::write(&other, "5").unwrap()),
            ("the scenario", &|| fs::write(&scenario, "( )").unwrap()),
            ("all scripts gone", &|| {
                fs::remove_dir_all(dir.path().join("scripts")).unwrap();
            }),
        ];
        for (what, way) in ways {
            way();
            assert!(told(&changes), "{what}");
            watch.renew().unwrap();
            let silence = changes.recv_timeout(Duration::from_millis(50));
            assert!(silence.is_err(), "renewing was told after: {what}");
        }
        fs::create_dir(dir.path().join("scripts")).unwrap();
        assert!(told(&changes), "the folder made again");
        watch.renew().unwrap();
        fs::write(&script, "6").unwrap();
        assert!(told(&changes), "a script in the folder made again");
        fs::read(&script).unwrap();
        fs::read(&scenario).unwrap();
        let silence = changes.recv_timeout(Duration::from_millis(100));
        assert!(silence.is_err(), "reading was told");
    }
}
