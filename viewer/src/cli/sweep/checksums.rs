//! The checksums of the rows of a sweep that has not ended, so that only rows are continued that are as they were written.

use std::io::BufRead;
use std::path::Path;

use flockwork_engine::Diagnostic;
use flockwork_engine::load;

use super::rows::{RUNS, SERIES};

/// The table of checksums. It is deleted once the sweep has ended.
pub(super) const CHECKSUMS: &str = "checksums.csv";

/// The columns of that table.
pub(super) const COLUMNS: [&str; 3] = ["run", "series_rows", "checksum"];

/// Returns the row for a run: its number, the number of its rows of measures over time, and the checksum of these rows and of
/// the row in the table of runs.
pub(super) fn row(run: u64, series_rows: usize, rows: &[u8]) -> [String; 3] {
    [run.to_string(), series_rows.to_string(), format!("{:016x}", load::checksum_of(rows))]
}

/// Returns the number of the first run, from `first` on, of which not everything is in the tables of a folder.
///
/// # Errors
///
/// If a table cannot be read, and if rows are not as they were written.
pub(super) fn first_missing(folder: &Path, first: u64, series: bool) -> Result<u64, Diagnostic> {
    let tables: &[&str] = if series { &[CHECKSUMS, RUNS, SERIES] } else { &[CHECKSUMS, RUNS] };
    for table in tables {
        check_is_there(folder, table)?;
    }
    let mut sums = Lines::open(folder, CHECKSUMS)?;
    let mut runs = Lines::open(folder, RUNS)?;
    let mut measures = if series { Lines::open(folder, SERIES)? } else { Lines::none() };
    let mut number = first;
    loop {
        let mut sum = Vec::new();
        if !sums.read(&mut sum)? {
            return Ok(number);
        }
        let sum = String::from_utf8_lossy(&sum);
        let sum = sum.trim_end();
        let series_rows = sum
            .strip_prefix(&format!("{number},"))
            .and_then(|rest| rest.split(',').next()?.parse::<usize>().ok());
        let Some(series_rows) = series_rows else {
            return Err(Diagnostic::error(format!(
                "{} has changed since the sweep wrote it: it has `{sum}` in place of the checksum of run {number}",
                folder.join(CHECKSUMS).display()
            ))
            .help("begin again with --restart"));
        };
        let mut rows = Vec::new();
        for _ in 0..series_rows {
            if !measures.read(&mut rows)? {
                return Ok(number);
            }
        }
        if !runs.read(&mut rows)? {
            return Ok(number);
        }
        if sum != row(number, series_rows, &rows).join(",") {
            return Err(Diagnostic::error(format!(
                "the tables in {} are damaged: the rows of run {number} have changed since the sweep wrote them",
                folder.display()
            ))
            .help(format!(
                "begin again with --restart, or delete the rows from run {number} on in {RUNS}: they are computed again"
            )));
        }
        number += 1;
    }
}

/// Checks that a file is in a folder if a table there has rows of runs, which would be thrown away without the file.
///
/// # Errors
///
/// If the file is missing beside such rows, or if a table cannot be read.
pub(super) fn check_is_there(folder: &Path, file: &str) -> Result<(), Diagnostic> {
    let path = folder.join(file);
    if path.exists() {
        return Ok(());
    }
    for table in [RUNS, SERIES, CHECKSUMS] {
        if Lines::open(folder, table)?.read(&mut Vec::new())? {
            return Err(Diagnostic::error(format!(
                "{} is missing, but {table} has rows of runs: without it the sweep cannot go on",
                path.display()
            ))
            .help("put it back, choose another folder with --out, or begin again with --restart"));
        }
    }
    Ok(())
}

/// The complete lines of a table, without its header.
struct Lines(Option<Box<dyn BufRead>>);

impl Lines {
    fn none() -> Self {
        Self(None)
    }

    /// Opens a table, which need not exist.
    fn open(folder: &Path, table: &str) -> Result<Self, Diagnostic> {
        let path = folder.join(table);
        if !path.exists() {
            return Ok(Self::none());
        }
        let mut lines = Self(Some(load::reader(&path)?));
        lines.read(&mut Vec::new())?;
        Ok(lines)
    }

    /// Adds the next line, with its end, to some text. Returns false if there is none, or only a part of one.
    fn read(&mut self, to: &mut Vec<u8>) -> Result<bool, Diagnostic> {
        let Some(reader) = &mut self.0 else {
            return Ok(false);
        };
        let read = reader.read_until(b'\n', to).map_err(|error| {
            Diagnostic::error(format!("cannot read a table of the sweep: {error}"))
        })?;
        Ok(read > 0 && to.ends_with(b"\n"))
    }
}
