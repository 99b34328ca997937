//! How an agent gets past other agents: the answers to questions about its neighbors.

mod anticipating;
mod anticipation;
mod closest;
mod collision_free;
mod detour;
mod disc;
mod half_planes;
mod reciprocal;
mod sampled;
mod sight;
mod social;
mod soonest;
mod symmetry;
#[cfg(test)]
mod tests;
mod walls;

pub(super) use anticipating::AnticipationModel;
pub(super) use collision_free::{Repulsion, SpeedModel};
pub(super) use detour::Lookout;
pub(super) use reciprocal::Horizons;
pub(super) use social::Social;
