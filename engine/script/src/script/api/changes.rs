//! Changes of the world: an agent leaves, or makes others. They happen at the end of the tick.

use rhai::{Dynamic, Map};

use super::others::{group_named, point};
use super::{ApiBuilder, MeHandle};
use crate::math::Vec2;
use crate::script::problem::{Problem, Result};
use crate::script::turn::{self, ScriptTurn};
use crate::script::{meter, value};
use crate::sim::{ChangeKind, MAX_CHANGES, NewcomerSpec};
use crate::world::{Value, Values};

pub(super) fn add(api: &mut ApiBuilder) {
    api.untyped::<MeHandle>("leave", 0, |_| {
        turn::with(|turn| decide(turn, "leave", ChangeKind::Remove))
    });
    for given in 2..=4 {
        api.untyped::<MeHandle>("create", given, |arguments| {
            turn::with(|turn| {
                let newcomer = newcomer(turn, &arguments[1..])?;
                decide(turn, "create", ChangeKind::Spawn(Box::new(newcomer)))
            })
        });
    }
}

/// Adds a change to those of the turn.
fn decide(turn: &mut ScriptTurn, function: &str, kind: ChangeKind) -> Result<Dynamic> {
    if !turn.may_change {
        return Err(Problem::new(format!("`me.{function}` can be called in `steer` only"))
            .help("an agent that is being prepared cannot change the world yet")
            .into());
    }
    if turn.changes.len() >= MAX_CHANGES {
        return Err(Problem::new(format!(
            "an agent can make at most {MAX_CHANGES} changes in one tick"
        ))
        .help("make the others in the next ticks")
        .into());
    }
    turn.changes.push(kind);
    Ok(Dynamic::UNIT)
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
            .collect::<Result<Vec<(std::sync::Arc<str>, Value)>>>()
            .map(Values::from_iter),
    )
}
