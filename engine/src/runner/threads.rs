//! On how many threads a run runs.

use rayon::ThreadPoolBuilder;

/// The stack of each thread, in bytes. Scripts may call themselves as deep as their limits allow, in
/// development builds too, whose frames are several times as large.
const STACK_BYTES: usize = 16 << 20;

/// No threads could be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} threads")]
pub struct NoThreads {
    /// How many were asked for; 0 is one for each core.
    pub threads: usize,
    /// What the system says.
    pub source: rayon::ThreadPoolBuildError,
}

/// Does something on a number of threads, 0 being one for each core, with stacks large enough for
/// scripts. Results do not depend on the number.
///
/// # Errors
///
/// If the threads cannot be started.
pub fn with_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, NoThreads> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|source| NoThreads { threads, source })?;
    Ok(pool.install(work))
}

/// On how many threads the work is done that asks this.
pub fn current_threads() -> usize {
    rayon::current_num_threads()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_on_as_many_threads_as_asked_for() {
        assert_eq!(with_threads(3, current_threads).unwrap(), 3);
        assert!(with_threads(0, current_threads).unwrap() >= 1);
    }
}
