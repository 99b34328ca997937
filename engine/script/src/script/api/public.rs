//! Public state: what an agent reads of the state of others, and what it may write into its own.

use rhai::{Dynamic, ImmutableString};

use super::me::copy_to_script;
use super::{AgentHandle, ApiBuilder, OtherStateHandle};
use crate::script::problem::{self, Problem, Result};
use crate::script::turn;
use crate::world::AgentId;

pub(super) fn add(api: &mut ApiBuilder) {
    api.name_type::<OtherStateHandle>();
    api.property("state", |other: &mut AgentHandle| Ok(OtherStateHandle(other.0)));
    for name in ["to_debug", "to_string"] {
        api.function(name, |state: &mut OtherStateHandle| {
            turn::with(|turn| {
                let agent = turn.agent(state.0)?;
                let names = agent.group().public.names();
                let shown =
                    names.filter_map(|name| Some(format!("{name} = {}", agent.state(name)?)));
                Ok(shown.collect::<Vec<_>>().join(", "))
            })
        });
    }
    api.module.set_indexer_get_fn(|state: &mut OtherStateHandle, name: ImmutableString| {
        state_of(state.0, name.as_str())
    });
    api.module.set_indexer_set_fn(
        |_: &mut OtherStateHandle, name: ImmutableString, _: Dynamic| -> Result<()> {
            Err(Problem::from(problem::state_of_other_set(&name)).into())
        },
    );
}

/// Returns a public value of another agent.
pub(super) fn state_of(id: AgentId, name: &str) -> Result<Dynamic> {
    turn::with(|turn| {
        let agent = turn.agent(id)?;
        match agent.state(name) {
            Some(value) => copy_to_script(&value),
            None => {
                let names = turn.world.names().public();
                Err(Problem::from(problem::no_public_state(name, Some(agent), names)).into())
            }
        }
    })
}
