//! Reads a text file.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;

use super::folder::files;
use super::{
    GOLDEN_EXTENSION, SCENARIO_EXTENSION, SCENARIOS_FOLDER, SCRIPT_EXTENSION, check_name,
    display_path, folder_of, is_plan, reason,
};
use crate::diag::{Diagnostic, Source, nearest};

/// The largest size of a file that is read.
struct SizeLimit {
    /// The extension of such files; empty for all other files.
    extension: &'static str,
    /// How messages call such a file.
    what: &'static str,
    /// Size of the largest such file, in bytes.
    max_bytes: u64,
    /// The advice for a file that is too large.
    advice: &'static str,
}

/// A scenario of this size takes one or two seconds to read, and a golden of this size about 250 MB.
const SIZE_LIMITS: [SizeLimit; 3] = [
    SizeLimit {
        extension: SCRIPT_EXTENSION,
        what: "a script",
        max_bytes: 1 << 20,
        advice: "put what several scripts use into a script of its own and `import` it, and numbers into `params`",
    },
    SizeLimit {
        extension: GOLDEN_EXTENSION,
        what: "a golden",
        max_bytes: MAX_GOLDEN_BYTES,
        advice: "keep fewer keyframes with `golden: (every: ..)`, or end it earlier with `golden: (until: ..)`",
    },
    SizeLimit {
        extension: "",
        what: "a scenario",
        max_bytes: MAX_SCENARIO_BYTES,
        advice: "describe agents by `count` and a shape such as `spawn: Disc(..)` instead of listing them",
    },
];

/// Size of the largest scenario, in bytes.
pub(super) const MAX_SCENARIO_BYTES: u64 = 8 << 20;

/// Size of the largest golden, in bytes.
pub(super) const MAX_GOLDEN_BYTES: u64 = 48 << 20;

/// Reads a text file. The result has the name that messages show.
///
/// # Errors
///
/// If there is no such file, if it is a folder, a pipe or a device, if it is too large for its extension, if it cannot be
/// read, if its name cannot be shown, or if it is not text in UTF-8.
pub fn read(path: &Path) -> Result<Arc<Source>, Diagnostic> {
    let name = display_path(path);
    let fail = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => missing(path),
        _ => Diagnostic::error(format!("cannot read {name}: {}", reason(&error))),
    };
    check_name(path)?;
    let about = path.metadata().map_err(fail)?;
    if about.is_dir() {
        return Err(folder(path));
    }
    // Opening a pipe waits until a process writes to it, and a device may have no end.
    if !about.is_file() {
        return Err(Diagnostic::error(format!("cannot read {name}: it is a pipe or a device"))
            .help("scenarios, scripts and goldens are read from files only"));
    }
    let limit = size_limit(path);
    check_size(path, about.len())?;
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or(0));
    // The file may grow meanwhile.
    let file = File::open(path).map_err(fail)?;
    file.take(limit.max_bytes + 1).read_to_end(&mut bytes).map_err(fail)?;
    check_size(path, bytes.len() as u64)?;
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        not_utf8(&name, error.as_bytes(), valid)
    })?;
    // Some editors on Windows write a byte order mark first, which is not part of the text.
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(Source::new(name, text))
}

/// Checks that a file with this size in bytes is not too large to be read.
///
/// # Errors
///
/// If it is too large.
pub(crate) fn check_size(path: &Path, bytes: u64) -> Result<(), Diagnostic> {
    let SizeLimit { what, max_bytes, advice, .. } = size_limit(path);
    if bytes <= *max_bytes {
        return Ok(());
    }
    Err(Diagnostic::error(format!(
        "{} is too large: {what} can have at most {} MiB",
        display_path(path),
        max_bytes >> 20
    ))
    .help(*advice))
}

fn size_limit(path: &Path) -> &'static SizeLimit {
    let extension = path.extension().unwrap_or_default();
    let [own @ .., other] = &SIZE_LIMITS;
    own.iter().find(|limit| extension == limit.extension).unwrap_or(other)
}

fn not_utf8(name: &str, bytes: &[u8], valid: usize) -> Diagnostic {
    let line = bytes[..valid].iter().filter(|&&b| b == b'\n').count() + 1;
    let error = Diagnostic::error(format!("{name} is not text in UTF-8"));
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => error.help("it looks like UTF-16: save it as UTF-8"),
        _ => error.help(format!(
            "line {line} has the byte 0x{:02x}, which is not valid UTF-8 there",
            bytes[valid]
        )),
    }
}

fn folder(path: &Path) -> Diagnostic {
    let error = Diagnostic::error(format!("{} is a folder, not a file", display_path(path)));
    match siblings(path, None).first() {
        Some(first) => {
            error.help(format!("name a file in it, such as {}", display_path(&path.join(first))))
        }
        None => error,
    }
}

fn missing(path: &Path) -> Diagnostic {
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Diagnostic::error(format!(
            "cannot read {}: there is no folder {}",
            display_path(path),
            display_path(&folder)
        ));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let error = Diagnostic::error(format!("there is no file {}", display_path(path)));
    // A scenario may be named without its ending, and from the folder of the project.
    let file = match path.extension() {
        None => format!("{name}.{SCENARIO_EXTENSION}"),
        Some(_) => name.to_string(),
    };
    let near = [folder.join(&file), folder.join(SCENARIOS_FOLDER).join(&file)];
    if let Some(meant) = near.iter().find(|path| path.is_file()) {
        return error.help(format!("did you mean `{}`?", display_path(meant)));
    }
    let others = siblings(&folder, path.extension());
    let error = error.suggest(&name, others.iter().map(String::as_str));
    let is_scenario = path.extension().is_none_or(|of| of == SCENARIO_EXTENSION) && !is_plan(path);
    if is_scenario && path.parent() == Some(Path::new("")) {
        error.help(in_folder_of_scenarios(&folder, path))
    } else {
        error
    }
}

/// Returns where a scenario that is not here may be: its folder is that of a project, or should be.
fn in_folder_of_scenarios(folder: &Path, path: &Path) -> String {
    let scenarios = folder.join(SCENARIOS_FOLDER);
    let shown = display_path(&scenarios);
    if !scenarios.is_dir() {
        return format!(
            "there is no folder `{shown}` here, which has the scenarios of a project: change to the folder of your project, or give the path of the file"
        );
    }
    let mut all = files(&scenarios, SCENARIO_EXTENSION);
    all.retain(|path| !is_plan(path));
    all.sort_unstable();
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stems: Vec<String> = all.iter().map(|path| stem(path)).collect();
    let near = nearest(&stem(path), stems.iter().map(String::as_str));
    if let Some(at) = stems.iter().position(|known| Some(&**known) == near) {
        return format!("did you mean `{}`?", display_path(&all[at]));
    }
    match &all[..] {
        [] => format!("the folder `{shown}` has no scenario"),
        few if few.len() <= MAX_LISTED => {
            let names: Vec<String> = few.iter().map(|path| display_path(path)).collect();
            format!("known: {}", names.join(", "))
        }
        many => format!("`flockwork test --list` lists the {} scenarios in `{shown}`", many.len()),
    }
}

/// The largest number of scenarios that a message lists.
const MAX_LISTED: usize = 20;

/// Returns the sorted names of the files in a folder that have an extension; without one, of all scenarios and scripts.
fn siblings(folder: &Path, extension: Option<&OsStr>) -> Vec<String> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    let ours = |of: &OsStr| of == SCENARIO_EXTENSION || of == SCRIPT_EXTENSION;
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|of| extension.map_or_else(|| ours(of), |extension| of == extension))
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
    fn errors_say_why_a_file_cannot_be_read() {
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
            (dir.path().join("flok.ron"), ["there is no file", "did you mean `flock.ron`?"]),
            (dir.path().join("no/flock.ron"), ["there is no folder", "/no"]),
            (dir.path().to_owned(), ["is a folder", "flock.ron"]),
            (latin1.clone(), ["is not text in UTF-8", "line 2 has the byte 0xfc"]),
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
    fn the_error_for_a_large_file_says_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        for (extension, mebibytes, part) in
            [("rhai", 1, "import"), ("ron", 8, "count"), ("golden", 48, "every")]
        {
            let path = dir.path().join("a").with_extension(extension);
            let file = File::create(&path).unwrap();
            file.set_len(mebibytes << 20).unwrap();
            if extension == "rhai" {
                assert_eq!(read(&path).unwrap().text.len(), 1 << 20);
            }
            file.set_len((mebibytes << 20) + 1).unwrap();
            let error = read(&path).unwrap_err().to_string();
            let limit = format!("at most {mebibytes} MiB");
            for part in [&*limit, &format!("a.{extension} is too large"), part] {
                assert!(error.contains(part), "{part} is missing in\n{error}");
            }
        }
    }

    /// Reading a pipe that was named like a script never ended.
    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("a.ron");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for path in [&*pipe, Path::new("/dev/zero")] {
            let error = read(path).unwrap_err().to_string();
            assert!(error.contains("it is a pipe or a device"), "{error}");
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
