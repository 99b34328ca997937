//! The world: everything that everyone can perceive.
//!
//! Owns agents as columns, groups, obstacles, paths, the space they are in, the index over positions
//! and neighborhoods. It knows nothing of time passing: the `sim` module changes it. What only one
//! agent knows (its script's state, its progress on paths) is a [`Mind`], kept beside the world.

mod agents;
mod encounter;
mod grid;
mod group;
mod me;
mod mind;
mod names;
mod neighbors;
mod obstacle;
mod path;
mod perceive;
mod space;
mod value;

pub use agents::{Agents, GoalProgress, NewAgent};
pub use group::{AfterGoals, Body, Goal, Group, GroupId};
pub use me::Me;
pub(crate) use mind::MindsMut;
pub use mind::{Mind, Minds};
pub(crate) use names::WorldNames;
pub use neighbors::{MeanSums, Neighbor, NeighborSummary, Neighborhood, View};
pub use obstacle::{Obstacle, ObstacleId};
pub use path::{Path, PathId, PathMode, Progress};
pub(crate) use perceive::Perceived;
pub use perceive::{Need, WantedSums};
pub use space::{Edge, Space};
pub use value::{Value, Values};

pub(crate) use agents::retain_rows;
pub(crate) use grid::Grid;
pub(crate) use space::shortest;

use std::sync::{Arc, OnceLock};

use perceive::SumColumns;

use crate::geom::Shape;
use crate::math::random::{Mix, Use};
use crate::math::{self, Vec2};

/// Everything that everyone can perceive, at one moment.
#[derive(Clone, Debug)]
pub struct World {
    /// How many ticks have passed.
    pub tick: u64,
    /// Seconds per tick, above 0.
    pub dt: f32,
    /// What all randomness depends on.
    pub seed: u64,
    /// The plane and its edge.
    pub space: Space,
    /// In the order they are written.
    pub obstacles: Vec<Obstacle>,
    /// In the order they are written.
    pub paths: Vec<Path>,
    /// In the order they are written.
    pub groups: Vec<Group>,
    /// One row each.
    pub agents: Agents,
    /// Where the pointer is, in world units, if there is one.
    pub cursor: Option<Vec2>,
    pub(crate) grid: Grid,
    columns: SumColumns,
    /// Made when first asked for.
    names: OnceLock<Arc<WorldNames>>,
}

impl World {
    /// A world at its start, without agents.
    pub(crate) fn new(
        seed: u64,
        dt: f32,
        space: Space,
        obstacles: Vec<Obstacle>,
        paths: Vec<Path>,
        groups: Vec<Group>,
    ) -> Self {
        Self {
            tick: 0,
            dt,
            seed,
            space,
            obstacles,
            paths,
            groups,
            agents: Agents::default(),
            cursor: None,
            grid: Grid::default(),
            columns: SumColumns::default(),
            names: OnceLock::new(),
        }
    }

    /// Seconds since the start.
    pub fn time(&self) -> f32 {
        self.tick as f32 * self.dt
    }

    /// How others see the agent of a row.
    pub fn agent(&self, row: usize) -> Agent<'_> {
        Agent { world: self, row }
    }

    /// The agent of a row, in its turn.
    pub fn me(&self, row: usize) -> Me<'_> {
        Me::new(self, row, self.agents.vel[row])
    }

    /// The names of its groups, paths and obstacles. They never change while a world lasts; what they name may.
    pub(crate) fn names(&self) -> &Arc<WorldNames> {
        self.names.get_or_init(|| Arc::new(WorldNames::of(self)))
    }

    /// The group of a name.
    pub fn group_named(&self, name: &str) -> Option<GroupId> {
        let place = self.groups.iter().position(|group| group.name.as_ref() == name)?;
        Some(GroupId(place as u16))
    }

    /// The path of a name.
    pub fn path_named(&self, name: &str) -> Option<PathId> {
        let place = self.paths.iter().position(|path| path.name.as_ref() == name)?;
        Some(PathId(place as u16))
    }

    /// The obstacle of a name.
    pub fn obstacle_named(&self, name: &str) -> Option<ObstacleId> {
        let place = self.obstacles.iter().position(|obstacle| obstacle.name.as_ref() == name)?;
        Some(ObstacleId(place as u16))
    }

    /// A group.
    pub fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.0 as usize]
    }

    /// A path.
    pub fn path(&self, id: PathId) -> &Path {
        &self.paths[id.0 as usize]
    }

    /// An obstacle.
    pub fn obstacle(&self, id: ObstacleId) -> &Obstacle {
        &self.obstacles[id.0 as usize]
    }

    /// The stream of random numbers of an agent, by its group and its place in it, for one use.
    pub fn stream(&self, group: GroupId, index: u32, purpose: Use) -> Mix {
        self.streams(group, purpose).with(u64::from(index))
    }

    /// What the streams of a group's agents have in common: mixed with an agent's place in the group it
    /// is that agent's.
    pub(crate) fn streams(&self, group: GroupId, purpose: Use) -> Mix {
        Mix::new(self.seed).with(purpose as u64).with_str(&self.groups[group.0 as usize].name)
    }

    /// Makes an agent, as the last row.
    pub(crate) fn add(&mut self, group: GroupId, new: NewAgent) {
        let of = &mut self.groups[group.0 as usize];
        let index = of.made;
        of.made += 1;
        let (pos, _) = self.space.settle(new.pos, Vec2::ZERO);
        self.agents.push(group, index, NewAgent { pos, ..new });
    }

    /// Sorts the agents into the grid, for a tick in which no one moves before all have decided.
    pub(crate) fn index(&mut self) {
        self.columns.forget();
        self.grid.rebuild(&self.space, &self.agents.pos, &self.agents.vel);
    }

    /// Makes a grid of one bin, for a tick in which each moves right after deciding.
    pub(crate) fn index_for_changes(&mut self) {
        self.columns.forget();
        self.grid.rebuild_as_one(&self.agents.pos, &self.agents.vel);
    }

    /// Takes the sums that the agents of each group need, for as long as no one moves. The index must
    /// be that of where they are.
    pub(crate) fn perceive(&mut self, needs: &[Vec<Need>]) {
        let mut columns = std::mem::take(&mut self.columns);
        columns.fill(self, needs);
        self.columns = columns;
    }

    /// Drops what [`World::perceive`] has found: someone is about to move.
    pub(crate) fn forget(&mut self) {
        self.columns.forget();
    }

    /// What the agents of a group have perceived of a neighborhood in this tick, if it was among
    /// their needs.
    #[inline(always)]
    pub(crate) fn perceived(&self, group: GroupId, which: &Neighborhood) -> Option<Perceived<'_>> {
        // What is taken ahead is taken from where agents are.
        if which.around.is_some() {
            return None;
        }
        self.columns.find(&self.grid, group, which)
    }

    /// Returns the number of agents, groups, obstacles' corners and paths' points: what it takes to look around
    /// grows with it.
    pub(crate) fn object_count(&self) -> usize {
        let corners = |obstacle: &Obstacle| match &obstacle.shape {
            Shape::Polygon(polygon) => polygon.corners().len(),
            Shape::Circle { .. } | Shape::Segment { .. } | Shape::Box(_) | Shape::Room { .. } => 1,
        };
        let points = |path: &Path| path.points.len();
        self.agents.len()
            + self.groups.len()
            + self.obstacles.iter().map(corners).sum::<usize>()
            + self.paths.iter().map(points).sum::<usize>()
    }

    /// How many agents of a group there are.
    pub fn count(&self, group: GroupId) -> usize {
        let of = &self.agents.group;
        of.iter().filter(|&&of| of == group).count()
    }

    /// The row of the one agent of a group.
    ///
    /// # Errors
    ///
    /// If there is not exactly one: how many there are.
    pub fn only(&self, group: GroupId) -> Result<usize, usize> {
        let row = self.agents.group.iter().position(|&of| of == group);
        match (row, self.count(group)) {
            (Some(row), 1) => Ok(row),
            (_, count) => Err(count),
        }
    }

    /// Moves one agent; the grid is not told.
    pub(crate) fn place(&mut self, row: usize, pos: Vec2, vel: Vec2) {
        self.agents.pos[row] = pos;
        self.agents.vel[row] = vel;
        let along = math::unit(vel);
        if along != Vec2::ZERO {
            self.agents.heading[row] = along;
        }
    }

    /// Moves one agent in a grid of one bin.
    pub(crate) fn place_at_once(&mut self, row: usize, pos: Vec2, vel: Vec2) {
        self.place(row, pos, vel);
        self.grid.update(row, pos, vel);
    }
}

/// An agent as others see it.
#[derive(Clone, Copy, Debug)]
pub struct Agent<'w> {
    world: &'w World,
    row: usize,
}

impl<'w> Agent<'w> {
    /// Its name: a number that no other agent ever has.
    pub fn id(&self) -> u32 {
        self.world.agents.id[self.row]
    }

    /// Its row among the agents.
    pub fn row(&self) -> usize {
        self.row
    }

    /// Its place in its group.
    pub fn index(&self) -> u32 {
        self.world.agents.index[self.row]
    }

    /// Position, in world units.
    pub fn pos(&self) -> Vec2 {
        self.world.agents.pos[self.row]
    }

    /// Velocity, in world units per second.
    pub fn vel(&self) -> Vec2 {
        self.world.agents.vel[self.row]
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
        &self.world.groups[usize::from(self.group_id().0)]
    }

    /// What it is made of.
    pub fn body(&self) -> &'w Body {
        self.group().body_of(self.world.agents.index[self.row])
    }
}

#[cfg(test)]
impl World {
    /// A world for tests: an open one with agents of one group, by position and velocity.
    pub(crate) fn example(agents: &[(Vec2, Vec2)]) -> Self {
        let body = Body { radius: 1.0, mass: 1.0, max_speed: 10.0, max_force: 100.0 };
        let group = Group { name: "all".into(), body, ..Group::default() };
        let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::splat(100.0) };
        let mut world = Self::new(1, 0.1, space, Vec::new(), Vec::new(), vec![group]);
        world.populate(agents);
        world
    }

    /// Adds agents to a world for tests.
    pub(crate) fn populate(&mut self, agents: &[(Vec2, Vec2)]) {
        for &(pos, vel) in agents {
            let heading = None;
            self.add(GroupId(0), NewAgent { pos, vel, heading, sequence: 0 });
        }
        self.index();
    }
}
