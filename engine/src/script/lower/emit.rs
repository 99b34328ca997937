//! Operations as they are written down: new columns for results, and what hangs on no agent set apart.

use std::collections::HashMap;
use std::sync::Arc;

use crate::math::{Binary, Compare, Unary};
use crate::program::{
    AskObstacle, AskOther, AskPath, B, Call, Columns, Common, CommonI, F, I, I2, LANES, Look, Near,
    Of, OfI, Op, Program, Type, V,
};
use crate::world::{GroupId, View};

/// A program under construction.
///
/// Operations go to one of three places: what is the same for all agents of the group to the prologue,
/// what every agent has from the start of its tick (its position, say) to the entry, the rest to the
/// body. What is in the first two is made only once.
#[derive(Default)]
pub(super) struct Emit {
    pub(super) program: Program,
    entry: Vec<Op>,
    common: [Vec<bool>; 3],
    made: HashMap<Pure, Columns>,
    /// The columns of `true` and `false`.
    truths: [Option<B>; 2],
    /// Numbers that columns are known to hold, and whether they are constants or computed from these.
    floats: HashMap<F, (f32, bool)>,
    integers: HashMap<I, i64>,
    /// The places of what is made in the entry.
    placed: HashMap<Pure, usize>,
    nears: HashMap<NearKey, u16>,
}

/// What makes two neighbourhoods the same.
type NearKey = (F, Option<GroupId>, LookKey, Option<V>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum LookKey {
    Around,
    Ahead,
    /// The cosine's bits.
    Cone(u32),
    Over(F),
}

impl From<Look> for LookKey {
    fn from(look: Look) -> Self {
        match look {
            Look::Fixed(View::Around) => Self::Around,
            Look::Fixed(View::Ahead) => Self::Ahead,
            Look::Fixed(View::Cone { cos_half }) => Self::Cone(cos_half.to_bits()),
            Look::Over(angle) => Self::Over(angle),
        }
    }
}

/// Operations and bytes of columns beyond which nothing is lowered: a machine holds so many for each thread.
const MOST_OPS: usize = 60_000;
const MOST_BYTES: usize = 16 << 20;

/// What gives the same result wherever it is done.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Pure {
    ConstF(u32),
    ConstI(i64),
    ConstB(bool),
    F1(Unary, F),
    F2(Binary, F, F),
    ToF(I),
    CmpF(Compare, F, F),
    CmpI(Compare, I, I),
    Not(B),
    And(B, B),
    AndNot(B, B),
    Or(B, B),
    SelectF(B, F, F),
    Length(V),
    Unit(V),
    Common(Common),
    CommonI(CommonI),
    HasCursor,
    Own(Of),
    OwnI(OfI),
    Goal,
    Means(u16),
    Push(u16),
    Nearest(u16),
    Param(Arc<str>, Type),
}

/// Where an operation goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Prologue,
    Entry,
}

impl Emit {
    pub(super) fn f(&mut self) -> F {
        let next = self.program.columns.0;
        self.program.columns.0 += 1;
        self.common[0].push(false);
        F(next as u16)
    }

    pub(super) fn i(&mut self) -> I {
        let next = self.program.columns.1;
        self.program.columns.1 += 1;
        self.common[1].push(false);
        I(next as u16)
    }

    pub(super) fn b(&mut self) -> B {
        let next = self.program.columns.2;
        self.program.columns.2 += 1;
        self.common[2].push(false);
        B(next as u16)
    }

    pub(super) fn v(&mut self) -> V {
        V(self.f(), self.f())
    }

    /// New columns that fit a type.
    pub(super) fn columns(&mut self, of: Type) -> Columns {
        match of {
            Type::Nothing => Columns::None,
            Type::Bool => Columns::B(self.b()),
            Type::Float => Columns::F(self.f()),
            Type::Vector => Columns::V(self.v()),
            Type::Int | Type::Text | Type::Agent | Type::Obstacle | Type::Path => {
                Columns::I(self.i())
            }
        }
    }

    /// Whether there is more than should be done, or than a program can name.
    pub(super) fn is_full(&self) -> bool {
        let (f, i, b) = self.program.columns;
        let ops = self.program.prologue.len() + self.entry.len() + self.program.body.len();
        ops > MOST_OPS || (4 * (f + b) + 8 * i) * LANES > MOST_BYTES
    }

    fn op(&mut self, op: Op) {
        self.program.body.push(op);
    }

    /// The integer that a column holds at the start of each run.
    pub(super) fn starts_as(&mut self, to: I, value: i64) {
        self.program.prologue.push(Op::ConstI { to, value });
    }

    /// The integer, the same for all agents, that a column holds at the start of each run.
    pub(super) fn starts_as_common(&mut self, to: I, what: CommonI) {
        self.program.prologue.push(Op::CommonI { to, what });
    }

    /// Where the next operation of the body will be.
    pub(super) fn here(&self) -> usize {
        self.program.body.len()
    }

    /// A jump whose target is not known yet.
    pub(super) fn skip(&mut self, mask: B) -> usize {
        self.op(Op::SkipIfNone { mask, to: usize::MAX });
        self.here() - 1
    }

    /// Lets a skip end here.
    pub(super) fn land(&mut self, skip: usize) {
        let here = self.here();
        if let Op::SkipIfNone { to, .. } = &mut self.program.body[skip] {
            *to = here;
        }
    }

    /// Goes on at an operation of the body.
    pub(super) fn jump(&mut self, to: usize) {
        self.op(Op::Jump { to });
    }

    /// The program as a whole.
    pub(super) fn finish(mut self) -> Program {
        let shift = self.entry.len();
        for op in &mut self.program.body {
            if let Op::SkipIfNone { to, .. } | Op::Jump { to } = op {
                *to += shift;
            }
        }
        self.entry.append(&mut self.program.body);
        self.program.body = self.entry;
        self.program
    }

    fn is_common(&self, c: Columns) -> bool {
        let [f, i, b] = &self.common;
        match c {
            Columns::None => true,
            Columns::F(a) => f[a.0 as usize],
            Columns::I(a) => i[a.0 as usize],
            Columns::B(a) => b[a.0 as usize],
            Columns::V(V(x, y)) => f[x.0 as usize] && f[y.0 as usize],
        }
    }

    fn mark(&mut self, c: Columns) {
        let [f, i, b] = &mut self.common;
        match c {
            Columns::None => {}
            Columns::F(a) => f[a.0 as usize] = true,
            Columns::I(a) => i[a.0 as usize] = true,
            Columns::B(a) => b[a.0 as usize] = true,
            Columns::V(V(x, y)) => (f[x.0 as usize], f[y.0 as usize]) = (true, true),
        }
    }

    /// Makes a result once, in the prologue or the entry.
    fn once(
        &mut self,
        key: Pure,
        part: Part,
        make: impl FnOnce(&mut Self) -> (Columns, Op),
    ) -> Columns {
        if let Some(&made) = self.made.get(&key) {
            return made;
        }
        let (to, op) = make(self);
        match part {
            Part::Prologue => {
                self.mark(to);
                self.program.prologue.push(op);
            }
            Part::Entry => {
                self.placed.insert(key.clone(), self.entry.len());
                self.entry.push(op);
            }
        }
        self.made.insert(key, to);
        to
    }

    /// Makes a result: once for all where its operands hang on no agent.
    fn pure(
        &mut self,
        key: Pure,
        operands: &[Columns],
        make: impl FnOnce(&mut Self) -> (Columns, Op),
    ) -> Columns {
        if operands.iter().all(|&c| self.is_common(c)) {
            return self.once(key, Part::Prologue, make);
        }
        let (to, op) = make(self);
        self.op(op);
        to
    }

    pub(super) fn const_f(&mut self, value: f32) -> F {
        f_of(self.once(Pure::ConstF(value.to_bits()), Part::Prologue, |e| {
            let to = e.f();
            e.floats.insert(to, (value, true));
            (Columns::F(to), Op::ConstF { to, value })
        }))
    }

    pub(super) fn const_i(&mut self, value: i64) -> I {
        i_of(self.once(Pure::ConstI(value), Part::Prologue, |e| {
            let to = e.i();
            e.integers.insert(to, value);
            (Columns::I(to), Op::ConstI { to, value })
        }))
    }

    pub(super) fn const_b(&mut self, value: bool) -> B {
        b_of(self.once(Pure::ConstB(value), Part::Prologue, |e| {
            let to = e.b();
            e.truths[usize::from(value)] = Some(to);
            (Columns::B(to), Op::ConstB { to, value })
        }))
    }

    /// Whether a truth value is known now.
    pub(super) fn known(&self, a: B) -> Option<bool> {
        [true, false].into_iter().find(|&value| self.truths[usize::from(value)] == Some(a))
    }

    /// The number of a constant.
    pub(super) fn constant_f(&self, at: F) -> Option<f32> {
        let known = self.floats.get(&at);
        known.filter(|(_, is_constant)| *is_constant).map(|(x, _)| *x)
    }

    /// The number that a column is known to hold: of a constant, or computed from some.
    pub(super) fn known_f(&self, at: F) -> Option<f32> {
        self.floats.get(&at).map(|(x, _)| *x)
    }

    /// The integer of a constant.
    pub(super) fn constant_i(&self, at: I) -> Option<i64> {
        self.integers.get(&at).copied()
    }

    /// Notes the number that a column holds which is computed from what is known.
    fn note(&mut self, at: F, value: Option<f32>) {
        if let Some(value) = value {
            self.floats.entry(at).or_insert((value, false));
        }
    }

    pub(super) fn f1(&mut self, op: Unary, a: F) -> F {
        f_of(self.pure(Pure::F1(op, a), &[Columns::F(a)], |e| {
            let to = e.f();
            let known = e.known_f(a).filter(|_| op == Unary::Neg);
            e.note(to, known.map(|a| -a));
            (Columns::F(to), Op::F1 { op, to, a })
        }))
    }

    pub(super) fn f2(&mut self, op: Binary, a: F, b: F) -> F {
        f_of(self.pure(Pure::F2(op, a, b), &[Columns::F(a), Columns::F(b)], |e| {
            let to = e.f();
            let known = e.known_f(a).zip(e.known_f(b));
            let known = known.and_then(|(a, b)| match op {
                Binary::Add => Some(a + b),
                Binary::Sub => Some(a - b),
                Binary::Mul => Some(a * b),
                Binary::Div => Some(a / b),
                _ => None,
            });
            e.note(to, known);
            (Columns::F(to), Op::F2 { op, to, a, b })
        }))
    }

    /// Checked: never made ahead, since it may be at fault.
    pub(super) fn i2(&mut self, op: I2, a: I, b: I, active: B) -> I {
        let to = self.i();
        self.op(Op::I2 { op, to, a, b, active });
        to
    }

    /// Negated, checked.
    pub(super) fn neg_i(&mut self, a: I, active: B) -> I {
        let to = self.i();
        self.op(Op::NegI { to, a, active });
        to
    }

    /// The absolute value, checked.
    pub(super) fn abs_i(&mut self, a: I, active: B) -> I {
        let to = self.i();
        self.op(Op::AbsI { to, a, active });
        to
    }

    /// Cut to an integer; at fault where not finite.
    pub(super) fn as_i(&mut self, a: F, active: B) -> I {
        let to = self.i();
        self.op(Op::ToI { to, a, active });
        to
    }

    pub(super) fn as_f(&mut self, a: I) -> F {
        f_of(self.pure(Pure::ToF(a), &[Columns::I(a)], |e| {
            let to = e.f();
            e.note(to, e.constant_i(a).map(|a| a as f32));
            (Columns::F(to), Op::ToF { to, a })
        }))
    }

    pub(super) fn cmp_f(&mut self, op: Compare, a: F, b: F) -> B {
        b_of(self.pure(Pure::CmpF(op, a, b), &[Columns::F(a), Columns::F(b)], |e| {
            let to = e.b();
            (Columns::B(to), Op::CmpF { op, to, a, b })
        }))
    }

    pub(super) fn cmp_i(&mut self, op: Compare, a: I, b: I) -> B {
        b_of(self.pure(Pure::CmpI(op, a, b), &[Columns::I(a), Columns::I(b)], |e| {
            let to = e.b();
            (Columns::B(to), Op::CmpI { op, to, a, b })
        }))
    }

    pub(super) fn not(&mut self, a: B) -> B {
        if let Some(known) = self.known(a) {
            return self.const_b(!known);
        }
        b_of(self.pure(Pure::Not(a), &[Columns::B(a)], |e| {
            let to = e.b();
            (Columns::B(to), Op::Not { to, a })
        }))
    }

    pub(super) fn and(&mut self, a: B, b: B) -> B {
        match (self.known(a), self.known(b)) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) | (_, Some(false)) => return self.const_b(false),
            _ if a == b => return a,
            _ => {}
        }
        b_of(self.pure(Pure::And(a, b), &[Columns::B(a), Columns::B(b)], |e| {
            let to = e.b();
            (Columns::B(to), Op::And { to, a, b })
        }))
    }

    pub(super) fn and_not(&mut self, a: B, b: B) -> B {
        match (self.known(a), self.known(b)) {
            (_, Some(false)) => return a,
            (Some(false), _) | (_, Some(true)) => return self.const_b(false),
            _ => {}
        }
        b_of(self.pure(Pure::AndNot(a, b), &[Columns::B(a), Columns::B(b)], |e| {
            let to = e.b();
            (Columns::B(to), Op::AndNot { to, a, b })
        }))
    }

    pub(super) fn or(&mut self, a: B, b: B) -> B {
        match (self.known(a), self.known(b)) {
            (Some(false), _) => return b,
            (_, Some(false)) => return a,
            (Some(true), _) | (_, Some(true)) => return self.const_b(true),
            _ if a == b => return a,
            _ => {}
        }
        b_of(self.pure(Pure::Or(a, b), &[Columns::B(a), Columns::B(b)], |e| {
            let to = e.b();
            (Columns::B(to), Op::Or { to, a, b })
        }))
    }

    /// Equal booleans.
    pub(super) fn same(&mut self, a: B, b: B) -> B {
        let to = self.b();
        self.op(Op::Same { to, a, b });
        to
    }

    pub(super) fn is_finite(&mut self, a: F) -> B {
        let to = self.b();
        self.op(Op::IsFinite { to, a });
        to
    }

    pub(super) fn is_nan(&mut self, a: F) -> B {
        let to = self.b();
        self.op(Op::IsNan { to, a });
        to
    }

    /// The lanes at fault are no longer in this mask.
    pub(super) fn drop_faulted(&mut self, mask: B) {
        self.op(Op::Unfaulted { to: mask, a: mask });
    }

    /// Leaves these lanes to the interpreter.
    pub(super) fn fault(&mut self, active: B) {
        self.op(Op::Fault { active });
    }

    /// Leaves those of these lanes to the interpreter in which the vector is not finite.
    pub(super) fn finite(&mut self, a: V, active: B) {
        self.op(Op::Finite { a, active });
    }

    pub(super) fn select_f(&mut self, mask: B, yes: F, no: F) -> F {
        if yes == no {
            return yes;
        }
        let operands = [Columns::B(mask), Columns::F(yes), Columns::F(no)];
        f_of(self.pure(Pure::SelectF(mask, yes, no), &operands, |e| {
            let to = e.f();
            (Columns::F(to), Op::SelectF { to, mask, yes, no })
        }))
    }

    /// Chooses lane by lane between columns of the same bank.
    pub(super) fn select(&mut self, mask: B, yes: Columns, no: Columns) -> Columns {
        if yes == no {
            return yes;
        }
        match (yes, no) {
            (Columns::F(a), Columns::F(b)) => Columns::F(self.select_f(mask, a, b)),
            (Columns::V(a), Columns::V(b)) => {
                Columns::V(V(self.select_f(mask, a.0, b.0), self.select_f(mask, a.1, b.1)))
            }
            (Columns::I(yes), Columns::I(no)) => {
                let to = self.i();
                self.op(Op::SelectI { to, mask, yes, no });
                Columns::I(to)
            }
            (Columns::B(yes), Columns::B(no)) => {
                let to = self.b();
                self.op(Op::SelectB { to, mask, yes, no });
                Columns::B(to)
            }
            _ => yes,
        }
    }

    /// Changes columns where the mask is set.
    pub(super) fn blend(&mut self, to: Columns, from: Columns, mask: B) {
        match (to, from) {
            (Columns::F(to), Columns::F(from)) => self.op(Op::BlendF { to, from, mask }),
            (Columns::I(to), Columns::I(from)) => self.op(Op::BlendI { to, from, mask }),
            (Columns::B(to), Columns::B(from)) => self.op(Op::BlendB { to, from, mask }),
            (Columns::V(V(x, y)), Columns::V(V(from_x, from_y))) => {
                self.op(Op::BlendF { to: x, from: from_x, mask });
                self.op(Op::BlendF { to: y, from: from_y, mask });
            }
            _ => {}
        }
    }

    /// The same values in columns of their own, which later changes leave alone.
    pub(super) fn copy(&mut self, from: Columns) -> Columns {
        let always = self.const_b(true);
        let to = match from {
            Columns::None => Columns::None,
            Columns::F(_) => Columns::F(self.f()),
            Columns::I(_) => Columns::I(self.i()),
            Columns::B(_) => Columns::B(self.b()),
            Columns::V(_) => Columns::V(self.v()),
        };
        self.blend(to, from, always);
        to
    }

    pub(super) fn length(&mut self, a: V) -> F {
        f_of(self.pure(Pure::Length(a), &[Columns::V(a)], |e| {
            let to = e.f();
            (Columns::F(to), Op::Length { to, a })
        }))
    }

    pub(super) fn unit(&mut self, a: V) -> V {
        v_of(self.pure(Pure::Unit(a), &[Columns::V(a)], |e| {
            let to = e.v();
            (Columns::V(to), Op::Unit { to, a })
        }))
    }

    /// No longer than this.
    pub(super) fn limit(&mut self, a: V, longest: F) -> V {
        let to = self.v();
        self.op(Op::Limit { to, a, longest });
        to
    }

    /// The way from the agent to a point.
    pub(super) fn offset(&mut self, target: V) -> V {
        let to = self.v();
        self.op(Op::Offset { to, target });
        to
    }

    pub(super) fn common(&mut self, what: Common) -> F {
        f_of(self.once(Pure::Common(what), Part::Prologue, |e| {
            let to = e.f();
            (Columns::F(to), Op::Common { to, what })
        }))
    }

    pub(super) fn common_i(&mut self, what: CommonI) -> I {
        i_of(self.once(Pure::CommonI(what), Part::Prologue, |e| {
            let to = e.i();
            (Columns::I(to), Op::CommonI { to, what })
        }))
    }

    pub(super) fn has_cursor(&mut self) -> B {
        b_of(self.once(Pure::HasCursor, Part::Prologue, |e| {
            let to = e.b();
            (Columns::B(to), Op::HasCursor { to })
        }))
    }

    /// A parameter. Nobody is at fault for one that the script does not come by.
    pub(super) fn param(&mut self, name: &str, is: Type, active: B) -> Columns {
        let name: Arc<str> = name.into();
        self.once(Pure::Param(name.clone(), is), Part::Prologue, |e| {
            let to = e.columns(is);
            (to, Op::Param { to, name, is, active })
        })
    }

    pub(super) fn own(&mut self, what: Of) -> F {
        f_of(self.once(Pure::Own(what), Part::Entry, |e| {
            let to = e.f();
            (Columns::F(to), Op::Own { to, what })
        }))
    }

    pub(super) fn own_i(&mut self, what: OfI) -> I {
        i_of(self.once(Pure::OwnI(what), Part::Entry, |e| {
            let to = e.i();
            (Columns::I(to), Op::OwnI { to, what })
        }))
    }

    /// The goal: where, its radius, and whether there is one.
    pub(super) fn goal(&mut self) -> (V, F, B) {
        let at = v_of(self.once(Pure::Goal, Part::Entry, |e| {
            let (at, radius, is) = (e.v(), e.f(), e.b());
            (Columns::V(at), Op::Goal { at, radius, is })
        }));
        match self.entry_op(&Pure::Goal) {
            Some(&Op::Goal { radius, is, .. }) => (at, radius, is),
            _ => unreachable!("it has just been made"),
        }
    }

    /// The next random number from 0 to 1.
    pub(super) fn draw(&mut self, active: B) -> F {
        let to = self.f();
        self.op(Op::Draw { to, active });
        to
    }

    /// A number of the agent of a row.
    pub(super) fn other(&mut self, row: I, what: Of) -> F {
        let to = self.f();
        self.op(Op::Other { to, row, what });
        to
    }

    /// The agent's own smooth noise at a moment of it.
    pub(super) fn noise(&mut self, moment: F) -> F {
        let to = self.f();
        self.op(Op::Noise { to, moment });
        to
    }

    /// Whether another agent that is not faster stands within a radius of the point so far ahead.
    pub(super) fn blocked(&mut self, ahead: F, radius: F, vel: V, active: B) -> B {
        let to = self.b();
        self.op(Op::Blocked { to, ahead, radius, vel, active });
        to
    }

    /// The first obstacle that a disc touches on a way: its distance, the normal, and whether there is one.
    pub(super) fn first_hit(&mut self, direction: V, length: F, radius: F, active: B) -> (F, V, B) {
        let (distance, normal, is) = (self.f(), self.v(), self.b());
        self.op(Op::FirstHit { distance, normal, is, direction, length, radius, active });
        (distance, normal, is)
    }

    /// The radius of a path.
    pub(super) fn radius_of_path(&mut self, which: I, active: B) -> F {
        let zero = self.const_f(0.0);
        self.path(AskPath::Radius, which, V(zero, zero), active).0
    }

    /// The point of a path nearest to a point, and how far that is.
    pub(super) fn nearest_on_path(&mut self, which: I, point: V, active: B) -> (V, F) {
        let (at, distance) = (self.v(), self.f());
        self.op(Op::NearestOnPath { at, distance, which, point, active });
        (at, distance)
    }

    /// The current waypoint on a path, and whether nothing follows it.
    pub(super) fn waypoint(&mut self, which: I) -> (V, B) {
        let (to, is_last) = (self.v(), self.b());
        self.op(Op::Waypoint { to, is_last, which });
        (to, is_last)
    }

    /// Moves the agents of a mask on along a path.
    pub(super) fn advance(&mut self, which: I, reached: B) {
        self.op(Op::Advance { which, reached });
    }

    /// Columns of one's own with the same vector: others may read the columns of a constant too.
    pub(super) fn own_columns(&mut self, v: V) -> V {
        if !self.is_common(Columns::V(v)) {
            return v;
        }
        match self.copy(Columns::V(v)) {
            Columns::V(copy) => copy,
            _ => v,
        }
    }

    /// An integer of the agent of a row.
    pub(super) fn other_i(&mut self, row: I, what: OfI) -> I {
        let to = self.i();
        self.op(Op::OtherI { to, row, what });
        to
    }

    /// What is asked about the agent of a row, and whether there is an answer.
    pub(super) fn encounter(&mut self, ask: AskOther, row: I, vel: V, active: B) -> (F, B) {
        let (to, is) = (self.f(), self.b());
        self.op(Op::Encounter { ask, to, is, row, vel, active });
        (to, is)
    }

    /// How far the agent's disc could go with a velocity, for so many seconds.
    pub(super) fn free(&mut self, velocity: V, horizon: F, active: B) -> F {
        let to = self.f();
        self.op(Op::Free { to, velocity, horizon, active });
        to
    }

    /// The first place of an obstacle on the way between two points, and whether there is one.
    pub(super) fn ray(&mut self, from: V, target: V, active: B) -> (V, B) {
        let (to, is) = (self.v(), self.b());
        self.op(Op::Ray { to, is, from, target, active });
        (to, is)
    }

    pub(super) fn obstacle(&mut self, ask: AskObstacle, which: I, point: V, active: B) -> V {
        let to = self.v();
        self.op(Op::Obstacle { ask, to, which, point, active });
        to
    }

    pub(super) fn path(&mut self, ask: AskPath, which: I, point: V, active: B) -> V {
        let to = self.v();
        self.op(Op::Path { ask, to, which, point, active });
        to
    }

    /// How many points a path has.
    pub(super) fn path_count(&mut self, which: I) -> I {
        let to = self.i();
        self.op(Op::PathCount { to, which });
        to
    }

    /// Notes that a primitive is about to be read.
    pub(super) fn asked(&mut self, call: Arc<Call>, active: B) {
        self.op(Op::Asked { call, active });
    }

    /// Notes what it gave.
    pub(super) fn gave(&mut self, call: Arc<Call>, to: V, active: B) {
        self.op(Op::Gave { call, to, active });
    }

    /// The number of a neighbourhood, the same for equal ones.
    pub(super) fn near(&mut self, near: Near) -> u16 {
        let key = (near.radius, near.group, near.view.into(), near.around);
        let nears = &mut self.program.nears;
        *self.nears.entry(key).or_insert_with(|| {
            nears.push(near);
            (nears.len() - 1) as u16
        })
    }

    /// A new table of numbers.
    pub(super) fn table_f(&mut self, numbers: Vec<f32>) -> u16 {
        let tables = &mut self.program.tables_f;
        tables.push(numbers);
        (tables.len() - 1) as u16
    }

    /// A new table of integers.
    pub(super) fn table_i(&mut self, numbers: Vec<i64>) -> u16 {
        let tables = &mut self.program.tables_i;
        tables.push(numbers);
        (tables.len() - 1) as u16
    }

    /// The element of a table of numbers; at fault where there is none.
    pub(super) fn look_up_f(&mut self, table: u16, at: I, active: B) -> F {
        let to = self.f();
        self.op(Op::TableF { table, to, at, active });
        to
    }

    /// The element of a table of integers; at fault where there is none.
    pub(super) fn look_up_i(&mut self, table: u16, at: I, active: B) -> I {
        let to = self.i();
        self.op(Op::TableI { table, to, at, active });
        to
    }

    /// The operation in the entry that makes something.
    fn entry_op(&self, key: &Pure) -> Option<&Op> {
        self.placed.get(key).map(|&place| &self.entry[place])
    }

    /// Whether what a neighbourhood sums up to is made once for every agent: where all agents come by,
    /// and its radius hangs on none of them.
    fn is_for_all(&mut self, near: u16, active: B) -> bool {
        let all = self.program.live == Some(active);
        let near = &mut self.program.nears[near as usize];
        let (radius, view) = (near.radius, near.view);
        let shared = near.around.is_none()
            && self.common[0][radius.0 as usize]
            && match view {
                Look::Fixed(_) => true,
                Look::Over(angle) => self.common[0][angle.0 as usize],
            };
        if all && shared {
            near.shared = true;
        }
        all && shared
    }

    fn sensed(
        &mut self,
        key: Pure,
        near: u16,
        active: B,
        make: impl FnOnce(&mut Self) -> Op,
    ) -> Op {
        if let Some(op) = self.entry_op(&key) {
            return op.clone();
        }
        let op = make(self);
        if self.is_for_all(near, active) {
            self.placed.insert(key, self.entry.len());
            self.entry.push(op.clone());
            return op;
        }
        self.op(op.clone());
        op
    }

    /// How many, the sum of the ways to them, the sum of their velocities.
    pub(super) fn means(&mut self, near: u16, active: B) -> (I, V, V) {
        let op = self.sensed(Pure::Means(near), near, active, |e| {
            let (count, offsets, velocities) = (e.i(), e.v(), e.v());
            Op::Means { near, count, offsets, velocities, active }
        });
        match op {
            Op::Means { count, offsets, velocities, .. } => (count, offsets, velocities),
            _ => unreachable!("this operation gives these"),
        }
    }

    pub(super) fn push(&mut self, near: u16, active: B) -> V {
        let op = self.sensed(Pure::Push(near), near, active, |e| {
            let to = e.v();
            Op::Push { near, to, active }
        });
        match op {
            Op::Push { to, .. } => to,
            _ => unreachable!("this operation gives this"),
        }
    }

    /// The row of the nearest, and whether there is one.
    pub(super) fn nearest(&mut self, near: u16, active: B) -> (I, B) {
        let op = self.sensed(Pure::Nearest(near), near, active, |e| {
            let (row, found) = (e.i(), e.b());
            Op::Nearest { near, row, found, active }
        });
        match op {
            Op::Nearest { row, found, .. } => (row, found),
            _ => unreachable!("this operation gives these"),
        }
    }

    /// The lowest row of a neighborhood, and whether there is one.
    pub(super) fn first(&mut self, near: u16, active: B) -> (I, B) {
        let (row, found) = (self.i(), self.b());
        self.op(Op::First { near, row, found, active });
        (row, found)
    }

    /// A new list of a neighborhood's agents in the order of their rows, and how many they are.
    pub(super) fn list(&mut self, near: u16, active: B) -> (u16, I) {
        let list = self.program.lists as u16;
        self.program.lists += 1;
        let count = self.i();
        self.op(Op::List { near, list, count, active });
        (list, count)
    }

    /// One of the rows of a list.
    pub(super) fn listed(&mut self, list: u16, at: I) -> I {
        let row = self.i();
        self.op(Op::Listed { list, at, row });
        row
    }
}

fn f_of(c: Columns) -> F {
    match c {
        Columns::F(f) => f,
        _ => unreachable!("a column of numbers"),
    }
}

fn i_of(c: Columns) -> I {
    match c {
        Columns::I(i) => i,
        _ => unreachable!("a column of integers"),
    }
}

fn b_of(c: Columns) -> B {
    match c {
        Columns::B(b) => b,
        _ => unreachable!("a column of booleans"),
    }
}

fn v_of(c: Columns) -> V {
    match c {
        Columns::V(v) => v,
        _ => unreachable!("a vector"),
    }
}
