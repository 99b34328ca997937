//! Tests of the whole library through its public interface, with the scenarios, scripts and reference data that ship.
#![expect(clippy::unwrap_used, reason = "an error while a test is set up must fail the test")]
#![expect(
    clippy::disallowed_methods,
    reason = "the expected values are computed without the engine, with the functions of the platform"
)]

#[cfg(feature = "csv")]
mod bits;
mod classics;
mod conditions;
mod conformance;
mod differential;
mod drawn;
mod examples;
mod expect;
mod fields;
mod goldens;
mod inputs;
mod jupedsim;
mod margins;
mod mistakes;
mod next_turn;
mod public_state;
mod real_worlds;
mod remains;
mod runner;
mod scene_edits;
mod shipped;
mod slips;
mod start;
mod steerbench;
mod support;
mod symmetric;
mod tidy;
mod turn_values;
mod types;
mod vectors;
mod why;
