//! A trajectory on its way into a file or to the standard output.

use std::io::{self, BufWriter, ErrorKind, Stdout, Write};
use std::path::Path;

use flockwork_engine::{
    Diagnostic, Diagnostics, FileKind, OutputFile, Recorder, Run, TrajectoryFormat,
};

/// Whether there is still somebody who reads the trajectory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    There,
    /// The program behind the pipe has read enough.
    Gone,
}

/// A trajectory, frame by frame.
pub(super) struct Trajectory<'a> {
    /// The file; none for the standard output.
    path: Option<&'a Path>,
    recorder: Recorder<Sink>,
}

enum Sink {
    File(OutputFile),
    Stdout(BufWriter<Stdout>),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stdout(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stdout(out) => out.flush(),
        }
    }
}

impl<'a> Trajectory<'a> {
    pub(super) fn create(
        path: &'a Path,
        format: TrajectoryFormat,
        dt: f32,
        every: u64,
    ) -> Result<Self, Diagnostics> {
        let file = OutputFile::create(path, FileKind::TRAJECTORY)?;
        Self::new(Some(path), Sink::File(file), format, dt, every)
    }

    pub(super) fn to_stdout(
        format: TrajectoryFormat,
        dt: f32,
        every: u64,
    ) -> Result<Self, Diagnostics> {
        let out = Sink::Stdout(BufWriter::new(io::stdout()));
        Self::new(None, out, format, dt, every)
    }

    fn new(
        path: Option<&'a Path>,
        to: Sink,
        format: TrajectoryFormat,
        dt: f32,
        every: u64,
    ) -> Result<Self, Diagnostics> {
        let recorder =
            Recorder::new(format, to, dt, every).map_err(|error| vec![failed(path, &error)])?;
        Ok(Self { path, recorder })
    }

    /// Writes the run's present state, if its tick is one to be recorded.
    pub(super) fn frame(&mut self, run: &Run) -> Result<Reader, Diagnostics> {
        let written = self.recorder.record(run.simulation().world());
        self.reader(written)
    }

    fn reader(&self, written: io::Result<()>) -> Result<Reader, Diagnostics> {
        match written {
            Ok(()) => Ok(Reader::There),
            Err(error) if self.path.is_none() && error.kind() == ErrorKind::BrokenPipe => {
                Ok(Reader::Gone)
            }
            Err(error) => Err(failed(self.path, &error).into()),
        }
    }

    /// Completes it, and gives a file its name; returns how many frames it has.
    pub(super) fn finish(self) -> Result<u64, Diagnostics> {
        let (path, frames) = (self.path, self.recorder.frames());
        let flushed = self.recorder.finish().and_then(|mut sink| {
            sink.flush()?;
            Ok(sink)
        });
        match flushed {
            Ok(Sink::File(file)) => file.commit()?,
            Ok(Sink::Stdout(_)) => {}
            Err(error) if path.is_none() && error.kind() == ErrorKind::BrokenPipe => {}
            Err(error) => return Err(failed(path, &error).into()),
        }
        Ok(frames)
    }
}

fn failed(path: Option<&Path>, error: &io::Error) -> Diagnostic {
    match path {
        Some(path) => OutputFile::error(path, error),
        None => Diagnostic::error(format!("cannot write to the standard output: {error}")),
    }
}
