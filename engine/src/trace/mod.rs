//! Records runs: a hash of the state, the trajectory, measures, and scores.
//!
//! This module turns worlds into numbers and text, and writes them to the writer that it is given. It must never open
//! files or change a world.

#[cfg(feature = "csv")]
mod csv;
mod hash;
mod jsonl;
mod measures;
mod pedestrian;
mod recorder;
mod score;

pub use crate::math::significant;
pub use hash::{state_hash, world_hash};
pub use measures::{
    ClosestPair, Measure, MeasureValue, MeasuredAgents, Measures, closest_pair, closest_pair_of,
    mean_speed,
};
pub use recorder::{Recorder, TrajectoryFormat, UnknownFormat};
pub use score::{Score, Scorer};
