//! Records runs: a hash of the state, the trajectory, measures, and scores.
//!
//! This module turns worlds into numbers and text, and writes them to the writer that it is given. It must never open
//! files or change a world.

mod agent_measures;
mod by_group;
mod collisions;
#[cfg(feature = "csv")]
mod csv;
mod density;
mod hash;
mod jsonl;
mod measures;
mod pedestrian;
mod recorder;
mod rows;
mod run_measures;
mod score;
mod totals;
mod trajectory_row;
mod value_measures;

pub use crate::math::significant;
pub use by_group::AgentsByGroup;
pub use hash::{state_hash, world_hash};
pub use measures::{
    ClosestPair, Measure, MeasureValue, MeasuredAgents, Measures, closest_pair, mean_speed,
};
pub use recorder::{Recorder, TrajectoryFormat, UnknownFormat};
pub use run_measures::{MeasureNames, MeasureOf, MeasureScript, OwnMeasure, RunMeasures};
pub use score::Score;
pub use totals::Totals;
