//! The scripts of a scenario in another version: as they were in a Git revision, or as they are in another folder.

use std::path::Path;

use super::{SCRIPTS_FOLDER, ScriptsFolder, display_path};
use crate::diag::Diagnostic;
use crate::script::Library;

/// Returns another version of the scripts of a scenario: those in a folder, or in the folder `scripts` inside of it, if there is a folder
/// with the name `version`; otherwise those of the Git revision `version`.
///
/// # Errors
///
/// If the folder has no scripts, or there is neither such a folder nor such a revision.
pub fn other_version(scenario: &Path, version: &str) -> Result<Box<dyn Library>, Diagnostic> {
    let folder = Path::new(version);
    if !folder.is_dir() {
        return of_revision(scenario, version);
    }
    let inside = folder.join(SCRIPTS_FOLDER);
    let folder = if inside.is_dir() { inside.as_path() } else { folder };
    let scripts = ScriptsFolder::at(folder);
    if scripts.names().is_empty() {
        let none = format!("there are no scripts in {}", display_path(folder));
        return Err(Diagnostic::error(none).help(
            "name a folder with scripts, the folder of a project with the folder `scripts` in it, or a Git revision",
        ));
    }
    Ok(Box::new(scripts))
}

#[cfg(feature = "git")]
fn of_revision(scenario: &Path, revision: &str) -> Result<Box<dyn Library>, Diagnostic> {
    let git = super::GitRevision::new(scenario, revision).map_err(|error| {
        error.help(format!("there is no folder `{revision}` either: name a Git revision such as `HEAD`, or a folder with scripts"))
    })?;
    Ok(Box::new(git.scripts(&ScriptsFolder::of_scenario(scenario))))
}

#[cfg(not(feature = "git"))]
fn of_revision(_: &Path, revision: &str) -> Result<Box<dyn Library>, Diagnostic> {
    Err(Diagnostic::error(format!("there is no folder `{revision}`"))
        .help("Git revisions need the feature `git` of the crate `flockwork-engine`"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_of_scripts_or_of_a_project_is_a_version() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        for folder in ["old/scripts", "other/birds", "empty"] {
            fs::create_dir_all(path(folder)).unwrap();
        }
        fs::write(path("old/scripts/fly.rhai"), "old").unwrap();
        fs::write(path("other/birds/fly.rhai"), "other").unwrap();
        let version = |name: &str| other_version(&path("a.ron"), path(name).to_str().unwrap());
        let names = |name: &str| version(name).unwrap().names();
        assert_eq!((names("old"), names("old/scripts")), (vec!["fly".into()], vec!["fly".into()]));
        assert_eq!(names("other"), ["birds/fly"]);
        let text = version("old").unwrap().read("fly").unwrap().unwrap();
        assert_eq!(text.text, "old");
        for (name, part) in [("empty", "there are no scripts in"), ("missing", "")] {
            let error = version(name).err().unwrap();
            assert!(error.message.contains(part) && !error.help.is_empty(), "{error}");
        }
    }
}
