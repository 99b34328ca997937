//! Watches the files of a scenario for changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::unfinished::is_unfinished;
use super::{ScriptsFolder, display_path, folder_of};
use crate::diag::Diagnostic;

/// Watches the folders of a scenario and its scripts. It watches folders and not files, since most editors save by
/// replacing the file.
#[derive(Debug)]
pub struct Watch {
    watcher: RecommendedWatcher,
    scenario: PathBuf,
    /// Folders that are watched.
    folders: Vec<PathBuf>,
    /// All folders that have been needed so far: one that was renamed may get its name back. Events are compared with them
    /// on another thread.
    needed: Arc<Mutex<BTreeSet<PathBuf>>>,
}

/// Whether a change of `path` may change one of the `needed` folders: it is in one, or leads to one. Their parents are
/// watched for such changes only, and other programs may write a lot there.
///
/// A path that is elsewhere counts, since some systems call a folder by another name than the one that was asked for.
fn concerns(path: &Path, needed: &BTreeSet<PathBuf>) -> bool {
    let is_beside =
        |folder: &PathBuf| path.parent().is_some_and(|parent| folder.starts_with(parent));
    needed.iter().any(|folder| path.starts_with(folder) || folder.starts_with(path))
        || !needed.iter().any(is_beside)
}

impl Watch {
    /// Calls `changed` on another thread whenever something in these folders may have changed. One save may lead to several
    /// calls, also before it is complete.
    ///
    /// # Errors
    ///
    /// If the system has no more watches.
    pub fn of_scenario(
        scenario: &Path,
        changed: impl Fn() + Send + 'static,
    ) -> Result<Self, Diagnostic> {
        let needed = Arc::<Mutex<BTreeSet<PathBuf>>>::default();
        let compared = Arc::clone(&needed);
        let on_event = move |event: notify::Result<Event>| {
            // An error may stand for events that were lost.
            let counts = event.map_or(true, |event| {
                // Reading is an event too. Reacting to it would lead to more reading.
                let is_reading = matches!(event.kind, EventKind::Access(_));
                let needed = compared.lock().unwrap_or_else(PoisonError::into_inner);
                // A film that is recorded beside the scenario changes all the time.
                let counts = |path: &PathBuf| !is_unfinished(path) && concerns(path, &needed);
                !is_reading && (event.paths.is_empty() || event.paths.iter().any(counts))
            });
            if counts {
                changed();
            }
        };
        let watcher =
            notify::recommended_watcher(on_event).map_err(|error| failed(scenario, &error))?;
        let mut this = Self { watcher, scenario: scenario.to_owned(), folders: Vec::new(), needed };
        this.renew()?;
        Ok(this)
    }

    /// Watches the folders that exist now, since a folder that was deleted and created again is another one. Call it after
    /// each change, before you read the files.
    ///
    /// # Errors
    ///
    /// If no folder can be watched.
    pub fn renew(&mut self) -> Result<(), Diagnostic> {
        for folder in self.folders.drain(..) {
            // This fails for a folder that does not exist any more.
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

    /// Returns the folders to watch, and whether their subfolders are watched too. These are the folders in which the scenario
    /// and its scripts are or were, and their parents, which get an event when one of them is created or renamed. For a
    /// missing folder it is the nearest one above that exists.
    fn wanted(&self) -> Vec<(PathBuf, RecursiveMode)> {
        let scripts = ScriptsFolder::of_scenario(&self.scenario);
        let home = folder_of(&self.scenario);
        let home = std::path::absolute(&home).unwrap_or(home);
        // Any of these may be a link, or be reached by one.
        let real = self.scenario.canonicalize().ok();
        let real = real.as_deref().and_then(Path::parent);
        let seen = [Some(home.as_path()), real, scripts.root(), scripts.holder()];
        let seen = seen.into_iter().flatten();
        let needed = {
            let mut needed = self.needed.lock().unwrap_or_else(PoisonError::into_inner);
            needed.extend(seen.map(Path::to_owned));
            needed.clone()
        };
        let mut wanted = BTreeSet::new();
        for path in &needed {
            let mut there = path.ancestors().filter(|folder| folder.is_dir());
            let nearest = there.next();
            wanted.extend(nearest);
            if nearest == Some(path) {
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

    fn is_noticed(changes: &Receiver<()>) -> bool {
        let is_noticed = changes.recv_timeout(Duration::from_secs(10)).is_ok();
        // One save may lead to several events.
        while changes.recv_timeout(Duration::from_millis(50)).is_ok() {}
        is_noticed
    }

    #[test]
    fn every_way_to_save_is_noticed_and_reading_is_not() {
        let (dir, scenario) = project();
        let (sender, changes) = mpsc::channel();
        let mut watch = Watch::of_scenario(&scenario, move || {
            let _ = sender.send(());
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
            assert!(is_noticed(&changes), "{what}");
            // On a busy machine, an event of the save may still arrive late; one of renewing arrives each time.
            let is_silent = (0..20).any(|_| {
                watch.renew().unwrap();
                changes.recv_timeout(Duration::from_millis(50)).is_err()
            });
            assert!(is_silent, "renewing caused an event after: {what}");
        }
        fs::create_dir(dir.path().join("scripts")).unwrap();
        assert!(is_noticed(&changes), "the folder made again");
        watch.renew().unwrap();
        fs::write(&script, "6").unwrap();
        assert!(is_noticed(&changes), "a script in the folder made again");
        fs::read(&script).unwrap();
        fs::read(&scenario).unwrap();
        let silence = changes.recv_timeout(Duration::from_millis(100));
        assert!(silence.is_err(), "reading caused an event");
    }

    #[test]
    fn changes_beside_the_project_are_ignored() {
        let needed = ["/home/me/birds/scenarios", "/home/me/birds/scripts", "/home/me/birds"];
        let needed = needed.map(PathBuf::from).into_iter().collect();
        for (path, expected) in [
            ("/home/me/birds/scenarios/a.ron", true),
            ("/home/me/birds/scripts/deep/a.rhai", true),
            ("/home/me/birds", true),
            ("/home/me", true),
            ("/home/me/cats", false),
            ("/home/me/birds.old", false),
            ("/private/home/me/birds/scenarios/a.ron", true),
        ] {
            assert_eq!(concerns(Path::new(path), &needed), expected, "{path}");
        }
    }

    /// Renaming was noticed only for folders beside the scenario's folder, and renaming back was not noticed at all.
    #[test]
    fn folders_that_are_renamed_are_noticed_both_ways() {
        let (dir, scenario) = project();
        let path = |name: &str| dir.path().join(name);
        let deep = path("scenarios/many/more/b.ron");
        fs::create_dir_all(path("scenarios/many/more")).unwrap();
        fs::write(&deep, "()").unwrap();
        for scenario in [scenario, deep] {
            let (sender, changes) = mpsc::channel();
            let mut watch = Watch::of_scenario(&scenario, move || {
                let _ = sender.send(());
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
                assert!(is_noticed(&changes), "{folder} renamed");
                watch.renew().unwrap();
                rename(away, folder);
                assert!(is_noticed(&changes), "{folder} renamed back");
                watch.renew().unwrap();
                for file in ["scripts/a.rhai", "scripts/birds/b.rhai"] {
                    fs::write(path(file), "7").unwrap();
                    assert!(is_noticed(&changes), "{file} after {folder}");
                }
                fs::write(&scenario, "( )").unwrap();
                assert!(is_noticed(&changes), "the scenario after {folder}");
            }
        }
    }

    /// The target of the link was watched, but not the link.
    #[cfg(unix)]
    #[test]
    fn a_link_to_scripts_that_is_renamed_is_noticed() {
        let (dir, scenario) = project();
        let path = |name: &str| dir.path().join(name);
        fs::create_dir_all(path("project/scenarios/many")).unwrap();
        let linked = path("project/scenarios/many/a.ron");
        fs::copy(&scenario, &linked).unwrap();
        std::os::unix::fs::symlink(path("scripts"), path("project/scripts")).unwrap();
        let (sender, changes) = mpsc::channel();
        let mut watch = Watch::of_scenario(&linked, move || {
            let _ = sender.send(());
        })
        .unwrap();
        for (from, to) in [("scripts", "old"), ("old", "scripts")] {
            fs::rename(path("project").join(from), path("project").join(to)).unwrap();
            assert!(is_noticed(&changes), "{from} renamed");
            watch.renew().unwrap();
        }
        fs::write(path("scripts/a.rhai"), "7").unwrap();
        assert!(is_noticed(&changes), "a script behind the link");
    }
}
