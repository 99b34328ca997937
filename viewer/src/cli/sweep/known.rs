//! The rows of an earlier, smaller sweep that a sweep with more seeds or points takes over.
//!
//! They are set aside in a folder of their own until the larger sweep is complete, so that nothing is lost if it is killed.

use std::collections::HashMap;
use std::path::Path;

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::{Sweep, Trial};
use flockwork_engine::load;

use super::checksums::{self, CHECKSUMS};
use super::identity::{IDENTITY, Identity};
use super::rows::{RUNS, SERIES};
use super::table::Table;
use crate::cli::origin::{OTHER_FOLDER, made_otherwise};

/// The folder with the earlier tables.
const BEFORE: &str = "before";

/// Rows by their values and seeds.
#[derive(Default)]
pub(super) struct KnownRows(HashMap<Vec<String>, KnownRow>);

/// The rows of a run.
#[derive(Clone, Default)]
pub(super) struct KnownRow {
    pub(super) run: Vec<String>,
    pub(super) series: Vec<Vec<String>>,
}

impl KnownRow {
    /// Gives it the numbers that the run has in another sweep.
    pub(super) fn renumber(&mut self, number: u64, point: u64) {
        for row in self.series.iter_mut().chain([&mut self.run]) {
            row[0] = number.to_string();
        }
        self.run[1] = point.to_string();
    }
}

impl KnownRows {
    /// Reads the rows that were set aside; none if there are none.
    pub(super) fn read(folder: &Path, of: &Identity) -> Result<Self, Diagnostic> {
        let folder = folder.join(BEFORE);
        match Identity::read(&folder)? {
            Some(before) if before.has_rows_for(of) => Self::of_folder(&folder, &before),
            Some(_) => Err(Diagnostic::error(format!(
                "{} has the results of another sweep",
                folder.display()
            ))
            .help(OTHER_FOLDER)),
            None => Ok(Self::default()),
        }
    }

    /// Reads the rows of a sweep, complete or not.
    fn of_folder(folder: &Path, of: &Identity) -> Result<Self, Diagnostic> {
        of.check_tables(folder)?;
        let end = match of.checksums {
            Some(_) => of.runs,
            None => checksums::first_missing(folder, 0, of.series)?,
        };
        let mut rows: Vec<KnownRow> = Vec::new();
        let mut table = Table::open(&folder.join(RUNS))?;
        while let (true, Some(row)) = ((rows.len() as u64) < end, table.next()?) {
            let run = row.iter().map(String::from).collect();
            rows.push(KnownRow { run, series: Vec::new() });
        }
        if of.series {
            let mut table = Table::open(&folder.join(SERIES))?;
            while let Some(row) = table.next()? {
                let number = row.get(0).and_then(|text| text.parse::<usize>().ok());
                if let Some(of_run) = number.and_then(|number| rows.get_mut(number)) {
                    of_run.series.push(row.iter().map(String::from).collect());
                }
            }
        }
        let count = of.values.len() + 1;
        let key = |row: &KnownRow| row.run.iter().skip(2).take(count).cloned().collect();
        Ok(Self(rows.into_iter().map(|row| (key(&row), row)).collect()))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn get(&self, trial: &Trial) -> Option<&KnownRow> {
        // The seed of a sweep's run is always known.
        self.0.get(&key(trial))
    }
}

fn key(trial: &Trial) -> Vec<String> {
    let seed = trial.seed.unwrap_or_default().to_string();
    trial.values.iter().map(|value| value.content()).chain([seed]).collect()
}

/// Sets the tables of a sweep aside, since a larger one has begun in its folder.
///
/// # Errors
///
/// If it is not a part of the larger one, so that rows would be lost or mixed.
pub(super) fn set_aside(
    folder: &Path,
    older: &Identity,
    now: &Identity,
    sweep: &Sweep,
) -> Result<(), Diagnostic> {
    let other = || made_otherwise(folder, &older.changes(now));
    if !older.has_rows_for(now) {
        return Err(other());
    }
    let before = folder.join(BEFORE);
    if before.join(IDENTITY).exists() {
        return Err(other().help("a sweep that grows must end before it can grow again: undo the last change of the plan"));
    }
    // A process may have been killed while it set tables aside.
    load::move_files(&before, folder, &[RUNS, SERIES, CHECKSUMS])?;
    let mut known = KnownRows::of_folder(folder, older)?;
    for number in 0..sweep.runs() {
        known.0.remove(&key(&sweep.trial(number)));
    }
    let number = |row: &KnownRow| row.run[0].parse::<u64>().unwrap_or_default();
    if let Some(lost) = known.0.values().map(number).min() {
        return Err(other().help(format!(
            "a sweep can grow, but this plan lacks runs that are there, such as run {lost}"
        )));
    }
    load::make_folder(&before)?;
    // The identity last: without it, nothing there counts.
    load::move_files(folder, &before, &[RUNS, SERIES, CHECKSUMS, IDENTITY])
}

/// Deletes what was set aside.
pub(super) fn delete(folder: &Path) -> Result<(), Diagnostic> {
    // The identity first: without it, nothing there counts.
    load::delete_files(&folder.join(BEFORE), &[IDENTITY, RUNS, SERIES, CHECKSUMS])
}
