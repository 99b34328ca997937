//! Writing a file whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::{folder_of, reason, shown};
use crate::diag::Diagnostic;

/// A file being written. It takes its name, and the place of an older one, only when it is
/// [committed](Self::commit); until then the older one stays, and nothing stays if this is dropped.
///
/// What is not a regular file (a device, a pipe) is written to directly.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    /// A file without its name yet, and the name it will get.
    Pending(NamedTempFile, PathBuf),
    Direct(File),
}

impl OutputFile {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// If there cannot be such a file: its folder is missing or not to be written to, or it is a folder.
    pub fn create(path: &Path) -> Result<Self, Diagnostic> {
        let fail = |error: io::Error| Self::error(path, &error);
        let sink = match fs::metadata(path) {
            Ok(old) if old.is_dir() => {
                return Err(Diagnostic::error(format!(
                    "cannot write {}: it is a folder",
                    shown(path)
                )));
            }
            Ok(old) if old.is_file() => {
                // A file that its owner has protected is not replaced either.
                OpenOptions::new().write(true).open(path).map_err(fail)?;
                // Through a link, so that the link stays.
                let target = path.canonicalize().map_err(fail)?;
                let pending = pending(&target).map_err(fail)?;
                pending
                    .as_file()
                    .set_permissions(old.permissions())
                    .map_err(fail)?;
                Sink::Pending(pending, target)
            }
            Ok(_) => Sink::Direct(OpenOptions::new().write(true).open(path).map_err(fail)?),
            Err(_) => {
                let folder = folder_of(path);
                if path.file_name().is_none() || !folder.is_dir() {
                    return Err(Diagnostic::error(format!(
                        "cannot write {}: there is no folder {}",
                        shown(path),
                        shown(&folder)
                    )));
                }
                Sink::Pending(pending(path).map_err(fail)?, path.to_owned())
            }
        };
        Ok(Self {
            path: path.to_owned(),
            sink,
        })
    }

    /// Gives the file its name, in place of an older one.
    ///
    /// # Errors
    ///
    /// If not everything can be written; then nothing is left of it, and an older file is as it was.
    pub fn commit(mut self) -> Result<(), Diagnostic> {
        let done = self.flush().and_then(|()| match self.sink {
            Sink::Direct(_) => Ok(()),
            Sink::Pending(file, target) => {
                // Or the name could outlive a power cut and the content not.
                file.as_file().sync_all()?;
                file.persist(target)?;
                Ok(())
            }
        });
        done.map_err(|error| Self::error(&self.path, &error))
    }

    /// The message for a failure to write to a path.
    pub fn error(path: &Path, error: &io::Error) -> Diagnostic {
        let why = match error.kind() {
            io::ErrorKind::StorageFull => "the disk is full".to_owned(),
            io::ErrorKind::BrokenPipe => "nobody reads it any more".to_owned(),
            _ => reason(error),
        };
        Diagnostic::error(format!("cannot write {}: {why}", shown(path)))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            // Not the wrapper's own `write`, which puts its random name into every error.
            Sink::Pending(file, _) => file.as_file_mut().write(bytes),
            Sink::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Pending(file, _) => file.as_file_mut().flush(),
            Sink::Direct(file) => file.flush(),
        }
    }
}

/// A file in the same folder as its target, since only within one disk a file can change its name.
fn pending(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".flockwork-").suffix(".part");
    #[cfg(unix)]
    {
        // As for any new file: what the user's mask leaves of it.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder_of(target))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = folder
            .read_dir()
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn a_file_appears_when_it_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        fs::write(&path, "old").unwrap();
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(dir.path()), ["a.csv"]);
    }

    #[test]
    fn a_file_that_is_dropped_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(names(dir.path()), [""; 0]);
    }

    #[test]
    fn what_cannot_be_written_says_why() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), "").unwrap();
        for (path, part) in [
            ("none/a.csv", "there is no folder"),
            ("file/a.csv", "there is no folder"),
            (".", "it is a folder"),
        ] {
            let error = OutputFile::create(&dir.path().join(path)).unwrap_err();
            assert!(error.message.contains(part), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("a.csv"), dir.path().join("link.csv"));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        OutputFile::create(&path).unwrap().commit().unwrap();
        let plain = dir.path().join("plain");
        fs::write(&plain, "").unwrap();
        assert_eq!(mode(&path), mode(&plain), "as any new file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("a.csv", &link).unwrap();
        let mut file = OutputFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(mode(&path), 0o640);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_to_directly() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("x.csv");
        std::os::unix::fs::symlink("/dev/full", &link).unwrap();
        let mut file = OutputFile::create(&link).unwrap();
        let error = file.write_all(b"new").unwrap_err();
        assert!(
            OutputFile::error(&link, &error)
                .message
                .contains("the disk is full")
        );
        assert_eq!(names(dir.path()), ["x.csv"]);
    }
}
