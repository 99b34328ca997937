//! What a page shows beside a world, as JSON.

use std::sync::Arc;

use flockwork_draw::Palette;
use flockwork_engine::diag::Source;
use flockwork_engine::json;
use flockwork_engine::live::{COUNT, ParamSetting, Session, WeightSwitches, is_off};
use flockwork_engine::scenario::param_text;
use flockwork_engine::sim::{NextTurn, Simulation, ValueKind};
use flockwork_engine::trace::{Measure, MeasuredAgents, RunMeasures};
use flockwork_engine::world::{AgentId, ParamRange, Value, World};
use flockwork_engine::{Message, Standing};
use serde_json::json;

/// Maximum number of values of a turn.
const MAX_VALUES: usize = 4000;
/// Maximum number of messages.
const MAX_MESSAGES: usize = 500;

/// Returns the rectangle of a world.
pub(crate) fn space(world: &World) -> String {
    let (min, max) = (world.space.min.to_array(), world.space.max().to_array());
    json!({ "min": min, "max": max, "edge": format!("{:?}", world.space.edge) }).to_string()
}

/// Returns the groups of a world.
pub(crate) fn groups(world: &World, palette: &Palette) -> String {
    let colors = palette.colors_of(&world.groups);
    let mut counts = vec![0_u32; world.groups.len()];
    for group in &world.agents.group {
        counts[usize::from(group.0)] += 1;
    }
    let all = world.groups.iter().zip(colors).zip(counts);
    let all = all.map(|((group, color), agents)| {
        json!({ "name": &*group.name, "color": color.css(), "agents": agents })
    });
    serde_json::Value::from_iter(all).to_string()
}

/// Returns the params of the groups, ordered by name; last the number of agents.
pub(crate) fn params(session: &Session, switches: &WeightSwitches) -> String {
    let (world, written) = (session.simulation().world(), session.file_params());
    let mut settings = session.settings();
    settings.retain(|setting| !setting.is_written);
    let mut all = Vec::new();
    for (group, params) in world.groups.iter().zip(session.params_of_use()) {
        let written = written.get(&*group.name);
        let notes = session.param_notes().get(&*group.name);
        let mut params: Vec<_> = params.iter().collect();
        params.sort_by_key(|(name, _)| *name == COUNT);
        for (name, value) in params {
            let Some(text) = param_text(value) else { continue };
            let number = match value {
                Value::Int(number) => Some(*number as f64),
                Value::Float(number) => Some((*number).into()),
                _ => None,
            };
            let written = written.and_then(|params| params.get(name));
            let range = number.map(|number| {
                let is_integer = matches!(value, Value::Int(_));
                let usual = match written {
                    Some(Value::Int(written)) => *written as f32,
                    Some(Value::Float(written)) => *written,
                    _ => number as f32,
                };
                let declared = group.appearance.ranges.get(name).copied();
                let range = declared.unwrap_or(ParamRange::guess(usual, is_integer));
                json!({
                    "min": range.min, "max": range.max, "isLog": range.is_log,
                    "step": range.step(), "isInteger": is_integer,
                })
            });
            let is_it = |one: &&ParamSetting| one.group == *group.name && one.param == *name;
            let unwritten = settings.iter().find(is_it).and_then(|one| param_text(&one.value));
            let note = notes.and_then(|notes| notes.get(name));
            let is_weight = note.is_some_and(|note| note.is_weight);
            let before = switches.before(&group.name, name).filter(|_| is_off(value));
            all.push(json!({
                "comment": note.and_then(|note| note.comment.as_deref()),
                "isWeight": is_weight, "isOff": is_weight && is_off(value),
                "before": before.and_then(param_text),
                "group": &*group.name, "name": name, "kind": value.kind(), "value": text,
                "written": written.and_then(param_text), "unwritten": unwritten, "number": number, "range": range,
            }));
        }
    }
    serde_json::Value::from(all).to_string()
}

/// Returns the measures that need no earlier ticks.
pub(crate) fn measures(session: &Session) -> String {
    let simulation = session.simulation();
    let agents = MeasuredAgents::new(simulation, None);
    let built_in = Measure::ALL.iter().filter(|measure| !measure.needs_totals());
    let mut all: Vec<_> = built_in
        .map(|measure| {
            let value = measure.take(&agents).map(f32::from);
            json!({ "name": measure.name(), "unit": measure.unit(), "doc": measure.doc(), "value": value })
        })
        .collect();
    let names = session.run().measure_names();
    let own = names.of_all_agents().into_iter().filter(|one| {
        let is_built_in = Measure::ALL.iter().any(|measure| measure.name() == one.name());
        !is_built_in && !one.needs_totals()
    });
    let others = RunMeasures::new(simulation, own.chain(names.of_values()).collect());
    // A measure whose script fails has no value.
    let values = others.take(simulation).unwrap_or_default();
    let values = values.into_iter().chain(std::iter::repeat(None));
    all.extend(others.measures().iter().zip(values).map(|(one, value)| {
        json!({ "name": one.name(), "unit": one.unit(), "doc": "", "value": value.map(f32::from) })
    }));
    serde_json::Value::from(all).to_string()
}

/// Returns the last messages of scripts up to the present tick.
pub(crate) fn messages(session: &Session) -> String {
    // Messages of `init` belong to the first tick.
    let end = session.tick().max(session.first() + 1);
    let past = session.messages().iter().rev().filter(|message| message.tick < end);
    let mut all: Vec<_> = past
        .take(MAX_MESSAGES)
        .map(|Message { tick, agent, group, place, text, .. }| {
            json!({ "tick": tick, "agent": agent, "group": &**group, "place": place, "text": text })
        })
        .collect();
    all.reverse();
    serde_json::Value::from(all).to_string()
}

/// Returns the expectations, and whether they hold so far.
pub(crate) fn expectations(session: &Session) -> String {
    let states = session.judged().map(|judged| judged.states()).unwrap_or_default();
    let states = states.into_iter().map(Some).chain(std::iter::repeat(None));
    let all = session.expectations().iter().zip(states).map(|(expectation, state)| {
        let failure = state.as_ref().and_then(|state| state.failure.as_ref());
        let state = match state.as_ref().map(|state| state.standing) {
            None => "not judged",
            Some(Standing::NotYet) => "not yet",
            Some(Standing::Passing) => "holds",
            Some(Standing::NearlyFailed) => "nearly failed",
            Some(Standing::Failed) => "failed",
        };
        json!({
            "text": expectation.text,
            "state": state,
            "tick": failure.map(|failure| failure.tick),
            "agent": failure.and_then(|failure| failure.agent),
            "why": failure.map(|failure| &failure.message),
        })
    });
    serde_json::Value::from_iter(all).to_string()
}

/// Returns what an agent computes in its next turn, by the files that have the names.
pub(crate) fn values(simulation: &Simulation, agent: AgentId) -> Option<String> {
    let world = simulation.world();
    let group = &world.agent(world.agents.row(agent)?).group().name;
    let mut files: Vec<(Arc<Source>, Vec<serde_json::Value>)> = Vec::new();
    let all = simulation.values(agent).ok()?.into_iter();
    for one in all.take(MAX_VALUES) {
        let (source, span) = (one.place.source, one.place.span);
        let value = json!({
            "start": span.start,
            "end": span.end,
            "is_variable": one.kind == ValueKind::Variable,
            "is_condition": one.kind == ValueKind::Condition,
            "text": one.text,
            "count": one.count,
        });
        match files.iter_mut().find(|(known, _)| known.name == source.name) {
            Some((_, values)) => values.push(value),
            None => files.push((source, vec![value])),
        }
    }
    let file = |(source, values): (Arc<Source>, Vec<serde_json::Value>)| json!({ "name": source.name, "text": source.text, "values": values });
    let files = serde_json::Value::from_iter(files.into_iter().map(file));
    Some(
        json!({ "tick": world.tick, "agent": agent.0, "group": &**group, "files": files })
            .to_string(),
    )
}

/// Returns the explanation of a decision.
pub(crate) fn explanation(scenario: &str, next_turn: &NextTurn) -> Option<String> {
    let explanation = json::explanation(scenario, next_turn);
    let mut all = serde_json::to_value(&explanation).ok()?;
    all["text"] = next_turn.to_string().into();
    Some(all.to_string())
}

/// Returns the inputs of a world.
pub(crate) fn inputs(world: &World) -> String {
    let all = world.inputs.iter();
    let all = all.map(|input| json!({ "key": &*input.key, "name": &*input.name }));
    serde_json::Value::from_iter(all).to_string()
}
