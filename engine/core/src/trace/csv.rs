//! Trajectories as comma-separated values.

use std::io::{self, Write};
use std::sync::Arc;

use super::trajectory_row::TrajectoryRow;
use crate::world::Value;

/// The columns, in order.
const COLUMNS: [&str; 10] = ["tick", "time", "id", "group", "x", "y", "vx", "vy", "hx", "hy"];

const BUFFER_BYTES: usize = 1 << 16;

pub(super) struct Csv<W: Write> {
    writer: csv::Writer<W>,
    field: Vec<u8>,
}

impl<W: Write> Csv<W> {
    pub(super) fn new(to: W, states: &[Arc<str>]) -> io::Result<Self> {
        let mut writer = csv::WriterBuilder::new().buffer_capacity(BUFFER_BYTES).from_writer(to);
        let columns = COLUMNS.into_iter().chain(states.iter().map(|name| &**name));
        writer.write_record(columns).map_err(plain)?;
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
        for (_, value) in row.states {
            match value {
                Some(Value::Bool(x)) => self.field(format_args!("{x}"))?,
                Some(Value::Float(x)) => self.field(format_args!("{x}"))?,
                Some(Value::Vector(x)) => self.field(format_args!("{} {}", x.x, x.y))?,
                Some(Value::Agent(id)) => self.field(format_args!("{id}"))?,
                Some(Value::String(x)) => self.writer.write_field(&**x).map_err(plain)?,
                _ => self.field(format_args!(""))?,
            }
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
