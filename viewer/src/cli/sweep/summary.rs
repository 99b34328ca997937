//! How a sweep has ended, from its table of runs.

use std::path::{Path, PathBuf};

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::HOLDS;
use flockwork_engine::load;

use super::rows::RUNS;
use crate::cli::Ending;

/// Counts of a finished sweep.
pub(in crate::cli) struct SweepSummary {
    table: PathBuf,
    pub(super) runs: u64,
    /// Number of runs that ended with an error.
    errors: u64,
    /// The first of these errors.
    first_error: Option<String>,
    /// Number of runs in which an expectation failed.
    failed: u64,
}

impl SweepSummary {
    /// Reads the table of runs in a folder.
    pub(in crate::cli) fn read(folder: &Path) -> Result<Self, Diagnostic> {
        let table = folder.join(RUNS);
        let mut this = Self { runs: 0, errors: 0, first_error: None, failed: 0, table };
        let fail = |error: csv::Error| {
            Diagnostic::error(format!("cannot read {}: {error}", folder.join(RUNS).display()))
        };
        let mut reader = csv::Reader::from_reader(load::reader(&this.table)?);
        let header = reader.headers().map_err(fail)?.clone();
        let mut row = csv::StringRecord::new();
        while reader.read_record(&mut row).map_err(fail)? {
            this.runs += 1;
            let mut fields = header.iter().zip(&row);
            if let Some(error) = row.iter().next_back().filter(|error| !error.is_empty()) {
                this.errors += 1;
                this.first_error.get_or_insert_with(|| error.to_owned());
            }
            let fails =
                |(column, field): (&str, &str)| column.starts_with(HOLDS) && field == "false";
            this.failed += u64::from(fields.any(fails));
        }
        Ok(this)
    }

    /// Returns the summary as text, with the lines about the files beside the tables. Errors and failures come last.
    pub(in crate::cli) fn text(&self, written: &str) -> String {
        let Self { table, runs, errors, failed, .. } = self;
        let mut text = format!("{runs} runs are in {}\n{written}", table.display());
        if *failed > 0 {
            text.push_str(&format!("expectations failed in {failed} runs\n"));
        }
        if let Some(first) = &self.first_error {
            text.push_str(&format!(
                "{errors} of {runs} runs ended with an error: see the column `error`; the first is: {first}\n"
            ));
        }
        text
    }

    /// Returns whether the command succeeded: no run ended with an error.
    pub(in crate::cli) fn ending(&self) -> Ending {
        if self.errors > 0 { Ending::Shortfall } else { Ending::Success }
    }
}
