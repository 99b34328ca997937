//! How much each value matters for each result, where the points of a sweep were chosen for that.

use std::path::Path;

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::{Sensitivities, sensitivity};
use flockwork_engine::load::{FileKind, OutputFile};

use super::identity::Identity;
use super::rows::RUNS;
use super::table::Table;
use crate::cli::aligned::short;
use crate::cli::origin::add_line;

/// The table of sensitivities.
pub(super) const TABLE: &str = "sensitivity.csv";

const KIND: FileKind = FileKind::new("a table of sensitivities", &[&[b"result,value,"]]);

/// The columns for points of Saltelli.
const SHARES: &[&str] = &["alone", "alone_low", "alone_high", "total", "total_low", "total_high"];

/// The columns for points of Morris.
const EFFECTS: &[&str] = &["mean_effect", "size", "size_low", "size_high", "deviation"];

/// The table of sensitivities.
pub(super) struct SensitivityTable {
    /// The columns with numbers, after that of the result and that of the value.
    pub(super) columns: &'static [&'static str],
    /// Each row: a result, a value, and the numbers.
    pub(super) rows: Vec<(String, String, Vec<f64>)>,
}

impl SensitivityTable {
    /// Computes it from the runs in a folder, for the results in the columns with these indices; `None` if the points tell no sensitivities.
    pub(super) fn new(
        folder: &Path,
        of: &Identity,
        results: &[usize],
    ) -> Result<Option<Self>, Diagnostic> {
        let Some(points) = of.points else { return Ok(None) };
        let mut table = Table::open(&folder.join(RUNS))?;
        // For each result and point, the sum over the seeds and their number.
        let mut sums: Vec<Vec<(f64, u32)>> = vec![Vec::new(); results.len()];
        while let Some(row) = table.next()? {
            let Some(point) = row.get(1).and_then(|text| text.parse::<usize>().ok()) else {
                continue;
            };
            for (column, of_result) in results.iter().zip(&mut sums) {
                of_result.resize(of_result.len().max(point + 1), (0.0, 0));
                let value = row.get(*column).and_then(|text| text.parse::<f64>().ok());
                if let Some(value) = value.filter(|value| value.is_finite()) {
                    of_result[point].0 += value;
                    of_result[point].1 += 1;
                }
            }
        }
        let (mut columns, mut rows) = (None, Vec::new());
        for (column, of_result) in results.iter().zip(sums) {
            let mean = |(sum, count): (f64, u32)| (count > 0).then(|| sum / f64::from(count));
            let means: Vec<Option<f64>> = of_result.into_iter().map(mean).collect();
            let Some(found) = sensitivity(points, of.values.len(), &means) else { continue };
            let (names, numbers) = numbers(&found);
            columns = Some(names);
            let of_values = of.values.iter().cloned().zip(numbers);
            let result = &table.columns[*column];
            rows.extend(of_values.map(|(value, numbers)| (result.clone(), value, numbers)));
        }
        Ok(columns.map(|columns| Self { columns, rows }))
    }
}

/// Writes the table into a folder, or deletes that of an earlier sweep if there is none.
pub(super) fn write(folder: &Path, table: Option<&SensitivityTable>) -> Result<(), Diagnostic> {
    let path = folder.join(TABLE);
    let Some(table) = table else {
        return OutputFile::remove(&path, KIND);
    };
    let mut text = Vec::new();
    let header = ["result", "value"].iter().chain(table.columns);
    add_line(&mut text, &header.map(ToString::to_string).collect::<Vec<_>>())?;
    for (result, value, numbers) in &table.rows {
        let mut row = vec![result.clone(), value.clone()];
        row.extend(numbers.iter().map(|number| short(*number)));
        add_line(&mut text, &row)?;
    }
    OutputFile::create(&path, KIND)?.write_whole(text)
}

/// Returns the names of the numbers of each value, and the numbers.
fn numbers(of: &Sensitivities) -> (&'static [&'static str], Vec<Vec<f64>>) {
    match of {
        Sensitivities::Shares(all) => {
            let row = all.iter().map(|one| {
                let ([low, high], [total_low, total_high]) =
                    (one.alone_interval, one.total_interval);
                vec![one.alone, low, high, one.total, total_low, total_high]
            });
            (SHARES, row.collect())
        }
        Sensitivities::Effects(all) => {
            let row = all.iter().map(|one| {
                let [low, high] = one.size_interval;
                vec![one.mean, one.size, low, high, one.deviation]
            });
            (EFFECTS, row.collect())
        }
    }
}

/// Checks that the table can be written into a folder.
pub(super) fn check(folder: &Path) -> Result<(), Diagnostic> {
    OutputFile::check(&folder.join(TABLE), KIND)
}
