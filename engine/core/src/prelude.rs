//! The names that most programs need: `use flockwork_core::prelude::*;`.
//!
//! Primitives stay in their module: `steer::seek(me, point, speed)`.

pub use crate::diag::Diagnostics;
pub use crate::math::{Vec2, direction};
pub use crate::sim::{Action, GroupBuilder, Simulation};
pub use crate::steer;
pub use crate::trace::state_hash;
pub use crate::world::{
    Agent, AgentId, Body, Edge, GroupId, Me, Neighborhood, NewAgent, Space, World,
};
