//! How an agent gets past other agents: the answers to questions about its neighbors.

mod anticipation;
mod closest;
mod disc;
mod half_planes;
mod reciprocal;
mod sampled;
mod social;
mod soonest;
#[cfg(test)]
mod tests;
mod walls;

pub(super) use reciprocal::Horizons;
pub(super) use social::Social;
