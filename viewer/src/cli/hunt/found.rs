//! Writes what a hunt has found: a scenario that fails.
//!
//! It has no golden: its expectations say what is wrong, and hold when it is repaired.

use std::path::{Path, PathBuf};

use flockwork_engine::experiment::{FailureKind, FoundStart, Hunt, Shrunk};
use flockwork_engine::load::{checksum_of, is_tracked, make_folder, read};
use flockwork_engine::suite::Case;
use flockwork_engine::world::AgentId;
use flockwork_engine::{Diagnostic, Diagnostics, FileKind, OutputFile};

use super::{Args, Interrupt, command, folder};

/// The scenarios that hunts write.
pub(super) const KIND: FileKind =
    FileKind::new("a scenario that a hunt has written", &[&[FIRST_WORDS.as_bytes()]]);

const FIRST_WORDS: &str = "// Found by `flockwork hunt`";

/// The line with the checksum of the rest of the file, without the checksum.
const CHECKSUM: &str = "// Hunts replace this file unless somebody changes it: checksum ";

/// The reason in the goldens that hunts wrote at first. They may be removed.
const REASON: &str = "found by a hunt";

/// A failure that was found and made smaller.
pub(super) struct WrittenFailure {
    pub(super) start: FoundStart,
    pub(super) shrunk: Shrunk,
    /// The file that it was written to. Those of a shard have none.
    pub(super) file: Option<WrittenFile>,
}

/// The file of a failure.
pub(super) struct WrittenFile {
    pub(super) path: PathBuf,
    /// The files that were not replaced, and why.
    pub(super) kept: Vec<(PathBuf, &'static str)>,
    /// Whether it has replaced a failure of an earlier hunt.
    pub(super) has_replaced: bool,
    /// The command that explains the decision before the failure, if it is about an agent.
    pub(super) explain: Option<String>,
    /// The path for a command line.
    pub(super) argument: String,
}

impl WrittenFile {
    fn new(place: FreePlace, case: &Case, agent: Option<(AgentId, u64)>) -> Self {
        Self {
            explain: agent.map(|(agent, tick)| case.explain_command(agent, tick)),
            argument: case.argument(),
            path: place.path,
            kept: place.kept,
            has_replaced: place.has_older,
        }
    }

    /// Returns its path, the same on all systems.
    pub(super) fn name(&self) -> String {
        self.path.to_string_lossy().replace('\\', "/")
    }
}

/// The files of the failures that a hunt finds, one for each kind of failure.
pub(super) struct FailureFiles<'h> {
    args: &'h Args,
    hunt: &'h Hunt,
    interrupt: &'h Interrupt,
    folder: PathBuf,
    places: Vec<(FailureKind, FreePlace)>,
}

impl<'h> FailureFiles<'h> {
    pub(super) fn new(args: &'h Args, hunt: &'h Hunt, interrupt: &'h Interrupt) -> Self {
        Self { args, hunt, interrupt, folder: folder(args), places: Vec::new() }
    }

    /// Returns whether nothing has been found.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the file of a failure; `None` if only one file is wanted, and it has another failure.
    fn place(&mut self, start: &FoundStart) -> Result<Option<FreePlace>, Diagnostic> {
        let kind = &start.failure.kind;
        if let Some((_, place)) = self.places.iter().find(|(known, _)| known == kind) {
            return Ok(Some(place.clone()));
        }
        let first_line = first_line(&what_fails(self.hunt, start));
        let place = match &self.args.out {
            Some(_) if !self.is_empty() => return Ok(None),
            Some(out) => FreePlace::at(out, &first_line)?,
            None => {
                let taken: Vec<&Path> = self.places.iter().map(|(_, place)| &*place.path).collect();
                FreePlace::in_folder(&self.folder, &taken, &first_line)
            }
        };
        self.places.push((kind.clone(), place.clone()));
        Ok(Some(place))
    }

    /// Writes a scenario with a failure.
    fn write_text(
        &self,
        place: &FreePlace,
        start: &FoundStart,
        (text, message, size): (&str, &str, &str),
    ) -> Result<Case, Diagnostics> {
        let fails = what_fails(self.hunt, start);
        let command = command(self.args, self.args.runs, self.args.seed);
        let case =
            place.write(&FailureText { fails: &fails, message, command: &command, size, text })?;
        self.interrupt.last_words(format!(
            "run {} has found a failure, which is in {}",
            start.run,
            place.path.display()
        ));
        Ok(case)
    }

    /// Writes a failure as it was found. Returns a line about it, if it is the first of its kind.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn write_found(
        &mut self,
        start: &FoundStart,
    ) -> Result<Option<String>, Diagnostics> {
        let count = self.places.len();
        let Some(place) = self.place(start)? else { return Ok(None) };
        let message = &start.failure.message;
        let size = format!("Run {}, as it was found.", start.run);
        self.write_text(&place, start, (&start.text, message, &size))?;
        let path = place.path.display();
        let line = format!("run {} fails, and is in {path} now: {message}", start.run);
        Ok((self.places.len() > count).then_some(line))
    }

    /// Writes a failure that was made smaller. `None` if only one file is wanted, and it has another failure.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn write_shrunk(
        &mut self,
        start: &FoundStart,
        shrunk: Shrunk,
    ) -> Result<Option<WrittenFailure>, Diagnostics> {
        let Some(place) = self.place(start)? else { return Ok(None) };
        let (before, after) = (&shrunk.before, &shrunk.after);
        let size = size_line(start.run, [before.agents, after.agents], [before.ticks, after.ticks]);
        let failure = &shrunk.failure;
        let case = self.write_text(&place, start, (&shrunk.text, &failure.message, &size))?;
        let agent = failure.agent.map(|agent| (agent, failure.tick));
        let file = Some(WrittenFile::new(place, &case, agent));
        Ok(Some(WrittenFailure { start: start.clone(), shrunk, file }))
    }
}

/// Writes a failure that a shard has found into a folder. `agent` is the agent and the tick that an explanation is about.
///
/// # Errors
///
/// If it cannot be written.
pub(super) fn write_of_shard(
    folder: &Path,
    taken: &[&Path],
    text: &FailureText<'_>,
    agent: Option<(AgentId, u64)>,
) -> Result<WrittenFile, Diagnostics> {
    let place = FreePlace::in_folder(folder, taken, &first_line(text.fails));
    let case = place.write(text)?;
    Ok(WrittenFile::new(place, &case, agent))
}

/// Returns the line about a failure that was made smaller.
pub(super) fn size_line(
    run: u64,
    [before, after]: [usize; 2],
    [ticks_before, ticks]: [u64; 2],
) -> String {
    format!(
        "Run {run}, then made smaller: {after} of {before} agents, {ticks} of {ticks_before} ticks."
    )
}

/// The content of the file of a failure.
pub(super) struct FailureText<'f> {
    /// What the start does.
    pub(super) fails: &'f str,
    pub(super) message: &'f str,
    /// The command that finds it.
    pub(super) command: &'f str,
    pub(super) size: &'f str,
    /// The scenario.
    pub(super) text: &'f str,
}

/// The file that a failure is written to.
#[derive(Clone)]
struct FreePlace {
    path: PathBuf,
    /// The files that are not replaced although their numbers are lower, and why.
    kept: Vec<(PathBuf, &'static str)>,
    /// Whether an earlier hunt has written a failure there, which is replaced.
    has_older: bool,
}

impl FreePlace {
    /// Returns the first path in a folder at which nothing is lost, without those that are taken already.
    fn in_folder(folder: &Path, taken: &[&Path], first_line: &str) -> Self {
        let (mut number, mut kept) = (0, Vec::new());
        loop {
            number += 1;
            let path = folder.join(format!("failure-{number}.ron"));
            if taken.contains(&&*path) {
                continue;
            }
            match why_kept(&path, first_line) {
                Some(why) => kept.push((path, why)),
                None => return Self { has_older: path.exists(), path, kept },
            }
        }
    }

    /// Returns a path that was asked for.
    ///
    /// # Errors
    ///
    /// If the file there must be kept.
    fn at(path: &Path, first_line: &str) -> Result<Self, Diagnostic> {
        check(path, first_line)?;
        Ok(Self { path: path.to_owned(), kept: Vec::new(), has_older: path.exists() })
    }

    /// Writes a failure to it. A golden that an earlier version has written there is removed.
    fn write(&self, of: &FailureText<'_>) -> Result<Case, Diagnostics> {
        let path = self.path.as_path();
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            make_folder(folder)?;
        }
        let (first, message) = (first_line(of.fails), of.message.replace('\n', " "));
        let comment = format!("{first}// {message}\n// {}\n// {}\n", of.command, of.size);
        OutputFile::create(path, KIND)?.write_whole(with_checksum(&comment, of.text))?;
        let case = Case::open(path);
        // It would be that of an earlier hunt.
        OutputFile::remove(&case.golden_path, FileKind::GOLDEN)?;
        Ok(case)
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
    } else if is_tracked(path) {
        Some("has been added to Git")
    } else {
        None
    }
}

/// Returns whether nobody has accepted a run of a failure: it has no golden, or one that an earlier version of hunts has written.
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

/// Returns what a start does that fails.
pub(super) fn what_fails(hunt: &Hunt, start: &FoundStart) -> String {
    match &start.failure.kind {
        FailureKind::Expectation(index) => {
            format!("this start breaks {}", hunt.expectations()[*index])
        }
        FailureKind::Script(place) => format!("a script fails with this start: {place}"),
    }
}

/// Returns the first line of the comment at the top of a scenario: which failure it is.
fn first_line(fails: &str) -> String {
    format!("{FIRST_WORDS}: {fails}.\n")
}
