//! Writes the page about a sweep, from its tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::MARGIN;
use flockwork_engine::load::{FileKind, OutputFile};
use flockwork_engine::math::random::Mix;

use super::identity::Identity;
use super::points_table;
use super::rows::{RUNS, SERIES};
use super::sensitivity::{self, SensitivityTable};
use super::summary::SweepSummary;
use super::table::Table;
use crate::cli::aligned::short;
use crate::cli::figures;
use crate::report::{Column, FigureSource, PageTable, SweepPage, TimeSeries};

/// The name of the page.
const PAGE: &str = "report.html";

/// The folder for figures.
const FIGURES: &str = "figures";

const PAGE_KIND: FileKind = FileKind::new("a report", &[&[b"<!DOCTYPE html>"]]);

/// Maximum number of runs that the page is made from. Of more runs, some are drawn at random.
const MAX_RUNS: u64 = 10_000;

/// Checks that the page can be written into a folder.
pub(in crate::cli) fn check(folder: &Path) -> Result<(), Diagnostic> {
    sensitivity::check(folder)?;
    points_table::check(folder)?;
    OutputFile::check(&folder.join(PAGE), PAGE_KIND)
}

/// Deletes the page and the tables of an earlier sweep that are made from its runs.
pub(super) fn delete(folder: &Path) -> Result<(), Diagnostic> {
    sensitivity::write(folder, None)?;
    points_table::delete(folder)?;
    OutputFile::remove(&folder.join(PAGE), PAGE_KIND)
}

/// Writes the page of a sweep into its folder, its figures, the table of points, and that of sensitivities, if its points tell any.
/// Returns lines that say where they are.
pub(in crate::cli) fn write(
    folder: &Path,
    summary: &SweepSummary,
    identity: &Identity,
) -> Result<String, Diagnostic> {
    let every = summary.runs.div_ceil(MAX_RUNS).max(1);
    let mut page = SweepPage {
        title: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        notes: summary.text("").lines().map(str::to_owned).collect(),
        ..SweepPage::default()
    };
    page.notes.push(identity.caption());
    if every > 1 {
        page.notes.push(format!("One of {every} runs is shown here, drawn at random."));
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
    let column =
        |&index: &usize| Column { name: identity.label(&rows.columns[index]), cells: Vec::new() };
    let inputs: Vec<usize> = (2..seed).collect();
    page.inputs = inputs.iter().map(column).collect();
    page.outputs = outputs.iter().map(column).collect();
    let mut number = 0;
    let mut seeds = Seeds::default();
    while let Some(row) = rows.next()? {
        seeds.add(row.get(seed).unwrap_or_default());
        if is_drawn(number, every) {
            let all = [(&inputs, &mut page.inputs), (&outputs, &mut page.outputs)];
            for (indices, columns) in all {
                for (index, column) in indices.iter().zip(columns) {
                    column.cells.push(row.get(*index).unwrap_or_default().to_owned());
                }
            }
        }
        number += 1;
    }
    page.source = FigureSource {
        short: format!(
            "{} runs of {}, {}, {}.",
            summary.runs,
            page.title,
            seeds.text(),
            identity.short_caption()
        ),
        long: format!("{} runs, {}. {}", summary.runs, seeds.text(), identity.caption()),
    };
    let points = points_table::write(folder, &inputs, &outputs)?;
    let mut lines = format!("the means of each point are in {}\n", points.display());
    let table = SensitivityTable::new(folder, identity, &outputs)?;
    sensitivity::write(folder, table.as_ref())?;
    if table.is_some() {
        let path = folder.join(sensitivity::TABLE);
        lines.push_str(&format!("how much each value matters is in {}\n", path.display()));
    }
    page.sensitivities = table.map(|table| sensitivities(table, identity));
    let series = folder.join(SERIES);
    if series.exists() {
        page.series = over_time(&series, every, identity)?;
    }
    let path = folder.join(PAGE);
    OutputFile::create(&path, PAGE_KIND)?.write_whole(page.to_html())?;
    lines.push_str(&format!("charts are in {}", path.display()));
    let groups = page.figures();
    if !groups.is_empty() {
        let folder = folder.join(FIGURES);
        figures::write(&folder, groups.iter().flat_map(|group| &group.figures), &page.source)?;
        lines.push_str(&format!(", each also alone in {}", folder.display()));
    }
    Ok(lines + "\n")
}

/// The seeds of the runs of a sweep.
#[derive(Default)]
struct Seeds(BTreeSet<u64>);

impl Seeds {
    fn add(&mut self, cell: &str) {
        self.0.extend(cell.parse::<u64>());
    }

    /// Returns them for people.
    fn text(&self) -> String {
        match (self.0.first(), self.0.last()) {
            (Some(first), Some(last)) if first == last => format!("seed {first}"),
            (Some(first), Some(last)) if last - first == self.0.len() as u64 - 1 => {
                format!("seeds {first} to {last}")
            }
            _ => format!("{} seeds", self.0.len()),
        }
    }
}

/// Returns the sensitivities for the page.
fn sensitivities(table: SensitivityTable, identity: &Identity) -> PageTable {
    let header = ["result", "value"].iter().chain(table.columns);
    let mut rows = vec![header.map(|name| name.replace('_', " ")).collect::<Vec<_>>()];
    rows.extend(table.rows.into_iter().map(|(result, value, numbers)| {
        let numbers = numbers.into_iter().map(short);
        [identity.label(&result), identity.label(&value)].into_iter().chain(numbers).collect()
    }));
    rows
}

/// Returns whether a run is drawn, as one of `every` is. Every second run, for example, may have the same seed.
fn is_drawn(run: u64, every: u64) -> bool {
    1.0 > f64::from(Mix::new(run).with_str("drawn").unit()) * every as f64
}

/// Reads the measures over time of the runs that are drawn.
fn over_time(path: &Path, every: u64, identity: &Identity) -> Result<Vec<TimeSeries>, Diagnostic> {
    let mut rows = Table::open(path)?;
    let named = |name: &String| TimeSeries { name: identity.label(name), values: BTreeMap::new() };
    let mut series: Vec<TimeSeries> = rows.columns.iter().skip(2).map(named).collect();
    while let Some(row) = rows.next()? {
        let number = |index: usize| row.get(index).and_then(|text| text.parse::<u64>().ok());
        let (Some(run), Some(tick)) = (number(0), number(1)) else {
            continue;
        };
        if !is_drawn(run, every) {
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
