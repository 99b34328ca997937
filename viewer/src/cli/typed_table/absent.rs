//! A program without Parquet.

use std::path::Path;

use flockwork_engine::Diagnostic;

use super::{Contents, TypedColumn, missing};

/// A table of which there are no values.
pub(in crate::cli) enum TypedTable {}

impl TypedTable {
    /// Says that there is no Parquet.
    pub(in crate::cli) fn create(
        path: &Path,
        _contents: Contents,
        _columns: Vec<TypedColumn>,
    ) -> Result<Self, Diagnostic> {
        Err(missing(path))
    }

    pub(in crate::cli) fn add<T: AsRef<str>>(
        &mut self,
        _row: impl IntoIterator<Item = T>,
    ) -> Result<(), Diagnostic> {
        match *self {}
    }

    pub(in crate::cli) fn finish(self) -> Result<(), Diagnostic> {
        match self {}
    }
}
