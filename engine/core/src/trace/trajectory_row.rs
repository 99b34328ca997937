//! One row of a trajectory.

use serde::Serialize;

use crate::world::AgentId;

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
}
