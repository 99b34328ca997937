//! Checks how the first agents of groups are made, and their goals.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::distributions::build_body;
use super::findings::{Findings, KnownNames};
use super::group_spec::{AgentSpec, GoalSpec, GroupSpec, SpawnSpec};
use super::rule::first_value;
use super::surroundings::{direction, report_wrong_order, vectors};
use crate::diag::{Code, Diagnostic};
use crate::math::Vec2;
use crate::sim::{Spawn, SpawnShape};
use crate::world::{BodyDraws, Goal, Group, NewAgent, PathId, PublicType, Values};

/// Checks the spawn of a group. Adds to the group what is listed for single agents.
pub(super) fn build(
    findings: &mut Findings<'_>,
    spec: &GroupSpec,
    paths: &KnownNames,
    group: &mut Group,
) -> Option<Spawn> {
    let listed = match &spec.spawn.read {
        Ok(SpawnSpec::Points(points)) => Some(points.len()),
        Ok(SpawnSpec::Agents(agents)) => Some(agents.len()),
        _ => None,
    };
    if let Ok(SpawnSpec::Agents(agents)) = &spec.spawn.read {
        group.paths = own_paths(findings, agents, paths, group.path);
        group.own_public = own_public(findings, agents, group);
    }
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
            let word = findings.first_word(&spec.spawn);
            let source = Arc::clone(findings.source());
            let key = source.text[..word.start].rfind("spawn").unwrap_or(word.start);
            let missing = Diagnostic::error(
                "missing `count`: this shape needs the number of agents beside `spawn`",
            );
            let missing = missing.fix("Insert `count: 10`", &source, key..key, "count: 10, ");
            findings.add(missing, word);
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
                own_bodies(findings, agents, group);
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

/// Gives each listed agent its body.
fn own_bodies(findings: &mut Findings<'_>, agents: &[AgentSpec], group: &mut Group) {
    let of_group = match &group.body_draws[..] {
        [of_group, ..] => of_group.clone(),
        [] => BodyDraws { body: group.body, draws: Vec::new() },
    };
    let own = |agent: &AgentSpec| build_body(findings, agent.body.as_ref(), &of_group);
    let bodies: Vec<BodyDraws> = agents.iter().map(own).collect();
    group.bodies = bodies.iter().map(BodyDraws::middle).collect();
    if bodies.iter().any(|body| !body.draws.is_empty()) {
        group.body_draws = bodies;
    }
}

/// Returns the path of each listed agent, if some have one of their own.
fn own_paths(
    findings: &mut Findings<'_>,
    agents: &[AgentSpec],
    known: &KnownNames,
    of_group: Option<PathId>,
) -> Vec<PathId> {
    let written = agents.iter().find_map(|agent| agent.path.as_ref());
    let Some(written) = written else { return Vec::new() };
    if of_group.is_none() && agents.iter().any(|agent| agent.path.is_none()) {
        let wrong = Diagnostic::error("some of these agents have a path, and others have none")
            .help("give a `path` to each of them, or one to the group for those without their own");
        findings.add(wrong, findings.span(written));
        return Vec::new();
    }
    let path = |agent: &AgentSpec| match &agent.path {
        Some(own) => findings.find(known, own).map(PathId),
        None => of_group,
    };
    // A path that is unknown is an error, so the others do not matter then.
    agents.iter().map(path).collect::<Option<_>>().unwrap_or_default()
}

/// Returns what the public state of each listed agent begins with, if it differs from that of the group.
fn own_public(findings: &mut Findings<'_>, agents: &[AgentSpec], group: &Group) -> Vec<Values> {
    if agents.iter().all(|agent| agent.state.0.is_empty()) {
        return Vec::new();
    }
    let mut all = Vec::new();
    for agent in agents {
        let names = findings.names("state", &agent.state);
        let mut own = Values::default();
        for ((key, spec), name) in agent.state.0.iter().zip(&names.all) {
            let Some(of_group) = group.public.get(name) else {
                let wrong = Diagnostic::error(format!("the group has no public state `{name}`"))
                    .suggest(name, group.public.names())
                    .help(format!("declare it with the value of the other agents: `public: {{ \"{name}\": ... }}`"));
                findings.add(wrong, findings.span(key));
                continue;
            };
            let Some((_, value)) = first_value(findings, spec, "a public state") else { continue };
            let Some(ty) = PublicType::of(of_group) else { continue };
            match ty.fit(value) {
                Some(value) => own.set(name, value),
                None => {
                    let wrong = format!("the public state `{name}` is {}", ty.description());
                    findings
                        .add(Diagnostic::error(wrong).code(Code::WrongType), findings.span(spec));
                }
            }
        }
        all.push(own);
    }
    all
}

fn check_some_listed(findings: &mut Findings<'_>, is_empty: bool, place: Range<usize>) {
    if is_empty {
        findings
            .error("list at least one place; for a group that starts empty, set `count: 0`", place);
    }
}

/// Converts goals to the type that the world uses.
pub(super) fn goals(findings: &mut Findings<'_>, specs: &[GoalSpec]) -> Arc<[Goal]> {
    specs.iter().map(|spec| spec.read(findings)).collect()
}

impl GoalSpec {
    pub(super) fn read(&self, findings: &mut Findings<'_>) -> Goal {
        Goal {
            at: findings.read(&self.at).map_or(Vec2::ZERO, |at| at.0),
            radius: self.radius.map_or(0.0, |radius| radius.0),
        }
    }
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
