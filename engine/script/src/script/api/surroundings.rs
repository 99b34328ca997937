//! The world, its obstacles, paths and fields as values of a script.

use rhai::{Array, Dynamic};

use super::{ApiBuilder, FieldHandle, ObstacleHandle, PathHandle, WorldHandle};
use crate::script::problem::{Problem, Result};
use crate::script::turn::{self, ScriptTurn};
use crate::world::{FieldId, LayerId, ObstacleId, PathId, World};

pub(super) fn add(api: &mut ApiBuilder) {
    api.name_type::<WorldHandle>();
    api.name_type::<ObstacleHandle>();
    api.name_type::<PathHandle>();
    api.name_type::<FieldHandle>();
    api.property("obstacles", |_: &mut WorldHandle| {
        turn::query(|turn| {
            Ok((0..turn.world.obstacles.len())
                .map(|i| Dynamic::from(ObstacleHandle(turn.world.obstacle_id(i))))
                .collect::<Array>())
        })
    });
    for (name, equal) in [("==", true), ("!=", false)] {
        api.function(name, move |a: ObstacleHandle, b: ObstacleHandle| (a == b) == equal);
        api.function(name, move |a: PathHandle, b: PathHandle| (a == b) == equal);
        api.function(name, move |a: FieldHandle, b: FieldHandle| (a == b) == equal);
    }
}

/// Returns the obstacle with a name.
pub(super) fn obstacle_named(turn: &ScriptTurn, name: &str) -> Result<ObstacleId> {
    turn.world.obstacle_named(name).ok_or_else(|| {
        let known = turn.world.all_obstacles().map(|obstacle| obstacle.name.as_ref());
        Problem::new(format!("there is no obstacle `{name}`")).suggest(name, known).into()
    })
}

/// Returns the path with a name.
pub(super) fn path_named(turn: &ScriptTurn, name: &str) -> Result<PathId> {
    turn.world.path_named(name).ok_or_else(|| {
        let known = turn.world.paths.iter().map(|path| path.name.as_ref());
        Problem::new(format!("there is no path `{name}`")).suggest(name, known).into()
    })
}

/// Returns the field with a name.
pub(super) fn field_named(turn: &ScriptTurn, name: &str) -> Result<FieldId> {
    turn.world.field_named(name).ok_or_else(|| {
        let known = turn.world.fields.iter().map(|field| field.name.as_ref());
        Problem::new(format!("there is no field `{name}`")).suggest(name, known).into()
    })
}

/// Returns the layer with a name.
pub(super) fn layer_named(world: &World, name: &str) -> Result<LayerId> {
    world.layer_named(name).ok_or_else(|| {
        let known = world.layers.iter().map(|layer| layer.name.as_ref());
        Problem::new(format!("there is no layer `{name}`")).suggest(name, known).into()
    })
}
