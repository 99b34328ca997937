//! The library as a whole, from outside.
#![expect(
    clippy::unwrap_used,
    reason = "what a test sets up either works or fails the test"
)]

mod bits;
mod runner;
mod tidy;
