//! Interactive runs: edited while they run, and restored at earlier ticks.
//!
//! Owns the versions of the files, the actions of the user and the history. It never opens a window and never waits: the
//! program that shows a [`Session`] decides when to step, which tick to show and when to read the files again.

mod change;
mod comments;
mod files;
mod history;
mod judged;
mod param_notes;
mod replay;
mod save;
mod session;
mod settings;
#[cfg(test)]
mod tests;
mod tracks;
mod version;
mod weights;

pub use comments::FileComment;
pub use judged::{Judged, JudgedFiles};
pub use param_notes::{ParamNote, ParamNotes};
pub use replay::Replay;
pub use save::{SavedScenario, UnsavedScenario};
pub use session::{ReloadResult, Session, StepResult};
pub use settings::ParamSetting;
pub use tracks::{TrackRow, Tracks};
pub use version::{COUNT, ListedExpectation};
pub use weights::{WeightChanges, WeightSwitches, is_off};
