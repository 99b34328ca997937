//! Shared values of the world: reading them, and contributing to them.

use rhai::{Dynamic, ImmutableString};

use super::me::copy_to_script;
use super::{ApiBuilder, SharedHandle, WorldHandle};
use crate::script::problem::{self, Problem, Result};
use crate::script::turn::{self, ScriptTurn};
use crate::script::value;
use crate::sim::ChangeKind;

pub(super) fn add(api: &mut ApiBuilder) {
    api.name_type::<SharedHandle>();
    api.property("shared", |_: &mut WorldHandle| Ok(SharedHandle));
    for name in ["to_debug", "to_string"] {
        api.function(name, |_: &mut SharedHandle| {
            turn::with(|turn| Ok(turn.world.shared_values().to_string()))
        });
    }
    api.module.set_indexer_get_fn(|_: &mut SharedHandle, name: ImmutableString| shared(&name));
    api.module.set_indexer_set_fn(
        |_: &mut SharedHandle, name: ImmutableString, _: Dynamic| -> Result<()> {
            Err(Problem::from(problem::shared_set(&name)).into())
        },
    );
}

/// Returns a shared value of the world.
pub(super) fn shared(name: &str) -> Result<Dynamic> {
    turn::with(|turn| match turn.world.shared_value(name) {
        Some(value) => copy_to_script(value),
        None => Err(unknown(turn, name)),
    })
}

/// Returns what `me.share(name, value)` contributes.
pub(super) fn contribution(turn: &ScriptTurn, name: &Dynamic, new: &Dynamic) -> Result<ChangeKind> {
    let Some(name) = super::name(name) else {
        let found = value::kind(name);
        return Err(Problem::new(format!(
            "`share` takes the name of a shared value first, but got {found}"
        ))
        .help("call it as `me.share(name, value)`")
        .into());
    };
    let Some(index) = turn.world.shared_named(&name) else { return Err(unknown(turn, &name)) };
    if value::number(new).is_some_and(|x| !x.is_finite()) {
        return Err(Problem::from(problem::contribution_not_finite(&name)).into());
    }
    let shared = &turn.world.shared[index];
    let fitting = shared.ty().fit(value::from_script(new)?);
    let value = fitting.ok_or_else(|| {
        let found = value::kind(new);
        Problem::from(problem::wrong_contribution(&name, shared.ty(), &found))
    })?;
    Ok(ChangeKind::Share { shared: index as u16, value })
}

fn unknown(turn: &ScriptTurn, name: &str) -> Box<rhai::EvalAltResult> {
    Problem::from(problem::no_shared_value(name, turn.world.names().shared())).into()
}
