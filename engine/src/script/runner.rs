//! Runs lowered programs for the turns of agents, on one thread.

use std::ops::Range;
use std::sync::Arc;

use super::behavior::EntryFunction;
use super::compile::Script;
use super::prepared::{GroupPrograms, ProgramCache};
use crate::math::Vec2;
use crate::program::{Block, Few, Machine, Many, One, Program, Width};
use crate::sim::{Moment, Turns};
use crate::world::{GroupId, Need, World};

/// Returns those turns of a range whose agents have not stopped.
pub(super) fn not_stopped<'w>(
    world: &'w World,
    turns: &Turns<'_>,
    range: Range<usize>,
) -> impl Iterator<Item = usize> + use<'w> {
    let first = turns.row(0);
    range.filter(move |turn| !world.agents.stopped[first + turn])
}

/// Machines for blocks of different sizes, and what they need between two blocks.
#[derive(Debug)]
pub(super) struct Runner {
    one: Machine<One>,
    few: Machine<Few>,
    many: Machine<Many>,
    /// The programs that ran last, and the moment and the group that they were for.
    last: Option<(Moment, GroupId, Arc<GroupPrograms>)>,
    lanes: Lanes,
}

/// The turns, the rows and the velocities of the agents of a block.
#[derive(Debug, Default)]
struct Lanes {
    turns: Vec<usize>,
    rows: Vec<u32>,
    velocities: Vec<Vec2>,
}

impl Default for Runner {
    fn default() -> Self {
        Self {
            one: Machine::new(),
            few: Machine::new(),
            many: Machine::new(),
            last: None,
            lanes: Lanes::default(),
        }
    }
}

impl Runner {
    /// Runs a function of a behavior for the turns of a block, whose agents are of one group. Returns the turns that
    /// the interpreter has to run.
    pub(super) fn run(
        &mut self,
        (cache, script): (&ProgramCache, &Script),
        function: EntryFunction,
        world: &World,
        group: GroupId,
        turns: &mut Turns<'_>,
        range: Range<usize>,
    ) -> Vec<usize> {
        let moment = turns.moment();
        let last = match &mut self.last {
            Some(last) if (last.0, last.1) == (moment, group) => last,
            last => last.insert((moment, group, cache.prepared(script, world, group))),
        };
        let Some(program) = last.2.program(function) else {
            return not_stopped(world, turns, range).collect();
        };
        let lanes = &mut self.lanes;
        lanes.fill(world, turns, range);
        let run = Run { function, program, world, group, lanes };
        match lanes.turns.len() {
            0 => Vec::new(),
            1 => run.block(&mut self.one, turns),
            count if count <= Few::LANES => run.block(&mut self.few, turns),
            _ => run.block(&mut self.many, turns),
        }
    }

    /// Returns the neighborhoods that should be computed in advance for all agents of a group.
    pub(super) fn needs(&mut self, program: &Program, world: &World, group: GroupId) -> Vec<Need> {
        self.one.needs(program, world, group, Moment::new())
    }
}

impl Lanes {
    fn fill(&mut self, world: &World, turns: &Turns<'_>, range: Range<usize>) {
        self.turns.clear();
        self.turns.extend(not_stopped(world, turns, range));
        self.rows.clear();
        self.rows.extend(self.turns.iter().map(|&turn| turns.row(turn) as u32));
        self.velocities.clear();
        self.velocities.extend(self.turns.iter().map(|&turn| turns.velocity(turn)));
    }
}

/// A function that is to run for the agents of a block.
struct Run<'t> {
    function: EntryFunction,
    program: &'t Program,
    world: &'t World,
    group: GroupId,
    lanes: &'t Lanes,
}

impl Run<'_> {
    /// Runs the function. Returns the turns that the interpreter has to run.
    fn block<W: Width>(&self, machine: &mut Machine<W>, turns: &mut Turns<'_>) -> Vec<usize> {
        let Self { function, program, world, group, lanes } = *self;
        {
            let turns = &*turns;
            let block = Block {
                moment: turns.moment(),
                rows: &lanes.rows,
                velocities: &lanes.velocities,
                mind: &|lane| turns.knows(lanes.turns[lane]),
            };
            machine.run(program, world, group, block);
        }
        let mut remaining = Vec::new();
        // The usual case: every agent gets a force, and nothing else changes.
        if function == EntryFunction::Steer
            && !program.sets_vel
            && !program.changes_minds()
            && !machine.has_faulted_lane()
        {
            for (&turn, force) in lanes.turns.iter().zip(machine.forces(program)) {
                turns.decide(turn, force);
            }
            return remaining;
        }
        for (lane, &turn) in lanes.turns.iter().enumerate() {
            if machine.is_faulted(lane) {
                remaining.push(turn);
                continue;
            }
            let turn = turns.turn(turn);
            if function == EntryFunction::Steer {
                *turn.force = machine.force(program, lane);
            }
            if program.sets_vel {
                *turn.vel = machine.vel(program, lane);
            }
            if program.changes_minds() {
                machine.store_mind(program, world, lane, turn.mind);
            }
        }
        remaining
    }
}
