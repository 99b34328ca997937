//! Work without the lock of the interpreter: on enough stack, on the threads that it may use, until ctrl-c.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use flockwork_engine::Threads;
use pyo3::prelude::*;

use crate::errors;

/// Stack that scripts need if they call themselves as deeply as their limits allow, in bytes.
const STACK: usize = 16 << 20;

/// Stack that must be left before a tick; with less, a new one is made. The main thread has more, almost everywhere.
const LEAST_STACK: usize = 4 << 20;

/// Time from one look at signals to the next.
const SIGNALS: Duration = Duration::from_millis(50);

/// Worlds with fewer agents take one thread, if it is not said how many: others would not help.
const MANY_AGENTS: usize = 4000;

/// The error of a call on a thread of a pool, which Python never makes.
const NOT_OURS: &str = "this thread belongs to threads that Python has not started";

/// Largest number of threads. More are surely a mistake.
const MAX_THREADS: usize = 1024;

/// Checks a number of threads.
///
/// # Errors
///
/// If it is surely a mistake.
pub(crate) fn check_threads(threads: usize) -> PyResult<()> {
    if threads <= MAX_THREADS {
        return Ok(());
    }
    let what = format!("`threads` must be from 0 to {MAX_THREADS}, not {threads}");
    Err(errors::value_error(what))
}

/// Does work that reads files and compiles scripts.
pub(crate) fn reading<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| stacker::grow(STACK, work))
}

/// Calls `tick` as long as it returns true, on a number of threads; 0 means one for each core. Without a number, it depends on how many
/// agents there are. Ctrl-c ends it between two calls.
///
/// # Errors
///
/// Those of `tick`, the exception of a signal, or if the threads cannot be started.
pub(crate) fn ticking(
    py: Python<'_>,
    threads: Option<usize>,
    agents: usize,
    mut tick: impl FnMut() -> PyResult<bool> + Send,
) -> PyResult<()> {
    let threads = threads.unwrap_or(usize::from(agents < MANY_AGENTS));
    let mut signals = Signals::new();
    // Only the thread that was called learns of signals.
    let mut all = |on: &Threads| -> PyResult<()> {
        while on.run(&mut tick)? {
            signals.check()?;
        }
        Ok(())
    };
    if threads == 1 {
        let on_this = || ON_THIS.with(|on| on.as_ref().map(&mut all));
        let done = py.detach(|| stacker::maybe_grow(LEAST_STACK, STACK, on_this));
        return done.unwrap_or_else(|| Err(errors::plain(NOT_OURS)));
    }
    let threads = kept(threads)?;
    py.detach(|| all(&threads))
}

/// Does work on a number of threads, as [`ticking`] does. Nothing ends it from outside.
///
/// # Errors
///
/// If the threads cannot be started.
pub(crate) fn working<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    agents: usize,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let threads = threads.unwrap_or(usize::from(agents < MANY_AGENTS));
    if threads == 1 {
        let on_this = || ON_THIS.with(|on| on.as_ref().map(|on| on.run(work)));
        let done = py.detach(|| stacker::maybe_grow(LEAST_STACK, STACK, on_this));
        return done.ok_or_else(|| errors::plain(NOT_OURS));
    }
    let threads = kept(threads)?;
    Ok(py.detach(|| threads.run(work)))
}

thread_local! {
    /// This thread alone.
    static ON_THIS: Option<Threads> = Threads::current();
}

/// Returns threads that are kept from one call to the next.
fn kept(threads: usize) -> PyResult<Arc<Threads>> {
    /// The threads of this process, by their number. A process that was forked has none of its parent's.
    static ALL: Mutex<BTreeMap<(u32, usize), Arc<Threads>>> = Mutex::new(BTreeMap::new());
    check_threads(threads)?;
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    match all.entry((process::id(), threads)) {
        Entry::Occupied(known) => Ok(Arc::clone(known.get())),
        Entry::Vacant(place) => {
            let new = Threads::new(threads).map_err(errors::error)?;
            Ok(Arc::clone(place.insert(Arc::new(new))))
        }
    }
}

/// Looks at signals now and then, so that ctrl-c ends what takes long.
pub(crate) struct Signals {
    last: Instant,
}

impl Signals {
    pub(crate) fn new() -> Self {
        Self { last: Instant::now() }
    }

    /// Returns the exception of a signal, if there was one. Only the main thread learns of signals.
    pub(crate) fn check(&mut self) -> PyResult<()> {
        if self.last.elapsed() < SIGNALS {
            return Ok(());
        }
        self.last = Instant::now();
        Python::attach(|py| py.check_signals())
    }
}
