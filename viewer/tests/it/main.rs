//! The program as a person meets it: the real binary, in folders of its own.
#![expect(
    clippy::unwrap_used,
    reason = "what a test sets up either works or fails the test"
)]

mod bench;
mod check;
mod explain;
mod new;
mod primitives;
mod project;
mod readme;
mod render;
mod run;
mod run_fails;
mod start;
mod test;
#[cfg(feature = "window")]
mod view;
