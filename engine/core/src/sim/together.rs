//! One tick of many simulations at once.
//!
//! Agents of small worlds decide together: those for which the same program runs fill its lanes, whichever world they
//! are in. Every simulation must get the very result that it gets alone.

use std::ops::Range;
use std::ptr;
use std::sync::Arc;

use super::brain::first_error;
use super::tick::TurnContext;
use super::{AgentError, Brain, Order, Simulation, Turns};
use crate::math::Vec2;
use crate::threads;
use crate::world::{GroupId, Space, World};

/// A [`Brain`](super::Brain) in a form that decides for agents of many worlds at once.
pub trait PreparedBrain: Send + Sync {
    /// Decides for agents in their turns, except for those that have stopped. `leave` is called with each turn that is
    /// left to [`Brain::decide`](super::Brain::decide), by the index of its group in `groups` and its index in the group's
    /// turns. Such a turn must be unchanged.
    fn decide(&self, groups: &mut [GroupTurns<'_>], leave: &mut dyn FnMut(usize, usize));
}

/// The turns of agents of one group in one world.
#[derive(Debug)]
pub struct GroupTurns<'t> {
    /// The world that they are in.
    pub world: &'t Arc<World>,
    /// Their group.
    pub group: GroupId,
    /// Their turns.
    pub turns: Turns<'t>,
}

/// Maximum number of simulations that decide together. Agents of which each world has a single one fill all lanes.
const MAX_SIMULATIONS: usize = 128;

/// Synchronous worlds with more agents fill the lanes of programs well enough by themselves, and their agents are nearer
/// to each other in memory.
const MAX_AGENTS: usize = 192;

/// Returns whether a simulation decides together with others. In sequential order, it has only one turn at a time.
fn is_shared(simulation: &Simulation) -> bool {
    simulation.order == Order::Sequential || simulation.world.agents.len() <= MAX_AGENTS
}

/// Runs one tick of many simulations, which is faster than [`Simulation::step`] for each if their worlds are small and
/// they share their brains. The simulations do not affect each other: each gets exactly what it gets alone, whatever
/// the others are, and whatever the number of threads.
///
/// Returns the result of each simulation, in their order. After an error, do not use that simulation further.
pub fn step_together(simulations: &mut [&mut Simulation]) -> Vec<Result<(), AgentError>> {
    let each_thread = simulations.len().div_ceil(threads::current_threads());
    let parts = simulations.chunks_mut(each_thread.clamp(1, MAX_SIMULATIONS));
    threads::map(parts.collect(), step_lanes).into_iter().flatten().collect()
}

/// Returns what another brain would decide on for the agents of a group in many simulations, as if it decided for them now: the forces
/// of all agents in the order of rows, with zero for agents of other groups and for those that have stopped. Nothing changes.
///
/// # Errors
///
/// Of each simulation, the error of the agent with the lowest row for which the brain fails.
///
/// # Panics
///
/// If a simulation has no such group.
pub fn ask_together(
    simulations: &[&Simulation],
    group: GroupId,
    brain: &Arc<dyn Brain>,
) -> Vec<Result<Vec<Vec2>, AgentError>> {
    let each_thread = simulations.len().div_ceil(threads::current_threads());
    let parts = simulations.chunks(each_thread.clamp(1, MAX_SIMULATIONS));
    let ask = |part: &[&Simulation]| ask_lanes(part, group, brain);
    threads::map(parts.collect(), ask).into_iter().flatten().collect()
}

fn ask_lanes(
    simulations: &[&Simulation],
    group: GroupId,
    brain: &Arc<dyn Brain>,
) -> Vec<Result<Vec<Vec2>, AgentError>> {
    let mut asked: Vec<Simulation> =
        simulations.iter().map(|one| one.asking(group, brain)).collect();
    let mut results = vec![Ok(()); asked.len()];
    decide_synchronous(&mut asked.iter_mut().collect::<Vec<_>>(), &mut results);
    let answers = asked.iter_mut().zip(results).map(|(one, result)| {
        let is_left = result.is_ok() && !is_shared(one);
        let result = if is_left { one.decide_all(|_, _| {}) } else { result };
        result.map(|()| one.last_forces())
    });
    answers.collect()
}

/// Runs one tick on the calling thread, of simulations that should all decide together.
pub fn step_lanes(simulations: &mut [&mut Simulation]) -> Vec<Result<(), AgentError>> {
    let mut results: Results = simulations.iter_mut().map(|one| one.begin_tick()).collect();
    step_synchronous(simulations, &mut results);
    step_sequential(simulations, &mut results);
    for (simulation, result) in simulations.iter_mut().zip(&mut results) {
        if result.is_ok() && !is_shared(simulation) {
            *result = simulation.decide_and_move(|_, _| {});
        }
        if result.is_ok() {
            *result = simulation.end_tick();
        }
    }
    results
}

/// The result of each simulation so far.
type Results = Vec<Result<(), AgentError>>;

/// Returns the simulations that decide together, of one order, and have not failed yet, each with its number and its result.
fn each<'t, 's: 't>(
    simulations: &'t mut [&'s mut Simulation],
    results: &'t mut Results,
    order: Order,
) -> impl Iterator<Item = (usize, &'t mut Simulation, &'t mut Result<(), AgentError>)> {
    let all = simulations.iter_mut().zip(results).enumerate();
    all.map(|(number, (simulation, result))| (number, &mut **simulation, result)).filter(
        move |(_, simulation, result)| {
            result.is_ok() && simulation.order == order && is_shared(simulation)
        },
    )
}

fn step_synchronous(simulations: &mut [&mut Simulation], results: &mut Results) {
    decide_synchronous(simulations, results);
    for (_, simulation, result) in each(simulations, results, Order::Synchronous) {
        *result = simulation.end_decisions().and_then(|()| simulation.move_all());
    }
}

/// Lets the agents of each simulation decide from the same state.
fn decide_synchronous(simulations: &mut [&mut Simulation], results: &mut Results) {
    let mut asked = AllTurns::default();
    for (number, simulation, _) in each(simulations, results, Order::Synchronous) {
        simulation.prepare_decisions(|_, _| {});
        let range = 0..simulation.world.agents.len();
        asked.add(number, simulation, range);
    }
    let left = asked.decide();
    decide_left(left, simulations, results);
}

/// In each simulation, each agent moves before the next one decides.
fn step_sequential(simulations: &mut [&mut Simulation], results: &mut Results) {
    let mut agents = 0;
    for (_, simulation, _) in each(simulations, results, Order::Sequential) {
        simulation.prepare_turns();
        agents = agents.max(simulation.world.agents.len());
    }
    for row in 0..agents {
        let mut asked = AllTurns::default();
        for (number, simulation, _) in each(simulations, results, Order::Sequential) {
            if row < simulation.world.agents.len() {
                asked.add(number, simulation, row..row + 1);
            }
        }
        let left = asked.decide();
        decide_left(left, simulations, results);
        for (_, simulation, result) in each(simulations, results, Order::Sequential) {
            if simulation.world.agents.stopped.get(row) == Some(&false) {
                let (force, vel) = (simulation.forces[row], simulation.velocities[row]);
                *result = simulation.move_one(row, force, vel);
            }
        }
    }
}

/// Turns in any number of simulations, by what decides.
#[derive(Default)]
struct AllTurns<'t> {
    shared: Vec<SharedTurns<'t>>,
    /// The index in `shared` of the last turns that were added.
    last: usize,
    left: Vec<LeftTurns>,
}

/// Turns that one prepared brain can take together.
struct SharedTurns<'t> {
    brain: Arc<dyn PreparedBrain>,
    space: Space,
    groups: Vec<GroupTurns<'t>>,
    /// For each of the groups, the number of the simulation and the first turn in its decision order.
    starts: Vec<(usize, usize)>,
}

/// Turns that each brain takes in a single world, by their indices in its decision order.
struct LeftTurns {
    simulation: usize,
    range: Range<usize>,
}

impl<'t> AllTurns<'t> {
    /// Adds some turns of a simulation's decision order.
    fn add(&mut self, number: usize, simulation: &'t mut Simulation, range: Range<usize>) {
        simulation.prepare_brains();
        let mut first = range.start;
        let (mut turns, TurnContext { world, prepared, .. }) = simulation.turns(range);
        turns.reset(world);
        loop {
            let (group, now, others) = turns.split_group(world);
            let Some(group) = group else {
                return;
            };
            turns = others;
            let range = first..first + now.len();
            first = range.end;
            match &prepared[usize::from(group.0)] {
                None => self.left.push(LeftTurns { simulation: number, range }),
                Some(brain) => {
                    let shared = self.shared_by(brain, &world.space);
                    shared.groups.push(GroupTurns { world, group, turns: now });
                    shared.starts.push((number, range.start));
                }
            }
        }
    }

    /// Returns the turns that a brain takes in worlds with a space.
    fn shared_by(&mut self, brain: &Arc<dyn PreparedBrain>, space: &Space) -> &mut SharedTurns<'t> {
        // Most worlds have the same groups in the same order.
        let (before, after) = (0..self.last + 1, self.last + 1..self.shared.len());
        let known = after.chain(before).find(|&at| {
            let known = self.shared.get(at);
            known.is_some_and(|known| {
                ptr::addr_eq(Arc::as_ptr(&known.brain), Arc::as_ptr(brain)) && known.space == *space
            })
        });
        self.last = known.unwrap_or(self.shared.len());
        if known.is_none() {
            self.shared.push(SharedTurns {
                brain: Arc::clone(brain),
                space: *space,
                groups: Vec::with_capacity(MAX_SIMULATIONS),
                starts: Vec::with_capacity(MAX_SIMULATIONS),
            });
        }
        &mut self.shared[self.last]
    }

    /// Lets the brains decide. Returns the turns that are left, in the order of simulations.
    fn decide(self) -> Vec<LeftTurns> {
        let mut left = self.left;
        for SharedTurns { brain, mut groups, starts, .. } in self.shared {
            brain.decide(&mut groups, &mut |group, turn| {
                let (simulation, first) = starts[group];
                let index = first + turn;
                left.push(LeftTurns { simulation, range: index..index + 1 });
            });
        }
        left.sort_unstable_by_key(|left| (left.simulation, left.range.start));
        left
    }
}

/// Lets agents decide for whom that is not done yet.
fn decide_left(left: Vec<LeftTurns>, simulations: &mut [&mut Simulation], results: &mut Results) {
    for left in left.chunk_by(|a, b| a.simulation == b.simulation) {
        let number = left[0].simulation;
        let (simulation, result) = (&mut *simulations[number], &mut results[number]);
        let old = std::mem::take(&mut simulation.output);
        for LeftTurns { range, .. } in left {
            let error = result.as_ref().err();
            let row = error.and_then(|error| simulation.world.agents.row(error.agent));
            let rows = &simulation.decision_order.rows(&simulation.world)[range.clone()];
            // After an error, only agents of lower rows count.
            if row.is_none_or(|row| rows.iter().any(|&other| (other as usize) < row)) {
                let decided = simulation.decide_turns(range.clone());
                *result = first_error(std::mem::replace(result, Ok(())), decided);
            }
        }
        let new = std::mem::replace(&mut simulation.output, old);
        simulation.output.add_sorted(new, result);
    }
}
