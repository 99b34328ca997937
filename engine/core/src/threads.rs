//! Work on several threads, with results that do not depend on how many there are.
//!
//! This must be the only module that names rayon. Without the feature `threads`, everything runs on one thread, in
//! order.

use std::error::Error;
use std::ops::ControlFlow;
use std::ops::Range;

use crate::diag::{Diagnostic, Diagnostics};

/// The stack size of each thread, in bytes. It is enough for scripts that recurse as deeply as their limits allow, also
/// in development builds, whose stack frames are several times as large.
const STACK_BYTES: usize = 16 << 20;

/// The error if threads cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} threads")]
#[non_exhaustive]
pub struct NoThreads {
    /// Number of threads that were requested; 0 means one for each core.
    pub threads: usize,
    /// The error of the system.
    pub source: Box<dyn Error + Send + Sync>,
}

impl From<NoThreads> for Diagnostics {
    fn from(error: NoThreads) -> Self {
        Diagnostic::error(error.to_string()).help(error.source.to_string()).into()
    }
}

/// Runs `work` on a number of threads, with stacks that are large enough for scripts; 0 means one thread for each core.
/// Results do not depend on the number. Without the feature `threads` it is always one.
///
/// # Errors
///
/// If the threads cannot be started.
pub fn with_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, NoThreads> {
    #[cfg(feature = "threads")]
    return Ok(Threads::new(threads)?.run(work));
    #[cfg(not(feature = "threads"))]
    return on_one_thread(work).map_err(|source| NoThreads { threads, source });
}

/// Threads for work, to keep: making them takes as long as many ticks.
#[derive(Debug)]
pub struct Threads {
    #[cfg(feature = "threads")]
    pool: rayon::ThreadPool,
}

impl Threads {
    /// Starts a number of threads, with stacks that are large enough for scripts; 0 means one thread for each core.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn new(threads: usize) -> Result<Self, NoThreads> {
        #[cfg(feature = "threads")]
        return {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES);
            match pool.build() {
                Ok(pool) => Ok(Self { pool }),
                Err(source) => Err(NoThreads { threads, source: source.into() }),
            }
        };
        #[cfg(not(feature = "threads"))]
        return {
            let _ = threads;
            Ok(Self {})
        };
    }

    /// Returns the calling thread, which must have a large stack, as one on which work runs alone: nothing waits for another thread, also in
    /// a process that was forked. Make it once for each thread. `None` if that belongs to other such threads.
    pub fn current() -> Option<Self> {
        #[cfg(feature = "threads")]
        return {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
            Some(Self { pool: pool.build().ok()? })
        };
        #[cfg(not(feature = "threads"))]
        return Some(Self {});
    }

    /// Runs work on them.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        #[cfg(feature = "threads")]
        return self.pool.install(work);
        #[cfg(not(feature = "threads"))]
        return work();
    }
}

/// Returns the number of threads that the calling work runs on.
pub fn current_threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    return 1;
}

#[cfg(not(feature = "threads"))]
fn on_one_thread<T: Send>(
    work: impl FnOnce() -> T + Send,
) -> Result<T, Box<dyn Error + Send + Sync>> {
    // On wasm the linker sets the stack size, and there are no threads.
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = thread.spawn_scoped(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Runs two functions, at the same time if a thread is free.
pub(crate) fn join<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "threads")]
    return rayon::join(first, second);
    #[cfg(not(feature = "threads"))]
    return (first(), second());
}

/// Calls `work` with each of a few items, on all threads of the current pool. Results are in the order of the items.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    if items.len() <= 1 || current_threads() == 1 {
        return items.into_iter().map(work).collect();
    }
    // One item at a time, since items may take very different times.
    #[cfg(feature = "threads")]
    return {
        use rayon::prelude::*;
        items.into_par_iter().with_max_len(1).map(work).collect()
    };
    #[cfg(not(feature = "threads"))]
    return items.into_iter().map(work).collect();
}

/// Splits the numbers below `count` into ranges of the length `part` and calls `work` with each, on all threads of the
/// current pool. Results are in the order of the ranges.
pub(crate) fn map_parts<R: Send>(
    count: usize,
    part: usize,
    work: impl Fn(Range<usize>) -> R + Send + Sync,
) -> Vec<R> {
    if (1..=part).contains(&count) {
        return vec![work(0..count)];
    }
    let parts = (0..count).step_by(part).map(|first| first..count.min(first + part));
    map(parts.collect(), work)
}

/// Does the same as [`map_parts`] and joins the results in their order, without memory for them if there is a single range. `None` without
/// numbers.
pub(crate) fn reduce_parts<R: Send>(
    count: usize,
    part: usize,
    work: impl Fn(Range<usize>) -> R + Send + Sync,
    join: impl FnMut(R, R) -> R,
) -> Option<R> {
    if (1..=part).contains(&count) {
        return Some(work(0..count));
    }
    map_parts(count, part, work).into_iter().reduce(join)
}

/// Calls `work` with each number below `count`, as many at a time as the current pool has threads, and `take` with the
/// results, in the order of the numbers. Few results are kept at a time. If `take` breaks, no more work begins.
///
/// Each work runs on a single thread, whatever parallel work is in it.
///
/// # Errors
///
/// If the threads cannot be started.
pub fn for_each_in_order<R: Send>(
    count: u64,
    work: impl Fn(u64) -> R + Send + Sync,
    mut take: impl FnMut(R) -> ControlFlow<()> + Send,
) -> Result<(), NoThreads> {
    #[cfg(feature = "threads")]
    if current_threads() > 1 && count > 1 {
        let threads = current_threads().min(usize::try_from(count).unwrap_or(usize::MAX));
        let each = in_order::for_each(threads, count, &work, &mut take);
        return each.map_err(|source| NoThreads { threads, source });
    }
    for number in 0..count {
        if take(work(number)).is_break() {
            break;
        }
    }
    Ok(())
}

#[cfg(feature = "threads")]
mod in_order {
    use std::collections::BTreeMap;
    use std::error::Error;
    use std::ops::ControlFlow;
    use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

    /// Number of results for each thread that may wait for an earlier one.
    const MAX_WAITING: u64 = 4;

    /// The results that wait for an earlier one.
    struct Queue<'t, R> {
        /// The next number to work on.
        next: u64,
        /// The number of the next result to take.
        due: u64,
        waiting: BTreeMap<u64, R>,
        take: &'t mut (dyn FnMut(R) -> ControlFlow<()> + Send),
        is_stopped: bool,
    }

    /// Stops the other threads if a thread panics: they would wait for its result.
    struct StopOnPanic<'q, 't, R>(&'q Mutex<Queue<'t, R>>, &'q Condvar);

    impl<R> Drop for StopOnPanic<'_, '_, R> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                lock(self.0).is_stopped = true;
                self.1.notify_all();
            }
        }
    }

    fn lock<'q, 't, R>(queue: &'q Mutex<Queue<'t, R>>) -> MutexGuard<'q, Queue<'t, R>> {
        queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn for_each<R: Send>(
        threads: usize,
        count: u64,
        work: &(impl Fn(u64) -> R + Send + Sync),
        take: &mut (dyn FnMut(R) -> ControlFlow<()> + Send),
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        // A pool for each thread: in a common one, a thread that waits inside its own work could begin other work, and wait
        // there for the first one forever.
        let pools = (0..threads).map(|_| {
            rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(super::STACK_BYTES).build()
        });
        let pools = pools.collect::<Result<Vec<_>, _>>()?;
        let queue = Queue { next: 0, due: 0, waiting: BTreeMap::new(), take, is_stopped: false };
        let (queue, changed) = (Mutex::new(queue), Condvar::new());
        let ahead = threads as u64 * MAX_WAITING;
        let one_by_one = || {
            let _stop = StopOnPanic(&queue, &changed);
            while let Some(number) = next(&queue, &changed, count, ahead) {
                let result = work(number);
                give(&queue, number, result);
                changed.notify_all();
            }
        };
        std::thread::scope(|scope| {
            for pool in &pools {
                scope.spawn(|| pool.install(one_by_one));
            }
        });
        Ok(())
    }

    /// Returns the next number to work on, once few enough results wait; `None` if there is none.
    fn next<R>(
        queue: &Mutex<Queue<'_, R>>,
        changed: &Condvar,
        count: u64,
        ahead: u64,
    ) -> Option<u64> {
        let mut queue = lock(queue);
        loop {
            if queue.is_stopped || queue.next >= count {
                return None;
            }
            if queue.next < queue.due + ahead {
                queue.next += 1;
                return Some(queue.next - 1);
            }
            queue = changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes all results that are due.
    fn give<R>(queue: &Mutex<Queue<'_, R>>, number: u64, result: R) {
        let mut queue = lock(queue);
        queue.waiting.insert(number, result);
        loop {
            let due = queue.due;
            let Some(result) = queue.waiting.remove(&due) else {
                return;
            };
            if queue.is_stopped {
                return;
            }
            queue.due += 1;
            queue.is_stopped = (queue.take)(result).is_break();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_taken_in_order_until_one_breaks() {
        for threads in [1, 2, 5] {
            let mut taken = Vec::new();
            with_threads(threads, || {
                let work = |number: u64| {
                    // The first ones take longest.
                    std::thread::yield_now();
                    (0..(100 - number) * 1000).fold(number, |sum, _| std::hint::black_box(sum))
                };
                for_each_in_order(100, work, |number| {
                    taken.push(number);
                    if number == 60 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .unwrap();
            })
            .unwrap();
            assert_eq!(taken, (0..=60).collect::<Vec<_>>(), "{threads} threads");
        }
    }

    #[test]
    fn work_runs_on_the_requested_number_of_threads() {
        let expected = if cfg!(feature = "threads") { 3 } else { 1 };
        assert_eq!(with_threads(3, current_threads).unwrap(), expected);
        assert!(with_threads(0, current_threads).unwrap() >= 1);
    }

    #[test]
    fn results_are_in_the_order_of_the_items() {
        assert_eq!(map(vec![3, 1, 2], |number| number * 2), [6, 2, 4]);
        assert_eq!(map_parts(5, 2, |part| part), [0..2, 2..4, 4..5]);
        assert_eq!(map_parts(0, 2, |part| part), [0..0; 0]);
        assert_eq!(join(|| 1, || "b"), (1, "b"));
    }
}
