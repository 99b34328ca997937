//! Leaving the shown scenario although something is not written: where to, and the answers to the question.

use std::path::PathBuf;

/// Where the person goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    Quit,
    /// Another scenario, by its path.
    Scenario(PathBuf),
}

/// The question whether to leave, while it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaving {
    pub(super) to: Destination,
    /// Whether the window leaves as soon as everything is written.
    pub(super) is_writing: bool,
}

/// An answer to the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeaveAction {
    /// Writes everything and leaves then.
    Write,
    /// Leaves without that.
    Anyway,
    /// Stays.
    Cancel,
}
