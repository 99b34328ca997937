//! Flockwork: a scriptable, data-driven runner for steering agents, exact to the bit.
#![cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "tests compare against the platform's functions"
    )
)]

pub mod diag;
pub mod geom;
pub mod math;
pub mod scenario;
pub mod script;
pub mod sim;
pub mod steer;
pub mod world;
