//! Writes what a hunt has found: a scenario and its golden.

use std::path::{Path, PathBuf};

use flockwork_engine::experiment::{FailureKind, FoundStart, Hunt, Shrunk};
use flockwork_engine::load::{checksum_of, make_folder, read};
use flockwork_engine::suite::{Case, update};
use flockwork_engine::{Diagnostic, Diagnostics, FileKind, OutputFile};

use super::{Args, Interrupt, command};

/// The scenarios that hunts write.
pub(super) const KIND: FileKind = FileKind {
    name: "a scenario that a hunt has written",
    beginnings: &[&[FIRST_WORDS.as_bytes()]],
    ending: b"",
    max_bytes: u64::MAX,
};

const FIRST_WORDS: &str = "// Found by `flockwork hunt`";

/// The line with the checksum of the rest of the file, without the checksum.
const CHECKSUM: &str = "// Hunts replace this file unless somebody changes it: checksum ";

/// Why a hunt writes a golden.
const REASON: &str = "found by a hunt";

/// A failure that was written to a file.
pub(super) struct WrittenFailure {
    /// The number of the run that found it.
    pub(super) run: u64,
    /// The index of the expectation in the scenario; `None` if a script fails.
    pub(super) expectation: Option<usize>,
    pub(super) shrunk: Shrunk,
    pub(super) path: PathBuf,
    /// The files that were not replaced, and why.
    pub(super) kept: Vec<(PathBuf, &'static str)>,
    /// Whether it has a golden. A run that ends with an error of a script has none.
    pub(super) has_golden: bool,
    /// The command that explains the decision before the failure, if it is about an agent.
    pub(super) explain: Option<String>,
    /// The path for a command line.
    pub(super) argument: String,
}

impl WrittenFailure {
    /// Writes a scenario and its golden.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub(super) fn write(
        args: &Args,
        hunt: &Hunt,
        start: &FoundStart,
        shrunk: Shrunk,
        place: FreePlace,
        interrupt: &Interrupt,
    ) -> Result<Self, Diagnostics> {
        let FreePlace { path, kept } = place;
        let path = path.as_path();
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            make_folder(folder)?;
        }
        let comment = comment(args, &first_line(hunt, start), start, &shrunk);
        let text = with_checksum(&comment, &shrunk.text);
        OutputFile::create(path, KIND)?.write_whole(text)?;
        let case = Case::open(path);
        interrupt.last_words(format!(
            "run {} has found a failure, which is in {}, without a golden",
            start.run,
            path.display()
        ));
        // The golden needs another run, which may take longer than an interrupted command has.
        let has_time = start.expectation().is_some() && !interrupt.is_requested();
        let header = if has_time { case.test().header } else { None };
        let has_golden = header.is_some();
        if let Some(mut header) = header {
            header.reason = REASON.to_owned();
            update(&case, &header)?;
        }
        let explain =
            shrunk.failure.agent.map(|agent| case.explain_command(agent, shrunk.failure.tick));
        Ok(Self {
            run: start.run,
            expectation: start.expectation(),
            has_golden,
            explain,
            argument: case.argument(),
            path: path.to_owned(),
            kept,
            shrunk,
        })
    }
}

/// The file that a failure is written to.
pub(super) struct FreePlace {
    path: PathBuf,
    /// The files that are not replaced although their numbers are lower, and why.
    kept: Vec<(PathBuf, &'static str)>,
}

impl FreePlace {
    /// Returns the first path beside a scenario at which nothing is lost, without those that are written already.
    pub(super) fn beside(
        scenario: &Path,
        written: &[WrittenFailure],
        hunt: &Hunt,
        start: &FoundStart,
    ) -> Self {
        let first_line = first_line(hunt, start);
        let folder = scenario.with_extension("hunt");
        let (mut number, mut kept) = (0, Vec::new());
        loop {
            number += 1;
            let path = folder.join(format!("failure-{number}.ron"));
            if written.iter().any(|one| one.path == path) {
                continue;
            }
            match why_kept(&path, &first_line) {
                Some(why) => kept.push((path, why)),
                None => return Self { path, kept },
            }
        }
    }

    /// Returns a path that was asked for.
    ///
    /// # Errors
    ///
    /// If the file there must be kept.
    pub(super) fn at(path: &Path, hunt: &Hunt, start: &FoundStart) -> Result<Self, Diagnostic> {
        check(path, &first_line(hunt, start))?;
        Ok(Self { path: path.to_owned(), kept: Vec::new() })
    }
}

/// Checks that a failure whose file begins with some text can be written to a path.
///
/// # Errors
///
/// If there is no such folder, or a file that must be kept.
pub(super) fn check(path: &Path, beginning: &str) -> Result<(), Diagnostic> {
    OutputFile::check(path, KIND)?;
    match why_kept(path, beginning) {
        Some(why) => {
            Err(Diagnostic::error(format!("cannot write {}: the file there {why}", path.display()))
                .help("name another file, or delete this one first"))
        }
        None => Ok(()),
    }
}

/// Returns why a file is not replaced by a failure whose file begins with some text; `None` if it may be, or if there is none.
fn why_kept(path: &Path, beginning: &str) -> Option<&'static str> {
    if !path.is_file() {
        return None;
    }
    let Ok(source) = read(path) else {
        return Some("cannot be read");
    };
    let text = source.text.as_str();
    if text.is_empty() {
        None
    } else if !is_as_written(text) || !has_own_golden(path) {
        Some("has been changed since a hunt wrote it")
    } else if !text.starts_with(beginning) {
        Some("has another failure")
    } else {
        None
    }
}

/// Returns whether the golden of a failure, if there is one, is that of a hunt: nobody has accepted another run.
fn has_own_golden(path: &Path) -> bool {
    match Case::open(path).golden {
        Ok(golden) => golden.is_none_or(|golden| golden.header.reason == REASON),
        Err(_) => false,
    }
}

/// Returns the text of a failure, with its checksum.
fn with_checksum(comment: &str, scenario: &str) -> String {
    let checksum = checksum(comment, scenario);
    format!("{comment}{CHECKSUM}{checksum}\n{scenario}")
}

/// Returns whether the checksum in the text of a failure is right.
fn is_as_written(text: &str) -> bool {
    let parts = text.split_once(CHECKSUM).and_then(|(comment, rest)| {
        let (found, scenario) = rest.split_once('\n')?;
        Some(found == checksum(comment, scenario))
    });
    parts == Some(true)
}

fn checksum(comment: &str, scenario: &str) -> String {
    format!("{:016x}", checksum_of(format!("{comment}{scenario}").as_bytes()))
}

/// Returns the first line of the comment at the top of a scenario: which failure it is.
fn first_line(hunt: &Hunt, start: &FoundStart) -> String {
    let what = match &start.failure.kind {
        FailureKind::Expectation(index) => {
            format!("this start breaks {}", hunt.expectations()[*index])
        }
        FailureKind::Script(place) => format!("a script fails with this start: {place}"),
    };
    format!("{FIRST_WORDS}: {what}.\n")
}

/// Returns that comment, up to the checksum.
fn comment(args: &Args, first_line: &str, start: &FoundStart, shrunk: &Shrunk) -> String {
    let message = shrunk.failure.message.replace('\n', " ");
    let (before, after) = (&shrunk.before, &shrunk.after);
    let size = format!(
        "Run {}, then made smaller: {} of {} agents, {} of {} ticks.",
        start.run, after.agents, before.agents, after.ticks, before.ticks
    );
    format!("{first_line}// {message}\n// {}\n// {size}\n", command(args))
}
