//! Other agents, and neighbourhoods of them.

use rhai::{Dynamic, FLOAT, INT, ImmutableString};

use super::{Builder, finite};
use crate::math::{self, Vec2};
use crate::script::error::{Problem, Result};
use crate::script::{turn, value};
use crate::world::{Agent, GroupId, Me, Neighbor, Neighborhood, View, World};

/// An agent, by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) struct Other(pub(in crate::script) u32);

/// A neighbourhood of the agent whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::script) struct Nearby(pub(in crate::script) Neighborhood);

pub(super) fn add(api: &mut Builder) {
    agents(api);
    neighborhoods(api);
}

fn agents(api: &mut Builder) {
    fn property<R: rhai::Variant + Clone>(
        api: &mut Builder,
        name: &'static str,
        get: fn(&Agent<'_>) -> R,
    ) {
        api.property(name, move |other: &mut Other| {
            turn::with(|turn| Ok(get(&turn.agent(other.0)?)))
        });
    }
    api.kind::<Other>();
    api.property("id", |other: &mut Other| Ok(INT::from(other.0)));
    property(api, "index", |agent| INT::from(agent.index()));
    property(api, "group", |agent| ImmutableString::from(agent.group().name.as_ref()));
    property(api, "pos", |agent| agent.pos());
    property(api, "vel", |agent| agent.vel());
    property(api, "heading", |agent| agent.heading());
    property(api, "speed", |agent| math::length(agent.vel()));
    property(api, "radius", |agent| agent.body().radius);
    property(api, "mass", |agent| agent.body().mass);
    property(api, "max_speed", |agent| agent.body().max_speed);
    property(api, "max_force", |agent| agent.body().max_force);
    api.function("==", |a: Other, b: Other| a == b);
    api.function("!=", |a: Other, b: Other| a != b);
    for name in ["to_string", "to_debug"] {
        api.function(name, |other: &mut Other| format!("agent {}", other.0));
    }
}

fn neighborhoods(api: &mut Builder) {
    fn summary<R: rhai::Variant + Clone>(
        api: &mut Builder,
        name: &'static str,
        get: fn(&Me<'_>, &crate::world::Summary) -> R,
    ) {
        api.property(name, move |near: &mut Nearby| {
            turn::ask(|turn| {
                let me = turn.me();
                Ok(get(&me, &me.summary(&near.0)))
            })
        });
    }
    api.kind::<Nearby>();
    summary(api, "count", |_, sum| INT::from(sum.count));
    summary(api, "mean_velocity", |_, sum| sum.mean_velocity());
    summary(api, "mean_offset", |_, sum| sum.mean_offset());
    summary(api, "nearest", |me, sum| agent_at(me.world(), sum.nearest.map(|(row, _)| row)));
    api.property("center", |near: &mut Nearby| {
        turn::ask(|turn| {
            let from = near.0.around.unwrap_or_else(|| turn.me().pos());
            finite(from + turn.me().summary(&near.0).mean_offset())
        })
    });
    api.property("first", |near: &mut Nearby| {
        turn::ask(|turn| {
            let mut first: Option<usize> = None;
            turn.me().each_neighbor(&near.0, |other| {
                first = Some(first.map_or(other.row, |row| row.min(other.row)))
            });
            Ok(agent_at(&turn.world, first))
        })
    });
    api.function("of", |near: Nearby, group: ImmutableString| {
        turn::with(|turn| Ok(Nearby(near.0.of(group_named(&turn.world, &group)?))))
    });
    api.function("in_view", |near: Nearby, radians: FLOAT| {
        Nearby(near.0.seen(View::over(radians)))
    });
    api.function("in_view", |near: Nearby, radians: INT| {
        Nearby(near.0.seen(View::over(radians as FLOAT)))
    });
    api.function("ahead", |near: Nearby| Nearby(near.0.seen(View::Ahead)));
    api.module.set_iter_result(std::any::TypeId::of::<Nearby>(), |near| {
        let ids = near.try_cast::<Nearby>().map_or_else(|| Ok(Vec::new()), |near| ids(&near.0));
        match ids {
            Ok(ids) => Box::new(ids.into_iter().map(|id| Ok(Dynamic::from(Other(id))))),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    });
}

/// The neighbours in the order of their ids, which is the order a reader expects of a loop.
pub(super) fn ids(near: &Neighborhood) -> Result<Vec<u32>> {
    turn::ask(|turn| {
        let mut ids = Vec::new();
        turn.me()
            .each_neighbor(near, |other: &Neighbor<'_>| ids.push(turn.world.agents.id[other.row]));
        ids.sort_unstable();
        Ok(ids)
    })
}

/// The agent of a row for a script, or `()`.
pub(super) fn agent_at(world: &World, row: Option<usize>) -> Dynamic {
    row.map_or(Dynamic::UNIT, |row| Dynamic::from(Other(world.agents.id[row])))
}

/// The group that a script names.
pub(super) fn group_named(world: &World, name: &str) -> Result<GroupId> {
    world.group_named(name).ok_or_else(|| {
        let known = world.groups.iter().map(|group| group.name.as_ref());
        Problem::new(format!("there is no group `{name}`")).suggest(name, known).into()
    })
}

/// Where something is that is either a point or an agent.
pub(super) fn position(turn: &turn::Turn, value: &Dynamic) -> Result<Option<Vec2>> {
    if let Some(point) = value.read_lock::<Vec2>() {
        return Ok(Some(*point));
    }
    if let Some(other) = value.read_lock::<Other>() {
        return turn.agent(other.0).map(|agent| Some(agent.pos()));
    }
    if value.is::<super::Itself>() {
        return Ok(Some(turn.me().pos()));
    }
    Ok(None)
}

/// Where something is that a function takes as a point: a point, or an agent.
pub(super) fn point(turn: &turn::Turn, function: &str, value: &Dynamic) -> Result<Vec2> {
    position(turn, value)?.ok_or_else(|| {
        let found = value::kind(value);
        let problem =
            Problem::new(format!("`{function}` takes a point or an agent, and got {found}"));
        match value::hint_of_point(value) {
            Some(hint) => problem.help(hint).into(),
            None => problem.into(),
        }
    })
}
