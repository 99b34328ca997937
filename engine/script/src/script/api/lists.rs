//! Neighborhoods as lists of agents, in the order of their ids.

use rhai::{Array, Dynamic, FnPtr, INT, NativeCallContext};

use super::others::ids;
use super::{AgentHandle, ApiBuilder, NeighborhoodHandle};
use crate::script::problem::{Problem, Result};
use crate::script::value;

pub(super) fn add(api: &mut ApiBuilder) {
    api.function("contains", |near: NeighborhoodHandle, other: AgentHandle| {
        ids(&near.0).map(|ids| ids.contains(&other.0))
    });
    api.module.set_indexer_get_fn(|near: &mut NeighborhoodHandle, place: INT| {
        let ids = ids(&near.0)?;
        let count = ids.len() as INT;
        // Negative indices count from the end, as in arrays.
        let from_start = if place < 0 { place.saturating_add(count) } else { place };
        let id = usize::try_from(from_start).ok().and_then(|place| ids.get(place));
        match id {
            Some(&id) => Ok(AgentHandle(id)),
            None => Err(Problem::new(format!(
                "the neighborhood has no agent with index {place}: it has {count} agents"
            ))
            .help("`.nearest` and `.first` are `()` if there are no agents")
            .into()),
        }
    });
    api.function(
        "map",
        |context: NativeCallContext<'_>, near: NeighborhoodHandle, by: FnPtr| -> Result<Array> {
            let each = agents(near)?.into_iter();
            each.map(|other| by.call_raw(&context, None, [other])).collect()
        },
    );
    api.function(
        "filter",
        |context: NativeCallContext<'_>, near: NeighborhoodHandle, by: FnPtr| -> Result<Array> {
            let mut kept = Array::new();
            for other in agents(near)? {
                let keep = by.call_raw(&context, None, [other.clone()])?;
                match keep.as_bool() {
                    Ok(true) => kept.push(other),
                    Ok(false) => {}
                    Err(_) => {
                        return Err(Problem::new(format!(
                            "a filter must return `true` or `false`, but returned {}",
                            value::kind(&keep)
                        ))
                        .into());
                    }
                }
            }
            Ok(kept)
        },
    );
}

fn agents(near: NeighborhoodHandle) -> Result<Array> {
    let all = ids(&near.0)?.into_iter();
    Ok(all.map(|id| Dynamic::from(AgentHandle(id))).collect())
}
