//! Work of minutes on threads of its own, while the thread of Python looks at signals and says how far it is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use flockwork_engine::{NoThreads, with_threads};
use pyo3::prelude::*;

use crate::errors;
use crate::work::check_threads;

/// Time from one look at signals to the next, and from one report to the next.
const LOOK: Duration = Duration::from_millis(40);

/// How far work is, and whether it should stop.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    is_stopped: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
}

impl Watch {
    /// Returns whether the work should end: there was a signal, or the report failed.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Notes how much is done.
    pub(crate) fn at(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// Notes how much there is to do.
    pub(crate) fn ends_at(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }

    /// Returns how much is done, and how much there is to do.
    fn progress(&self) -> (u64, u64) {
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        (done, total.max(done))
    }
}

/// Does work on a number of threads, 0 for one for each core. `progress` is called with what is done and the total, now and then and at
/// the end. Other threads of Python run meanwhile.
///
/// # Errors
///
/// If there are too many threads or they cannot be started, for signals such as ctrl-c, and if `progress` fails. The work has ended by then.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    threads: usize,
    total: u64,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, NoThreads> + Send,
) -> PyResult<T> {
    check_threads(threads)?;
    let watch = Watch::default();
    watch.ends_at(total);
    let progress = progress.map(|progress| progress.clone().unbind());
    let mut reported = None;
    let mut report = |py: Python<'_>| -> PyResult<()> {
        py.check_signals()?;
        let now = watch.progress();
        if let Some(progress) = &progress
            && reported != Some(now)
        {
            reported = Some(now);
            progress.call1(py, now)?;
        }
        Ok(())
    };
    let (result, failure) = py.detach(|| {
        // Dropped at the end of the work, or if it panics.
        let (at_work, end) = mpsc::channel::<()>();
        let watch = &watch;
        thread::scope(|scope| {
            let worker = scope.spawn(move || {
                let _at_work = at_work;
                with_threads(threads, || work(watch))
            });
            let mut failure = None;
            while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if failure.is_none()
                    && let Err(error) = Python::attach(&mut report)
                {
                    watch.is_stopped.store(true, Ordering::Relaxed);
                    failure = Some(error);
                }
            }
            (worker.join(), failure)
        })
    });
    if let Some(error) = failure {
        return Err(error);
    }
    let result = result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let result = result.map_err(errors::error)?.map_err(errors::error)?;
    report(py)?;
    Ok(result)
}
