//! Tables whose columns have types, as Parquet files. Their cells are those of the same table as comma-separated values.

#[cfg(not(feature = "parquet"))]
mod absent;
#[cfg(feature = "parquet")]
mod parquet_file;

use std::path::Path;

use flockwork_engine::Diagnostic;
pub(super) use flockwork_engine::experiment::{ColumnType, TypedColumn, column_of};
use flockwork_engine::load::{FileKind, OutputFile};

#[cfg(not(feature = "parquet"))]
pub(super) use absent::TypedTable;
#[cfg(feature = "parquet")]
pub(super) use parquet_file::TypedTable;

/// The extension of such files.
pub(super) const EXTENSION: &str = "parquet";

/// The kind of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contents {
    /// How messages call such a file: "a table of measures in Parquet".
    pub(super) name: &'static str,
    /// The words in the file that say so.
    pub(super) mark: &'static str,
}

impl Contents {
    /// Returns the kind of such files.
    fn kind(self) -> FileKind {
        FileKind { ending: self.mark.as_bytes(), ..FileKind::new(self.name, &[&[b"PAR1"]]) }
    }

    /// Checks that a table can be written to a path. Use it for tables that are written at the end of long work.
    ///
    /// # Errors
    ///
    /// If the program was built without Parquet, and as [`OutputFile::check`].
    pub(super) fn check(self, path: &Path) -> Result<(), Diagnostic> {
        if cfg!(feature = "parquet") {
            OutputFile::check(path, self.kind())
        } else {
            Err(missing(path))
        }
    }
}

/// Says that there is no Parquet.
fn missing(path: &Path) -> Diagnostic {
    let cannot = format!("cannot write {}", path.display());
    Diagnostic::error(format!("{cannot}: this program was built without Parquet")).help(
        "write CSV, or build the program with Parquet: `cargo install --path viewer --features parquet`",
    )
}
