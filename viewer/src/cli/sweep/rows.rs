//! The tables of a sweep and their names. The engine knows columns and cells.

use flockwork_engine::load::FileKind;

/// The table of runs.
pub(super) const RUNS: &str = "runs.csv";
/// The table of measures over time.
pub(super) const SERIES: &str = "series.csv";

/// The tables.
pub(super) const TABLE_KIND: FileKind = FileKind::new("a table of a sweep", &[&[b"run,"]]);
