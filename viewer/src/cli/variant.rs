//! What may differ from what a scenario says, and on how many threads it runs: the same for all commands
//! that run one.

use flockwork_engine::{Diagnostics, Options, Setting, with_threads};

use super::values;

/// What may differ from what the scenario says.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Variant {
    /// Use another seed than the scenario's
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Set a param of a group, or with param=V a shared one; can be given again
    #[arg(long = "set", value_name = "group.param=V")]
    settings: Vec<Setting>,

    /// Use so many threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    pub(super) threads: usize,
}

impl Variant {
    /// The same for the library.
    pub(super) fn options(&self) -> Options {
        let options = Options::default().settings(self.settings.iter().cloned());
        match self.seed {
            Some(seed) => options.seed(seed),
            None => options,
        }
    }

    /// Does something on the threads wanted, whose stacks have room for scripts.
    pub(super) fn on_threads<T: Send>(
        &self,
        work: impl FnOnce() -> Result<T, Diagnostics> + Send,
    ) -> Result<T, Diagnostics> {
        with_threads(self.threads, work)?
    }
}
