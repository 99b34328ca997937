//! Scenarios as regression tests: run, judged by their expectations and compared with their goldens.
//!
//! Owns the test of a scenario and the diagnosis of a difference, built on `runner`, `expect` and `golden`. It never
//! changes how agents move and prints nothing.

#[cfg(feature = "git")]
mod affected;
mod branch;
mod calls;
mod case;
mod cost;
mod deciding_lines;
mod diagnose;
mod diagnosis_text;
mod mutate;
#[cfg(feature = "git")]
mod old_files;
mod places;
mod recording_library;
mod seeds;
mod update;

#[cfg(feature = "git")]
pub use affected::affected_tests;
pub use branch::Branch;
pub use calls::{CallPair, CallPairs};
pub use case::{Case, Comparison, ComparisonDetails, StopRule, TestFiles, TestOutcome, TestResult};
pub use cost::cost;
pub use diagnose::{Diagnosis, OldFiles, OldRun, diagnose};
pub use mutate::{Mutation, mutations, try_mutations};
pub use recording_library::RecordingLibrary;
pub use update::{GoldenUpdate, golden_text, update};

use crate::threads;
use places::PlaceMap;

/// Calls `work` for each item, on all threads of the current pool, and returns the results in the order of the items.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    threads::map(items.iter().collect(), work)
}
