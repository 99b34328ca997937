//! Checks the conditions of events.

use serde::Deserialize;

use super::ScriptAct;
use super::findings::{Findings, KnownNames};
use super::groups::CheckedGroups;
use super::shared::{self, CheckedShared, SharedTestSpec};
use super::spanned::Spanned;
use crate::diag::{Code, Diagnostic};
use crate::geom::Shape;
use crate::number::{AtLeastOne, Count, Length, Positive};
use crate::schema::{self, Described, NameKind, described};
use crate::sim::{Condition, HowMany};
use crate::world::{Area, GroupId};

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "condition", deny_unknown_fields)]
    pub(super) enum ConditionSpec {
        /// The centers of agents are in an area.
        Inside {
            /// The group.
            group: Spanned<String> => Group,
            /// The area, which does not wrap.
            area: Spanned<Area>,
            /// How many must be inside. Default: `Any`.
            agents: Option<Spanned<HowManySpec>>,
        },
        /// The body of an agent comes near the body of another one.
        Near {
            /// The groups of the two agents.
            between: GroupPair,
            /// The largest distance between the two bodies, in world units. Default: 0, so they must touch.
            distance: Option<Length>,
        },
        /// Agents have reached all of their goals, also those that have been removed since.
        Reached {
            /// The group.
            group: Spanned<String> => Group,
            /// How many must have reached them. Default: `All`.
            agents: Option<Spanned<HowManySpec>>,
        },
        /// A group has only few agents.
        AtMost {
            /// The group.
            group: Spanned<String> => Group,
            /// The largest number of agents.
            agents: Count,
        },
        /// A shared value is as a test demands.
        Shared {
            /// The shared value.
            name: Spanned<String> => Shared,
            /// The test.
            is: Spanned<SharedTestSpec>,
        },
        /// Chance decides at each tick.
        Chance {
            /// How often it holds on average, in times per second; at most once in a tick.
            per_second: Spanned<Positive>,
        },
    }
}

described! {
    #[derive(Clone, Copy, Debug, Deserialize)]
    #[serde(rename = "number of agents", deny_unknown_fields)]
    pub(super) enum HowManySpec {
        /// At least one agent.
        Any,
        /// All agents of the group, and at least one.
        All,
        /// At least this number of agents.
        AtLeast(AtLeastOne),
    }
}

/// The names of two groups.
#[derive(Debug, Deserialize)]
pub(super) struct GroupPair(Spanned<String>, Spanned<String>);

impl Described for GroupPair {
    fn shape() -> schema::Shape {
        schema::Shape::Pair(Box::new(schema::Shape::Name(NameKind::Group)))
    }
}

impl ConditionSpec {
    /// Returns the area in the condition.
    pub(super) fn area(&self) -> Option<&Spanned<Area>> {
        if let Self::Inside { area, .. } = self { Some(area) } else { None }
    }
}

impl HowManySpec {
    fn how_many(self) -> HowMany {
        match self {
            Self::Any => HowMany::AtLeast(1),
            Self::All => HowMany::All,
            Self::AtLeast(least) => HowMany::AtLeast(least.get_u32()),
        }
    }
}

/// The parts of a scenario that conditions are checked against.
pub(super) struct ConditionContext<'a> {
    /// The names of the groups.
    pub(super) names: &'a KnownNames,
    /// The shared values.
    pub(super) shared: &'a CheckedShared,
    /// The groups.
    pub(super) groups: &'a CheckedGroups,
    /// Seconds per tick.
    pub(super) dt: f32,
    /// For each group, whether it may have goals at some time.
    pub(super) has_goals: Vec<bool>,
}

/// Warns of a condition that never holds, because agents of a group have no goals to reach.
fn warn_without_goals(
    findings: &mut Findings<'_>,
    named: &Spanned<String>,
    group: GroupId,
    context: &ConditionContext<'_>,
) {
    if !context.has_goals[usize::from(group.0)] {
        let name = &context.groups.groups[usize::from(group.0)].name;
        let warning = Diagnostic::warning("this event never happens")
            .label(format!("group `{name}` has no goals"));
        findings.add_unless(ScriptAct::SetsGoals(group), warning, findings.span(named));
    }
}

/// Checks a condition.
pub(super) fn build(
    findings: &mut Findings<'_>,
    spec: &Spanned<ConditionSpec>,
    context: &ConditionContext<'_>,
) -> Option<Condition> {
    Some(match findings.read(spec)? {
        ConditionSpec::Inside { group, area, agents } => {
            let found = findings.find(context.names, group).map(GroupId);
            let area = shape(findings, area);
            let agents = how_many(findings, agents.as_ref(), HowMany::AtLeast(1));
            Condition::Inside { group: found?, area: area?, agents: agents? }
        }
        ConditionSpec::Near { between: GroupPair(a, b), distance } => {
            let found = [a, b].map(|name| findings.find(context.names, name).map(GroupId));
            let [Some(a), Some(b)] = found else { return None };
            let distance = distance.as_ref().map_or(0.0, |distance| distance.0);
            Condition::Near { between: [a, b], distance }
        }
        ConditionSpec::Reached { group, agents } => {
            let found = findings.find(context.names, group).map(GroupId);
            let agents = how_many(findings, agents.as_ref(), HowMany::All)?;
            warn_without_goals(findings, group, found?, context);
            Condition::Reached { group: found?, agents }
        }
        ConditionSpec::AtMost { group, agents } => {
            let group = findings.find(context.names, group).map(GroupId)?;
            Condition::AtMost { group, agents: agents.get_u32() }
        }
        ConditionSpec::Shared { name, is } => {
            let shared = context.shared.find(findings, name)?;
            let is = shared::test(findings, shared, is)?;
            Condition::Shared { name: shared.name.clone(), is }
        }
        ConditionSpec::Chance { per_second } => {
            let rate = findings.read(per_second)?.0;
            if rate * context.dt > 1.0 {
                let often = Diagnostic::error(format!(
                    "chance decides once in a tick, so at most {} times per second, found `{rate}`",
                    1.0 / context.dt
                ));
                let often = often
                    .code(Code::OutOfRange)
                    .help("use `Every(ticks: 1, ..)` for what happens at each tick");
                findings.add(often, findings.span(per_second));
                return None;
            }
            Condition::Chance { per_second: rate }
        }
    })
}

/// Reads how many agents of a group a condition needs.
fn how_many(
    findings: &mut Findings<'_>,
    spec: Option<&Spanned<HowManySpec>>,
    default: HowMany,
) -> Option<HowMany> {
    match spec {
        Some(spec) => findings.read(spec).map(|spec| spec.how_many()),
        None => Some(default),
    }
}

/// Returns the shape of an area.
pub(super) fn shape(findings: &mut Findings<'_>, area: &Spanned<Area>) -> Option<Shape> {
    match findings.read(area)?.shape() {
        Ok(shape) => Some(shape),
        Err(problem) => {
            findings.error(problem, findings.span(area));
            None
        }
    }
}
