//! Runs lowered programs for the turns of agents, on one thread.

use std::ops::Range;
use std::sync::Arc;

use super::{GroupPrograms, ProgramCache};
use crate::math::Vec2;
use crate::program::{Block, CompiledWidth, Few, GroupLanes, Machine, Many, One, Program, Width};
use crate::script::compile::Script;
use crate::script::entry_point::EntryFunction;
use crate::script::messages;
use crate::sim::{Change, LayerChange, Message, Moment, Turns};
use crate::world::{GroupId, World};

/// Returns those turns of a range whose agents have not stopped.
pub(in crate::script) fn not_stopped(
    world: &World,
    turns: &Turns<'_>,
    range: Range<usize>,
) -> impl Iterator<Item = usize> {
    range.filter(|&turn| !world.agents.stopped[turns.row(turn)])
}

/// The turns that a lowered program leaves to the interpreter, and the messages of the others.
#[derive(Default)]
pub(in crate::script) struct LoweredTurns {
    /// The turns that the interpreter has to run.
    pub(in crate::script) remaining: Vec<usize>,
    /// The messages of the others, each with its turn, in the order of the turns.
    pub(in crate::script) messages: Vec<(usize, Message)>,
    /// The changes of the others.
    pub(in crate::script) changes: Vec<Change>,
    /// The changes of layers of the others.
    pub(in crate::script) layer_changes: Vec<LayerChange>,
}

impl LoweredTurns {
    /// Returns turns that no program has run.
    pub(in crate::script) fn none(turns: impl Iterator<Item = usize>) -> Self {
        Self { remaining: turns.collect(), ..Self::default() }
    }
}

/// Machines for blocks of different sizes, and what they need between two blocks.
#[derive(Debug, Default)]
pub(in crate::script) struct Runner {
    pub(in crate::script) one: Machine<One>,
    pub(in crate::script) few: Machine<Few>,
    pub(in crate::script) many: Machine<Many>,
    /// The programs that ran last, and the moment and the group that they were for.
    last: Option<(Moment, GroupId, Arc<GroupPrograms>)>,
    lanes: Lanes,
}

/// The turns, the slots and the velocities of the agents of a block.
#[derive(Debug, Default)]
struct Lanes {
    turns: Vec<usize>,
    slots: Vec<u32>,
    velocities: Vec<Vec2>,
}

impl Runner {
    /// Runs a function of a behavior for the turns of a block, whose agents are of one group.
    pub(in crate::script) fn run(
        &mut self,
        (cache, script): (&ProgramCache, &Script),
        function: EntryFunction,
        world: &World,
        group: GroupId,
        turns: &mut Turns<'_>,
        range: Range<usize>,
    ) -> LoweredTurns {
        let moment = turns.moment();
        let last = match &mut self.last {
            Some(last) if (last.0, last.1) == (moment, group) => last,
            last => last.insert((moment, group, cache.prepared(script, world, group))),
        };
        let Some(program) = last.2.program(function) else {
            return LoweredTurns::none(not_stopped(world, turns, range));
        };
        let lanes = &mut self.lanes;
        lanes.fill(world, turns, range);
        let run = Run { function, program, world, group, lanes };
        match lanes.turns.len() {
            0 => LoweredTurns::default(),
            1 => run.block(&mut self.one, turns),
            count if count <= Few::LANES => run.block(&mut self.few, turns),
            _ => run.block(&mut self.many, turns),
        }
    }
}

impl Lanes {
    fn fill(&mut self, world: &World, turns: &Turns<'_>, range: Range<usize>) {
        self.turns.clear();
        self.slots.clear();
        self.velocities.clear();
        if !turns.may_have_stopped()
            && let Some(slots) = turns.slot_run(range.clone())
        {
            self.slots.extend(slots.start as u32..slots.end as u32);
            self.velocities.extend_from_slice(turns.velocities(range.clone()));
            self.turns.extend(range);
            return;
        }
        self.turns.extend(not_stopped(world, turns, range));
        self.slots.extend(self.turns.iter().map(|&turn| turns.slot(turn) as u32));
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
    /// Runs the function.
    fn block<W: CompiledWidth>(
        &self,
        machine: &mut Machine<W>,
        turns: &mut Turns<'_>,
    ) -> LoweredTurns {
        let Self { function, program, world, group, lanes } = *self;
        {
            let turns = &*turns;
            let block = Block {
                slots: &lanes.slots,
                velocities: &lanes.velocities,
                mind: &|lane| turns.knows(lanes.turns[lane]),
            };
            let lanes = 0..lanes.turns.len();
            let groups = [GroupLanes { moment: turns.moment(), world, group, lanes }];
            machine.run(program, &groups, block);
        }
        let messages = self.messages(machine, turns);
        let changes = if program.changes.is_empty() || function == EntryFunction::Init {
            Vec::new()
        } else {
            self.changes(machine, turns)
        };
        let layer_changes = if program.layer_changes.is_empty() || function == EntryFunction::Init {
            Vec::new()
        } else {
            let decided = machine.layer_changes().filter(|&(lane, _)| !machine.is_faulted(lane));
            decided.map(|(_, change)| change).collect()
        };
        let mut remaining = Vec::new();
        // The usual case: every agent gets a force, and nothing else changes.
        if function == EntryFunction::Steer
            && !program.sets_vel
            && !program.changes_minds()
            && !machine.has_faulted_lane()
        {
            let (first, last) = (lanes.turns[0], lanes.turns[lanes.turns.len() - 1]);
            if last - first == lanes.turns.len() - 1 {
                machine.store_forces(program, turns.forces_mut(first..last + 1));
            } else {
                for (lane, &turn) in lanes.turns.iter().enumerate() {
                    turns.decide(turn, machine.force(program, lane));
                }
            }
            return LoweredTurns { remaining, messages, changes, layer_changes };
        }
        for (lane, &turn) in lanes.turns.iter().enumerate() {
            // The interpreter says why changes are refused before the first turn.
            let is_refused = function == EntryFunction::Init && machine.has_changes(lane);
            if machine.is_faulted(lane) || is_refused {
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
        LoweredTurns { remaining, messages, changes, layer_changes }
    }

    /// Returns the changes of all lanes that are not faulted.
    fn changes<W: Width>(&self, machine: &mut Machine<W>, turns: &Turns<'_>) -> Vec<Change> {
        let decided = machine.take_changes();
        let decided = decided.into_iter().filter(|&(lane, _)| !machine.is_faulted(lane));
        let of_agent = |(lane, kind)| {
            let row = turns.row(self.lanes.turns[lane]);
            Change { agent: self.world.agents.id[row], kind }
        };
        decided.map(of_agent).collect()
    }

    /// Returns the messages of all lanes that are not faulted, each with its turn.
    fn messages<W: Width>(
        &self,
        machine: &mut Machine<W>,
        turns: &Turns<'_>,
    ) -> Vec<(usize, Message)> {
        let parts = machine.take_messages();
        let mut all = Vec::new();
        for parts in parts.chunk_by(|(a, _), (b, _)| a == b) {
            let lane = parts[0].0;
            if machine.is_faulted(lane) {
                continue;
            }
            let turn = self.lanes.turns[lane];
            let row = turns.row(turn);
            let new = messages::of_parts(self.program, parts.iter().map(|(_, part)| part));
            all.extend(new.into_iter().map(|message| (turn, message.of(self.world, row))));
        }
        all
    }
}
