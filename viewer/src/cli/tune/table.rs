//! The table of all values that were tried.

use std::path::{Path, PathBuf};

use flockwork_engine::Diagnostic;
use flockwork_engine::load::{FileKind, OutputFile};

use super::outcome::TuneOutcome;

const TABLE: &str = "evaluations.csv";

const KIND: FileKind =
    FileKind { name: "a table of a tune", beginnings: &[&[b"evaluation,"]], max_bytes: u64::MAX };

/// Checks that the table can be written.
pub(super) fn check(folder: &Path) -> Result<(), Diagnostic> {
    OutputFile::check(&folder.join(TABLE), KIND)
}

/// Writes the table, and returns its path.
pub(super) fn write(folder: &Path, outcome: &TuneOutcome<'_>) -> Result<PathBuf, Diagnostic> {
    let path = folder.join(TABLE);
    let mut file = OutputFile::create(&path, KIND)?;
    let mut writer = csv::Writer::from_writer(&mut file);
    let written = rows(outcome)
        .into_iter()
        .try_for_each(|row| writer.write_record(row))
        .and_then(|()| writer.flush().map_err(csv::Error::from));
    drop(writer);
    written
        .map_err(|error| Diagnostic::error(format!("cannot write {}: {error}", path.display())))?;
    file.commit()?;
    Ok(path)
}

fn rows(outcome: &TuneOutcome<'_>) -> Vec<Vec<String>> {
    let front = outcome.search.front();
    let mut header: Vec<String> = ["evaluation", "restarts"].map(String::from).to_vec();
    header.extend(outcome.tune.paths().map(String::from));
    header.extend(outcome.goals().map(ToString::to_string));
    header.extend(["errors", "best"].map(String::from));
    let evaluations = outcome.search.evaluations.iter().enumerate();
    let row = evaluations.map(|(index, one)| {
        let mut row = vec![index.to_string(), one.restarts.to_string()];
        row.extend(outcome.written(index));
        let number = |value: Option<f64>| value.map_or_else(String::new, |x| x.to_string());
        row.extend(outcome.values(&one.scores).into_iter().map(number));
        row.extend([one.errors.to_string(), front.contains(&index).to_string()]);
        row
    });
    std::iter::once(header).chain(row).collect()
}
