//! Asks Git which files differ from a revision.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::folder_of;
use super::git::{commit_of, git_bytes, git_text, top_of, with_obstacle};
use crate::diag::Diagnostic;

/// The files of a Git repository that differ from a revision. Files that Git does not track count as changed, also those that it
/// ignores: it does not know whether they have.
#[derive(Clone, Debug)]
pub struct ChangedFiles {
    /// The top folder of the working tree, without links.
    top: PathBuf,
    /// The files, relative to the top folder and with `/` between folders. An entry may be a folder: then everything in it counts.
    paths: BTreeSet<String>,
}

impl ChangedFiles {
    /// Returns the files that differ from a revision in the repository that contains a file: committed since, staged, changed,
    /// deleted or untracked. They are compared with the last commit that the revision and `HEAD` have in common, without a
    /// revision with `HEAD`.
    ///
    /// # Errors
    ///
    /// If the file is not in a repository, there is no program `git`, no such revision, or no common commit.
    pub fn since(file: &Path, revision: Option<&str>) -> Result<Self, Diagnostic> {
        let top = top_of(&folder_of(file))?;
        let base = match revision {
            Some(revision) => Some(common_commit(&top, revision)?),
            // Before the first commit, everything is new.
            None => commit_of(&top, "HEAD").ok(),
        };
        let tracked: &[&str] = match &base {
            Some(base) => {
                &["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", base, "--"]
            }
            None => &["ls-files", "-z"],
        };
        let untracked = ["ls-files", "-z", "--others", "--directory"];
        let mut paths = BTreeSet::new();
        for output in [git_bytes(&top, tracked)?, git_bytes(&top, untracked)?] {
            let names = output.split(|byte| *byte == 0).map(String::from_utf8_lossy);
            let names = names.map(|name| name.trim_end_matches('/').to_owned());
            paths.extend(names.filter(|name| !name.is_empty()));
        }
        Ok(Self { top, paths })
    }

    /// Returns whether a path without links is in the working tree.
    pub fn covers(&self, path: &Path) -> bool {
        path.starts_with(&self.top)
    }

    /// Returns whether a file, or a folder that contains it, has changed. The path must be absolute.
    pub fn contains(&self, path: &Path) -> bool {
        let Ok(inside) = path.strip_prefix(&self.top) else {
            return false;
        };
        let mut name = String::new();
        inside.iter().any(|part| {
            let joint = if name.is_empty() { "" } else { "/" };
            name = format!("{name}{joint}{}", part.to_string_lossy());
            self.paths.contains(&name)
        })
    }

    /// Returns whether anything in a folder has changed. The path must be absolute.
    pub fn has_any_in(&self, folder: &Path) -> bool {
        let inside = |name: &String| self.top.join(name).starts_with(folder);
        self.contains(folder) || self.paths.iter().any(inside)
    }
}

/// Returns the last commit that a revision and `HEAD` have in common, in short form.
fn common_commit(top: &Path, revision: &str) -> Result<String, Diagnostic> {
    let commit = commit_of(top, revision)?;
    let common = git_text(top, ["merge-base", commit.as_str(), "HEAD"]).map_err(|_| {
        let none = format!("`{revision}` and `HEAD` have no commit in common");
        with_obstacle(Diagnostic::error(none), top)
    })?;
    commit_of(top, common.trim())
}
