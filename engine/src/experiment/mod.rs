//! Experiments: many runs of one scenario with other values, described by a plan.
//!
//! A plan names a scenario, the values that vary, and what is recorded. [`Trials`] runs a scenario with given values;
//! [`Sweep`] runs all points of a plan; [`Tune`] looks for the best ones. A [`Hunt`] looks for a start that breaks an
//! expectation, and makes it smaller. This module must never read files, print, or use a clock: what it returns depends
//! only on the plan, the scenario and the scripts.

mod explicit;
mod hunt;
mod hunt_options;
#[cfg(test)]
mod hunt_tests;
mod lanes;
mod plan;
mod points;
mod probe;
mod shrink;
mod starts;
mod sweep;
mod trials;
#[cfg(not(target_family = "wasm"))]
mod tune;
mod tune_plan;
#[cfg(not(target_family = "wasm"))]
mod tune_runs;
mod tune_score;
#[cfg(not(target_family = "wasm"))]
mod tune_search;
mod variation;

pub use hunt::{Hunt, HuntResult, SmallestMargin};
pub use hunt_options::HuntOptions;
pub use plan::{Expectations, Plan, Seeds, SweepPlan};
pub use points::Points;
pub use probe::{FailedRun, FailureKind, FoundStart};
pub use shrink::{Shrunk, Size};
pub use starts::Varied;
pub use sweep::{Sweep, SweptRun};
pub use trials::{Outcome, Sample, Trial, Trials};
#[cfg(not(target_family = "wasm"))]
pub use tune::{Confirmation, Sensitivity, Tune, Verdict};
pub use tune_plan::{Goal, Over, TunePlan};
#[cfg(not(target_family = "wasm"))]
pub use tune_search::{Evaluation, Search, SearchEnd};
pub use variation::Variation;
