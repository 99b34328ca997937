//! Writing a trajectory to a file or to the standard output.

use std::io::{self, BufWriter, ErrorKind, Stdout, Write};
use std::path::Path;
use std::sync::Arc;

use flockwork_engine::{
    Diagnostic, Diagnostics, FileKind, OutputFile, Recorder, Run, TrajectoryFormat,
};

/// Whether the trajectory is still read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consumer {
    Reading,
    /// The program at the other end of the pipe has closed it.
    Closed,
}

/// A trajectory that is written tick by tick.
pub(super) struct Trajectory<'a> {
    /// The file; `None` for the standard output.
    path: Option<&'a Path>,
    recorder: Recorder<TrajectorySink>,
}

enum TrajectorySink {
    File(OutputFile),
    Stdout(BufWriter<Stdout>),
}

impl Write for TrajectorySink {
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
    /// Begins a trajectory in a file, or on the standard output, with the values of public state that have these names.
    pub(super) fn create(
        path: Option<&'a Path>,
        format: TrajectoryFormat,
        dt: f32,
        every: u64,
        states: Vec<Arc<str>>,
    ) -> Result<Self, Diagnostics> {
        let to = match path {
            Some(path) => TrajectorySink::File(OutputFile::create(path, FileKind::TRAJECTORY)?),
            None => TrajectorySink::Stdout(BufWriter::new(io::stdout())),
        };
        let recorder = Recorder::with_states(format, to, dt, every, states)
            .map_err(|error| vec![failed(path, &error)])?;
        Ok(Self { path, recorder })
    }

    /// Writes the current state of the run, if its tick is to be recorded.
    pub(super) fn frame(&mut self, run: &Run) -> Result<Consumer, Diagnostics> {
        let written = self.recorder.record(run.simulation().world());
        self.consumer(written)
    }

    fn consumer(&self, written: io::Result<()>) -> Result<Consumer, Diagnostics> {
        match written {
            Ok(()) => Ok(Consumer::Reading),
            Err(error) if self.path.is_none() && error.kind() == ErrorKind::BrokenPipe => {
                Ok(Consumer::Closed)
            }
            Err(error) => Err(failed(self.path, &error).into()),
        }
    }

    /// Completes the trajectory and returns its number of recorded ticks. Only now the file gets its name.
    pub(super) fn finish(self) -> Result<u64, Diagnostics> {
        let (path, ticks) = (self.path, self.recorder.recorded_ticks());
        let flushed = self.recorder.finish().and_then(|mut sink| {
            sink.flush()?;
            Ok(sink)
        });
        match flushed {
            Ok(TrajectorySink::File(file)) => file.commit()?,
            Ok(TrajectorySink::Stdout(_)) => {}
            Err(error) if path.is_none() && error.kind() == ErrorKind::BrokenPipe => {}
            Err(error) => return Err(failed(path, &error).into()),
        }
        Ok(ticks)
    }
}

fn failed(path: Option<&Path>, error: &io::Error) -> Diagnostic {
    match path {
        Some(path) => OutputFile::error(path, error),
        None => Diagnostic::error(format!("cannot write to the standard output: {error}")),
    }
}
