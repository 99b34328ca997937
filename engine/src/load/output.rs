//! Writing a file whole or not at all.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::unfinished::UnfinishedFile;
use super::{FileKind, display_path, folder_of, read, reason};
use crate::diag::{Diagnostic, Source};

/// A file being written. It takes its name, and the place of an older one, only when it is
/// [committed](Self::commit); until then the older one stays, and nothing stays if this is dropped.
///
/// An older file is replaced only if it is what the output expects there: a file of the same
/// [kind](FileKind), or the text that was read from it. An empty file is no loss and is replaced too. What
/// is not a regular file (a device, a pipe) is written to directly.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    /// A file without its name yet, and the name it will get.
    Pending {
        file: UnfinishedFile,
        target: PathBuf,
        replaces: ReplaceRule,
        /// Number of bytes that can still be written.
        room: u64,
    },
    Direct(File),
}

/// Which older file an output may take the place of.
#[derive(Clone, Debug)]
enum ReplaceRule {
    /// None at all.
    Nothing,
    /// One of this kind.
    Kind(FileKind),
    /// The one that this was read from, if it has not changed since.
    Text(Arc<Source>),
}

/// Where an output goes.
enum OutputTarget {
    /// To a name that nothing has yet.
    New(PathBuf),
    /// In place of an older file, whose permissions it gets.
    Older(PathBuf, Permissions),
    /// Into a device or pipe.
    Direct,
}

impl OutputFile {
    /// Begins a file that may take the place of an older one of its kind.
    ///
    /// # Errors
    ///
    /// If there cannot be such a file: its folder is missing or not to be written to, it is a folder, or it is
    /// a file of another kind.
    pub fn create(path: &Path, kind: FileKind) -> Result<Self, Diagnostic> {
        Self::begin(path, ReplaceRule::Kind(kind))
    }

    /// Begins a file whose name no other file has.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create), and if there is a file that is not empty.
    pub fn create_new(path: &Path) -> Result<Self, Diagnostic> {
        Self::begin(path, ReplaceRule::Nothing)
    }

    /// Begins a file in place of the one that a text was read from.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create), and if the file has another text now.
    pub fn rewrite(path: &Path, text: Arc<Source>) -> Result<Self, Diagnostic> {
        Self::begin(path, ReplaceRule::Text(text))
    }

    /// Checks whether [`create`](Self::create) would find anything in the way: for outputs that are written at
    /// the end of long work.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn check(path: &Path, kind: FileKind) -> Result<(), Diagnostic> {
        ReplaceRule::Kind(kind).place(path).map(|_| ())
    }

    fn begin(path: &Path, replaces: ReplaceRule) -> Result<Self, Diagnostic> {
        let fail = |error: io::Error| Self::error(path, &error);
        let pending = |target: PathBuf| {
            Ok(Sink::Pending {
                file: UnfinishedFile::create(&folder_of(&target)).map_err(fail)?,
                target,
                room: match &replaces {
                    ReplaceRule::Kind(kind) => kind.max_bytes,
                    ReplaceRule::Nothing | ReplaceRule::Text(_) => u64::MAX,
                },
                replaces: replaces.clone(),
            })
        };
        let sink = match replaces.place(path)? {
            OutputTarget::New(target) => pending(target)?,
            OutputTarget::Older(target, permissions) => {
                let mut sink = pending(target)?;
                if let Sink::Pending { file, .. } = &mut sink {
                    let set = file.file().and_then(|file| file.set_permissions(permissions));
                    set.map_err(fail)?;
                }
                sink
            }
            OutputTarget::Direct => {
                Sink::Direct(OpenOptions::new().write(true).open(path).map_err(fail)?)
            }
        };
        Ok(Self { path: path.to_owned(), sink })
    }

    /// Gives the file its name, in place of an older one.
    ///
    /// # Errors
    ///
    /// If not everything can be written, or if meanwhile another file has the name that must not be replaced;
    /// then nothing is left of this one, and the other is as it was.
    pub fn commit(mut self) -> Result<(), Diagnostic> {
        let flushed = self.flush();
        flushed.map_err(|error| Self::error(&self.path, &error))?;
        match self.sink {
            Sink::Direct(_) => Ok(()),
            Sink::Pending { file, target, replaces, .. } => {
                replaces.place(&target)?;
                let done = file.persist(&target);
                done.map_err(|error| Self::error(&self.path, &error))
            }
        }
    }

    /// The message for a failure to write to a path.
    pub fn error(path: &Path, error: &io::Error) -> Diagnostic {
        let why = match error.kind() {
            io::ErrorKind::StorageFull => "the disk is full".to_owned(),
            io::ErrorKind::BrokenPipe => "nobody reads it any more".to_owned(),
            _ => reason(error),
        };
        Diagnostic::error(format!("cannot write {}: {why}", display_path(path)))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            // Not the wrapper's own `write`, which puts its random name into every error.
            Sink::Pending { file, room, replaces, .. } => {
                *room = room.checked_sub(bytes.len() as u64).ok_or_else(|| replaces.too_large())?;
                file.file()?.write_all(bytes)?;
                Ok(bytes.len())
            }
            Sink::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Pending { file, .. } => file.file()?.flush(),
            Sink::Direct(file) => file.flush(),
        }
    }
}

impl ReplaceRule {
    /// Where an output to this path goes, if nothing is in its way.
    fn place(&self, path: &Path) -> Result<OutputTarget, Diagnostic> {
        let fail = |error: io::Error| OutputFile::error(path, &error);
        let cannot =
            |why: &str| Diagnostic::error(format!("cannot write {}: {why}", display_path(path)));
        match fs::metadata(path) {
            Ok(old) if old.is_dir() => Err(cannot("it is a folder")),
            Ok(old) if old.is_file() => {
                // A file that its owner has protected is not replaced either.
                OpenOptions::new().write(true).open(path).map_err(fail)?;
                if old.len() > 0 {
                    self.check_replaceable(path)?;
                }
                // Through a link, so that the link stays.
                let target = path.canonicalize().map_err(fail)?;
                Ok(OutputTarget::Older(target, old.permissions()))
            }
            Ok(_) => Ok(OutputTarget::Direct),
            Err(_) => {
                let folder = folder_of(path);
                if path.file_name().is_none() || !folder.is_dir() {
                    return Err(cannot(&format!("there is no folder {}", display_path(&folder))));
                }
                Ok(OutputTarget::New(path.to_owned()))
            }
        }
    }

    fn too_large(&self) -> io::Error {
        io::Error::other(match self {
            Self::Kind(kind) => {
                format!("{} can have at most {} MiB", kind.name, kind.max_bytes >> 20)
            }
            Self::Nothing | Self::Text(_) => "it is too large".to_owned(),
        })
    }

    /// Checks that a file, which is not empty, may be replaced.
    fn check_replaceable(&self, path: &Path) -> Result<(), Diagnostic> {
        let kept = |why: &str| {
            let error = Diagnostic::error(format!("cannot write {}: {why}", display_path(path)));
            Err(error.help("name another file, or delete this one first"))
        };
        match self {
            Self::Nothing => kept("there is a file of this name"),
            Self::Kind(kind) => {
                let mut head = Vec::new();
                File::open(path)
                    .and_then(|file| file.take(FileKind::HEAD_BYTES).read_to_end(&mut head))
                    .map_err(|error| OutputFile::error(path, &error))?;
                if kind.is_of(&head) {
                    Ok(())
                } else {
                    kept(&format!("the file there is not {}", kind.name))
                }
            }
            Self::Text(text) if read(path)?.text == text.text => Ok(()),
            Self::Text(_) => Err(Diagnostic::error(format!(
                "cannot write {}: it has been changed by someone else",
                display_path(path)
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: FileKind =
        FileKind { name: "a table", beginnings: &[&[b"old"], &[b"new"]], max_bytes: u64::MAX };

    fn create(path: &Path) -> Result<OutputFile, Diagnostic> {
        OutputFile::create(path, KIND)
    }

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
        let mut file = create(&path).unwrap();
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
        let mut file = create(&path).unwrap();
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
            let error = create(&dir.path().join(path)).unwrap_err();
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
        create(&path).unwrap().commit().unwrap();
        let plain = dir.path().join("plain");
        fs::write(&plain, "").unwrap();
        assert_eq!(mode(&path), mode(&plain), "as any new file");
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("a.csv", &link).unwrap();
        let mut file = create(&link).unwrap();
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
        let mut file = create(&link).unwrap();
        let error = file.write_all(b"new").unwrap_err();
        assert!(OutputFile::error(&link, &error).message.contains("the disk is full"));
        assert_eq!(names(dir.path()), ["x.csv"]);
    }

    /// A report was written over a scenario, with exit code 0.
    #[test]
    fn what_is_of_another_kind_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        let fails = |path: &Path, part: &str| {
            let error = create(path).unwrap_err().to_string();
            for part in [part, "a.csv", "name another file, or delete this one first"] {
                assert!(error.contains(part), "{error}");
            }
        };
        fs::write(&path, "mine").unwrap();
        fails(&path, "is not a table");
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        // Also one that comes while the output is on its way.
        for begins_with in [None, Some("old"), Some("")] {
            let _ = fs::remove_file(&path);
            if let Some(text) = begins_with {
                fs::write(&path, text).unwrap();
            }
            let mut file = create(&path).unwrap();
            file.write_all(b"new").unwrap();
            fs::write(&path, "mine").unwrap();
            let error = file.commit().unwrap_err().to_string();
            assert!(error.contains("is not a table"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
            assert_eq!(names(dir.path()), ["a.csv"]);
        }
        let error = OutputFile::create_new(&path).unwrap_err().to_string();
        assert!(error.contains("there is a file of this name"), "{error}");
    }

    /// It could be written and not be read.
    #[test]
    fn what_is_too_large_is_not_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        let kind = FileKind { max_bytes: 2 << 20, ..KIND };
        let mut file = OutputFile::create(&path, kind).unwrap();
        file.write_all(&vec![b'n'; 2 << 20]).unwrap();
        let error = file.write_all(b"n").unwrap_err();
        let error = OutputFile::error(&path, &error).to_string();
        assert!(error.contains("a table can have at most 2 MiB"), "{error}");
        drop(file);
        assert_eq!(names(dir.path()), [""; 0]);
    }

    #[test]
    fn a_text_takes_the_place_of_the_one_it_was_made_from() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ron");
        fs::write(&path, "one").unwrap();
        let one = read(&path).unwrap();
        let mut file = OutputFile::rewrite(&path, Arc::clone(&one)).unwrap();
        file.write_all(b"two").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        let error = OutputFile::rewrite(&path, one).unwrap_err().to_string();
        assert!(error.contains("changed by someone else"), "{error}");
    }
}
