//! Agents and neighborhoods as values of a script.

use rhai::Dynamic;

use super::{AgentHandle, ApiBuilder, MeHandle, NeighborhoodHandle};
use crate::math::Vec2;
use crate::script::problem::{Problem, Result};
use crate::script::{messages, turn, value};
use crate::world::{AgentId, GroupId, Neighbor, Neighborhood, World};

pub(super) fn add(api: &mut ApiBuilder) {
    api.name_type::<AgentHandle>();
    api.name_type::<NeighborhoodHandle>();
    api.function("==", |a: AgentHandle, b: AgentHandle| a == b);
    api.function("!=", |a: AgentHandle, b: AgentHandle| a != b);
    for name in ["to_string", "to_debug"] {
        api.function(name, |other: &mut AgentHandle| messages::agent(other.0));
    }
    api.module.set_iter_result(std::any::TypeId::of::<NeighborhoodHandle>(), |near| {
        let ids = near
            .try_cast::<NeighborhoodHandle>()
            .map_or_else(|| Ok(Vec::new()), |near| ids(&near.0));
        match ids {
            Ok(ids) => Box::new(ids.into_iter().map(|id| Ok(Dynamic::from(AgentHandle(id))))),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    });
}

/// Returns the ids of the neighbors in ascending order, the order of a loop over them.
pub(super) fn ids(near: &Neighborhood) -> Result<Vec<AgentId>> {
    turn::query(|turn| {
        let mut ids = Vec::new();
        turn.me()
            .each_neighbor(near, |other: &Neighbor<'_>| ids.push(turn.world.agents.id[other.row]));
        ids.sort_unstable();
        Ok(ids)
    })
}

/// Returns the group with a name.
pub(super) fn group_named(world: &World, name: &str) -> Result<GroupId> {
    world.group_named(name).map_err(|_| {
        let known = world.groups.iter().map(|group| group.name.as_ref());
        Problem::new(format!("there is no group `{name}`")).suggest(name, known).into()
    })
}

/// Returns the position that a value stands for, if it is a point or an agent.
pub(super) fn position(turn: &turn::ScriptTurn, value: &Dynamic) -> Result<Option<Vec2>> {
    if let Some(point) = value::vector(value) {
        return Ok(Some(point));
    }
    if let Some(other) = value.read_lock::<AgentHandle>() {
        return turn.agent(other.0).map(|agent| Some(agent.pos()));
    }
    if value.is::<MeHandle>() {
        return Ok(Some(turn.me().pos()));
    }
    Ok(None)
}

/// Returns the position that an argument of a function stands for, which must be a point or an agent.
pub(super) fn point(turn: &turn::ScriptTurn, function: &str, value: &Dynamic) -> Result<Vec2> {
    position(turn, value)?.ok_or_else(|| {
        let found = value::kind(value);
        let problem =
            Problem::new(format!("`{function}` takes a point or an agent, but got {found}"));
        match value::hint_of_point(value) {
            Some(hint) => problem.help(hint).into(),
            None => problem.into(),
        }
    })
}
