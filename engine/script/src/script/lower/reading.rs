//! Reads definitions as columns: each query of the world becomes an operation.

use std::cell::Cell;

use super::GroupFacts;
use super::columns::{self, AsColumns};
use super::emit::Emitter;
use super::facts::OwnPath;
use crate::math::Compare;
use crate::program::{
    AgentInteger, AgentNumber, AskObstacle, AskOther, AskPath, B, Columns, I, I2, LoweredView,
    Near, SharedInteger, SharedNumber, V,
};
use crate::script::api::define::{
    EvalGoal, EvalOption, EvalValue, Evaluator, NeighborTotals, Optional, ValueKind,
};
use crate::steer::{Algebra, Perception};
use crate::world::{GroupId, LayerId, Question, Relation, View};

/// A call of a definition.
pub(in crate::script) struct ColumnCall<'s> {
    pub(super) on: AsColumns<'s>,
    pub(super) arguments: &'s [CallArgument],
    pub(super) facts: &'s GroupFacts,
    pub(super) sets_vel: bool,
    /// The column with the name of the group, once it is needed.
    pub(super) group: &'s Cell<Option<I>>,
    /// The neighborhood that the call takes one agent from.
    pub(super) asked_neighborhood: &'s Cell<Option<u16>>,
}

/// An argument of a call.
#[derive(Clone, Copy)]
pub(super) enum CallArgument {
    Columns(Columns),
    Neighborhood(u16),
    Group(GroupId),
    Layer(LayerId),
    /// `me` or `world`, of which there is only one.
    Singleton,
}

/// The result of a call.
pub(in crate::script) enum ColumnResult {
    Columns(Columns),
    /// The value where the mask holds, and `()` elsewhere.
    Optional(B, Columns),
    Neighborhood(u16),
}

/// An agent, as a call takes it.
#[derive(Clone, Copy)]
pub(in crate::script) enum AgentOperand {
    Me,
    /// Another agent, by its row.
    Row(I),
}

/// The error for what only the interpreter can do. Its text is the subject of a sentence.
pub(in crate::script) struct NotLowered(pub(super) &'static str);

impl<'s> ColumnCall<'s> {
    /// Emits operations that need the mask of the lanes that get here.
    fn emit<R>(&self, write: impl FnOnce(&mut Emitter, B) -> R) -> R {
        self.on.emit_active(write)
    }

    fn f(
        &self,
        write: impl FnOnce(&mut Emitter, B) -> crate::program::F,
    ) -> columns::NumberColumn<'s> {
        self.on.number_at(self.emit(write))
    }

    fn v(&self, write: impl FnOnce(&mut Emitter, B) -> V) -> columns::VectorColumns<'s> {
        self.on.vector_at(self.emit(write))
    }

    fn maybe<T>(&self, exists: B, value: T) -> Optional<Self, T> {
        Optional { is_some: self.on.boolean_at(exists), value }
    }

    /// Returns the current velocity of the agent. Later changes do not affect it.
    fn own_vel(&self) -> columns::VectorColumns<'s> {
        let vel = self.on.vel();
        if !self.sets_vel {
            return vel;
        }
        self.v(|emit, _| match emit.copy(Columns::V(vel.at)) {
            Columns::V(copy) => copy,
            _ => vel.at,
        })
    }

    /// Returns the index of a neighborhood that differs from another in something.
    fn with_change(&self, near: u16, change: impl FnOnce(Near) -> Near) -> u16 {
        self.emit(|emit, _| {
            let old = emit.program.nears[usize::from(near)];
            emit.near(Near { shared: false, ..change(old) })
        })
    }
}

impl<'s> Algebra for ColumnCall<'s> {
    type Number = columns::NumberColumn<'s>;
    type Vector = columns::VectorColumns<'s>;
    type Boolean = columns::BooleanColumn<'s>;
    type Agent = AgentOperand;
    type Neighbors = u16;
    type Path = I;
    type Field = I;

    fn number(&self, x: f32) -> Self::Number {
        self.f(|emit, _| emit.const_f(x))
    }
}

impl<'s> Evaluator for ColumnCall<'s> {
    type Integer = I;
    type String = I;
    type Obstacle = I;
    type Error = NotLowered;
    type Output = ColumnResult;

    fn argument(&self, kind: ValueKind, place: usize) -> Result<EvalValue<Self>, NotLowered> {
        Ok(match (self.arguments[place], kind) {
            (CallArgument::Columns(Columns::F(x)), _) => EvalValue::Number(self.on.number_at(x)),
            (CallArgument::Columns(Columns::B(x)), _) => EvalValue::Boolean(self.on.boolean_at(x)),
            (CallArgument::Columns(Columns::V(v)), _) => EvalValue::Vector(self.on.vector_at(v)),
            (CallArgument::Columns(Columns::I(row)), ValueKind::Agent | ValueKind::AnyAgent) => {
                EvalValue::Agent(AgentOperand::Row(row))
            }
            (
                CallArgument::Columns(Columns::I(at)),
                ValueKind::Obstacle | ValueKind::ObstacleName,
            ) => EvalValue::Obstacle(at),
            (CallArgument::Columns(Columns::I(at)), ValueKind::Path | ValueKind::PathName) => {
                EvalValue::Path(at)
            }
            (CallArgument::Columns(Columns::I(at)), ValueKind::Field | ValueKind::FieldName) => {
                EvalValue::Field(at)
            }
            (CallArgument::Columns(Columns::I(at)), _) => EvalValue::Integer(at),
            (CallArgument::Neighborhood(near), _) => EvalValue::Neighbors(near),
            (CallArgument::Group(group), _) => EvalValue::Group(group),
            (CallArgument::Layer(layer), _) => EvalValue::Layer(layer),
            (CallArgument::Singleton, ValueKind::AnyAgent) => EvalValue::Agent(AgentOperand::Me),
            (CallArgument::Singleton | CallArgument::Columns(Columns::None), _) => {
                EvalValue::Singleton(())
            }
        })
    }

    fn output(&self, _: ValueKind, result: EvalValue<Self>) -> Result<ColumnResult, NotLowered> {
        Ok(ColumnResult::Columns(match result {
            EvalValue::Number(x) => Columns::F(x.at),
            EvalValue::Boolean(x) => Columns::B(x.at),
            EvalValue::Vector(v) => Columns::V(v.at),
            EvalValue::Integer(at)
            | EvalValue::String(at)
            | EvalValue::Obstacle(at)
            | EvalValue::Path(at)
            | EvalValue::Field(at) => Columns::I(at),
            EvalValue::Agent(AgentOperand::Row(row)) => Columns::I(row),
            EvalValue::Agent(AgentOperand::Me) => {
                Columns::I(self.emit(|emit, _| emit.own_i(AgentInteger::Row)))
            }
            EvalValue::Neighbors(near) => return Ok(ColumnResult::Neighborhood(near)),
            EvalValue::Group(_) | EvalValue::Layer(_) | EvalValue::Singleton(()) => Columns::None,
        }))
    }

    fn output_if(&self, condition: Self::Boolean, answer: ColumnResult) -> ColumnResult {
        match answer {
            ColumnResult::Columns(at) => ColumnResult::Optional(condition.at, at),
            other => other,
        }
    }

    fn integers(&self, function: I2, a: I, b: I) -> Result<I, NotLowered> {
        Ok(self.emit(|emit, active| emit.i2(function, a, b, active)))
    }

    fn negated(&self, a: I) -> Result<I, NotLowered> {
        Ok(self.emit(|emit, active| emit.neg_i(a, active)))
    }

    fn absolute(&self, a: I) -> Result<I, NotLowered> {
        Ok(self.emit(|emit, active| emit.abs_i(a, active)))
    }

    fn to_integer(&self, x: Self::Number) -> Result<I, NotLowered> {
        Ok(self.emit(|emit, active| emit.as_i(x.at, active)))
    }

    fn compare(&self, how: Compare, a: I, b: I) -> Self::Boolean {
        self.on.boolean_at(self.emit(|emit, _| emit.cmp_i(how, a, b)))
    }

    fn to_number(&self, x: I) -> Self::Number {
        self.f(|emit, _| emit.as_f(x))
    }

    fn number_of(
        &self,
        agent: AgentOperand,
        what: AgentNumber,
    ) -> Result<Self::Number, NotLowered> {
        if matches!((agent, what), (AgentOperand::Me, AgentNumber::Speed)) && self.sets_vel {
            let vel = self.own_vel().at;
            return Ok(self.f(|emit, _| emit.length(vel)));
        }
        // The same column for all agents of the group, or each agent's own.
        let common = SharedNumber::of_body(what).filter(|_| self.facts.kind.one_body);
        Ok(self.f(|emit, _| match (agent, common) {
            (AgentOperand::Me, Some(common)) => emit.common(common),
            (AgentOperand::Me, None) => emit.own(what),
            (AgentOperand::Row(row), _) => emit.other(row, what),
        }))
    }

    fn integer_of(&self, agent: AgentOperand, what: AgentInteger) -> Result<I, NotLowered> {
        Ok(self.emit(|emit, _| match agent {
            AgentOperand::Me => emit.own_i(what),
            AgentOperand::Row(row) => emit.other_i(row, what),
        }))
    }

    fn group_of(&self, agent: AgentOperand) -> Result<I, NotLowered> {
        if let AgentOperand::Me = agent
            && self.facts.scenario
        {
            let group = self.emit(|emit, _| emit.common_i(SharedInteger::Group));
            self.group.set(Some(group));
            return Ok(group);
        }
        self.integer_of(agent, AgentInteger::Group)
    }

    fn vector_of(
        &self,
        agent: AgentOperand,
        x: AgentNumber,
        y: AgentNumber,
    ) -> Result<Self::Vector, NotLowered> {
        Ok(match (agent, x) {
            (AgentOperand::Me, AgentNumber::VelX) => self.own_vel(),
            (AgentOperand::Me, _) => self.v(|emit, _| V(emit.own(x), emit.own(y))),
            (AgentOperand::Row(row), _) => {
                self.v(|emit, _| V(emit.other(row, x), emit.other(row, y)))
            }
        })
    }

    fn goal(&self) -> Result<EvalGoal<Self>, NotLowered> {
        let (at, radius, exists) = self.emit(|emit, _| emit.goal());
        let (at, radius) = (self.on.vector_at(at), self.on.number_at(radius));
        Ok((self.maybe(exists, at), self.maybe(exists, radius)))
    }

    fn own_path(&self) -> EvalOption<Self, I> {
        let path = self.facts.kind.path;
        if path == OwnPath::None && !self.facts.scenario {
            return Err(NotLowered("a path that no scenario gives"));
        }
        let (exists, at) = self.emit(|emit, _| {
            let at = path.emit(emit).unwrap_or_else(|| emit.const_i(0));
            (emit.const_b(path != OwnPath::None), at)
        });
        Ok(self.maybe(exists, at))
    }

    fn own_waypoint(&self) -> EvalOption<Self, Self::Vector> {
        let Optional { is_some, value } = self.own_path()?;
        let has_path = self.facts.kind.path != OwnPath::None;
        let at = self.v(|emit, _| if has_path { emit.waypoint(value).0 } else { emit.new_v() });
        Ok(Optional { is_some, value: at })
    }

    fn offset_to(&self, point: Self::Vector) -> Result<Self::Vector, NotLowered> {
        Ok(self.v(|emit, _| emit.offset(point.at)))
    }

    fn random(&self) -> Result<Self::Number, NotLowered> {
        Ok(self.f(|emit, active| emit.draw(active)))
    }

    fn encounter(&self, ask: AskOther, other: AgentOperand) -> EvalOption<Self, Self::Number> {
        let AgentOperand::Row(row) = other else {
            return Err(NotLowered("an encounter of an agent with itself"));
        };
        let vel = self.own_vel();
        // The operation itself leaves out lanes that are faulted by then.
        let (at, exists) = self.emit(|emit, active| emit.encounter(ask, row, vel.at, active));
        Ok(self.maybe(exists, self.on.number_at(at)))
    }

    fn free_distance(
        &self,
        velocity: Self::Vector,
        horizon: Self::Number,
    ) -> Result<Self::Number, NotLowered> {
        Ok(self.f(|emit, active| emit.free(velocity.at, horizon.at, active)))
    }

    fn previous(&self) -> EvalOption<Self, AgentOperand> {
        let (row, found) = self.emit(|emit, _| {
            let (row, zero) = (emit.own_i(AgentInteger::Previous), emit.const_i(0));
            (row, emit.cmp_i(Compare::Ge, row, zero))
        });
        Ok(self.maybe(found, AgentOperand::Row(row)))
    }

    fn ask(
        &self,
        question: Question,
        about: [Self::Vector; 3],
    ) -> Result<(Self::Vector, Self::Number), NotLowered> {
        let (vel, about) = (self.own_vel(), about.map(|vector| vector.at));
        let (vector, number) = self.emit(|emit, active| emit.ask(question, vel.at, about, active));
        Ok((self.on.vector_at(vector), self.on.number_at(number)))
    }

    fn neighbors_within(&self, radius: Self::Number) -> u16 {
        let view = LoweredView::Fixed(View::Around);
        let radius = radius.at;
        let (group, relation, around, most) = (None, None, None, None);
        let near = Near { radius, group, relation, view, around, most, shared: false };
        self.emit(|emit, _| emit.near(near))
    }

    fn of_group(&self, near: u16, group: GroupId) -> u16 {
        self.with_change(near, |near| Near { group: Some(group), ..near })
    }

    fn related(&self, near: u16, relation: Relation) -> u16 {
        self.with_change(near, |near| Near { relation: Some(relation), ..near })
    }

    fn in_view(&self, near: u16, angle: Self::Number) -> u16 {
        self.with_change(near, |near| Near { view: LoweredView::Over(angle.at), ..near })
    }

    fn ahead(&self, near: u16) -> u16 {
        self.with_change(near, |near| Near { view: LoweredView::Fixed(View::Ahead), ..near })
    }

    fn around(&self, near: u16, point: Self::Vector) -> u16 {
        self.with_change(near, |near| Near { around: Some(point.at), ..near })
    }

    fn nearest_of(&self, near: u16, count: Self::Number) -> u16 {
        self.with_change(near, |near| Near { most: Some(count.at), ..near })
    }

    fn viewpoint(&self, near: u16) -> Result<Self::Vector, NotLowered> {
        let around = self.emit(|emit, _| emit.program.nears[usize::from(near)].around);
        Ok(around.map_or_else(|| self.on.pos(), |at| self.on.vector_at(at)))
    }

    fn means(&self, near: u16) -> Result<NeighborTotals<Self>, NotLowered> {
        let (count, offsets, velocities) = self.emit(|emit, active| emit.means(near, active));
        let nobody = self.emit(|emit, _| {
            let zero = emit.const_i(0);
            emit.cmp_i(Compare::Eq, count, zero)
        });
        let (offsets, velocities) = (self.on.vector_at(offsets), self.on.vector_at(velocities));
        Ok(NeighborTotals { count, is_empty: self.on.boolean_at(nobody), offsets, velocities })
    }

    fn nearest(&self, near: u16) -> EvalOption<Self, AgentOperand> {
        self.asked_neighborhood.set(Some(near));
        let (row, found) = self.emit(|emit, active| emit.nearest(near, active));
        Ok(self.maybe(found, AgentOperand::Row(row)))
    }

    fn first(&self, near: u16) -> EvalOption<Self, AgentOperand> {
        self.asked_neighborhood.set(Some(near));
        let (row, found) = self.emit(|emit, active| emit.first(near, active));
        Ok(self.maybe(found, AgentOperand::Row(row)))
    }

    fn shared_number(&self, what: SharedNumber) -> Result<Self::Number, NotLowered> {
        Ok(self.f(|emit, _| emit.common(what)))
    }

    fn shared_integer(&self, what: SharedInteger) -> Result<I, NotLowered> {
        Ok(self.emit(|emit, _| emit.common_i(what)))
    }

    fn cursor(&self) -> EvalOption<Self, Self::Vector> {
        let exists = self.emit(|emit, _| emit.has_cursor());
        let at = self
            .v(|emit, _| V(emit.common(SharedNumber::CursorX), emit.common(SharedNumber::CursorY)));
        Ok(self.maybe(exists, at))
    }

    fn only_agent(&self, group: GroupId) -> Result<AgentOperand, NotLowered> {
        Ok(AgentOperand::Row(self.emit(|emit, active| {
            let (row, zero) = (emit.common_i(SharedInteger::Only(group)), emit.const_i(0));
            let none = emit.cmp_i(Compare::Lt, row, zero);
            let active = emit.and(active, none);
            emit.fault(active);
            row
        })))
    }

    fn ray(&self, from: Self::Vector, to: Self::Vector) -> EvalOption<Self, Self::Vector> {
        let (at, exists) = self.emit(|emit, active| emit.ray(from.at, to.at, active));
        Ok(self.maybe(exists, self.on.vector_at(at)))
    }

    fn obstacle(
        &self,
        ask: AskObstacle,
        obstacle: I,
        point: Self::Vector,
    ) -> Result<Self::Vector, NotLowered> {
        Ok(self.v(|emit, active| emit.obstacle(ask, obstacle, point.at, active)))
    }

    fn path(&self, ask: AskPath, path: I, point: Self::Vector) -> Result<Self::Vector, NotLowered> {
        Ok(self.v(|emit, active| emit.path(ask, path, point.at, active)))
    }

    fn flow(&self, field: I, point: Self::Vector) -> Result<Self::Vector, NotLowered> {
        let index = self.to_number(field);
        let zero = self.number(0.0);
        let vector = |x: Self::Number| self.on.vector_at(V(x.at, x.at));
        let about = [point, vector(index), vector(zero)];
        Ok(self.ask(Question::Flow, about)?.0)
    }

    fn path_count(&self, path: I) -> Result<I, NotLowered> {
        Ok(self.emit(|emit, _| emit.path_count(path)))
    }

    fn path_point(&self, path: I, place: I) -> Result<Self::Vector, NotLowered> {
        Ok(self.v(|emit, active| {
            let place = emit.as_f(place);
            emit.path(AskPath::Point, path, V(place, place), active)
        }))
    }

    fn name_of_obstacle(&self, _: I) -> Result<I, NotLowered> {
        Err(NotLowered("the name of an obstacle"))
    }

    fn name_of_path(&self, _: I) -> Result<I, NotLowered> {
        Err(NotLowered("the name of a path"))
    }

    fn name_of_field(&self, _: I) -> Result<I, NotLowered> {
        Err(NotLowered("the name of a field"))
    }
}
