//! The runs of a tune: they are on the disk as soon as they end, so that a tune that was killed goes on, and one that has ended goes
//! on with a larger budget.
//!
//! A search depends only on its runs, so one that gets all runs of an earlier one tries the same values again, without running
//! them. Runs are kept, not tries: also those of a generation that had not ended, and those of the confirmation. They are those of any
//! plan that runs the same files for the same ticks, varies the same values and reads the same measures.

use std::io::BufRead;
use std::path::Path;
use std::time::Duration;

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::{Tune, TuneRun};
use flockwork_engine::golden::Fingerprint;
use flockwork_engine::load::{self, FileKind, FolderLock, GrowingFile, OutputFile};
use serde::{Deserialize, Serialize};

use crate::cli::origin::{self, Origin, add_line};
use crate::cli::{json_text, shard};

/// The table of runs.
const RUNS: &str = "runs.csv";

/// What they were made of.
const ORIGIN: &str = "runs.json";

const RUNS_KIND: FileKind = FileKind::new("a table of the runs of a tune", &[&[b"of,"]]);

const ORIGIN_KIND: FileKind =
    FileKind::new("the description of a tune", &[&[b"{\n  \"flockwork\":"]]);

/// What the runs on the disk are.
#[derive(Serialize, Deserialize)]
struct Described {
    #[serde(flatten)]
    origin: Origin,
    /// Whether the tune has ended.
    finished: bool,
}

/// The runs that are on the disk.
pub(super) struct KeptRuns {
    file: GrowingFile,
    _lock: FolderLock,
    origin: Origin,
}

/// What a folder has of an earlier tune.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Earlier {
    /// No runs.
    Nothing,
    /// So many runs that a tune can use.
    Runs {
        /// Their number.
        count: u64,
        /// Whether the tune has ended.
        finished: bool,
    },
    /// A tune of something else that has ended.
    Other,
}

impl Earlier {
    /// Returns the number of runs that a tune can use.
    pub(super) fn count(self) -> u64 {
        match self {
            Self::Runs { count, .. } => count,
            Self::Nothing | Self::Other => 0,
        }
    }
}

/// Returns what a tune is made of.
pub(super) fn origin(tune: &Tune) -> Origin {
    let tables = tune.tables().map(|(name, source)| Fingerprint::of(name, &source.text));
    let files: Vec<Fingerprint> =
        tune.trials().fingerprints().iter().cloned().chain(tables).collect();
    Origin::new(&tune.source().text, &files)
}

/// Returns what the runs of a tune are made of. Tables that are matched do not matter for runs, except for the ticks that are read.
fn origin_of_runs(tune: &Tune) -> Origin {
    let plan = format!("{:?} {:?}", tune.trials().last_tick(), tune.run_columns());
    Origin::new(&plan, tune.trials().fingerprints())
}

/// Gives a tune the runs in a folder that an earlier one has left.
///
/// # Errors
///
/// If they are those of another tune that has not ended, or not as they were written.
pub(super) fn remember(folder: &Path, tune: &mut Tune) -> Result<Earlier, Diagnostic> {
    let path = folder.join(RUNS);
    if !path.exists() {
        return Ok(Earlier::Nothing);
    }
    let described = folder.join(ORIGIN);
    let again = "begin again with --restart, or choose another folder with --out";
    if !described.exists() {
        return Err(Diagnostic::error(format!(
            "{} is missing, but {RUNS} has runs: without it the tune cannot go on",
            described.display()
        ))
        .help(again));
    }
    let read: Result<Described, _> = serde_json::from_str(&load::read(&described)?.text);
    let older = read.map_err(|error| {
        Diagnostic::error(format!("cannot read {}: {error}", described.display())).help(again)
    })?;
    let changes = older.origin.changes(&origin_of_runs(tune));
    match older.finished {
        _ if changes.is_empty() => {}
        true => return Ok(Earlier::Other),
        false => return Err(origin::made_otherwise(folder, &changes)),
    }
    let damaged = |number: u64| {
        Diagnostic::error(format!(
            "{} is damaged: line {} has changed since the tune wrote it",
            path.display(),
            number + 1
        ))
        .help("begin again with --restart, or delete the lines from there on: their runs are computed again")
    };
    let mut reader = load::reader(&path)?;
    let mut line = Vec::new();
    let mut count = 0;
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line);
        read.map_err(|error| {
            Diagnostic::error(format!("cannot read {}: {error}", path.display()))
        })?;
        // The process may have been killed while it wrote the last line.
        if !line.ends_with(b"\n") {
            return Ok(Earlier::Runs {
                count: u64::saturating_sub(count, 1),
                finished: older.finished,
            });
        }
        let is_right = match count {
            0 => line == header(tune)?,
            _ => checked(&line).is_some_and(|cells| {
                tune.remember(&cells.iter().map(String::as_str).collect::<Vec<_>>())
            }),
        };
        if !is_right {
            return Err(damaged(count));
        }
        count += 1;
    }
}

/// Returns the cells of a line, if its checksum is that of the others.
fn checked(line: &[u8]) -> Option<Vec<String>> {
    let comma = line.iter().rposition(|byte| *byte == b',')?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
    let record = reader.records().next()?.ok()?;
    let mut cells: Vec<String> = record.iter().map(String::from).collect();
    (cells.pop()? == checksum(&line[..comma])).then_some(cells)
}

fn checksum(cells: &[u8]) -> String {
    format!("{:016x}", load::checksum_of(cells))
}

/// Returns the first line of the table.
fn header(tune: &Tune) -> Result<Vec<u8>, Diagnostic> {
    let mut columns = tune.run_columns();
    columns.push("checksum".to_owned());
    let mut line = Vec::new();
    add_line(&mut line, &columns)?;
    Ok(line)
}

impl KeptRuns {
    /// Opens the table in a folder, and gives the tune the runs that are there. Returns what these are, too. Waits for another process
    /// that writes to it, for at most the time `patience`.
    pub(super) fn open(
        folder: &Path,
        tune: &mut Tune,
        restart: bool,
        patience: Duration,
    ) -> Result<(Self, Earlier), Diagnostic> {
        let path = folder.join(RUNS);
        let described = folder.join(ORIGIN);
        OutputFile::check(&path, RUNS_KIND)?;
        OutputFile::check(&described, ORIGIN_KIND)?;
        let lock = shard::lock(folder, patience)?;
        if restart {
            OutputFile::remove(&path, RUNS_KIND)?;
        }
        let earlier = remember(folder, tune)?;
        if earlier == Earlier::Other {
            OutputFile::remove(&path, RUNS_KIND)?;
        }
        let origin = origin_of_runs(tune);
        describe(folder, &origin, false)?;
        let mut lines = 0;
        // All complete lines have been checked.
        let mut file = GrowingFile::open(&path, |_| {
            lines += 1;
            true
        })?;
        if lines == 0 {
            file.append(&header(tune)?)?;
        }
        Ok((Self { file, _lock: lock, origin }, earlier))
    }

    /// Adds a run.
    pub(super) fn add(&mut self, tune: &Tune, run: &TuneRun) -> Result<(), Diagnostic> {
        let mut line = Vec::new();
        add_line(&mut line, &tune.run_cells(run))?;
        let sum = checksum(line.trim_ascii_end());
        line.truncate(line.trim_ascii_end().len());
        line.extend_from_slice(format!(",{sum}\n").as_bytes());
        self.file.append(&line)
    }

    /// Says that the tune has ended.
    pub(super) fn finish(self, folder: &Path) -> Result<(), Diagnostic> {
        describe(folder, &self.origin, true)
    }
}

/// Writes what the runs in a folder are.
fn describe(folder: &Path, origin: &Origin, finished: bool) -> Result<(), Diagnostic> {
    let described = Described { origin: origin.clone(), finished };
    OutputFile::create(&folder.join(ORIGIN), ORIGIN_KIND)?.write_whole(json_text(&described))
}
