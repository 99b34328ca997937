//! Experiments: many runs of one scenario with other values, described by a plan.
//!
//! A plan names a scenario, the values that vary, and what is recorded. [`Trials`] runs a scenario with given values;
//! [`Sweep`] runs all points of a plan; [`Tune`] looks for the best ones. A [`Hunt`] looks for a start that breaks an
//! expectation, and makes it smaller. This module must never read files, print, or use a clock: what it returns depends
//! only on the plan, the scenario and the scripts.

mod against;
#[cfg(test)]
mod against_tests;
mod columns;
mod compare;
mod drawn_range;
mod explicit;
mod guide;
mod hunt;
mod hunt_options;
mod hunt_result;
mod hunt_search;
#[cfg(test)]
mod hunt_tests;
mod lanes;
mod measure_at;
mod observed;
mod paired;
mod plan;
mod points;
mod probe;
mod run_cost;
mod run_features;
#[cfg(test)]
mod search_tests;
mod sensitivity;
mod shrink;
mod starts;
mod sweep;
mod trials;
#[cfg(not(target_family = "wasm"))]
mod tune;
#[cfg(not(target_family = "wasm"))]
mod tune_around;
mod tune_goal;
#[cfg(not(target_family = "wasm"))]
mod tune_outcome;
mod tune_plan;
#[cfg(not(target_family = "wasm"))]
mod tune_precision;
#[cfg(not(target_family = "wasm"))]
mod tune_runs;
mod tune_score;
#[cfg(not(target_family = "wasm"))]
mod tune_search;
#[cfg(not(target_family = "wasm"))]
mod tune_series;
mod variation;

pub use crate::scenario::Varied;
pub use columns::{ColumnType, HOLDS, MARGIN, TypedColumn, column_of};
pub use compare::{
    Compare, CompareOptions, ComparedRow, ComparedVersion, Comparison, DifferenceVerdict,
};
pub use drawn_range::DrawnRange;
pub use hunt::Hunt;
pub use hunt_options::HuntOptions;
pub use hunt_result::{HuntResult, SmallestMargin};
pub use measure_at::{MeasureAt, When};
pub use paired::{PairedDifference, mean_interval};
pub use plan::{Expectations, Plan, Seeds, SweepPlan};
pub use points::Points;
pub use probe::{FailedRun, FailureKind, FoundStart};
pub use run_cost::equal_part;
pub use sensitivity::{ElementaryEffect, Sensitivities, VarianceShare, sensitivity};
pub use shrink::{Shrunk, Size};
pub use sweep::{Sweep, SweptRun};
pub use trials::{Outcome, Sample, Trial, Trials};
#[cfg(not(target_family = "wasm"))]
pub use tune::{Confirmation, Sensitivity, Tune, Verdict};
#[cfg(not(target_family = "wasm"))]
pub use tune_around::KnownValues;
pub use tune_goal::{Constraint, Goal};
#[cfg(not(target_family = "wasm"))]
pub use tune_outcome::{FoundValues, MAX_TUNE_ROWS, TuneOutcome};
pub use tune_plan::{Over, TunePlan};
#[cfg(not(target_family = "wasm"))]
pub use tune_runs::TuneRun;
#[cfg(not(target_family = "wasm"))]
pub use tune_search::{Evaluation, Search, SearchEnd};
pub use variation::Variation;
