//! The first run of a comparison, which is simulated again for what is plotted only after it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flockwork_engine::live::{Session, Tracks};
use flockwork_engine::sim::Simulation;
use flockwork_engine::world::AgentId;

use super::super::plot::{PlotMoment, PlotSource, Series};
use super::super::plot_expression::PlotExpression;

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

    /// Returns whether its positions are the ghost of a session.
    pub(super) fn is_ghost_of(&self, session: &Session) -> bool {
        session.ghost().is_some_and(|ghost| Arc::ptr_eq(ghost, &self.ghost))
    }

    /// Returns whether it is being simulated again.
    pub(super) fn is_filling(&self) -> bool {
        self.filling.is_some()
    }

    /// Simulates some of its ticks again, as long as a time slice lasts, and returns the values of some sources once all are known.
    /// `agent` is the one whose speed is recorded.
    pub(super) fn fill(
        &mut self,
        wanted: &BTreeSet<PlotSource>,
        expressions: &Arc<[PlotExpression]>,
        agent: Option<AgentId>,
        slice: Duration,
    ) -> BTreeMap<PlotSource, Series> {
        let filling = self.filling.take();
        if wanted.is_empty() {
            return BTreeMap::new();
        }
        let filling = filling.filter(|filling| filling.series.keys().eq(wanted.iter()));
        let mut filling = filling.unwrap_or_else(|| Filling {
            simulation: self.start.clone(),
            series: wanted.iter().map(|source| (source.clone(), Series::default())).collect(),
        });
        let since = Instant::now();
        loop {
            filling.record(expressions, agent);
            let is_last = filling.simulation.world().tick >= self.end;
            if is_last || filling.simulation.step().is_err() {
                return filling.series;
            }
            let _ = filling.simulation.take_messages();
            if since.elapsed() >= slice {
                self.filling = Some(filling);
                return BTreeMap::new();
            }
        }
    }
}

impl Filling {
    /// Keeps the values of its tick.
    fn record(&mut self, expressions: &Arc<[PlotExpression]>, agent: Option<AgentId>) {
        let at = PlotMoment::new(&self.simulation, None, expressions);
        for (source, series) in &mut self.series {
            series.insert(self.simulation.world().tick, source.value(&at, agent));
        }
    }
}
