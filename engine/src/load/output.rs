//! Writes a file whole or not at all.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::unfinished::UnfinishedFile;
use super::{FileKind, display_path, folder_of, read, reason};
use crate::diag::{Diagnostic, Source};

/// A file that is being written. It gets its name, and replaces an older file, only when it is
/// [committed](Self::commit). Until then the older file stays. If this is dropped, nothing is left of it.
///
/// An older file is replaced only if it is what the output expects: a file of the same [kind](FileKind), or a file that
/// has not changed since it was read. An empty file is always replaced. Devices and pipes are written to directly.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    sink: OutputSink,
}

#[derive(Debug)]
enum OutputSink {
    /// A file that has no name yet, and the path it will get.
    Pending {
        file: UnfinishedFile,
        target: PathBuf,
        replaces: ReplaceRule,
        /// Number of bytes that can still be written.
        room: u64,
    },
    Direct(File),
}

/// The older files that an output may replace.
#[derive(Clone, Debug)]
enum ReplaceRule {
    /// No file.
    Nothing,
    /// A file of this kind.
    Kind(FileKind),
    /// The file that this was read from, if it has not changed since.
    Text(Arc<Source>),
}

/// Where an output is written to.
enum OutputTarget {
    /// A path at which there is no file.
    New(PathBuf),
    /// The path of an older file, and the permissions of that file, which the new one gets.
    Older(PathBuf, Permissions),
    /// A device or a pipe.
    Direct,
}

impl OutputFile {
    /// Begins a file that may replace an older one of its kind.
    ///
    /// # Errors
    ///
    /// If its folder does not exist or cannot be written to, or if the path is a folder or a file of another kind.
    pub fn create(path: &Path, kind: FileKind) -> Result<Self, Diagnostic> {
        Self::begin(path, ReplaceRule::Kind(kind))
    }

    /// Begins a file at a path where no other file is.
    ///
    /// # Errors
    ///
    /// As for [`create`](Self::create), and if there is a file that is not empty.
    pub fn create_new(path: &Path) -> Result<Self, Diagnostic> {
        Self::begin(path, ReplaceRule::Nothing)
    }

    /// Begins a file that replaces the one that `text` was read from.
    ///
    /// # Errors
    ///
    /// As for [`create`](Self::create), and if the file has changed since.
    pub fn rewrite(path: &Path, text: Arc<Source>) -> Result<Self, Diagnostic> {
        Self::begin(path, ReplaceRule::Text(text))
    }

    /// Checks that [`create`](Self::create) would work. Use it for outputs that are written at the end of long work.
    ///
    /// # Errors
    ///
    /// As for [`create`](Self::create).
    pub fn check(path: &Path, kind: FileKind) -> Result<(), Diagnostic> {
        ReplaceRule::Kind(kind).target(path).map(|_| ())
    }

    /// Deletes a file of a kind, if there is one.
    ///
    /// # Errors
    ///
    /// If it cannot be deleted, or is of another kind.
    pub fn remove(path: &Path, kind: FileKind) -> Result<(), Diagnostic> {
        let OutputTarget::Older(target, _) = ReplaceRule::Kind(kind).target(path)? else {
            return Ok(());
        };
        fs::remove_file(target).map_err(|error| Self::error(path, &error))
    }

    /// Returns the path at which the file is until it is committed, for another program that writes it. It has to write all
    /// of the file.
    pub fn unfinished_path(&self) -> &Path {
        match &self.sink {
            OutputSink::Pending { file, .. } => file.path().unwrap_or(&self.path),
            OutputSink::Direct(_) => &self.path,
        }
    }

    fn begin(path: &Path, replaces: ReplaceRule) -> Result<Self, Diagnostic> {
        let fail = |error: io::Error| Self::error(path, &error);
        let pending = |target: PathBuf| {
            Ok(OutputSink::Pending {
                file: UnfinishedFile::create(&folder_of(&target)).map_err(fail)?,
                target,
                room: match &replaces {
                    ReplaceRule::Kind(kind) => kind.max_bytes,
                    ReplaceRule::Nothing | ReplaceRule::Text(_) => u64::MAX,
                },
                replaces: replaces.clone(),
            })
        };
        let sink = match replaces.target(path)? {
            OutputTarget::New(target) => pending(target)?,
            OutputTarget::Older(target, permissions) => {
                // The text that was read has no byte order mark, but the file keeps it.
                let is_marked = matches!(replaces, ReplaceRule::Text(_)) && has_mark(&target);
                let mut sink = pending(target)?;
                if let OutputSink::Pending { file, .. } = &mut sink {
                    let file = file.file().map_err(fail)?;
                    file.set_permissions(permissions).map_err(fail)?;
                    if is_marked {
                        file.write_all(MARK).map_err(fail)?;
                    }
                }
                sink
            }
            OutputTarget::Direct => {
                OutputSink::Direct(OpenOptions::new().write(true).open(path).map_err(fail)?)
            }
        };
        Ok(Self { path: path.to_owned(), sink })
    }

    /// Gives the file its name and replaces an older one.
    ///
    /// # Errors
    ///
    /// If not everything can be written, or if the path has become that of a file that must not be replaced. Then nothing is
    /// left of this file, and the other one is unchanged.
    pub fn commit(mut self) -> Result<(), Diagnostic> {
        let flushed = self.flush();
        flushed.map_err(|error| Self::error(&self.path, &error))?;
        match self.sink {
            OutputSink::Direct(_) => Ok(()),
            OutputSink::Pending { file, target, replaces, .. } => {
                replaces.target(&target)?;
                let done = file.persist(&target);
                done.map_err(|error| Self::error(&self.path, &error))
            }
        }
    }

    /// Writes the whole content of the file and [commits](Self::commit) it.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write_whole(mut self, content: impl AsRef<[u8]>) -> Result<(), Diagnostic> {
        let written = self.write_all(content.as_ref());
        written.map_err(|error| Self::error(&self.path, &error))?;
        self.commit()
    }

    /// Returns the message for a failure to write to a path.
    pub fn error(path: &Path, error: &io::Error) -> Diagnostic {
        let why = match error.kind() {
            io::ErrorKind::StorageFull => "the disk is full".to_owned(),
            io::ErrorKind::BrokenPipe => "its reader has closed it".to_owned(),
            _ => reason(error),
        };
        Diagnostic::error(format!("cannot write {}: {why}", display_path(path)))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            // The temporary file's own `write` would put its random name into every error.
            OutputSink::Pending { file, room, replaces, .. } => {
                *room = room.checked_sub(bytes.len() as u64).ok_or_else(|| replaces.too_large())?;
                file.file()?.write_all(bytes)?;
                Ok(bytes.len())
            }
            OutputSink::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            OutputSink::Pending { file, .. } => file.file()?.flush(),
            OutputSink::Direct(file) => file.flush(),
        }
    }
}

impl ReplaceRule {
    /// Returns where an output to this path is written to, if that is possible.
    fn target(&self, path: &Path) -> Result<OutputTarget, Diagnostic> {
        let fail = |error: io::Error| OutputFile::error(path, &error);
        let cannot =
            |why: &str| Diagnostic::error(format!("cannot write {}: {why}", display_path(path)));
        match fs::metadata(path) {
            Ok(old) if old.is_dir() => Err(cannot("it is a folder")),
            Ok(old) if old.is_file() => {
                // A file that is protected against writing is not replaced.
                OpenOptions::new().write(true).open(path).map_err(fail)?;
                if old.len() > 0 {
                    self.check_replaceable(path)?;
                }
                // The target of a link is replaced, so that the link stays.
                let target = path.canonicalize().map_err(fail)?;
                Ok(OutputTarget::Older(target, old.permissions()))
            }
            Ok(_) => Ok(OutputTarget::Direct),
            Err(error) => {
                // The target of a link is created, so that the link stays.
                if let Ok(target) = fs::read_link(path) {
                    return match error.kind() {
                        io::ErrorKind::NotFound => self.target(&folder_of(path).join(target)),
                        _ => Err(fail(error)),
                    };
                }
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

    /// Checks that a file that is not empty may be replaced.
    fn check_replaceable(&self, path: &Path) -> Result<(), Diagnostic> {
        let kept = |why: &str| {
            let error = Diagnostic::error(format!("cannot write {}: {why}", display_path(path)));
            Err(error.help("name another file, or delete this one first"))
        };
        match self {
            Self::Nothing => kept("a file has this name"),
            Self::Kind(kind) => {
                let (head, tail) =
                    ends(path, kind).map_err(|error| OutputFile::error(path, &error))?;
                if kind.is_of(&head, &tail) {
                    Ok(())
                } else {
                    kept(&format!("the file there is not {}", kind.name))
                }
            }
            Self::Text(text) if read(path)?.text == text.text => Ok(()),
            Self::Text(_) => Err(Diagnostic::error(format!(
                "cannot write {}: it has changed since it was read",
                display_path(path)
            ))),
        }
    }
}

/// The byte order mark in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns whether a file begins with a byte order mark.
fn has_mark(path: &Path) -> bool {
    let mut head = [0; MARK.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == MARK
}

/// Returns the first and the last bytes of a file that are needed to recognize its kind.
fn ends(path: &Path, kind: &FileKind) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    let mut file = File::open(path)?;
    (&file).take(FileKind::HEAD_BYTES).read_to_end(&mut head)?;
    if !kind.ending.is_empty() {
        let bytes = file.metadata()?.len();
        file.seek(SeekFrom::Start(bytes.saturating_sub(FileKind::TAIL_BYTES)))?;
        file.take(FileKind::TAIL_BYTES).read_to_end(&mut tail)?;
    }
    Ok((head, tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: FileKind = FileKind::new("a table", &[&[b"old"], &[b"new"]]);

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
    fn a_file_appears_when_it_is_complete() {
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
    fn another_program_may_write_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        for is_committed in [false, true] {
            let file = OutputFile::create_new(&path).unwrap();
            fs::write(file.unfinished_path(), "from elsewhere").unwrap();
            assert!(!path.exists());
            if is_committed {
                file.commit().unwrap();
            }
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "from elsewhere");
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
    fn errors_say_why_a_file_cannot_be_written() {
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

    /// Caught: a link whose target did not exist was replaced by a file, and other names of a file kept its old content.
    #[cfg(unix)]
    #[test]
    fn links_without_a_target_and_other_names_of_a_file_stay() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::os::unix::fs::symlink("b.csv", at("a.csv")).unwrap();
        std::os::unix::fs::symlink("none/b.csv", at("c.csv")).unwrap();
        std::os::unix::fs::symlink("d.csv", at("d.csv")).unwrap();
        for text in ["new", "new again"] {
            let mut file = create(&at("a.csv")).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.commit().unwrap();
            assert!(fs::symlink_metadata(at("a.csv")).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(at("b.csv")).unwrap(), text);
            let _ = fs::hard_link(at("b.csv"), at("e.csv"));
            assert!(!text.ends_with("again") || fs::read_to_string(at("e.csv")).unwrap() == text);
        }
        assert!(create(&at("c.csv")).unwrap_err().message.contains("there is no folder"));
        assert!(create(&at("d.csv")).is_err(), "a link to itself");
        assert_eq!(names(dir.path()), ["a.csv", "b.csv", "c.csv", "d.csv", "e.csv"]);
    }

    /// Caught: a program that was killed left its unfinished files for ever.
    #[cfg(unix)]
    #[test]
    fn unfinished_files_of_killed_programs_are_deleted() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let file = File::create(dir.path().join(name)).unwrap();
            let now = file.metadata().unwrap().modified().unwrap();
            file.set_modified(now - core::time::Duration::from_secs(3600)).unwrap();
            file
        };
        let _ = file(".flockwork-killed.part");
        let (written, _mine) = (file(".flockwork-written.part"), file(".flockwork.part"));
        let new = File::create(dir.path().join(".flockwork-new.part")).unwrap();
        written.lock().unwrap();
        create(&dir.path().join("a.csv")).unwrap().commit().unwrap();
        let left = [".flockwork-new.part", ".flockwork-written.part", ".flockwork.part", "a.csv"];
        assert_eq!(names(dir.path()), left);
        drop((written, new));
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

    /// A report replaced a scenario, with exit code 0.
    #[test]
    fn a_file_of_another_kind_is_not_replaced() {
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
        // Nor is one that appears while the output is being written.
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
        assert!(error.contains("a file has this name"), "{error}");
    }

    /// A file was written that was too large to be read again.
    #[test]
    fn a_file_that_is_too_large_to_be_read_is_not_written() {
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
    fn a_file_is_rewritten_only_if_it_has_not_changed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ron");
        fs::write(&path, "one").unwrap();
        let one = read(&path).unwrap();
        let mut file = OutputFile::rewrite(&path, Arc::clone(&one)).unwrap();
        file.write_all(b"two").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        let error = OutputFile::rewrite(&path, one).unwrap_err().to_string();
        assert!(error.contains("has changed since it was read"), "{error}");
        fs::write(&path, "\u{feff}one").unwrap();
        let mut file = OutputFile::rewrite(&path, read(&path).unwrap()).unwrap();
        file.write_all(b"two").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "\u{feff}two", "it keeps its mark");
    }
}
