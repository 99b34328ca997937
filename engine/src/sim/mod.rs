//! The tick: events, goals, then everyone perceives, decides and moves.
//!
//! Owns the course of time and nothing else: what agents want comes from a [`Brain`], what they are in
//! is the [`World`]. The result does not depend on how many threads decide.

mod act;
mod adopt;
mod brain;
mod builder;
mod changes;
mod event;
mod goal_counts;
mod motion;
mod next_turn;
mod next_turn_text;
mod schedule;
mod spawn;
mod state;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use brain::BrainCall;
pub(crate) use brain::add_messages;
pub use brain::{AgentError, Brain, FnWithNeeds, Message, NoBehavior, Turn, Turns};
pub use builder::{Builder, GroupBuilder};
pub use changes::ChangeError;
pub use event::{Action, Event, EventTime, PushTime};
pub use goal_counts::GoalCounts;
use motion::CHUNK;
pub use next_turn::{Decision, GoalAhead, NextTurn, NoDecision, WaypointAhead};
pub use next_turn_text::{ForceShare, NOT_EXPLAINED};
use schedule::Schedule;
pub use spawn::{Spawn, SpawnShape};
pub use state::{GroupState, State};

pub use crate::steer::{ExplainedCall, Explanation, SeenNeighbors};

use crate::diag::Diagnostic;
use crate::math::Vec2;
use crate::threads;
use crate::world::{AfterGoals, Group, GroupId, Minds, Obstacle, Path, Space, World, retain_rows};

/// Whether agents see each other as they were when the tick began, or as they are now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename = "order")]
pub enum Order {
    /// All decide on the same past, then all move.
    #[default]
    Synchronous,
    /// One after another, in the order of their ids, each seeing those before it already moved; the
    /// order of many classic sketches.
    Sequential,
}

/// The parts of a tick, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Events take place, goals are reached.
    Events,
    /// The agents are sorted by where they are.
    Index,
    /// What the brains need is summed up over neighbors.
    Perceive,
    /// The brains decide. In [`Order::Sequential`] each agent moves right after.
    Decide,
    /// All move.
    Move,
}

/// What a simulation starts from: a scenario makes one, and so does [`Simulation::builder`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setup {
    /// What all randomness depends on.
    pub seed: u64,
    /// Seconds per tick, above 0.
    pub dt: f32,
    /// Who sees whom when.
    pub order: Order,
    /// The plane and its edge.
    pub space: Space,
    /// What stands in the way.
    pub obstacles: Vec<Obstacle>,
    /// What can be followed.
    pub paths: Vec<Path>,
    /// Each group, and how its first agents are made; agents are made in this order.
    pub groups: Vec<(Group, Spawn)>,
    /// What happens from outside.
    pub events: Vec<Event>,
    /// The state to begin in, of a run with the same groups and paths; without one it begins at tick 0 with
    /// the agents of the spawns.
    pub start: Option<State>,
}

impl Setup {
    /// Seconds per tick where nothing else is said.
    pub const DEFAULT_DT: f32 = 1.0 / 60.0;
}

/// A world in motion. A clone goes on from where it was made, and shares what has not changed since.
#[derive(Clone)]
pub struct Simulation {
    world: Arc<World>,
    minds: Minds,
    brains: Vec<Arc<dyn Brain>>,
    spawns: Vec<Spawn>,
    events: Arc<Schedule>,
    pending: Vec<Action>,
    /// Pushes of this tick that wait until agents have decided.
    pushes: Vec<(GroupId, Vec2)>,
    order: Order,
    reached: Vec<GoalCounts>,
    messages: Vec<Message>,
    forces: Vec<Vec2>,
    velocities: Vec<Vec2>,
    keep: Vec<bool>,
    /// The groups as the run began, so that an edit can be told from what has become of them.
    initial_groups: Arc<[Group]>,
}

impl Simulation {
    /// The world at tick 0, or as it is to start. `brains` holds one for each group of the setup, in its
    /// order; they do not begin with agents of a start, which have begun before.
    ///
    /// # Errors
    ///
    /// If a brain fails for one of the first agents.
    ///
    /// # Panics
    ///
    /// If there is not one brain for each group, or the start is one of other groups.
    pub fn new(setup: Setup, brains: Vec<Arc<dyn Brain>>) -> Result<Self, AgentError> {
        assert_eq!(setup.groups.len(), brains.len(), "one brain for each group");
        let minds = Minds::new(setup.paths.len());
        let (groups, spawns): (Vec<_>, Vec<_>) = setup.groups.into_iter().unzip();
        let world =
            World::new(setup.seed, setup.dt, setup.space, setup.obstacles, setup.paths, groups);
        let mut this = Self {
            world: Arc::new(world),
            minds,
            brains,
            spawns,
            events: Arc::new(Schedule::new(setup.events)),
            pending: Vec::new(),
            pushes: Vec::new(),
            order: setup.order,
            reached: Vec::new(),
            messages: Vec::new(),
            forces: Vec::new(),
            velocities: Vec::new(),
            keep: Vec::new(),
            initial_groups: Arc::new([]),
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
        this.forces.resize(this.world.agents.len(), Vec2::ZERO);
        this.initial_groups = this.world.groups.as_slice().into();
        Ok(this)
    }

    /// The world as it is now.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// What the agents know for themselves, in the rows of the world's agents.
    pub fn minds(&self) -> &Minds {
        &self.minds
    }

    /// How the agents of each group are made, in the order of the groups.
    pub fn spawns(&self) -> &[Spawn] {
        &self.spawns
    }

    /// What happens from outside, in the order it is written.
    pub fn events(&self) -> &[Event] {
        self.events.all()
    }

    /// About how many bytes a clone takes up in the long run.
    pub fn bytes(&self) -> usize {
        // Columns, the grid, and the forces of a tick.
        const PER_AGENT: usize = 200;
        const PER_VALUE: usize = 32;
        let minds = (0..self.minds.len()).map(|row| self.minds.state(row));
        let values: usize =
            minds.flat_map(|state| state.iter()).map(|(_, value)| value.elements()).sum();
        self.world.agents.len() * PER_AGENT + values * PER_VALUE
    }

    /// How many goals have been reached so far, by all agents together.
    pub fn goals_reached(&self) -> u64 {
        self.reached.iter().map(|of| of.goals).sum()
    }

    /// What the agents of a group have reached so far.
    pub fn goal_counts(&self, group: GroupId) -> GoalCounts {
        self.reached[group.0 as usize]
    }

    /// What scripts have said since this was last asked.
    pub fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }

    /// One tick.
    ///
    /// # Errors
    ///
    /// If a brain fails, or an agent is moved out of the range of numbers. The world then is somewhere
    /// between two ticks.
    pub fn step(&mut self) -> Result<(), AgentError> {
        self.step_with(|_| {})
    }

    /// One tick, with a call at the beginning of each of its phases: for whoever wants to know how long
    /// they take. In [`Order::Sequential`] there is neither [`Phase::Perceive`] nor [`Phase::Move`].
    ///
    /// # Errors
    ///
    /// As [`Simulation::step`].
    pub fn step_with(&mut self, mut entering: impl FnMut(Phase)) -> Result<(), AgentError> {
        entering(Phase::Events);
        self.apply_events()?;
        self.check_goals();
        match self.order {
            Order::Synchronous => self.step_synchronous(entering)?,
            Order::Sequential => self.step_sequential(entering)?,
        }
        Arc::make_mut(&mut self.world).tick += 1;
        Ok(())
    }

    fn step_synchronous(&mut self, mut entering: impl FnMut(Phase)) -> Result<(), AgentError> {
        self.decide_all(&mut entering)?;
        entering(Phase::Move);
        if !self.pushes.is_empty() {
            for row in 0..self.velocities.len() {
                self.velocities[row] = self.pushed(row, self.velocities[row]);
            }
        }
        let world = Arc::make_mut(&mut self.world);
        motion::move_all(world, &self.forces, &self.velocities)
            .map_err(|row| self.out_of_range(row))
    }

    /// All decide on the same past: on the forces and velocities kept here.
    fn decide_all(&mut self, mut entering: impl FnMut(Phase)) -> Result<(), AgentError> {
        entering(Phase::Index);
        Arc::make_mut(&mut self.world).index();
        entering(Phase::Perceive);
        let world = &self.world;
        let needs = (0..).map(GroupId).zip(&self.brains);
        let needs: Vec<_> = needs.map(|(group, brain)| brain.needs(world, group)).collect();
        Arc::make_mut(&mut self.world).perceive(&needs);
        entering(Phase::Decide);
        let rows = self.world.agents.len();
        self.forces.resize(rows, Vec2::ZERO);
        self.velocities.resize(rows, Vec2::ZERO);
        let turns = Turns::new(0, self.minds.all(), &mut self.forces, &mut self.velocities);
        let decided = brain::call_brains(
            BrainCall::Decide,
            &self.brains,
            &self.world,
            turns,
            &mut self.messages,
        );
        Arc::make_mut(&mut self.world).forget();
        decided
    }

    fn step_sequential(&mut self, mut entering: impl FnMut(Phase)) -> Result<(), AgentError> {
        entering(Phase::Index);
        Arc::make_mut(&mut self.world).index_for_changes();
        entering(Phase::Decide);
        let rows = self.world.agents.len();
        self.forces.resize(rows, Vec2::ZERO);
        for row in 0..rows {
            self.forces[row] = self.take_turn(row)?;
        }
        Ok(())
    }

    /// A velocity after the pushes of this tick that act after the decision.
    fn pushed(&self, row: usize, vel: Vec2) -> Vec2 {
        let of = self.world.agents.group[row];
        let pushes = self.pushes.iter().filter(|(group, _)| *group == of);
        pushes.fold(vel, |vel, (_, push)| vel + *push)
    }

    /// Lets one agent decide and move at once, in a grid of one bin; the force it decided on.
    fn take_turn(&mut self, row: usize) -> Result<Vec2, AgentError> {
        if self.world.agents.stopped[row] {
            return Ok(Vec2::ZERO);
        }
        let (force, vel) = self.decide_one(row)?;
        let vel = self.pushed(row, vel);
        let world = Arc::make_mut(&mut self.world);
        let body = *world.agent(row).body();
        let at = world.agents.pos[row];
        let (pos, vel) = motion::moved(&world.space, &body, world.dt, at, vel, force);
        if !(pos.is_finite() && vel.is_finite()) {
            return Err(self.out_of_range(row));
        }
        world.place_at_once(row, pos, vel);
        Ok(force)
    }

    /// The force that one agent decides on, and its velocity before that force. Its mind changes.
    fn decide_one(&mut self, row: usize) -> Result<(Vec2, Vec2), AgentError> {
        let (mut force, mut vel) = ([Vec2::ZERO], [Vec2::ZERO]);
        let (_, minds) = self.minds.all().split(row);
        let turns = Turns::new(row, minds.split(1).0, &mut force, &mut vel);
        brain::call_brains(
            BrainCall::Decide,
            &self.brains,
            &self.world,
            turns,
            &mut self.messages,
        )?;
        Ok((force[0], vel[0]))
    }

    fn out_of_range(&self, row: usize) -> AgentError {
        let agent = self.world.agent(row);
        let what = Diagnostic::error("an agent was moved beyond the range of numbers")
            .help(format!("it was at {} with velocity {}", agent.pos(), agent.vel()))
            .help("give its body a max_speed or a max_force");
        AgentError {
            tick: self.world.tick,
            agent: agent.id(),
            group: agent.group().name.to_string(),
            what: Box::new(what),
        }
    }

    fn check_goals(&mut self) {
        if self.world.groups.iter().all(|group| group.goals.is_empty()) {
            return;
        }
        let world = &self.world;
        let is_there = |row: &usize| {
            let goal = world.agents.goal(*row, &world.groups);
            !world.agents.stopped[*row]
                && goal.is_some_and(|goal| world.me(*row).to(goal.at).length() < goal.radius)
        };
        let there = threads::map_parts(world.agents.len(), CHUNK, |part| {
            part.filter(is_there).collect::<Vec<usize>>()
        });
        let world = Arc::make_mut(&mut self.world);
        self.keep.clear();
        for row in there.into_iter().flatten() {
            let reached = &mut self.reached[world.agents.group[row].0 as usize];
            reached.goals += 1;
            world.agents.goal_progress[row].reached += 1;
            if world.agents.goal(row, &world.groups).is_none() {
                reached.agents += 1;
                match world.group(world.agents.group[row]).after_goals {
                    AfterGoals::Stay => {}
                    AfterGoals::Stop => {
                        world.agents.stopped[row] = true;
                        world.agents.vel[row] = Vec2::ZERO;
                    }
                    AfterGoals::Remove => {
                        self.keep.resize(world.agents.len(), true);
                        self.keep[row] = false;
                    }
                }
            }
        }
        self.remove_unmarked();
    }

    fn apply_events(&mut self) -> Result<(), AgentError> {
        self.pushes.clear();
        let events = Arc::clone(&self.events);
        for event in events.at(self.world.tick) {
            self.apply(event.action.clone())?;
        }
        for action in std::mem::take(&mut self.pending) {
            self.apply(action)?;
        }
        Ok(())
    }

    fn apply(&mut self, action: Action) -> Result<(), AgentError> {
        match action {
            Action::Push { group, velocity, when: PushTime::AfterDecision } => {
                self.pushes.push((group, velocity))
            }
            Action::Push { group, velocity, when: PushTime::BeforeDecision } => {
                let world = Arc::make_mut(&mut self.world);
                for row in 0..world.agents.len() {
                    if world.agents.group[row] == group && !world.agents.stopped[row] {
                        world.place(row, world.agents.pos[row], world.agents.vel[row] + velocity);
                    }
                }
            }
            Action::Set { group, param, value } => {
                Arc::make_mut(&mut self.world).groups[group.0 as usize].params.set(&param, value);
            }
            Action::Spawn { group, count } => {
                let first = self.world.agents.len();
                self.spawn_agents(group, count);
                self.begin_agents(first)?;
            }
            Action::Remove { group, count } => {
                let mut left = count.unwrap_or(u32::MAX);
                let World { agents, groups, .. } = &*self.world;
                let lost = &mut self.reached[group.0 as usize].lost;
                self.keep.clear();
                self.keep.extend((0..agents.len()).map(|row| {
                    let goes = agents.group[row] == group && left > 0;
                    left -= u32::from(goes);
                    *lost += u64::from(goes && agents.goal(row, groups).is_some());
                    !goes
                }));
                self.remove_unmarked();
            }
            Action::SetGoals { group, goals } => {
                let world = Arc::make_mut(&mut self.world);
                world.groups[group.0 as usize].goals = vec![goals];
                for row in 0..world.agents.len() {
                    if world.agents.group[row] == group {
                        world.agents.goal_progress[row] = crate::world::GoalProgress::default();
                        world.agents.stopped[row] = false;
                    }
                }
            }
            Action::Cursor { at } => Arc::make_mut(&mut self.world).cursor = at,
            Action::Scatter { at, radius, speed, group } => self.scatter(at, radius, speed, group),
        }
        Ok(())
    }

    /// Removes the agents that are not marked in `keep`.
    fn remove_unmarked(&mut self) {
        if self.keep.iter().all(|&keep| keep) {
            return;
        }
        Arc::make_mut(&mut self.world).agents.retain(&self.keep);
        self.minds.retain(&self.keep);
        retain_rows(&mut self.forces, &self.keep);
    }

    /// Makes agents of a group, as its spawn says.
    fn spawn_agents(&mut self, group: GroupId, count: u32) {
        let world = Arc::make_mut(&mut self.world);
        for _ in 0..count {
            let index = world.group(group).made;
            let mut new = self.spawns[group.0 as usize].agent(world, group, index);
            if new.sequence as usize >= world.group(group).goals.len() {
                // The goals it was described with have been replaced by an event.
                new.sequence = 0;
            }
            world.add(group, new);
        }
        self.minds.grow(world.agents.len());
    }

    /// Lets the brains begin with the agents from a row on.
    fn begin_agents(&mut self, first: usize) -> Result<(), AgentError> {
        let rows = self.world.agents.len() - first;
        Arc::make_mut(&mut self.world).index();
        let mut velocities = vec![Vec2::ZERO; rows];
        let mut forces = vec![Vec2::ZERO; rows];
        let (_, minds) = self.minds.all().split(first);
        let turns = Turns::new(first, minds, &mut forces, &mut velocities);
        brain::call_brains(BrainCall::Begin, &self.brains, &self.world, turns, &mut self.messages)?;
        let world = Arc::make_mut(&mut self.world);
        for (i, vel) in velocities.into_iter().enumerate() {
            if vel != world.agents.vel[first + i] {
                world.place(first + i, world.agents.pos[first + i], vel);
            }
        }
        Ok(())
    }
}
