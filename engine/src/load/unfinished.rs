//! Files that have no name yet, and are deleted if they never get one.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// All files on their way. Whoever makes, names or deletes one holds the lock, so that the program can end
/// at any moment and leave none behind.
static ALL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn all() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file on its way. Dropping it deletes it.
#[derive(Debug)]
pub(super) struct UnfinishedFile(Option<NamedTempFile>);

impl UnfinishedFile {
    /// Begins a file in the folder of its target, since only within one disk a file can change its name.
    pub(super) fn create(folder: &Path) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(".flockwork-").suffix(".part");
        #[cfg(unix)]
        {
            // As for any new file: what the user's mask leaves of it.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut all = all();
        let file = builder.tempfile_in(folder)?;
        all.insert(file.path().to_owned());
        Ok(Self(Some(file)))
    }

    /// The file to write to.
    pub(super) fn file(&mut self) -> io::Result<&mut File> {
        let file = self.0.as_mut().map(NamedTempFile::as_file_mut);
        file.ok_or_else(|| io::Error::other("the file has its name already"))
    }

    /// Gives the file its name, in place of an older one.
    pub(super) fn persist(mut self, target: &Path) -> io::Result<()> {
        // Or the name could outlive a power cut and the content not.
        self.file()?.sync_all()?;
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

/// No output can begin, be completed or be given up while this lives: whoever tries, waits.
#[derive(Debug)]
pub struct OutputLock {
    _all: MutexGuard<'static, BTreeSet<PathBuf>>,
}

/// Deletes all [outputs](super::OutputFile) that are not complete. For a program that is asked to end and
/// does so at once: exit while you hold the result.
#[must_use = "outputs begin again when this is dropped"]
pub fn abandon_outputs() -> OutputLock {
    let mut all = all();
    for path in std::mem::take(&mut *all) {
        // What cannot be deleted cannot be helped at this point.
        let _ = fs::remove_file(path);
    }
    OutputLock { _all: all }
}
