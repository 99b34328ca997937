//! Adds text to the end of a file that other programs write to as well.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use super::{OutputFile, folder_of};
use crate::diag::Diagnostic;

/// Returns the size in bytes of a file that text can be added to; 0 if there is none yet. Use it before long work.
///
/// # Errors
///
/// If its folder does not exist, or if the path is that of a folder or of a file that cannot be written.
pub fn size_to_append(path: &Path) -> Result<u64, Diagnostic> {
    let fail = |error: io::Error| OutputFile::error(path, &error);
    match fs::metadata(path) {
        Ok(about) => OpenOptions::new().append(true).open(path).map(|_| about.len()).map_err(fail),
        Err(error) if error.kind() == io::ErrorKind::NotFound && folder_of(path).is_dir() => Ok(0),
        Err(error) => Err(fail(error)),
    }
}

/// Adds text at the end of a file, which is made if necessary.
///
/// # Errors
///
/// As for [`size_to_append`], and if not all of the text can be written.
pub fn append(path: &Path, text: &str) -> Result<(), Diagnostic> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| OutputFile::error(path, &error))
}
