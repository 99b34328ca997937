//! Trajectories as the plain text that pedestrian dynamics tools such as PedPy and JuPedSim read:
//! a line with the frame rate, a line with the columns, then `id frame x y`.

use std::io::{self, BufWriter, Write};

use super::recorder::Row;
use crate::math::significant;

pub(super) struct Text<W: Write>(BufWriter<W>);

impl<W: Write> Text<W> {
    /// `seconds` is the time from one frame to the next.
    pub(super) fn new(to: W, seconds: f64) -> io::Result<Self> {
        let mut to = BufWriter::new(to);
        // A time step such as 0.05 is not exact as an f32; six digits bring the rate that is meant back.
        writeln!(to, "# framerate: {}", significant(1.0 / seconds, 6))?;
        writeln!(to, "# id frame x/m y/m")?;
        Ok(Self(to))
    }

    pub(super) fn row(&mut self, frame: u64, row: &Row<'_>) -> io::Result<()> {
        writeln!(self.0, "{} {frame} {} {}", row.id, row.x, row.y)
    }

    pub(super) fn finish(self) -> io::Result<W> {
        self.0.into_inner().map_err(|error| error.into_error())
    }
}
