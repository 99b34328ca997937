//! Flockwork: a scriptable, data-driven runner for steering agents, exact to the bit.
//!
//! A scenario (RON) declares a world and its agents. A behavior (a Rhai script) combines steering primitives into one
//! force for each agent in each tick. The same scenario gives the same bits on any number of threads and on any
//! machine.
//!
//! ```
//! use flockwork_engine::prelude::*;
//!
//! # fn main() -> Result<(), Diagnostics> {
//! let scenario = r#"(
//!     ticks: 60,
//!     world: (size: (100, 100), edge: Wrap),
//!     groups: { "birds": (behavior: "fly", count: 20, spawn: Disc(center: (50, 50), radius: 20),
//!         body: (max_speed: 20, max_force: 40)) },
//! )"#;
//! let scripts = Scripts::new().with("fly", "fn steer(me) { me.wander() + me.separation(5) }");
//! let mut run = Run::new(&Source::new("birds.ron", scenario), &scripts, &Options::default())?;
//! while run.tick() < run.ticks() {
//!     run.step()?;
//! }
//! for bird in run.world().iter() {
//!     println!("agent {} is at {}", bird.id(), bird.pos());
//! }
//! println!("{:016x}", state_hash(run.world(), run.simulation().minds()));
//! # Ok(())
//! # }
//! ```
//!
//! - [`prelude`] has the names that most programs need.
//! - Start with [`Run`]; [`Run::open`] reads files. Errors in them are [`Diagnostics`], which show each error with its
//!   line.
//! - [`with_threads`] sets the number of threads, [`Recorder`] writes trajectories, and [`check`] finds errors without
//!   running.
//! - [`sim::Simulation::builder`] makes a simulation without a scenario, with behaviors in Rust.
//! - In your own loop, [`Run::simulation_mut`] gives you the functions that change agents between two ticks:
//!   [`move_agent`](sim::Simulation::move_agent), [`add`](sim::Simulation::add), [`remove`](sim::Simulation::remove) and
//!   [`act`](sim::Simulation::act); [`last_forces`](sim::Simulation::last_forces) and
//!   [`explain`](sim::Simulation::explain) tell what agents do and why; [`Run::adopt`] applies edited files.
//! - [`Batch`] runs a scenario many times at once, with other seeds and params.
//! - [`live::Session`] is a run that can go back in time.
//!
//! `examples/` has a program for each of these.
//!
//! # Features
//!
//! All features are on by default. Without them, a game still has ticks, scripts and scenarios.
//!
//! - `threads`: ticks run on several threads. Without it they run on one, with the same results.
//! - `experiments`: many runs of a scenario with other values, see `experiment`.
//! - `watch`: `load::Watch`, which reports when files change.
//! - `csv`: trajectories as comma-separated values.
//! - `git`: reads the files that a golden was written with from the Git history.

#[cfg(test)]
#[path = "../core/src/diag/cases.rs"]
mod cases;
#[cfg(feature = "experiments")]
pub mod experiment;
pub mod format;
pub mod golden;
pub mod json;
pub mod live;
pub mod load;
#[cfg(all(feature = "experiments", not(target_family = "wasm")))]
pub mod plan_file;
pub mod prelude;
pub mod runner;
pub mod scenario;
pub mod suite;

#[doc(inline)]
pub use flockwork_core::{diag, distribution, expect, geom, math, sim, steer, trace, world};
#[doc(hidden)]
pub use flockwork_core::{schema, simd, threads, tokens};
#[doc(inline)]
pub use flockwork_script::script;

use flockwork_core::number;

pub use diag::{Code, Diagnostic, Diagnostics, Severity};
pub use expect::{Expectation, ExpectationState, Failure, Judge, Margin, Standing};
pub use load::{FileKind, OutputFile};
pub use runner::{Batch, Options, Run, Setting, check};
pub use sim::{AgentError, Message};
pub use threads::{NoThreads, Threads, current_threads, with_threads};
pub use trace::{Recorder, TrajectoryFormat, state_hash, world_hash};
