//! Reads files of earlier Git revisions.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use super::{SCRIPT_EXTENSION, ScriptsFolder, folder_of};
use crate::diag::{Diagnostic, Source};
use crate::script::Library;

/// The files of a Git repository at one revision, read with the program `git`.
#[derive(Clone, Debug)]
pub struct GitRevision {
    revision: String,
    /// The top folder of the working tree, without links.
    top: PathBuf,
}

impl GitRevision {
    /// Returns the repository that contains a file, at a revision in any form that Git accepts.
    ///
    /// # Errors
    ///
    /// If the file is not in a repository, or there is no program `git` or no such revision.
    pub fn new(file: &Path, revision: &str) -> Result<Self, Diagnostic> {
        let top = top_of(&folder_of(file))?;
        Ok(Self { revision: commit_of(&top, revision)?, top })
    }

    /// Returns the repository that contains a file, at the last revision that changed the file, if there is one.
    pub fn of_last_change(file: &Path) -> Option<Self> {
        let name = file.file_name()?;
        let arguments = ["log", "-1", "--format=%H", "--"].map(OsStr::new);
        let commit = git_text(&folder_of(file), arguments.into_iter().chain([name])).ok()?;
        let commit = commit.trim();
        if commit.is_empty() { None } else { Self::new(file, commit).ok() }
    }

    /// Returns the revision in short form.
    pub fn revision(&self) -> &str {
        &self.revision
    }

    /// Returns a file as it was; `None` if it did not exist or was not text.
    pub fn read(&self, file: &Path) -> Option<Arc<Source>> {
        let folder = folder_of(file).canonicalize().ok()?;
        let inside = folder.strip_prefix(&self.top).ok()?.join(file.file_name()?);
        let parts: Option<Vec<&str>> = inside.iter().map(OsStr::to_str).collect();
        let path = parts?.join("/");
        let object = format!("{}:{path}", self.revision);
        let text = git_text(&self.top, ["cat-file", "blob", object.as_str()]).ok()?;
        Some(Source::new(object, text))
    }

    /// Returns the scripts of a folder as they were.
    pub fn scripts(self, now: &ScriptsFolder) -> GitScripts {
        let folder = now.root().map(Path::to_owned);
        GitScripts { revision: self, folder }
    }
}

/// A folder of scripts at one revision.
#[derive(Clone, Debug)]
pub struct GitScripts {
    revision: GitRevision,
    folder: Option<PathBuf>,
}

impl Library for GitScripts {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        let folder = self.folder.as_ref();
        Ok(folder.and_then(|folder| {
            self.revision.read(&folder.join(format!("{name}.{SCRIPT_EXTENSION}")))
        }))
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn location(&self) -> Option<String> {
        Some(format!("the scripts are those of the Git revision {}", self.revision.revision))
    }
}

/// Returns the top folder of the working tree that contains a folder, without links.
pub(super) fn top_of(folder: &Path) -> Result<PathBuf, Diagnostic> {
    let top = git_text(folder, ["rev-parse", "--show-toplevel"])?;
    let top = PathBuf::from(top.trim_end_matches(['\n', '\r']));
    Ok(top.canonicalize().unwrap_or(top))
}

/// Returns the commit of a revision in any form that Git accepts, in short form.
pub(super) fn commit_of(top: &Path, revision: &str) -> Result<String, Diagnostic> {
    let wanted = format!("{revision}^{{commit}}");
    // Git reads nothing after `--end-of-options` as an option.
    let arguments =
        ["rev-parse", "--verify", "--quiet", "--short", "--end-of-options", wanted.as_str()];
    let commit = git_text(top, arguments).map_err(|_| {
        let none = format!("there is no revision `{revision}` in {}", top.display());
        with_obstacle(Diagnostic::error(none), top)
    })?;
    Ok(commit.trim().to_owned())
}

/// Returns whether somebody has added a file to Git. False if there is no repository, or no Git.
pub fn is_tracked(file: &Path) -> bool {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let name = file.file_name().unwrap_or_default();
    let arguments = ["ls-files", "--error-unmatch", "--"].map(OsStr::new);
    let output = git_bytes(folder.unwrap_or(Path::new(".")), arguments.into_iter().chain([name]));
    output.is_ok()
}

/// Runs Git in a folder and returns its output.
pub(super) fn git_bytes<S: AsRef<OsStr>>(
    folder: &Path,
    arguments: impl IntoIterator<Item = S>,
) -> Result<Vec<u8>, Diagnostic> {
    match git(folder, arguments) {
        Ok(Output { status, stdout, .. }) if status.success() => Ok(stdout),
        Ok(Output { stderr, .. }) => Err(failed(folder, &String::from_utf8_lossy(&stderr))),
        Err(error) => Err(failed(folder, &format!("git: {error}"))),
    }
}

/// Runs Git in a folder and returns its output as text.
pub(super) fn git_text<S: AsRef<OsStr>>(
    folder: &Path,
    arguments: impl IntoIterator<Item = S>,
) -> Result<String, Diagnostic> {
    let output = git_bytes(folder, arguments)?;
    String::from_utf8(output).map_err(|_| failed(folder, "it is not text in UTF-8"))
}

/// Runs Git in a folder. Its messages are in English, so that they can be recognized.
fn git<S: AsRef<OsStr>>(
    folder: &Path,
    arguments: impl IntoIterator<Item = S>,
) -> io::Result<Output> {
    Command::new("git").arg("-C").arg(folder).args(arguments).env("LC_ALL", "C").output()
}

/// Returns the error of a command of Git that failed in a folder, with what would help.
fn failed(folder: &Path, why: &str) -> Diagnostic {
    let error = |why: &str| Diagnostic::error(format!("cannot read the Git history: {why}"));
    match obstacle(folder) {
        Some(obstacle) => error(why.trim().lines().next().unwrap_or_default()).help(obstacle),
        None => error(why.trim())
            .help("earlier versions come from Git: the scenario must be in a repository"),
    }
}

/// Adds what keeps the history of a folder from being read or complete, if anything does.
pub(super) fn with_obstacle(error: Diagnostic, folder: &Path) -> Diagnostic {
    match obstacle(folder) {
        Some(obstacle) => error.help(obstacle),
        None => error,
    }
}

/// Returns what keeps the history of a file from being read or complete, and what helps: there is no program `git`, Git does not
/// trust the folder, or the clone is shallow. `None` if it is none of these.
pub(crate) fn history_obstacle(file: &Path) -> Option<String> {
    obstacle(&folder_of(file))
}

fn obstacle(folder: &Path) -> Option<String> {
    let output = match git(folder, ["rev-parse", "--is-shallow-repository"]) {
        Ok(output) => output,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Some("there is no program `git` here: install it".to_owned());
        }
        Err(_) => return None,
    };
    if output.stdout.starts_with(b"true") {
        return Some(
            "this is a shallow clone, which lacks earlier revisions: `git fetch --unshallow` fetches them; in CI, check out with \
             `fetch-depth: 0` (GitHub) or `GIT_DEPTH: 0` (GitLab)"
                .to_owned(),
        );
    }
    // Git itself names the command, with the folder as it wants it.
    let message = String::from_utf8_lossy(&output.stderr);
    let command = message.lines().find(|line| line.contains("--add safe.directory"))?.trim();
    Some(format!(
        "Git does not trust this folder, since it belongs to another user; this command trusts it: `{command}`"
    ))
}
