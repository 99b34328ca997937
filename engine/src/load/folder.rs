//! Making folders.

use std::fs;
use std::path::Path;

use super::{display_path, reason};
use crate::diag::Diagnostic;

/// Makes a folder, and those it is in, unless they are there.
///
/// # Errors
///
/// If it cannot be made: something else has its name, or its place is not to be written to.
pub fn make_folder(path: &Path) -> Result<(), Diagnostic> {
    fs::create_dir_all(path).map_err(|error| {
        let why = match path.metadata() {
            Ok(other) if !other.is_dir() => "there is a file of this name".to_owned(),
            _ => reason(&error),
        };
        Diagnostic::error(format!("cannot make the folder {}: {why}", display_path(path)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_made_once_and_files_are_in_the_way() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/b");
        make_folder(&deep).unwrap();
        make_folder(&deep).unwrap();
        assert!(deep.is_dir());
        let file = deep.join("file");
        fs::write(&file, "").unwrap();
        for (path, part) in [
            (file.clone(), "there is a file of this name"),
            (file.join("below"), "cannot make the folder"),
        ] {
            let error = make_folder(&path).unwrap_err();
            assert!(error.message.contains(part), "{error}");
        }
    }
}
