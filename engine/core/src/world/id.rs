//! The ids of agents, and of the named parts of a world.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

/// Identifies an agent for the whole run. Ids count up in the order of creation and are never reused.
///
/// [`Agent::id`](super::Agent::id) and [`Simulation::add`](crate::sim::Simulation::add) return it. Files and messages show its number.
#[derive(
    Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize, serde::Serialize,
)]
#[repr(transparent)]
pub struct AgentId(pub u32);

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Shows the number alone, as messages do.
impl fmt::Debug for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for AgentId {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// Compares with the number that files and messages show.
impl PartialEq<u32> for AgentId {
    fn eq(&self, number: &u32) -> bool {
        self.0 == *number
    }
}

/// A group, as an index into the world's groups, which are in the order of the scenario.
///
/// [`World::group_named`](super::World::group_named) and [`Agent::group_id`](super::Agent::group_id) return it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupId(pub u16);

/// A path, as an index into the world's paths, which are in the order of the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PathId(pub u16);

/// A field, as an index into the world's fields, which are in the order of the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldId(pub u16);

/// A layer, as an index into the world's layers, which are in the order of the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LayerId(pub u16);

/// An obstacle, as an index into all obstacles of the scenario, in its order, also those that are absent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObstacleId(pub u16);
