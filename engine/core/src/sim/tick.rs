//! One tick, phase by phase: what agents decide, and how they move.

use std::ops::Range;
use std::sync::Arc;

use super::brain::{self, BrainCall, TurnAgents};
use super::locomotion::{Motion, advance};
use super::motion::{self, Decided};
use super::{
    AgentError, Brain, Moment, Order, Output, Phase, PreparedBrain, Simulation, Turns, contacts,
    noise,
};
use crate::diag::Diagnostic;
use crate::math::Vec2;
use crate::world::{GroupId, World};

/// With fewer agents than this, sums over neighbors are computed when a brain asks for them: finding out what all brains
/// need would take longer.
const MIN_PERCEIVING_AGENTS: usize = 16;

/// The data that turns need besides the agents that take them.
pub(super) struct TurnContext<'s> {
    pub(super) world: &'s Arc<World>,
    pub(super) brains: &'s [Arc<dyn Brain>],
    pub(super) prepared: &'s [Option<Arc<dyn PreparedBrain>>],
    pub(super) output: &'s mut Output,
}

impl Simulation {
    /// Runs one tick.
    ///
    /// # Errors
    ///
    /// If a brain fails, or the position or velocity of an agent becomes infinite. The world is then somewhere
    /// between two ticks: do not use it further.
    pub fn step(&mut self) -> Result<(), AgentError> {
        self.step_with(|_, _| {})
    }

    /// Runs one tick and calls `entering` at the beginning of each phase with the world as it is then, for example to measure how long
    /// the phases take. In [`Order::Sequential`] there is neither [`Phase::Perceive`] nor [`Phase::Move`].
    ///
    /// # Errors
    ///
    /// As [`Simulation::step`].
    pub fn step_with(
        &mut self,
        mut entering: impl FnMut(Phase, &Arc<World>),
    ) -> Result<(), AgentError> {
        entering(Phase::Events, &self.world);
        self.begin_tick()?;
        self.decide_and_move(entering)?;
        self.end_tick()
    }

    /// Lets the events of this tick happen, moves obstacles, and lets agents that have reached a goal go on to the next.
    pub(super) fn begin_tick(&mut self) -> Result<(), AgentError> {
        self.apply_events()?;
        if self.world.has_moving_obstacles() {
            Arc::make_mut(&mut self.world).move_obstacles();
        }
        self.check_goals();
        Ok(())
    }

    pub(super) fn decide_and_move(
        &mut self,
        entering: impl FnMut(Phase, &Arc<World>),
    ) -> Result<(), AgentError> {
        match self.order {
            Order::Synchronous => self.step_synchronous(entering),
            Order::Sequential => self.step_sequential(entering),
        }
    }

    /// Separates bodies, and then lets happen what agents have decided to change.
    pub(super) fn end_tick(&mut self) -> Result<(), AgentError> {
        self.blur.end(&mut self.world);
        let world = Arc::make_mut(&mut self.world);
        if !self.contact_starts.is_empty() {
            contacts::resolve(world, &self.contact_starts);
        }
        self.change_layers()?;
        self.advance_layers();
        self.deliver_waiting()?;
        Arc::make_mut(&mut self.world).tick += 1;
        self.apply_changes()
    }

    /// Keeps what the end of the tick needs to know, and lets agents perceive the world with errors.
    pub(super) fn begin_decisions(&mut self) {
        self.contact_starts.clear();
        if contacts::are_possible(&self.world) {
            self.contact_starts.extend(self.world.agents.positions());
        }
        self.blur.begin(&mut self.world);
        if self.order == Order::Sequential {
            self.begin_shared_again();
        }
    }

    pub(super) fn step_synchronous(
        &mut self,
        mut entering: impl FnMut(Phase, &Arc<World>),
    ) -> Result<(), AgentError> {
        self.decide_all(&mut entering)?;
        entering(Phase::Move, &self.world);
        self.move_all()
    }

    /// Moves all agents by the forces and velocities that they have decided on.
    pub(super) fn move_all(&mut self) -> Result<(), AgentError> {
        if self.has_pushes() {
            for (turn, &row) in self.decision_order.rows(&self.world).iter().enumerate() {
                self.velocities[turn] = self.with_pushes(row as usize, self.velocities[turn]);
            }
        }
        let decided = Decided {
            forces: &self.forces,
            velocities: &self.velocities,
            indices: self.decision_order.turns(),
        };
        let world = Arc::make_mut(&mut self.world);
        motion::move_all(world, decided).map_err(|row| self.out_of_range(row))
    }

    /// Lets all agents decide from the same state, into `forces` and `velocities`, in the decision order.
    pub(super) fn decide_all(
        &mut self,
        mut entering: impl FnMut(Phase, &Arc<World>),
    ) -> Result<(), AgentError> {
        self.prepare_decisions(&mut entering);
        entering(Phase::Decide, &self.world);
        let decided = self.decide_turns(0..self.world.agents.len());
        decided.and(self.end_decisions())
    }

    /// Sorts the agents by position and computes the sums over neighbors that their brains need.
    pub(super) fn prepare_decisions(&mut self, mut entering: impl FnMut(Phase, &Arc<World>)) {
        entering(Phase::Index, &self.world);
        self.begin_decisions();
        let is_large = self.world.agents.len() >= MIN_PERCEIVING_AGENTS;
        let asks = |(group, brain): (u16, &Arc<dyn Brain>)| {
            brain.asks_neighbors(&self.world, GroupId(group))
        };
        if is_large && !(0..).zip(&self.brains).any(asks) {
            Arc::make_mut(&mut self.world).index_for_changes();
        } else {
            Arc::make_mut(&mut self.world).index();
            entering(Phase::Perceive, &self.world);
            if is_large {
                let world = &self.world;
                let needs = (0..).map(GroupId).zip(&self.brains);
                let needs: Vec<_> = needs.map(|(group, brain)| brain.needs(world, group)).collect();
                Arc::make_mut(&mut self.world).perceive(&needs);
            }
        }
        self.reserve_decisions();
    }

    /// Makes room for the decisions of all agents.
    pub(super) fn reserve_decisions(&mut self) {
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
    pub(super) fn end_decisions(&mut self) -> Result<(), AgentError> {
        if !self.forces_are_by_row {
            self.minds.restore_order(self.decision_order.rows(&self.world));
        }
        let combined = self.combine_shared();
        self.begin_public_again(0..self.world.agents.len());
        let told = self.deliver();
        self.publish();
        if self.world.has_index() {
            Arc::make_mut(&mut self.world).forget();
        }
        if self.blur.is_active() {
            for (turn, &row) in self.decision_order.rows(&self.world).iter().enumerate() {
                let vel = self.velocities[turn];
                self.velocities[turn] = self.blur.true_vel(&self.world, row as usize, vel);
            }
            self.blur.end(&mut self.world);
        }
        combined.and(told.map(|_| ()))
    }

    /// Asks the brains for the form in which they decide in many worlds, if groups have changed since.
    pub(super) fn prepare_brains(&mut self) {
        if self.prepared.is_empty() {
            let brains = (0..).map(GroupId).zip(&self.brains);
            let prepared = brains.map(|(group, brain)| brain.prepared(&self.world, group));
            self.prepared = prepared.collect();
        }
    }

    /// Returns some of the turns of a tick, by their indices in the decision order.
    pub(super) fn turns(&mut self, range: Range<usize>) -> (Turns<'_>, TurnContext<'_>) {
        let Self {
            world, minds, brains, prepared, decision_order, forces, velocities, output, ..
        } = self;
        let rows = decision_order.rows(world);
        let agents = TurnAgents {
            moment: Moment::unique(),
            rows,
            slots: decision_order.slots(),
            first: 0,
            some_stopped: world.agents.stopped.contains(&true),
        };
        let turns = Turns::new(agents, minds.all(), forces, velocities).within(range);
        (turns, TurnContext { world, brains, prepared, output })
    }

    /// Lets the agents of some turns in the decision order decide, into `forces` and `velocities`.
    pub(super) fn decide_turns(&mut self, range: Range<usize>) -> Result<(), AgentError> {
        let (turns, TurnContext { world, brains, output, .. }) = self.turns(range);
        brain::call_brains(BrainCall::Decide, brains, world, turns, output)
    }

    pub(super) fn step_sequential(
        &mut self,
        mut entering: impl FnMut(Phase, &Arc<World>),
    ) -> Result<(), AgentError> {
        entering(Phase::Index, &self.world);
        self.prepare_turns();
        entering(Phase::Decide, &self.world);
        let moment = Moment::unique();
        for row in 0..self.world.agents.len() {
            self.forces[row] = self.take_turn(moment, row)?;
        }
        Ok(())
    }

    /// Prepares the turns of agents one after another.
    pub(super) fn prepare_turns(&mut self) {
        self.begin_decisions();
        Arc::make_mut(&mut self.world).index_for_changes();
        self.reserve_decisions();
    }

    /// Adds to a velocity the pushes of this tick that act after the decision, and the noise of motion.
    pub(super) fn with_pushes(&self, row: usize, vel: Vec2) -> Vec2 {
        let of = self.world.agents.group[row];
        let pushes = self.pushes.iter().filter(|(group, _)| *group == of);
        let vel = pushes.fold(vel, |vel, (_, push)| vel + *push);
        // A sum with zero would change a negative zero.
        let noise = noise::of_motion(&self.world, row);
        if noise == Vec2::ZERO { vel } else { vel + noise }
    }

    /// Lets one agent decide and move at once, in a grid of one bin. Returns the force it decided on.
    pub(super) fn take_turn(&mut self, moment: Moment, row: usize) -> Result<Vec2, AgentError> {
        if self.world.agents.stopped[row] {
            return Ok(Vec2::ZERO);
        }
        let (force, vel) = self.decide_one(moment, row)?;
        self.move_one(row, force, vel)?;
        Ok(force)
    }

    /// Moves one agent at once, in a grid of one bin, and lets others see its public state.
    pub(super) fn move_one(
        &mut self,
        row: usize,
        force: Vec2,
        vel: Vec2,
    ) -> Result<(), AgentError> {
        self.combine_shared()?;
        self.begin_public_again(row..row + 1);
        if self.deliver()? {
            self.publish();
        }
        self.change_layers()?;
        let vel = self.with_pushes(row, self.blur.true_vel(&self.world, row, vel));
        let pos = self.blur.true_pos(&self.world, row);
        let world = Arc::make_mut(&mut self.world);
        world.publish_row(&self.minds, row);
        let before = Motion { pos, vel, heading: world.agents.heading(row) };
        let after = advance(&world.space, world.agent(row).body(), world.dt, before, force);
        if !after.is_finite() {
            return Err(self.out_of_range(row));
        }
        let Motion { pos, vel, heading } = after.motion;
        world.agents.set_motion(row, pos, vel, heading);
        self.blur.hide(world, row);
        Ok(())
    }

    /// Lets one agent decide. Returns its force, and its velocity before that force. Its mind changes.
    pub(super) fn decide_one(
        &mut self,
        moment: Moment,
        row: usize,
    ) -> Result<(Vec2, Vec2), AgentError> {
        let (mut force, mut vel) = ([Vec2::ZERO], [self.world.agents.vel(row)]);
        let (_, minds) = self.minds.all().split(row);
        let first = self.world.agents.motions.slot(row);
        let agents =
            TurnAgents { moment, rows: &[row as u32], slots: None, first, some_stopped: true };
        let turns = Turns::new(agents, minds.split(1).0, &mut force, &mut vel);
        let GroupId(group) = self.world.agents.group[row];
        let mut new = Output::default();
        let decided = self.brains[usize::from(group)].decide(&self.world, turns, &mut new);
        self.output.add_sorted(new, &decided);
        decided?;
        Ok((force[0], self.blur.true_vel(&self.world, row, vel[0])))
    }

    pub(super) fn out_of_range(&self, row: usize) -> AgentError {
        let agent = self.world.agent(row);
        let what = Diagnostic::error("the position or velocity of an agent became infinite")
            .help(format!("it was at {} with velocity {}", agent.pos(), agent.vel()))
            .help("give its body a max_speed or a max_force");
        AgentError::new(&self.world, row, what)
    }
}
