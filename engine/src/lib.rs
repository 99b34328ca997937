//! Flockwork: a scriptable, data-driven runner for steering agents, exact to the bit.
//!
//! A scenario (RON) says which agents there are and what surrounds them; a behavior (a Rhai script)
//! makes one force of steering primitives for each of them in each tick. The same scenario gives the
//! same bits on any number of threads and on any machine.
//!
//! ```no_run
//! use flockwork_engine::{Options, Run, state_hash};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut run = match Run::open("scenarios/hello.ron".as_ref(), &Options::default()) {
//!     Ok(run) => run,
//!     Err(findings) => {
//!         for finding in findings {
//!             eprintln!("{finding}");
//!         }
//!         return Ok(());
//!     }
//! };
//! while run.tick() < run.ticks() {
//!     run.step()?;
//! }
//! let simulation = run.simulation();
//! for (id, pos) in simulation.world().agents.id.iter().zip(&simulation.world().agents.pos) {
//!     println!("agent {id} is at {pos}");
//! }
//! println!("{:016x}", state_hash(simulation.world(), simulation.minds()));
//! # Ok(())
//! # }
//! ```
//!
//! [`Run`] is the way in; [`with_threads`] says on how many threads, [`Recorder`] writes trajectories,
//! and [`check`] finds what is wrong without running. Who brings agents and behaviors of their own
//! starts from [`sim::Simulation`].
#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "tests compare against the platform's functions")
)]

pub mod diag;
pub mod expect;
pub mod geom;
pub mod golden;
pub mod live;
pub mod load;
pub mod math;
mod program;
pub mod runner;
pub mod scenario;
pub mod script;
pub mod sim;
pub mod steer;
pub mod suite;
mod threads;
pub mod trace;
pub mod world;

pub use diag::{Code, Diagnostic, Diagnostics, Severity};
pub use expect::{Expectation, Failure, Judge};
pub use load::{FileKind, OutputFile};
pub use runner::{Options, Run, Setting, check};
pub use sim::{Fault, Message};
pub use threads::{NoThreads, current_threads, with_threads};
pub use trace::{Format, Recorder, state_hash, world_hash};
