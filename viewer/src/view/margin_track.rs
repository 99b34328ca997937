//! The margin of an expectation that fails, over the whole run: how the run comes to its failure.

use flockwork_engine::{AgentError, Run};

/// The margin of the expectation that fails first, tick by tick.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MarginTrack {
    /// Index of the expectation in the scenario.
    pub index: usize,
    /// The expectation, as it is written.
    pub expectation: String,
    /// The unit of the margin.
    pub unit: &'static str,
    /// The tick at which it fails first.
    pub failed_at: u64,
    /// The agent for which it fails, if it is about one.
    pub agent: Option<u32>,
    /// Ticks with the margin there, in order. Ticks without a margin are left out.
    pub values: Vec<(u64, f32)>,
}

impl MarginTrack {
    /// Simulates a run to its end. `None` if no expectation fails.
    ///
    /// # Errors
    ///
    /// If a script fails before any expectation does.
    pub(crate) fn of(mut run: Run) -> Result<Option<Self>, AgentError> {
        let mut judge = run.judge_with_margins();
        let mut tracks = vec![Vec::new(); run.expectations().len()];
        let mut failed: Option<AgentError> = None;
        loop {
            let tick = run.tick();
            for (margin, track) in judge.margins().iter().zip(&mut tracks) {
                track.extend(margin.latest.map(|value| (tick, value)));
            }
            if tick >= run.ticks() {
                break;
            }
            if let Err(error) = run.step() {
                failed = Some(error);
                break;
            }
            judge.tick(run.simulation());
        }
        if failed.is_none() {
            judge.end(run.simulation());
        }
        let units: Vec<&'static str> = judge.margins().iter().map(|margin| margin.unit).collect();
        let first = judge.into_failures().into_iter().min_by_key(|failure| failure.tick);
        let Some(first) = first else {
            return failed.map_or(Ok(None), Err);
        };
        let index = first.expectation;
        Ok(Some(Self {
            index,
            expectation: run.expectations()[index].to_string(),
            unit: units[index],
            failed_at: first.tick,
            agent: first.agent,
            values: std::mem::take(&mut tracks[index]),
        }))
    }

    /// Returns the margin at a tick, or the last one before it.
    pub(super) fn at(&self, tick: u64) -> Option<f32> {
        let after = self.values.partition_point(|(of, _)| *of <= tick);
        self.values.get(after.checked_sub(1)?).map(|(_, value)| *value)
    }
}
