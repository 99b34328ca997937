//! The sources that can be plotted at a state of the view, and their descriptions.

use flockwork_engine::Failure;
use flockwork_engine::live::COUNT;
use flockwork_engine::trace::{Measure, MeasureNames};
use flockwork_engine::world::{GroupId, Values, World};

use super::compared::{Compared, ComparedRow};
use super::plot::{PlotSource, measures};
use super::plot_expression::{ExpressionKind, no_plot_of};
use super::tune::{Knob, knobs};
use super::view_state::ViewState;

/// Returns all that can be plotted, in the order in which it is stepped through. Of the params, those of one group.
pub(super) fn sources(state: &ViewState, group: GroupId, params: &Values) -> Vec<PlotSource> {
    let all_counts = Some(PlotSource::AllCounts).filter(|_| state.world.groups.len() > 1);
    let each = all_counts.iter().flat_map(|all| all.curves(&state.world));
    let counts = all_counts.iter().cloned().chain(each);
    let measures = measures().map(PlotSource::Measure);
    // Where agents are born or die, that is what one wants to see first.
    let mut all: Vec<_> = match has_new_population(state) {
        true => counts.chain(measures).collect(),
        false => measures.chain(counts).collect(),
    };
    let values = MeasureNames::from_world(&state.world).of_values();
    all.extend(values.iter().map(|one| PlotSource::Value(one.name().to_owned())));
    if state.next_turn.is_some() {
        all.push(PlotSource::Speed);
    }
    let name = &state.world.group(group).name;
    let is_plotted = |knob: &Knob| knob.param != COUNT && knob.number(params).is_some();
    let numbers = knobs(params).into_iter().filter(is_plotted);
    all.extend(numbers.map(|knob| PlotSource::Param { group: name.to_string(), knob }));
    all.extend(state.expectations.iter().map(PlotSource::from));
    all.extend(state.expressions.iter().cloned());
    all
}

/// Returns the measures of a group that can be plotted. The number of its agents is among [all](sources).
pub(super) fn of_group(group: &str) -> impl Iterator<Item = PlotSource> {
    let measures = measures().filter(|measure| *measure != Measure::Agents);
    measures.map(move |measure| PlotSource::OfGroup { group: group.to_owned(), measure })
}

/// Returns the measure with a name, as commands read it, such as `mean_speed`, `wolves.mean_speed` or `shared.food`. `None` if it is not the
/// name of a measure; an error if it is one that cannot be plotted, or that a group does not have.
pub(super) fn measure_named(world: &World, name: &str) -> Option<Result<PlotSource, String>> {
    let (group, last) = name.rsplit_once('.').map_or((None, name), |(a, b)| (Some(a), b));
    let measure = Measure::ALL.iter().find(|measure| measure.name() == last);
    let is_group = |name: &&str| world.groups.iter().any(|group| *group.name == **name);
    let of = group.filter(is_group);
    match (of, measure) {
        // Of others, such as `me.state.energy`, only the last word is that of a measure.
        (_, Some(measure)) if measure.needs_totals() && of == group => Some(Err(no_plot_of(name))),
        (None, Some(measure)) if group.is_none() => Some(Ok(PlotSource::Measure(*measure))),
        (Some(group), Some(Measure::Agents)) => Some(Ok(PlotSource::Count(group.to_owned()))),
        (Some(group), Some(measure)) => {
            Some(Ok(PlotSource::OfGroup { group: group.to_owned(), measure: *measure }))
        }
        (of, measure) => match MeasureNames::from_world(world).find(name) {
            Ok(_) => Some(Ok(PlotSource::Value(name.to_owned()))),
            Err(error) => {
                // Other words begin an expression.
                let is_name =
                    |name: &str| !name.contains(|c: char| !c.is_alphanumeric() && c != '_');
                let is_of = |name| is_name(name) && !["me", "now", "world"].contains(&name);
                let has_wrong_group = measure.is_some() && group.is_some_and(is_of);
                let is_of_state = name.split('.').all(is_name)
                    && group
                        .and_then(|of| of.split_once(".state."))
                        .is_some_and(|(of, _)| is_of(of));
                let is_measure = of.is_some() || has_wrong_group || is_of_state;
                is_measure.then(|| Err(error.in_one_line()))
            }
        },
    }
}

/// Returns whether agents were made or removed since the first tick: ids are given in turn.
fn has_new_population(state: &ViewState) -> bool {
    let ids = &state.world.agents.id;
    let last = state.last_tick > state.first_tick && !ids.iter().copied().eq(0..ids.len() as u32);
    last || (ids.is_empty() && state.last_tick > 0)
}

/// Returns what says most about which of two runs is better: the margin of an expectation that fails, or else of one that has
/// margins, or else a measure.
pub(super) fn to_compare(state: &ViewState) -> Option<PlotSource> {
    let failing = state.failures.iter().filter_map(|one| state.expectations.get(one.expectation));
    let mut all = failing.chain(state.expectations.iter());
    let margin = all.find(|one| !one.unit.is_empty()).map(PlotSource::from);
    margin.or_else(|| measures().next().map(PlotSource::Measure))
}

impl ComparedRow {
    /// Returns what a plot shows of it, if there is something to plot.
    pub(super) fn plot_source(&self, state: &ViewState) -> Option<PlotSource> {
        let expectation = state.expectations.iter().find(|one| one.text == self.name);
        if let Some(expectation) = expectation {
            return (!expectation.unit.is_empty()).then(|| expectation.into());
        }
        let margins = state.expectations.iter().map(PlotSource::from);
        let counts = PlotSource::AllCounts.curves(&state.world);
        let groups = state.world.groups.iter().flat_map(|group| of_group(&group.name));
        let known = margins.chain(measures().map(PlotSource::Measure)).chain(counts);
        let mut known = known.chain(groups);
        let known = known.find(|source| source.compared_name().as_ref() == Some(&self.name));
        known.or_else(|| Some(PlotSource::Value(self.name.clone())))
    }
}

impl Compared {
    /// Returns what shows the difference best, once the runs with other random numbers are complete: an expectation that differs, or
    /// else the measure that differs most. Where numbers of agents differ, those of all groups.
    pub(super) fn most_different(&self, state: &ViewState) -> Option<PlotSource> {
        let mut rows =
            self.rows.iter().filter(|row| self.has_runs() && row.differs() && !self.is_set(row));
        let has_groups = state.world.groups.len() > 1;
        rows.find_map(|row| match row.is_count && has_groups {
            true => Some(PlotSource::AllCounts),
            false => row.plot_source(state),
        })
    }
}

/// Returns the name of the script of an expectation, if it has one.
fn script_of(expectation: &str) -> Option<&str> {
    expectation.strip_prefix("Script(name: \"")?.split('"').next()
}

impl PlotSource {
    /// Returns what it is, in a few words.
    pub(super) fn title(&self, state: &ViewState) -> String {
        if let Self::Margin { expectation, .. } = self {
            return format!("margin of {}", script_of(expectation).unwrap_or(expectation));
        }
        self.name().unwrap_or_else(|| match &state.next_turn {
            Some(next_turn) => format!("speed of agent {}", next_turn.id),
            None => "speed: no agent is selected".to_owned(),
        })
    }

    /// Returns what it is, in a few words. `None` if that depends on which agent is selected.
    pub(super) fn name(&self) -> Option<String> {
        Some(match self {
            Self::Measure(measure) => measure.name().to_owned(),
            Self::OfGroup { group, measure } => format!("{group}.{measure}"),
            Self::Value(name) => name.clone(),
            Self::Count(group) => format!("agents of {group}"),
            Self::AllCounts => "agents of each group".to_owned(),
            Self::Speed => return None,
            Self::Param { group, knob } => format!("{} of {group}", knob.name()),
            Self::Expression { text, kind: ExpressionKind::Mean } => format!("mean of {text}"),
            Self::Expression { text, kind: ExpressionKind::Measure } => text.clone(),
            Self::Expression { text, kind: ExpressionKind::Count } => format!("agents with {text}"),
            Self::Margin { expectation, .. } => format!("margin of {expectation}"),
        })
    }

    /// Returns what the table of a comparison has of it: the smallest value of a margin, and the mean of anything else.
    pub(super) fn compared_name(&self) -> Option<String> {
        let smallest = if self.is_margin() { "smallest " } else { "" };
        Some(format!("{smallest}{}", self.name()?))
    }

    /// Returns the name with which commands read it, if it is a measure.
    pub(super) fn measure_name(&self) -> Option<String> {
        match self {
            Self::Measure(_) | Self::OfGroup { .. } | Self::Value(_) => self.name(),
            Self::Count(group) => Some(format!("{group}.{}", Measure::Agents.name())),
            _ => None,
        }
    }

    /// Returns the first failure that is known, if this is the margin of an expectation.
    pub(super) fn failure<'s>(&self, state: &'s ViewState) -> Option<&'s Failure> {
        let Self::Margin { expectation, .. } = self else { return None };
        let index = state.expectations.iter().position(|one| one.text == *expectation)?;
        state.failures.iter().find(|failure| failure.expectation == index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_of_an_expectation_is_its_name() {
        assert_eq!(script_of("Script(name: \"promises/left\", every: 10)"), Some("promises/left"));
        assert_eq!(script_of("MinSeparation(min: 2)"), None);
    }
}
