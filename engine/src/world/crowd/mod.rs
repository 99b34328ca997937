//! How an agent gets past other agents: the answers to questions about its neighbors.

mod closest;
mod half_planes;
mod reciprocal;
mod walls;

pub(super) use reciprocal::Horizons;
