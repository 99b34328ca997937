//! Reads the tables of a sweep, and writes them as Parquet.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use flockwork_engine::Diagnostic;
use flockwork_engine::load;

use super::identity::IDENTITY;
use super::rows::{RUNS, SERIES};
use crate::cli::typed_table::{ColumnType, Contents, EXTENSION, TypedTable};

/// The tables in Parquet.
const CONTENTS: [(&str, Contents); 2] = [
    (RUNS, Contents { name: "a table of runs in Parquet", mark: "flockwork runs" }),
    (SERIES, Contents { name: "a table of measures of runs in Parquet", mark: "flockwork series" }),
];

/// Checks that the tables in a folder can be written as Parquet.
///
/// # Errors
///
/// If the program was built without Parquet, and for files that must not be replaced.
pub(in crate::cli) fn check_parquet(folder: &Path) -> Result<(), Diagnostic> {
    CONTENTS.iter().try_for_each(|(table, contents)| {
        contents.check(&folder.join(table).with_extension(EXTENSION))
    })
}

/// Writes the finished tables in a folder as Parquet, beside them. Returns the path of the table of runs.
///
/// # Errors
///
/// If a table cannot be read, or not be written.
pub(in crate::cli) fn write_parquet(
    folder: &Path,
    types: &BTreeMap<String, ColumnType>,
) -> Result<PathBuf, Diagnostic> {
    for (table, contents) in CONTENTS {
        let path = folder.join(table);
        if !path.exists() {
            continue;
        }
        let mut rows = Table::open(&path)?;
        let of = |name: &String| match types.get(name) {
            Some(of) => Ok((name.clone(), *of)),
            None => Err(Diagnostic::error(format!(
                "{} has no type for the column `{name}` of {table}",
                folder.join(IDENTITY).display()
            ))
            .help("begin again with --restart")),
        };
        let columns = rows.columns.iter().map(of).collect::<Result<_, _>>()?;
        let mut typed = TypedTable::create(&path.with_extension(EXTENSION), contents, columns)?;
        while let Some(row) = rows.next()? {
            typed.add(row)?;
        }
        typed.finish()?;
    }
    Ok(folder.join(RUNS).with_extension(EXTENSION))
}

/// A table that is read row by row.
pub(super) struct Table {
    path: PathBuf,
    pub(super) columns: Vec<String>,
    reader: csv::Reader<Box<dyn BufRead>>,
    row: csv::StringRecord,
}

impl Table {
    pub(super) fn open(path: &Path) -> Result<Self, Diagnostic> {
        let mut reader = csv::Reader::from_reader(load::reader(path)?);
        let columns = reader.headers().map_err(|error| unreadable(path, &error))?;
        let columns = columns.iter().map(str::to_owned).collect();
        Ok(Self { path: path.to_owned(), columns, reader, row: csv::StringRecord::new() })
    }

    /// Returns the next row; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<&csv::StringRecord>, Diagnostic> {
        let more = self.reader.read_record(&mut self.row);
        let more = more.map_err(|error| unreadable(&self.path, &error))?;
        Ok(more.then_some(&self.row))
    }
}

fn unreadable(path: &Path, error: &csv::Error) -> Diagnostic {
    Diagnostic::error(format!("cannot read {}: {error}", path.display()))
}
