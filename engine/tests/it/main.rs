//! The library as a whole, from outside, with what ships beside it: scenarios, scripts, reference data.
#![expect(clippy::unwrap_used, reason = "what a test sets up either works or fails the test")]
#![expect(
    clippy::disallowed_methods,
    reason = "what is compared with the engine is computed without it, by the platform's functions"
)]

#[cfg(feature = "csv")]
mod bits;
mod classics;
mod conformance;
mod differential;
mod examples;
mod expect;
mod goldens;
mod mistakes;
mod next_turn;
mod runner;
mod shipped;
mod start;
mod steerbench;
mod support;
mod tidy;
mod why;
