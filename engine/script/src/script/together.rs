//! Lowered behaviors that decide for agents of many worlds at once.

use super::entry_point::EntryFunction;
use super::prepared::GroupPrograms;
use crate::math::Vec2;
use crate::program::{Block, GroupLanes, LANES, Machine, Program};
use crate::sim::{GroupTurns, PreparedBrain};

impl PreparedBrain for GroupPrograms {
    fn decide(&self, groups: &mut [GroupTurns<'_>], leave: &mut dyn FnMut(usize, usize)) {
        let Some(program) = self.program(EntryFunction::Steer) else {
            for (group, GroupTurns { turns, .. }) in groups.iter().enumerate() {
                (0..turns.len()).for_each(|turn| leave(group, turn));
            }
            return;
        };
        let mut runner = self.runners().take();
        let machine = &mut runner.many;
        let mut lanes = Lanes::default();
        let mut next = Place::default();
        while lanes.fill(groups, &mut next) {
            lanes.run(program, machine, groups);
            lanes.store(program, machine, groups, leave);
        }
        self.runners().release(runner);
    }
}

/// A turn: the index of its group, and its index in the group.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    group: usize,
    turn: usize,
}

/// The agents in the lanes of a block.
struct Lanes {
    count: usize,
    places: [Place; LANES],
    slots: [u32; LANES],
    velocities: [Vec2; LANES],
}

impl Default for Lanes {
    fn default() -> Self {
        Self {
            count: 0,
            places: [Place::default(); LANES],
            slots: [0; LANES],
            velocities: [Vec2::ZERO; LANES],
        }
    }
}

impl Lanes {
    /// Fills the lanes with the next agents that have not stopped. Returns whether there are any.
    fn fill(&mut self, groups: &[GroupTurns<'_>], next: &mut Place) -> bool {
        self.count = 0;
        while let Some(GroupTurns { world, turns, .. }) = groups.get(next.group) {
            while next.turn < turns.len() {
                if self.count == LANES {
                    return true;
                }
                let row = turns.row(next.turn);
                if !world.agents.stopped[row] {
                    self.places[self.count] = *next;
                    self.slots[self.count] = turns.slot(next.turn) as u32;
                    self.velocities[self.count] = turns.velocity(next.turn);
                    self.count += 1;
                }
                next.turn += 1;
            }
            *next = Place { group: next.group + 1, turn: 0 };
        }
        self.count > 0
    }

    fn run(&self, program: &Program, machine: &mut Machine, groups: &[GroupTurns<'_>]) {
        let places = &self.places[..self.count];
        let mut of_groups: Vec<GroupLanes<'_>> = Vec::with_capacity(self.count);
        let mut first = 0;
        for same in places.chunk_by(|a, b| a.group == b.group) {
            let GroupTurns { world, group, turns } = &groups[same[0].group];
            let lanes = first..first + same.len();
            first = lanes.end;
            of_groups.push(GroupLanes { moment: turns.moment(), world, group: *group, lanes });
        }
        let block = Block {
            slots: &self.slots[..self.count],
            velocities: &self.velocities[..self.count],
            mind: &|lane| groups[places[lane].group].turns.knows(places[lane].turn),
        };
        machine.run(program, &of_groups, block);
    }

    /// Stores what the agents have decided, except in faulted lanes and for agents that wrote messages or changed the
    /// world.
    fn store(
        &self,
        program: &Program,
        machine: &mut Machine,
        groups: &mut [GroupTurns<'_>],
        leave: &mut dyn FnMut(usize, usize),
    ) {
        for (lane, place) in self.places[..self.count].iter().enumerate() {
            // In each world, messages are in the order of rows.
            if machine.is_faulted(lane) || machine.has_messages(lane) || machine.has_changes(lane) {
                leave(place.group, place.turn);
                continue;
            }
            let GroupTurns { world, turns, .. } = &mut groups[place.group];
            turns.decide(place.turn, machine.force(program, lane));
            if program.sets_vel || program.changes_minds() {
                let turn = turns.turn(place.turn);
                *turn.vel = machine.vel(program, lane);
                machine.store_mind(program, world, lane, turn.mind);
            }
        }
    }
}
