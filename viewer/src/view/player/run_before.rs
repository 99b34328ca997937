//! The first run of a comparison, which is simulated again for what is plotted only after it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flockwork_engine::live::{Session, Tracks};
use flockwork_engine::sim::Simulation;

use super::super::plot::{PlotMoment, PlotSource, Series};
use super::plots::Plots;

/// The first run of a comparison.
pub(super) struct RunBefore {
    /// Its first tick, with its params.
    start: Simulation,
    /// Its last tick.
    end: u64,
    /// Its positions: it is of interest as long as they are the ghost.
    ghost: Arc<Tracks>,
    /// What is simulated again, until all ticks are.
    filling: Option<Filling>,
}

/// A run that is simulated again.
struct Filling {
    simulation: Simulation,
    series: BTreeMap<PlotSource, Series>,
}

impl RunBefore {
    pub(super) fn new(start: Simulation, end: u64, ghost: Arc<Tracks>) -> Self {
        Self { start, end, ghost, filling: None }
    }
}

impl Plots {
    /// Keeps the first run of a comparison for what is plotted only after it.
    pub(super) fn keep_run_before(&mut self, run: RunBefore) {
        self.run_before = Some(run);
    }

    /// Returns whether the run before is being simulated again.
    pub(super) fn is_filling_before(&self) -> bool {
        self.run_before.as_ref().is_some_and(|run| run.filling.is_some())
    }

    /// Returns the shown curves that have no values of the run before. A margin is known only while the run is judged.
    fn without_before(&self) -> impl Iterator<Item = &PlotSource> {
        let is_missing = |source: &&PlotSource| {
            let dropped = self.dropped.get(source);
            !source.is_margin() && dropped.is_none_or(|series| series.values.is_empty())
        };
        self.curves.iter().filter(is_missing)
    }

    /// Simulates some ticks of the run before again if shown curves have no values of it, and returns whether there were any.
    pub(super) fn fill_before(&mut self, session: &Session, slice: Duration) -> bool {
        let is_ghost =
            |run: &RunBefore| session.ghost().is_some_and(|ghost| Arc::ptr_eq(ghost, &run.ghost));
        let Some(mut run) = self.run_before.take().filter(is_ghost) else { return false };
        let wanted: BTreeSet<PlotSource> = self.without_before().cloned().collect();
        if wanted.is_empty() {
            run.filling = None;
            self.run_before = Some(run);
            return false;
        }
        let has_all = |filling: &Filling| filling.series.keys().eq(wanted.iter());
        let filling = run.filling.take().filter(has_all);
        let mut filling = filling.unwrap_or_else(|| Filling {
            simulation: run.start.clone(),
            series: wanted.into_iter().map(|source| (source, Series::default())).collect(),
        });
        let since = Instant::now();
        loop {
            let tick = filling.simulation.world().tick;
            self.record_before(&mut filling);
            if tick >= run.end || filling.simulation.step().is_err() {
                self.dropped.extend(filling.series);
                break;
            }
            let _ = filling.simulation.take_messages();
            if since.elapsed() >= slice {
                run.filling = Some(filling);
                break;
            }
        }
        self.run_before = Some(run);
        true
    }

    /// Keeps the values of a tick of the run before.
    fn record_before(&self, Filling { simulation, series }: &mut Filling) {
        let at = PlotMoment::new(simulation, None, &self.expressions);
        for (source, series) in series {
            series.insert(simulation.world().tick, source.value(&at, self.agent));
        }
    }
}
