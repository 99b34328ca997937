//! Reading a text.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;

use super::{folder_of, reason, shown};
use crate::diag::{Diagnostic, Source};

/// No text is larger, in bytes: far above any scenario, and below what would fill the memory.
const LARGEST: u64 = 256 << 20;

/// Reads a text, under the name that messages show.
///
/// # Errors
///
/// If there is no such file, if it is a folder, cannot be read, or is not text in UTF-8.
pub fn read(path: &Path) -> Result<Arc<Source>, Diagnostic> {
    let name = shown(path);
    if path.is_dir() {
        return Err(folder(path));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => missing(path),
            _ => Diagnostic::error(format!("cannot read {name}: {}", reason(&error))),
        })?;
    if bytes.len() as u64 > LARGEST {
        return Err(Diagnostic::error(format!(
            "cannot read {name}: it is larger than {} MiB",
            LARGEST >> 20
        )));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        not_utf8(&name, error.as_bytes(), valid)
    })?;
    // Editors on Windows put a byte order mark first, which is not part of the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(Source::new(name, text))
}

fn not_utf8(name: &str, bytes: &[u8], valid: usize) -> Diagnostic {
    let line = bytes[..valid].iter().filter(|&&b| b == b'\n').count() + 1;
    let error = Diagnostic::error(format!("{name} is not text in UTF-8"));
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => error.help("it looks like UTF-16: save it as UTF-8"),
        _ => error.help(format!(
            "line {line} has the byte 0x{:02x}, which no UTF-8 text has there",
            bytes[valid]
        )),
    }
}

fn folder(path: &Path) -> Diagnostic {
    let error = Diagnostic::error(format!("{} is a folder, not a file", shown(path)));
    match siblings(path, None).first() {
        Some(first) => error.help(format!(
            "name a file in it, such as {}",
            shown(&path.join(first))
        )),
        None => error,
    }
}

fn missing(path: &Path) -> Diagnostic {
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Diagnostic::error(format!(
            "cannot read {}: there is no folder {}",
            shown(path),
            shown(&folder)
        ));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let others = siblings(&folder, path.extension());
    Diagnostic::error(format!("there is no file {}", shown(path)))
        .suggest(&name, others.iter().map(String::as_str))
}

/// The names of the files in a folder, sorted: those with an ending, or all that we read.
fn siblings(folder: &Path, ending: Option<&OsStr>) -> Vec<String> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    let ours = |of: &OsStr| of == super::SCENARIO_ENDING || of == super::SCRIPT_ENDING;
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|of| ending.map_or_else(|| ours(of), |ending| of == ending))
        })
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_cannot_be_read_says_why() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = dir.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        file("flock.ron", b"()");
        let latin1 = file("latin1.ron", b"(\n name: \"Z\xfcrich\")");
        let wide = file("wide.ron", b"\xff\xfe(\0)\0");
        for (path, parts) in [
            (
                dir.path().join("flok.ron"),
                ["there is no file", "did you mean `flock.ron`?"],
            ),
            (
                dir.path().join("no/flock.ron"),
                ["there is no folder", "/no"],
            ),
            (dir.path().to_owned(), ["is a folder", "flock.ron"]),
            (
                latin1.clone(),
                ["is not text in UTF-8", "line 2 has the byte 0xfc"],
            ),
            (wide, ["is not text in UTF-8", "UTF-16"]),
            (latin1.join("x.ron"), ["cannot read", "x.ron"]),
        ] {
            let message = read(&path).unwrap_err().to_string();
            for part in parts {
                assert!(message.contains(part), "{part} is missing in\n{message}");
            }
        }
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_text() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ron");
        fs::write(&path, "\u{feff}(ü)").unwrap();
        assert_eq!(read(&path).unwrap().text, "(ü)");
    }
}
