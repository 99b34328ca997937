//! Trajectories as comma-separated values.

use std::io::{self, Write};

use super::trajectory_row::TrajectoryRow;

/// The columns, in order.
const COLUMNS: [&str; 10] = ["tick", "time", "id", "group", "x", "y", "vx", "vy", "hx", "hy"];

const BUFFER_BYTES: usize = 1 << 16;

pub(super) struct Csv<W: Write> {
    writer: csv::Writer<W>,
    field: Vec<u8>,
}

impl<W: Write> Csv<W> {
    pub(super) fn new(to: W) -> io::Result<Self> {
        let mut writer = csv::WriterBuilder::new().buffer_capacity(BUFFER_BYTES).from_writer(to);
        writer.write_record(COLUMNS).map_err(plain)?;
        Ok(Self { writer, field: Vec::new() })
    }

    pub(super) fn row(&mut self, row: &TrajectoryRow<'_>) -> io::Result<()> {
        self.field(format_args!("{}", row.tick))?;
        self.field(format_args!("{}", row.time))?;
        self.field(format_args!("{}", row.id))?;
        self.writer.write_field(row.group).map_err(plain)?;
        for number in [row.x, row.y, row.vx, row.vy, row.hx, row.hy] {
            self.field(format_args!("{number}"))?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(plain)
    }

    pub(super) fn finish(self) -> io::Result<W> {
        self.writer.into_inner().map_err(|error| error.into_error())
    }

    fn field(&mut self, text: std::fmt::Arguments<'_>) -> io::Result<()> {
        self.field.clear();
        self.field.write_fmt(text)?;
        self.writer.write_field(&self.field).map_err(plain)
    }
}

/// Returns the I/O error inside a CSV error, so that its kind is kept.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
