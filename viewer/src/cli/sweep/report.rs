//! Writes the page about a sweep, from its tables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use flockwork_engine::Diagnostic;
use flockwork_engine::load::{FileKind, OutputFile};

use super::rows::{MARGIN, RUNS, SERIES};
use super::summary::SweepSummary;
use super::table::Table;
use crate::report::{Column, SweepPage, TimeSeries};

/// The name of the page.
const PAGE: &str = "report.html";

const PAGE_KIND: FileKind = FileKind {
    name: "a report",
    beginnings: &[&[b"<!DOCTYPE html>"]],
    ending: b"",
    max_bytes: u64::MAX,
};

/// Maximum number of runs that the page is made from. Of more runs, every second, third, and so on is used.
const MAX_RUNS: u64 = 10_000;

/// Checks that the page can be written into a folder.
pub(in crate::cli) fn check(folder: &Path) -> Result<(), Diagnostic> {
    OutputFile::check(&folder.join(PAGE), PAGE_KIND)
}

/// Writes the page of a complete sweep into its folder. `inputs` is the number of values that vary.
pub(in crate::cli) fn write(folder: &Path, summary: &SweepSummary) -> Result<PathBuf, Diagnostic> {
    let every = summary.runs.div_ceil(MAX_RUNS).max(1);
    let mut page = SweepPage {
        title: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        notes: summary.text("").lines().map(str::to_owned).collect(),
        ..SweepPage::default()
    };
    if every > 1 {
        page.notes.push(format!("Of the runs, every {every}th is shown here."));
    }
    let mut rows = Table::open(&folder.join(RUNS))?;
    // Between `point` and `seed` are the values that vary, between `state_hash` and `holds` the measures.
    let at = |name: &str| rows.columns.iter().position(|column| column == name);
    let (seed, hash) = (at("seed").unwrap_or(2), at("state_hash").unwrap_or(4));
    let is_output = |(index, name): (usize, &String)| {
        let is_measure =
            index > hash && index + 1 < rows.columns.len() && !name.starts_with("holds.");
        is_measure || name.starts_with(MARGIN)
    };
    let outputs: Vec<usize> = rows
        .columns
        .iter()
        .enumerate()
        .filter(|&of| is_output(of))
        .map(|(index, _)| index)
        .collect();
    let column = |&index: &usize| Column { name: rows.columns[index].clone(), cells: Vec::new() };
    let inputs: Vec<usize> = (2..seed).collect();
    page.inputs = inputs.iter().map(column).collect();
    page.outputs = outputs.iter().map(column).collect();
    let mut number = 0;
    while let Some(row) = rows.next()? {
        if number % every == 0 {
            let all = [(&inputs, &mut page.inputs), (&outputs, &mut page.outputs)];
            for (indices, columns) in all {
                for (index, column) in indices.iter().zip(columns) {
                    column.cells.push(row.get(*index).unwrap_or_default().to_owned());
                }
            }
        }
        number += 1;
    }
    let series = folder.join(SERIES);
    if series.exists() {
        page.series = over_time(&series, every)?;
    }
    let path = folder.join(PAGE);
    OutputFile::create(&path, PAGE_KIND)?.write_whole(page.to_html())?;
    Ok(path)
}

/// Reads the measures over time of every `every`th run.
fn over_time(path: &Path, every: u64) -> Result<Vec<TimeSeries>, Diagnostic> {
    let mut rows = Table::open(path)?;
    let named = |name: &String| TimeSeries { name: name.clone(), values: BTreeMap::new() };
    let mut series: Vec<TimeSeries> = rows.columns.iter().skip(2).map(named).collect();
    while let Some(row) = rows.next()? {
        let number = |index: usize| row.get(index).and_then(|text| text.parse::<u64>().ok());
        let (Some(run), Some(tick)) = (number(0), number(1)) else {
            continue;
        };
        if run % every != 0 {
            continue;
        }
        for (index, series) in series.iter_mut().enumerate() {
            let value = row.get(index + 2).and_then(|text| text.parse::<f64>().ok());
            let values = series.values.entry(tick).or_default();
            values.extend(value.filter(|value| value.is_finite()));
        }
    }
    Ok(series)
}
