//! Changes: an agent sets itself a goal, tells others something, contributes to shared values, changes a layer, captures others, leaves, or makes others.

use std::ops::RangeInclusive;
use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::others::{group_named, point};
use super::surroundings::layer_named;
use super::{AgentHandle, ApiBuilder, MeHandle, NeighborhoodHandle};
use crate::math::Vec2;
use crate::script::problem::{self, Problem, Result};
use crate::script::turn::{self, ScriptTurn};
use crate::script::{meter, value};
use crate::sim::{ChangeKind, LayerChange, Listeners, MAX_CHANGES, NewcomerSpec, Told};
use crate::world::{Goal, GroupId, PublicType, Value, Values};

/// A function with which an agent changes the world.
pub(in crate::script) struct ChangeFunction {
    pub(in crate::script) name: &'static str,
    /// How many arguments can be given.
    given: RangeInclusive<usize>,
    /// Whether it changes a public state, of the agent or of others.
    pub(in crate::script) changes_state: bool,
    /// Whether what happens depends on the order of agents.
    pub(in crate::script) order: OrderMatters,
    /// Returns what the agent decides on.
    decide: fn(&mut ScriptTurn, &[&mut Dynamic]) -> Result<Decided>,
}

/// When it matters in which order agents call a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum OrderMatters {
    Never,
    /// Always: new agents get their ids in this order, and the first one gets what there is only once.
    Always,
    /// If something is told whose last value counts.
    IfLatestTold,
    /// If there is a shared value of which the last contribution counts.
    IfLatestShared,
}

/// What an agent decides on in a call.
enum Decided {
    World(ChangeKind),
    /// `None` outside of the layer.
    Layer(Option<LayerChange>),
}

/// All functions with which agents change the world.
pub(in crate::script) const FUNCTIONS: &[ChangeFunction] = &[
    ChangeFunction {
        name: "leave",
        given: 0..=0,
        changes_state: false,
        order: OrderMatters::Never,
        decide: |_, _| Ok(Decided::World(ChangeKind::Remove)),
    },
    ChangeFunction {
        name: "set_goal",
        given: 1..=2,
        changes_state: false,
        order: OrderMatters::Never,
        decide: |turn, given| own_goal(turn, given).map(Decided::World),
    },
    ChangeFunction {
        name: "create",
        given: 2..=4,
        changes_state: false,
        order: OrderMatters::Always,
        decide: |turn, given| {
            newcomer(turn, given).map(|one| Decided::World(ChangeKind::Spawn(Box::new(one))))
        },
    },
    ChangeFunction {
        name: "capture",
        given: 2..=2,
        changes_state: true,
        order: OrderMatters::Always,
        decide: |turn, given| capture(turn, given[0], given[1]).map(Decided::World),
    },
    ChangeFunction {
        name: "tell",
        given: 3..=4,
        changes_state: true,
        order: OrderMatters::IfLatestTold,
        decide: |turn, given| told(turn, given).map(|told| Decided::World(ChangeKind::Tell(told))),
    },
    ChangeFunction {
        name: "share",
        given: 2..=2,
        changes_state: false,
        order: OrderMatters::IfLatestShared,
        decide: |turn, given| {
            super::shared::contribution(turn, given[0], given[1]).map(Decided::World)
        },
    },
    ChangeFunction {
        name: "deposit",
        given: 2..=3,
        changes_state: false,
        order: OrderMatters::Always,
        decide: |turn, given| {
            let at = given.get(2).map(|at| point(turn, "deposit", at)).transpose()?;
            layer_change(turn, "deposit", given, None, at).map(Decided::Layer)
        },
    },
    ChangeFunction {
        name: "take",
        given: 3..=3,
        changes_state: true,
        order: OrderMatters::Always,
        decide: |turn, given| {
            let into = own_number(turn, "take", given[2])?;
            layer_change(turn, "take", given, Some(into), None).map(Decided::Layer)
        },
    },
];

pub(super) fn add(api: &mut ApiBuilder) {
    for function in FUNCTIONS {
        for given in function.given.clone() {
            api.untyped::<MeHandle>(function.name, given, |arguments| {
                turn::with(|turn| {
                    check_may_change(turn, function.name)?;
                    match (function.decide)(turn, &arguments[1..])? {
                        Decided::World(kind) => turn.changes.push(kind),
                        Decided::Layer(change) => turn.layer_changes.extend(change),
                    }
                    Ok(Dynamic::UNIT)
                })
            });
        }
    }
}

/// Checks that the agent can make one more change in this turn.
fn check_may_change(turn: &ScriptTurn, function: &str) -> Result<()> {
    if !turn.may_change {
        return Err(Problem::new(format!("`me.{function}` can be called in `steer` only"))
            .help("an agent that is being prepared cannot change the world yet")
            .into());
    }
    if turn.changes.len() + turn.layer_changes.len() >= MAX_CHANGES {
        return Err(Problem::new(format!(
            "an agent can make at most {MAX_CHANGES} changes in one tick"
        ))
        .help("make the others in the next ticks")
        .into());
    }
    Ok(())
}

/// Returns a change of a layer; `None` if there is no cell. `given` are the name of the layer and the amount.
fn layer_change(
    turn: &ScriptTurn,
    function: &str,
    given: &[&mut Dynamic],
    into: Option<u16>,
    at: Option<Vec2>,
) -> Result<Option<LayerChange>> {
    let Some(name) = super::name(given[0]) else {
        let found = value::kind(given[0]);
        let wrong = format!("`{function}` takes the name of a layer first, but got {found}");
        return Err(Problem::new(wrong).into());
    };
    let layer = layer_named(&turn.world, &name)?;
    let amount = super::number(function, given[1], 2)?;
    if !(amount.is_finite() && amount >= 0.0) {
        let wrong =
            format!("{function}: the amount must be finite and at least 0, but is {amount}");
        return Err(Problem::new(wrong).into());
    }
    let world = &turn.world;
    let at = at.unwrap_or_else(|| world.agents.pos(turn.row));
    let cell = world.layer(layer).and_then(|layer| layer.cell_at(&world.space, at));
    let agent = world.agents.id[turn.row];
    Ok(cell.map(|cell| LayerChange { agent, layer, into, cell: cell as u32, amount }))
}

/// Returns the index of a number of the agent's own public state that is named.
fn own_number(turn: &ScriptTurn, function: &str, name: &Dynamic) -> Result<u16> {
    let Some(wanted) = super::name(name) else {
        let found = value::kind(name);
        let wrong = format!("`{function}` takes the name of a public number last, but got {found}");
        let call = super::method_signature(function, "`me`").unwrap_or_default();
        return Err(Problem::new(wrong).help(format!("call it as `{call}`")).into());
    };
    let group = turn.world.group(turn.world.agents.group[turn.row]);
    let ty = group.public.get(&wanted).and_then(PublicType::of);
    problem::own_number(function, &wanted, ty, turn.world.names().public())
        .map_err(|wrong| Problem::from(wrong).into())
}

/// Returns what `me.set_goal(at, radius)` describes.
fn own_goal(turn: &ScriptTurn, given: &[&mut Dynamic]) -> Result<ChangeKind> {
    let at = point(turn, "set_goal", given[0])?;
    let radius = given.get(1).map(|radius| super::number("set_goal", radius, 2)).transpose()?;
    let radius = radius.unwrap_or_default();
    if !(radius.is_finite() && radius >= 0.0) {
        let wrong = format!("set_goal: the radius must be finite and at least 0, but is {radius}");
        return Err(Problem::new(wrong).into());
    }
    Ok(ChangeKind::SetGoal(Goal { at, radius }))
}

/// Returns what `me.capture(other, name)` describes.
fn capture(turn: &ScriptTurn, other: &Dynamic, name: &Dynamic) -> Result<ChangeKind> {
    if other.is::<MeHandle>() {
        return Err(Problem::new("an agent cannot capture itself")
            .help("to leave the world, call `me.leave()`")
            .into());
    }
    let Some(id) = other.read_lock::<AgentHandle>().map(|other| other.0) else {
        let found = value::kind(other);
        return Err(Problem::new(format!("`capture` takes an agent first, but got {found}"))
            .help("call it as `me.capture(other, name)`")
            .into());
    };
    let other = turn.agent(id)?.group();
    let own = turn.world.group(turn.world.agents.group[turn.row]);
    if !own.captures.contains(&turn.agent(id)?.group_id()) {
        let whom = (!own.captures.is_empty()).then_some(&*other.name);
        return Err(Problem::from(problem::no_captures(&own.name, whom)).into());
    }
    let into = own_number(turn, "capture", name)?;
    Ok(ChangeKind::Capture { agent: id, into })
}

/// Returns what `me.tell(to, name, value, delay)` describes.
fn told(turn: &ScriptTurn, given: &[&mut Dynamic]) -> Result<Told> {
    let (to, name, value): (&Dynamic, &Dynamic, &Dynamic) = (given[0], given[1], given[2]);
    let wrong = |what: &str, found: &Dynamic| {
        let found = value::kind(found);
        Problem::new(format!("`tell` takes {what}, but got {found}"))
            .help("call it as `me.tell(to, name, value, delay)`")
    };
    let Some(told_name) = super::name(name) else {
        return Err(wrong("the name of a public state second", name).into());
    };
    let (to, listener) = if let Some(group) = super::name(to) {
        let group = group_named(&turn.world, &group)?;
        (Listeners::Group(group), Some(group))
    } else if let Some(near) = to.read_lock::<NeighborhoodHandle>() {
        (Listeners::Neighbors(near.0), near.0.group)
    } else if let Some(other) = to.read_lock::<AgentHandle>() {
        (Listeners::Agent(other.0), Some(turn.agent(other.0)?.group_id()))
    } else if to.is::<MeHandle>() {
        return Err(Problem::new("an agent cannot tell itself anything")
            .help(format!("set its own state: `me.state.{told_name} = ...`"))
            .into());
    } else {
        return Err(wrong("an agent, a group or a neighborhood first", to).into());
    };
    let names = turn.world.names().public();
    let known = names.iter().find(|known| *known.name == *told_name);
    let hears = |group: GroupId| known.is_some_and(|known| known.groups[usize::from(group.0)]);
    let Some(known) = known.filter(|_| listener.is_none_or(hears)) else {
        let group = listener.map(|group| turn.world.group(group));
        return Err(Problem::from(problem::nobody_hears(&told_name, group, names)).into());
    };
    let new = value::from_script(value)?;
    meter::spend_on_copy(new.elements())?;
    let Some(new) = known.ty.fit(new) else {
        let found = value::kind(value);
        return Err(Problem::from(problem::wrong_public_type(&told_name, known.ty, &found)).into());
    };
    let delay = match given.get(3) {
        Some(delay) => {
            value::number(delay).ok_or_else(|| wrong("the seconds of a delay fourth", delay))?
        }
        None => 0.0,
    };
    if !(delay.is_finite() && delay >= 0.0) {
        let wrong =
            format!("tell: the delay must be finite and at least 0 seconds, but is {delay}");
        return Err(Problem::new(wrong).into());
    }
    Ok(Told { to, name: Arc::clone(&known.name), value: new, delay })
}

/// Returns the agent that `me.create(group, pos, vel, state)` describes.
fn newcomer(turn: &ScriptTurn, given: &[&mut Dynamic]) -> Result<NewcomerSpec> {
    let wrong = |what: &str, found: &Dynamic| {
        let found = value::kind(found);
        Problem::new(format!("`create` takes {what}, but got {found}"))
            .help("call it as `me.create(group, pos, vel, state)`")
    };
    let Some(group) = super::name(given[0]) else {
        return Err(wrong("the name of a group first", given[0]).into());
    };
    let group = group_named(&turn.world, &group)?;
    let pos = point(turn, "create", given[1])?;
    let vel = match given.get(2) {
        Some(vel) => value::vector(vel).ok_or_else(|| wrong("a velocity as a vector", vel))?,
        None => Vec2::ZERO,
    };
    let state = match given.get(3) {
        Some(state) => state_of(state).ok_or_else(|| wrong("a map of values", state))??,
        None => Values::default(),
    };
    let public = &turn.world.group(group).public;
    let fitting = state.iter().map(|(name, value)| {
        let ty = public.get(name).and_then(PublicType::of);
        let Some(ty) = ty else { return Ok((Arc::from(name), value.clone())) };
        let new = ty
            .fit(value.clone())
            .ok_or_else(|| Problem::from(problem::wrong_public_type(name, ty, value.kind())))?;
        Ok((Arc::from(name), new))
    });
    let state = fitting.collect::<Result<Values>>()?;
    Ok(NewcomerSpec { group, pos, vel, state })
}

/// Returns the values of a map; `None` if it is no map.
fn state_of(given: &Dynamic) -> Option<Result<Values>> {
    let map = given.read_lock::<Map>()?;
    Some(
        map.iter()
            .map(|(name, value)| {
                let value = value::from_script(value)?;
                meter::spend_on_copy(value.elements())?;
                Ok((name.as_str().into(), value))
            })
            .collect::<Result<Vec<(Arc<str>, Value)>>>()
            .map(Values::from_iter),
    )
}
