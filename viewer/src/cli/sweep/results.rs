//! The folder with the results of a sweep.
//!
//! The tables grow in the order of runs, so the number of complete rows tells where an interrupted sweep goes on.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::{Sweep, SweptRun, Trial};
use flockwork_engine::load::{self, FolderLock, GrowingFile, OutputFile};

use super::identity::{IDENTITY, Identity};
use super::known::{self, KnownRows};
use super::rows::{RUNS, SERIES, TABLE_KIND};
use super::summary::SweepSummary;
use super::{checksums, report};
use crate::cli::origin::{OTHER_FOLDER, add_line};
use crate::cli::shard;
use crate::cli::typed_table::TypedColumn;

/// The results of a sweep, as far as they are there.
pub(super) struct Results {
    folder: PathBuf,
    identity: Identity,
    _lock: FolderLock,
    runs: GrowingFile,
    series: Option<GrowingFile>,
    /// `None` if all runs were there already.
    checksums: Option<GrowingFile>,
    columns: usize,
    /// The number of the next run.
    next: u64,
    /// Rows of an earlier, smaller sweep.
    known: KnownRows,
}

impl Results {
    /// Opens the folder of a sweep, to begin it or to go on. Waits for another process that writes to it, for at most the
    /// time `patience`.
    pub(super) fn open(
        folder: &Path,
        identity: Identity,
        sweep: &Sweep,
        restart: bool,
        patience: Duration,
    ) -> Result<Self, Diagnostic> {
        let lock = shard::lock(folder, patience)?;
        for table in [RUNS, SERIES, checksums::CHECKSUMS] {
            OutputFile::check(&folder.join(table), TABLE_KIND)?;
        }
        report::check(folder)?;
        if !restart {
            checksums::check_is_there(folder, IDENTITY)?;
        }
        if restart {
            known::delete(folder)?;
            report::delete(folder)?;
        }
        let mut older = if restart { None } else { Identity::read(folder)? };
        if let Some(before) = older.take_if(|older| !older.changes(&identity).is_empty()) {
            known::set_aside(folder, &before, &identity, sweep)?;
        }
        let known = KnownRows::read(folder, &identity)?;
        if let Some(older) = &older {
            older.check_tables(folder)?;
        } else {
            identity.write(folder)?;
        }
        let [first, end] = identity.part;
        let columns = sweep.run_columns();
        let width = columns.len();
        let is_older = older.is_some();
        let is_complete = older.is_some_and(|older| older.checksums.is_some());
        let next = match (is_older, is_complete) {
            (false, _) => first,
            (true, true) => end,
            (true, false) => checksums::first_missing(folder, first, identity.series)?.min(end),
        };
        let open = |table: &str, columns: Vec<String>| {
            let of_complete = |line: &str| {
                let run = line.split(',').next().and_then(|run| run.parse::<u64>().ok());
                run.is_some_and(|run| run < next)
            };
            open_table(&folder.join(table), &columns, is_older, of_complete)
        };
        let names = |columns: Vec<TypedColumn>| columns.into_iter().map(|(name, _)| name).collect();
        let runs = open(RUNS, names(columns))?;
        let series = identity.series.then(|| open(SERIES, names(sweep.series_columns())));
        let sums = || open(checksums::CHECKSUMS, checksums::COLUMNS.map(str::to_owned).into());
        Ok(Self {
            series: series.transpose()?,
            checksums: (!is_complete).then(sums).transpose()?,
            folder: folder.to_owned(),
            identity,
            _lock: lock,
            runs,
            columns: width,
            next,
            known,
        })
    }

    /// Returns the number of rows that an earlier, smaller sweep has left.
    pub(super) fn known(&self) -> usize {
        self.known.len()
    }

    /// Returns whether an earlier sweep has the row of a run.
    pub(super) fn has(&self, trial: &Trial) -> bool {
        self.known.get(trial).is_some()
    }

    /// Adds the next runs that an earlier sweep has, up to the run with the number `end`.
    pub(super) fn add_known(&mut self, sweep: &Sweep, end: u64) -> Result<(), Diagnostic> {
        while self.next < end {
            let Some(mut row) = self.known.get(&sweep.trial(self.next)).cloned() else { break };
            row.renumber(self.next, self.next / sweep.plan().seeds.count());
            self.add_rows(&row.series, &row.run)?;
        }
        Ok(())
    }

    /// Returns the number of the next run.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Adds the next run. It is written at once, since the next one may take long.
    pub(super) fn add(&mut self, run: &SweptRun) -> Result<(), Diagnostic> {
        let series: Vec<Vec<String>> =
            run.outcome.series.iter().map(|sample| sample.cells(run.number)).collect();
        self.add_rows(&series, &run.cells(self.columns))
    }

    /// Adds the rows of the next run.
    fn add_rows(&mut self, series: &[Vec<String>], run: &[String]) -> Result<(), Diagnostic> {
        let mut lines = Vec::new();
        let mut series_rows = 0;
        if let Some(file) = &mut self.series {
            for row in series {
                add_line(&mut lines, row)?;
            }
            file.append(&lines)?;
            series_rows = series.len();
        }
        let of_run = lines.len();
        add_line(&mut lines, run)?;
        self.runs.append(&lines[of_run..])?;
        // The last one, since a run counts as done when its checksum is there.
        if let Some(file) = &mut self.checksums {
            let mut sum = Vec::new();
            add_line(&mut sum, &checksums::row(self.next, series_rows, &lines))?;
            file.append(&sum)?;
        }
        self.next += 1;
        Ok(())
    }

    /// Ends a sweep that is complete.
    pub(super) fn finish(self) -> Result<(Identity, SweepSummary), Diagnostic> {
        self.runs.sync()?;
        if let Some(series) = &self.series {
            series.sync()?;
        }
        let identity = self.identity.complete(&self.folder)?;
        OutputFile::remove(&self.folder.join(checksums::CHECKSUMS), TABLE_KIND)?;
        known::delete(&self.folder)?;
        Ok((identity, SweepSummary::read(&self.folder)?))
    }
}

/// Opens a table whose first line has the columns. `keep` is asked for each row of an older table.
fn open_table(
    path: &Path,
    columns: &[String],
    is_older: bool,
    mut keep: impl FnMut(&str) -> bool,
) -> Result<GrowingFile, Diagnostic> {
    let mut header = Vec::new();
    add_line(&mut header, columns)?;
    if is_older && is_of_others(path, &header)? {
        return Err(Diagnostic::error(format!(
            "{} is not as the sweep has written it: its first line is another one",
            path.display()
        ))
        .help(OTHER_FOLDER));
    }
    let mut lines = 0u64;
    let mut file = GrowingFile::open(path, |line| {
        lines += u64::from(is_older);
        let is_header = line.as_bytes() == header.trim_ascii_end();
        is_older && if lines == 1 { is_header } else { keep(line) }
    })?;
    if lines == 0 || !is_older {
        file.append(&header)?;
    }
    Ok(file)
}

/// Returns whether a table has a complete first line, but not this one.
fn is_of_others(path: &Path, header: &[u8]) -> Result<bool, Diagnostic> {
    if !path.exists() {
        return Ok(false);
    }
    let mut line = Vec::new();
    let read = load::reader(path)?.read_until(b'\n', &mut line);
    read.map_err(|error| Diagnostic::error(format!("cannot read {}: {error}", path.display())))?;
    Ok(line.ends_with(b"\n") && line != header)
}
