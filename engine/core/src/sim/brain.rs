//! The interface between the tick and the behaviors that decide for agents.
//!
//! This module calls brains on all threads. It must never let the result depend on which thread took which turn.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Law, Moment, Output, PreparedBrain, TurnValue};
use crate::diag::{Diagnostic, Diagnostics, Place};
use crate::math::Vec2;
use crate::steer::Explanation;
use crate::threads;
use crate::world::{AgentId, GroupId, Me, Mind, MindsMut, Need, Progress, Values, World};

/// Decides for the agents of one or more groups.
///
/// A brain may change nothing but the turn it is given, and must return the same for the same world, mind and
/// velocity: turns are distributed over any number of threads, in any order.
pub trait Brain: Send + Sync {
    /// Prepares the minds and velocities of new agents before their first tick. By default, nothing is prepared.
    ///
    /// # Errors
    ///
    /// The error of the agent with the lowest row for which it fails.
    fn begin(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        output: &mut Output,
    ) -> Result<(), AgentError> {
        let _ = (world, turns, output);
        Ok(())
    }

    /// Returns the sums over neighbors that [`Brain::decide`] will ask for in this tick. They are computed for
    /// all agents of the group in one pass. Any other sum is computed by a loop when it is asked for, with the
    /// same result. This is called once per tick and group, and only in [`super::Order::Synchronous`].
    fn needs(&self, world: &World, group: GroupId) -> Vec<Need> {
        let _ = (world, group);
        Vec::new()
    }

    /// Returns whether agents of the group may ask for other agents near a place in [`Brain::decide`]. If no agent does, they are not
    /// sorted by their positions.
    fn asks_neighbors(&self, world: &World, group: GroupId) -> bool {
        let _ = (world, group);
        true
    }

    /// Returns what decides for agents of a group in many worlds at once, if the brain has such a form. It may be used
    /// for any group for which this returns the same `Arc`, in any world whose space is the same, until params change.
    fn prepared(&self, world: &World, group: GroupId) -> Option<Arc<dyn PreparedBrain>> {
        let _ = (world, group);
        None
    }

    /// Explains the force that the agent in a row will decide on in this tick. `mind` is what that agent knows.
    /// `None` if the brain cannot say. A brain may take the turn several times to find out; the results of
    /// these turns are dropped.
    fn explain(
        &self,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> Option<Explanation> {
        let _ = (world, row, mind);
        None
    }

    /// Returns the values of variables and calls in the turn that the agent in a row will take in this tick, in the order in which they
    /// are computed. `mind` is what that agent knows. Empty if the brain cannot say.
    fn steps(
        &self,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> Vec<TurnValue> {
        let _ = (world, row, mind);
        Vec::new()
    }

    /// Returns what [`explain`](Self::explain) and [`steps`](Self::steps) do. A brain that learns both from one turn takes only that.
    fn explain_with_steps(
        &self,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> (Option<Explanation>, Vec<TurnValue>) {
        (self.explain(world, row, mind), self.steps(world, row, mind))
    }

    /// Returns whether [`steps`](Self::steps) may have a part of a script that is wanted. It may be wrong only if it returns true.
    fn may_come_to(
        &self,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
        is_wanted: &dyn Fn(&Place) -> bool,
    ) -> bool {
        let _ = (world, row, mind, is_wanted);
        true
    }

    /// Returns the values of variables and calls when the agent in a row begins, as [`steps`](Self::steps) does for a turn.
    fn begin_steps(
        &self,
        world: &Arc<World>,
        row: usize,
        mind: (&Values, &[Progress]),
    ) -> Vec<TurnValue> {
        let _ = (world, row, mind);
        Vec::new()
    }

    /// Returns why a law is not expected to hold for the decisions of a group; `None` if nothing speaks against it.
    fn why_not(&self, law: Law, world: &World, group: GroupId) -> Option<String> {
        let _ = law;
        Some(format!("the behavior of group `{}` is not a script", world.group(group).name))
    }

    /// Decides for agents of one group.
    ///
    /// # Errors
    ///
    /// The error of the agent with the lowest row for which it fails.
    fn decide(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        output: &mut Output,
    ) -> Result<(), AgentError>;
}

/// A brain made of a function from what an agent perceives to the force it wants, and of the sums over
/// neighbors that the function will ask for. These sums are computed for all agents in one pass.
pub struct FnWithNeeds<F> {
    /// The sums that `decide` asks for. It may ask for others; each of those costs a loop over the neighbors.
    pub needs: Vec<Need>,
    /// Returns the force: mass times acceleration, with lengths in world units.
    pub decide: F,
}

impl<F: Fn(&Me<'_>, Mind<'_>) -> Vec2 + Send + Sync> Brain for FnWithNeeds<F> {
    fn needs(&self, _: &World, _: GroupId) -> Vec<Need> {
        self.needs.clone()
    }

    fn decide(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        output: &mut Output,
    ) -> Result<(), AgentError> {
        Brain::decide(&self.decide, world, turns, output)
    }
}

/// The brain of groups without a behavior: agents keep their velocity.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoBehavior;

impl Brain for NoBehavior {
    fn asks_neighbors(&self, _: &World, _: GroupId) -> bool {
        false
    }

    fn why_not(&self, _: Law, _: &World, _: GroupId) -> Option<String> {
        None
    }

    fn explain(
        &self,
        world: &Arc<World>,
        row: usize,
        _: (&Values, &[Progress]),
    ) -> Option<Explanation> {
        Some(Explanation {
            calls: Vec::new(),
            variables: Vec::new(),
            rest: Vec2::ZERO,
            rest_causes: Vec::new(),
            force: Vec2::ZERO,
            vel: world.agents.vel(row),
            vel_change: Vec2::ZERO,
            vel_causes: Vec::new(),
            choices: Vec::new(),
        })
    }

    fn decide(&self, _: &Arc<World>, _: Turns<'_>, _: &mut Output) -> Result<(), AgentError> {
        // Turns begin with the agent's velocity and without a force.
        Ok(())
    }
}

/// A plain function from what an agent perceives to the force it wants is a brain too.
impl<F: Fn(&Me<'_>, Mind<'_>) -> Vec2 + Send + Sync> Brain for F {
    fn decide(
        &self,
        world: &Arc<World>,
        mut turns: Turns<'_>,
        _: &mut Output,
    ) -> Result<(), AgentError> {
        turns.each(world, |turn| {
            *turn.force = self(&Me::in_slot(world, turn.row, turn.slot, *turn.vel), turn.mind);
            Ok(())
        })
    }
}

/// The turn of one agent: what its brain may read and change.
#[derive(Debug)]
pub struct Turn<'t> {
    /// The row of the agent.
    pub row: usize,
    /// Its slot: the index in the memory of positions and velocities.
    pub slot: usize,
    /// The knowledge that only the agent has.
    pub mind: Mind<'t>,
    /// The force that it decides on.
    pub force: &'t mut Vec2,
    /// Its velocity before that force. A brain may change it.
    pub vel: &'t mut Vec2,
}

/// The turns of some agents of one group, in any order.
#[derive(Debug)]
pub struct Turns<'t> {
    agents: TurnAgents<'t>,
    minds: MindsMut<'t>,
    forces: &'t mut [Vec2],
    velocities: &'t mut [Vec2],
}

/// The agents whose turns they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnAgents<'t> {
    /// The moment of their turns.
    pub(super) moment: Moment,
    /// Their rows.
    pub(super) rows: &'t [u32],
    /// Their slots; `None` if these follow each other.
    pub(super) slots: Option<&'t [u32]>,
    /// The first slot, if they follow each other.
    pub(super) first: usize,
    /// Whether any agent of the world has stopped.
    pub(super) some_stopped: bool,
}

impl<'t> TurnAgents<'t> {
    /// Returns the slot of the agent of a turn.
    #[inline]
    fn slot(&self, turn: usize) -> usize {
        self.slots.map_or(self.first + turn, |slots| slots[turn] as usize)
    }

    fn split(self, turns: usize) -> (Self, Self) {
        let (rows, other_rows) = self.rows.split_at(turns);
        let (slots, other_slots) = self.slots.map(|slots| slots.split_at(turns)).unzip();
        (
            Self { rows, slots, ..self },
            Self { rows: other_rows, slots: other_slots, first: self.first + turns, ..self },
        )
    }
}

impl<'t> Turns<'t> {
    pub(super) fn new(
        agents: TurnAgents<'t>,
        minds: MindsMut<'t>,
        forces: &'t mut [Vec2],
        velocities: &'t mut [Vec2],
    ) -> Self {
        debug_assert_eq!(forces.len(), velocities.len(), "columns of the same agents");
        debug_assert_eq!(forces.len(), agents.rows.len(), "columns of the same agents");
        Self { agents, minds, forces, velocities }
    }

    /// Returns the number of turns.
    #[inline]
    pub fn len(&self) -> usize {
        self.forces.len()
    }

    /// Returns the rows of the agents.
    #[inline]
    pub fn rows(&self) -> &'t [u32] {
        self.agents.rows
    }

    /// Returns whether there are no turns.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty()
    }

    /// Calls `take` for each turn, except for agents that have stopped. After an error, it calls `take` only for agents
    /// of lower rows.
    ///
    /// # Errors
    ///
    /// The error of the agent with the lowest row for which `take` fails.
    pub fn each(
        &mut self,
        world: &World,
        mut take: impl FnMut(Turn<'_>) -> Result<(), AgentError>,
    ) -> Result<(), AgentError> {
        let mut failed: Option<(usize, AgentError)> = None;
        for i in 0..self.len() {
            let row = self.row(i);
            let is_lower = failed.as_ref().is_none_or(|(lowest, _)| row < *lowest);
            if is_lower
                && !world.agents.stopped[row]
                && let Err(error) = take(self.turn(i))
            {
                failed = Some((row, error));
            }
        }
        failed.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Returns the moment of all turns.
    #[inline]
    pub fn moment(&self) -> Moment {
        self.agents.moment
    }

    /// Returns the row of the agent of a turn.
    #[inline]
    pub fn row(&self, turn: usize) -> usize {
        self.agents.rows[turn] as usize
    }

    /// Returns the slot of the agent of a turn.
    #[doc(hidden)]
    #[inline]
    pub fn slot(&self, turn: usize) -> usize {
        self.agents.slot(turn)
    }

    /// Returns the current velocity of the agent of a turn.
    #[inline]
    pub fn velocity(&self, turn: usize) -> Vec2 {
        self.velocities[turn]
    }

    /// Returns the current velocities of the agents of some turns.
    #[inline]
    pub fn velocities(&self, turns: Range<usize>) -> &[Vec2] {
        &self.velocities[turns]
    }

    /// Returns the slots of the agents of some turns, if they follow each other.
    #[doc(hidden)]
    #[inline]
    pub fn slot_run(&self, turns: Range<usize>) -> Option<Range<usize>> {
        let first = self.agents.first;
        self.agents.slots.is_none().then(|| first + turns.start..first + turns.end)
    }

    /// Returns whether an agent of these turns may have stopped.
    #[doc(hidden)]
    #[inline]
    pub fn may_have_stopped(&self) -> bool {
        self.agents.some_stopped
    }

    /// Sets the force of a turn.
    #[inline]
    pub fn decide(&mut self, turn: usize, force: Vec2) {
        self.forces[turn] = force;
    }

    /// Returns the forces of some turns, mutable.
    #[doc(hidden)]
    #[inline]
    pub fn forces_mut(&mut self, turns: Range<usize>) -> &mut [Vec2] {
        &mut self.forces[turns]
    }

    /// Returns what the agent of a turn knows, to read.
    #[inline]
    pub fn knows(&self, turn: usize) -> (&Values, &[Progress]) {
        self.minds.read(turn)
    }

    /// Returns one turn.
    #[inline]
    pub fn turn(&mut self, turn: usize) -> Turn<'_> {
        Turn {
            row: self.row(turn),
            slot: self.slot(turn),
            mind: self.minds.mind(turn),
            force: &mut self.forces[turn],
            vel: &mut self.velocities[turn],
        }
    }

    /// Returns some of the turns.
    pub fn within(self, turns: Range<usize>) -> Self {
        self.split(turns.start).1.split(turns.len()).0
    }

    /// Gives each agent no force and the velocity that it has in the world.
    pub(super) fn reset(&mut self, world: &World) {
        let velocities = world.agents.motions.velocities();
        self.forces.fill(Vec2::ZERO);
        for (turn, vel) in self.velocities.iter_mut().enumerate() {
            *vel = velocities[self.agents.slot(turn)];
        }
    }

    /// Splits off the first turns, all of agents of one group. Returns that group; `None` if there are no turns.
    pub(super) fn split_group(self, world: &World) -> (Option<GroupId>, Self, Self) {
        let group = |row: &u32| world.agents.group[*row as usize];
        let first = self.rows().first().map(group);
        let same = self.rows().iter().take_while(|row| Some(group(row)) == first).count();
        let (now, others) = self.split(same);
        (first, now, others)
    }

    /// Splits off the first turns, and returns them and the others.
    ///
    /// # Panics
    ///
    /// If there are fewer turns.
    pub fn split(self, turns: usize) -> (Self, Self) {
        let (agents, other_agents) = self.agents.split(turns);
        let (minds, other_minds) = self.minds.split(turns);
        let (forces, other_forces) = self.forces.split_at_mut(turns);
        let (velocities, other_velocities) = self.velocities.split_at_mut(turns);
        (
            Self::new(agents, minds, forces, velocities),
            Self::new(other_agents, other_minds, other_forces, other_velocities),
        )
    }
}

/// An error that occurred for one agent. The tick could not be completed because of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AgentError {
    /// The tick before the step that failed.
    pub tick: u64,
    /// The id of the agent.
    pub agent: AgentId,
    /// The name of its group.
    pub group: String,
    /// The error, and its place in a script.
    pub what: Box<Diagnostic>,
}

impl AgentError {
    /// Creates the error of the agent in a row.
    pub fn new(world: &World, row: usize, what: Diagnostic) -> Self {
        let agent = world.agent(row);
        Self {
            tick: world.tick,
            agent: agent.id(),
            group: agent.group().name.to_string(),
            what: Box::new(what),
        }
    }

    /// Returns what went wrong, with agent and tick added.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut all = Diagnostic::clone(&self.what);
        let whose =
            format!("agent {} of group `{}`, at tick {}", self.agent, self.group, self.tick);
        match (&all.place, all.label.is_empty()) {
            (None, _) => all.help.insert(0, whose),
            (_, true) => all.label = whose,
            (_, false) => all.label = format!("{}: {whose}", all.label),
        }
        all
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic().fmt(f)
    }
}

impl std::error::Error for AgentError {}

impl From<AgentError> for Diagnostics {
    fn from(fault: AgentError) -> Self {
        fault.diagnostic().into()
    }
}

/// Number of turns that one thread takes at a time: enough to be worth handing over, and few enough to keep all
/// threads busy.
const BLOCK: usize = 128;

/// The function of a brain to call.
#[derive(Clone, Copy, Debug)]
pub(super) enum BrainCall {
    /// [`Brain::begin`].
    Begin,
    /// [`Brain::decide`].
    Decide,
}

/// Calls each brain for its agents, on all threads of the current pool. This resets the turns first: no force,
/// and the velocity of the agent. `output` gets what turns bring about, in the order of agents, up to the first agent that
/// failed.
pub(super) fn call_brains(
    what: BrainCall,
    brains: &[Arc<dyn Brain>],
    world: &Arc<World>,
    turns: Turns<'_>,
    output: &mut Output,
) -> Result<(), AgentError> {
    let failed = AtomicU32::new(u32::MAX);
    let mut new = Output::default();
    let called = call_brains_in_parallel(what, brains, world, turns, &mut new, &failed);
    output.add_sorted(new, &called);
    called
}

/// Does the same for some of the turns. `failed` is the lowest row that has failed so far. Blocks whose rows are all above
/// it are skipped: their result is not used, and an endless script would take its time for each agent.
fn call_brains_in_parallel(
    what: BrainCall,
    brains: &[Arc<dyn Brain>],
    world: &Arc<World>,
    turns: Turns<'_>,
    output: &mut Output,
    failed: &AtomicU32,
) -> Result<(), AgentError> {
    if turns.len() > BLOCK {
        let half = (turns.len() / 2).next_multiple_of(BLOCK);
        let (left, right) = turns.split(half);
        let mut others = Output::default();
        let (first, second) = threads::join(
            || call_brains_in_parallel(what, brains, world, left, output, failed),
            || call_brains_in_parallel(what, brains, world, right, &mut others, failed),
        );
        output.append(others);
        return first_error(first, second);
    }
    let rows = turns.rows();
    let lowest = failed.load(Ordering::Relaxed);
    if lowest != u32::MAX && rows.iter().all(|&row| row > lowest) {
        return Ok(());
    }
    let called = call_brains_on_block(what, brains, world, turns, output);
    if let Err(error) = &called
        && let Some(row) = world.agents.row(error.agent)
    {
        failed.fetch_min(row as u32, Ordering::Relaxed);
    }
    called
}

/// Returns the error of the agent with the lower id, if there are two.
pub(super) fn first_error(
    one: Result<(), AgentError>,
    other: Result<(), AgentError>,
) -> Result<(), AgentError> {
    match (one, other) {
        (Err(one), Err(other)) if other.agent < one.agent => Err(other),
        (Err(error), _) | (Ok(()), Err(error)) => Err(error),
        (Ok(()), Ok(())) => Ok(()),
    }
}

/// Calls the brains for a single block, on this thread.
fn call_brains_on_block(
    what: BrainCall,
    brains: &[Arc<dyn Brain>],
    world: &Arc<World>,
    turns: Turns<'_>,
    output: &mut Output,
) -> Result<(), AgentError> {
    let mut rest = turns;
    rest.reset(world);
    let mut called = Ok(());
    loop {
        let (group, now, others) = rest.split_group(world);
        let Some(GroupId(group)) = group else {
            return called;
        };
        let brain = &brains[usize::from(group)];
        let result = match what {
            BrainCall::Begin => brain.begin(world, now, output),
            BrainCall::Decide => brain.decide(world, now, output),
        };
        called = first_error(called, result);
        rest = others;
    }
}
