//! The scripts of Flockwork: what they can call, how they are checked, and the programs that they become.
//!
//! Most programs use the crate `flockwork-engine`, which runs scripts in scenarios.

#[cfg(test)]
#[path = "../../core/src/diag/cases.rs"]
mod cases;
pub mod script;

use flockwork_core::{diag, expect, geom, math, schema, sim, steer, tokens, trace, world};
use flockwork_program as program;
