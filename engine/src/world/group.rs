//! Groups: agents that share a behavior, a body and parameters.

use std::sync::Arc;

use super::{PathId, Values};
use crate::math::{self, Vec2};

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

/// A point without limits.
impl Default for Body {
    fn default() -> Self {
        Self { radius: 0.0, mass: 1.0, max_speed: f32::INFINITY, max_force: f32::INFINITY }
    }
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename = "after_goals")]
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
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// Its name in the scenario.
    pub name: Arc<str>,
    /// What its agents are made of, unless `bodies` says otherwise.
    pub body: Body,
    /// What each agent is made of, by its number in the group, from the first again after the last; empty
    /// where all have the group's body. See [`Group::body_of`].
    pub bodies: Vec<Body>,
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

impl Group {
    /// Without what can change during a run.
    pub(crate) fn fixed(&self) -> Self {
        Self { params: Values::default(), goals: Vec::new(), made: 0, ..self.clone() }
    }

    /// The body of the agent with a number in the group.
    #[inline]
    pub fn body_of(&self, index: u32) -> &Body {
        if self.bodies.is_empty() {
            return &self.body;
        }
        &self.bodies[index as usize % self.bodies.len()]
    }

    /// All bodies that agents of the group have.
    pub fn all_bodies(&self) -> &[Body] {
        match &self.bodies[..] {
            [] => std::slice::from_ref(&self.body),
            bodies => bodies,
        }
    }

    /// The largest radius of its agents, in world units.
    pub fn largest_radius(&self) -> f32 {
        let radii = self.all_bodies().iter().map(|body| body.radius);
        radii.fold(0.0, math::max)
    }
}
