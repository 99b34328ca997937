//! Inputs of the scenario: what scripts read as `world.inputs.name`.

use rhai::{Dynamic, ImmutableString};

use super::{ApiBuilder, InputsHandle, WorldHandle};
use crate::script::problem::{self, Problem, Result};
use crate::script::turn;

pub(super) fn add(api: &mut ApiBuilder) {
    api.name_type::<InputsHandle>();
    api.property("inputs", |_: &mut WorldHandle| Ok(InputsHandle));
    // Rhai ends `world.inputs.x = true` by assigning `world.inputs`.
    api.module.set_setter_fn("inputs", |_: &mut WorldHandle, _: InputsHandle| Ok(()));
    for name in ["to_debug", "to_string"] {
        api.function(name, |_: &mut InputsHandle| {
            turn::with(|turn| {
                let inputs = turn.world.inputs.iter();
                let shown = inputs.map(|input| format!("{} = {}", input.name, input.is_down));
                Ok(shown.collect::<Vec<_>>().join(", "))
            })
        });
    }
    api.module
        .set_indexer_get_fn(|_: &mut InputsHandle, name: ImmutableString| input(name.as_str()));
    api.module.set_indexer_set_fn(
        |_: &mut InputsHandle, name: ImmutableString, _: Dynamic| -> Result<()> {
            Err(Problem::from(problem::input_set(&name)).into())
        },
    );
}

/// Returns whether an input is true.
pub(super) fn input(name: &str) -> Result<Dynamic> {
    turn::with(|turn| match turn.world.input_named(name) {
        Some(index) => Ok(turn.world.inputs[index].is_down.into()),
        None => Err(Problem::from(problem::no_input(name, turn.world.names())).into()),
    })
}
