//! What one agent perceives: itself, and the world around it.

use super::{Agent, Body, Goal, Group, GroupId, World};
use crate::math::Vec2;
use crate::math::random::{Mix, Use};

/// An agent in its turn: the world as everyone saw it when the tick began, and its own velocity, which
/// it may have changed since.
#[derive(Clone, Copy, Debug)]
pub struct Me<'w> {
    world: &'w World,
    row: usize,
    vel: Vec2,
}

impl<'w> Me<'w> {
    /// The agent of a row, with a velocity of its own choice.
    pub(crate) fn new(world: &'w World, row: usize, vel: Vec2) -> Self {
        Self { world, row, vel }
    }

    /// The world it is in.
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// Its row among the agents.
    pub fn row(&self) -> usize {
        self.row
    }

    /// How others see it.
    pub fn agent(&self) -> Agent<'w> {
        self.world.agent(self.row)
    }

    /// Position, in world units.
    pub fn pos(&self) -> Vec2 {
        self.world.agents.pos[self.row]
    }

    /// Velocity, in world units per second.
    pub fn vel(&self) -> Vec2 {
        self.vel
    }

    /// The unit vector it looks along.
    pub fn heading(&self) -> Vec2 {
        self.world.agents.heading[self.row]
    }

    /// Which group it belongs to.
    pub fn group_id(&self) -> GroupId {
        self.world.agents.group[self.row]
    }

    /// The group it belongs to.
    pub fn group(&self) -> &'w Group {
        &self.world.groups[self.group_id().0 as usize]
    }

    /// What it is made of.
    pub fn body(&self) -> &'w Body {
        self.group().body_of(self.world.agents.index[self.row])
    }

    /// The goal it is after, if it has one left.
    pub fn goal(&self) -> Option<Goal> {
        self.world.agents.goal(self.row, &self.world.groups)
    }

    /// The way to a point: the shortest one, across the edge in a world that wraps.
    pub fn to(&self, point: Vec2) -> Vec2 {
        self.world.space.offset(self.pos(), point)
    }

    /// The stream of random numbers of this agent for one use. It hangs on the scenario's seed, the
    /// group's name and the place in the group, so that no other agent's number changes it.
    pub fn random(&self, purpose: Use) -> Mix {
        self.world.stream(self.group_id(), self.world.agents.index[self.row], purpose)
    }
}
