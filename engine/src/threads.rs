//! Work on several threads, with results that do not depend on how many there are.
//!
//! The only module that names rayon. Without the feature `threads` everything here happens on one thread, in
//! order.

use std::error::Error;
use std::ops::Range;

use crate::diag::{Diagnostic, Diagnostics};

/// The stack of each thread, in bytes. Scripts may call themselves as deep as their limits allow, in
/// development builds too, whose frames are several times as large.
const STACK_BYTES: usize = 16 << 20;

/// No threads could be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} threads")]
#[non_exhaustive]
pub struct NoThreads {
    /// How many were asked for; 0 is one for each core.
    pub threads: usize,
    /// What the system says.
    pub source: Box<dyn Error + Send + Sync>,
}

impl From<NoThreads> for Diagnostics {
    fn from(error: NoThreads) -> Self {
        Diagnostic::error(error.to_string()).help(error.source.to_string()).into()
    }
}

/// Does something on a number of threads, 0 being one for each core, with stacks large enough for
/// scripts. Results do not depend on the number. Without the feature `threads` it is always one.
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

/// On how many threads the work is done that asks this.
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
    // There the stack is set by whoever links the program, and there are no threads to be had.
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = thread.spawn_scoped(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Does two things, at the same time if a thread is free.
pub(crate) fn join<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "threads")]
    return rayon::join(first, second);
    #[cfg(not(feature = "threads"))]
    return (first(), second());
}

/// Does something with each of a few things, on all threads of the current pool; the answers in their order.
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    // One at a time: they may take very different times.
    #[cfg(feature = "threads")]
    return {
        use rayon::prelude::*;
        items.into_par_iter().with_max_len(1).map(work).collect()
    };
    #[cfg(not(feature = "threads"))]
    return items.into_iter().map(work).collect();
}

/// Does something with each range of so many of the numbers below `count`, on all threads of the current pool;
/// the answers in their order.
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
    fn work_is_done_on_as_many_threads_as_asked_for() {
        let expected = if cfg!(feature = "threads") { 3 } else { 1 };
        assert_eq!(with_threads(3, current_threads).unwrap(), expected);
        assert!(with_threads(0, current_threads).unwrap() >= 1);
    }

    #[test]
    fn answers_come_in_the_order_of_the_questions() {
        assert_eq!(map(vec![3, 1, 2], |number| number * 2), [6, 2, 4]);
        assert_eq!(map_parts(5, 2, |part| part), [0..2, 2..4, 4..5]);
        assert_eq!(map_parts(0, 2, |part| part), [0..0; 0]);
        assert_eq!(join(|| 1, || "b"), (1, "b"));
    }
}
