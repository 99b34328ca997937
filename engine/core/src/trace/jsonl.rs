//! Trajectories as JSON lines: an object for each agent and tick.

use std::io::{self, BufWriter, Write};

use super::trajectory_row::TrajectoryRow;

pub(super) struct Jsonl<W: Write>(BufWriter<W>);

impl<W: Write> Jsonl<W> {
    pub(super) fn new(to: W) -> Self {
        Self(BufWriter::new(to))
    }

    pub(super) fn row(&mut self, row: &TrajectoryRow<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, row)?;
        self.0.write_all(b"\n")
    }

    pub(super) fn finish(self) -> io::Result<W> {
        self.0.into_inner().map_err(|error| error.into_error())
    }
}
