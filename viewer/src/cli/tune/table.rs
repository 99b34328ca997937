//! The table of all values that were tried.

use std::path::{Path, PathBuf};

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::Goal;
#[cfg(feature = "window")]
use flockwork_engine::experiment::{Plan, Variation};
#[cfg(feature = "window")]
use flockwork_engine::load;
use flockwork_engine::load::{FileKind, OutputFile};

use super::outcome::TuneOutcome;
#[cfg(feature = "window")]
use crate::view::{TuneResult, TuneResults};
#[cfg(feature = "window")]
use flockwork_engine::scenario::TemplateValue;

const TABLE: &str = "evaluations.csv";

/// The table of a search that has not ended. It leaves a finished table as it is.
const UNFINISHED: &str = "unfinished.csv";

const KIND: FileKind = FileKind {
    name: "a table of a tune",
    beginnings: &[&[b"evaluation,"]],
    ending: b"",
    max_bytes: u64::MAX,
};

/// Checks that the table can be written.
pub(super) fn check(folder: &Path) -> Result<(), Diagnostic> {
    OutputFile::check(&folder.join(UNFINISHED), KIND)?;
    OutputFile::check(&folder.join(TABLE), KIND)
}

/// Writes the table, and returns its path. That of a search that has ended takes the place of an unfinished one.
pub(super) fn write(
    folder: &Path,
    outcome: &TuneOutcome<'_>,
    has_ended: bool,
) -> Result<PathBuf, Diagnostic> {
    let path = folder.join(if has_ended { TABLE } else { UNFINISHED });
    let file = OutputFile::create(&path, KIND)?;
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows(outcome) {
        writer.write_record(row).map_err(|error| {
            Diagnostic::error(format!("cannot write {}: {error}", path.display()))
        })?;
    }
    // Memory has always room.
    let text = writer.into_inner().unwrap_or_default();
    file.write_whole(text)?;
    if has_ended {
        OutputFile::remove(&folder.join(UNFINISHED), KIND)?;
    }
    Ok(path)
}

/// Reads a table for a window: the finished one, if there is one. The result has its tries from the best to the worst if there is one goal; otherwise those
/// that no other is better than, from the best to the worst for the first goal, and then the scenario as it is.
#[cfg(feature = "window")]
pub(super) fn read(folder: &Path, plan: &Plan) -> Result<TuneResults, Diagnostic> {
    let mut path = folder.join(TABLE);
    let unfinished = folder.join(UNFINISHED);
    if !path.exists() && unfinished.exists() {
        path = unfinished;
    }
    let names: Vec<String> = plan.vary.iter().map(|(path, ..)| path.clone()).collect();
    let goals = plan.tune.iter().flat_map(|tune| tune.goals.iter().map(|(goal, _)| goal));
    let goals: Vec<&Goal> = goals.collect();
    let mut reader = csv::Reader::from_reader(load::reader(&path)?);
    let unreadable = || Diagnostic::error(format!("{} is no table of this plan", path.display()));
    let columns: Vec<String> =
        reader.headers().map_err(|_| unreadable())?.iter().map(String::from).collect();
    if columns != header(names.iter().cloned(), &goals) {
        return Err(unreadable().help("the plan has changed since: run `flockwork tune` again"));
    }
    let mut rows = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|_| unreadable())?;
        let result = result(&row, &plan.variations(), goals.len()).ok_or_else(unreadable)?;
        if goals.len() == 1 || result.is_best || result.evaluation == 0 {
            rows.push(result);
        }
    }
    if rows.is_empty() {
        return Err(unreadable());
    }
    let is_single = goals.len() == 1;
    let is_lower_better = goals.first().is_some_and(|goal| goal.is_lower_better());
    // The larger, the better. A row without a value is the worst.
    let score = |row: &TuneResult| {
        let value = row.goals[0].unwrap_or(f64::NAN);
        let score = if is_lower_better { -value } else { value };
        if score.is_nan() { f64::NEG_INFINITY } else { score }
    };
    rows.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.evaluation.cmp(&b.evaluation)));
    if !is_single {
        rows.sort_by_key(|row| row.evaluation == 0);
    }
    let goals = goals.into_iter().map(ToString::to_string).collect();
    Ok(TuneResults { names, goals, rows })
}

/// Returns a row of the table; `None` if it is not one.
#[cfg(feature = "window")]
fn result(row: &csv::StringRecord, vary: &[Variation], goals: usize) -> Option<TuneResult> {
    let mut cells = row.iter();
    let evaluation = cells.next()?.parse().ok()?;
    cells.next()?;
    let value = |(cell, variation): (&str, &Variation)| match (variation, cell.parse()) {
        // A number is written as its place needs it: an integer has no decimal point.
        (Variation::Range { .. }, Ok(number)) => TemplateValue::Number(number),
        _ => TemplateValue::Text(cell.to_owned()),
    };
    let values = cells.by_ref().take(vary.len()).zip(vary).map(value).collect();
    let goals = cells.by_ref().take(goals).map(|cell| match cell {
        "" => Some(None),
        number => number.parse().ok().map(Some),
    });
    let goals = goals.collect::<Option<Vec<_>>>()?;
    let errors = cells.next()?.parse().ok()?;
    let is_best = cells.next()?.parse().ok()?;
    Some(TuneResult { evaluation, values, goals, errors, is_best })
}

fn header(names: impl Iterator<Item = String>, goals: &[&Goal]) -> Vec<String> {
    let mut header: Vec<String> = ["evaluation", "restarts"].map(String::from).to_vec();
    header.extend(names);
    header.extend(goals.iter().map(ToString::to_string));
    header.extend(["errors", "best"].map(String::from));
    header
}

fn rows(outcome: &TuneOutcome<'_>) -> Vec<Vec<String>> {
    let front = outcome.search.front();
    let goals: Vec<&Goal> = outcome.goals().collect();
    let header = header(outcome.tune.paths().map(String::from), &goals);
    let evaluations = outcome.search.evaluations.iter().enumerate();
    let row = evaluations.map(|(index, one)| {
        let mut row = vec![index.to_string(), one.restarts.to_string()];
        row.extend(outcome.value_texts(index));
        let number = |value: Option<f64>| value.map_or_else(String::new, |x| x.to_string());
        row.extend(outcome.values(&one.scores).into_iter().map(number));
        row.extend([one.errors.to_string(), front.contains(&index).to_string()]);
        row
    });
    std::iter::once(header).chain(row).collect()
}
