//! What decides: the interface between the tick and whoever steers.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::diag::{Diagnostic, Diagnostics};
use crate::math::Vec2;
use crate::steer::Explanation;
use crate::threads;
use crate::world::{GroupId, Me, Mind, MindsMut, Need, Progress, Values, World};

/// Decides for the agents of one or more groups.
///
/// A brain may change nothing but the turn it is given, and must answer the same for the same world,
/// mind and velocity: turns are dealt out to threads in any number and order.
pub trait Brain: Send + Sync {
    /// Prepares newly made agents, before their first tick: their mind, their velocity.
    ///
    /// # Errors
    ///
    /// The first agent, in the order of rows, for which it fails.
    fn begin(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        messages: &mut Vec<Message>,
    ) -> Result<(), AgentError>;

    /// The sums over neighbors that [`Brain::decide`] will ask for in this tick. They are taken for all
    /// agents of the group in one go, and read from there; what is asked for beyond them is found by a
    /// loop, with the same result. Asked once per tick and group, and only if all decide on the same
    /// past.
    fn needs(&self, world: &World, group: GroupId) -> Vec<Need> {
        let _ = (world, group);
        Vec::new()
    }

    /// How the force comes about that an agent will decide on in this tick: its row, and what it knows.
    /// `None` if the brain cannot say. What comes of it is thrown away: a brain may take the turn again and
    /// again to find out.
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
    /// The first agent, in the order of rows, for which it fails.
    fn decide(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        messages: &mut Vec<Message>,
    ) -> Result<(), AgentError>;
}

/// A function from what an agent perceives to the force it wants, and the sums over neighbors that it
/// will ask for: these are then taken for all agents in one go.
pub struct FnWithNeeds<F> {
    /// What `decide` asks for. It may ask for more; that then costs a loop over the neighbors.
    pub needs: Vec<Need>,
    /// The force, in world units of mass times acceleration.
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
                ready.fetch(turns.rows());
            }
        }
        Brain::decide(&self.decide, world, turns, messages)
    }
}

/// Decides nothing: agents keep their velocity. For groups without a behavior.
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
        // Turns begin without a force and with the velocity there is.
        Ok(())
    }
}

/// A plain function from what an agent perceives to the force it wants is a brain.
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

/// One agent's turn: what it may read and change.
#[derive(Debug)]
pub struct Turn<'t> {
    /// Its row.
    pub row: usize,
    /// What only it knows.
    pub mind: Mind<'t>,
    /// The force it decides on.
    pub force: &'t mut Vec2,
    /// Its velocity before that force; it may change it.
    pub vel: &'t mut Vec2,
}

/// The turns of consecutive rows.
#[derive(Debug)]
pub struct Turns<'t> {
    first: usize,
    minds: MindsMut<'t>,
    forces: &'t mut [Vec2],
    velocities: &'t mut [Vec2],
}

impl<'t> Turns<'t> {
    pub(super) fn new(
        first: usize,
        minds: MindsMut<'t>,
        forces: &'t mut [Vec2],
        velocities: &'t mut [Vec2],
    ) -> Self {
        debug_assert_eq!(forces.len(), velocities.len(), "columns of the same rows");
        Self { first, minds, forces, velocities }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.forces.len()
    }

    /// Whose turns they are.
    pub fn rows(&self) -> Range<usize> {
        self.first..self.first + self.len()
    }

    /// The group of the first of them; all are of one group where a brain is asked.
    pub fn group(&self, world: &World) -> Option<GroupId> {
        let first = world.agents.group.get(self.rows())?.first();
        first.copied()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty()
    }

    /// Takes each turn in the order of rows, leaving out agents that have stopped for good.
    ///
    /// # Errors
    ///
    /// The first that `take` returns.
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

    /// The row of one of them.
    pub(crate) fn row(&self, turn: usize) -> usize {
        self.first + turn
    }

    /// The velocity of the agent of one of them, now.
    pub(crate) fn velocity(&self, turn: usize) -> Vec2 {
        self.velocities[turn]
    }

    /// Sets the force of one of them.
    pub(crate) fn decide(&mut self, turn: usize, force: Vec2) {
        self.forces[turn] = force;
    }

    /// What the agent of one of them knows, to read.
    pub(crate) fn knows(&self, turn: usize) -> (&Values, &[Progress]) {
        self.minds.read(turn)
    }

    /// One of them.
    pub(crate) fn turn(&mut self, turn: usize) -> Turn<'_> {
        Turn {
            row: self.first + turn,
            mind: self.minds.mind(turn),
            force: &mut self.forces[turn],
            vel: &mut self.velocities[turn],
        }
    }

    fn split(self, rows: usize) -> (Self, Self) {
        let (minds, other_minds) = self.minds.split(rows);
        let (forces, other_forces) = self.forces.split_at_mut(rows);
        let (velocities, other_velocities) = self.velocities.split_at_mut(rows);
        (
            Self::new(self.first, minds, forces, velocities),
            Self::new(self.first + rows, other_minds, other_forces, other_velocities),
        )
    }
}

/// Something a script says with `debug`, for a person to read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// The tick in whose state the script was run.
    pub tick: u64,
    /// The id of the agent whose script it is.
    pub agent: u32,
    /// The name of its group.
    pub group: Arc<str>,
    /// File and line of the call: `scripts/shy.rhai:11`.
    pub place: String,
    /// One line without control characters.
    pub text: String,
}

/// Messages that are kept until someone takes them.
const MAX_MESSAGES: usize = 50_000;

/// Adds messages to those before. Where they become too many, the last one says so.
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

/// One line: `tick 3 agent 1 (bird) scripts/shy.rhai:11: text`.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, agent, group, place, text } = self;
        write!(f, "tick {tick} agent {agent} ({group}) {place}: {text}")
    }
}

/// Why a tick could not be completed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AgentError {
    /// The tick that was to be left.
    pub tick: u64,
    /// The agent.
    pub agent: u32,
    /// Its group.
    pub group: String,
    /// What went wrong, and where it is written.
    pub what: Box<Diagnostic>,
}

impl AgentError {
    /// What went wrong, with agent and tick.
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

/// Turns at most this many are taken by one thread in one go: enough to be worth handing over, few enough
/// to keep all threads busy.
const BLOCK: usize = 128;

/// What brains are asked to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum BrainCall {
    /// [`Brain::begin`].
    Begin,
    /// [`Brain::decide`].
    Decide,
}

/// Asks each brain for its agents, on all threads of the current pool. Forces and velocities of the turns
/// need not be those to begin with: no force, and how the agent moves. `messages` gets what was said, up
/// to the first that failed.
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

/// The same for a part of all turns. `failed` is the lowest first row of the blocks in which someone has
/// failed so far: what comes after it is of no use, and a script that runs away takes its time for each
/// agent.
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

/// The same for a few turns, on this thread.
fn call_brains_on_block(
    what: BrainCall,
    brains: &[Arc<dyn Brain>],
    world: &Arc<World>,
    turns: Turns<'_>,
    messages: &mut Vec<Message>,
) -> Result<(), AgentError> {
    let mut rest = turns;
    rest.forces.fill(Vec2::ZERO);
    rest.velocities.copy_from_slice(&world.agents.vel[rest.rows()]);
    while !rest.is_empty() {
        let groups = &world.agents.group[rest.first..rest.first + rest.len()];
        let same = groups.iter().take_while(|&&group| group == groups[0]).count();
        let GroupId(group) = groups[0];
        let (now, later) = rest.split(same);
        let brain = &brains[group as usize];
        match what {
            BrainCall::Begin => brain.begin(world, now, messages)?,
            BrainCall::Decide => brain.decide(world, now, messages)?,
        }
        rest = later;
    }
    Ok(())
}
