//! The `start` of a scenario: the state that a run begins with if it does not begin at tick 0. Reads it into a state and
//! writes it back.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;

use super::findings::{Findings, KnownNames, names_in_order};
use super::group_spec::GoalSpec;
use super::moving_obstacles::{self, MovedSpec};
use super::ordered::{self, MayFail, Ordered};
use super::param::{ParamSpec, fit};
use super::shared::CheckedShared;
use super::spanned::Spanned;
use super::spawn;
use super::state_value::StateValue;
use super::to_ron;
use super::to_ron::{map, param, quoted, value, vector};
use super::waiting::{self, WaitingSpec};
use crate::diag::Diagnostic;
use crate::golden::{self, AgentState, GroupChange, Keyframe, PushError};
use crate::math;
use crate::number::{Count, FiniteVector, Natural, Occurrences, Waypoint};
use crate::schema::described;
use crate::sim::{GoalCounts, GroupState, LayerState, State};
use crate::world::{
    AgentId, Agents, Goal, GoalProgress, Group, GroupId, Layer, Minds, Progress, SharedValue,
    Space, Value, Values,
};

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "Start", deny_unknown_fields)]
    pub(super) struct StartSpec {
        /// The tick that the run begins with.
        tick: Spanned<Natural>,
        /// Number of agents that have ever been made. Default: the sum over the groups.
        made: Option<Spanned<Count>>,
        /// The position of the pointer. Default: no pointer.
        cursor: Option<FiniteVector>,
        /// The names of the inputs that are true. Default: none.
        #[serde(default, deserialize_with = "ordered::list")]
        inputs_down: Vec<Spanned<String>> => Input,
        /// The names of the obstacles that are absent. Default: none.
        #[serde(default, deserialize_with = "ordered::list")]
        absent_obstacles: Vec<Spanned<String>> => Obstacle,
        /// The obstacles that move or are not where the scenario puts them. Default: none.
        #[serde(default)]
        moving_obstacles: Ordered<MovedSpec>,
        /// The events with `When` that do not happen at the next tick if their conditions hold, by their numbers among the events with
        /// `When`, from 0: those that have happened, and those with `again` whose conditions held at the last tick. Default: none.
        #[serde(default, deserialize_with = "ordered::list")]
        spent_events: Vec<Spanned<Count>>,
        /// What agents have told others that is not heard yet. Default: none.
        #[serde(default, deserialize_with = "ordered::list")]
        waiting: Vec<Spanned<WaitingSpec>>,
        /// The amounts of the layers by their cells, row by row from the smallest y, each with how often it follows: `"0*12 0.5"`.
        /// Default: those that the layers begin with.
        #[serde(default)]
        layers: Ordered<Spanned<String>> => Layer,
        /// The shared values that differ from their first values. Default: none.
        #[serde(default)]
        shared: Ordered<Spanned<StateValue>>,
        /// The groups that have or had agents. Default: none.
        #[serde(default)]
        pub(super) groups: Ordered<GroupStartSpec>,
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "GroupStart", deny_unknown_fields)]
    pub(super) struct GroupStartSpec {
        /// Number of its agents that have ever been made.
        made: Count,
        /// What its agents have reached so far. Default: nothing.
        reached: Option<ReachedSpec>,
        /// The params whose values differ from those of the group. Default: none.
        #[serde(default)]
        pub(super) params: Ordered<Spanned<ParamSpec>>,
        /// Its sequences of goals, if they differ from those of the group. Default: those of the group.
        goals: Option<Vec<Vec<GoalSpec>>>,
        /// Its agents. Default: none.
        #[serde(default, deserialize_with = "ordered::list")]
        agents: Vec<Spanned<AgentStartSpec>>,
    }
}

described! {
    #[derive(Clone, Copy, Debug, Deserialize)]
    #[serde(rename = "Reached", deny_unknown_fields)]
    struct ReachedSpec {
        /// Number of goals that were reached.
        goals: Occurrences,
        /// Number of agents that have reached all of their goals.
        agents: Occurrences,
        /// Number of agents that were removed before they had reached all of their goals.
        lost: Occurrences,
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "AgentStart", deny_unknown_fields)]
    struct AgentStartSpec {
        /// Its id, which no other agent ever has.
        id: Count,
        /// Its index in its group.
        index: Count,
        /// Its position.
        at: FiniteVector,
        /// Its velocity, in world units per second.
        velocity: FiniteVector,
        /// Its heading, a unit vector. Default: along the velocity.
        heading: Option<FiniteVector>,
        /// Its progress along its goals. Default: no goals.
        goal: Option<PlanSpec>,
        /// The goal that it has set itself, instead of those of its sequence. Default: no such goal.
        own_goal: Option<GoalSpec>,
        /// Whether it has stopped for good at its last goal. Default: false.
        #[serde(default)]
        stopped: bool,
        /// Its progress along paths. Default: no paths.
        #[serde(default)]
        paths: Ordered<ProgressSpec>,
        /// What its script has stored in `me.state`. Default: nothing.
        #[serde(default)]
        state: Ordered<Spanned<StateValue>>,
    }
}

described! {
    #[derive(Clone, Copy, Debug, Deserialize)]
    #[serde(rename = "GoalProgress", deny_unknown_fields)]
    struct PlanSpec {
        /// The index of its sequence of goals.
        sequence: Count,
        /// Number of goals that it has reached.
        reached: Count,
    }
}

described! {
    #[derive(Clone, Copy, Debug, Deserialize)]
    #[serde(rename = "PathProgress", deny_unknown_fields)]
    struct ProgressSpec {
        /// The index of the waypoint that it goes to.
        waypoint: Waypoint,
        /// Whether it goes back along the path. Default: false.
        #[serde(default)]
        back: bool,
    }
}

impl ReachedSpec {
    fn counts(self) -> GoalCounts {
        GoalCounts { goals: self.goals.get(), agents: self.agents.get(), lost: self.lost.get() }
    }
}

impl PlanSpec {
    fn plan(self) -> GoalProgress {
        GoalProgress { sequence: self.sequence.get_u32(), reached: self.reached.get_u32() }
    }
}

impl MayFail for GroupStartSpec {
    fn has_failed(&self) -> bool {
        self.params.0.iter().any(|(name, value)| name.has_failed() || value.has_failed())
    }
}

impl MayFail for ProgressSpec {
    fn has_failed(&self) -> bool {
        false
    }
}

/// The parts of the scenario that a start refers to.
pub(super) struct StartContext<'a> {
    /// The tick at which the run ends.
    pub(super) ticks: u64,
    pub(super) space: &'a Space,
    pub(super) groups: &'a [Group],
    pub(super) group_names: &'a KnownNames,
    pub(super) path_names: &'a KnownNames,
    pub(super) obstacle_names: &'a KnownNames,
    /// The layers as the scenario declares them.
    pub(super) layers: &'a [Layer],
    pub(super) input_names: &'a KnownNames,
    pub(super) shared: &'a CheckedShared,
    /// Number of events with conditions.
    pub(super) conditions: usize,
}

/// Returns the state of the groups before any agents are made.
pub(super) fn groups_state<'g>(
    of: impl Iterator<Item = &'g Group>,
    shared: &[SharedValue],
) -> State {
    let state = |group: &Group| GroupState {
        made: 0,
        reached: GoalCounts::default(),
        params: group.params.clone(),
        goals: group.goals.clone(),
    };
    State {
        tick: 0,
        cursor: None,
        inputs_down: Vec::new(),
        absent_obstacles: Vec::new(),
        moving_obstacles: Vec::new(),
        spent_events: Vec::new(),
        waiting: Vec::new(),
        layers: Vec::new(),
        shared: shared.iter().map(|one| (one.name.clone(), one.start.clone())).collect(),
        groups: of.map(state).collect(),
        agents: Agents::default(),
        minds: Minds::default(),
    }
}

/// Checks the start, if one is written.
pub(super) fn build(
    findings: &mut Findings<'_>,
    spec: Option<&Spanned<StartSpec>>,
    context: &StartContext<'_>,
) -> Option<State> {
    let written = spec?;
    let place = findings.place(written);
    if written.read.is_err() && place.source.text[place.span.clone()].ends_with(['"', '#']) {
        let old = Diagnostic::error("a start is written as fields in round brackets, not as a string")
            .help("save the run again: run the scenario that it was saved from, and save it at the same tick");
        let line = place.source.text[place.span.clone()].lines().next().unwrap_or_default();
        findings.add(old, place.span.start..place.span.start + line.len());
        return None;
    }
    let before = findings.errors();
    let spec = findings.read(written)?;
    let keyframe = keyframe(findings, spec, context)?;
    let before_start = groups_state(context.groups.iter(), &context.shared.values());
    (findings.errors() == before).then(|| keyframe.state(&before_start))
}

/// An agent in the start: its spec, its group, and its place.
type AgentEntry<'s> = (&'s AgentStartSpec, GroupId, Range<usize>);

fn keyframe(
    findings: &mut Findings<'_>,
    spec: &StartSpec,
    context: &StartContext<'_>,
) -> Option<Keyframe> {
    let before = findings.errors();
    let tick = findings.read(&spec.tick)?.get();
    if tick >= context.ticks {
        let late = format!(
            "the start is at tick {tick}, but the run ends at tick {}: raise `ticks`",
            context.ticks
        );
        findings.error(late, findings.span(&spec.tick));
    }
    // Reports groups that are written twice.
    findings.names("group", &spec.groups);
    let groups = (context.group_names, context.groups);
    let mut keyframe = Keyframe {
        tick,
        hash: 0,
        cursor: spec.cursor.map(|at| at.0),
        inputs_down: names_in_order(findings, &spec.inputs_down, context.input_names),
        absent_obstacles: names_in_order(findings, &spec.absent_obstacles, context.obstacle_names),
        moving_obstacles: moving_obstacles::states(
            findings,
            &spec.moving_obstacles,
            context.obstacle_names,
            context.path_names,
        ),
        spent_events: spent_events(findings, &spec.spent_events, context.conditions),
        waiting: waiting::build(findings, &spec.waiting, tick, groups),
        layers: layer_states(findings, &spec.layers, context.layers),
        shared: shared_values(findings, &spec.shared, context.shared),
        made: vec![Default::default(); context.groups.len()],
        changes: Vec::new(),
        agents: Agents::default(),
        minds: Minds::new(context.path_names.all.len()),
    };
    let mut agents: Vec<AgentEntry<'_>> = Vec::new();
    for (name, group) in &spec.groups.0 {
        let Some(id) = findings.find(context.group_names, name).map(GroupId) else {
            continue;
        };
        let of = &context.groups[usize::from(id.0)];
        let reached = group.reached.map_or_else(GoalCounts::default, ReachedSpec::counts);
        keyframe.made[usize::from(id.0)] = (group.made.get_u32(), reached);
        check_changes(findings, group, id, of, &mut keyframe.changes);
        for agent in &group.agents {
            let place = findings.span(agent);
            agents.extend(findings.read(agent).map(|agent| (agent, id, place)));
        }
    }
    let sum: u64 = keyframe.made.iter().map(|(made, _)| u64::from(*made)).sum();
    let (made, place) = match &spec.made {
        Some(made) => (findings.read(made)?.get(), findings.span(made)),
        None => (sum, findings.span(&spec.tick)),
    };
    if made < sum || made > u64::from(u32::MAX) {
        let wrong = format!("the groups together have made {sum} agents, but `made` is {made}");
        findings.error(wrong, place);
        return None;
    }
    if findings.errors() > before {
        return None;
    }
    keyframe.agents.set_made(made as u32);
    agents.sort_by_key(|(agent, ..)| agent.id.get());
    for agent in agents {
        add_agent(findings, &mut keyframe, agent, context);
    }
    keyframe.shrink_to_fit();
    Some(keyframe)
}

/// Returns the states of all layers, in their order.
fn layer_states(
    findings: &mut Findings<'_>,
    written: &Ordered<Spanned<String>>,
    layers: &[Layer],
) -> Vec<LayerState> {
    findings.names("layer", written);
    let mut states: Vec<LayerState> = layers.iter().map(Layer::state).collect();
    for (name, spec) in &written.0 {
        let known = findings.read(name).cloned();
        let (Some(known), Some(text)) = (known, findings.read(spec).cloned()) else { continue };
        let Some(index) = layers.iter().position(|layer| *layer.name == *known) else {
            let unknown = Diagnostic::error(format!("there is no layer `{known}`"))
                .suggest(&known, layers.iter().map(|layer| &*layer.name));
            findings.add(unknown, findings.span(name));
            continue;
        };
        match golden::read_amounts(&text, layers[index].amounts.len()) {
            Ok(amounts) => states[index].amounts = amounts.into(),
            Err(wrong) => findings.error(format!("layer `{known}`: {wrong}"), findings.span(spec)),
        }
    }
    states
}

/// Returns the numbers of the events that are spent, in order.
fn spent_events(
    findings: &mut Findings<'_>,
    written: &[Spanned<Count>],
    conditions: usize,
) -> Vec<u32> {
    let mut spent = Vec::new();
    for one in written {
        let Some(number) = findings.read(one).map(|number| number.get_u32()) else {
            continue;
        };
        if number as usize >= conditions {
            let unknown = format!(
                "no event with `When` has the number {number}: there are {conditions} of them"
            );
            findings.error(unknown, findings.span(one));
        }
        spent.push(number);
    }
    spent.sort_unstable();
    spent.dedup();
    spent
}

/// Returns the shared values that differ from their first values.
fn shared_values(
    findings: &mut Findings<'_>,
    written: &Ordered<Spanned<StateValue>>,
    known: &CheckedShared,
) -> Vec<(Arc<str>, Value)> {
    // Reports names that are written twice.
    findings.names("shared value", written);
    let values = written.0.iter().filter_map(|(name, value)| {
        let new = (findings.read(value).map(|value| &value.0), findings.span(value));
        let (shared, value) = known.new_value(findings, name, new)?;
        Some((shared.name, value))
    });
    values.collect()
}

/// Checks the params and goals of a start that differ from those of the group.
fn check_changes(
    findings: &mut Findings<'_>,
    spec: &GroupStartSpec,
    group: GroupId,
    of: &Group,
    changes: &mut Vec<GroupChange>,
) {
    let names = findings.names("param", &spec.params);
    for (name, (key, value)) in names.all.into_iter().zip(&spec.params.0) {
        let Some(ParamSpec(value)) = findings.read(value) else {
            continue;
        };
        let Some(declared) = of.params.get(&name) else {
            let unknown = format!("group `{}` has no param `{name}`", of.name);
            let unknown = Diagnostic::error(unknown).suggest(&name, of.params.names());
            findings.add(unknown, findings.span(key));
            continue;
        };
        // If the declaration cannot be read, that is already reported at its place.
        if *declared != Value::Nothing && fit(declared, value.clone()).is_none() {
            let (kind, found) = (declared.kind(), value.kind());
            let other = format!("param `{name}` of group `{}` is {kind}, not {found}", of.name);
            findings.error(other, findings.span(key));
        }
        changes.push(GroupChange::Param { group, name, value: value.clone() });
    }
    if let Some(sequences) = &spec.goals {
        let goals = sequences.iter().map(|goals| spawn::goals(findings, goals)).collect();
        changes.push(GroupChange::Goals { group, goals });
    }
}

/// Adds an agent to the keyframe. All agents with lower ids must have been added before.
fn add_agent(
    findings: &mut Findings<'_>,
    keyframe: &mut Keyframe,
    (spec, group, place): AgentEntry<'_>,
    context: &StartContext<'_>,
) {
    let mut progress = Vec::new();
    for (name, ProgressSpec { waypoint, back }) in &spec.paths.0 {
        if let Some(path) = findings.find(context.path_names, name) {
            let waypoint = waypoint.get_u32();
            progress.push((usize::from(path), Progress { waypoint, back: *back }));
        }
    }
    let mut state = Values::default();
    for (name, known) in &spec.state.0 {
        if let (Some(name), Some(StateValue(value))) = (findings.read(name), findings.read(known)) {
            state.set(name, value.clone());
        }
    }
    let (pos, vel) = (spec.at.0, spec.velocity.0);
    let (settled, _) = context.space.apply_edge(pos, vel);
    if settled != pos {
        let what = format!("{pos} is outside the world, and its edge keeps agents inside");
        findings.error(what, place.clone());
    }
    if let Some(FiniteVector(heading)) = spec.heading
        && (math::length(heading) - 1.0).abs() > 1e-3
    {
        findings.error(format!("the heading {heading} must be a unit vector"), place.clone());
    }
    let own_goal = spec.own_goal.as_ref().map(|goal| goal.read(findings));
    let added = keyframe.push(AgentState {
        id: AgentId(spec.id.get_u32()),
        group,
        index: spec.index.get_u32(),
        pos,
        vel,
        heading: spec.heading.map(|heading| heading.0),
        plan: spec.goal.map_or_else(GoalProgress::default, PlanSpec::plan),
        own_goal,
        stopped: spec.stopped,
        progress,
        state,
    });
    let id = spec.id.get();
    let wrong = match added {
        Ok(()) => return,
        Err(PushError::Id) if id >= u64::from(keyframe.agents.made()) => {
            let made = keyframe.agents.made();
            format!("the id {id} must be below {made}, the number of agents that have been made")
        }
        Err(PushError::Id) => format!("two agents have the id {id}"),
        Err(PushError::Index) => {
            let (made, _) = keyframe.made[usize::from(group.0)];
            format!("the index must be below {made}, the number of agents that this group has made")
        }
    };
    findings.error(wrong, place);
}

/// Returns a state as it is written after `start:`, with one line for each agent. `None` if a param has a value that
/// cannot be written in a scenario.
pub(super) fn start_text(keyframe: &Keyframe, names: &golden::ScenarioNames) -> Option<String> {
    let mut agents = vec![Vec::new(); names.groups.len()];
    for row in 0..keyframe.agents.len() {
        let agent = keyframe.agent(row);
        agents[usize::from(agent.group.0)].push(agent_text(&agent, &names.paths));
    }
    let mut groups = Vec::new();
    for (place, (name, agents)) in names.groups.iter().zip(agents).enumerate() {
        let group = group_text(keyframe, GroupId(place as u16), agents)?;
        groups.push(format!("{}: {group}", quoted(name)));
    }
    let sum: u64 = keyframe.made.iter().map(|(made, _)| u64::from(*made)).sum();
    let made = keyframe.agents.made();
    let mut fields = vec![format!("tick: {}", keyframe.tick)];
    fields.extend((u64::from(made) != sum).then(|| format!("made: {made}")));
    fields.extend(keyframe.cursor.map(|at| format!("cursor: {}", vector(at))));
    for (field, names) in
        [("inputs_down", &keyframe.inputs_down), ("absent_obstacles", &keyframe.absent_obstacles)]
    {
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            fields.push(format!("{field}: [{}]", names.join(", ")));
        }
    }
    if !keyframe.moving_obstacles.is_empty() {
        let moving = keyframe.moving_obstacles.iter();
        let moving = moving.map(|state| (&*state.name, moving_obstacles::state_text(state)));
        fields.push(format!("moving_obstacles: {}", map(moving)));
    }
    if !keyframe.spent_events.is_empty() {
        let numbers: Vec<String> = keyframe.spent_events.iter().map(u32::to_string).collect();
        fields.push(format!("spent_events: [{}]", numbers.join(", ")));
    }
    if !keyframe.waiting.is_empty() {
        let waiting = keyframe.waiting.iter().map(|one| waiting::text(one, names)).collect();
        fields.push(format!("waiting: {}", block(2, ["[", "]"], waiting)));
    }
    if !keyframe.layers.is_empty() {
        let layers = keyframe.layers.iter().map(|LayerState { name, amounts }| {
            format!("{}: {}", quoted(name), quoted(&golden::amounts_text(amounts)))
        });
        fields.push(format!("layers: {}", block(2, ["{", "}"], layers.collect())));
    }
    if !keyframe.shared.is_empty() {
        let shared = keyframe.shared.iter().map(|(name, of)| (&**name, value(of)));
        fields.push(format!("shared: {}", map(shared)));
    }
    fields.push(format!("groups: {}", block(2, ["{", "}"], groups)));
    Some(block(1, ["(", ")"], fields))
}

/// Returns the text for one group. `agents` are the formatted entries of its agents.
fn group_text(keyframe: &Keyframe, of: GroupId, agents: Vec<String>) -> Option<String> {
    let (mut params, mut all_goals) = (Vec::new(), None);
    for change in &keyframe.changes {
        match change {
            GroupChange::Param { group, name, value } if *group == of => {
                params.push(format!("{}: {}", quoted(name), param(value)?));
            }
            GroupChange::Goals { group, goals } if *group == of => {
                all_goals = Some(goals.iter().map(|goals| to_ron::goals(goals)).collect());
            }
            _ => {}
        }
    }
    let (made, reached) = keyframe.made[usize::from(of.0)];
    let mut fields = vec![format!("made: {made}")];
    if reached != GoalCounts::default() {
        let GoalCounts { goals, agents, lost } = reached;
        fields.push(format!("reached: (goals: {goals}, agents: {agents}, lost: {lost})"));
    }
    if !params.is_empty() {
        fields.push(format!("params: {}", block(4, ["{", "}"], params)));
    }
    fields.extend(all_goals.map(|goals| format!("goals: {}", block(4, ["[", "]"], goals))));
    if !agents.is_empty() {
        fields.push(format!("agents: {}", block(4, ["[", "]"], agents)));
    }
    Some(block(3, ["(", ")"], fields))
}

/// Returns the items between brackets, each on its own line. `depth` is the indentation of the line with the brackets.
fn block(depth: usize, [open, close]: [&str; 2], items: Vec<String>) -> String {
    let indent = "    ".repeat(depth);
    let mut text = open.to_owned();
    for item in items {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{indent}    {item},");
    }
    let _ = write!(text, "\n{indent}{close}");
    text
}

fn agent_text(agent: &AgentState, paths: &[Arc<str>]) -> String {
    let mut fields = vec![
        format!("id: {}", agent.id),
        format!("index: {}", agent.index),
        format!("at: {}", vector(agent.pos)),
        format!("velocity: {}", vector(agent.vel)),
    ];
    fields.extend(agent.heading.map(|heading| format!("heading: {}", vector(heading))));
    if agent.plan != GoalProgress::default() {
        let GoalProgress { sequence, reached } = agent.plan;
        fields.push(format!("goal: (sequence: {sequence}, reached: {reached})"));
    }
    if let Some(Goal { at, radius }) = agent.own_goal {
        fields.push(format!("own_goal: (at: {}, radius: {radius})", vector(at)));
    }
    fields.extend(agent.stopped.then(|| "stopped: true".to_owned()));
    if !agent.progress.is_empty() {
        let progress = agent.progress.iter().map(|(path, Progress { waypoint, back })| {
            let back = if *back { ", back: true" } else { "" };
            (&*paths[*path], format!("(waypoint: {waypoint}{back})"))
        });
        fields.push(format!("paths: {}", map(progress)));
    }
    if agent.state.names().next().is_some() {
        let state = agent.state.iter().map(|(name, known)| (name, value(known)));
        fields.push(format!("state: {}", map(state)));
    }
    format!("({})", fields.join(", "))
}
