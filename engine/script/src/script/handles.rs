//! The values of scripts that stand for something in the world, and the names of their types.

use std::any::TypeId;

use crate::math::Vec2;
use crate::world::{AgentId, FieldId, Neighborhood, ObstacleId, PathId};

/// The value of `me`: the agent whose turn it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeHandle;

/// The value of `me.params`: the params of the group of the agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParamsHandle;

/// The value of `me.state`: the state of the agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateHandle;

/// The value of `other.state`: the public state of an agent, by its id.
#[derive(Clone, Copy, Debug)]
pub(super) struct OtherStateHandle(pub(super) AgentId);

/// The value of `world.inputs`.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputsHandle;
/// The value of `world.shared`: the shared values of the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedHandle;

/// An agent as a value of a script, by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AgentHandle(pub(super) AgentId);

/// A neighborhood of the agent whose turn it is, as a value of a script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NeighborhoodHandle(pub(super) Neighborhood);

/// The value of `world`.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorldHandle;

/// An obstacle as a value of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ObstacleHandle(pub(super) ObstacleId);

/// A path as a value of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathHandle(pub(super) PathId);

/// A field as a value of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldHandle(pub(super) FieldId);

/// Returns the id of a type. It is a function because the id itself is not a constant.
pub(super) type TypeIdFn = fn() -> TypeId;

/// A type of values in scripts that this module defines or names.
pub(super) struct ScriptType {
    id: TypeIdFn,
    /// The path of the Rust type.
    pub(super) path: fn() -> &'static str,
    /// Name in messages, without an article.
    pub(super) name: &'static str,
}

impl ScriptType {
    const fn of<T: 'static>(name: &'static str) -> Self {
        Self { id: TypeId::of::<T>, path: std::any::type_name::<T>, name }
    }

    /// Returns the script type with the id of a Rust type, if there is one.
    pub(super) fn of_type(id: TypeId) -> Option<&'static Self> {
        SCRIPT_TYPES.iter().find(|kind| (kind.id)() == id)
    }

    /// Returns the script type with the path of a Rust type, if there is one.
    pub(super) fn of_path(path: &str) -> Option<&'static Self> {
        SCRIPT_TYPES.iter().find(|kind| (kind.path)() == path)
    }
}

pub(super) const SCRIPT_TYPES: &[ScriptType] = &[
    ScriptType::of::<MeHandle>("me"),
    ScriptType::of::<AgentHandle>("agent"),
    ScriptType::of::<Vec2>("vector"),
    ScriptType::of::<NeighborhoodHandle>("neighborhood"),
    ScriptType::of::<PathHandle>("path"),
    ScriptType::of::<FieldHandle>("field"),
    ScriptType::of::<ObstacleHandle>("obstacle"),
    ScriptType::of::<WorldHandle>("world"),
    ScriptType::of::<ParamsHandle>("params"),
    ScriptType::of::<StateHandle>("state"),
    ScriptType::of::<OtherStateHandle>("other.state"),
    ScriptType::of::<InputsHandle>("inputs"),
    ScriptType::of::<SharedHandle>("world.shared"),
];
