//! The tick: events happen and goals are reached, then all agents perceive, decide and move.
//!
//! This module owns the passing of time and nothing else. What agents want comes from a [`Brain`], and where
//! they are is the [`World`]. The result must never depend on the number of threads.

mod act;
mod adopt;
mod brain;
mod builder;
mod changes;
mod companion;
mod contacts;
mod decision_order;
mod event;
mod goal_counts;
mod kept_choice;
mod law;
mod limit_cut;
mod locomotion;
mod moment;
mod motion;
mod next_turn;
mod next_turn_text;
mod noise;
mod schedule;
mod spawn;
mod state;
#[cfg(test)]
mod tests;
mod together;
mod transform;
mod turn_value;

use std::ops::Range;
use std::sync::Arc;

pub use brain::add_messages;
pub use brain::{AgentError, Brain, FnWithNeeds, Message, NoBehavior, Turn, Turns};
use brain::{BrainCall, TurnAgents};
pub use builder::{Builder, GroupBuilder};
pub use changes::ChangeError;
pub use contacts::Contact;
use decision_order::DecisionOrder;
pub use event::{Action, Event, EventTime, PushTime};
pub use goal_counts::GoalCounts;
pub use limit_cut::LimitCut;
use locomotion::{Motion, moved};
pub use moment::Moment;
use motion::{CHUNK, Decided};
pub use next_turn::{Decision, GoalAhead, NextTurn, NoDecision, WaypointAhead, Wish};
pub use next_turn_text::{CHANGED_BY_CONTACT, ForceShare, NOT_EXPLAINED};
use noise::Blur;
use schedule::Schedule;
pub use spawn::ring_place;
pub use spawn::{Spawn, SpawnShape};
pub use state::{GroupState, State};
pub use together::step_lanes;
pub use together::{GroupTurns, PreparedBrain, step_together};
pub use turn_value::{TurnValue, ValueKind};

pub use crate::steer::{ChoiceRule, ExplainedCall, ExplainedChoice, Explanation, SeenNeighbors};
pub(crate) use companion::Companion;
pub use kept_choice::KeptChoice;
pub use law::Law;

use crate::diag::Diagnostic;
use crate::math::Vec2;
use crate::schema::enums;
use crate::threads;
use crate::world::{
    AfterGoals, Field, Group, GroupId, Minds, Obstacle, Path, Space, World, retain_rows,
};

/// With fewer agents than this, sums over neighbors are computed when a brain asks for them: finding out what all brains
/// need would take longer.
const MIN_PERCEIVING_AGENTS: usize = 16;

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
    /// The obstacles.
    pub obstacles: Vec<Obstacle>,
    /// The side of the cells that ways around obstacles are searched on, in world units. By default it is half the
    /// radius of the body.
    pub way_cell: Option<f32>,
    /// The paths that agents can follow.
    pub paths: Vec<Path>,
    /// The flow fields.
    pub fields: Vec<Field>,
    /// Each group and how its first agents are made. Agents are made in this order.
    pub groups: Vec<(Group, Spawn)>,
    /// The events, in the order in which they are written.
    pub events: Vec<Event>,
    /// The state to begin in: one of a run with the same groups and paths. Without it, the simulation begins
    /// at tick 0 with the agents that the spawns make.
    pub start: Option<State>,
}

impl Setup {
    /// The default number of seconds per tick.
    pub const DEFAULT_DT: f32 = 1.0 / 60.0;
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
    /// Where agents truly are, while they perceive something else.
    blur: Blur,
    /// The positions of all rows before the moves of this tick; empty if there are no solid bodies.
    contact_starts: Vec<Vec2>,
    order: Order,
    reached: Vec<GoalCounts>,
    messages: Vec<Message>,
    decision_order: DecisionOrder,
    /// The forces that the agents decided on in the last tick, in the order in which they decided.
    forces: Vec<Vec2>,
    /// Whether that is the order of rows.
    forces_are_by_row: bool,
    velocities: Vec<Vec2>,
    keep: Vec<bool>,
    /// The groups as they were when the run began. The difference to an edited scenario is what the edit changes.
    initial_groups: Arc<[Group]>,
}

/// What turns need besides the agents that take them.
struct TurnContext<'s> {
    world: &'s Arc<World>,
    brains: &'s [Arc<dyn Brain>],
    prepared: &'s [Option<Arc<dyn PreparedBrain>>],
    messages: &'s mut Vec<Message>,
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
        let mut world =
            World::new(setup.seed, setup.dt, setup.space, setup.obstacles, setup.paths, groups);
        world.way_cell = setup.way_cell;
        world.fields = setup.fields;
        let mut this = Self {
            world: Arc::new(world),
            minds,
            brains,
            prepared: Vec::new(),
            spawns,
            events: Arc::new(Schedule::new(setup.events)),
            pending: Vec::new(),
            pushes: Vec::new(),
            blur: Blur::default(),
            contact_starts: Vec::new(),
            order: setup.order,
            reached: Vec::new(),
            messages: Vec::new(),
            decision_order: DecisionOrder::default(),
            forces: Vec::new(),
            forces_are_by_row: true,
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

    /// Estimates how many bytes a clone takes up once nothing is shared with it any more.
    pub fn bytes(&self) -> usize {
        // Columns, the grid, and the forces of a tick.
        const PER_AGENT: usize = 200;
        const PER_VALUE: usize = 32;
        let minds = (0..self.minds.len()).map(|row| self.minds.state(row));
        let values: usize =
            minds.flat_map(|state| state.iter()).map(|(_, value)| value.elements()).sum();
        self.world.agents.len() * PER_AGENT + values * PER_VALUE
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
        std::mem::take(&mut self.messages)
    }

    /// Runs one tick.
    ///
    /// # Errors
    ///
    /// If a brain fails, or the position or velocity of an agent becomes infinite. The world is then somewhere
    /// between two ticks: do not use it further.
    pub fn step(&mut self) -> Result<(), AgentError> {
        self.step_with(|_| {})
    }

    /// Runs one tick and calls `entering` at the beginning of each phase, so that you can measure how long the
    /// phases take. In [`Order::Sequential`] there is neither [`Phase::Perceive`] nor [`Phase::Move`].
    ///
    /// # Errors
    ///
    /// As [`Simulation::step`].
    pub fn step_with(&mut self, mut entering: impl FnMut(Phase)) -> Result<(), AgentError> {
        entering(Phase::Events);
        self.begin_tick()?;
        self.decide_and_move(entering)?;
        self.end_tick();
        Ok(())
    }

    /// Lets the events of this tick happen, and finds out who has reached a goal.
    fn begin_tick(&mut self) -> Result<(), AgentError> {
        self.apply_events()?;
        self.check_goals();
        Ok(())
    }

    fn decide_and_move(&mut self, entering: impl FnMut(Phase)) -> Result<(), AgentError> {
        match self.order {
            Order::Synchronous => self.step_synchronous(entering),
            Order::Sequential => self.step_sequential(entering),
        }
    }

    fn end_tick(&mut self) {
        self.blur.end(&mut self.world);
        let world = Arc::make_mut(&mut self.world);
        if !self.contact_starts.is_empty() {
            contacts::resolve(world, &self.contact_starts);
        }
        world.tick += 1;
    }

    /// Keeps what the end of the tick needs to know, and lets agents perceive the world with errors.
    fn begin_decisions(&mut self) {
        self.contact_starts.clear();
        if contacts::are_possible(&self.world) {
            self.contact_starts.extend(self.world.agents.positions());
        }
        self.blur.begin(&mut self.world);
    }

    fn step_synchronous(&mut self, mut entering: impl FnMut(Phase)) -> Result<(), AgentError> {
        self.decide_all(&mut entering)?;
        entering(Phase::Move);
        self.move_all()
    }

    /// Moves all agents by the forces and velocities that they have decided on.
    fn move_all(&mut self) -> Result<(), AgentError> {
        if self.has_pushes() {
            for (place, &row) in self.decision_order.rows(&self.world).iter().enumerate() {
                self.velocities[place] = self.pushed(row as usize, self.velocities[place]);
            }
        }
        let decided = Decided {
            forces: &self.forces,
            velocities: &self.velocities,
            places: self.decision_order.places(),
        };
        let world = Arc::make_mut(&mut self.world);
        motion::move_all(world, decided).map_err(|row| self.out_of_range(row))
    }

    /// Lets all agents decide from the same state, into `forces` and `velocities`, in the decision order.
    fn decide_all(&mut self, mut entering: impl FnMut(Phase)) -> Result<(), AgentError> {
        self.prepare_decisions(&mut entering);
        entering(Phase::Decide);
        let decided = self.decide_in_places(0..self.world.agents.len());
        self.end_decisions();
        decided
    }

    /// Sorts the agents by position and computes the sums over neighbors that their brains need.
    fn prepare_decisions(&mut self, mut entering: impl FnMut(Phase)) {
        entering(Phase::Index);
        self.begin_decisions();
        Arc::make_mut(&mut self.world).index();
        entering(Phase::Perceive);
        if self.world.agents.len() >= MIN_PERCEIVING_AGENTS {
            let world = &self.world;
            let needs = (0..).map(GroupId).zip(&self.brains);
            let needs: Vec<_> = needs.map(|(group, brain)| brain.needs(world, group)).collect();
            Arc::make_mut(&mut self.world).perceive(&needs);
        }
        self.reserve_decisions();
    }

    /// Makes room for the decisions of all agents.
    fn reserve_decisions(&mut self) {
        let rows = self.world.agents.len();
        self.forces.resize(rows, Vec2::ZERO);
        self.velocities.resize(rows, Vec2::ZERO);
        self.decision_order.find(&self.world);
        self.forces_are_by_row = self.world.agents.motions.is_in_row_order();
        if !self.forces_are_by_row {
            self.minds.arrange(self.decision_order.rows(&self.world));
        }
    }

    /// Makes the world ready for moves, after all agents have decided.
    fn end_decisions(&mut self) {
        if !self.forces_are_by_row {
            self.minds.restore_order(self.decision_order.rows(&self.world));
        }
        if self.world.has_index() {
            Arc::make_mut(&mut self.world).forget();
        }
        if self.blur.is_active() {
            for (place, &row) in self.decision_order.rows(&self.world).iter().enumerate() {
                let vel = self.velocities[place];
                self.velocities[place] = self.blur.true_vel(&self.world, row as usize, vel);
            }
            self.blur.end(&mut self.world);
        }
    }

    /// Asks the brains for the form in which they decide in many worlds, if groups have changed since.
    fn prepare_brains(&mut self) {
        if self.prepared.is_empty() {
            let brains = (0..).map(GroupId).zip(&self.brains);
            let prepared = brains.map(|(group, brain)| brain.prepared(&self.world, group));
            self.prepared = prepared.collect();
        }
    }

    /// Returns some of the turns of a tick, by their places in the decision order.
    fn turns(&mut self, places: Range<usize>) -> (Turns<'_>, TurnContext<'_>) {
        let Self {
            world,
            minds,
            brains,
            prepared,
            decision_order,
            forces,
            velocities,
            messages,
            ..
        } = self;
        let rows = decision_order.rows(world);
        let agents = TurnAgents {
            moment: Moment::unique(),
            rows,
            slots: decision_order.slots(),
            first: 0,
            some_stopped: world.agents.stopped.contains(&true),
        };
        let turns = Turns::new(agents, minds.all(), forces, velocities).within(places);
        (turns, TurnContext { world, brains, prepared, messages })
    }

    /// Lets the agents in some places of the decision order decide, into `forces` and `velocities`.
    fn decide_in_places(&mut self, places: Range<usize>) -> Result<(), AgentError> {
        let (turns, TurnContext { world, brains, messages, .. }) = self.turns(places);
        brain::call_brains(BrainCall::Decide, brains, world, turns, messages)
    }

    fn step_sequential(&mut self, mut entering: impl FnMut(Phase)) -> Result<(), AgentError> {
        entering(Phase::Index);
        self.prepare_turns();
        entering(Phase::Decide);
        let moment = Moment::unique();
        for row in 0..self.world.agents.len() {
            self.forces[row] = self.take_turn(moment, row)?;
        }
        Ok(())
    }

    /// Prepares the turns of agents one after another.
    fn prepare_turns(&mut self) {
        self.begin_decisions();
        Arc::make_mut(&mut self.world).index_for_changes();
        self.reserve_decisions();
    }

    /// Adds to a velocity the pushes of this tick that act after the decision, and the noise of motion.
    fn pushed(&self, row: usize, vel: Vec2) -> Vec2 {
        let of = self.world.agents.group[row];
        let pushes = self.pushes.iter().filter(|(group, _)| *group == of);
        let vel = pushes.fold(vel, |vel, (_, push)| vel + *push);
        // A sum with zero would change a negative zero.
        let noise = noise::of_motion(&self.world, row);
        if noise == Vec2::ZERO { vel } else { vel + noise }
    }

    /// Lets one agent decide and move at once, in a grid of one bin. Returns the force it decided on.
    fn take_turn(&mut self, moment: Moment, row: usize) -> Result<Vec2, AgentError> {
        if self.world.agents.stopped[row] {
            return Ok(Vec2::ZERO);
        }
        let (force, vel) = self.decide_one(moment, row)?;
        self.move_one(row, force, vel)?;
        Ok(force)
    }

    /// Moves one agent at once, in a grid of one bin.
    fn move_one(&mut self, row: usize, force: Vec2, vel: Vec2) -> Result<(), AgentError> {
        let vel = self.pushed(row, self.blur.true_vel(&self.world, row, vel));
        let pos = self.blur.true_pos(&self.world, row);
        let world = Arc::make_mut(&mut self.world);
        let before = Motion { pos, vel, heading: world.agents.heading(row) };
        let after = moved(&world.space, world.agent(row).body(), world.dt, before, force);
        if !after.is_finite() {
            return Err(self.out_of_range(row));
        }
        let Motion { pos, vel, heading } = after.motion;
        world.agents.set_motion(row, pos, vel, heading);
        self.blur.hide(world, row);
        Ok(())
    }

    /// Lets one agent decide. Returns its force, and its velocity before that force. Its mind changes.
    fn decide_one(&mut self, moment: Moment, row: usize) -> Result<(Vec2, Vec2), AgentError> {
        let (mut force, mut vel) = ([Vec2::ZERO], [self.world.agents.vel(row)]);
        let (_, minds) = self.minds.all().split(row);
        let first = self.world.agents.motions.slot(row);
        let agents =
            TurnAgents { moment, rows: &[row as u32], slots: None, first, some_stopped: true };
        let turns = Turns::new(agents, minds.split(1).0, &mut force, &mut vel);
        let GroupId(group) = self.world.agents.group[row];
        let mut new = Vec::new();
        let decided = self.brains[usize::from(group)].decide(&self.world, turns, &mut new);
        add_messages(&mut self.messages, new);
        decided?;
        Ok((force[0], self.blur.true_vel(&self.world, row, vel[0])))
    }

    fn out_of_range(&self, row: usize) -> AgentError {
        let agent = self.world.agent(row);
        let what = Diagnostic::error("the position or velocity of an agent became infinite")
            .help(format!("it was at {} with velocity {}", agent.pos(), agent.vel()))
            .help("give its body a max_speed or a max_force");
        AgentError::new(&self.world, row, what)
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
        if there.iter().all(Vec::is_empty) {
            return;
        }
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
                        *world.agents.vel_mut(row) = Vec2::ZERO;
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
        if self.pending.is_empty() && self.events.at(self.world.tick).next().is_none() {
            return Ok(());
        }
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
                        world.push(row, velocity);
                    }
                }
            }
            Action::Set { group, param, value } => {
                Arc::make_mut(&mut self.world).groups[group.0 as usize].params.set(&param, value);
                self.prepared.clear();
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
        self.sort_forces_by_row();
        Arc::make_mut(&mut self.world).agents.retain(&self.keep);
        self.minds.retain(&self.keep);
        retain_rows(&mut self.forces, &self.keep);
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

    /// Makes new agents of a group, as its spawn says.
    fn spawn_agents(&mut self, group: GroupId, count: u32) {
        self.sort_forces_by_row();
        let world = Arc::make_mut(&mut self.world);
        for _ in 0..count {
            let index = world.group(group).made;
            let mut new = self.spawns[group.0 as usize].agent(world, group, index);
            if new.sequence as usize >= world.group(group).goals.len() {
                // An event has replaced the goals that it was described with.
                new.sequence = 0;
            }
            world.add(group, new);
        }
        self.minds.grow(world.agents.len());
    }

    /// Calls [`Brain::begin`] for the agents from the row `first` on.
    fn begin_agents(&mut self, first: usize) -> Result<(), AgentError> {
        Arc::make_mut(&mut self.world).index();
        let rows: Vec<u32> = (first as u32..self.world.agents.len() as u32).collect();
        let slot = |&row: &u32| self.world.agents.motions.slot(row as usize) as u32;
        let slots: Vec<u32> = rows.iter().map(slot).collect();
        let agents = TurnAgents {
            moment: Moment::unique(),
            rows: &rows,
            slots: Some(&slots),
            first: 0,
            some_stopped: true,
        };
        let mut velocities = vec![Vec2::ZERO; rows.len()];
        let mut forces = vec![Vec2::ZERO; rows.len()];
        let (_, minds) = self.minds.all().split(first);
        let turns = Turns::new(agents, minds, &mut forces, &mut velocities);
        brain::call_brains(BrainCall::Begin, &self.brains, &self.world, turns, &mut self.messages)?;
        let world = Arc::make_mut(&mut self.world);
        for (i, vel) in velocities.into_iter().enumerate() {
            if vel != world.agents.vel(first + i) {
                world.move_row(first + i, world.agents.pos(first + i), vel);
            }
        }
        Ok(())
    }
}
