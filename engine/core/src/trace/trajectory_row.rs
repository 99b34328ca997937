//! One row of a trajectory.

use serde::{Serialize, Serializer};

use crate::world::{AgentId, Value};

/// One agent at one tick. The names of the fields are those in the files.
#[derive(Serialize)]
pub(super) struct TrajectoryRow<'w> {
    pub(super) tick: u64,
    pub(super) time: f32,
    pub(super) id: AgentId,
    pub(super) group: &'w str,
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) vx: f32,
    pub(super) vy: f32,
    pub(super) hx: f32,
    pub(super) hy: f32,
    /// The public values that are recorded: their names, and the values if the group of the agent declares them.
    #[serde(rename = "state", serialize_with = "map", skip_serializing_if = "<[_]>::is_empty")]
    pub(super) states: &'w [(&'w str, Option<Value>)],
}

/// Writes public values as a map.
fn map<S: Serializer>(states: &[(&str, Option<Value>)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(states.iter().map(|(name, value)| (name, value.as_ref().map(Plain))))
}

/// A public value as JSON: a vector as two numbers, an agent as its id.
struct Plain<'v>(&'v Value);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bool(x) => x.serialize(serializer),
            Value::Int(x) => x.serialize(serializer),
            Value::Float(x) => x.serialize(serializer),
            Value::Vector(x) => [x.x, x.y].serialize(serializer),
            Value::String(x) => x.serialize(serializer),
            Value::Agent(id) => id.serialize(serializer),
            Value::Nothing | Value::List(_) | Value::Map(_) | Value::Drawn(_) => {
                serializer.serialize_none()
            }
        }
    }
}
