//! The module `flockwork._native`: the engine as Python sees it.
//!
//! This crate turns objects of Python into those of the engine and back, and holds nothing of its own. Names, defaults and words are
//! those of scenarios. What Python itself can do well (tables, environments for learning, notebooks) is in the folder `python`.
//!
//! - A class holds its state in a [`Cell`](cell::Cell): whoever finds it in use gets an error, and no thread ever waits.
//! - Work that may take long runs without the lock of the interpreter, see [`work`].

mod arrays;
mod batch;
mod batch_arrays;
mod behavior;
mod cell;
mod cells;
mod change;
mod columns;
mod errors;
mod experiment;
mod observe;
mod picture;
mod project;
mod run;
mod steer;
mod values;
mod watch;
mod work;

use pyo3::prelude::*;

/// The engine of Flockwork. Use the package `flockwork`, which has everything in here.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::batch::{Worlds, WorldsSnapshot, worlds};
    #[pymodule_export]
    use crate::behavior::GroupView;
    #[pymodule_export]
    use crate::experiment::{SweepRuns, hunt, tune};
    #[pymodule_export]
    use crate::observe::Learner;
    #[pymodule_export]
    use crate::picture::{Animation, Picture};
    #[pymodule_export]
    use crate::project::check;
    #[pymodule_export]
    use crate::run::{Run, Snapshot, load, loads};

    /// The version of the engine.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
