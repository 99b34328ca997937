//! Options that all commands have that run one scenario: seed, params and threads.

use flockwork_engine::{Diagnostics, Options, Setting, with_threads};

use super::values;

/// The options.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct RunArgs {
    /// Use seed S instead of the scenario's
    #[arg(long, value_name = "S", value_parser = values::natural)]
    seed: Option<u64>,

    /// Set a param of a group, or a shared param with `param=V`; repeatable
    #[arg(long = "set", value_name = "group.param=V")]
    settings: Vec<Setting>,

    /// Number of threads; 0 uses one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    pub(super) threads: usize,
}

impl RunArgs {
    /// Returns the same options for the library.
    pub(super) fn options(&self) -> Options {
        let options = Options::default().settings(self.settings.iter().cloned());
        match self.seed {
            Some(seed) => options.seed(seed),
            None => options,
        }
    }

    /// Runs `work` in a pool of that many threads, whose stacks are large enough for scripts.
    pub(super) fn on_threads<T: Send>(
        &self,
        work: impl FnOnce() -> Result<T, Diagnostics> + Send,
    ) -> Result<T, Diagnostics> {
        with_threads(self.threads, work)?
    }
}
