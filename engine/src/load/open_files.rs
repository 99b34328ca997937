//! Files that are open in an editor: their contents take precedence over those on disk. Where there is no disk, as in a browser, they are
//! all files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{check_size, display_path, read};
use crate::diag::{Diagnostic, Source};

/// The contents of open files, by their paths. Everything else is read from disk.
#[derive(Clone, Debug, Default)]
pub struct OpenFiles(BTreeMap<PathBuf, Arc<Source>>);

impl OpenFiles {
    /// Opens a file with a text, or replaces the text of an open one. The file need not exist on disk.
    pub fn open(&mut self, path: &Path, text: &str) -> Arc<Source> {
        let path = real_path(path);
        // The byte order mark is not part of the text, as in files on disk.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let source = Source::new(display_path(&path), text);
        self.0.insert(path, Arc::clone(&source));
        source
    }

    /// Closes a file: the text on disk counts again.
    pub fn close(&mut self, path: &Path) {
        self.0.remove(&real_path(path));
    }

    /// Returns the text of an open file.
    pub fn get(&self, path: &Path) -> Option<&Arc<Source>> {
        // Most often nothing is open, and paths cost calls of the system.
        if self.0.is_empty() { None } else { self.0.get(&real_path(path)) }
    }

    /// Returns whether open files are in a folder, which need not exist on disk.
    pub(super) fn have_folder(&self, folder: &Path) -> bool {
        self.paths().any(|path| path.parent().is_some_and(|parent| parent.starts_with(folder)))
    }

    /// Returns the paths of the open files, without links.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(PathBuf::as_path)
    }

    /// Returns the text of a file, if it is not open from disk.
    ///
    /// # Errors
    ///
    /// As [`read`].
    pub fn read(&self, path: &Path) -> Result<Arc<Source>, Diagnostic> {
        match self.get(path) {
            Some(source) => {
                check_size(path, source.text.len() as u64)?;
                Ok(Arc::clone(source))
            }
            None => read(path),
        }
    }
}

/// Returns a path without links. The file need not exist, and neither need the folders that it is in: a path stays as it is written
/// from the first one that does not.
pub fn real_path(path: &Path) -> PathBuf {
    let real = path.ancestors().find_map(|above| {
        let here = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        let rest = path.strip_prefix(above).ok()?;
        let real = here.canonicalize().ok()?;
        Some(if rest.as_os_str().is_empty() { real } else { real.join(rest) })
    });
    real.unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn open_texts_count_before_files_on_disk() {
        let dir = tempfile::tempdir().unwrap();
        let (old, new) = (dir.path().join("old.ron"), dir.path().join("./new.ron"));
        fs::write(&old, "disk").unwrap();
        let mut files = OpenFiles::default();
        assert_eq!(files.read(&old).unwrap().text, "disk");
        files.open(&old, "\u{feff}editor");
        files.open(&new, "unsaved");
        assert_eq!(files.read(&old).unwrap().text, "editor");
        assert_eq!(files.read(&dir.path().join("new.ron")).unwrap().text, "unsaved");
        files.close(&old);
        assert_eq!(files.read(&old).unwrap().text, "disk");
        files.open(&old, &"x".repeat(9 << 20));
        assert!(files.read(&old).unwrap_err().message.contains("too large"));
    }

    #[test]
    fn folders_need_not_exist() {
        let here = Path::new(".").canonicalize().unwrap();
        let new = Path::new("no/such/folder.ron");
        assert_eq!(real_path(new), here.join(new));
        assert_eq!(real_path(Path::new("")), here);
    }
}
