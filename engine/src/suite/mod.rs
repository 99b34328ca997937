//! Scenarios as regression tests: run, judged by their expectations, compared with their goldens.
//!
//! Puts together what `runner`, `expect` and `golden` do, and finds out why a run is not what it was. It
//! decides nothing about motion and prints nothing.

mod calls;
mod case;
mod cost;
mod diagnose;
mod mutate;
#[cfg(feature = "git")]
mod past;
mod seeds;
mod story;
mod texts;
mod update;

pub use calls::{Calls, Pair};
pub use case::{Case, Compared, Found, Outcome, Subject, Tested};
pub use cost::cost;
pub use diagnose::{Diagnosis, Old, OldTexts, diagnose};
pub use mutate::{Mutation, mutations, noticed};
pub use texts::Remembering;
pub use update::{Written, update};

use crate::threads;

/// Does something with each of several things, on all threads of the current pool; the answers in their
/// order.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    threads::map(items.iter().collect(), work)
}
