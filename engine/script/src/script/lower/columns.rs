//! Reads definitions as columns: each step of a body becomes an operation for all agents of a block at once.

use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::Lowering;
use super::emit::Emitter;
use crate::math::{Binary, Compare, Unary};
use crate::program::{AgentNumber, B, Columns, F, I, SharedNumber, V};
use crate::steer::{self, Algebra, Choose, FirstHit, NeighborSums, Perception};
use crate::world::{NeighborQuestion, Question};

/// Where a body is read: the program under construction, and the lanes that take part.
pub(super) struct ColumnContext {
    emit: RefCell<Emitter>,
    active: B,
    vel: V,
    /// Whether all agents of the group have the same body.
    one_body: bool,
}

/// The algebra whose values are columns.
#[derive(Clone, Copy)]
pub(super) struct AsColumns<'s>(&'s ColumnContext);

/// A number for each agent.
#[derive(Clone, Copy)]
pub(in crate::script) struct NumberColumn<'s> {
    context: &'s ColumnContext,
    pub(super) at: F,
}

/// A vector for each agent.
#[derive(Clone, Copy)]
pub(in crate::script) struct VectorColumns<'s> {
    context: &'s ColumnContext,
    pub(super) at: V,
}

/// A boolean for each agent.
#[derive(Clone, Copy)]
pub(in crate::script) struct BooleanColumn<'s> {
    context: &'s ColumnContext,
    pub(super) at: B,
}

impl Lowering<'_> {
    /// Reads a body for the lanes that get here; `None` if no lane can.
    pub(super) fn read_as_columns<R>(
        &mut self,
        body: impl FnOnce(&AsColumns<'_>) -> R,
    ) -> Option<R> {
        let (active, vel, one_body) = (self.active?, self.vel, self.facts.kind.one_body);
        let emit = RefCell::new(std::mem::take(&mut self.emit));
        let context = ColumnContext { emit, active, vel, one_body };
        let result = body(&AsColumns(&context));
        self.emit = context.emit.into_inner();
        Some(result)
    }
}

impl<'s> AsColumns<'s> {
    /// Wraps a column as a number.
    pub(super) fn number_at(self, at: F) -> NumberColumn<'s> {
        NumberColumn { context: self.0, at }
    }

    /// Wraps columns as a vector.
    pub(super) fn vector_at(self, at: V) -> VectorColumns<'s> {
        VectorColumns { context: self.0, at }
    }

    /// Wraps a column as a boolean.
    pub(super) fn boolean_at(self, at: B) -> BooleanColumn<'s> {
        BooleanColumn { context: self.0, at }
    }

    /// Emits operations.
    pub(super) fn emit<R>(self, write: impl FnOnce(&mut Emitter) -> R) -> R {
        write(&mut self.0.emit.borrow_mut())
    }

    /// Emits operations that need the mask of the lanes that take part.
    pub(super) fn emit_active<R>(self, write: impl FnOnce(&mut Emitter, B) -> R) -> R {
        self.emit(|emit| write(emit, self.0.active))
    }

    fn own(self, x: AgentNumber, y: AgentNumber) -> VectorColumns<'s> {
        self.vector_at(self.emit(|emit| V(emit.own(x), emit.own(y))))
    }

    /// Returns a number of the agent's body, which may be the same for all agents of the group.
    fn own_body(self, own: AgentNumber, shared: SharedNumber) -> NumberColumn<'s> {
        let one_body = self.0.one_body;
        self.number_at(self.emit(|emit| if one_body { emit.common(shared) } else { emit.own(own) }))
    }

    fn other(self, row: I, x: AgentNumber, y: AgentNumber) -> VectorColumns<'s> {
        self.vector_at(self.emit(|emit| V(emit.other(row, x), emit.other(row, y))))
    }

    fn common(self, x: SharedNumber, y: SharedNumber) -> VectorColumns<'s> {
        self.vector_at(self.emit(|emit| V(emit.common(x), emit.common(y))))
    }
}

impl<'s> Algebra for AsColumns<'s> {
    type Number = NumberColumn<'s>;
    type Vector = VectorColumns<'s>;
    type Boolean = BooleanColumn<'s>;
    type Agent = I;
    type Neighbors = u16;
    type Path = I;
    type Field = I;

    fn number(&self, x: f32) -> NumberColumn<'s> {
        self.number_at(self.emit(|emit| emit.const_f(x)))
    }

    fn where_true(
        &self,
        which: BooleanColumn<'s>,
        vector: impl FnOnce() -> VectorColumns<'s>,
    ) -> VectorColumns<'s> {
        let zero = self.zero();
        match self.emit(|emit| emit.known(which.at)) {
            Some(true) => return vector(),
            Some(false) => return zero,
            None => {}
        }
        let (to, skip) = self.emit(|emit| {
            let to = emit.copy(Columns::V(zero.at));
            let anywhere = emit.and(self.0.active, which.at);
            (to, emit.skip(anywhere))
        });
        let vector = vector();
        self.emit(|emit| {
            emit.blend(to, Columns::V(vector.at), which.at);
            emit.end_skip(skip);
            match to {
                Columns::V(at) => self.vector_at(at),
                _ => unreachable!("a copy is of the same bank"),
            }
        })
    }

    fn always(&self) -> BooleanColumn<'s> {
        self.boolean_at(self.emit(|emit| emit.const_b(true)))
    }
}

impl<'s> Perception for AsColumns<'s> {
    fn pos(&self) -> VectorColumns<'s> {
        self.own(AgentNumber::PosX, AgentNumber::PosY)
    }

    fn vel(&self) -> VectorColumns<'s> {
        self.vector_at(self.0.vel)
    }

    fn heading(&self) -> VectorColumns<'s> {
        self.own(AgentNumber::HeadingX, AgentNumber::HeadingY)
    }

    fn radius(&self) -> NumberColumn<'s> {
        self.own_body(AgentNumber::Radius, SharedNumber::Radius)
    }

    fn mass(&self) -> NumberColumn<'s> {
        self.own_body(AgentNumber::Mass, SharedNumber::Mass)
    }

    fn to(&self, point: VectorColumns<'s>) -> VectorColumns<'s> {
        self.vector_at(self.emit(|emit| emit.offset(point.at)))
    }

    fn pos_of(&self, other: I) -> VectorColumns<'s> {
        self.other(other, AgentNumber::PosX, AgentNumber::PosY)
    }

    fn vel_of(&self, other: I) -> VectorColumns<'s> {
        self.other(other, AgentNumber::VelX, AgentNumber::VelY)
    }

    fn heading_of(&self, other: I) -> VectorColumns<'s> {
        self.other(other, AgentNumber::HeadingX, AgentNumber::HeadingY)
    }

    fn row_of(&self, other: I) -> NumberColumn<'s> {
        self.number_at(self.emit(|emit| emit.as_f(other)))
    }

    fn index_of(&self, field: I) -> NumberColumn<'s> {
        self.number_at(self.emit(|emit| emit.as_f(field)))
    }

    fn time(&self) -> NumberColumn<'s> {
        self.number_at(self.emit(|emit| emit.common(SharedNumber::Time)))
    }

    fn space(&self) -> (VectorColumns<'s>, VectorColumns<'s>) {
        (
            self.common(SharedNumber::MinX, SharedNumber::MinY),
            self.common(SharedNumber::SizeX, SharedNumber::SizeY),
        )
    }

    fn noise(&self, moment: NumberColumn<'s>) -> NumberColumn<'s> {
        self.number_at(self.emit(|emit| emit.noise(moment.at)))
    }

    fn means(&self, near: u16) -> NeighborSums<Self> {
        let (nobody, offsets, velocities) = self.emit(|emit| {
            let (count, offsets, velocities) = emit.means(near, self.0.active);
            let zero = emit.const_i(0);
            (emit.cmp_i(Compare::Eq, count, zero), offsets, velocities)
        });
        NeighborSums {
            is_empty: self.boolean_at(nobody),
            offsets: self.vector_at(offsets),
            velocities: self.vector_at(velocities),
        }
    }

    fn push(&self, near: u16) -> VectorColumns<'s> {
        self.vector_at(self.emit(|emit| emit.push(near, self.0.active)))
    }

    fn is_blocked(&self, ahead: NumberColumn<'s>, radius: NumberColumn<'s>) -> BooleanColumn<'s> {
        let ColumnContext { vel, active, .. } = *self.0;
        self.boolean_at(self.emit(|emit| emit.blocked(ahead.at, radius.at, vel, active)))
    }

    fn first_hit(
        &self,
        asked: BooleanColumn<'s>,
        direction: VectorColumns<'s>,
        length: NumberColumn<'s>,
        radius: NumberColumn<'s>,
    ) -> FirstHit<Self> {
        let (distance, normal, found) = self.emit(|emit| {
            let active = emit.and(self.0.active, asked.at);
            emit.first_hit(direction.at, length.at, radius.at, active)
        });
        FirstHit {
            found: self.boolean_at(found),
            distance: self.number_at(distance),
            normal: self.vector_at(normal),
        }
    }

    fn ask(
        &self,
        asked: BooleanColumn<'s>,
        question: Question,
        about: [VectorColumns<'s>; 3],
    ) -> (VectorColumns<'s>, NumberColumn<'s>) {
        let ColumnContext { vel, active, .. } = *self.0;
        let (vector, number) = self.emit(|emit| {
            let active = emit.and(active, asked.at);
            emit.ask(question, vel, about.map(|vector| vector.at), active)
        });
        (self.vector_at(vector), self.number_at(number))
    }

    fn ask_neighbors(
        &self,
        question: NeighborQuestion,
        near: u16,
        about: [VectorColumns<'s>; 4],
    ) -> VectorColumns<'s> {
        let ColumnContext { vel, active, .. } = *self.0;
        let about = about.map(|vector| vector.at);
        self.vector_at(self.emit(|emit| emit.ask_neighbors(question, near, vel, about, active)))
    }

    fn radius_of(&self, path: I) -> NumberColumn<'s> {
        self.number_at(self.emit(|emit| emit.radius_of_path(path, self.0.active)))
    }

    fn nearest_on(
        &self,
        path: I,
        point: VectorColumns<'s>,
    ) -> (VectorColumns<'s>, NumberColumn<'s>) {
        let (at, distance) = self.emit(|emit| emit.nearest_on_path(path, point.at, self.0.active));
        (self.vector_at(at), self.number_at(distance))
    }

    fn waypoint(&self, path: I) -> VectorColumns<'s> {
        self.vector_at(self.emit(|emit| emit.waypoint(path)).0)
    }

    fn is_at_last_waypoint(&self, path: I) -> BooleanColumn<'s> {
        self.boolean_at(self.emit(|emit| emit.waypoint(path)).1)
    }

    fn advance(&self, path: I, reached: BooleanColumn<'s>) {
        self.emit(|emit| {
            let reached = emit.and(self.0.active, reached.at);
            emit.advance(path, reached);
        });
    }
}

macro_rules! operator {
    ($trait:ident $method:ident: $left:ident $right:ident, |$emit:ident, $a:ident, $b:ident| $op:expr) => {
        impl<'s> $trait<$right<'s>> for $left<'s> {
            type Output = $left<'s>;

            fn $method(self, other: $right<'s>) -> $left<'s> {
                let ($a, $b) = (self.at, other.at);
                let $emit = &mut *self.context.emit.borrow_mut();
                $left { at: $op, ..self }
            }
        }
    };
}

operator!(Add add: NumberColumn NumberColumn, |emit, a, b| emit.f2(Binary::Add, a, b));
operator!(Sub sub: NumberColumn NumberColumn, |emit, a, b| emit.f2(Binary::Sub, a, b));
operator!(Mul mul: NumberColumn NumberColumn, |emit, a, b| emit.f2(Binary::Mul, a, b));
operator!(Div div: NumberColumn NumberColumn, |emit, a, b| emit.f2(Binary::Div, a, b));
operator!(Add add: VectorColumns VectorColumns, |emit, a, b| each(emit, Binary::Add, a, b));
operator!(Sub sub: VectorColumns VectorColumns, |emit, a, b| each(emit, Binary::Sub, a, b));
operator!(Mul mul: VectorColumns VectorColumns, |emit, a, b| each(emit, Binary::Mul, a, b));
operator!(Div div: VectorColumns VectorColumns, |emit, a, b| each(emit, Binary::Div, a, b));
operator!(Mul mul: VectorColumns NumberColumn, |emit, a, b| each(emit, Binary::Mul, a, V(b, b)));
operator!(Div div: VectorColumns NumberColumn, |emit, a, b| each(emit, Binary::Div, a, V(b, b)));
operator!(BitAnd bitand: BooleanColumn BooleanColumn, |emit, a, b| emit.and(a, b));
operator!(BitOr bitor: BooleanColumn BooleanColumn, |emit, a, b| emit.or(a, b));

/// Applies a function to both components of two vectors.
fn each(emit: &mut Emitter, function: Binary, a: V, b: V) -> V {
    V(emit.f2(function, a.0, b.0), emit.f2(function, a.1, b.1))
}

impl Neg for NumberColumn<'_> {
    type Output = Self;

    fn neg(self) -> Self {
        steer::Number::unary(self, Unary::Neg)
    }
}

impl Neg for VectorColumns<'_> {
    type Output = Self;

    fn neg(self) -> Self {
        let emit = &mut *self.context.emit.borrow_mut();
        let V(x, y) = self.at;
        Self { at: V(emit.f1(Unary::Neg, x), emit.f1(Unary::Neg, y)), ..self }
    }
}

impl Not for BooleanColumn<'_> {
    type Output = Self;

    fn not(self) -> Self {
        Self { at: self.context.emit.borrow_mut().not(self.at), ..self }
    }
}

impl steer::Boolean for BooleanColumn<'_> {}

impl<'s> Choose for NumberColumn<'s> {
    type Boolean = BooleanColumn<'s>;

    fn choose(which: BooleanColumn<'s>, yes: Self, no: Self) -> Self {
        let at = yes.context.emit.borrow_mut().select_f(which.at, yes.at, no.at);
        Self { at, ..yes }
    }
}

impl<'s> Choose for VectorColumns<'s> {
    type Boolean = BooleanColumn<'s>;

    fn choose(which: BooleanColumn<'s>, yes: Self, no: Self) -> Self {
        let emit = &mut *yes.context.emit.borrow_mut();
        let x = emit.select_f(which.at, yes.at.0, no.at.0);
        Self { at: V(x, emit.select_f(which.at, yes.at.1, no.at.1)), ..yes }
    }
}

impl<'s> steer::Number for NumberColumn<'s> {
    fn unary(self, function: Unary) -> Self {
        Self { at: self.context.emit.borrow_mut().f1(function, self.at), ..self }
    }

    fn binary(self, function: Binary, other: Self) -> Self {
        Self { at: self.context.emit.borrow_mut().f2(function, self.at, other.at), ..self }
    }

    fn compare(self, how: Compare, other: Self) -> BooleanColumn<'s> {
        let at = self.context.emit.borrow_mut().cmp_f(how, self.at, other.at);
        BooleanColumn { context: self.context, at }
    }
}

impl<'s> steer::Vector for VectorColumns<'s> {
    type Number = NumberColumn<'s>;

    fn new(x: NumberColumn<'s>, y: NumberColumn<'s>) -> Self {
        Self { context: x.context, at: V(x.at, y.at) }
    }

    fn parts(self) -> (NumberColumn<'s>, NumberColumn<'s>) {
        let part = |at| NumberColumn { context: self.context, at };
        (part(self.at.0), part(self.at.1))
    }

    fn norm(self) -> NumberColumn<'s> {
        NumberColumn { context: self.context, at: self.context.emit.borrow_mut().length(self.at) }
    }

    fn unit(self) -> Self {
        Self { at: self.context.emit.borrow_mut().unit(self.at), ..self }
    }

    fn limit(self, longest: NumberColumn<'s>) -> Self {
        Self { at: self.context.emit.borrow_mut().limit(self.at, longest.at), ..self }
    }
}
