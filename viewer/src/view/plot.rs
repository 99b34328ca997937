//! Values over time: the sources of plots, and the values of the ticks.

use std::cell::OnceCell;
use std::sync::Arc;

use flockwork_engine::live::{Judged, ListedExpectation};
use flockwork_engine::math;
use flockwork_engine::sim::Simulation;
use flockwork_engine::trace::{AgentsByGroup, Measure, MeasureNames, MeasuredAgents};
use flockwork_engine::world::{AgentId, World};

use super::first_failure::FirstFailure;
use super::plot_expression::{ExpressionKind, PlotExpression};
use super::tune::Knob;

/// Something that is plotted over time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PlotSource {
    /// A measure of all agents.
    Measure(Measure),
    /// A shared value, or the mean of a public value in a group, by the name of the measure.
    Value(String),
    /// A measure of the agents of a group.
    OfGroup {
        /// The group's name.
        group: String,
        measure: Measure,
    },
    /// The number of agents of a group, by its name.
    Count(String),
    /// The numbers of agents of all groups, with a curve for each.
    AllCounts,
    /// The speed of the selected agent.
    Speed,
    /// A number in the params of a group.
    Param {
        /// The group's name.
        group: String,
        knob: Knob,
    },
    /// An expression of the person.
    Expression { text: String, kind: ExpressionKind },
    /// The margin of an expectation.
    Margin {
        /// How it is written.
        expectation: String,
        unit: &'static str,
    },
}

impl From<&ListedExpectation> for PlotSource {
    fn from(listed: &ListedExpectation) -> Self {
        Self::Margin { expectation: listed.text.clone(), unit: listed.unit }
    }
}

impl From<&PlotExpression> for PlotSource {
    fn from(expression: &PlotExpression) -> Self {
        Self::Expression { text: expression.text.clone(), kind: expression.kind }
    }
}

impl From<&FirstFailure> for PlotSource {
    fn from(failure: &FirstFailure) -> Self {
        Self::Margin { expectation: failure.expectation.clone(), unit: failure.unit }
    }
}

/// Returns the measures that need a single tick alone, in plotting order.
pub(super) fn measures() -> impl Iterator<Item = Measure> {
    let all = Measure::ALL.iter().copied().filter(|measure| !measure.needs_totals());
    // The number of agents rarely changes.
    let (first, last): (Vec<_>, Vec<_>) = all.partition(|measure| *measure != Measure::Agents);
    first.into_iter().chain(last)
}

/// Returns what is recorded at each tick while any plot is open: it is cheap and needs no names.
pub(super) fn recorded_sources() -> impl Iterator<Item = PlotSource> {
    let cheap = measures().filter(|measure| !measure.is_expensive());
    cheap.map(PlotSource::Measure).chain([PlotSource::Speed])
}

impl PlotSource {
    pub(super) fn is_margin(&self) -> bool {
        matches!(self, Self::Margin { .. })
    }

    /// Returns what its curves show: a group each, or only itself.
    pub(super) fn curves(&self, world: &World) -> Vec<Self> {
        match self {
            Self::AllCounts => {
                world.groups.iter().map(|group| Self::Count(group.name.to_string())).collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// Returns whether some of its values may be less than 0.
    pub(super) fn can_be_negative(&self) -> bool {
        match self {
            Self::Value(_) | Self::Param { .. } | Self::Margin { .. } => true,
            Self::Expression { kind, .. } => *kind != ExpressionKind::Count,
            Self::Measure(_) | Self::OfGroup { .. } | Self::Count(_) => false,
            Self::AllCounts | Self::Speed => false,
        }
    }

    /// Returns the unit of its values; empty if there is none.
    pub(super) fn unit(&self) -> &'static str {
        match self {
            Self::Measure(measure) | Self::OfGroup { measure, .. } => measure.unit(),
            Self::Speed => Measure::MeanSpeed.unit(),
            Self::Value(_) | Self::Param { .. } => "",
            Self::Expression { kind: ExpressionKind::Mean | ExpressionKind::Measure, .. } => "",
            Self::Count(_) | Self::AllCounts => "agents",
            Self::Expression { kind: ExpressionKind::Count, .. } => "agents",
            Self::Margin { unit, .. } => unit,
        }
    }

    /// Returns its value at a tick, if it has only one.
    pub(super) fn value(&self, at: &PlotMoment<'_>, selected: Option<AgentId>) -> Option<f32> {
        let world = at.simulation.world();
        match self {
            Self::Measure(measure) => {
                let agents = || MeasuredAgents::new(at.simulation, None);
                measure.take(at.agents.get_or_init(agents)).map(f32::from)
            }
            Self::OfGroup { group, measure } => {
                let group = world.names().group(group)?;
                let groups = || AgentsByGroup::new(at.simulation, None);
                measure.take(&at.groups.get_or_init(groups).group(group)).map(f32::from)
            }
            Self::Value(name) => MeasureNames::from_world(world).find(name).ok()?.value_in(world),
            Self::Count(group) => {
                let group = world.names().group(group)?;
                Some(world.agents.group.iter().filter(|of| **of == group).count() as f32)
            }
            Self::AllCounts => None,
            Self::Speed => {
                let row = world.agents.row(selected?)?;
                Some(math::length(world.agents.vel(row)))
            }
            Self::Param { group, knob } => {
                let group = world.names().group(group)?;
                knob.number(&world.group(group).params)
            }
            Self::Expression { text, kind } => {
                let is_it = |one: &&PlotExpression| one.text == *text && one.kind == *kind;
                at.expressions.iter().find(is_it)?.value(at.simulation)
            }
            Self::Margin { expectation, .. } => at.judged?.margin(expectation, at.simulation),
        }
        .filter(|value| value.is_finite())
    }
}

/// A tick from which values are taken.
pub(super) struct PlotMoment<'a> {
    pub(super) simulation: &'a Simulation,
    /// The agents with what measures need, which takes as long as a tick; so only if a measure is plotted.
    agents: OnceCell<MeasuredAgents<'a>>,
    /// The agents of each group.
    groups: OnceCell<AgentsByGroup<'a>>,
    /// The judgment of the expectations up to this tick.
    judged: Option<&'a Judged>,
    expressions: Arc<[PlotExpression]>,
}

impl<'a> PlotMoment<'a> {
    pub(super) fn new(
        simulation: &'a Simulation,
        judged: Option<&'a Judged>,
        expressions: &Arc<[PlotExpression]>,
    ) -> Self {
        let expressions = Arc::clone(expressions);
        let (agents, groups) = (OnceCell::new(), OnceCell::new());
        Self { simulation, agents, groups, judged, expressions }
    }
}

/// The values of the ticks, in order. `None` for a tick at which there is no such value.
pub(super) type PlotValues = Vec<(u64, Option<f32>)>;

/// Maximum number of values. Above it, every second tick is dropped.
pub(super) const MAX_VALUES: usize = 4096;

/// Values of one source over time.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) values: Arc<PlotValues>,
    /// Ticks from one value to the next.
    pub(super) every: u64,
}

impl Default for Series {
    fn default() -> Self {
        Self { values: Arc::default(), every: 1 }
    }
}

impl Series {
    /// Returns whether the value of a tick is missing.
    pub(super) fn wants(&self, tick: u64) -> bool {
        tick.is_multiple_of(self.every) && self.index_of(tick).is_err()
    }

    /// Keeps the value of a tick if it is missing.
    pub(super) fn insert(&mut self, tick: u64, value: Option<f32>) {
        let Err(index) = self.index_of(tick) else { return };
        if !tick.is_multiple_of(self.every) {
            return;
        }
        let values = Arc::make_mut(&mut self.values);
        values.insert(index, (tick, value));
        while values.len() > MAX_VALUES {
            self.every = self.every.saturating_mul(2);
            let every = self.every;
            values.retain(|(tick, _)| tick.is_multiple_of(every));
        }
    }

    /// Drops the values of a tick and of all later ones, and returns them.
    pub(super) fn drop_from(&mut self, tick: u64) -> Self {
        let kept = self.index_of(tick).unwrap_or_else(|index| index);
        let mut dropped = Vec::new();
        if kept < self.values.len() {
            dropped = Arc::make_mut(&mut self.values).split_off(kept);
        }
        Self { values: Arc::new(dropped), every: self.every }
    }

    /// Returns the value at a tick, or the last one before it, if values have been taken up to there.
    pub(super) fn at(&self, tick: u64) -> Option<f32> {
        let after = self.values.partition_point(|(of, _)| *of <= tick);
        let (at, value) = self.values.get(after.checked_sub(1)?)?;
        value.filter(|_| tick < at + self.every)
    }

    /// Drops the values before a tick.
    pub(super) fn drop_before(&mut self, tick: u64) {
        let dropped = self.index_of(tick).unwrap_or_else(|index| index);
        if dropped > 0 {
            Arc::make_mut(&mut self.values).drain(..dropped);
        }
    }

    /// Returns the first tick between two whose value is missing. All values must be between them.
    pub(super) fn missing(&self, first: u64, last: u64) -> Option<u64> {
        let mut next = first.next_multiple_of(self.every);
        let wanted = last.checked_sub(next)? / self.every + 1;
        if self.values.len() as u64 >= wanted {
            return None;
        }
        for (tick, _) in self.values.iter() {
            if *tick > next {
                break;
            }
            next = tick + self.every;
        }
        Some(next).filter(|next| *next <= last)
    }

    /// Returns the index of the value of a tick, or the one where it belongs.
    fn index_of(&self, tick: u64) -> Result<usize, usize> {
        // Nearly always, the tick is a new one.
        match self.values.last() {
            Some((last, _)) if *last < tick => Err(self.values.len()),
            _ => self.values.binary_search_by_key(&tick, |(tick, _)| *tick),
        }
    }
}

/// A plot as the screen shows it.
#[derive(Clone, Debug)]
pub(crate) struct ShownPlot {
    pub(super) source: PlotSource,
    /// At least one.
    pub(super) curves: Vec<PlotCurve>,
    /// Whether earlier ticks are being simulated again, because their values are missing.
    pub(super) is_filling: bool,
    /// Whether no curve has one of the run before, while other plots have.
    pub(super) lacks_dashed: bool,
}

/// A curve of a plot.
#[derive(Clone, Debug)]
pub(crate) struct PlotCurve {
    /// What it shows: something that has one value at each tick.
    pub(super) source: PlotSource,
    pub(super) series: Series,
    /// The values of the future that was dropped last, while it is the ghost.
    pub(super) dropped: Option<Series>,
    /// The value at the shown tick.
    pub(super) now: Option<f32>,
}

impl PlotCurve {
    /// Returns what a comparison tells of the values of the run: the smallest one of a margin, or else the mean. `None` if there are none.
    pub(super) fn told(&self) -> Option<f64> {
        self.told_of(self.series.values.iter().filter_map(|(_, value)| *value))
    }

    /// Returns what a comparison tells of the values of the run and of the ghost over the ticks that both have. `None` if there are none.
    pub(super) fn both_told(&self) -> Option<[f64; 2]> {
        let both = self.common_values();
        let [own, other] = [0, 1].map(|side| self.told_of(both.iter().map(|values| values[side])));
        Some([own?, other?])
    }

    fn told_of(&self, values: impl Iterator<Item = f32> + Clone) -> Option<f64> {
        if self.source.is_margin() {
            return values.reduce(math::min).map(f64::from);
        }
        let sum: f64 = values.clone().map(f64::from).sum();
        let count = values.count();
        (count > 0).then(|| sum / count as f64)
    }

    /// Returns the values of the run and of the ghost at the ticks at which both have one.
    fn common_values(&self) -> Vec<[f32; 2]> {
        let both = self
            .series
            .values
            .iter()
            .filter_map(|(tick, value)| Some([(*value)?, self.dropped.as_ref()?.at(*tick)?]));
        both.collect()
    }

    /// Returns whether the run has values at ticks at which the ghost has none.
    pub(super) fn is_dropped_short(&self) -> bool {
        let own = self.series.values.iter().filter(|(_, value)| value.is_some());
        own.count() > self.common_values().len()
    }

    /// Returns the means of the values of the run and of the ghost over the ticks that both have. `None` if there are none.
    pub(super) fn means(&self) -> Option<[f32; 2]> {
        let both = self.common_values();
        let sum = |side: usize| both.iter().map(|values| f64::from(values[side])).sum::<f64>();
        (!both.is_empty()).then(|| [0, 1].map(|side| (sum(side) / both.len() as f64) as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ticks(series: &Series) -> Vec<u64> {
        series.values.iter().map(|(tick, _)| *tick).collect()
    }

    #[test]
    fn a_long_series_keeps_every_second_tick_then_every_fourth() {
        let mut series = Series::default();
        for tick in 0..3 * MAX_VALUES as u64 {
            series.insert(tick, Some(tick as f32));
            assert!(series.values.len() <= MAX_VALUES);
        }
        assert_eq!(series.every, 4);
        let expected: Vec<u64> = (0..3 * MAX_VALUES as u64).step_by(4).collect();
        assert_eq!(ticks(&series), expected);
        assert!(series.values.iter().all(|(tick, value)| *value == Some(*tick as f32)));
        assert_eq!(series.missing(0, 3 * MAX_VALUES as u64 - 1), None);
        assert!(!series.wants(4 * MAX_VALUES as u64 + 2) && series.wants(4 * MAX_VALUES as u64));
    }

    proptest! {
        /// The first missing tick equals that of a search through all ticks.
        #[test]
        fn missing_ticks_are_found(
            there in prop::collection::btree_set(10u64..60, 0..50),
            every in 1u64..4,
            last in 9u64..60,
        ) {
            let mut series = Series { every, ..Series::default() };
            for tick in there.iter().rev() {
                series.insert(*tick, None);
            }
            series.drop_from(last + 1);
            let kept: Vec<u64> = there.iter().copied().filter(|tick| tick % every == 0 && *tick <= last).collect();
            prop_assert_eq!(&ticks(&series), &kept);
            let missing = (10..=last).find(|tick| tick % every == 0 && !kept.contains(tick));
            prop_assert_eq!(series.missing(10, last), missing);
        }
    }
}
