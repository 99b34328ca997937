//! Checks groups: what their agents have in common, and how the first agents are made.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::check::{direction, report_wrong_order, vectors};
use super::findings::{Findings, KnownNames};
use super::ordered::Ordered;
use super::param::ParamSpec;
use super::spanned::Spanned;
use super::spec::{AgentSpec, GoalSpec, GroupSpec, SpawnSpec};
use super::{BehaviorRef, formation};
use crate::diag::{Diagnostic, Place};
use crate::math::Vec2;
use crate::script::{SCRIPT_EXTENSION, is_script_name};
use crate::sim::{Spawn, SpawnShape};
use crate::world::{Body, Goal, Group, GroupId, NewAgent, PathId, Relation, Value, Values, relate};

/// The groups, in the order in which they are written.
#[derive(Default)]
pub(super) struct CheckedGroups {
    pub(super) groups: Vec<Group>,
    /// The spawns of the groups; fewer than the groups if there are errors.
    pub(super) spawns: Vec<Spawn>,
    /// One behavior for each group; `None` for a group without one.
    pub(super) behaviors: Vec<Option<BehaviorRef>>,
    /// For each shared param, the groups that have no value of their own for it.
    pub(super) inherited: BTreeMap<Arc<str>, Vec<usize>>,
    /// For each group, the places where the values of its params are written.
    pub(super) declared: Vec<ParamPlaces>,
}

/// The places where the values of params are written, by name.
pub(super) type ParamPlaces = BTreeMap<Arc<str>, Place>;

/// Checks all groups.
pub(super) fn build(
    findings: &mut Findings<'_>,
    shared: &Ordered<Spanned<ParamSpec>>,
    specs: &Ordered<GroupSpec>,
    names: &KnownNames,
    paths: &KnownNames,
) -> CheckedGroups {
    let mut built = CheckedGroups::default();
    let shared_params = params(findings, shared);
    for name in shared_params.names() {
        built.inherited.insert(name.into(), Vec::new());
    }
    for ((_, spec), name) in specs.0.iter().zip(&names.all) {
        let behavior = spec.behavior.as_ref();
        built.behaviors.push(behavior.and_then(|spec| self::behavior(findings, spec)));
        let mut group = Group {
            name: Arc::clone(name),
            body: spec.body.or(&Body::default()),
            params: merge_params(findings, (shared, &shared_params), &spec.params),
            path: spec.path.as_ref().and_then(|path| findings.find(paths, path)).map(PathId),
            formation: spec.formation.as_ref().and_then(|spec| formation::build(findings, spec)),
            after_goals: spec.after_goals,
            ..Group::default()
        };
        for (param, groups) in &mut built.inherited {
            let is_own = |key: &Spanned<String>| key.read.as_deref() == Ok(&**param);
            if !spec.params.0.iter().any(|(key, _)| is_own(key)) {
                groups.push(built.groups.len());
            }
        }
        // The group's own params come last and so replace the shared ones.
        let written = shared.0.iter().chain(&spec.params.0);
        let declared = written.filter_map(|(key, value)| {
            let name = key.read.as_ref().ok()?;
            Some((Arc::from(name.as_str()), findings.place(value)))
        });
        built.declared.push(declared.collect());
        built.spawns.extend(spawn(findings, spec, &mut group));
        built.groups.push(group);
    }
    for ((_, spec), group) in specs.0.iter().zip(0..) {
        let declared = [
            (Relation::Prey, &spec.prey),
            (Relation::Predator, &spec.predators),
            (Relation::Ally, &spec.allies),
        ];
        for (relation, others) in declared {
            for other in others {
                if let Some(other) = findings.find(names, other) {
                    relate(&mut built.groups, GroupId(group), relation, GroupId(other));
                }
            }
        }
    }
    built
}

fn behavior(findings: &mut Findings<'_>, spec: &Spanned<String>) -> Option<BehaviorRef> {
    let name = findings.read(spec)?;
    let place = findings.place(spec);
    script_name(findings, name, place.span.clone(), "a behavior")
        .then(|| BehaviorRef { name: name.clone(), place })
}

/// Checks that a name can be the name of a script. `what` is the kind of script, for the message.
pub(super) fn script_name(
    findings: &mut Findings<'_>,
    name: &str,
    place: Range<usize>,
    what: &str,
) -> bool {
    if is_script_name(name) {
        return true;
    }
    let wrong = Diagnostic::error(format!("`{name}` cannot be the name of {what}"));
    let wrong = match name.strip_suffix(SCRIPT_EXTENSION).and_then(|name| name.strip_suffix('.')) {
        Some(name) => wrong.help(format!("write the name without `.{SCRIPT_EXTENSION}`: `{name}`")),
        None => wrong.help(
            "write it like `patrol` or `traffic/merge`: letters a to z, digits, `_` and `-`, \
             with `/` between folders",
        ),
    };
    findings.add(wrong, place);
    false
}

impl GroupSpec {
    /// Returns the goals of the group and those of its agents.
    pub(super) fn all_goals(&self) -> impl Iterator<Item = &GoalSpec> {
        let agents = match &self.spawn.read {
            Ok(SpawnSpec::Agents(agents)) => agents.as_slice(),
            _ => &[],
        };
        self.goals.iter().chain(agents.iter().flat_map(|agent| &agent.goals))
    }
}

/// Returns for each group the goals of its agents, and the places where they are written.
pub(super) fn written_goals(
    findings: &Findings<'_>,
    specs: &Ordered<GroupSpec>,
) -> Vec<Vec<(Vec2, Place)>> {
    let written = |goal: &GoalSpec| Some((goal.at.read.as_ref().ok()?.0, findings.place(&goal.at)));
    let groups = specs.0.iter().map(|(_, group)| group);
    groups.map(|group| group.all_goals().filter_map(written).collect()).collect()
}

/// Returns for each group the place where its formation is written.
pub(super) fn formations(
    findings: &Findings<'_>,
    specs: &Ordered<GroupSpec>,
) -> Vec<Option<Place>> {
    let places = specs.0.iter().map(|(_, group)| {
        let mut place = findings.place(group.formation.as_ref()?);
        place.span = findings.first_word(group.formation.as_ref()?);
        Some(place)
    });
    places.collect()
}

/// Returns the places where the numbers in params are written; a vector has two.
pub(super) fn numbers(
    findings: &Findings<'_>,
    shared: &Ordered<Spanned<ParamSpec>>,
    specs: &Ordered<GroupSpec>,
) -> Vec<Place> {
    let mut places = Vec::new();
    let own = specs.0.iter().flat_map(|(_, group)| &group.params.0);
    for (_, value) in shared.0.iter().chain(own) {
        let place = findings.place(value);
        match &value.read {
            Ok(ParamSpec(Value::Int(_) | Value::Float(_))) => places.push(place),
            Ok(ParamSpec(Value::Vector(_))) => {
                let text = &place.source.text[place.span.clone()];
                let parts = text.split(['(', ',', ')']).map(str::trim);
                places.extend(parts.filter(|part| !part.is_empty()).map(|part| {
                    let start = part.as_ptr().addr() - place.source.text.as_ptr().addr();
                    Place { source: Arc::clone(&place.source), span: start..start + part.len() }
                }));
            }
            _ => {}
        }
    }
    places
}

/// Reads params. A param whose value cannot be read gets [`Value::Nothing`].
fn params(findings: &mut Findings<'_>, specs: &Ordered<Spanned<ParamSpec>>) -> Values {
    let names = findings.names("param", specs);
    let mut params = Values::default();
    for ((key, spec), name) in specs.0.iter().zip(&names.all) {
        let value = findings.read(spec).map(|spec| spec.0.clone());
        if params.get(name).is_none() {
            params.set(name, value.unwrap_or(Value::Nothing));
        }
        if !name.is_empty() && !is_identifier(name) {
            let wrong = Diagnostic::error(format!("`{name}` cannot be read as `me.params.{name}`"))
                .help("use letters a to z, digits and `_` in the name of a param, and start with a letter");
            findings.add(wrong, findings.span(key));
        }
    }
    params
}

/// Returns the params of a group: the shared ones, replaced by its own where it has them.
fn merge_params(
    findings: &mut Findings<'_>,
    shared: (&Ordered<Spanned<ParamSpec>>, &Values),
    own: &Ordered<Spanned<ParamSpec>>,
) -> Values {
    let own_params = params(findings, own);
    let mut all = shared.1.clone();
    for (name, value) in own_params.iter() {
        let before = shared.1.get(name);
        if let Some(before) = before
            && before.kind() != value.kind()
            && *before != Value::Nothing
            && *value != Value::Nothing
        {
            let is_named = |key: &Spanned<String>| key.read.as_deref() == Ok(name);
            let find = |all: &Ordered<Spanned<ParamSpec>>| {
                let found = all.0.iter().find(|(key, _)| is_named(key));
                found.map(|(_, written)| findings.place(written))
            };
            let (shared_place, own_place) = (find(shared.0), find(own));
            let (kind, other) = (before.kind(), value.kind());
            let mut wrong = Diagnostic::error(format!("param `{name}` is {kind}, not {other}"))
                .help("a group may give a shared param another value, but not another type");
            if let Some(place) = shared_place {
                wrong = wrong.related(place, "declared for all groups here");
            }
            findings.add(wrong, own_place.map_or(0..0, |place| place.span));
        }
        all.set(name, value.clone());
    }
    all
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.trim_start_matches('_').starts_with(|c: char| c.is_ascii_alphabetic())
}

fn spawn(findings: &mut Findings<'_>, spec: &GroupSpec, group: &mut Group) -> Option<Spawn> {
    let listed = match &spec.spawn.read {
        Ok(SpawnSpec::Points(points)) => Some(points.len()),
        Ok(SpawnSpec::Agents(agents)) => Some(agents.len()),
        _ => None,
    };
    let shape = shape(findings, spec, group);
    let count = count(findings, spec, listed);
    Some(Spawn { shape: shape?, count: count?, vel: spec.velocity.0, heading: heading(spec) })
}

fn heading(spec: &GroupSpec) -> Option<Vec2> {
    spec.heading_deg.map(|degrees| direction(degrees.0))
}

fn count(findings: &mut Findings<'_>, spec: &GroupSpec, listed: Option<usize>) -> Option<u32> {
    let Some(count) = &spec.count else {
        if listed.is_none() && spec.spawn.read.is_ok() {
            findings.error(
                "missing `count`: this shape needs the number of agents beside `spawn`",
                findings.first_word(&spec.spawn),
            );
        }
        return listed.map(|listed| u32::try_from(listed).unwrap_or(u32::MAX));
    };
    let wanted = findings.read(count)?.get_u32();
    if let Some(listed) = listed.filter(|&listed| listed > 0 && (wanted as usize) > listed) {
        findings.error(
            format!("`count` is {wanted}, but `spawn` lists {listed}: list more or lower `count`"),
            findings.span(count),
        );
    }
    Some(wanted)
}

fn shape(findings: &mut Findings<'_>, spec: &GroupSpec, group: &mut Group) -> Option<SpawnShape> {
    let own = goals(findings, &spec.goals);
    group.goals.extend((!own.is_empty()).then(|| Arc::clone(&own)));
    Some(match findings.read(&spec.spawn)? {
        SpawnSpec::Points(points) => {
            check_some_listed(findings, points.is_empty(), findings.span(&spec.spawn));
            SpawnShape::Points(vectors(points))
        }
        SpawnSpec::Agents(agents) => {
            check_some_listed(findings, agents.is_empty(), findings.span(&spec.spawn));
            if agents.iter().any(|agent| agent.body.is_some()) {
                let own = |agent: &AgentSpec| match &agent.body {
                    Some(own) => own.or(&group.body),
                    None => group.body,
                };
                group.bodies = agents.iter().map(own).collect();
            }
            SpawnShape::Agents(listed_agents(findings, spec, agents, own, group))
        }
        SpawnSpec::Grid { at, columns, spacing } => {
            SpawnShape::Grid { at: at.0, columns: columns.get_u32(), spacing: spacing.0 }
        }
        SpawnSpec::Ring { center, radius } => {
            SpawnShape::Ring { center: center.0, radius: radius.0 }
        }
        SpawnSpec::Disc { center, radius } => {
            SpawnShape::Disc { center: center.0, radius: radius.0 }
        }
        SpawnSpec::Rect { min, max } => {
            let (min, place) = (min.0, findings.span(max));
            let max = findings.read(max)?.0;
            if !min.cmplt(max).all() {
                report_wrong_order(findings, "rect", place);
            }
            SpawnShape::Rect { min, max }
        }
    })
}

fn check_some_listed(findings: &mut Findings<'_>, is_empty: bool, place: Range<usize>) {
    if is_empty {
        findings
            .error("list at least one place; for a group that starts empty, set `count: 0`", place);
    }
}

/// Converts goals to the type that the world uses.
pub(super) fn goals(findings: &mut Findings<'_>, specs: &[GoalSpec]) -> Arc<[Goal]> {
    let goals = specs.iter().map(|spec| Goal {
        at: findings.read(&spec.at).map_or(Vec2::ZERO, |at| at.0),
        radius: spec.radius.map_or(0.0, |radius| radius.0),
    });
    goals.collect()
}

/// Returns the agents as they are listed. Each distinct list of goals becomes a sequence of the group. The first
/// sequence is for agents without goals of their own.
fn listed_agents(
    findings: &mut Findings<'_>,
    spec: &GroupSpec,
    agents: &[AgentSpec],
    own: Arc<[Goal]>,
    group: &mut Group,
) -> Vec<NewAgent> {
    let some_have = agents.iter().any(|agent| !agent.goals.is_empty());
    let some_lack = agents.iter().any(|agent| agent.goals.is_empty());
    if own.is_empty() && some_have && some_lack {
        group.goals.push(own);
    }
    let mut known = BTreeMap::new();
    for (i, goals) in group.goals.iter().enumerate() {
        known.insert(bits(goals), i as u32);
    }
    let mut new_agents = Vec::new();
    for agent in agents {
        let goals = goals(findings, &agent.goals);
        let sequence = if goals.is_empty() {
            0
        } else {
            *known.entry(bits(&goals)).or_insert_with(|| {
                group.goals.push(goals);
                group.goals.len() as u32 - 1
            })
        };
        new_agents.push(NewAgent {
            pos: agent.at.0,
            vel: agent.velocity.unwrap_or(spec.velocity).0,
            heading: agent
                .heading_deg
                .map(|degrees| direction(degrees.0))
                .or_else(|| heading(spec)),
            sequence,
        });
    }
    new_agents
}

/// Returns the bits of goals, so that they can be keys of a map.
fn bits(goals: &[Goal]) -> Vec<[u32; 3]> {
    let bits = |goal: &Goal| [goal.at.x, goal.at.y, goal.radius].map(f32::to_bits);
    goals.iter().map(bits).collect()
}
