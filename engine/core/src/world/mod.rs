//! The world: everything that all agents can perceive.
//!
//! This module owns agents as columns, groups, obstacles, paths, flow fields, the space they are in, the spatial index and
//! neighborhoods. It must not advance time: the `sim` module does that. Knowledge that only the agent itself has (the
//! state of its script, its progress on paths) is a [`Mind`], kept beside the world.

mod agents;
mod appearance;
mod area;
mod body;
mod crowd;
mod drawn;
mod encounter;
mod feelers;
mod field;
mod formation;
mod grid;
mod group;
mod hiding;
mod id;
mod input;
mod lanes;
mod layer;
mod me;
mod mind;
mod motions;
mod names;
mod nearest;
mod neighbor_lanes;
mod neighbor_question;
mod neighbors;
mod news;
mod obstacle;
mod obstacle_motion;
mod param_range;
mod part;
mod path;
mod perceive;
mod public;
mod question;
mod relations;
mod search;
mod shared;
mod space;
mod surfaces;
mod value;
mod waiting;
mod way;
mod zones;

pub use agents::{Agents, GoalProgress, NewAgent};
pub use appearance::{AgentShape, AgentSign, Appearance, ColorRule, Rgb, ShapeCorners, SignSize};
pub use area::Area;
pub use body::{Body, BodySpec, Drive, Noise, NoiseSpec};
#[doc(hidden)]
pub use drawn::ParamColumns;
pub use drawn::{BodyDraw, BodyDraws};
pub use field::{Field, FieldShape, VectorGrid};
pub use formation::{Anchor, Formation, FormationShape};
pub use group::{AfterGoals, Goal, Group, relate};
pub use id::{AgentId, FieldId, GroupId, LayerId, ObstacleId, PathId};
pub use input::Input;
pub use layer::{Layer, LayerAppearance, MAX_AMOUNT, MAX_DIFFUSION_STEPS, MIN_AMOUNT, cells};
pub use me::Me;
pub(crate) use mind::MindsMut;
pub use mind::{Mind, Minds};
pub use names::WorldNames;
pub use neighbors::{Neighbor, NeighborSummary, Neighborhood, View};
pub use news::{News, NewsSource};
pub use obstacle::Obstacle;
pub use obstacle_motion::{ObstacleMotion, ObstacleState};
pub use param_range::ParamRange;
pub use path::{Path, PathMode, Progress};
pub use perceive::{Need, WantedSums};
pub use public::{PublicName, PublicRule, PublicType};
pub use relations::{Relation, Relations};
pub use shared::{SharedRule, SharedValue};
pub use space::{Edge, Space};
pub use value::{Value, Values};
pub use waiting::{AgentMessage, LateListeners, WaitingMessage};
pub use way::Way;

/// For the other crates of Flockwork.
#[doc(hidden)]
pub use {
    formation::NO_ANCHOR_ROW,
    neighbor_question::{AskedOfNeighbors, NeighborQuestion},
    neighbors::MeanSums,
    part::ScenarioPart,
    perceive::{MeanColumns, Perceived},
    public::PublicColumn,
    question::{Asked, Question},
    space::shortest,
    value::NameHint,
    way::smallest_way_cell,
};

pub(crate) use agents::retain_rows;
pub(crate) use grid::Grid;
pub(crate) use motions::{MotionColumns, Motions};
pub(crate) use shared::Combined;

use std::sync::{Arc, OnceLock};

use formation::KeptFormations;
use obstacle_motion::MovedObstacle;
use perceive::Perception;

use crate::diag::{Diagnostic, Diagnostics};
use crate::geom::Shape;
use crate::math::random::{Mix, Use, group_streams};
use crate::math::{self, Vec2};

/// Everything that all agents can perceive, at one moment.
#[derive(Clone, Debug)]
pub struct World {
    /// Number of ticks since the start.
    pub tick: u64,
    /// Length of a tick in seconds, above 0.
    pub dt: f32,
    /// The seed that all random numbers depend on.
    pub seed: u64,
    /// The rectangle of the world, and what happens at its edge.
    pub space: Space,
    /// The obstacles that are there now, in the order of the scenario.
    pub obstacles: Vec<Obstacle>,
    /// Paths, in the order of the scenario.
    pub paths: Vec<Path>,
    /// Flow fields, in the order of the scenario.
    pub fields: Vec<Field>,
    /// Layers, in the order of the scenario.
    pub layers: Vec<Layer>,
    /// Groups, in the order of the scenario.
    pub groups: Vec<Group>,
    /// Agents, one row for each.
    pub agents: Agents,
    /// Values that agents change together, in alphabetical order.
    pub shared: Vec<SharedValue>,
    /// Position of the pointer, in world units, if there is one.
    pub cursor: Option<Vec2>,
    /// Inputs, in the order of the scenario.
    pub inputs: Vec<Input>,
    /// The side of the cells that ways are searched on, in world units; by default it depends on the radius of the body.
    pub way_cell: Option<f32>,
    /// The obstacles that are absent now, by their ids.
    pub(crate) absent: Vec<(ObstacleId, Obstacle)>,
    /// The obstacles that move or are not where the scenario puts them, by their ids.
    pub(crate) moved: Vec<MovedObstacle>,
    /// The events with conditions that do not happen at the next tick if their conditions hold, by their numbers. No agent perceives
    /// them: they are here since they are state.
    pub(crate) spent_events: Vec<u32>,
    /// What agents have told others that is not heard yet, in the order in which it will be heard.
    pub(crate) waiting: Vec<WaitingMessage>,
    /// What has changed states of agents in the last ticks, besides their turns; `None` if nobody asks for it. It decides nothing.
    pub(crate) news: Option<Vec<News>>,
    pub(crate) grid: Grid,
    /// The public state of all agents, by the index of the name.
    public: Vec<PublicColumn>,
    columns: Perception,
    formations: KeptFormations,
    /// Computed when first needed.
    names: OnceLock<Arc<WorldNames>>,
    ways: way::Ways,
}

impl World {
    /// Returns a world at its start, without agents.
    pub fn new(
        seed: u64,
        dt: f32,
        space: Space,
        obstacles: Vec<Obstacle>,
        paths: Vec<Path>,
        groups: Vec<Group>,
    ) -> Self {
        let mut world = Self {
            tick: 0,
            dt,
            seed,
            space,
            obstacles,
            paths,
            fields: Vec::new(),
            layers: Vec::new(),
            groups,
            agents: Agents::default(),
            shared: Vec::new(),
            cursor: None,
            inputs: Vec::new(),
            way_cell: None,
            absent: Vec::new(),
            moved: Vec::new(),
            spent_events: Vec::new(),
            waiting: Vec::new(),
            news: None,
            grid: Grid::default(),
            public: Vec::new(),
            columns: Perception::default(),
            formations: KeptFormations::default(),
            names: OnceLock::new(),
            ways: way::Ways::default(),
        };
        world.draw_numbers();
        world
    }

    /// Returns the seconds since the start.
    #[inline]
    pub fn time(&self) -> f32 {
        self.tick as f32 * self.dt
    }

    /// Returns the agent of a row, as others see it.
    #[inline]
    pub fn agent(&self, row: usize) -> Agent<'_> {
        Agent { world: self, row }
    }

    /// Returns the agent with an id. `None` if it was removed.
    #[inline]
    pub fn find(&self, id: AgentId) -> Option<Agent<'_>> {
        self.agents.row(id).map(|row| self.agent(row))
    }

    /// Returns all agents, in the order of their ids.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Agent<'_>> + ExactSizeIterator {
        (0..self.agents.len()).map(|row| self.agent(row))
    }

    /// Returns the agents of a group, in the order of their ids.
    pub fn members(&self, group: GroupId) -> impl DoubleEndedIterator<Item = Agent<'_>> {
        self.iter().filter(move |agent| agent.group_id() == group)
    }

    /// Returns the radius of the body of an agent, for loops over neighbors.
    #[doc(hidden)]
    #[inline(always)]
    pub fn radius_of(&self, row: usize) -> f32 {
        match &self.groups[..] {
            [only] if only.bodies.is_empty() => only.body.radius,
            _ => self.agent(row).body().radius,
        }
    }

    /// Returns the agent of a row, in its turn.
    #[inline]
    pub fn me(&self, row: usize) -> Me<'_> {
        Me::new(self, row, self.agents.vel(row))
    }

    /// Returns the names of the groups, paths, fields, obstacles and inputs. Names never change during the life of a world.
    pub fn names(&self) -> &Arc<WorldNames> {
        self.names.get_or_init(|| Arc::new(WorldNames::new(self)))
    }

    /// Returns the group with a name.
    ///
    /// # Errors
    ///
    /// If no group has that name. The error names the most similar one.
    pub fn group_named(&self, name: &str) -> Result<GroupId, Diagnostics> {
        let mut names = self.groups.iter().map(|group| group.name.as_ref());
        match names.position(|known| known == name) {
            Some(index) => Ok(GroupId(index as u16)),
            None => {
                let known = self.groups.iter().map(|group| group.name.as_ref());
                let missing = Diagnostic::error(format!("there is no group `{name}`"));
                Err(missing.suggest(name, known).into())
            }
        }
    }

    /// Returns the path with a name.
    pub fn path_named(&self, name: &str) -> Option<PathId> {
        let index = self.paths.iter().position(|path| path.name.as_ref() == name)?;
        Some(PathId(index as u16))
    }

    /// Returns a group.
    #[inline]
    pub fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.0 as usize]
    }

    /// Returns a path.
    #[inline]
    pub fn path(&self, id: PathId) -> &Path {
        &self.paths[id.0 as usize]
    }

    /// Returns the stream of random numbers of an agent for one use, by its group and its index in the group.
    #[inline]
    pub fn stream(&self, group: GroupId, index: u32, purpose: Use) -> Mix {
        self.streams(group, purpose).with(u64::from(index))
    }

    /// Returns the common part of the streams of a group's agents. Mixed with an agent's index in the group, it is
    /// the stream of that agent.
    #[doc(hidden)]
    #[inline]
    pub fn streams(&self, group: GroupId, purpose: Use) -> Mix {
        group_streams(self.seed, &self.groups[group.0 as usize].name, purpose)
    }

    /// Adds an agent as the last row.
    pub fn add(&mut self, group: GroupId, new: NewAgent) {
        let of = &mut self.groups[group.0 as usize];
        let index = of.made;
        of.made += 1;
        self.draw_missing(group);
        let (pos, _) = self.space.apply_edge(new.pos, Vec2::ZERO);
        self.agents.push(group, index, NewAgent { pos, ..new });
    }

    /// Sorts the agents into the grid, for a tick in which all agents decide before any of them moves.
    #[inline]
    pub fn index(&mut self) {
        self.refresh_ways();
        self.columns.forget();
        self.keep_formations();
        self.grid.sort(&self.space, &mut self.agents.motions);
    }

    /// Makes a grid of one bin, for a tick in which each agent moves as soon as it has decided.
    pub(crate) fn index_for_changes(&mut self) {
        self.refresh_ways();
        self.columns.forget();
        self.keep_formations();
        self.grid.make_one_bin(&self.space, &mut self.agents.motions);
    }

    /// Drops the assignment of places in formations, and keeps from now on what agents ask for, if any group has a formation.
    fn keep_formations(&mut self) {
        if self.groups.iter().any(|group| group.formation.is_some()) {
            self.formations.open();
        }
    }

    /// Computes the sums over neighbors that the agents of each group need. They are valid until an agent moves. The
    /// grid must be up to date.
    pub(crate) fn perceive(&mut self, needs: &[Vec<Need>]) {
        let mut columns = std::mem::take(&mut self.columns);
        columns.fill(self, needs);
        self.columns = columns;
    }

    /// Returns whether there is anything that [`World::forget`] drops.
    pub(crate) fn has_index(&self) -> bool {
        !(self.columns.is_empty() && self.grid.is_one_bin()) || self.formations.is_open()
    }

    /// Drops the results of [`World::perceive`], the grid and the assignment of places in formations, because agents are about
    /// to move.
    pub(crate) fn forget(&mut self) {
        self.columns.forget();
        self.formations.close();
        self.grid.forget(&self.space, self.agents.len());
    }

    /// Returns the sums that were computed in advance for the agents of a group and a neighborhood, if any.
    #[doc(hidden)]
    #[inline(always)]
    pub fn perceived(&self, group: GroupId, which: &Neighborhood) -> Option<Perceived<'_>> {
        // Sums are computed in advance only for neighborhoods around the agents themselves.
        if which.around.is_some() {
            return None;
        }
        self.columns.find(group, which)
    }

    /// Returns the number of agents, groups, corners of obstacles and points of paths: the cost of a query of the
    /// world grows with it.
    #[doc(hidden)]
    pub fn object_count(&self) -> usize {
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

    /// Returns the groups that have a param.
    pub fn groups_with(&self, param: &str) -> Vec<GroupId> {
        let groups = (0..).map(GroupId).zip(&self.groups);
        groups.filter(|(_, group)| group.params.get(param).is_some()).map(|(id, _)| id).collect()
    }

    /// Returns the number of agents in a group.
    pub fn count(&self, group: GroupId) -> usize {
        self.agents.group.iter().filter(|&&of| of == group).count()
    }

    /// Returns the row of the only agent of a group.
    ///
    /// # Errors
    ///
    /// If there is not exactly one agent in the group; the error is the number of agents.
    pub fn only_agent(&self, group: GroupId) -> Result<usize, usize> {
        let row = self.agents.group.iter().position(|&of| of == group);
        match (row, self.count(group)) {
            (Some(row), 1) => Ok(row),
            (_, count) => Err(count),
        }
    }

    /// Adds to the velocity of one agent. Its heading follows, unless its body steers it.
    pub(crate) fn push(&mut self, row: usize, push: Vec2) {
        let vel = self.agents.vel(row) + push;
        if self.agent(row).body().steers_its_heading() {
            *self.agents.vel_mut(row) = vel;
        } else {
            self.move_row(row, self.agents.pos(row), vel);
        }
    }

    /// Moves one agent. The grid still has it where it was; if that has one bin, it is up to date.
    pub(crate) fn move_row(&mut self, row: usize, pos: Vec2, vel: Vec2) {
        self.formations.forget();
        *self.agents.pos_mut(row) = pos;
        *self.agents.vel_mut(row) = vel;
        let along = math::unit(vel);
        if along != Vec2::ZERO {
            *self.agents.heading_mut(row) = along;
        }
    }
}

/// An agent as others see it.
#[derive(Clone, Copy, Debug)]
pub struct Agent<'w> {
    world: &'w World,
    row: usize,
}

impl<'w> Agent<'w> {
    /// Returns a value of its public state. `None` if its group does not declare the name.
    pub fn state(&self, name: &str) -> Option<Value> {
        self.world.public_value(self.row, name)
    }

    /// Returns its id, which no other agent ever has.
    #[inline]
    pub fn id(&self) -> AgentId {
        self.world.agents.id[self.row]
    }

    /// Returns its row among the agents.
    #[inline]
    pub fn row(&self) -> usize {
        self.row
    }

    /// Returns its index in its group.
    #[inline]
    pub fn index(&self) -> u32 {
        self.world.agents.index[self.row]
    }

    /// Returns its path, if it has one.
    #[inline]
    pub fn path(&self) -> Option<PathId> {
        self.group().path_of(self.index())
    }

    /// Returns its position, in world units.
    #[inline]
    pub fn pos(&self) -> Vec2 {
        self.world.agents.pos(self.row)
    }

    /// Returns its velocity, in world units per second.
    #[inline]
    pub fn vel(&self) -> Vec2 {
        self.world.agents.vel(self.row)
    }

    /// Returns the unit vector that it faces along.
    #[inline]
    pub fn heading(&self) -> Vec2 {
        self.world.agents.heading(self.row)
    }

    /// Returns the agent before it in its group: of those that are still there, the last one that was made earlier.
    pub fn previous(&self) -> Option<Self> {
        let before = &self.world.agents.group[..self.row];
        let row = before.iter().rposition(|&group| group == self.group_id())?;
        Some(self.world.agent(row))
    }

    /// Returns the id of its group.
    #[inline]
    pub fn group_id(&self) -> GroupId {
        self.world.agents.group[self.row]
    }

    /// Returns its group.
    #[inline]
    pub fn group(&self) -> &'w Group {
        &self.world.groups[usize::from(self.group_id().0)]
    }

    /// Returns its body.
    #[inline]
    pub fn body(&self) -> &'w Body {
        self.group().body_of(self.world.agents.index[self.row])
    }

    /// Returns a param as its script reads it: where the group has a distribution, its own number. `None` if its group has no such
    /// param.
    pub fn param(&self, name: &str) -> Option<Value> {
        self.world.own_param(self.group_id(), self.world.agents.index[self.row], name)
    }

    /// Returns all params as its script reads them.
    pub fn params(&self) -> Values {
        self.world.own_params(self.group_id(), self.world.agents.index[self.row])
    }
}

impl World {
    /// Returns an open world for tests, with agents of one group, given by position and velocity.
    #[doc(hidden)]
    pub fn example(agents: &[(Vec2, Vec2)]) -> Self {
        let body = Body { radius: 1.0, max_speed: 10.0, max_force: 100.0, ..Body::default() };
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
