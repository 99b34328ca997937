//! What is kept of a run: a hash of its state, its trajectory, a few measures.
//!
//! This module turns worlds into numbers and text, and writes them to whatever it is given. It opens no
//! files and changes no world.

#[cfg(feature = "csv")]
mod csv;
mod hash;
mod jsonl;
mod measures;
mod pedestrian;
mod recorder;

pub use crate::math::significant;
pub use hash::{state_hash, world_hash};
pub use measures::{
    ClosestPair, Measure, MeasureValue, MeasuredAgents, Measures, closest_pair, closest_pair_of,
    mean_speed,
};
pub use recorder::{Recorder, TrajectoryFormat, UnknownFormat};
