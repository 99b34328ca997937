//! Copies of what was typed in files and is not written. They outlive the window, whatever ends it.
//!
//! Each window has a folder of its own for them, which it locks as long as it runs. So no window changes the copies of another one,
//! and what is in a folder without a lock was left by a window that has ended.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use flockwork_engine::Diagnostic;
use flockwork_engine::load::{
    FolderLock, OutputFile, SCRIPT_EXTENSION, checksum_of, delete_files, files_with, folders,
    make_folder, read, real_path,
};

use crate::user_folder;

/// The copies of one window.
pub(super) struct Copies {
    /// The folder of the copies of all windows. `None` if this user has none.
    all: Option<PathBuf>,
    /// The folder of this window, since its first copy.
    own: Option<(PathBuf, FolderLock)>,
    /// The contents of files of which there are copies, by the names of their files.
    saved: BTreeMap<String, String>,
}

/// A copy that a window has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LeftCopy {
    path: PathBuf,
    /// When it was written.
    pub(super) written: Option<SystemTime>,
}

/// A copy of what was typed in a file of this run.
pub(super) struct OfferedCopy {
    /// The name of the file.
    pub(super) file: String,
    pub(super) copy: LeftCopy,
}

/// What can be done with a copy that is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyAction {
    /// Its text is in the editor again, not written.
    Restore,
    /// It is deleted.
    Drop,
    /// It is offered again by the next window.
    Later,
}

/// Returns the folder for copies. `None` if this user has none.
pub(super) fn folder() -> Option<PathBuf> {
    Some(user_folder::state()?.join("unwritten"))
}

/// Returns what the name of a copy begins with: it says which file it is of, in whichever folder the program was started.
fn key(file: &str) -> String {
    let path = real_path(Path::new(file));
    format!("{:016x}", checksum_of(path.as_os_str().as_encoded_bytes()))
}

/// Returns the copies in the folder of a window.
fn copies_in(folder: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let mut all = files_with(folder, SCRIPT_EXTENSION)?;
    all.extend(files_with(folder, "ron")?);
    Ok(all)
}

impl Copies {
    pub(super) fn new(all: Option<PathBuf>) -> Self {
        Self { all, own: None, saved: BTreeMap::new() }
    }

    /// Makes the copies those of some contents, each with the name of its file.
    ///
    /// # Errors
    ///
    /// If a copy cannot be written or deleted.
    pub(super) fn save(&mut self, contents: &[(String, String)]) -> Result<(), Diagnostic> {
        for (name, text) in contents {
            if self.saved.get(name) == Some(text) {
                continue;
            }
            let path = self.own_folder()?.join(copy_name(name));
            let output = match path.exists() {
                true => OutputFile::rewrite(&path, read(&path)?),
                false => OutputFile::create_new(&path),
            };
            output?.write_whole(text)?;
            self.saved.insert(name.clone(), text.clone());
        }
        let Some((own, _)) = &self.own else { return Ok(()) };
        let is_needed = |name: &String| contents.iter().any(|(other, _)| other == name);
        let unneeded: Vec<String> =
            self.saved.keys().filter(|name| !is_needed(name)).cloned().collect();
        for name in unneeded {
            delete_files(own, &[&copy_name(&name)])?;
            self.saved.remove(&name);
        }
        Ok(())
    }

    /// Returns the path of the copy of a file, if there is one.
    pub(super) fn path_of(&self, file: &str) -> Option<PathBuf> {
        let (own, _) = self.own.as_ref().filter(|_| self.saved.contains_key(file))?;
        Some(own.join(copy_name(file)))
    }

    /// Returns the folder of this window: the first one that no window uses and that has no copies.
    fn own_folder(&mut self) -> Result<PathBuf, Diagnostic> {
        if let Some((own, _)) = &self.own {
            return Ok(own.clone());
        }
        let none = || Diagnostic::error("you have no home folder".to_owned());
        let all = self.all.clone().ok_or_else(none)?;
        let mut number = 1_u64;
        loop {
            let own = all.join(number.to_string());
            make_folder(&own)?;
            if let Some(lock) = FolderLock::take(&own)?
                && copies_in(&own)?.is_empty()
            {
                self.own = Some((own.clone(), lock));
                return Ok(own);
            }
            number += 1;
        }
    }
}

/// Returns the name of the copy of a file.
fn copy_name(file: &str) -> String {
    let name = Path::new(file).file_name().unwrap_or_default();
    format!("{}_{}", key(file), name.to_string_lossy())
}

impl LeftCopy {
    /// Returns the copies that windows have left in a folder, the newest first.
    pub(super) fn all(folder: &Path) -> Vec<Self> {
        // A folder that cannot be read offers nothing.
        let folders = folders(folder).unwrap_or_default().into_iter();
        let unused = folders.filter(|one| matches!(FolderLock::take(one), Ok(Some(_))));
        let paths = unused.flat_map(|one| copies_in(&one).unwrap_or_default());
        let written = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
        let copy = |path: PathBuf| Self { written: written(&path), path };
        let mut all: Vec<Self> = paths.map(copy).collect();
        all.sort_by_key(|copy| std::cmp::Reverse(copy.written));
        all
    }

    /// Returns whether it is a copy of a file.
    pub(super) fn is_of(&self, file: &str) -> bool {
        self.path.file_name() == Some(OsStr::new(&copy_name(file)))
    }

    /// Returns its text.
    ///
    /// # Errors
    ///
    /// If it cannot be read, such as when another window has taken it.
    pub(super) fn text(&self) -> Result<String, Diagnostic> {
        Ok(read(&self.path)?.text.clone())
    }

    /// Deletes it.
    ///
    /// # Errors
    ///
    /// If there is no permission.
    pub(super) fn delete(&self) -> Result<(), Diagnostic> {
        let name = self.path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        delete_files(self.path.parent().unwrap_or(Path::new("")), &[name])
    }
}
