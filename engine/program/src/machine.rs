//! What a machine holds while it runs programs for blocks of agents.

use std::ops::Range;

use super::banks::{Banks, Column};
use super::changes::Changes;
use super::messages::Messages;
use super::width::Width;
use super::{Many, Program};
use crate::math::Vec2;
use crate::math::random::Mix;
use crate::sim::Moment;
use crate::world::{GroupId, Me, NameHint, Progress, Values, World};

/// Runs programs, block by block. It holds the columns, and everything else that lasts as long as a block. It is made once
/// and used for many blocks. Of an earlier block it keeps what the agents of a group share, as long as that is the same.
#[derive(Debug)]
pub struct Machine<W: Width = Many> {
    pub(super) banks: Banks<W>,
    /// The rows of the agents in the lanes.
    pub(super) rows: Column<u32, W>,
    /// Their slots.
    pub(super) slots: Column<u32, W>,
    /// These slots, if all agents are of one world and the slots follow each other.
    pub(super) run: Option<Range<usize>>,
    pub(super) pos: (Column<f32, W>, Column<f32, W>),
    pub(super) vel: (Column<f32, W>, Column<f32, W>),
    /// The progress on all paths, lane by lane, if the program uses it.
    pub(super) progress: Vec<Progress>,
    /// The streams of random numbers in this tick, prepared at the first draw.
    pub(super) streams: Column<Mix, W>,
    pub(super) has_streams: bool,
    pub(super) draws: Column<u32, W>,
    pub(super) lists: Vec<NeighborList<W>>,
    pub(super) arrays_f: Vec<Elements<f32, W>>,
    pub(super) arrays_i: Vec<Elements<i64, W>>,
    /// For each state, the index among an agent's values where it was last found.
    pub(super) hints: Vec<NameHint>,
    pub(super) messages: Messages,
    pub(super) changes: Changes,
    /// The key of the results of a prologue in the columns; `None` if they are for a single block.
    pub(super) prepared: Option<Prepared>,
    /// Whether that prologue has failed. It fails for all agents or for none.
    pub(super) has_failed: bool,
}

/// The key of the results of a prologue: the moment, the group, and the address of the program.
pub(super) type Prepared = (Moment, GroupId, usize);

/// The elements of an array: one column for each index.
pub(super) type Elements<T, W> = Vec<Column<T, W>>;

/// Lists of neighbors, one for each lane.
#[derive(Clone, Debug)]
pub(super) struct NeighborList<W: Width> {
    pub(super) rows: Vec<u32>,
    /// First index and length of the list of each lane.
    pub(super) lanes: Column<(u32, u32), W>,
}

/// The agents that a program runs for, one for each lane.
#[derive(Clone, Copy)]
pub struct Block<'t> {
    /// Their slots among the motions.
    pub slots: &'t [u32],
    /// Their present velocities, in world units per second.
    pub velocities: &'t [Vec2],
    /// Returns the state of the agent in a lane, and its progress on each path. Called only if the program uses
    /// them.
    pub mind: &'t dyn Fn(usize) -> (&'t Values, &'t [Progress]),
}

/// Consecutive lanes with agents of one group of one world.
#[derive(Clone, Debug)]
pub struct GroupLanes<'t> {
    /// The moment of their turns.
    pub moment: Moment,
    pub world: &'t World,
    pub group: GroupId,
    pub lanes: Range<usize>,
}

/// The program to run, and the worlds and groups that it runs in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'t> {
    pub(super) program: &'t Program,
    /// The worlds and groups of all lanes, in the order of the lanes. All worlds have the same space. No two lanes can perceive each other unless they
    /// are in the same world.
    pub(super) groups: &'t [GroupLanes<'t>],
}

impl<'t> Scene<'t> {
    /// Returns the world of the first lane.
    pub(super) fn first_world(&self) -> &'t World {
        self.groups[0].world
    }
}

impl<W: Width> Default for Machine<W> {
    /// Returns a machine without columns.
    fn default() -> Self {
        Self {
            banks: Banks::new(),
            rows: Column::of(0),
            slots: Column::of(0),
            run: None,
            pos: (Column::of(0.0), Column::of(0.0)),
            vel: (Column::of(0.0), Column::of(0.0)),
            progress: Vec::new(),
            streams: Column::of(Mix::new(0)),
            has_streams: false,
            draws: Column::of(0),
            lists: Vec::new(),
            arrays_f: Vec::new(),
            arrays_i: Vec::new(),
            hints: Vec::new(),
            messages: Messages::new(),
            changes: Changes::new(),
            prepared: None,
            has_failed: false,
        }
    }
}

impl<W: Width> Machine<W> {
    /// Reserves what a program needs.
    pub(super) fn fit(&mut self, program: &Program) {
        let list = NeighborList { rows: Vec::new(), lanes: Column::of((0, 0)) };
        self.banks.fit(program.columns);
        if self.lists.len() < program.lists {
            self.lists.resize(program.lists, list);
        }
        self.arrays_f.resize(self.arrays_f.len().max(program.arrays_f), Vec::new());
        self.arrays_i.resize(self.arrays_i.len().max(program.arrays_i), Vec::new());
        if self.hints.len() < program.state.len() {
            self.hints.resize_with(program.state.len(), NameHint::default);
        }
    }

    /// Returns whether the lane of an agent is faulted: then its results are meaningless, and the interpreter must take
    /// its turn.
    pub fn is_faulted(&self, lane: usize) -> bool {
        self.banks.is_faulted(lane)
    }

    /// Returns whether any lane is faulted.
    pub fn has_faulted_lane(&self) -> bool {
        self.banks.has_faulted_lane()
    }

    /// Stores the forces that the agents of all lanes decided on.
    pub fn store_forces(&self, program: &Program, to: &mut [Vec2]) {
        match program.force {
            Some(force) => self.banks.store_vectors(force, to),
            None => to.fill(Vec2::ZERO),
        }
    }

    /// Returns the force that the agent of a lane decided on.
    pub fn force(&self, program: &Program, lane: usize) -> Vec2 {
        program.force.map_or(Vec2::ZERO, |force| self.banks.vector(force, lane))
    }

    /// Returns the velocity of the agent of a lane, before the force is added.
    pub fn vel(&self, program: &Program, lane: usize) -> Vec2 {
        match program.vel {
            Some(vel) => self.banks.vector(vel, lane),
            None => self.own_vel(lane),
        }
    }

    /// Returns the position of the agent of a lane.
    pub(super) fn own_pos(&self, lane: usize) -> Vec2 {
        Vec2::new(self.pos.0.lane(lane), self.pos.1.lane(lane))
    }

    /// Returns the velocity of the agent of a lane at the start of its turn.
    pub(super) fn own_vel(&self, lane: usize) -> Vec2 {
        Vec2::new(self.vel.0.lane(lane), self.vel.1.lane(lane))
    }

    /// Returns the heading of the agent of a lane.
    #[inline]
    pub(super) fn heading(&self, world: &World, lane: usize) -> Vec2 {
        world.agents.motions.headings()[self.slots.lane(lane) as usize]
    }

    /// Returns the agent of a lane, with a velocity that may differ from that at the start of its turn.
    #[inline]
    pub(super) fn me<'w>(&self, world: &'w World, lane: usize, vel: Vec2) -> Me<'w> {
        Me::in_slot(world, self.row(lane), self.slots.lane(lane) as usize, vel)
    }

    /// Returns the row of the agent of a lane.
    pub(super) fn row(&self, lane: usize) -> usize {
        self.rows.lane(lane) as usize
    }
}
