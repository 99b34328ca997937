//! Records values over time while a plot is open, and simulates earlier ticks again for what is missing.

use std::collections::BTreeMap;
use std::time::Instant;

use flockwork_engine::live::Replay;
use flockwork_engine::sim::Simulation;
use flockwork_engine::trace::MeasuredAgents;

use super::super::plot::{PlotSource, Series, ShownPlot, recorded};
use super::{Player, SLICE};

/// The recorded values, and what is shown of them.
#[derive(Default)]
pub(super) struct Plots {
    shown: Option<PlotSource>,
    series: BTreeMap<PlotSource, Series>,
    /// The agent whose speed is recorded.
    agent: Option<u32>,
    /// The last tick of the session when it was last looked at.
    end: u64,
    /// Simulates ticks again whose values are missing.
    replay: Option<Replay>,
    /// Whether a replay could not reach what is missing.
    has_given_up: bool,
}

impl Plots {
    /// Chooses what is plotted.
    pub(super) fn show(&mut self, source: Option<PlotSource>) {
        self.has_given_up = false;
        self.shown = source;
        if self.shown.is_none() {
            self.replay = None;
        }
    }

    /// Drops the values of a tick and of all later ones.
    pub(super) fn drop_from(&mut self, tick: u64) {
        self.has_given_up = false;
        self.replay = None;
        for series in self.series.values_mut() {
            series.drop_from(tick);
        }
    }

    pub(super) fn is_filling(&self) -> bool {
        self.replay.is_some()
    }

    /// Returns what the screen shows.
    pub(super) fn shown(&self, simulation: &Simulation) -> Option<ShownPlot> {
        let source = self.shown.as_ref()?;
        let of = MeasuredAgents::new(simulation, None, None);
        Some(ShownPlot {
            now: source.value(simulation, &of, self.agent),
            is_filling: self.is_filling(),
            ..ShownPlot::new(source.clone(), self.series.get(source)?)
        })
    }

    /// Keeps the values of a tick that are missing.
    fn record(&mut self, simulation: &Simulation) {
        let Some(shown) = &self.shown else { return };
        let tick = simulation.world().tick;
        if self.series.get(shown).is_some_and(|series| !series.wants(tick)) {
            return;
        }
        let of = MeasuredAgents::new(simulation, None, None);
        for source in recorded().chain([shown.clone()]) {
            let series = self.series.entry(source.clone()).or_default();
            if series.wants(tick) {
                series.put(tick, source.value(simulation, &of, self.agent));
            }
        }
    }
}

impl Player {
    /// Records the values of the current tick, if a plot is open, and drops those of ticks that the session has dropped.
    pub(super) fn record_plots(&mut self) {
        let (session, plots) = (&self.session, &mut self.plots);
        let (first, end) = (session.first(), session.end());
        if end < plots.end {
            plots.drop_from(end);
        }
        plots.end = end;
        if plots.agent != self.selected {
            plots.agent = self.selected;
            plots.has_given_up = false;
            plots.series.remove(&PlotSource::Speed);
        }
        if plots.shown.is_some() {
            plots.series.values_mut().for_each(|series| series.drop_before(first));
        }
        plots.record(session.simulation());
    }

    /// Simulates some earlier ticks again if their values are missing, and returns whether there were any.
    pub(super) fn fill_plots(&mut self) -> bool {
        self.record_plots();
        let (session, plots) = (&self.session, &mut self.plots);
        let replay = plots.replay.take();
        let shown = plots.shown.as_ref().and_then(|source| plots.series.get(source));
        let Some(missing) = shown
            .filter(|_| self.is_visible && !plots.has_given_up)
            .and_then(|series| series.missing(session.first(), session.end()))
        else {
            return replay.is_some();
        };
        let mut replay = replay
            .filter(|replay| replay.tick() <= missing)
            .unwrap_or_else(|| session.replay(missing));
        let is_resting = !self.is_playing && self.target.is_none();
        let slice = if is_resting { SLICE } else { SLICE / 3 };
        let since = Instant::now();
        plots.record(replay.simulation());
        while since.elapsed() < slice {
            if !session.advance(&mut replay) {
                let series = plots.shown.as_ref().and_then(|source| plots.series.get(source));
                plots.has_given_up = series
                    .is_some_and(|series| series.missing(session.first(), session.end()).is_some());
                return true;
            }
            plots.record(replay.simulation());
        }
        plots.replay = Some(replay);
        true
    }
}
