//! The core of Flockwork: what agents perceive, the steering primitives, and the tick, exact to the bit.
//!
//! It knows no scripts, no scenarios and no files. Most programs use the crate `flockwork-engine`, which has this crate's modules
//! under the same names. A game with behaviors in Rust can use this crate alone: start with [`sim::Simulation::builder`] and
//! [`prelude`]. Items that only the other crates of Flockwork need are public, but not documented here.
//!
//! # Features
//!
//! - `threads`: ticks run on several threads. Without it they run on one, with the same results.
//! - `csv`: trajectories as comma-separated values.
#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "tests compare against the platform's functions")
)]

pub mod diag;
pub mod distribution;
pub mod expect;
pub mod geom;
pub mod math;
#[doc(hidden)]
pub mod number;
pub mod prelude;
#[doc(hidden)]
pub mod schema;
pub mod sim;
#[doc(hidden)]
pub mod simd;
pub mod steer;
pub mod threads;
#[doc(hidden)]
pub mod tokens;
pub mod trace;
pub mod world;
