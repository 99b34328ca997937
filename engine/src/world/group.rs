//! Groups: agents that share a behavior, a body and parameters.

use std::sync::Arc;

use super::{PathId, Values};
use crate::math::Vec2;

/// What an agent is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// World units, not negative.
    pub radius: f32,
    /// Above 0; a force of 1 changes the velocity by 1 / mass per second.
    pub mass: f32,
    /// World units per second; infinite where there is no limit.
    pub max_speed: f32,
    /// Infinite where there is no limit.
    pub max_force: f32,
}

/// A place to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Where.
    pub at: Vec2,
    /// Reached when strictly nearer than this, in world units; never reached where this is 0.
    pub radius: f32,
}

/// What becomes of an agent that has reached its last goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AfterGoals {
    /// It goes on being steered; its goal is `()`.
    #[default]
    Stay,
    /// It stands still where it is and is steered no more; others still see it.
    Stop,
    /// It is taken out of the world.
    Remove,
}

/// Which group, by its place among the world's groups (in the order they are written).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupId(pub u16);

/// What the agents of a group have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name in the scenario.
    pub name: Arc<str>,
    /// What its agents are made of.
    pub body: Body,
    /// What its scripts read as `me.params`.
    pub params: Values,
    /// The path its agents follow, if any.
    pub path: Option<PathId>,
    /// Sequences of goals; each agent has its place in one of them.
    pub goals: Vec<Arc<[Goal]>>,
    /// What becomes of an agent after its last goal.
    pub after_goals: AfterGoals,
    /// How many agents of this group there have ever been.
    pub made: u32,
}
