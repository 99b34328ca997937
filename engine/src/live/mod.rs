//! A run that is looked at: it can be edited while it goes on, and looked at as it was.
//!
//! Owns the texts that run and those that do not, what was done by hand, and the way back in time. It
//! opens no window and waits for nobody: who shows a [`Session`] says when to step, where to look and when
//! to read the texts again.

mod change;
mod history;
mod save;
mod session;
#[cfg(test)]
mod tests;
mod tracks;
mod version;

pub use save::SavedScenario;
pub use session::{ReloadResult, Session, StepResult};
pub use tracks::{TrackRow, Tracks};
