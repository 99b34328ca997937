//! Many runs of one scenario, which advance together.

use std::path::Path;
use std::sync::Arc;

use super::start::Starter;
use super::{Options, Run};
use crate::diag::{Diagnostics, Source};
use crate::script::Library;
use crate::sim::{AgentError, step_together};

/// Many runs of one scenario with different seeds, params or numbers of agents.
///
/// The runs share their compiled scripts, and advance together: agents of all runs decide at once, which is several times
/// as fast as one run after another if a run has few agents. The runs do not affect each other. Each has exactly the
/// bits that it has alone.
///
/// ```
/// use flockwork_engine::prelude::*;
///
/// # fn main() -> Result<(), Diagnostics> {
/// let scenario = r#"(
///     ticks: 60,
///     world: (size: (100, 100), edge: Wrap),
///     groups: { "birds": (behavior: "fly", count: 5, spawn: Disc(center: (50, 50), radius: 20),
///         body: (max_speed: 20, max_force: 40), params: { "gap": 5.0 }) },
/// )"#;
/// let scripts = Scripts::new().with("fly", "fn steer(me) { me.separation(me.params.gap) }");
/// let options: Vec<Options> = (0..20)
///     .map(|n| Options::default().seed(n).param("birds", "gap", 3 + n))
///     .collect();
/// let mut batch = Batch::new(&Source::new("birds.ron", scenario), &scripts, &options)?;
/// while batch.step() > 0 {}
/// for (number, run) in batch.runs().iter().enumerate() {
///     match batch.error(number) {
///         None => {
///             let places: Vec<Vec2> = run.world().iter().map(|bird| bird.pos()).collect();
///             println!("{number}: the birds are at {places:?}");
///         }
///         Some(error) => println!("{number}: {error}"),
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub struct Batch {
    runs: Vec<Run>,
    errors: Vec<Option<AgentError>>,
}

impl Batch {
    /// Reads a scenario and its scripts and creates a run for each of the options, in their order.
    ///
    /// # Errors
    ///
    /// All errors in the scenario and its scripts, and those of the first options that do not fit.
    pub fn open(path: &Path, options: &[Options]) -> Result<Self, Diagnostics> {
        Self::start(&Starter::open(path, options)?, options)
    }

    /// Does the same for a scenario in memory, with scripts from any library.
    ///
    /// # Errors
    ///
    /// As [`Batch::open`].
    pub fn new(
        source: &Arc<Source>,
        scripts: &dyn Library,
        options: &[Options],
    ) -> Result<Self, Diagnostics> {
        Self::start(&Starter::new(source, scripts, options)?, options)
    }

    fn start(starter: &Starter, options: &[Options]) -> Result<Self, Diagnostics> {
        let runs = options.iter().map(|options| starter.start(options));
        let runs = runs.collect::<Result<Vec<Run>, Diagnostics>>()?;
        let errors = vec![None; runs.len()];
        Ok(Self { runs, errors })
    }

    /// Returns the runs, in the order of their options.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Returns the runs, to go on with each of them alone.
    pub fn into_runs(self) -> Vec<Run> {
        self.runs
    }

    /// Returns a run, to change it between two ticks: see [`Run::simulation_mut`].
    ///
    /// # Panics
    ///
    /// If there is no run with this number.
    pub fn run_mut(&mut self, number: usize) -> &mut Run {
        &mut self.runs[number]
    }

    /// Returns the error that has ended a run, if there is one.
    ///
    /// # Panics
    ///
    /// If there is no run with this number.
    pub fn error(&self, number: usize) -> Option<&AgentError> {
        self.errors[number].as_ref()
    }

    /// Returns whether a run goes on: whether it has not reached its last tick, and no script of it has failed.
    ///
    /// # Panics
    ///
    /// If there is no run with this number.
    pub fn is_running(&self, number: usize) -> bool {
        goes_on(&self.runs[number], self.error(number))
    }

    /// Simulates one tick of each run that goes on, on all threads of the current pool: see
    /// [`with_threads`](crate::with_threads). Returns the number of these runs.
    ///
    /// A script that fails ends its run, and no other. See [`Batch::error`].
    pub fn step(&mut self) -> usize {
        let runs = self.runs.iter_mut().zip(&mut self.errors);
        let running = runs.filter(|(run, error)| goes_on(run, error.as_ref()));
        let (mut simulations, errors): (Vec<_>, Vec<_>) =
            running.map(|(run, error)| (run.simulation_mut(), error)).unzip();
        let results = step_together(&mut simulations);
        for (error, result) in errors.into_iter().zip(results) {
            *error = result.err();
        }
        simulations.len()
    }
}

fn goes_on(run: &Run, error: Option<&AgentError>) -> bool {
    error.is_none() && run.tick() < run.ticks()
}
