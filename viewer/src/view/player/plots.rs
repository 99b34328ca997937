//! Records values over time while a plot is open, and simulates earlier ticks again for what is missing: values, and the
//! judgment of the expectations.

use std::collections::BTreeMap;
use std::time::Instant;

use flockwork_engine::live::{JudgedFiles, Replay, Session};
use flockwork_engine::world::AgentId;

use super::super::plot::{PlotMoment, PlotSource, Series, ShownPlot, recorded};
use super::{Player, SLICE};

/// The recorded values, and what is shown of them.
#[derive(Default)]
pub(super) struct Plots {
    shown: Option<PlotSource>,
    series: BTreeMap<PlotSource, Series>,
    /// What was recorded of the ghost: of the future that was dropped last, or of the baseline.
    dropped: BTreeMap<PlotSource, Series>,
    /// The agent whose speed is recorded.
    agent: Option<AgentId>,
    /// The files whose margins are recorded.
    judged: Option<JudgedFiles>,
    /// The last tick of the session when it was last looked at.
    end: u64,
    /// Simulates ticks again whose values or judgments are missing.
    replay: Option<Replay>,
    /// Whether a replay could not reach what is missing.
    has_given_up: bool,
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
    pub(super) fn shown(&self, session: &Session) -> Option<ShownPlot> {
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

    /// Keeps the values of a tick that are missing.
    fn record(&mut self, at: &PlotMoment<'_>) {
        let Some(shown) = &self.shown else { return };
        let tick = at.simulation.world().tick;
        if self.series.get(shown).is_some_and(|series| !series.wants(tick)) {
            return;
        }
        for source in recorded().chain([shown.clone()]) {
            let series = self.series.entry(source.clone()).or_default();
            if series.wants(tick) {
                series.put(tick, source.value(at, self.agent));
            }
        }
    }

    fn record_replay(&mut self, replay: &Replay) {
        self.record(&PlotMoment::new(replay.simulation(), replay.judged()));
    }

    /// Returns the first tick between two whose value is missing.
    fn missing(&self, first: u64, last: u64) -> Option<u64> {
        self.series.get(self.shown.as_ref()?)?.missing(first, last)
    }
}

impl Player {
    /// Notes what has failed, records the values of the current tick, if a plot is open, and drops those of ticks that the
    /// session has dropped.
    pub(super) fn record(&mut self) {
        self.note_failures();
        let (session, plots) = (&self.session, &mut self.plots);
        let (first, end) = (session.first(), session.end());
        if end < plots.end {
            plots.drop_from(end, session.is_ghost_kept());
        }
        plots.end = end;
        if plots.agent != self.selected {
            plots.agent = self.selected;
            plots.try_again();
            plots.series.remove(&PlotSource::Speed);
            plots.dropped.remove(&PlotSource::Speed);
        }
        if plots.shown.is_some() {
            plots.series.values_mut().for_each(|series| series.drop_before(first));
        }
        if let Some(shown) = plots.shown.clone().filter(PlotSource::is_margin) {
            let files = session.judged_files();
            if plots.judged.as_ref() != Some(&files) {
                plots.judged = Some(files);
                plots.try_again();
                plots.series.retain(|source, _| !source.is_margin());
            }
            if session.lacks_judgment() {
                // Its value is not known yet.
                plots.series.entry(shown).or_default();
                return;
            }
        }
        plots.record(&PlotMoment::new(session.simulation(), session.judged()));
    }

    /// Returns an earlier tick that has to be simulated again, or to which ticks have to be judged.
    fn missing_tick(&self) -> Option<u64> {
        let (session, plots) = (&self.session, &self.plots);
        let is_wanted = self.is_visible || self.pause_on_failure.is_some();
        if plots.has_given_up || !is_wanted {
            return None;
        }
        let value = plots.missing(session.first(), session.end()).filter(|_| self.is_visible);
        value.or_else(|| session.lacks_judgment().then(|| session.tick()))
    }

    /// Simulates some earlier ticks again if their values or judgments are missing, and returns whether there were any.
    pub(super) fn fill_plots(&mut self) -> bool {
        self.record();
        let replay = self.plots.replay.take();
        let Some(missing) = self.missing_tick() else {
            return replay.is_some();
        };
        let is_unjudged = self.session.lacks_judgment();
        let mut replay = self.session.replay(missing, replay);
        let is_resting = !self.is_playing && self.target.is_none();
        let slice = if is_resting { SLICE } else { SLICE / 3 };
        let since = Instant::now();
        self.plots.record_replay(&replay);
        while since.elapsed() < slice {
            if is_unjudged && !self.session.lacks_judgment() {
                self.pause_after_failure();
                break;
            }
            if !self.session.advance(&mut replay) {
                self.plots.has_given_up = self.missing_tick().is_some();
                return true;
            }
            self.plots.record_replay(&replay);
        }
        self.plots.replay = Some(replay);
        true
    }
}
