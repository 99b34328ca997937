//! The tables of all values that were tried, and of those that were found.

use std::path::{Path, PathBuf};

use flockwork_engine::Diagnostic;
#[cfg(feature = "window")]
use flockwork_engine::experiment::{Goal, Plan, Variation};
use flockwork_engine::experiment::{TuneOutcome, TunePlan};
#[cfg(feature = "window")]
use flockwork_engine::load;
use flockwork_engine::load::{FileKind, OutputFile};

use crate::cli::origin::add_line;

#[cfg(feature = "window")]
use crate::view::{TuneResult, TuneResults};
#[cfg(feature = "window")]
use flockwork_engine::scenario::TemplateValue;

const TABLE: &str = "evaluations.csv";

const KIND: FileKind = FileKind::new("a table of a tune", &[&[b"evaluation,"]]);

/// The table of the values that were found for one goal.
const FOUND: &str = "values.csv";

const FOUND_KIND: FileKind =
    FileKind::new("a table of the values that a tune has found", &[&[b"value,"]]);

/// Checks that the tables can be written.
pub(super) fn check(folder: &Path) -> Result<(), Diagnostic> {
    OutputFile::check(&folder.join(TABLE), KIND)?;
    OutputFile::check(&folder.join(FOUND), FOUND_KIND)
}

/// Writes the tables, and returns the path of the table of all tries.
pub(super) fn write(folder: &Path, outcome: &TuneOutcome<'_>) -> Result<PathBuf, Diagnostic> {
    match found_rows(outcome) {
        Some(rows) => {
            write_rows(&folder.join(FOUND), FOUND_KIND, &rows)?;
        }
        None => OutputFile::remove(&folder.join(FOUND), FOUND_KIND)?,
    }
    write_rows(&folder.join(TABLE), KIND, &rows(outcome))
}

fn write_rows(path: &Path, kind: FileKind, rows: &[Vec<String>]) -> Result<PathBuf, Diagnostic> {
    let mut text = Vec::new();
    for row in rows {
        add_line(&mut text, row)?;
    }
    OutputFile::create(path, kind)?.write_whole(text)?;
    Ok(path.to_owned())
}

/// Returns the rows of the table of the values that were found; `None` if there are several goals, or nothing was found.
fn found_rows(outcome: &TuneOutcome<'_>) -> Option<Vec<Vec<String>>> {
    let goals: Vec<_> = outcome.goals().collect();
    let ([goal], [found]) = (&goals[..], &outcome.found[..]) else {
        return None;
    };
    let header = [
        "value",
        "now",
        "found",
        "interval_low",
        "interval_high",
        "good_low",
        "good_high",
        "lower",
        "lower_goal",
        "higher",
        "higher_goal",
    ];
    let mut rows = vec![header.map(String::from).to_vec()];
    let (now, best) = (outcome.value_texts(0), outcome.value_texts(found.index));
    let good = outcome.good_values();
    for (index, path) in outcome.tune.paths().enumerate() {
        let mut row = vec![path.to_owned(), now[index].clone(), best[index].clone()];
        let interval = found.known.as_ref().and_then(|known| known.intervals[index].as_ref());
        let end = |end: usize| interval.map_or_else(String::new, |ends| ends[end].to_string());
        row.extend([end(0), end(1)]);
        let ends = good.get(index).and_then(Option::as_ref);
        let end = |end: usize| ends.map_or_else(String::new, |ends| ends[end].to_string());
        row.extend([end(0), end(1)]);
        for side in 0..2 {
            let change = found.sensitivity.as_ref().map(|all| &all[index]);
            let value = change.and_then(|one| one.values[side].as_ref());
            row.push(value.map_or_else(String::new, ToString::to_string));
            let number = change.and_then(|one| goal.value(one.scores[side]));
            row.push(number.map_or_else(String::new, |number| number.to_string()));
        }
        rows.push(row);
    }
    Some(rows)
}

/// Reads the table in a folder for a window.
#[cfg(feature = "window")]
pub(super) fn read(folder: &Path, plan: &Plan, tune: &TunePlan) -> Result<TuneResults, Diagnostic> {
    let path = folder.join(TABLE);
    let goals: Vec<&Goal> = tune.goals.iter().map(|(goal, _)| goal).collect();
    let names: Vec<String> = plan.vary.iter().map(|(path, ..)| path.clone()).collect();
    let mut reader = csv::Reader::from_reader(load::reader(&path)?);
    let unreadable = || Diagnostic::error(format!("{} is no table of this plan", path.display()));
    let columns: Vec<String> =
        reader.headers().map_err(|_| unreadable())?.iter().map(String::from).collect();
    if columns != header(names.iter().cloned(), tune) {
        return Err(unreadable().help("the plan has changed since: run `flockwork tune` again"));
    }
    let rows = reader.records().map(|row| row.map_err(|_| unreadable()));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    results(plan, &goals, &rows).ok_or_else(unreadable)
}

/// Returns the results of a search that has not ended, for a window.
#[cfg(feature = "window")]
pub(super) fn of_search(plan: &Plan, outcome: &TuneOutcome<'_>) -> Option<TuneResults> {
    let goals: Vec<&Goal> = outcome.goals().collect();
    let rows: Vec<csv::StringRecord> =
        rows(outcome).into_iter().skip(1).map(csv::StringRecord::from).collect();
    results(plan, &goals, &rows)
}

/// Returns the results in the rows of a table; `None` if they are not such rows, or there are none. If there is one goal, they are from the
/// best to the worst; otherwise those that no other is better than, from the best to the worst for the first goal, and then the
/// scenario as it is.
#[cfg(feature = "window")]
fn results(plan: &Plan, goals: &[&Goal], table: &[csv::StringRecord]) -> Option<TuneResults> {
    let mut rows = Vec::new();
    for row in table {
        let result = result(row, &plan.variations(), goals.len())?;
        if goals.len() == 1 || result.is_best || result.evaluation == 0 {
            rows.push(result);
        }
    }
    if rows.is_empty() {
        return None;
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
    let names = plan.vary.iter().map(|(path, ..)| path.clone()).collect();
    let goals = goals.iter().map(ToString::to_string).collect();
    Some(TuneResults { names, goals, rows })
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
    // Before it there may be the number of violations.
    let is_best = cells.next_back()?.parse().ok()?;
    Some(TuneResult { evaluation, values, goals, errors, is_best })
}

fn header(names: impl Iterator<Item = String>, tune: &TunePlan) -> Vec<String> {
    let mut header: Vec<String> = ["evaluation", "restarts"].map(String::from).to_vec();
    header.extend(names);
    header.extend(tune.goals.iter().map(|(goal, _)| goal.to_string()));
    header.push("errors".to_owned());
    if !tune.constraints.is_empty() {
        header.push("violations".to_owned());
    }
    header.push("best".to_owned());
    header
}

fn rows(outcome: &TuneOutcome<'_>) -> Vec<Vec<String>> {
    let front = outcome.search.front();
    let plan = outcome.tune.plan();
    let header = header(outcome.tune.paths().map(String::from), plan);
    let evaluations = outcome.search.evaluations.iter().enumerate();
    let row = evaluations.map(|(index, one)| {
        let mut row = vec![index.to_string(), one.restarts.to_string()];
        row.extend(outcome.value_texts(index));
        let number = |value: Option<f64>| value.map_or_else(String::new, |x| x.to_string());
        row.extend(outcome.values(&one.scores).into_iter().map(number));
        row.push(one.errors.to_string());
        if !plan.constraints.is_empty() {
            row.push(one.violations.to_string());
        }
        row.push(front.contains(&index).to_string());
        row
    });
    std::iter::once(header).chain(row).collect()
}
