//! The tick: events happen and goals are reached, then all agents perceive, decide and move.
//!
//! This module owns the passing of time and nothing else. The wishes of agents come from a [`Brain`], and where
//! they are is the [`World`]. The result must never depend on the number of threads.

mod act;
mod adopt;
mod brain;
mod builder;
mod changes;
mod changes_by_agents;
mod companion;
mod condition;
mod contacts;
mod decision_order;
mod event;
mod force_share;
mod goals;
mod kept_choice;
mod law;
mod layers;
mod limit_cut;
mod locomotion;
mod moment;
mod motion;
mod next_turn;
mod next_turn_text;
mod noise;
mod output;
mod publish;
mod reacts;
mod schedule;
mod share;
mod skipped_calls;
mod spawn;
mod state;
mod tell;
#[cfg(test)]
mod tests;
mod tick;
mod together;
mod transform;
mod turn_steps;
mod turn_value;

use std::sync::Arc;

pub use brain::{AgentError, Brain, FnWithNeeds, NoBehavior, Turn, Turns};
pub use builder::{Builder, GroupBuilder};
pub use changes::ChangeError;
pub use condition::{Condition, HowMany, SharedTest};
pub use contacts::Contact;
use decision_order::DecisionOrder;
pub use event::{Action, Event, EventTime, PushTime};
pub use force_share::ForceShare;
pub use goals::GoalCounts;
pub use limit_cut::LimitCut;
pub use next_turn::{Decision, GoalAhead, NextTurn, NoDecision, WaypointAhead, Wish};
pub use next_turn_text::{CHANGED_BY_CONTACT, NOT_EXPLAINED, forces_after};
use noise::Blur;
pub use output::{
    Change, ChangeKind, LayerChange, Listeners, MAX_CHANGES, Message, NewcomerSpec, Output, Told,
};
use schedule::Schedule;
pub use skipped_calls::{SkippedCalls, WhySkipped};
pub use spawn::{Spawn, SpawnShape};
pub use state::{GroupState, LayerState, State};
pub use tell::{MAX_WAITING, MAX_WAITING_OF_AGENT};
pub use together::{ask_together, step_together};
pub use turn_value::{TurnValue, ValueKind};

pub use crate::steer::{
    ChoiceRule, ExplainedCall, ExplainedChoice, ExplainedVariable, Explanation, SeenNeighbors,
};
/// For the other crates of Flockwork.
#[doc(hidden)]
pub use {
    moment::Moment,
    output::add_messages,
    spawn::ring_point,
    together::{GroupTurns, PreparedBrain, step_lanes},
};

pub(crate) use companion::Companion;
pub use kept_choice::KeptChoice;
pub use law::Law;

use crate::math::Vec2;
use crate::schema::enums;
use crate::world::{
    Field, Group, GroupId, Input, Layer, Minds, Obstacle, ObstacleMotion, ObstacleState, Path,
    SharedValue, Space, WaitingMessage, World,
};

enums!(Order, PushTime);

/// The order in which agents decide and move: all together, or one after another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename = "order")]
pub enum Order {
    /// All agents decide from the same state, then all move.
    #[default]
    Synchronous,
    /// Agents decide and move one after another, in the order of their ids. Each sees the agents before it
    /// after their move, as in many classic sketches.
    Sequential,
}

/// The phases of a tick, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Events happen and goals are reached.
    Events,
    /// The agents are sorted by position.
    Index,
    /// The sums over neighbors that the brains need are computed.
    Perceive,
    /// The brains decide. In [`Order::Sequential`] each agent moves right after.
    Decide,
    /// All agents move.
    Move,
}

/// Everything that a simulation starts from. A scenario makes one, and so does [`Simulation::builder`].
#[derive(Clone, Debug)]
pub struct Setup {
    /// The number that all random numbers depend on.
    pub seed: u64,
    /// Seconds per tick, above 0.
    pub dt: f32,
    /// Whether agents decide together or one after another.
    pub order: Order,
    /// The rectangle of the world, and what happens at its edge.
    pub space: Space,
    /// The obstacles, also those that are absent at first.
    pub obstacles: Vec<Obstacle>,
    /// The names of the obstacles that are absent at first.
    pub absent_obstacles: Vec<Arc<str>>,
    /// The names of the obstacles that move at first, and how.
    pub moving_obstacles: Vec<(Arc<str>, ObstacleMotion)>,
    /// The inputs, as they are at first.
    pub inputs: Vec<Input>,
    /// The side of the cells that ways around obstacles are searched on, in world units. By default it is half the
    /// radius of the body.
    pub way_cell: Option<f32>,
    /// The paths that agents can follow.
    pub paths: Vec<Path>,
    /// The flow fields.
    pub fields: Vec<Field>,
    /// The layers, with the amounts that they have at the start.
    pub layers: Vec<Layer>,
    /// The shared values, in any order.
    pub shared: Vec<SharedValue>,
    /// Each group and how its first agents are made. Agents are made in this order.
    pub groups: Vec<(Group, Spawn)>,
    /// The events, in the order in which they are written.
    pub events: Vec<Event>,
    /// The most agents that there can be at a time if agents make others.
    pub max_agents: usize,
    /// The state to begin in: one of a run with the same groups and paths. Without it, the simulation begins
    /// at tick 0 with the agents that the spawns make.
    pub start: Option<State>,
}

impl Setup {
    /// The default number of seconds per tick.
    pub const DEFAULT_DT: f32 = 1.0 / 60.0;

    /// The default of the most agents.
    pub const DEFAULT_MAX_AGENTS: usize = 1_000_000;

    /// Returns the names of the obstacles that are absent or move at first, or that an event takes away or moves.
    #[doc(hidden)]
    pub fn changing_obstacles(&self) -> Vec<Arc<str>> {
        let changed = self.events.iter().filter_map(|event| match &event.action {
            Action::SetObstacle { obstacle, present: false }
            | Action::MoveObstacle { obstacle, .. } => Some(obstacle),
            _ => None,
        });
        let moving = self.moving_obstacles.iter().map(|(name, _)| name);
        let mut names: Vec<Arc<str>> =
            self.absent_obstacles.iter().chain(moving).chain(changed).cloned().collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// A world in motion. A clone continues from the same state; the two share all data that has not changed since.
#[derive(Clone)]
pub struct Simulation {
    world: Arc<World>,
    minds: Minds,
    brains: Vec<Arc<dyn Brain>>,
    /// The brains as [`Brain::prepared`] returns them, one for each group. Empty if groups have changed since.
    prepared: Vec<Option<Arc<dyn PreparedBrain>>>,
    spawns: Vec<Spawn>,
    events: Arc<Schedule>,
    pending: Vec<Action>,
    /// Pushes of this tick that act after the agents have decided.
    pushes: Vec<(GroupId, Vec2)>,
    /// The indices of the shared values that events have set in this tick.
    set_by_events: Vec<usize>,
    /// Where agents truly are, while they perceive something else.
    blur: Blur,
    /// The positions of all rows before the moves of this tick; empty if there are no solid bodies.
    contact_starts: Vec<Vec2>,
    order: Order,
    max_agents: usize,
    reached: Vec<GoalCounts>,
    /// What agents have brought about in this tick, and the messages that nobody has taken yet.
    output: Output,
    decision_order: DecisionOrder,
    /// The forces that the agents decided on in the last tick, in the order in which they decided.
    forces: Vec<Vec2>,
    /// Whether that is the order of rows.
    forces_are_by_row: bool,
    velocities: Vec<Vec2>,
    keep: Vec<bool>,
    /// Memory for messages that are being heard; it has zeros between two deliveries.
    heard_places: Vec<u32>,
    /// The groups as they were when the run began. The difference to an edited scenario is what the edit changes.
    initial_groups: Arc<[Group]>,
    /// The names of the obstacles that were absent when the run began.
    initial_absent: Arc<[Arc<str>]>,
    /// The obstacles that moved when the run began, and how.
    initial_moving: Arc<[(Arc<str>, ObstacleMotion)]>,
    /// The layers as they were when the run began.
    initial_layers: Arc<[Layer]>,
}

impl Simulation {
    /// Makes a simulation at tick 0, or in the state that the setup starts in.
    ///
    /// `brains` has one brain for each group of the setup, in the same order. [`Brain::begin`] is called for
    /// agents that the spawns make, but not for agents of a start: those have begun before.
    ///
    /// # Errors
    ///
    /// If a brain fails for one of the first agents.
    ///
    /// # Panics
    ///
    /// If the numbers of brains and groups differ, or if the start belongs to other groups.
    pub fn new(setup: Setup, brains: Vec<Arc<dyn Brain>>) -> Result<Self, AgentError> {
        assert_eq!(setup.groups.len(), brains.len(), "one brain for each group");
        let minds = Minds::new(setup.paths.len());
        let (groups, spawns): (Vec<_>, Vec<_>) = setup.groups.into_iter().unzip();
        let initial_layers = setup.layers.clone().into();
        let mut world =
            World::new(setup.seed, setup.dt, setup.space, setup.obstacles, setup.paths, groups);
        world.way_cell = setup.way_cell;
        world.fields = setup.fields;
        world.layers = setup.layers;
        world.inputs = setup.inputs;
        world.shared = setup.shared;
        world.shared.sort_by(|a, b| a.name.cmp(&b.name));
        world.set_absent_obstacles(&setup.absent_obstacles);
        let moving = setup.moving_obstacles.iter().cloned();
        let moving: Vec<_> =
            moving.map(|(name, motion)| ObstacleState::new(name, motion)).collect();
        world.set_moving_obstacles(&moving);
        let mut this = Self {
            world: Arc::new(world),
            minds,
            brains,
            prepared: Vec::new(),
            spawns,
            events: Arc::new(Schedule::new(setup.events)),
            pending: Vec::new(),
            pushes: Vec::new(),
            set_by_events: Vec::new(),
            blur: Blur::default(),
            contact_starts: Vec::new(),
            order: setup.order,
            max_agents: setup.max_agents,
            reached: Vec::new(),
            output: Output::default(),
            decision_order: DecisionOrder::default(),
            forces: Vec::new(),
            forces_are_by_row: true,
            velocities: Vec::new(),
            keep: Vec::new(),
            heard_places: Vec::new(),
            initial_groups: Arc::new([]),
            initial_absent: setup.absent_obstacles.into(),
            initial_moving: setup.moving_obstacles.into(),
            initial_layers,
        };
        this.reached.resize(this.spawns.len(), GoalCounts::default());
        if let Some(start) = setup.start {
            this.restore(start);
        } else {
            for group in 0..this.spawns.len() {
                let count = this.spawns[group].count;
                this.spawn_agents(GroupId(group as u16), count);
            }
            this.begin_agents(0)?;
        }
        this.reset_forces();
        this.initial_groups = this.world.groups.as_slice().into();
        Ok(this)
    }

    /// Returns the current world.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Returns what each agent knows for itself, in the rows of the world's agents.
    pub fn minds(&self) -> &Minds {
        &self.minds
    }

    /// Returns how the agents of each group are made, in the order of the groups.
    pub fn spawns(&self) -> &[Spawn] {
        &self.spawns
    }

    /// Returns whether agents decide together or one after another.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Returns all events, in the order in which they are written.
    pub fn events(&self) -> &[Event] {
        self.events.all()
    }

    /// Returns the numbers of the events that are spent, see [`State::spent_events`].
    #[doc(hidden)]
    pub fn spent_events(&self) -> &[u32] {
        &self.world.spent_events
    }

    /// Returns what agents have told others that is not heard yet, see [`State::waiting`].
    #[doc(hidden)]
    pub fn waiting(&self) -> &[WaitingMessage] {
        &self.world.waiting
    }

    /// Estimates how many bytes a clone takes up once nothing is shared with it any more.
    pub fn bytes(&self) -> usize {
        // Columns, the grid, and the forces of a tick.
        const PER_AGENT: usize = 200;
        const PER_VALUE: usize = 32;
        let minds = (0..self.minds.len()).map(|row| self.minds.state(row));
        let values: usize =
            minds.flat_map(|state| state.iter()).map(|(_, value)| value.elements()).sum();
        let waiting = self.world.waiting.len() * size_of::<WaitingMessage>();
        self.world.agents.len() * PER_AGENT + values * PER_VALUE + waiting
    }

    /// Returns how many goals all agents together have reached so far.
    pub fn goals_reached(&self) -> u64 {
        self.reached.iter().map(|of| of.goals).sum()
    }

    /// Returns what the agents of a group have reached so far.
    pub fn goal_counts(&self, group: GroupId) -> GoalCounts {
        self.reached[group.0 as usize]
    }

    /// Returns what scripts have written with `debug` since the last call.
    pub fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.output.messages)
    }

    /// Puts the forces of the last tick into the order of rows, before rows or slots change.
    fn sort_forces_by_row(&mut self) {
        if !self.forces_are_by_row {
            self.forces = self.last_forces();
            self.forces_are_by_row = true;
        }
    }

    /// Sets the forces to those of agents that have not decided yet.
    fn reset_forces(&mut self) {
        self.forces.clear();
        self.forces.resize(self.world.agents.len(), Vec2::ZERO);
        self.forces_are_by_row = true;
    }
}
