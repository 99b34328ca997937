//! What one agent perceives: itself, and the world around it.

use std::cell::Cell;

use super::{Agent, Body, Goal, Group, GroupId, Neighbor, Neighborhood, PathId, Progress, World};
use crate::math::random::{Mix, Use};
use crate::math::{self, Vec2};

/// An agent in its turn: the world as everyone saw it when the tick began, and its own velocity, which
/// it may have changed since.
#[derive(Clone, Copy, Debug)]
pub struct Me<'w> {
    world: &'w World,
    row: usize,
    vel: Vec2,
    /// On each path of the world; empty where nobody asks.
    progress: &'w [Cell<Progress>],
}

impl<'w> Me<'w> {
    /// The agent of a row, with a velocity of its own choice.
    pub(crate) fn new(world: &'w World, row: usize, vel: Vec2) -> Self {
        Self { world, row, vel, progress: &[] }
    }

    /// The same agent with its progress on each path of the world, which following a path changes.
    #[must_use]
    pub fn with_progress(self, progress: &'w mut [Progress]) -> Self {
        Self { progress: Cell::from_mut(progress).as_slice_of_cells(), ..self }
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

    /// Whether another agent that is not faster along the heading stands within a radius of the point so far
    /// ahead.
    pub fn is_blocked(&self, ahead: f32, radius: f32) -> bool {
        let mut blocked = false;
        self.each_in_front(ahead, radius, |_| blocked = true);
        blocked
    }

    /// Calls `visit` with each other agent that [`Me::is_blocked`] asks for.
    #[inline]
    pub(crate) fn each_in_front(
        &self,
        ahead: f32,
        radius: f32,
        mut visit: impl FnMut(&Neighbor<'w>),
    ) {
        let point = self.heading() * math::min(ahead, f32::MAX);
        let own = self.vel().dot(self.heading());
        self.each_neighbor(&Neighborhood::within(ahead + radius), |other| {
            let near = math::length(other.offset - point) <= radius;
            if near && other.vel.dot(self.heading()) <= own {
                visit(other);
            }
        });
    }

    /// How far it has come on a path: at the start where nothing else is known.
    pub fn progress(&self, path: PathId) -> Progress {
        self.progress.get(usize::from(path.0)).map_or_else(Progress::default, Cell::get)
    }

    /// Sets how far it has come on a path, if that is known.
    pub(crate) fn set_progress(&self, path: PathId, progress: Progress) {
        if let Some(own) = self.progress.get(usize::from(path.0)) {
            own.set(progress);
        }
    }

    /// The stream of random numbers of this agent for one use. It depends on the scenario's seed, the
    /// group's name and the place in the group, so that no other agent's number changes it.
    pub fn random(&self, purpose: Use) -> Mix {
        self.world.stream(self.group_id(), self.world.agents.index[self.row], purpose)
    }
}
