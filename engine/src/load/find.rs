//! Finds scenarios, scripts and goldens in folders.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::folder::{is_file, is_visible};
use super::read::MAX_SCENARIO_BYTES;
use super::{
    GOLDEN_EXTENSION, PLAN_ENDING, SCENARIO_EXTENSION, SCENARIOS_FOLDER, SCRIPT_EXTENSION,
    check_name, display_path, folder_of, read, reason,
};
use crate::diag::{Diagnostic, Diagnostics};
use crate::scenario::has_fields_of_scenario;

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
    /// Files in RON in the given folders that are neither scenarios nor plans.
    pub left_out: BTreeSet<PathBuf>,
}

/// Returns whether a path is that of a plan.
pub fn is_plan(path: &Path) -> bool {
    path.to_string_lossy().ends_with(PLAN_ENDING)
}

/// Returns whether a file that was not given as a scenario is one: it ends in .ron, is no plan, and is in a folder
/// `scenarios` or has the field `world` or `groups`. `text` is called if that depends on the text. It returns `None`
/// for a file that cannot be read, which counts as a scenario, so that the error is reported.
pub fn is_scenario(path: &Path, text: impl FnOnce() -> Option<String>) -> bool {
    let mut folders = path.parent().into_iter().flat_map(Path::components);
    path.extension() == Some(OsStr::new(SCENARIO_EXTENSION))
        && !is_plan(path)
        && (folders.any(|folder| folder.as_os_str() == SCENARIOS_FOLDER)
            || text().is_none_or(|text| has_fields_of_scenario(&text)))
}

/// Returns all scenarios, plans and scripts among the given files, and all scenarios, plans, scripts and goldens in the given folders
/// and their subfolders. Hidden files and folders (their names begin with a dot) are skipped unless they are given. A given file that ends
/// in .ron is a scenario or a plan; for those in folders, [`is_scenario`] decides.
///
/// # Errors
///
/// For each path that does not exist, or is neither a folder, a scenario nor a script, and for each folder that cannot be read.
pub fn find(paths: &[PathBuf]) -> Result<FoundFiles, Diagnostics> {
    let (found, errors) = find_all(paths);
    if errors.is_empty() { Ok(found) } else { Err(errors.into()) }
}

/// Returns the same files as [`find`], also if there are errors, and the errors.
pub fn find_all(paths: &[PathBuf]) -> (FoundFiles, Vec<Diagnostic>) {
    let mut found = FoundFiles::default();
    let mut seen = BTreeSet::new();
    let mut errors = Vec::new();
    let mut sort_in = |path: &Path, is_given: bool| {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        // Relative to nothing, but with the folder of a link and not that of what it leads to.
        let whole = folder_of(path).canonicalize().unwrap_or_default();
        let whole = whole.join(path.file_name().unwrap_or_default());
        let is_scenario = || is_given || is_scenario(&whole, || beginning(path));
        // Several paths may name the same file.
        if !seen.contains(&real) {
            found.sort_in(path, is_scenario);
            seen.insert(real);
        }
    };
    // A path given as a file is a scenario, whatever is found in a folder.
    let (folders, files): (Vec<&PathBuf>, Vec<_>) = paths.iter().partition(|path| path.is_dir());
    for path in files {
        if path.extension().is_some_and(is_ours) {
            match read(path) {
                Err(error) if !path.exists() => errors.push(error),
                // Errors in its text are found when it is read again, as for a file in a folder.
                Ok(_) | Err(_) => sort_in(path, true),
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
    for path in folders {
        for entry in WalkDir::new(path).into_iter().filter_entry(is_visible) {
            match entry {
                Ok(entry) if is_file(&entry) && is_sorted_in(entry.path()) => {
                    match check_name(entry.path()) {
                        Ok(()) => sort_in(entry.path(), false),
                        Err(error) => errors.push(error),
                    }
                }
                Ok(_) => {}
                Err(error) => errors.push(unreadable(path, &error)),
            }
        }
    }
    (found, errors)
}

/// Returns the text of a file up to the length of the longest scenario, whatever it consists of. `None` if it cannot be read.
fn beginning(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_SCENARIO_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

impl FoundFiles {
    fn sort_in(&mut self, path: &Path, is_scenario: impl FnOnce() -> bool) {
        let of_its_kind = match path.extension().and_then(OsStr::to_str) {
            _ if is_plan(path) => &mut self.plans,
            Some(SCENARIO_EXTENSION) if is_scenario() => &mut self.scenarios,
            Some(SCENARIO_EXTENSION) => &mut self.left_out,
            Some(SCRIPT_EXTENSION) => &mut self.scripts,
            Some(GOLDEN_EXTENSION) => &mut self.goldens,
            _ => return,
        };
        of_its_kind.insert(path.to_owned());
    }
}

fn is_ours(extension: &OsStr) -> bool {
    extension == SCENARIO_EXTENSION || extension == SCRIPT_EXTENSION
}

/// Returns whether a file in a folder is one of those that are found there.
fn is_sorted_in(path: &Path) -> bool {
    path.extension().is_some_and(|extension| is_ours(extension) || extension == GOLDEN_EXTENSION)
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

    /// Makes files with contents in a new folder.
    fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    #[test]
    fn folders_are_searched_and_every_wrong_path_is_an_error() {
        let paths = ["b/x.ron", "b/a.ron", "b/s.rhai", "b/a.plan.ron", "b/.git/y.ron", "c.txt"];
        let dir = folder_with(&paths.map(|path| (path, "(groups: {})")));
        let at = |path: &str| dir.path().join(path);
        let found = find(&[at("b"), at("b/x.ron"), at("b/../b/a.ron")]).unwrap();
        let named = [at("b/../b/a.ron"), at("b/x.ron")];
        assert_eq!(found.scenarios.into_iter().collect::<Vec<_>>(), named);
        assert_eq!(found.plans.into_iter().collect::<Vec<_>>(), [at("b/a.plan.ron")]);
        assert_eq!(found.scripts.into_iter().collect::<Vec<_>>(), [at("b/s.rhai")]);
        let errors = find(&[at("c.txt"), at("none"), at("b/ax.ron")]).unwrap_err();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        for (error, part) in errors.iter().zip(["is neither", "no file or folder", "`a.ron`"]) {
            assert!(error.contains(part), "{error}");
        }
        assert_eq!(errors.len(), 3);
    }

    /// Caught: every file in RON was taken for a scenario, such as a list of sprites.
    #[test]
    fn files_that_look_like_no_scenario_are_left_out_unless_they_are_given() {
        let dir = folder_with(&[
            ("assets/sprites.ron", "(atlas: \"a.png\", sprites: { \"world\": (x: 1, groups: 2) })"),
            ("assets/list.ron", "[(world: 1), \"groups\"]"),
            ("assets/empty.ron", ""),
            ("scenarios/more/empty.ron", ""),
            ("scenarios/list.ron", "[1]"),
            (
                "levels/1.ron",
                "#![enable(implicit_some)]\n(name: \"1\", world: (size: (1, 1)), groups: {})",
            ),
            ("levels/named.ron", "Scenario(groups: {})"),
            ("levels/open.ron", "(name: \"1\", params: { \"a\": 1, world: (size: (1, 1)"),
            ("levels/start.ron", "world: (size: (1, 1)), groups: {})"),
            ("levels/quote.ron", "(groups: { \"a: () })"),
            ("levels/json.ron", "{ \"world\": { \"size\": [1, 1] } }"),
        ]);
        let names = |files: &BTreeSet<PathBuf>| -> Vec<String> {
            let name =
                |path: &PathBuf| path.strip_prefix(dir.path()).unwrap().display().to_string();
            files.iter().map(name).collect()
        };
        let mut found = find(&[dir.path().to_owned()]).unwrap();
        let out = ["assets/empty.ron", "assets/list.ron", "assets/sprites.ron"];
        assert_eq!(names(&found.left_out), out);
        assert_eq!(found.scenarios.len(), 8, "{:?}", found.scenarios);
        found = find(&[dir.path().join("assets"), dir.path().join("assets/list.ron")]).unwrap();
        assert_eq!(
            (names(&found.scenarios), names(&found.left_out).len()),
            (vec![out[1].into()], 2)
        );
    }

    /// Caught: one such file hid all others of its folder from editors.
    #[cfg(unix)]
    #[test]
    fn a_file_whose_name_cannot_be_shown_hides_no_other_one() {
        let dir = folder_with(&[("a/x.ron", "(groups: {})"), ("a/b\u{7}.ron", "")]);
        let (found, errors) = find_all(&[dir.path().join("a")]);
        assert_eq!((found.scenarios.len(), errors.len()), (1, 1));
        assert!(find(&[dir.path().join("a")]).is_err());
    }
}
