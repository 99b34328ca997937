//! Work beside the run, on a thread of its own, which can be stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

/// Work on a thread of its own. It stops when this is dropped.
pub(super) struct Background<T> {
    stop: Arc<AtomicBool>,
    runs: Arc<AtomicU64>,
    result: Receiver<T>,
}

impl<T: Send + 'static> Background<T> {
    /// Begins to work. What works asks whether to stop, and tells how many runs it has done.
    pub(super) fn new(
        work: impl FnOnce(&(dyn Fn() -> bool + Sync), &mut (dyn FnMut(u64) + Send)) -> T
        + Send
        + 'static,
    ) -> Self {
        let (stop, runs) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (sender, result) = channel();
        let (stopped, done) = (Arc::clone(&stop), Arc::clone(&runs));
        thread::spawn(move || {
            let stop = || stopped.load(Ordering::Relaxed);
            let mut progress = |runs| done.store(runs, Ordering::Relaxed);
            let _ = sender.send(work(&stop, &mut progress));
        });
        Self { stop, runs, result }
    }

    /// Asks it to stop.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns how many runs it has done.
    pub(super) fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    /// Returns the result when there is one. `Err` while it works, and if its thread has ended without one.
    pub(super) fn result(&self) -> Result<T, TryRecvError> {
        self.result.try_recv()
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
