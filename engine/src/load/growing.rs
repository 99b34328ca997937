//! Files that grow line by line, and that a later process can continue.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{OutputFile, display_path, reason};
use crate::diag::Diagnostic;

/// A text file to which whole lines are added. If the process dies, at most the last addition is lost: a later process
/// finds the complete lines and continues after them.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    file: File,
}

impl GrowingFile {
    /// Opens a file, or creates it if it does not exist. `keep` is asked for each complete line, without its end, from the
    /// first on. The first line that it does not keep is removed, and everything after it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub fn open(path: &Path, mut keep: impl FnMut(&str) -> bool) -> Result<Self, Diagnostic> {
        let fail = |error: io::Error| OutputFile::error(path, &error);
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(fail)?;
        let mut reader = BufReader::new(&file);
        let (mut line, mut end) = (Vec::new(), 0);
        while reader.read_until(b'\n', &mut line).map_err(fail)? > 0 {
            let text = line.strip_suffix(b"\n").and_then(|line| std::str::from_utf8(line).ok());
            if !text.is_some_and(&mut keep) {
                break;
            }
            end += line.len() as u64;
            line.clear();
        }
        drop(reader);
        file.set_len(end).map_err(fail)?;
        file.seek(SeekFrom::Start(end)).map_err(fail)?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Adds lines, each with its end, and waits until the system has them. The process may be killed after that.
    ///
    /// # Errors
    ///
    /// If they cannot be written. Part of them may be in the file then.
    pub fn append(&mut self, lines: &[u8]) -> Result<(), Diagnostic> {
        let written = self.file.write_all(lines);
        written.map_err(|error| OutputFile::error(&self.path, &error))
    }

    /// Waits until everything is on the disk, so that it survives a power cut.
    ///
    /// # Errors
    ///
    /// If the disk fails.
    pub fn sync(&self) -> Result<(), Diagnostic> {
        self.file.sync_data().map_err(|error| OutputFile::error(&self.path, &error))
    }
}

/// Opens a file to read it piece by piece, for files that may be large.
///
/// # Errors
///
/// If it cannot be opened.
pub fn reader(path: &Path) -> Result<Box<dyn BufRead>, Diagnostic> {
    let file = File::open(path).map_err(|error| {
        Diagnostic::error(format!("cannot read {}: {}", display_path(path), reason(&error)))
    })?;
    Ok(Box::new(BufReader::new(file)))
}

/// Returns a hash of the bytes of a file (XXH3, 64 bits), which may be large.
///
/// # Errors
///
/// If it cannot be read.
pub fn checksum(path: &Path) -> Result<u64, Diagnostic> {
    let mut reader = reader(path)?;
    let mut hash = Xxh3::new();
    loop {
        let read = reader.fill_buf().map_err(|error| {
            Diagnostic::error(format!("cannot read {}: {}", display_path(path), reason(&error)))
        })?;
        if read.is_empty() {
            return Ok(hash.digest());
        }
        hash.update(read);
        let length = read.len();
        reader.consume(length);
    }
}

/// Returns the hash of some bytes, as [`checksum`] does for a file.
pub fn checksum_of(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// A lock on a folder: no other process can have it at the same time. It ends with the process, however that ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Takes the lock of a folder, which is a file named `.lock` in it. `None` if another process has it.
    ///
    /// # Errors
    ///
    /// If the file cannot be created.
    pub fn take(folder: &Path) -> Result<Option<Self>, Diagnostic> {
        let path = folder.join(".lock");
        let fail = |error: io::Error| OutputFile::error(&path, &error);
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).open(&path).map_err(fail)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(fail(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_continues_after_its_last_good_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        for (before, kept) in [
            ("", ""),
            ("1\n2\n", "1\n2\n"),
            ("1\n2", "1\n"),
            ("1\nx\n2\n", "1\n"),
            ("1\n\u{fffd}", "1\n"),
        ] {
            fs::write(&path, before).unwrap();
            let mut file = GrowingFile::open(&path, |line| line.parse::<u8>().is_ok()).unwrap();
            file.append(b"7\n").unwrap();
            file.sync().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{kept}7\n"));
        }
        assert!(GrowingFile::open(&dir.path().join("no/a.csv"), |_| true).is_err());
    }

    #[test]
    fn a_folder_is_locked_once() {
        let dir = tempfile::tempdir().unwrap();
        let lock = FolderLock::take(dir.path()).unwrap();
        assert!(lock.is_some());
        assert!(FolderLock::take(dir.path()).unwrap().is_none());
        drop(lock);
        assert!(FolderLock::take(dir.path()).unwrap().is_some());
    }
}
