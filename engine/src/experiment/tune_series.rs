//! Tables of measures or of positions over time that a run should match.
//!
//! This module reads their text. Files are read by whoever reads the plan.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::observed::{RUN_LONGER, RunTimes};
use super::tune_score::Series;
use crate::diag::{Diagnostic, Diagnostics, Place, Source};

/// The names of the column that says when a row was observed, by which of them it is in seconds.
const TICK: &str = "tick";
const TIMES: [&str; 2] = ["time", "time_s"];

/// The names of the columns of a table of positions: the id of an agent, and where it was. Other columns are not read, so that
/// trajectories can be given as they are.
const ID: &str = "id";
const POSITION: [&str; 2] = ["x", "y"];

/// Maximum number of values of a table. Each of them is kept for each run.
const MAX_VALUES: usize = 20_000;

/// What is written in a cell without a value.
const NO_VALUE: [&str; 4] = ["", "NA", "NaN", "nan"];

const EXAMPLE: &str = "the first line has the names, for example `tick,polarization,birds.mean_speed` or `tick,id,x,y`";

/// Number of errors after which a table is not read on.
const MAX_ERRORS: usize = 10;

/// A table as it is written.
pub(super) struct SeriesTable {
    source: Arc<Source>,
    /// Whether rows have times in seconds in place of ticks, and where that is written.
    seconds: Option<Range<usize>>,
    /// Whether columns are positions of agents.
    has_positions: bool,
    columns: Vec<SeriesColumn>,
}

/// A column: a measure and what was observed.
pub(super) struct SeriesColumn {
    /// The name of the measure.
    pub(super) name: String,
    /// Where it is written.
    pub(super) place: Place,
    rows: Vec<Observed>,
}

/// A cell of a column, and when it was observed.
struct Observed {
    /// A tick, or seconds.
    when: f64,
    when_span: Range<usize>,
    value: f64,
}

/// A cell: its text, and where it is.
type Cell<'t> = (&'t str, Range<usize>);

/// A table while it is read, and what is wrong in it.
struct Reader<'t> {
    source: &'t Arc<Source>,
    header: Vec<Cell<'t>>,
    /// The index of the column that says when rows were observed.
    when: usize,
    rows: Vec<Vec<Cell<'t>>>,
    errors: Vec<Diagnostic>,
    /// Number of values.
    count: usize,
}

impl<'t> Reader<'t> {
    fn error(&mut self, error: Diagnostic, span: &Range<usize>) {
        self.errors.push(error.at(self.source, span.clone()));
    }

    /// Returns the index of a column with one of these names.
    fn index(&self, names: &[&str]) -> Option<usize> {
        self.header.iter().position(|(text, _)| names.contains(&&*text.to_lowercase()))
    }

    fn column(&self, name: String, named_at: usize) -> SeriesColumn {
        let span = self.header[named_at].1.clone();
        let place = Place { source: Arc::clone(self.source), span };
        SeriesColumn { name, place, rows: Vec::new() }
    }

    /// Reads the number in a cell; `None` if it is empty or wrong.
    fn number(&mut self, cell: &Cell<'_>, contents: Contents) -> Option<f64> {
        if contents == Contents::Value && NO_VALUE.contains(&cell.0) {
            return None;
        }
        match number(cell, contents) {
            Ok(value) => Some(value),
            Err(wrong) => {
                self.error(wrong, &cell.1);
                None
            }
        }
    }

    /// Adds the value in a cell of a row to a column.
    fn add(&mut self, column: &mut SeriesColumn, row: &[Cell<'_>], index: usize, when: f64) {
        if let Some(value) = self.number(&row[index], Contents::Value) {
            self.count += 1;
            let when_span = row[self.when].1.clone();
            column.rows.push(Observed { when, when_span, value });
        }
    }

    /// Calls a function with each row, and when it was observed, as long as there are not too many errors.
    fn each_row(&mut self, contents: Contents, mut read: impl FnMut(&mut Self, &[Cell<'t>], f64)) {
        for row in std::mem::take(&mut self.rows) {
            if self.errors.len() >= MAX_ERRORS || self.count > MAX_VALUES {
                break;
            }
            let (cells, columns) = (row.len(), self.header.len());
            if cells != columns {
                let wrong = format!("this row has {cells} cells, but the first line has {columns}");
                self.error(Diagnostic::error(wrong), &(row[0].1.start..row[cells - 1].1.end));
            } else if let Some(when) = self.number(&row[self.when], contents) {
                read(self, &row, when);
            }
        }
    }

    /// Reads a table of measures: each column that does not say when is one.
    fn measures(&mut self, contents: Contents) -> Vec<SeriesColumn> {
        let mut columns: Vec<(usize, SeriesColumn)> = Vec::new();
        for (index, (name, span)) in self.header.clone().into_iter().enumerate() {
            let lower = name.to_lowercase();
            if index == self.when || lower == TICK || TIMES.contains(&&*lower) {
                continue;
            }
            if columns.iter().any(|(_, known)| known.name == name) {
                let wrong = format!("there are two columns `{name}`");
                self.error(Diagnostic::error(wrong).help("leave one of them out"), &span);
                continue;
            }
            columns.push((index, self.column(name.to_owned(), index)));
        }
        if columns.is_empty() {
            let span = self.header[self.when].1.clone();
            self.error(Diagnostic::error("the table has no measures").help(EXAMPLE), &span);
            return Vec::new();
        }
        self.each_row(contents, |this, row, when| {
            for (index, column) in &mut columns {
                this.add(column, row, *index, when);
            }
        });
        let columns: Vec<SeriesColumn> = columns.into_iter().map(|(_, column)| column).collect();
        let empty = columns.iter().find(|column| column.rows.is_empty());
        if let (Some(SeriesColumn { name, place, .. }), true) = (empty, self.errors.is_empty()) {
            let wrong = Diagnostic::error(format!("the column `{name}` has no values"));
            let help = "add rows with values, or leave the column out";
            self.error(wrong.help(help), &place.span);
        }
        columns
    }

    /// Reads a table of positions: each agent has two columns.
    fn positions(&mut self, id: usize, contents: Contents) -> Vec<SeriesColumn> {
        let span = self.header[id].1.clone();
        let places = POSITION.map(|name| self.index(&[name]));
        let [Some(x), Some(y)] = places else {
            let wrong =
                "a table with the column `id` has positions of agents, in the columns `x` and `y`";
            let help = "add these, or leave `id` out if each row has measures of all agents";
            self.error(Diagnostic::error(wrong).help(help), &span);
            return Vec::new();
        };
        let mut agents: BTreeMap<u32, [SeriesColumn; 2]> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        self.each_row(contents, |this, row, when| {
            let Some(agent) = this.number(&row[id], Contents::Id) else {
                return;
            };
            let agent = agent as u32;
            if !seen.insert((agent, when.to_bits())) {
                let twice = format!("agent {agent} is there twice at this time");
                this.error(Diagnostic::error(twice).help("leave one of the rows out"), &row[id].1);
                return;
            }
            let columns = agents.entry(agent).or_insert_with(|| {
                POSITION.map(|axis| this.column(format!("agent.{agent}.{axis}"), id))
            });
            for (column, index) in columns.iter_mut().zip([x, y]) {
                this.add(column, row, index, when);
            }
        });
        if self.count == 0 && self.errors.is_empty() {
            self.error(Diagnostic::error("the table has no positions").help("add rows"), &span);
        }
        let columns = agents.into_values().flatten();
        columns.filter(|column| !column.rows.is_empty()).collect()
    }
}

impl SeriesTable {
    /// Reads a table: values with commas, semicolons or tabs between them, and names in the first line.
    ///
    /// # Errors
    ///
    /// What is wrong in the table, with its places.
    pub(super) fn parse(source: &Arc<Source>) -> Result<Self, Diagnostics> {
        let separator = separator(&source.text);
        let mut lines = lines(&source.text).map(|line| cells(line, separator));
        let header = lines.next().unwrap_or_default();
        let rows = lines.collect();
        let mut reader = Reader { source, header, when: 0, rows, errors: Vec::new(), count: 0 };
        let (ticks, times) = (reader.index(&[TICK]), reader.index(&TIMES));
        let Some(when) = ticks.or(times) else {
            let wrong = "the table has no column `tick`, and no column `time` in seconds";
            let first = reader.header.first().map_or(0..0, |(_, span)| span.clone());
            return Err(Diagnostic::error(wrong).help(EXAMPLE).at(source, first).into());
        };
        reader.when = when;
        let contents = if ticks.is_some() { Contents::Tick } else { Contents::Seconds };
        let id = reader.index(&[ID]);
        let columns = match id {
            None => reader.measures(contents),
            Some(id) => reader.positions(id, contents),
        };
        let when_span = reader.header[when].1.clone();
        if reader.count > MAX_VALUES {
            let wrong = format!("the table has more than {MAX_VALUES} values");
            let help = "leave rows out: every tenth tick often says as much as every tick";
            reader.error(Diagnostic::error(wrong).help(help), &when_span);
        }
        if !reader.errors.is_empty() {
            return Err(reader.errors.into());
        }
        let seconds = ticks.is_none().then_some(when_span);
        Ok(Self { source: Arc::clone(source), seconds, has_positions: id.is_some(), columns })
    }

    /// Returns whether it has positions of agents, in world units.
    pub(super) fn has_positions(&self) -> bool {
        self.has_positions
    }

    /// Returns the columns.
    pub(super) fn columns(&self) -> &[SeriesColumn] {
        &self.columns
    }

    /// Returns for each column its measure, the ticks of its values, and the values. A time in seconds is the nearest tick.
    ///
    /// # Errors
    ///
    /// If a tick is after the end of the runs, or times are no ticks since `dt` varies.
    pub(super) fn series(&self, times: RunTimes) -> Result<Series, Diagnostics> {
        let dt = match (&self.seconds, times.dt) {
            (None, _) => 1.0,
            (Some(_), Some(dt)) => f64::from(dt),
            (Some(span), None) => {
                return Err(Diagnostic::error("times in seconds are no ticks, since `dt` varies")
                    .at(&self.source, span.clone())
                    .help("give the table a column `tick`")
                    .into());
            }
        };
        let tick = |row: &Observed| {
            let tick = (row.when / dt).round() as u64;
            match times.check(tick) {
                None => Ok((tick, row.value)),
                Some(wrong) => Err(Diagnostics::from(
                    Diagnostic::error(wrong)
                        .at(&self.source, row.when_span.clone())
                        .help(RUN_LONGER),
                )),
            }
        };
        let of = |column: &SeriesColumn| {
            let rows = column.rows.iter().map(tick).collect::<Result<Vec<_>, _>>()?;
            Ok((column.name.clone(), rows))
        };
        let columns = self.columns.iter().map(of).collect::<Result<Vec<_>, Diagnostics>>()?;
        Ok(Series { columns, are_positions: self.has_positions })
    }
}

/// The contents of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contents {
    Tick,
    Seconds,
    Id,
    Value,
}

/// Reads the number in a cell.
fn number((text, _): &(&str, Range<usize>), contents: Contents) -> Result<f64, Diagnostic> {
    let expected = match (text.parse::<f64>().ok().filter(|x| x.is_finite()), contents) {
        (Some(tick), Contents::Tick) if tick < 0.0 || tick.fract() != 0.0 => {
            "a tick, an integer from 0"
        }
        (Some(time), Contents::Seconds) if time < 0.0 => "a number of seconds from 0",
        (Some(id), Contents::Id) if f64::from(id as u32) != id => {
            "the id of an agent, an integer from 0"
        }
        (Some(number), _) => return Ok(number),
        (None, _) => "a number",
    };
    let wrong = Diagnostic::error(format!("expected {expected}, found `{text}`"));
    Err(if contents == Contents::Value {
        wrong.help("a cell without a value is empty or NA; a number has a decimal point")
    } else {
        wrong
    })
}

/// Returns the lines of a table that have anything in them, with their places.
fn lines(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let start = text.as_ptr() as usize;
    let lines = text.trim_start_matches('\u{feff}').lines();
    lines
        .filter(|line| !line.trim().is_empty())
        .map(move |line| (line, line.as_ptr() as usize - start))
}

/// Returns what is between the cells of a table, from its first line.
fn separator(text: &str) -> char {
    let first = lines(text).next().map_or("", |(line, _)| line);
    first.chars().find(|c| [',', ';', '\t'].contains(c)).unwrap_or(',')
}

/// Returns the cells of a line with their places, without white space and quotes around them.
fn cells((line, offset): (&str, usize), separator: char) -> Vec<Cell<'_>> {
    let mut start = offset;
    let cell = |cell: &'_ str| (cell.len(), cell.len() - cell.trim_start().len());
    let mut all = Vec::new();
    for written in line.split(separator) {
        let (length, before) = cell(written);
        let text = written.trim();
        let first = start + before;
        let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        all.push((bare.unwrap_or(text), first..first + text.len()));
        start += length + 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, dt: Option<f32>, last: u64) -> Result<Vec<Vec<(u64, f64)>>, String> {
        let read = SeriesTable::parse(&Source::new("a.csv", text))
            .and_then(|table| table.series(RunTimes { dt, first: 0, last: Some(last) }));
        let read = read.map(|all| all.columns.into_iter().map(|(_, rows)| rows).collect());
        read.map_err(|errors| {
            let of = |error: &Diagnostic| format!("{}: {}", error.position(), error.message);
            errors.iter().map(of).collect::<Vec<_>>().join("\n")
        })
    }

    #[test]
    fn rows_may_be_at_any_ticks_and_have_empty_cells() {
        let table = "\u{feff}tick, a ,\"b\",time_s\r\n5,1,,0.1\r\n\r\n 0,NA,2.5e1,\n5,3,4,0\n";
        for separator in [",", ";", "\t"] {
            assert_eq!(
                read(&table.replace(',', separator), None, 5).unwrap(),
                [vec![(5, 1.0), (5, 3.0)], vec![(0, 25.0), (5, 4.0)]]
            );
        }
    }

    #[test]
    fn seconds_are_the_nearest_ticks() {
        let table = "a,time\n1,0\n2,0.04\n3,0.08\n";
        let dt = Some(1.0 / 60.0);
        assert_eq!(read(table, dt, 9).unwrap(), [[(0, 1.0), (2, 2.0), (5, 3.0)]]);
    }

    #[test]
    fn a_trajectory_has_two_columns_for_each_agent() {
        let table = "tick,time,id,group,x,y\n0,0,3,a,1,2\n0,0,1,a,3,\n6,0.1,3,b,5,6\n";
        let source = Source::new("a.csv", table);
        let table = SeriesTable::parse(&source).unwrap();
        let series = table.series(RunTimes { dt: None, first: 0, last: None }).unwrap();
        assert!(series.are_positions);
        let of = |name: &str, rows: &[(u64, f64)]| (name.to_owned(), rows.to_vec());
        assert_eq!(
            series.columns,
            [
                of("agent.1.x", &[(0, 3.0)]),
                of("agent.3.x", &[(0, 1.0), (6, 5.0)]),
                of("agent.3.y", &[(0, 2.0), (6, 6.0)]),
            ]
        );
    }

    #[test]
    fn errors_have_places() {
        for (table, message) in [
            ("", "a.csv:1:1: the table has no column `tick`, and no column `time` in seconds"),
            (
                "a,b\n1,2",
                "a.csv:1:1: the table has no column `tick`, and no column `time` in seconds",
            ),
            ("tick\n1", "a.csv:1:1: the table has no measures"),
            ("tick,a\n", "a.csv:1:6: the column `a` has no values"),
            ("tick,a\n1,", "a.csv:1:6: the column `a` has no values"),
            ("tick,a,a\n1,2,3", "a.csv:1:8: there are two columns `a`"),
            (
                "tick,a\n1,x\n1.5,2\n-1,2\n3,inf",
                "a.csv:2:3: expected a number, found `x`\na.csv:3:1: expected a tick, an integer from 0, found `1.5`\na.csv:4:1: expected a tick, an integer from 0, found `-1`\na.csv:5:3: expected a number, found `inf`",
            ),
            ("tick,a\n1,2,3", "a.csv:2:1: this row has 3 cells, but the first line has 2"),
            ("tick,a\n10,2\n 11 ,3", "a.csv:3:2: tick 11 is after the end of the runs, tick 10"),
            ("time,a\n-1,2", "a.csv:2:1: expected a number of seconds from 0, found `-1`"),
            (
                "tick,id,x\n0,1,2",
                "a.csv:1:6: a table with the column `id` has positions of agents, in the columns `x` and `y`",
            ),
            (
                "tick,id,x,y\n0,1.5,2,3\n0,-1,2,3\n0,1,a,3",
                "a.csv:2:3: expected the id of an agent, an integer from 0, found `1.5`\na.csv:3:3: expected the id of an agent, an integer from 0, found `-1`\na.csv:4:5: expected a number, found `a`",
            ),
            ("tick,id,x,y\n0,1,2,3\n0,1,2,4", "a.csv:3:3: agent 1 is there twice at this time"),
            ("tick,id,x,y\n0,1,,", "a.csv:1:6: the table has no positions"),
            ("time,a\n1,2", "a.csv:1:1: times in seconds are no ticks, since `dt` varies"),
        ] {
            assert_eq!(read(table, None, 10), Err(message.to_owned()), "{table}");
        }
    }
}
