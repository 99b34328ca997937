//! Runs programs for blocks of agents.

use std::cmp::Ordering;
use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::banks::load;
use super::machine::{Block, GroupLanes, Machine, Scene};
use super::neighborhoods::wanted;
use super::width::Width;
use super::{AgentNumber, Few, Many, One, Op, OpKind, Program, V};
use crate::sim::Moment;
use crate::world::{GroupId, Need, WantedSums, World};

/// A width for which machines are compiled. Each has functions of its own, so that they are compiled in this crate, in one
/// part: what is generic is compiled in the crate that calls it.
pub trait CompiledWidth: Width {
    /// See [`Machine::run`].
    fn run_program(
        machine: &mut Machine<Self>,
        program: &Program,
        groups: &[GroupLanes<'_>],
        block: Block<'_>,
    );

    /// See [`Machine::needs`].
    fn needs(
        machine: &mut Machine<Self>,
        program: &Program,
        world: &World,
        group: GroupId,
    ) -> Vec<Need>;
}

macro_rules! compiled_widths {
    ($($width:ident),*) => {
        $(impl CompiledWidth for $width {
            fn run_program(
                machine: &mut Machine<Self>,
                program: &Program,
                groups: &[GroupLanes<'_>],
                block: Block<'_>,
            ) {
                machine.run_watched(program, groups, block, &mut NoObserver);
            }

            fn needs(
                machine: &mut Machine<Self>,
                program: &Program,
                world: &World,
                group: GroupId,
            ) -> Vec<Need> {
                machine.find_needs(program, world, group)
            }
        })*
    };
}

compiled_widths!(One, Few, Many);

/// Observes a program while it runs.
pub(super) trait Observer<W: Width> {
    /// Called before each operation.
    fn before(&mut self, op: &Op, machine: &Machine<W>, scene: &Scene<'_>);

    /// Called after each operation. The columns that it has read still have their values, unless the operation changes
    /// a column in place.
    fn after(&mut self, op: &Op, machine: &Machine<W>, scene: &Scene<'_>);
}

/// An observer that does nothing.
pub(super) struct NoObserver;

impl<W: Width> Observer<W> for NoObserver {
    #[inline(always)]
    fn before(&mut self, _: &Op, _: &Machine<W>, _: &Scene<'_>) {}

    #[inline(always)]
    fn after(&mut self, _: &Op, _: &Machine<W>, _: &Scene<'_>) {}
}

impl<W: CompiledWidth> Machine<W> {
    /// Runs the program for agents of several groups, which may be in several worlds. The program must be for each of
    /// these groups, and the worlds must have the same space. Nothing outside of the machine changes.
    pub fn run(&mut self, program: &Program, groups: &[GroupLanes<'_>], block: Block<'_>) {
        W::run_program(self, program, groups, block);
    }

    /// Returns the neighborhoods that are worth perceiving in advance, except those with a radius that is negative, NaN
    /// or unknown.
    pub fn needs(&mut self, program: &Program, world: &World, group: GroupId) -> Vec<Need> {
        W::needs(self, program, world, group)
    }
}

impl<W: Width> Machine<W> {
    /// Runs the program while an observer watches.
    pub(super) fn run_watched(
        &mut self,
        program: &Program,
        groups: &[GroupLanes<'_>],
        block: Block<'_>,
        observer: &mut impl Observer<W>,
    ) {
        let scene = Scene { program, groups };
        let [first, others @ ..] = groups else {
            return;
        };
        let prologue = &*program.prologue;
        if others.is_empty() {
            self.prepare(program, first, observer);
            self.begin(&scene, block);
        } else {
            (self.prepared, self.has_failed) = (None, false);
            self.fit(program);
            self.begin(&scene, block);
            W::run(Execution { machine: self, scene, ops: prologue, observer });
        }
        if !self.has_failed {
            W::run(Execution { machine: self, scene, ops: &program.body, observer });
        }
    }

    /// Runs the prologue for all lanes, as if there were an agent of the group in each, unless its results are there.
    fn prepare(&mut self, program: &Program, of: &GroupLanes<'_>, observer: &mut impl Observer<W>) {
        let prepared = (of.moment, of.group, std::ptr::from_ref(program).addr());
        if self.prepared == Some(prepared) {
            return;
        }
        self.fit(program);
        self.banks.begin(W::LANES, program.live, false);
        let groups = [GroupLanes { lanes: 0..W::LANES, ..of.clone() }];
        let scene = Scene { program, groups: &groups };
        W::run(Execution { machine: self, scene, ops: &program.prologue, observer });
        self.has_failed = self.banks.is_faulted(0);
        self.prepared = Some(prepared);
    }

    fn find_needs(&mut self, program: &Program, world: &World, group: GroupId) -> Vec<Need> {
        if !program.nears.iter().any(|near| near.shared) || world.agents.is_empty() {
            return Vec::new();
        }
        let of = GroupLanes { moment: Moment::unique(), world, group, lanes: 0..1 };
        self.prepare(program, &of, &mut NoObserver);
        if self.has_failed {
            return Vec::new();
        }
        let wanted = wanted(program);
        let mut needs: Vec<Need> = Vec::new();
        for (near, (of, &sums)) in program.nears.iter().zip(&wanted).enumerate() {
            if !of.shared || sums == WantedSums::default() {
                continue;
            }
            let which = self.neighborhood(program, near as u16, 0);
            if matches!(which.radius.partial_cmp(&0.0), Some(Ordering::Greater | Ordering::Equal)) {
                needs.push(Need { neighborhood: which, sums });
            }
        }
        needs
    }

    fn begin(&mut self, scene: &Scene<'_>, block: Block<'_>) {
        let program = scene.program;
        let lanes = block.slots.len();
        assert_eq!(lanes, block.velocities.len(), "columns of the same agents");
        let last = scene.groups.last().map(|group| group.lanes.end);
        debug_assert_eq!(last, Some(lanes), "each lane has a world");
        let space = &scene.first_world().space;
        debug_assert!(scene.groups.iter().all(|of| of.world.space == *space), "one kind of space");
        self.banks.begin(lanes, program.live, self.has_failed);
        self.messages.clear();
        self.changes.clear();
        self.has_streams = false;
        self.run = consecutive(block.slots).filter(|_| scene.groups.len() == 1);
        for group in scene.groups {
            let motions = &group.world.agents.motions;
            if let Some(run) = &self.run {
                let slots = block.slots;
                load(&mut self.slots, slots, |slot| slot);
                load(&mut self.rows, &motions.rows()[run.clone()], |row| row);
                load(&mut self.pos.0, &motions.positions()[run.clone()], |pos| pos.x);
                load(&mut self.pos.1, &motions.positions()[run.clone()], |pos| pos.y);
                continue;
            }
            for lane in group.lanes.clone() {
                let slot = block.slots[lane];
                let pos = motions.positions()[slot as usize];
                self.slots.set(lane, slot);
                self.rows.set(lane, motions.rows()[slot as usize]);
                self.pos.0.set(lane, pos.x);
                self.pos.1.set(lane, pos.y);
            }
        }
        load(&mut self.vel.0, block.velocities, |vel| vel.x);
        load(&mut self.vel.1, block.velocities, |vel| vel.y);
        if let Some(V(x, y)) = program.vel {
            self.banks.copy(x, &self.vel.0);
            self.banks.copy(y, &self.vel.1);
        }
        self.load_minds(scene, &block);
    }
}

/// Returns the range of numbers that follow each other.
fn consecutive(slots: &[u32]) -> Option<Range<usize>> {
    let first = *slots.first()?;
    let follows = (first..).zip(slots).fold(true, |all, (place, &slot)| all & (place == slot));
    follows.then(|| first as usize..first as usize + slots.len())
}

/// More jumps than this mean that the program never ends.
const MAX_JUMPS: u32 = 1 << 28;

/// A running section of a program. Its code is compiled for the widest vectors of the processor.
struct Execution<'t, W: Width, O> {
    machine: &'t mut Machine<W>,
    scene: Scene<'t>,
    ops: &'t [Op],
    observer: &'t mut O,
}

impl<W: Width, O: Observer<W>> WithSimd for Execution<'_, W, O> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { machine, scene, ops, observer } = self;
        let mut at = 0;
        let mut jumps = 0;
        while let Some(op) = ops.get(at) {
            at += 1;
            observer.before(op, machine, &scene);
            if let Some(to) = machine.step(&scene, op) {
                at = to;
                jumps += 1;
                debug_assert!(jumps < MAX_JUMPS, "an endless loop");
            }
            observer.after(op, machine, &scene);
        }
    }
}

impl<W: Width> Machine<W> {
    /// Runs one operation. Returns the jump target, if it jumps.
    #[inline(always)]
    fn step(&mut self, scene: &Scene<'_>, op: &Op) -> Option<usize> {
        let banks = &mut self.banks;
        match op.kind {
            OpKind::ConstF(bits) => banks.const_f(op.writes(), f32::from_bits(bits)),
            OpKind::ConstI(value) => banks.const_i(op.writes(), value),
            OpKind::ConstB(value) => banks.const_b(op.writes(), value),
            OpKind::BlendF => banks.blend_f(op.writes(), op.reads()),
            OpKind::BlendI => banks.blend_i(op.writes(), op.reads()),
            OpKind::BlendB => banks.blend_b(op.writes(), op.reads()),
            OpKind::SelectF => banks.select_f(op.writes(), op.reads()),
            OpKind::SelectI => banks.select_i(op.writes(), op.reads()),
            OpKind::SelectB => banks.select_b(op.writes(), op.reads()),

            OpKind::Unary(function) => banks.unary(function, op.writes(), op.reads()),
            OpKind::Binary(function) => banks.binary(function, op.writes(), op.reads()),
            OpKind::I2(function) => banks.i2(function, op.writes(), op.reads(), op.active()),
            OpKind::NegI => banks.neg_i(op.writes(), op.reads(), op.active()),
            OpKind::AbsI => banks.abs_i(op.writes(), op.reads(), op.active()),
            OpKind::ToF => banks.number_of(op.writes(), op.reads()),
            OpKind::ToI => banks.integer_of(op.writes(), op.reads(), op.active()),
            OpKind::CompareF(how) => banks.compare_f(how, op.writes(), op.reads()),
            OpKind::CompareI(how) => banks.compare_i(how, op.writes(), op.reads()),
            OpKind::Not => banks.not(op.writes(), op.reads()),
            OpKind::And => banks.logic(op.writes(), op.reads(), |a, b| a & b),
            OpKind::AndNot => banks.logic(op.writes(), op.reads(), |a, b| a & !b),
            OpKind::Or => banks.logic(op.writes(), op.reads(), |a, b| a | b),
            OpKind::Same => banks.logic(op.writes(), op.reads(), |a, b| !(a ^ b)),

            OpKind::BinaryV(function) => banks.binary_v(function, op.writes(), op.reads()),
            OpKind::SelectV => banks.select_v(op.writes(), op.reads()),
            OpKind::BlendV => banks.blend_v(op.writes(), op.reads()),
            OpKind::BothF(how) => banks.both_f(how, op.writes(), op.reads()),

            OpKind::Unit => banks.unit(op.writes(), op.reads()),
            OpKind::Length => banks.length(op.writes(), op.reads()),
            OpKind::Limit => banks.limit(op.writes(), op.reads()),
            OpKind::Offset => {
                banks.offset(op.writes(), &self.pos, op.reads(), &scene.first_world().space);
            }

            OpKind::Finite => banks.finite(op.reads(), op.active()),
            OpKind::Fault => banks.fault(op.active()),
            OpKind::Unfaulted => banks.unfaulted(op.writes(), op.reads()),

            OpKind::SkipIfNone(to) if !banks.any(op.reads()) => return Some(to),
            OpKind::Jump(to) => return Some(to),
            OpKind::SkipIfNone(_) | OpKind::CallStart(_) | OpKind::CallEnd(_) | OpKind::Note(_) => {
            }

            OpKind::Own(AgentNumber::PosX) => banks.copy(op.writes(), &self.pos.0),
            OpKind::Own(AgentNumber::PosY) => banks.copy(op.writes(), &self.pos.1),
            OpKind::Own(AgentNumber::VelX) => banks.copy(op.writes(), &self.vel.0),
            OpKind::Own(AgentNumber::VelY) => banks.copy(op.writes(), &self.vel.1),
            OpKind::Common(what) => {
                if let [GroupLanes { world, group, .. }] = *scene.groups {
                    banks.const_f(op.writes(), what.of(world, &world.group(group).body));
                } else {
                    self.common(scene, op, what);
                }
            }
            _ => self.step_in_world(scene, op),
        }
        None
    }

    /// Runs an operation that needs more than columns.
    #[inline(never)]
    fn step_in_world(&mut self, scene: &Scene<'_>, op: &Op) {
        match op.kind {
            OpKind::CommonI(what) => self.common_i(scene, op, what),
            OpKind::HasCursor => self.has_cursor(scene, op),
            OpKind::Input(index) => self.input(scene, op, index),
            OpKind::SharedValue(index, _) => self.shared_value(scene, op, index),
            OpKind::Param(name, ty) => self.param(scene, op, name, ty),
            OpKind::OwnParam(name) => self.own_param(scene, op, name),

            OpKind::Own(what) => self.own(scene, op, what),
            OpKind::OwnI(what) => self.own_i(scene, op, what),
            OpKind::Goal => self.goal(scene, op),
            OpKind::Draw => self.draw(scene, op),
            OpKind::Noise => self.noise(scene, op),
            OpKind::Other(what) => self.other_number(scene, op, what),
            OpKind::OtherI(what) => self.other_integer(scene, op, what),
            OpKind::OtherState(name, _) => self.other_state(scene, op, name),
            OpKind::Encounter(ask) => self.encounter(scene, op, ask),
            OpKind::Free => self.free(scene, op),
            OpKind::Blocked => self.blocked(scene, op),

            OpKind::Means(near) => self.means(scene, op, near),
            OpKind::Push(near) => self.push(scene, op, near),
            OpKind::Nearest(near) => self.nearest(scene, op, near),
            OpKind::AskNeighbors(question, near) => self.ask_neighbors(scene, op, question, near),
            OpKind::First(near) => self.first(scene, op, near),
            OpKind::List(near, list) => self.list(scene, op, near, list),
            OpKind::Listed(list) => self.listed(scene, op, list),

            OpKind::StoreF(array) => {
                self.store(scene, op, |machine| &mut machine.arrays_f[usize::from(array)]);
            }
            OpKind::StoreI(array) => {
                self.store(scene, op, |machine| &mut machine.arrays_i[usize::from(array)]);
            }
            OpKind::LoadF(array) => {
                self.load(scene, op, |machine| &machine.arrays_f[usize::from(array)]);
            }
            OpKind::LoadI(array) => {
                self.load(scene, op, |machine| &machine.arrays_i[usize::from(array)]);
            }

            OpKind::Ray => self.ray(scene, op),
            OpKind::FirstHit => self.first_hit(scene, op),
            OpKind::Ask(question) => self.ask(scene, op, question),
            OpKind::PresentObstacle => self.present_obstacle(scene, op),
            OpKind::Obstacle(ask) => self.obstacle(scene, op, ask),
            OpKind::Path(ask) => self.path(scene, op, ask),
            OpKind::PathCount => self.path_count(scene, op),
            OpKind::NearestOnPath => self.nearest_on_path(scene, op),
            OpKind::Waypoint => self.waypoint(scene, op),
            OpKind::Advance => self.advance(scene, op),

            OpKind::TableF(table) => {
                self.table(scene, op, &scene.program.tables_f[usize::from(table)])
            }
            OpKind::TableI(table) => {
                self.table(scene, op, &scene.program.tables_i[usize::from(table)])
            }
            OpKind::Show(ty, style) => self.show(scene, op, ty, style),
            OpKind::EndMessage(place) => self.end_message(scene, op, place),
            OpKind::Give(ty) => self.give(scene, op, ty),
            OpKind::EndChange(call) => self.end_change(scene, op, call),
            OpKind::ChangeLayer(call) => self.change_layer(scene, op, call),
            _ => unreachable!("an operation on columns alone: {op:?}"),
        }
    }
}
