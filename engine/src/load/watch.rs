//! Being told when the files of a scenario change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::{ScriptsFolder, display_path, folder_of};
use crate::diag::Diagnostic;

/// Watches the folders that a scenario and its scripts are in, rather than the files: most editors save by
/// putting another file in the place of the old one.
#[derive(Debug)]
pub struct Watch {
    watcher: RecommendedWatcher,
    scenario: PathBuf,
    /// Folders that are watched.
    folders: Vec<PathBuf>,
    /// Folders that were of use at some time: one that was renamed may get its name back.
    places: BTreeSet<PathBuf>,
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
        let watcher =
            notify::recommended_watcher(told).map_err(|error| failed(scenario, &error))?;
        let mut this = Self {
            watcher,
            scenario: scenario.to_owned(),
            folders: Vec::new(),
            places: BTreeSet::new(),
        };
        this.renew()?;
        Ok(this)
    }

    /// Watches the folders that are there now: one that was deleted and made again is another. To be called
    /// after a change, before reading.
    ///
    /// # Errors
    ///
    /// If no folder can be watched.
    pub fn renew(&mut self) -> Result<(), Diagnostic> {
        for folder in self.folders.drain(..) {
            // Where it is gone, so is its watch.
            let _ = self.watcher.unwatch(&folder);
        }
        let mut first = None;
        for (folder, mode) in self.wanted() {
            match self.watcher.watch(&folder, mode) {
                Ok(()) => self.folders.push(folder),
                Err(error) => first = first.or(Some(error)),
            }
        }
        match first {
            Some(error) if self.folders.is_empty() => Err(failed(&self.scenario, &error)),
            _ => Ok(()),
        }
    }

    /// The folders to watch, and whether with all below: where the scenario and its scripts are or were, what is around these,
    /// since that is told when one of them is made or renamed, and where one is missing the nearest that is there.
    fn wanted(&mut self) -> Vec<(PathBuf, RecursiveMode)> {
        let scripts = ScriptsFolder::of_scenario(&self.scenario);
        let home = folder_of(&self.scenario);
        let home = std::path::absolute(&home).unwrap_or(home);
        // Any of these may be, or lie behind, a link.
        let real = self.scenario.canonicalize().ok();
        let real = real.as_deref().and_then(Path::parent);
        let seen = [Some(home.as_path()), real, scripts.root(), scripts.holder()];
        let seen = seen.into_iter().flatten();
        self.places.extend(seen.map(Path::to_owned));
        let mut wanted = BTreeSet::new();
        for place in &self.places {
            let mut there = place.ancestors().filter(|folder| folder.is_dir());
            let nearest = there.next();
            wanted.extend(nearest);
            if nearest == Some(place) {
                wanted.extend(there.next());
            }
        }
        let mode = |folder: &Path| {
            if Some(folder) == scripts.root() {
                RecursiveMode::Recursive
            } else {
                RecursiveMode::NonRecursive
            }
        };
        let wanted = wanted.into_iter();
        wanted.map(|folder| (folder.to_owned(), mode(folder))).collect()
    }
}

fn failed(scenario: &Path, error: &notify::Error) -> Diagnostic {
    Diagnostic::warning(format!("cannot watch the files of {}: {error}", display_path(scenario)))
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
    /// What was renamed was missed only if it lay right beside the scenario's folder, and what got its name back was not seen.
    #[test]
    fn folders_that_are_renamed_are_noticed_both_ways() {
        let (dir, scenario) = project();
        let path = |name: &str| dir.path().join(name);
        let deep = path("scenarios/many/more/b.ron");
        fs::create_dir_all(path("scenarios/many/more")).unwrap();
        fs::write(&deep, "()").unwrap();
        for scenario in [scenario, deep] {
            let (tell, changes) = mpsc::channel();
            let mut watch = Watch::of_scenario(&scenario, move || {
                let _ = tell.send(());
            })
            .unwrap();
            let rename = |from: &str, to: &str| fs::rename(path(from), path(to)).unwrap();
            for (folder, away) in [
                ("scripts", "old"),
                ("scripts/birds", "old"),
                ("scenarios", "old"),
                ("scripts", "scenarios/old"),
            ] {
                rename(folder, away);
                assert!(told(&changes), "{folder} renamed");
                watch.renew().unwrap();
                rename(away, folder);
                assert!(told(&changes), "{folder} renamed back");
                watch.renew().unwrap();
                for file in ["scripts/a.rhai", "scripts/birds/b.rhai"] {
                    fs::write(path(file), "7").unwrap();
                    assert!(told(&changes), "{file} after {folder}");
                }
                fs::write(&scenario, "( )").unwrap();
                assert!(told(&changes), "the scenario after {folder}");
            }
        }
    }

    /// Only what the link leads to was watched, not the link.
    #[cfg(unix)]
    #[test]
    fn a_link_to_scripts_that_is_renamed_is_noticed() {
        let (dir, scenario) = project();
        let path = |name: &str| dir.path().join(name);
        fs::create_dir_all(path("project/scenarios/many")).unwrap();
        let linked = path("project/scenarios/many/a.ron");
        fs::copy(&scenario, &linked).unwrap();
        std::os::unix::fs::symlink(path("scripts"), path("project/scripts")).unwrap();
        let (tell, changes) = mpsc::channel();
        let mut watch = Watch::of_scenario(&linked, move || {
            let _ = tell.send(());
        })
        .unwrap();
        for (from, to) in [("scripts", "old"), ("old", "scripts")] {
            fs::rename(path("project").join(from), path("project").join(to)).unwrap();
            assert!(told(&changes), "{from} renamed");
            watch.renew().unwrap();
        }
        fs::write(path("scripts/a.rhai"), "7").unwrap();
        assert!(told(&changes), "a script behind the link");
    }
}
