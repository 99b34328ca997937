//! Finds scenarios, scripts and goldens in folders.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::{
    GOLDEN_EXTENSION, PLAN_ENDING, SCENARIO_EXTENSION, SCRIPT_EXTENSION, check_name, display_path,
    read, reason,
};
use crate::diag::{Diagnostic, Diagnostics};

/// The files that were found, sorted, each of them once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundFiles {
    /// Scenario files.
    pub scenarios: BTreeSet<PathBuf>,
    /// Plans of experiments, which are in RON, too.
    pub plans: BTreeSet<PathBuf>,
    /// Script files.
    pub scripts: BTreeSet<PathBuf>,
    /// Goldens in the given folders.
    pub goldens: BTreeSet<PathBuf>,
}

/// Returns all scenarios, plans and scripts among the given files, and all scenarios, plans, scripts and goldens in the given folders
/// and their subfolders. Hidden files and folders (their names begin with a dot) are skipped unless they are given.
///
/// # Errors
///
/// For each path that does not exist, cannot be read, or is neither a folder, a scenario nor a script.
pub fn find(paths: &[PathBuf]) -> Result<FoundFiles, Diagnostics> {
    let mut found = FoundFiles::default();
    let mut seen = BTreeSet::new();
    let mut errors = Vec::new();
    let mut sort_in = |path: &Path| {
        // Several paths may name the same file.
        if seen.insert(path.canonicalize().unwrap_or_else(|_| path.to_owned())) {
            found.sort_in(path);
        }
    };
    for path in paths {
        if path.is_dir() {
            let entries = WalkDir::new(path).into_iter().filter_entry(is_visible);
            for entry in entries {
                match entry {
                    Ok(entry) if is_file(&entry) && is_sorted_in(entry.path()) => {
                        match check_name(entry.path()) {
                            Ok(()) => sort_in(entry.path()),
                            Err(error) => errors.push(error),
                        }
                    }
                    Ok(_) => {}
                    Err(error) => errors.push(unreadable(path, &error)),
                }
            }
        } else if path.extension().is_some_and(is_ours) {
            match read(path) {
                Ok(_) => sort_in(path),
                Err(error) => errors.push(error),
            }
        } else if path.exists() {
            errors.push(Diagnostic::error(format!(
                "{} is neither a scenario (.{SCENARIO_EXTENSION}) nor a script (.{SCRIPT_EXTENSION})",
                display_path(path)
            )));
        } else {
            errors.push(Diagnostic::error(format!(
                "there is no file or folder {}",
                display_path(path)
            )));
        }
    }
    if errors.is_empty() { Ok(found) } else { Err(errors.into()) }
}

impl FoundFiles {
    fn sort_in(&mut self, path: &Path) {
        if path.to_string_lossy().ends_with(PLAN_ENDING) {
            self.plans.insert(path.to_owned());
            return;
        }
        match path.extension().and_then(OsStr::to_str) {
            Some(SCENARIO_EXTENSION) => self.scenarios.insert(path.to_owned()),
            Some(SCRIPT_EXTENSION) => self.scripts.insert(path.to_owned()),
            Some(GOLDEN_EXTENSION) => self.goldens.insert(path.to_owned()),
            _ => false,
        };
    }
}

/// Returns all visible files with an extension in a folder and its subfolders. Files that cannot be read are skipped.
pub(super) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    WalkDir::new(folder)
        .into_iter()
        .filter_entry(is_visible)
        .filter_map(Result::ok)
        .filter(|entry| is_file(entry) && entry.path().extension() == Some(OsStr::new(extension)))
        .map(DirEntry::into_path)
        .collect()
}

fn is_ours(extension: &OsStr) -> bool {
    extension == SCENARIO_EXTENSION || extension == SCRIPT_EXTENSION
}

/// Returns whether a file in a folder is one of those that are found there.
fn is_sorted_in(path: &Path) -> bool {
    path.extension().is_some_and(|extension| is_ours(extension) || extension == GOLDEN_EXTENSION)
}

fn is_visible(entry: &DirEntry) -> bool {
    entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// Returns true for a file or a link to a file.
fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_file() || (entry.path_is_symlink() && entry.path().is_file())
}

fn unreadable(root: &Path, error: &walkdir::Error) -> Diagnostic {
    let path = display_path(error.path().unwrap_or(root));
    let why = error.io_error().map_or_else(|| error.to_string(), reason);
    Diagnostic::error(format!("cannot read {path}: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn folders_are_searched_and_every_wrong_path_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        for path in ["b/x.ron", "b/a.ron", "b/s.rhai", "b/a.plan.ron", "b/.git/y.ron", "c.txt"] {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), "").unwrap();
        }
        let found = find(&[at("b"), at("b/x.ron"), at("b/../b/a.ron")]).unwrap();
        assert_eq!(found.scenarios.into_iter().collect::<Vec<_>>(), [at("b/a.ron"), at("b/x.ron")]);
        assert_eq!(found.plans.into_iter().collect::<Vec<_>>(), [at("b/a.plan.ron")]);
        assert_eq!(found.scripts.into_iter().collect::<Vec<_>>(), [at("b/s.rhai")]);
        let errors = find(&[at("c.txt"), at("none"), at("b/ax.ron")]).unwrap_err();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        for (error, part) in errors.iter().zip(["is neither", "no file or folder", "`a.ron`"]) {
            assert!(error.contains(part), "{error}");
        }
        assert_eq!(errors.len(), 3);
    }
}
