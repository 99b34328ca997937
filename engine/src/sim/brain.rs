//! The interface between the tick and the behaviors that decide for agents.
//!
//! This module calls brains on all threads. It must never let the result depend on which thread took which turn.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Moment, PreparedBrain};
use crate::diag::{Diagnostic, Diagnostics};
use crate::math::Vec2;
use crate::steer::Explanation;
use crate::threads;
use crate::world::{GroupId, Me, Mind, MindsMut, Need, Progress, Values, World};

/// Decides for the agents of one or more groups.
///
/// A brain may change nothing but the turn it is given, and must return the same for the same world, mind and
/// velocity: turns are distributed over any number of threads, in any order.
pub trait Brain: Send + Sync {
    /// Prepares the minds and velocities of new agents before their first tick.
    ///
    /// # Errors
    ///
    /// The error of the first agent, in the order of rows, for which it fails.
    fn begin(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        messages: &mut Vec<Message>,
    ) -> Result<(), AgentError>;

    /// Returns the sums over neighbors that [`Brain::decide`] will ask for in this tick. They are computed for
    /// all agents of the group in one pass. Any other sum is computed by a loop when it is asked for, with the
    /// same result. This is called once per tick and group, and only in [`super::Order::Synchronous`].
    fn needs(&self, world: &World, group: GroupId) -> Vec<Need> {
        let _ = (world, group);
        Vec::new()
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

    /// Decides for agents of one group.
    ///
    /// # Errors
    ///
    /// The error of the first agent, in the order of rows, for which it fails.
    fn decide(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        messages: &mut Vec<Message>,
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
    fn begin(&self, _: &Arc<World>, _: Turns<'_>, _: &mut Vec<Message>) -> Result<(), AgentError> {
        Ok(())
    }

    fn needs(&self, _: &World, _: GroupId) -> Vec<Need> {
        self.needs.clone()
    }

    fn decide(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        messages: &mut Vec<Message>,
    ) -> Result<(), AgentError> {
        for need in &self.needs {
            if let Some(group) = turns.group(world)
                && let Some(ready) = world.perceived(group, &need.neighborhood)
            {
                ready.prefetch(turns.rows());
            }
        }
        Brain::decide(&self.decide, world, turns, messages)
    }
}

/// The brain of groups without a behavior: agents keep their velocity.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoBehavior;

impl Brain for NoBehavior {
    fn begin(&self, _: &Arc<World>, _: Turns<'_>, _: &mut Vec<Message>) -> Result<(), AgentError> {
        Ok(())
    }

    fn explain(
        &self,
        world: &Arc<World>,
        row: usize,
        _: (&Values, &[Progress]),
    ) -> Option<Explanation> {
        Some(Explanation {
            calls: Vec::new(),
            rest: Vec2::ZERO,
            rest_causes: Vec::new(),
            force: Vec2::ZERO,
            vel: world.agents.vel[row],
            set_vel: None,
            vel_causes: Vec::new(),
        })
    }

    fn decide(&self, _: &Arc<World>, _: Turns<'_>, _: &mut Vec<Message>) -> Result<(), AgentError> {
        // Turns begin with the agent's velocity and without a force.
        Ok(())
    }
}

/// A plain function from what an agent perceives to the force it wants is a brain too.
impl<F: Fn(&Me<'_>, Mind<'_>) -> Vec2 + Send + Sync> Brain for F {
    fn begin(&self, _: &Arc<World>, _: Turns<'_>, _: &mut Vec<Message>) -> Result<(), AgentError> {
        Ok(())
    }

    fn decide(
        &self,
        world: &Arc<World>,
        mut turns: Turns<'_>,
        _: &mut Vec<Message>,
    ) -> Result<(), AgentError> {
        turns.each(world, |turn| {
            *turn.force = self(&Me::new(world, turn.row, *turn.vel), turn.mind);
            Ok(())
        })
    }
}

/// The turn of one agent: what its brain may read and change.
#[derive(Debug)]
pub struct Turn<'t> {
    /// The row of the agent.
    pub row: usize,
    /// What only the agent knows.
    pub mind: Mind<'t>,
    /// The force that it decides on.
    pub force: &'t mut Vec2,
    /// Its velocity before that force. A brain may change it.
    pub vel: &'t mut Vec2,
}

/// The turns of consecutive rows.
#[derive(Debug)]
pub struct Turns<'t> {
    moment: Moment,
    first: usize,
    minds: MindsMut<'t>,
    forces: &'t mut [Vec2],
    velocities: &'t mut [Vec2],
}

impl<'t> Turns<'t> {
    pub(super) fn new(
        moment: Moment,
        first: usize,
        minds: MindsMut<'t>,
        forces: &'t mut [Vec2],
        velocities: &'t mut [Vec2],
    ) -> Self {
        debug_assert_eq!(forces.len(), velocities.len(), "columns of the same rows");
        Self { moment, first, minds, forces, velocities }
    }

    /// Returns the number of turns.
    pub fn len(&self) -> usize {
        self.forces.len()
    }

    /// Returns the rows of the agents.
    pub fn rows(&self) -> Range<usize> {
        self.first..self.first + self.len()
    }

    /// Returns the group of the first agent. All agents are of one group when a brain is called.
    pub fn group(&self, world: &World) -> Option<GroupId> {
        let first = world.agents.group.get(self.rows())?.first();
        first.copied()
    }

    /// Returns whether there are no turns.
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty()
    }

    /// Calls `take` for each turn in the order of rows, except for agents that have stopped.
    ///
    /// # Errors
    ///
    /// The first error that `take` returns.
    pub fn each(
        &mut self,
        world: &World,
        mut take: impl FnMut(Turn<'_>) -> Result<(), AgentError>,
    ) -> Result<(), AgentError> {
        for i in 0..self.len() {
            let row = self.first + i;
            if !world.agents.stopped[row] {
                take(Turn {
                    row,
                    mind: self.minds.mind(i),
                    force: &mut self.forces[i],
                    vel: &mut self.velocities[i],
                })?;
            }
        }
        Ok(())
    }

    /// Returns the moment of all turns.
    pub(crate) fn moment(&self) -> Moment {
        self.moment
    }

    /// Returns the row of the agent of a turn.
    pub(crate) fn row(&self, turn: usize) -> usize {
        self.first + turn
    }

    /// Returns the current velocity of the agent of a turn.
    pub(crate) fn velocity(&self, turn: usize) -> Vec2 {
        self.velocities[turn]
    }

    /// Sets the force of a turn.
    pub(crate) fn decide(&mut self, turn: usize, force: Vec2) {
        self.forces[turn] = force;
    }

    /// Returns what the agent of a turn knows, to read.
    pub(crate) fn knows(&self, turn: usize) -> (&Values, &[Progress]) {
        self.minds.read(turn)
    }

    /// Returns one turn.
    pub(crate) fn turn(&mut self, turn: usize) -> Turn<'_> {
        Turn {
            row: self.first + turn,
            mind: self.minds.mind(turn),
            force: &mut self.forces[turn],
            vel: &mut self.velocities[turn],
        }
    }

    /// Returns the turns of some of the rows, which must be among them.
    pub(super) fn within(self, rows: Range<usize>) -> Self {
        let before = rows.start - self.first;
        self.split(before).1.split(rows.len()).0
    }

    /// Gives each agent no force and the velocity that it has in the world.
    pub(super) fn reset(&mut self, world: &World) {
        self.forces.fill(Vec2::ZERO);
        self.velocities.copy_from_slice(&world.agents.vel[self.rows()]);
    }

    /// Splits off the first turns, all of agents of one group.
    pub(super) fn split_group(self, world: &World) -> (Self, Self) {
        let groups = &world.agents.group[self.rows()];
        let same = groups.iter().take_while(|&&group| group == groups[0]).count();
        self.split(same)
    }

    fn split(self, rows: usize) -> (Self, Self) {
        let (minds, other_minds) = self.minds.split(rows);
        let (forces, other_forces) = self.forces.split_at_mut(rows);
        let (velocities, other_velocities) = self.velocities.split_at_mut(rows);
        (
            Self::new(self.moment, self.first, minds, forces, velocities),
            Self::new(self.moment, self.first + rows, other_minds, other_forces, other_velocities),
        )
    }
}

/// A line that a script wrote with `debug`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// The tick in which the script ran.
    pub tick: u64,
    /// The id of the agent that the script ran for.
    pub agent: u32,
    /// The name of its group.
    pub group: Arc<str>,
    /// File and line of the call: `scripts/shy.rhai:11`.
    pub place: String,
    /// The text: one line without control characters.
    pub text: String,
}

/// Number of messages that are kept until they are taken.
const MAX_MESSAGES: usize = 50_000;

/// Adds messages to a list. If the list becomes too long, its last message says so.
pub(crate) fn add_messages(to: &mut Vec<Message>, more: impl IntoIterator<Item = Message>) {
    for message in more {
        if to.len() >= MAX_MESSAGES {
            if let Some(last) = to.last_mut() {
                last.text = format!("more than {MAX_MESSAGES} messages; the others are left out");
            }
            return;
        }
        to.push(message);
    }
}

/// Shows one line: `tick 3 agent 1 (bird) scripts/shy.rhai:11: text`.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, agent, group, place, text } = self;
        write!(f, "tick {tick} agent {agent} ({group}) {place}: {text}")
    }
}

/// An error that occurred for one agent. The tick could not be completed because of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AgentError {
    /// The tick before the step that failed.
    pub tick: u64,
    /// The id of the agent.
    pub agent: u32,
    /// The name of its group.
    pub group: String,
    /// What went wrong, and where in a script.
    pub what: Box<Diagnostic>,
}

impl AgentError {
    /// Returns what went wrong, with agent and tick added.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut all = Diagnostic::clone(&self.what);
        all.help.insert(
            0,
            format!("agent {} of group `{}`, at tick {}", self.agent, self.group, self.tick),
        );
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
/// and the velocity of the agent. `messages` gets what scripts wrote, up to the first agent that failed.
pub(super) fn call_brains(
    what: BrainCall,
    brains: &[Arc<dyn Brain>],
    world: &Arc<World>,
    turns: Turns<'_>,
    messages: &mut Vec<Message>,
) -> Result<(), AgentError> {
    let failed = AtomicUsize::new(usize::MAX);
    call_brains_in_parallel(what, brains, world, turns, messages, &failed)
}

/// Does the same for some of the turns. `failed` is the first row of the lowest block that has failed so far. Blocks
/// after it are skipped: their result is not used, and an endless script would take its time for each agent.
fn call_brains_in_parallel(
    what: BrainCall,
    brains: &[Arc<dyn Brain>],
    world: &Arc<World>,
    turns: Turns<'_>,
    messages: &mut Vec<Message>,
    failed: &AtomicUsize,
) -> Result<(), AgentError> {
    if turns.len() > BLOCK {
        let half = (turns.len() / 2).next_multiple_of(BLOCK);
        let (left, right) = turns.split(half);
        let mut later = Vec::new();
        let (first, second) = threads::join(
            || call_brains_in_parallel(what, brains, world, left, messages, failed),
            || call_brains_in_parallel(what, brains, world, right, &mut later, failed),
        );
        first?;
        add_messages(messages, later);
        return second;
    }
    let first = turns.first;
    if first > failed.load(Ordering::Relaxed) {
        return Ok(());
    }
    let asked = call_brains_on_block(what, brains, world, turns, messages);
    if asked.is_err() {
        failed.fetch_min(first, Ordering::Relaxed);
    }
    asked
}

/// Does the same for a single block, on this thread.
fn call_brains_on_block(
    what: BrainCall,
    brains: &[Arc<dyn Brain>],
    world: &Arc<World>,
    turns: Turns<'_>,
    messages: &mut Vec<Message>,
) -> Result<(), AgentError> {
    let mut rest = turns;
    rest.reset(world);
    while !rest.is_empty() {
        let GroupId(group) = world.agents.group[rest.first];
        let (now, later) = rest.split_group(world);
        let brain = &brains[usize::from(group)];
        match what {
            BrainCall::Begin => brain.begin(world, now, messages)?,
            BrainCall::Decide => brain.decide(world, now, messages)?,
        }
        rest = later;
    }
    Ok(())
}
