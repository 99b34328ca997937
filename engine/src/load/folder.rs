//! Creates folders, and lists what is in them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::{display_path, reason};
use crate::diag::Diagnostic;

/// Creates a folder and its parents, unless they exist.
///
/// # Errors
///
/// If it cannot be created: a file has its name, or there is no permission.
pub fn make_folder(path: &Path) -> Result<(), Diagnostic> {
    fs::create_dir_all(path).map_err(|error| {
        let why = match path.metadata() {
            Ok(other) if !other.is_dir() => "a file has this name".to_owned(),
            _ => reason(&error),
        };
        Diagnostic::error(format!("cannot create the folder {}: {why}", display_path(path)))
    })
}

/// Returns the visible folders in a folder, sorted.
///
/// # Errors
///
/// If it cannot be read.
pub fn folders(path: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let fail = |error: std::io::Error| {
        Diagnostic::error(format!("cannot read {}: {}", display_path(path), reason(&error)))
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(path).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        if entry.path().is_dir() && !entry.file_name().as_encoded_bytes().starts_with(b".") {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the files in a folder whose names have an extension, sorted.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn files_with(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Diagnostic> {
    let fail = |error: std::io::Error| {
        Diagnostic::error(format!("cannot read {}: {}", display_path(folder), reason(&error)))
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|own| own == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Moves the files with these names that are in a folder into another one.
///
/// # Errors
///
/// If one of them cannot be moved; those before it have been.
pub fn move_files(from: &Path, to: &Path, names: &[&str]) -> Result<(), Diagnostic> {
    for path in names.iter().map(|name| from.join(name)).filter(|path| path.exists()) {
        let target = to.join(path.file_name().unwrap_or_default());
        fs::rename(&path, target).map_err(|error| failed("move", &path, &error))?;
    }
    Ok(())
}

/// Deletes the files with these names that are in a folder, in this order, and then the folder, unless it contains other things.
///
/// # Errors
///
/// If one of the files cannot be deleted; those before it have been.
pub fn delete_files(folder: &Path, names: &[&str]) -> Result<(), Diagnostic> {
    for path in names.iter().map(|name| folder.join(name)).filter(|path| path.exists()) {
        fs::remove_file(&path).map_err(|error| failed("delete", &path, &error))?;
    }
    // Only an empty folder can be removed.
    let _ = fs::remove_dir(folder);
    Ok(())
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(format!("cannot {what} {}: {}", display_path(path), reason(error)))
}

/// Returns all visible files with an extension in a folder and its subfolders. Files that cannot be read are skipped.
pub(super) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    WalkDir::new(folder)
        .into_iter()
        .filter_entry(is_visible)
        .filter_map(Result::ok)
        .filter(|entry| is_file(entry) && entry.path().extension() == Some(OsStr::new(extension)))
        .map(DirEntry::into_path)
        .collect()
}

/// Returns whether a file or a folder is visible, or is the one that was given.
pub(super) fn is_visible(entry: &DirEntry) -> bool {
    entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// Returns true for a file or a link to a file.
pub(super) fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_file() || (entry.path_is_symlink() && entry.path().is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_moved_and_deleted_and_others_stay() {
        let dir = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| dir.path().join(name));
        for folder in [&from, &to] {
            make_folder(folder).unwrap();
        }
        for name in ["a", "b"] {
            fs::write(from.join(name), name).unwrap();
        }
        move_files(&from, &to, &["a", "absent"]).unwrap();
        assert!(to.join("a").exists() && from.join("b").exists() && !from.join("a").exists());
        delete_files(&from, &["a"]).unwrap();
        assert!(from.join("b").exists());
        delete_files(&from, &["b"]).unwrap();
        assert!(!from.exists());
    }

    #[test]
    fn folders_are_created_unless_a_file_has_the_name() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/b");
        make_folder(&deep).unwrap();
        make_folder(&deep).unwrap();
        assert!(deep.is_dir());
        let file = deep.join("file");
        fs::write(&file, "").unwrap();
        for (path, part) in [
            (file.clone(), "a file has this name"),
            (file.join("below"), "cannot create the folder"),
        ] {
            let error = make_folder(&path).unwrap_err();
            assert!(error.message.contains(part), "{error}");
        }
    }
}
