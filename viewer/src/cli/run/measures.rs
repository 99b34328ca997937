//! Recording measures in a file, tick by tick.

use std::io::{self, Write};
use std::path::Path;

use flockwork_engine::trace::{MeasureOf, MeasureValue, RunMeasures};
use flockwork_engine::{Diagnostic, Diagnostics, FileKind, OutputFile, Run};
use serde::{Serialize, Serializer};

use crate::cli::typed_table::{self, ColumnType, Contents, TypedTable};

/// Tables of measures.
const KIND: FileKind =
    FileKind::new("a table of measures", &[&[b"tick,time_s"], &[b"{\"tick\":", b",\"time_s\":"]]);

/// The same in Parquet.
const CONTENTS: Contents =
    Contents { name: "a table of measures in Parquet", mark: "flockwork measures" };

/// Measures and their values, in the order of the measures.
pub(super) struct Values<'m> {
    measures: &'m [MeasureOf],
    values: Vec<Option<MeasureValue>>,
}

impl<'m> Values<'m> {
    /// Takes the present values.
    pub(super) fn new(measures: &'m RunMeasures, run: &Run) -> Result<Self, Diagnostic> {
        let values = measures.take(run.simulation())?;
        Ok(Self { measures: measures.measures(), values })
    }

    /// Returns each measure with its value.
    pub(super) fn each(&self) -> impl Iterator<Item = (&'m MeasureOf, Option<MeasureValue>)> + '_ {
        self.measures.iter().zip(self.values.iter().copied())
    }
}

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.each().map(|(of, value)| (of.name(), value)))
    }
}

/// A line of a file with JSON lines.
#[derive(Serialize)]
struct JsonLine<'v, 'm> {
    tick: u64,
    time_s: f32,
    #[serde(flatten)]
    values: &'v Values<'m>,
}

/// A file that measures are written to.
pub(super) struct MeasuresFile<'a> {
    path: &'a Path,
    table: Table,
    every: u64,
    /// Number of ticks that are in it.
    ticks: u64,
}

enum Table {
    Csv(Box<csv::Writer<OutputFile>>),
    Jsonl(OutputFile),
    Parquet(Box<TypedTable>),
}

impl<'a> MeasuresFile<'a> {
    /// Begins the file. Its extension decides about the format.
    pub(super) fn create(
        path: &'a Path,
        measures: &[MeasureOf],
        every: u64,
    ) -> Result<Self, Diagnostics> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let table = match extension.as_str() {
            "csv" => {
                let file = OutputFile::create(path, KIND)?;
                let mut writer = csv::Writer::from_writer(file);
                let names = measures.iter().map(MeasureOf::name);
                let header = ["tick", "time_s"].into_iter().chain(names);
                writer.write_record(header).map_err(|error| failed(path, io_error(error)))?;
                Table::Csv(Box::new(writer))
            }
            "jsonl" => Table::Jsonl(OutputFile::create(path, KIND)?),
            typed_table::EXTENSION => {
                let mut columns = vec![
                    ("tick".to_owned(), ColumnType::Integer),
                    ("time_s".to_owned(), ColumnType::Double),
                ];
                columns.extend(measures.iter().map(typed_table::column_of));
                Table::Parquet(Box::new(TypedTable::create(path, CONTENTS, columns)?))
            }
            _ => {
                let path = path.display();
                let wrong = format!(
                    "cannot write {path}: measures need the extension .csv, .jsonl or .parquet"
                );
                return Err(Diagnostic::error(wrong).into());
            }
        };
        Ok(Self { path, table, every, ticks: 0 })
    }

    /// Writes the present values, if the tick is to be recorded.
    pub(super) fn record(&mut self, run: &Run, measures: &RunMeasures) -> Result<(), Diagnostics> {
        let tick = run.tick();
        if !tick.is_multiple_of(self.every) {
            return Ok(());
        }
        self.ticks += 1;
        let (time_s, values) = (run.simulation().world().time(), Values::new(measures, run)?);
        let row = || {
            let values = values.each().map(|(_, value)| value);
            let values = values.map(|value| value.map_or_else(String::new, |x| x.to_string()));
            [tick.to_string(), time_s.to_string()].into_iter().chain(values)
        };
        let written = match &mut self.table {
            Table::Csv(writer) => writer.write_record(row()).map_err(io_error),
            Table::Parquet(table) => return Ok(table.add(row())?),
            Table::Jsonl(file) => {
                let line = JsonLine { tick, time_s, values: &values };
                let written = serde_json::to_writer(&mut *file, &line).map_err(io::Error::from);
                written.and_then(|()| file.write_all(b"\n"))
            }
        };
        written.map_err(|error| failed(self.path, error).into())
    }

    /// Completes the file. Only now it gets its name. Returns how many ticks are in it.
    pub(super) fn finish(self) -> Result<u64, Diagnostics> {
        let file = match self.table {
            Table::Csv(writer) => {
                writer.into_inner().map_err(|error| failed(self.path, error.into_error()))?
            }
            Table::Jsonl(file) => file,
            Table::Parquet(table) => {
                table.finish()?;
                return Ok(self.ticks);
            }
        };
        file.commit()?;
        Ok(self.ticks)
    }
}

/// Returns the error of the system, which says whether the disk is full.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn failed(path: &Path, error: io::Error) -> Diagnostic {
    OutputFile::error(path, &error)
}
