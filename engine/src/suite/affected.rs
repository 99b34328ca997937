//! Finds the tests that changed files concern.

use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use super::each;
use crate::diag::{Diagnostic, Diagnostics, Severity};
use crate::load::{
    ChangedFiles, GOLDEN_EXTENSION, SCRIPTS_FOLDER, ScriptsFolder, display_path, real_path,
};
use crate::runner::{Checked, check_open};

/// Returns for each scenario why its test may have another result than before the files changed that differ from a
/// revision (see [`ChangedFiles::since`]); `None` if nothing that it depends on has changed. A scenario depends on its own
/// file, its golden, and the scripts that its check asks for. If a scenario has an error, not all of them are known, so it
/// counts as changed.
///
/// # Errors
///
/// If a scenario is not in a Git repository, or Git cannot compare it with the revision.
pub fn affected_tests(
    scenarios: &[PathBuf],
    revision: Option<&str>,
) -> Result<Vec<Option<String>>, Diagnostics> {
    let mut repositories: Vec<ChangedFiles> = Vec::new();
    for path in scenarios {
        let real = real_path(path);
        if !repositories.iter().any(|one| one.covers(&real)) {
            repositories.push(ChangedFiles::since(&real, revision).map_err(without_git)?);
        }
    }
    let changes = Changes(repositories);
    Ok(each(scenarios, |path| {
        let checked = || check_open(path, &Arc::default());
        changes.of_own_files(path).or_else(|| changes.of_scripts(path, &checked()))
    }))
}

fn without_git(error: Diagnostic) -> Diagnostic {
    error.help("to test all scenarios, leave out `--changed`")
}

/// The changes of all repositories with scenarios.
struct Changes(Vec<ChangedFiles>);

impl Changes {
    /// Returns whether a file has changed, or a link to it, or a folder on the way to it.
    fn contain(&self, path: &Path) -> bool {
        let own = absolute(path).unwrap_or_else(|_| path.to_owned());
        // Of a link itself, the folder is without links.
        let folder = own.parent().and_then(|folder| folder.canonicalize().ok());
        let link = folder.zip(own.file_name()).map(|(folder, name)| folder.join(name));
        let all = [Some(real_path(path)), link, Some(own)];
        all.iter().flatten().any(|path| self.0.iter().any(|one| one.contains(path)))
    }

    /// Returns the change of the scenario or of its golden.
    fn of_own_files(&self, scenario: &Path) -> Option<String> {
        let files = [scenario.to_owned(), scenario.with_extension(GOLDEN_EXTENSION)];
        files.iter().find(|file| self.contain(file)).map(|file| change(file))
    }

    /// Returns the change of a script that a scenario depends on, or of which scripts these are.
    fn of_scripts(&self, scenario: &Path, checked: &Checked) -> Option<String> {
        let changed = checked.scripts.iter().find(|script| self.contain(script));
        let holder = ScriptsFolder::of_scenario(scenario).holder().map(Path::to_owned);
        let scenario = real_path(scenario);
        // If there was a folder nearer to the scenario, the scenario used the scripts in it.
        let nearer =
            scenario.ancestors().skip(1).take_while(|folder| Some(*folder) != holder.as_deref());
        let mut folders = nearer.map(|folder| folder.join(SCRIPTS_FOLDER));
        let folder = folders.find(|folder| self.0.iter().any(|one| one.has_any_in(folder)));
        let link = holder.as_ref().map(|holder| holder.join(SCRIPTS_FOLDER));
        let link = link.filter(|link| link.is_symlink() && self.contain(link));
        let is_unclear = checked.findings.iter().any(|one| one.severity == Severity::Error);
        let unclear =
            is_unclear.then(|| "it has an error: not all of its scripts are known".to_owned());
        changed.or(folder.as_ref()).or(link.as_ref()).map(|path| change(path)).or(unclear)
    }
}

/// Returns that a file has changed or is gone.
fn change(path: &Path) -> String {
    let what = if path.exists() { "has changed" } else { "is gone" };
    format!("{} {what}", display_path(path))
}
