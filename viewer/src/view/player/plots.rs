//! The values over time that are recorded while a plot is open.

use std::collections::BTreeMap;

use flockwork_engine::live::{JudgedFiles, Replay, Session};
use flockwork_engine::world::AgentId;

use super::super::plot::{PlotMoment, PlotSource, Series, ShownPlot, recorded_sources};

/// The recorded values, and what is shown of them.
#[derive(Default)]
pub(super) struct Plots {
    shown: Option<PlotSource>,
    series: BTreeMap<PlotSource, Series>,
    /// The values that were recorded of the ghost: of the future that was dropped last, or of the baseline.
    dropped: BTreeMap<PlotSource, Series>,
    /// The agent whose speed is recorded.
    agent: Option<AgentId>,
    /// The files whose margins are recorded.
    judged: Option<JudgedFiles>,
    /// The last tick of the session when it was last looked at.
    end: u64,
    /// Simulates ticks again whose values or judgments are missing.
    pub(super) replay: Option<Replay>,
    /// Whether a replay could not reach what is missing.
    pub(super) has_given_up: bool,
}

impl Plots {
    /// Chooses what is plotted.
    pub(super) fn show(&mut self, source: Option<PlotSource>) {
        self.try_again();
        self.shown = source;
        if self.shown.is_none() {
            self.replay = None;
        }
    }

    /// Looks again for what is missing, even if it could not be reached.
    pub(super) fn try_again(&mut self) {
        self.has_given_up = false;
    }

    /// Takes the values so far for those of the ghost.
    pub(super) fn keep(&mut self) {
        self.dropped = self.series.clone();
    }

    /// Drops the values of a tick and of all later ones. They become those of the ghost, unless it is kept.
    pub(super) fn drop_from(&mut self, tick: u64, is_ghost_kept: bool) {
        self.try_again();
        self.replay = None;
        let dropped = self.series.iter_mut();
        let dropped = dropped.map(|(source, series)| (source.clone(), series.drop_from(tick)));
        let dropped: BTreeMap<_, _> = dropped.collect();
        if tick < self.end {
            if !is_ghost_kept {
                self.dropped = dropped;
            }
            self.end = tick;
        }
    }

    /// Returns the tick that is simulated again, if something is missing.
    pub(super) fn filled_to(&self) -> Option<u64> {
        self.replay.as_ref().map(Replay::tick)
    }

    /// Returns whether the margin of an expectation is shown.
    pub(super) fn shows_margin(&self) -> bool {
        self.shown.as_ref().is_some_and(PlotSource::is_margin)
    }

    /// Returns what the screen shows.
    pub(super) fn shown_plot(&self, session: &Session) -> Option<ShownPlot> {
        let source = self.shown.as_ref()?;
        let at = PlotMoment::new(session.simulation(), session.judged());
        let dropped = self.dropped.get(source).filter(|_| session.ghost().is_some());
        Some(ShownPlot {
            source: source.clone(),
            series: self.series.get(source)?.clone(),
            dropped: dropped.filter(|series| !series.values.is_empty()).cloned(),
            now: source.value(&at, self.agent),
            is_filling: self.replay.is_some(),
        })
    }

    /// Records the values of the current tick of a session, if a plot is open, and drops those of ticks that the session has
    /// dropped. `selected` is the agent whose speed is recorded.
    pub(super) fn update(&mut self, session: &Session, selected: Option<AgentId>) {
        let (first, end) = (session.first(), session.end());
        if end < self.end {
            self.drop_from(end, session.is_ghost_kept());
        }
        self.end = end;
        if self.agent != selected {
            self.agent = selected;
            self.try_again();
            self.series.remove(&PlotSource::Speed);
            self.dropped.remove(&PlotSource::Speed);
        }
        if self.shown.is_some() {
            self.series.values_mut().for_each(|series| series.drop_before(first));
        }
        if let Some(shown) = self.shown.clone().filter(PlotSource::is_margin) {
            let files = session.judged_files();
            if self.judged.as_ref() != Some(&files) {
                self.judged = Some(files);
                self.try_again();
                self.series.retain(|source, _| !source.is_margin());
            }
            if session.lacks_judgment() {
                // Its value is not known yet.
                self.series.entry(shown).or_default();
                return;
            }
        }
        self.record(&PlotMoment::new(session.simulation(), session.judged()));
    }

    /// Keeps the values of a tick that are missing.
    fn record(&mut self, at: &PlotMoment<'_>) {
        let Some(shown) = &self.shown else { return };
        let tick = at.simulation.world().tick;
        if self.series.get(shown).is_some_and(|series| !series.wants(tick)) {
            return;
        }
        for source in recorded_sources().chain([shown.clone()]) {
            let series = self.series.entry(source.clone()).or_default();
            if series.wants(tick) {
                series.insert(tick, source.value(at, self.agent));
            }
        }
    }

    /// Keeps the values of a tick that is simulated again.
    pub(super) fn record_replay(&mut self, replay: &Replay) {
        self.record(&PlotMoment::new(replay.simulation(), replay.judged()));
    }

    /// Returns the first tick between two whose value is missing.
    pub(super) fn missing(&self, first: u64, last: u64) -> Option<u64> {
        self.series.get(self.shown.as_ref()?)?.missing(first, last)
    }
}
