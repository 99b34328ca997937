//! Emits the operations of a program. Makes columns for their results, and computes only once the values that are the
//! same for all agents.

mod arrays;
mod truths;

use std::collections::HashMap;

use super::known::KnownNumbers;
use crate::math::{Binary, Compare, Unary};
use crate::program::{
    AgentInteger, AgentNumber, AskObstacle, AskOther, AskPath, B, Bank, Call, Columns, F, I, I2,
    LANES, LoweredView, Near, Op, OpKind, OpProperty, Operand, OperandSlots, Operands, Program,
    SharedInteger, SharedNumber, Slot, Type, V,
};
use crate::world::{GroupId, NeighborQuestion, PublicType, Question, Relation, View};

/// A program under construction.
///
/// An operation goes to one of three sections. Operations with the same result for all agents of the group go to the
/// prologue. Those for values that every agent has from the start of its tick (its position, for example) go to the
/// entry. All others go to the body. Equal operations in the first two are emitted only once.
#[derive(Default)]
pub(super) struct Emitter {
    pub(super) program: Program,
    entry: Vec<Op>,
    /// For each column, bank by bank: whether it holds the same value for all agents.
    common: [Vec<bool>; 3],
    /// The results of operations in the prologue and the entry, by operation and operands.
    existing: HashMap<(OpKind, OperandSlots), OperandSlots>,
    /// The columns of `false` and `true`.
    booleans: [Option<B>; 2],
    floats: KnownNumbers,
    integers: HashMap<I, i64>,
    /// The booleans that are the same for every agent because they are computed from constants.
    truths: HashMap<B, bool>,
    nears: HashMap<NeighborhoodKey, u16>,
    /// The number of questions about ways so far.
    pub(super) ways: u64,
}

/// The key of a neighborhood: two neighborhoods with equal keys are the same.
type NeighborhoodKey = (F, (Option<GroupId>, Option<Relation>), ViewKey, Option<V>, Option<F>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ViewKey {
    Around,
    Ahead,
    /// The bits of the cosine.
    Cone(u32),
    Over(F),
}

impl From<LoweredView> for ViewKey {
    fn from(look: LoweredView) -> Self {
        match look {
            LoweredView::Fixed(View::Around) => Self::Around,
            LoweredView::Fixed(View::Ahead) => Self::Ahead,
            LoweredView::Fixed(View::Cone { cos_half }) => Self::Cone(cos_half.to_bits()),
            LoweredView::Over(angle) => Self::Over(angle),
        }
    }
}

/// Limits of a program: the number of its operations, and the bytes of its columns, which a machine holds for each
/// thread.
const MAX_OPS: usize = 60_000;
const MAX_BYTES: usize = 16 << 20;

/// The section that an operation goes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Prologue,
    Entry,
    Body,
}

impl Emitter {
    /// Returns the index of a new column in a bank.
    fn column(&mut self, bank: Bank) -> u16 {
        let columns = &mut self.common[bank as usize];
        columns.push(false);
        (columns.len() - 1) as u16
    }

    pub(super) fn new_f(&mut self) -> F {
        F(self.column(Bank::F))
    }

    pub(super) fn new_i(&mut self) -> I {
        I(self.column(Bank::I))
    }

    pub(super) fn new_b(&mut self) -> B {
        B(self.column(Bank::B))
    }

    pub(super) fn new_v(&mut self) -> V {
        V(self.new_f(), self.new_f())
    }

    fn new_columns(&mut self, bank: Bank) -> Columns {
        match bank {
            Bank::F => Columns::F(self.new_f()),
            Bank::I => Columns::I(self.new_i()),
            Bank::B => Columns::B(self.new_b()),
            Bank::V => Columns::V(self.new_v()),
        }
    }

    /// Returns new columns for a type.
    pub(super) fn columns(&mut self, of: Type) -> Columns {
        of.banks().iter().map(|&bank| self.new_columns(bank)).next().unwrap_or_default()
    }

    /// Returns whether the program is larger than is allowed, or than its indices can express.
    pub(super) fn is_over_limit(&self) -> bool {
        let [f, i, b] = self.common.each_ref().map(Vec::len);
        let ops = self.program.prologue.len() + self.entry.len() + self.program.body.len();
        ops > MAX_OPS || (4 * (f + b) + 8 * i) * LANES > MAX_BYTES
    }

    /// Emits an operation into the section that the table of kinds allows, unless the same has been emitted
    /// there. Returns the columns of its results.
    fn results<W: Operands>(&mut self, kind: OpKind, read: impl Operands, mask: Option<B>) -> W {
        let read = read.row();
        if let Some(&existing) = self.existing.get(&(kind, read)) {
            return W::of_row(existing);
        }
        let mut written = OperandSlots::default();
        for (to, &bank) in written.iter_mut().zip(kind.signature().writes) {
            *to = self.new_columns(bank).slot();
        }
        self.program.uses_progress |= kind.has(OpProperty::Progress);
        let op = Op::new(kind, read, written, mask);
        let section = self.section(&op);
        match section {
            Section::Prologue => {
                for (bank, at) in written.into_iter().flat_map(Slot::each) {
                    self.common[bank as usize][at] = true;
                }
                self.program.prologue.push(op);
            }
            Section::Entry => self.entry.push(op),
            Section::Body => self.program.body.push(op),
        }
        if section != Section::Body {
            self.existing.insert((kind, read), written);
        }
        W::of_row(written)
    }

    /// Returns the section of an operation. The sums over a neighborhood are computed once, in the entry, if
    /// all agents get there and the neighborhood has the same radius and view for all of them.
    fn section(&mut self, op: &Op) -> Section {
        let signature = op.kind.signature();
        if signature.has(OpProperty::Pure)
            && op.read.iter().all(|slot| self.is_common(slot.columns()))
        {
            return Section::Prologue;
        }
        if signature.has(OpProperty::Own) {
            return Section::Entry;
        }
        match op.kind.near().filter(|_| signature.has(OpProperty::Perceived)) {
            Some(near) if self.program.live == op.mask && self.is_same_view_for_all(near) => {
                self.program.nears[usize::from(near)].shared = true;
                Section::Entry
            }
            _ => Section::Body,
        }
    }

    /// Returns whether a neighborhood has the same radius and view for all agents, each around itself, and any number of agents.
    fn is_same_view_for_all(&self, near: u16) -> bool {
        let Near { radius, view, around, most, .. } = self.program.nears[usize::from(near)];
        let is_common = |number| self.is_common(Columns::F(number));
        around.is_none()
            && most.is_none()
            && is_common(radius)
            && match view {
                LoweredView::Fixed(_) => true,
                LoweredView::Over(angle) => is_common(angle),
            }
    }

    /// Emits an operation that works on all lanes.
    pub(super) fn all<W: Operands>(&mut self, kind: OpKind, read: impl Operands) -> W {
        self.results(kind, read, None)
    }

    /// Emits an operation that works on the lanes of a mask.
    pub(super) fn within<W: Operands>(
        &mut self,
        active: B,
        kind: OpKind,
        read: impl Operands,
    ) -> W {
        self.results(kind, read, Some(active))
    }

    /// Emits an operation that reads any columns, or none, and works on the lanes of a mask.
    pub(super) fn with_value(&mut self, active: B, kind: OpKind, at: Columns) {
        match at {
            Columns::None => self.within::<()>(active, kind, ()),
            at => self.within(active, kind, at),
        }
    }

    /// Sets an integer column to a value at the start of each run of the program.
    pub(super) fn set_at_start(&mut self, to: I, value: i64) {
        self.entry.push(Op::new(OpKind::ConstI(value), (), to, None));
    }

    /// Sets an integer column, at the start of each run of the program, to a value that all agents share.
    pub(super) fn set_common_at_start(&mut self, to: I, what: SharedInteger) {
        self.entry.push(Op::new(OpKind::CommonI(what), (), to, None));
    }

    /// Returns the index of the next operation of the body.
    pub(super) fn here(&self) -> usize {
        self.program.body.len()
    }

    /// Emits a jump forward for when no lane of the mask is left. `end_skip` sets its target.
    pub(super) fn skip(&mut self, mask: B) -> usize {
        self.all::<()>(OpKind::SkipIfNone(usize::MAX), mask);
        self.here() - 1
    }

    /// Sets the target of a skip to the next operation.
    pub(super) fn end_skip(&mut self, skip: usize) {
        self.program.body[skip].kind = OpKind::SkipIfNone(self.here());
    }

    /// Emits a jump to an operation of the body.
    pub(super) fn jump(&mut self, to: usize) {
        self.all(OpKind::Jump(to), ())
    }

    /// Returns the finished program.
    pub(super) fn finish(mut self) -> Program {
        let shift = self.entry.len();
        for to in self.program.body.iter_mut().filter_map(|op| op.kind.target_mut()) {
            *to += shift;
        }
        self.entry.append(&mut self.program.body);
        self.program.body = self.entry;
        self.program.columns = self.common.each_ref().map(Vec::len).into();
        self.program
    }

    /// Returns whether columns hold the same value for all agents.
    fn is_common(&self, columns: Columns) -> bool {
        columns.slot().each().all(|(bank, at)| self.common[bank as usize][at])
    }

    pub(super) fn const_f(&mut self, value: f32) -> F {
        let to = self.all(OpKind::number(value), ());
        self.floats.note_constant(to, value);
        to
    }

    pub(super) fn const_i(&mut self, value: i64) -> I {
        let to = self.all(OpKind::ConstI(value), ());
        self.integers.insert(to, value);
        to
    }

    pub(super) fn const_b(&mut self, value: bool) -> B {
        let to = self.all(OpKind::ConstB(value), ());
        self.booleans[usize::from(value)] = Some(to);
        to
    }

    /// Returns the number of a column that holds a constant.
    pub(super) fn constant_f(&self, at: F) -> Option<f32> {
        self.floats.constant(at)
    }

    /// Returns the number that a column is known to hold: a constant, or computed from constants.
    pub(super) fn known_f(&self, at: F) -> Option<f32> {
        self.floats.number(at)
    }

    /// Returns whether a column holds an infinite number or NaN for every agent.
    pub(super) fn is_never_finite(&self, at: F) -> bool {
        self.floats.is_never_finite(at)
    }

    /// Returns the integer of a column that holds a constant.
    pub(super) fn constant_i(&self, at: I) -> Option<i64> {
        self.integers.get(&at).copied()
    }

    pub(super) fn f1(&mut self, function: Unary, a: F) -> F {
        let to = self.all(OpKind::Unary(function), a);
        self.floats.note_unary(to, function, a);
        to
    }

    pub(super) fn f2(&mut self, function: Binary, a: F, b: F) -> F {
        let to = self.all(OpKind::Binary(function), (a, b));
        self.floats.note_binary(to, function, a, b);
        to
    }

    pub(super) fn i2(&mut self, function: I2, a: I, b: I, active: B) -> I {
        self.within(active, OpKind::I2(function), (a, b))
    }

    /// Negates an integer. Lanes that overflow are faulted.
    pub(super) fn neg_i(&mut self, a: I, active: B) -> I {
        if let Some(known) = self.constant_i(a).and_then(i64::checked_neg) {
            return self.const_i(known);
        }
        self.within(active, OpKind::NegI, a)
    }

    /// Returns the absolute value of an integer. Lanes that overflow are faulted.
    pub(super) fn abs_i(&mut self, a: I, active: B) -> I {
        self.within(active, OpKind::AbsI, a)
    }

    /// Cuts a float to an integer. Lanes where it is not finite are faulted.
    pub(super) fn as_i(&mut self, a: F, active: B) -> I {
        self.within(active, OpKind::ToI, a)
    }

    pub(super) fn as_f(&mut self, a: I) -> F {
        let to = self.all(OpKind::ToF, a);
        self.floats.note(to, self.constant_i(a).map(|a| a as f32));
        to
    }

    /// Faults all lanes at the start in a world that may allow an agent fewer ways than a number.
    pub(super) fn require_ways(&mut self, wanted: u64) {
        let Some(live) = self.program.live else { return };
        let (most, wanted) = (self.common_i(SharedInteger::Ways), self.const_i(wanted as i64));
        let too_few = self.cmp_i(Compare::Lt, most, wanted);
        // It is the same for all agents, so it ends the program at once, before any agent asks for a way.
        self.program.prologue.push(Op::new(OpKind::Fault, (), (), Some(too_few)));
        // With agents of several worlds, the others go on.
        self.entry.push(Op::new(OpKind::Unfaulted, live, live, None));
    }

    /// Removes the faulted lanes from a mask.
    pub(super) fn drop_faulted(&mut self, mask: B) {
        self.program.body.push(Op::new(OpKind::Unfaulted, mask, mask, None));
    }

    /// Marks lanes as faulted, so that the interpreter takes their turns.
    pub(super) fn fault(&mut self, active: B) {
        self.within(active, OpKind::Fault, ())
    }

    /// Marks those of these lanes as faulted in which the vector is not finite.
    pub(super) fn require_finite(&mut self, a: V, active: B) {
        self.within(active, OpKind::Finite, a)
    }

    pub(super) fn select_f(&mut self, mask: B, yes: F, no: F) -> F {
        match self.known(mask) {
            Some(true) => yes,
            Some(false) => no,
            None if yes == no => yes,
            None => self.all(OpKind::SelectF, (mask, yes, no)),
        }
    }

    /// Selects lane by lane between columns of the same bank.
    pub(super) fn select(&mut self, mask: B, yes: Columns, no: Columns) -> Columns {
        if yes == no {
            return yes;
        }
        match (yes, no) {
            (Columns::V(a), Columns::V(b)) => {
                Columns::V(V(self.select_f(mask, a.0, b.0), self.select_f(mask, a.1, b.1)))
            }
            (Columns::F(_), Columns::F(_)) => self.all(OpKind::SelectF, (mask, yes, no)),
            (Columns::I(_), Columns::I(_)) => self.all(OpKind::SelectI, (mask, yes, no)),
            (Columns::B(_), Columns::B(_)) => self.all(OpKind::SelectB, (mask, yes, no)),
            _ => yes,
        }
    }

    /// Overwrites columns where the mask is set.
    pub(super) fn blend(&mut self, to: Columns, from: Columns, mask: B) {
        let kind = match (to, from) {
            (Columns::V(to), Columns::V(from)) => {
                self.blend(Columns::F(to.0), Columns::F(from.0), mask);
                return self.blend(Columns::F(to.1), Columns::F(from.1), mask);
            }
            (Columns::F(_), Columns::F(_)) => OpKind::BlendF,
            (Columns::I(_), Columns::I(_)) => OpKind::BlendI,
            (Columns::B(_), Columns::B(_)) => OpKind::BlendB,
            _ => return,
        };
        self.program.body.push(Op::new(kind, (from, mask), to, None));
    }

    /// Copies values to new columns, so that later changes do not affect them.
    pub(super) fn copy(&mut self, from: Columns) -> Columns {
        let always = self.const_b(true);
        let to = from.bank().map_or(Columns::None, |bank| self.new_columns(bank));
        self.blend(to, from, always);
        to
    }

    /// Returns columns with the same vector that nothing else shares; those of a constant may be shared.
    pub(super) fn own_columns(&mut self, v: V) -> V {
        if !self.is_common(Columns::V(v)) {
            return v;
        }
        match self.copy(Columns::V(v)) {
            Columns::V(copy) => copy,
            _ => v,
        }
    }

    pub(super) fn length(&mut self, a: V) -> F {
        self.all(OpKind::Length, a)
    }

    pub(super) fn unit(&mut self, a: V) -> V {
        self.all(OpKind::Unit, a)
    }

    /// Limits the length of a vector.
    pub(super) fn limit(&mut self, a: V, longest: F) -> V {
        self.all(OpKind::Limit, (a, longest))
    }

    /// Returns the offset from the agent to a point.
    pub(super) fn offset(&mut self, target: V) -> V {
        self.all(OpKind::Offset, target)
    }

    pub(super) fn common(&mut self, what: SharedNumber) -> F {
        self.all(OpKind::Common(what), ())
    }

    pub(super) fn common_i(&mut self, what: SharedInteger) -> I {
        self.all(OpKind::CommonI(what), ())
    }

    pub(super) fn has_cursor(&mut self) -> B {
        self.all(OpKind::HasCursor, ())
    }

    /// Returns whether an input is true.
    pub(super) fn input(&mut self, index: u16) -> B {
        self.all(OpKind::Input(index), ())
    }

    /// Returns the columns of a param. Lanes of the mask are faulted if the param has another type.
    pub(super) fn param(&mut self, name: &str, ty: Type, active: B) -> Columns {
        let place = self.param_index(name);
        self.within(active, OpKind::Param(place, ty), ())
    }

    /// Returns the agent's own number for a param that is drawn for each agent.
    pub(super) fn own_param(&mut self, name: &str, active: B) -> F {
        let place = self.param_index(name);
        self.within(active, OpKind::OwnParam(place), ())
    }

    fn param_index(&mut self, name: &str) -> u16 {
        let params = &mut self.program.params;
        let place = params.iter().position(|known| **known == *name).unwrap_or_else(|| {
            params.push(name.into());
            params.len() - 1
        });
        place as u16
    }

    pub(super) fn own(&mut self, what: AgentNumber) -> F {
        self.all(OpKind::Own(what), ())
    }

    pub(super) fn own_i(&mut self, what: AgentInteger) -> I {
        self.all(OpKind::OwnI(what), ())
    }

    /// Returns the position and radius of the goal, and whether there is one.
    pub(super) fn goal(&mut self) -> (V, F, B) {
        self.all(OpKind::Goal, ())
    }

    /// Returns the next random number from 0 to 1.
    pub(super) fn draw(&mut self, active: B) -> F {
        self.within(active, OpKind::Draw, ())
    }

    /// Returns the agent's own smooth noise at a moment.
    pub(super) fn noise(&mut self, moment: F) -> F {
        self.all(OpKind::Noise, moment)
    }

    /// Returns a number of the agent in a row.
    pub(super) fn other(&mut self, row: I, what: AgentNumber) -> F {
        self.all(OpKind::Other(what), row)
    }

    /// Returns an integer of the agent in a row.
    pub(super) fn other_i(&mut self, row: I, what: AgentInteger) -> I {
        self.all(OpKind::OtherI(what), row)
    }

    /// Returns a value of the public state of the agent in a row, by the index of its name. Lanes of the mask are faulted
    /// where it is not declared.
    pub(super) fn other_state(&mut self, row: I, name: u16, ty: PublicType, active: B) -> Columns {
        self.within(active, OpKind::OtherState(name, ty), row)
    }

    /// Does the same for a state that is an agent. Returns its row, and whether there is one.
    pub(super) fn agent_in_state(&mut self, row: I, name: u16, active: B) -> (I, B) {
        self.within(active, OpKind::OtherState(name, PublicType::Agent), row)
    }

    /// Returns a shared value, by its index.
    pub(super) fn shared_value(&mut self, index: u16, ty: PublicType) -> Columns {
        self.all(OpKind::SharedValue(index, ty), ())
    }

    /// Does the same for a shared value that is an agent. Returns its row, or -1 if it was removed, and whether there is one.
    pub(super) fn shared_agent(&mut self, index: u16) -> (I, B) {
        self.all(OpKind::SharedValue(index, PublicType::Agent), ())
    }

    /// Returns the result of a query about the agent in a row, and whether there is one.
    pub(super) fn encounter(&mut self, ask: AskOther, row: I, vel: V, active: B) -> (F, B) {
        self.within(active, OpKind::Encounter(ask), (row, vel))
    }

    /// Returns how far the agent's disc could go with a velocity, looking a number of seconds ahead.
    pub(super) fn free(&mut self, velocity: V, horizon: F, active: B) -> F {
        self.within(active, OpKind::Free, (velocity, horizon))
    }

    /// Returns whether another agent that is not faster stands within a radius of a point at a distance
    /// ahead.
    pub(super) fn blocked(&mut self, ahead: F, radius: F, vel: V, active: B) -> B {
        self.within(active, OpKind::Blocked, (ahead, radius, vel))
    }

    /// Returns the first obstacle that a moving disc touches: the distance, the normal, and whether there is
    /// one.
    pub(super) fn first_hit(&mut self, direction: V, length: F, radius: F, active: B) -> (F, V, B) {
        self.within(active, OpKind::FirstHit, (direction, length, radius))
    }

    /// Returns the answer to a question about the world; zero in lanes that are not active.
    pub(super) fn ask(
        &mut self,
        question: Question,
        vel: V,
        [a, b, c]: [V; 3],
        active: B,
    ) -> (V, F) {
        self.ways += u64::from(question.is_about_way());
        self.within(active, OpKind::Ask(question), (vel, a, b, c))
    }

    /// Returns the answer to a question about the neighbors in a neighborhood.
    pub(super) fn ask_neighbors(
        &mut self,
        question: NeighborQuestion,
        near: u16,
        vel: V,
        [a, b, c, d]: [V; 4],
        active: B,
    ) -> V {
        self.within(active, OpKind::AskNeighbors(question, near), (vel, a, b, c, d))
    }

    /// Returns the first point of an obstacle on the line between two points, and whether there is one.
    pub(super) fn ray(&mut self, from: V, target: V, active: B) -> (V, B) {
        self.within(active, OpKind::Ray, (from, target))
    }

    pub(super) fn obstacle(&mut self, ask: AskObstacle, which: I, point: V, active: B) -> V {
        self.within(active, OpKind::Obstacle(ask), (which, point))
    }

    pub(super) fn path(&mut self, ask: AskPath, which: I, point: V, active: B) -> V {
        self.within(active, OpKind::Path(ask), (which, point))
    }

    /// Returns the radius of a path.
    pub(super) fn radius_of_path(&mut self, which: I, active: B) -> F {
        let zero = self.const_f(0.0);
        self.path(AskPath::Radius, which, V(zero, zero), active).0
    }

    /// Returns the number of points of a path.
    pub(super) fn path_count(&mut self, which: I) -> I {
        self.all(OpKind::PathCount, which)
    }

    /// Returns the point of a path that is nearest to a point, and the distance between them.
    pub(super) fn nearest_on_path(&mut self, which: I, point: V, active: B) -> (V, F) {
        self.within(active, OpKind::NearestOnPath, (which, point))
    }

    /// Returns the current waypoint on a path, and whether it is the last.
    pub(super) fn waypoint(&mut self, which: I) -> (V, B) {
        self.all(OpKind::Waypoint, which)
    }

    /// Advances the progress of these lanes along a path.
    pub(super) fn advance(&mut self, which: I, reached: B) {
        self.within(reached, OpKind::Advance, which)
    }

    /// Marks where the operations of a call of a primitive begin; returns the index of the call.
    pub(super) fn begin_call(&mut self, call: Call, active: B) -> u16 {
        let place = self.program.calls.len() as u16;
        self.program.calls.push(call);
        self.within::<()>(active, OpKind::CallStart(place), ());
        place
    }

    /// Marks where the operations of a call of a primitive end, and its result.
    pub(super) fn end_call(&mut self, call: u16, to: V, active: B) {
        self.within(active, OpKind::CallEnd(call), to)
    }

    /// Returns the index of a neighborhood; the same for equal ones.
    pub(super) fn near(&mut self, near: Near) -> u16 {
        let groups = (near.group, near.relation);
        let key = (near.radius, groups, near.view.into(), near.around, near.most);
        let nears = &mut self.program.nears;
        *self.nears.entry(key).or_insert_with(|| {
            nears.push(near);
            (nears.len() - 1) as u16
        })
    }

    /// Adds a table of floats.
    pub(super) fn table_f(&mut self, numbers: Vec<f32>) -> u16 {
        let tables = &mut self.program.tables_f;
        tables.push(numbers);
        (tables.len() - 1) as u16
    }

    /// Adds a table of integers.
    pub(super) fn table_i(&mut self, numbers: Vec<i64>) -> u16 {
        let tables = &mut self.program.tables_i;
        tables.push(numbers);
        (tables.len() - 1) as u16
    }

    /// Looks up an element of a table of floats. Lanes with an index outside of it are faulted.
    pub(super) fn look_up_f(&mut self, table: u16, at: I, active: B) -> F {
        self.within(active, OpKind::TableF(table), at)
    }

    /// Looks up an element of a table of integers. Lanes with an index outside of it are faulted.
    pub(super) fn look_up_i(&mut self, table: u16, at: I, active: B) -> I {
        self.within(active, OpKind::TableI(table), at)
    }

    /// Returns the number of neighbors, the sum of the offsets to them, and the sum of their velocities.
    pub(super) fn means(&mut self, near: u16, active: B) -> (I, V, V) {
        self.within(active, OpKind::Means(near), ())
    }

    pub(super) fn push(&mut self, near: u16, active: B) -> V {
        self.within(active, OpKind::Push(near), ())
    }

    /// Returns the row of the nearest neighbor, and whether there is one.
    pub(super) fn nearest(&mut self, near: u16, active: B) -> (I, B) {
        self.within(active, OpKind::Nearest(near), ())
    }

    /// Returns the lowest row in a neighborhood, and whether there is one.
    pub(super) fn first(&mut self, near: u16, active: B) -> (I, B) {
        self.within(active, OpKind::First(near), ())
    }

    /// Adds a list of a neighborhood's agents in the order of their rows; returns its index and its length.
    pub(super) fn list(&mut self, near: u16, active: B) -> (u16, I) {
        let list = self.program.lists as u16;
        self.program.lists += 1;
        (list, self.within(active, OpKind::List(near, list), ()))
    }

    /// Returns one row of a list.
    pub(super) fn listed(&mut self, list: u16, at: I) -> I {
        self.all(OpKind::Listed(list), at)
    }

    /// Returns the obstacle with an index among those that are there now.
    pub(super) fn present_obstacle(&mut self, at: I) -> I {
        self.all(OpKind::PresentObstacle, at)
    }
}
