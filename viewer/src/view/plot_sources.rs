//! The sources that can be plotted at a state of the view, and their descriptions.

use flockwork_engine::Failure;
use flockwork_engine::trace::MeasureNames;
use flockwork_engine::world::{GroupId, Values};

use super::plot::{PlotSource, measures};
use super::plot_expression::ExpressionKind;
use super::tune::knobs;
use super::view_state::ViewState;

/// Returns all that can be plotted, in the order in which it is stepped through. Of the params, those of one group.
pub(super) fn sources(state: &ViewState, group: GroupId, params: &Values) -> Vec<PlotSource> {
    let mut all: Vec<_> = measures().map(PlotSource::Measure).collect();
    let values = MeasureNames::from_world(&state.world).of_values();
    all.extend(values.iter().map(|one| PlotSource::Value(one.name().to_owned())));
    if state.next_turn.is_some() {
        all.push(PlotSource::Speed);
    }
    let name = &state.world.group(group).name;
    let numbers = knobs(params).into_iter().filter(|knob| knob.number(params).is_some());
    all.extend(numbers.map(|knob| PlotSource::Param { group: name.to_string(), knob }));
    all.extend(state.expectations.iter().map(PlotSource::from));
    all.extend(state.expressions.iter().cloned());
    all
}

/// Returns what says most about which of two runs is better: the margin of an expectation that fails, or else of one that has
/// margins, or else a measure.
pub(super) fn to_compare(state: &ViewState) -> Option<PlotSource> {
    let failing = state.failures.iter().filter_map(|one| state.expectations.get(one.expectation));
    let mut all = failing.chain(state.expectations.iter());
    let margin = all.find(|one| !one.unit.is_empty()).map(PlotSource::from);
    margin.or_else(|| measures().next().map(PlotSource::Measure))
}

impl PlotSource {
    /// Returns what it is, in a few words.
    pub(super) fn title(&self, state: &ViewState) -> String {
        self.name().unwrap_or_else(|| match &state.next_turn {
            Some(next_turn) => format!("speed of agent {}", next_turn.id),
            None => "speed: no agent is selected".to_owned(),
        })
    }

    /// Returns what it is, in a few words. `None` if that depends on which agent is selected.
    pub(super) fn name(&self) -> Option<String> {
        Some(match self {
            Self::Measure(measure) => measure.name().to_owned(),
            Self::Value(name) => name.clone(),
            Self::Speed => return None,
            Self::Param { group, knob } => format!("{} of {group}", knob.name()),
            Self::Expression { text, kind: ExpressionKind::Mean } => format!("mean of {text}"),
            Self::Expression { text, kind: ExpressionKind::Count } => format!("agents with {text}"),
            Self::Margin { expectation, .. } => format!("margin of {expectation}"),
        })
    }

    /// Returns the first failure that is known, if this is the margin of an expectation.
    pub(super) fn failure<'s>(&self, state: &'s ViewState) -> Option<&'s Failure> {
        let Self::Margin { expectation, .. } = self else { return None };
        let index = state.expectations.iter().position(|one| one.text == *expectation)?;
        state.failures.iter().find(|failure| failure.expectation == index)
    }
}
