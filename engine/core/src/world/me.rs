//! The perception of one agent: itself, and the world around it.
//!
//! It must not change anything but the agent's progress on paths.

use std::cell::Cell;

use super::{Agent, Body, Goal, Group, GroupId, Neighbor, Neighborhood, PathId, Progress, World};
use crate::math::random::{Mix, Use};
use crate::math::{self, Vec2};

/// An agent in its turn. It sees the world as it was when the agents began to decide, and its own velocity, which it
/// may have changed since.
#[derive(Clone, Copy, Debug)]
pub struct Me<'w> {
    world: &'w World,
    row: usize,
    slot: usize,
    vel: Vec2,
    /// Progress on each path of the world; empty if it is not needed.
    progress: &'w [Cell<Progress>],
}

impl<'w> Me<'w> {
    /// Returns the agent of a row, with a velocity that may differ from the one in the world.
    #[inline]
    pub fn new(world: &'w World, row: usize, vel: Vec2) -> Self {
        Self::in_slot(world, row, world.agents.motions.slot(row), vel)
    }

    /// Returns the agent of a row whose slot is known.
    #[doc(hidden)]
    #[inline]
    pub fn in_slot(world: &'w World, row: usize, slot: usize, vel: Vec2) -> Self {
        debug_assert_eq!(world.agents.motions.rows()[slot] as usize, row, "the slot of the row");
        Self { world, row, slot, vel, progress: &[] }
    }

    /// Returns the same agent with its progress on each path of the world. Following a path changes it.
    #[must_use]
    #[inline]
    pub fn with_progress(self, progress: &'w mut [Progress]) -> Self {
        Self { progress: Cell::from_mut(progress).as_slice_of_cells(), ..self }
    }

    /// Returns the world that the agent is in.
    #[inline]
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// Returns its row among the agents.
    #[inline]
    pub fn row(&self) -> usize {
        self.row
    }

    /// Returns its slot among the motions.
    #[inline]
    pub(super) fn slot(&self) -> usize {
        self.slot
    }

    /// Returns the agent as others see it.
    #[inline]
    pub fn agent(&self) -> Agent<'w> {
        self.world.agent(self.row)
    }

    /// Returns its position, in world units.
    #[inline]
    pub fn pos(&self) -> Vec2 {
        self.world.agents.motions.positions()[self.slot]
    }

    /// Returns its velocity, in world units per second.
    #[inline]
    pub fn vel(&self) -> Vec2 {
        self.vel
    }

    /// Returns the unit vector that it faces along.
    #[inline]
    pub fn heading(&self) -> Vec2 {
        self.world.agents.motions.headings()[self.slot]
    }

    /// Returns the id of its group.
    #[inline]
    pub fn group_id(&self) -> GroupId {
        self.world.agents.group[self.row]
    }

    /// Returns its group.
    #[inline]
    pub fn group(&self) -> &'w Group {
        &self.world.groups[self.group_id().0 as usize]
    }

    /// Returns its body.
    #[inline]
    pub fn body(&self) -> &'w Body {
        self.group().body_of(self.world.agents.index[self.row])
    }

    /// Returns its path, if it has one.
    #[inline]
    pub fn path(&self) -> Option<PathId> {
        self.agent().path()
    }

    /// Returns its current goal, if it has one left.
    #[inline]
    pub fn goal(&self) -> Option<Goal> {
        self.world.agents.goal(self.row, &self.world.groups)
    }

    /// Returns the shortest offset to a point, in world units; in a world that wraps it may cross the edge.
    #[inline]
    pub fn to(&self, point: Vec2) -> Vec2 {
        self.world.space.offset(self.pos(), point)
    }

    /// Returns whether another agent is within `radius` of the point at the distance `ahead` along the heading, and
    /// is not faster along the heading.
    pub fn is_blocked(&self, ahead: f32, radius: f32) -> bool {
        let mut blocked = false;
        self.each_in_front(ahead, radius, |_| blocked = true);
        blocked
    }

    /// Calls `visit` with each other agent that makes [`Me::is_blocked`] true.
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

    /// Returns its progress on a path; the start of the path if the progress is not known.
    #[inline]
    pub fn progress(&self, path: PathId) -> Progress {
        self.progress.get(usize::from(path.0)).map_or_else(Progress::default, Cell::get)
    }

    /// Sets its progress on a path, if progress is kept.
    #[inline]
    pub(crate) fn set_progress(&self, path: PathId, progress: Progress) {
        if let Some(own) = self.progress.get(usize::from(path.0)) {
            own.set(progress);
        }
    }

    /// Returns the stream of random numbers of this agent for one use. It depends on the seed, the name of the group
    /// and the index in the group, so that other agents do not change it.
    #[inline]
    pub fn random(&self, purpose: Use) -> Mix {
        self.world.stream(self.group_id(), self.world.agents.index[self.row], purpose)
    }
}
