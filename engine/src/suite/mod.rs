//! Scenarios as regression tests: run, judged by their expectations, compared with their goldens.
//!
//! Puts together what `runner`, `expect` and `golden` do, and finds out why a run is not what it was. It
//! decides nothing about motion and prints nothing.

mod calls;
mod case;
mod cost;
mod diagnose;
mod diagnosis_text;
mod mutate;
#[cfg(feature = "git")]
mod old_files;
mod recording_library;
mod seeds;
mod update;

pub use calls::{CallPair, CallPairs};
pub use case::{Case, Comparison, ComparisonDetails, TestFiles, TestOutcome, TestResult};
pub use cost::cost;
pub use diagnose::{Diagnosis, OldFiles, OldRun, diagnose};
pub use mutate::{Mutation, mutations, try_mutations};
pub use recording_library::RecordingLibrary;
pub use update::{GoldenUpdate, update};

use crate::threads;

/// Does something with each of several things, on all threads of the current pool; the answers in their
/// order.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    threads::map(items.iter().collect(), work)
}
