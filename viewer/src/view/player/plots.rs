//! The values over time that are recorded while a plot is open, and always in small worlds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use flockwork_engine::live::{JudgedFiles, Replay, Session};
use flockwork_engine::trace::MeasureNames;
use flockwork_engine::world::AgentId;

use super::super::plot::{
    PlotCurve, PlotMoment, PlotSource, Series, ShownPlot, measures, recorded_sources,
};
use super::super::plot_expression::PlotExpression;
use super::Player;
use super::run_before::RunBefore;

/// In a world with at most so many agents, measures take no time that matters, and are recorded without a plot.
const SMALL: usize = 500;

/// The recorded values, and what is shown of them.
#[derive(Default)]
pub(super) struct Plots {
    shown: Vec<PlotSource>,
    /// What the curves of the shown plots show.
    curves: Vec<PlotSource>,
    /// What is recorded besides in the first run of a comparison: nobody can simulate that again when a plot is opened later.
    for_later: Vec<PlotSource>,
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
    /// The expressions of the person, which can be plotted.
    expressions: Arc<[PlotExpression]>,
    /// The first run of the latest comparison.
    run_before: Option<RunBefore>,
}

impl Player {
    /// Compiles an expression to plot, and tries it: at the first tick if there are no agents now. The error says what is wrong with it.
    pub(super) fn plot_expression(&mut self, text: String) -> Result<PlotExpression, String> {
        let now = self.session.simulation();
        if now.world().agents.is_empty() {
            let first = self.session.replay(self.session.first(), None);
            return PlotExpression::new(text, first.simulation());
        }
        PlotExpression::new(text, now)
    }
}

impl Plots {
    /// Chooses what is plotted, from the top down.
    pub(super) fn show(&mut self, sources: Vec<PlotSource>) {
        self.try_again();
        self.shown = sources;
        self.curves.clear();
        if self.shown.is_empty() {
            self.replay = None;
        }
    }

    /// Records from now on what may be plotted later, of a session.
    pub(super) fn record_for_later(&mut self, session: &Session) {
        let world = session.simulation().world();
        let counts = PlotSource::AllCounts.curves(world);
        let values = MeasureNames::from_world(world).of_values();
        let values = values.iter().map(|one| PlotSource::Value(one.name().to_owned()));
        let margins = session.expectations().iter().map(PlotSource::from);
        let expressions = self.expressions.iter().map(PlotSource::from);
        let is_small = world.agents.len() <= SMALL;
        let measures = measures().filter(|_| is_small).map(PlotSource::Measure);
        let all =
            counts.into_iter().chain(values).chain(margins).chain(expressions).chain(measures);
        self.for_later = all.collect();
    }

    /// Records besides only the numbers of agents from now on.
    pub(super) fn record_only_counts_for_later(&mut self) {
        self.for_later.retain(|source| matches!(source, PlotSource::Count(_)));
    }

    /// Records only what is shown again.
    pub(super) fn end_recording_for_later(&mut self) {
        self.for_later.clear();
    }

    /// Looks again for what is missing, even if it could not be reached.
    pub(super) fn try_again(&mut self) {
        self.has_given_up = false;
    }

    /// Adds an expression that can be plotted.
    pub(super) fn add_expression(&mut self, new: PlotExpression) {
        let old = self.expressions.iter().filter(|one| one.text != new.text).cloned();
        self.expressions = old.chain([new.clone()]).collect();
    }

    /// Returns the expressions that can be plotted, the latest last.
    pub(super) fn expressions(&self) -> Arc<[PlotSource]> {
        self.expressions.iter().map(PlotSource::from).collect()
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

    /// Keeps the first run of a comparison for what is plotted only after it.
    pub(super) fn keep_run_before(&mut self, run: RunBefore) {
        self.run_before = Some(run);
    }

    /// Returns whether the run before is being simulated again.
    pub(super) fn is_filling_before(&self) -> bool {
        self.run_before.as_ref().is_some_and(RunBefore::is_filling)
    }

    /// Simulates some ticks of the run before again if shown curves have no values of it, and returns whether there were any.
    pub(super) fn fill_before(&mut self, session: &Session, slice: Duration) -> bool {
        let run = self.run_before.take().filter(|run| run.is_ghost_of(session));
        let Some(mut run) = run else { return false };
        // A margin is known only while the run is judged.
        let is_missing = |source: &&PlotSource| {
            let dropped = self.dropped.get(source);
            !source.is_margin() && dropped.is_none_or(|series| series.values.is_empty())
        };
        let wanted: BTreeSet<PlotSource> = self.curves.iter().filter(is_missing).cloned().collect();
        self.dropped.extend(run.fill(&wanted, &self.expressions, self.agent, slice));
        self.run_before = Some(run);
        !wanted.is_empty()
    }

    /// Returns what is shown, from the top down.
    pub(super) fn shown(&self) -> impl Iterator<Item = &PlotSource> {
        self.shown.iter()
    }

    /// Returns whether the margin of an expectation is shown.
    pub(super) fn shows_margin(&self) -> bool {
        self.shown.iter().any(PlotSource::is_margin)
    }

    /// Returns what the screen shows.
    pub(super) fn shown_plots(&self, session: &Session) -> Vec<ShownPlot> {
        let at = PlotMoment::new(session.simulation(), session.judged(), &self.expressions);
        let has_dashed = session.ghost().is_some()
            && self.dropped.values().any(|series| !series.values.is_empty());
        let plot = |source: &PlotSource| {
            let curves = source.curves(session.simulation().world());
            let curve = |source| self.curve(source, session, &at);
            let curves: Vec<_> = curves.into_iter().filter_map(curve).collect();
            let source = source.clone();
            (!curves.is_empty()).then_some(ShownPlot {
                source,
                lacks_dashed: has_dashed && curves.iter().all(|curve| curve.dropped.is_none()),
                curves,
                is_filling: self.replay.is_some() || self.is_filling_before(),
            })
        };
        self.shown.iter().filter_map(plot).collect()
    }

    /// Returns the curve of something, if values of it are recorded.
    fn curve(
        &self,
        source: PlotSource,
        session: &Session,
        at: &PlotMoment<'_>,
    ) -> Option<PlotCurve> {
        let dropped = self.dropped.get(&source).filter(|_| session.ghost().is_some());
        Some(PlotCurve {
            series: self.series.get(&source)?.clone(),
            dropped: dropped.filter(|series| !series.values.is_empty()).cloned(),
            now: source.value(at, self.agent),
            source,
        })
    }

    /// Returns the numbers of agents of each group, if one of them changes in this run or in that of the ghost.
    pub(super) fn changing_counts(&self, session: &Session) -> Vec<PlotCurve> {
        let at = PlotMoment::new(session.simulation(), session.judged(), &self.expressions);
        let counts = PlotSource::AllCounts.curves(session.simulation().world());
        let curves = counts.into_iter().filter_map(|source| self.curve(source, session, &at));
        let curves: Vec<PlotCurve> = curves.collect();
        let changes = |series: &Series| series.values.windows(2).any(|pair| pair[0].1 != pair[1].1);
        let has_change = curves
            .iter()
            .any(|one| changes(&one.series) || one.dropped.as_ref().is_some_and(changes));
        if has_change { curves } else { Vec::new() }
    }

    /// Records the values of the current tick of a session, if a plot is open, and drops those of ticks that the session has
    /// dropped. `selected` is the agent whose speed is recorded.
    pub(super) fn update(&mut self, session: &Session, selected: Option<AgentId>) {
        let (first, end) = (session.first(), session.end());
        if end < self.end {
            self.drop_from(end, session.is_ghost_kept());
        }
        self.end = end;
        let world = session.simulation().world();
        self.curves = self.shown.iter().flat_map(|source| source.curves(world)).collect();
        if self.agent != selected {
            self.agent = selected;
            self.try_again();
            self.series.remove(&PlotSource::Speed);
            self.dropped.remove(&PlotSource::Speed);
        }
        self.series.values_mut().for_each(|series| series.drop_before(first));
        if self.shows_margin() {
            let files = session.judged_files();
            if self.judged.as_ref() != Some(&files) {
                self.judged = Some(files);
                self.try_again();
                self.series.retain(|source, _| !source.is_margin());
            }
        }
        let at = PlotMoment::new(session.simulation(), session.judged(), &self.expressions);
        self.record(&at, !session.lacks_judgment());
    }

    /// Keeps the values of a tick that are missing. `is_judged` is false while its margins are not known yet.
    fn record(&mut self, at: &PlotMoment<'_>, is_judged: bool) {
        let tick = at.simulation.world().tick;
        let wants =
            |source: &PlotSource| self.series.get(source).is_none_or(|series| series.wants(tick));
        // So that a plot that is opened later has the values of the ghost, too.
        let is_small = at.simulation.world().agents.len() <= SMALL;
        let is_recorded = is_small && recorded_sources().any(|source| wants(&source));
        if !is_recorded && !self.curves.iter().chain(&self.for_later).any(wants) {
            return;
        }
        let more = self.curves.iter().chain(&self.for_later);
        for source in recorded_sources().chain(more.cloned()) {
            let is_known = is_judged || !source.is_margin();
            let series = self.series.entry(source.clone()).or_default();
            if is_known && series.wants(tick) {
                series.insert(tick, source.value(at, self.agent));
            }
        }
    }

    /// Keeps the values of a tick that is simulated again.
    pub(super) fn record_replay(&mut self, replay: &Replay) {
        let at = PlotMoment::new(replay.simulation(), replay.judged(), &self.expressions);
        self.record(&at, true);
    }

    /// Returns the first tick between two whose value is missing.
    pub(super) fn missing(&self, first: u64, last: u64) -> Option<u64> {
        let series = self.curves.iter().filter_map(|source| self.series.get(source));
        series.filter_map(|series| series.missing(first, last)).min()
    }
}
