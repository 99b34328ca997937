//! Files that are being written: they have a temporary name and are deleted unless they are completed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// All unfinished files. Creating, naming and deleting one requires the lock, so that the program can end at any moment and
/// leave none behind.
static ALL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn all() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The beginning and the end of the names of unfinished files.
const NAME: [&str; 2] = [".flockwork-", ".part"];

/// Returns whether a path has the name of an unfinished file.
#[cfg(any(unix, feature = "watch"))]
pub(super) fn is_unfinished(path: &Path) -> bool {
    let [prefix, suffix] = NAME;
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with(prefix) && name.ends_with(suffix))
}

/// A file that is being written. Dropping it deletes the file.
#[derive(Debug)]
pub(super) struct UnfinishedFile(Option<NamedTempFile>);

impl UnfinishedFile {
    /// Begins a file in the folder of its target, since a file can be renamed only within one disk.
    pub(super) fn create(folder: &Path) -> io::Result<Self> {
        let mut builder = Builder::new();
        let [prefix, suffix] = NAME;
        builder.prefix(prefix).suffix(suffix);
        #[cfg(unix)]
        {
            // The permissions of any new file, limited by the user's mask.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        #[cfg(unix)]
        abandoned::delete(folder);
        let mut all = all();
        let file = builder.tempfile_in(folder)?;
        #[cfg(unix)]
        abandoned::mark_used(file.as_file());
        all.insert(file.path().to_owned());
        Ok(Self(Some(file)))
    }

    /// Returns the temporary path of the file, until it has its name.
    pub(super) fn path(&self) -> Option<&Path> {
        self.0.as_ref().map(NamedTempFile::path)
    }

    /// Returns the file to write to.
    pub(super) fn file(&mut self) -> io::Result<&mut File> {
        let file = self.0.as_mut().map(NamedTempFile::as_file_mut);
        file.ok_or_else(|| io::Error::other("the file has its name already"))
    }

    /// Gives the file its name and replaces an older one.
    pub(super) fn persist(mut self, target: &Path) -> io::Result<()> {
        // Otherwise a power cut could leave the name without the content.
        self.file()?.sync_all()?;
        if has_other_names(target) {
            return self.copy_to(target);
        }
        let mut all = all();
        if let Some(file) = self.0.take() {
            let path = file.path().to_owned();
            // A failure deletes the file.
            let done = file.persist(target).map(|_| ()).map_err(|error| error.error);
            all.remove(&path);
            done?;
        }
        Ok(())
    }

    /// Writes the content into an older file, so that all names of that file keep naming it. This cannot be done in one step:
    /// until it is done, a file beside the older one has the content too. It stays if something goes wrong.
    fn copy_to(mut self, target: &Path) -> io::Result<()> {
        let mut all = all();
        let Some(file) = self.0.take() else { return Ok(()) };
        let mut copy = target.as_os_str().to_owned();
        copy.push(".unsaved");
        let path = file.path().to_owned();
        let named = file.persist_noclobber(&copy).map_err(|error| error.error);
        all.remove(&path);
        named?;
        let done = fs::copy(&copy, target).and_then(|_| File::open(target)?.sync_all());
        done.map_err(|error| {
            let copy = Path::new(&copy).file_name().unwrap_or_default().display();
            io::Error::other(format!("{error}; all of it is in {copy} beside it"))
        })?;
        fs::remove_file(&copy)
    }
}

/// Returns whether a file has more than one name (hard links). Only known on Unix.
fn has_other_names(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(path).is_ok_and(|file| file.nlink() > 1)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Unfinished files of programs that were killed.
///
/// A program locks its unfinished files, and the lock ends with the program. Only on Unix: on Windows, a locked file could not
/// be written by another program.
#[cfg(unix)]
mod abandoned {
    use super::*;

    /// The folders that have been searched.
    static SEARCHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

    /// The minimum age of a file to delete, in seconds: a new file may not have its lock yet.
    const MIN_AGE: u64 = 60;

    /// Marks a file as one that a program is writing.
    pub(super) fn mark_used(file: &File) {
        // Without locks, no program deletes the file.
        let _ = file.try_lock();
    }

    /// Deletes the unfinished files in a folder that no program is writing, the first time that it is called for the folder.
    pub(super) fn delete(folder: &Path) {
        let mut searched = SEARCHED.lock().unwrap_or_else(PoisonError::into_inner);
        if !searched.insert(folder.to_owned()) {
            return;
        }
        let entries = folder.read_dir().into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()).filter(|path| is_unfinished(path)) {
            let is_file = fs::symlink_metadata(&path).is_ok_and(|it| it.is_file());
            if is_file && File::open(&path).is_ok_and(|file| is_abandoned(&file)) {
                // Another program may have been faster.
                let _ = fs::remove_file(&path);
            }
        }
    }

    fn is_abandoned(file: &File) -> bool {
        let modified = file.metadata().and_then(|it| it.modified());
        let age = modified.ok().and_then(|modified| modified.elapsed().ok());
        age.is_some_and(|age| age.as_secs() >= MIN_AGE) && file.try_lock().is_ok()
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        if let Some(file) = self.0.take() {
            let mut all = all();
            let path = file.path().to_owned();
            drop(file);
            all.remove(&path);
        }
    }
}

/// While this lives, outputs that are begun, completed or dropped on other threads wait.
#[derive(Debug)]
pub struct OutputLock {
    _all: MutexGuard<'static, BTreeSet<PathBuf>>,
}

/// Deletes all [outputs](super::OutputFile) that are not complete. For a program that must end at once: exit while you
/// hold the result.
#[must_use = "outputs begin again when this is dropped"]
pub fn abandon_outputs() -> OutputLock {
    let mut all = all();
    for path in std::mem::take(&mut *all) {
        // There is nothing left to do about a file that cannot be deleted.
        let _ = fs::remove_file(path);
    }
    OutputLock { _all: all }
}
