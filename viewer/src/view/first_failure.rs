//! The failure that a window can open at: the first one of a run.

use flockwork_engine::world::AgentId;
use flockwork_engine::{AgentError, Run};

/// The first failure of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FirstFailure {
    /// Index of the expectation in the scenario.
    pub index: usize,
    /// The expectation, as it is written.
    pub expectation: String,
    /// The unit of its margin.
    pub unit: &'static str,
    /// The tick at which it fails first.
    pub tick: u64,
    /// The agent for which it fails, if it is about one; of two, the one that does not react to the other.
    pub agent: Option<AgentId>,
}

impl FirstFailure {
    /// Simulates a run to its end. `None` if no expectation fails.
    ///
    /// # Errors
    ///
    /// If a script fails before any expectation does.
    pub(crate) fn find(mut run: Run) -> Result<Option<Self>, AgentError> {
        let mut judge = run.judge();
        let mut error = None;
        while error.is_none() && run.tick() < run.ticks() {
            match run.step() {
                Ok(_) => judge.tick(run.simulation()),
                Err(failed) => error = Some(failed),
            }
        }
        if error.is_none() {
            judge.end(run.simulation());
        }
        let units: Vec<&'static str> = judge.margins().iter().map(|margin| margin.unit).collect();
        let first = judge.into_failures().into_iter().min_by_key(|failure| failure.tick);
        let Some(first) = first else {
            return error.map_or(Ok(None), Err);
        };
        let index = first.expectation;
        Ok(Some(Self {
            index,
            expectation: run.expectations()[index].to_string(),
            unit: units[index],
            tick: first.tick,
            agent: first.first_and_other().0,
        }))
    }
}
