//! Work on several threads, with results that do not depend on how many there are.
//!
//! This must be the only module that names rayon. Without the feature `threads`, everything runs on one thread, in
//! order.

use std::error::Error;
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
    on_threads(threads, work).map_err(|source| NoThreads { threads, source })
}

/// Returns the number of threads that the calling work runs on.
pub fn current_threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    return 1;
}

#[cfg(feature = "threads")]
fn on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Box<dyn Error + Send + Sync>> {
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES).build()?;
    Ok(pool.install(work))
}

#[cfg(not(feature = "threads"))]
fn on_threads<T: Send>(
    _: usize,
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
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
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
    let parts = (0..count).step_by(part).map(|first| first..count.min(first + part));
    map(parts.collect(), work)
}

#[cfg(test)]
mod tests {
    use super::*;

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
