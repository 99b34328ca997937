//! The table of points: for each point of a sweep, the means over its seeds with their intervals.

use std::path::{Path, PathBuf};

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::mean_interval;
use flockwork_engine::load::{FileKind, OutputFile};

use super::rows::RUNS;
use super::table::Table;
use crate::cli::aligned::short;
use crate::cli::origin::add_line;

/// The table.
const TABLE: &str = "points.csv";

const KIND: FileKind = FileKind::new("a table of the points of a sweep", &[&[b"point,"]]);

/// The runs of a point so far.
struct PointRuns {
    point: String,
    values: Vec<String>,
    runs: u64,
    /// For each result, its values.
    results: Vec<Vec<f64>>,
}

/// Checks that the table can be written into a folder.
pub(super) fn check(folder: &Path) -> Result<(), Diagnostic> {
    OutputFile::check(&folder.join(TABLE), KIND)
}

/// Deletes the table of an earlier sweep.
pub(super) fn delete(folder: &Path) -> Result<(), Diagnostic> {
    OutputFile::remove(&folder.join(TABLE), KIND)
}

/// Writes the table from the runs in a folder, and returns its path. `inputs` and `results` are columns of the table of runs.
pub(super) fn write(
    folder: &Path,
    inputs: &[usize],
    results: &[usize],
) -> Result<PathBuf, Diagnostic> {
    let mut table = Table::open(&folder.join(RUNS))?;
    let name = |index: &usize| table.columns[*index].clone();
    let mut header = vec!["point".to_owned()];
    header.extend(inputs.iter().map(name));
    header.push("runs".to_owned());
    for result in results.iter().map(name) {
        header.extend([result.clone(), format!("{result}.low"), format!("{result}.high")]);
    }
    let mut text = Vec::new();
    add_line(&mut text, &header)?;
    let mut now: Option<PointRuns> = None;
    // The runs of a point follow each other.
    while let Some(row) = table.next()? {
        let cell = |index: usize| row.get(index).unwrap_or_default();
        if let Some(done) = now.take_if(|now| now.point != cell(1)) {
            add_line(&mut text, &done.row())?;
        }
        let of = now.get_or_insert_with(|| PointRuns {
            point: cell(1).to_owned(),
            values: inputs.iter().map(|index| cell(*index).to_owned()).collect(),
            runs: 0,
            results: vec![Vec::new(); results.len()],
        });
        of.runs += 1;
        for (index, values) in results.iter().zip(&mut of.results) {
            values.extend(cell(*index).parse::<f64>().ok().filter(|value| value.is_finite()));
        }
    }
    if let Some(last) = now {
        add_line(&mut text, &last.row())?;
    }
    let path = folder.join(TABLE);
    OutputFile::create(&path, KIND)?.write_whole(text)?;
    Ok(path)
}

impl PointRuns {
    /// Returns the row: each mean, and the ends of its interval, if there are enough values.
    fn row(self) -> Vec<String> {
        let mut row = vec![self.point];
        row.extend(self.values);
        row.push(self.runs.to_string());
        for values in &self.results {
            row.extend(match (mean_interval(values), values.first()) {
                (Some((mean, ends)), _) => [short(mean), short(ends[0]), short(ends[1])],
                (None, Some(only)) => [short(*only), String::new(), String::new()],
                (None, None) => Default::default(),
            });
        }
        row
    }
}
