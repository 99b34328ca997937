//! Trajectories as the text that pedestrian dynamics tools such as PedPy and JuPedSim read: a line with the frame rate,
//! a line with the columns, then lines of `id frame x y`.

use std::io::{self, BufWriter, Write};

use super::trajectory_row::TrajectoryRow;
use crate::math::significant;

pub(super) struct PedestrianText<W: Write>(BufWriter<W>);

impl<W: Write> PedestrianText<W> {
    /// `seconds` is the time from one frame to the next.
    pub(super) fn new(to: W, seconds: f64) -> io::Result<Self> {
        let mut to = BufWriter::new(to);
        // A time step such as 0.05 is not exact as an f32. Six digits give the intended rate.
        writeln!(to, "# framerate: {}", significant(1.0 / seconds, 6))?;
        writeln!(to, "# id frame x/m y/m")?;
        Ok(Self(to))
    }

    pub(super) fn row(&mut self, frame: u64, row: &TrajectoryRow<'_>) -> io::Result<()> {
        writeln!(self.0, "{} {frame} {} {}", row.id, row.x, row.y)
    }

    pub(super) fn finish(self) -> io::Result<W> {
        self.0.into_inner().map_err(|error| error.into_error())
    }
}
