//! The reading of definitions as columns: each question becomes an operation.

use std::cell::Cell;

use super::Facts;
use super::columns::{self, AsColumns};
use super::emit::Emit;
use crate::math::Compare;
use crate::program::{
    AgentInteger, AgentNumber, AskObstacle, AskOther, AskPath, B, Columns, I, I2, LoweredView,
    Near, SharedInteger, SharedNumber, V,
};
use crate::script::api::define::{Goal, Kind, Maybe, Perhaps, Reading, Value};
use crate::script::api::neighbors::Sums;
use crate::steer::{Algebra, Perception};
use crate::world::{GroupId, View};

/// A call of a definition.
pub(in crate::script) struct Called<'s> {
    pub(super) on: AsColumns<'s>,
    pub(super) arguments: &'s [Given],
    pub(super) facts: &'s Facts,
    pub(super) sets_vel: bool,
    /// The column of the group's own name, where it is asked for.
    pub(super) group: &'s Cell<Option<I>>,
    /// The neighborhood of which one agent is asked for.
    pub(super) looked: &'s Cell<Option<u16>>,
}

/// An argument.
#[derive(Clone, Copy)]
pub(super) enum Given {
    Columns(Columns),
    Near(u16),
    Group(GroupId),
    /// `me`, or `world`.
    OnlyOne,
}

/// What a call gives.
pub(in crate::script) enum Answer {
    Columns(Columns),
    /// Where it holds; else nothing.
    Maybe(B, Columns),
    Near(u16),
}

/// An agent.
#[derive(Clone, Copy)]
pub(in crate::script) enum Who {
    Me,
    /// By its row.
    Other(I),
}

/// What only the interpreter can do.
pub(in crate::script) struct Slow(pub(super) &'static str);

impl<'s> Called<'s> {
    /// Writes operations that need the lanes that get here.
    fn emit<R>(&self, write: impl FnOnce(&mut Emit, B) -> R) -> R {
        self.on.emit_active(write)
    }

    fn f(&self, write: impl FnOnce(&mut Emit, B) -> crate::program::F) -> columns::Number<'s> {
        self.on.number_at(self.emit(write))
    }

    fn v(&self, write: impl FnOnce(&mut Emit, B) -> V) -> columns::Vector<'s> {
        self.on.vector_at(self.emit(write))
    }

    fn maybe<T>(&self, is: B, value: T) -> Maybe<Self, T> {
        Maybe { is: self.on.truth_at(is), value }
    }

    /// The velocity of the agent now, which later changes leave as it is.
    fn own_vel(&self) -> columns::Vector<'s> {
        let vel = self.on.vel();
        if !self.sets_vel {
            return vel;
        }
        self.v(|emit, _| match emit.copy(Columns::V(vel.at)) {
            Columns::V(copy) => copy,
            _ => vel.at,
        })
    }

    /// The same neighborhood but for something.
    fn but(&self, near: u16, change: impl FnOnce(Near) -> Near) -> u16 {
        self.emit(|emit, _| {
            let old = emit.program.nears[usize::from(near)];
            emit.near(Near { shared: false, ..change(old) })
        })
    }
}

impl<'s> Algebra for Called<'s> {
    type Number = columns::Number<'s>;
    type Vector = columns::Vector<'s>;
    type Truth = columns::Truth<'s>;
    type Agent = Who;
    type Neighbors = u16;
    type Path = I;

    fn number(&self, x: f32) -> Self::Number {
        self.f(|emit, _| emit.const_f(x))
    }
}

impl<'s> Reading for Called<'s> {
    type Integer = I;
    type Text = I;
    type Obstacle = I;
    type Fault = Slow;
    type Answer = Answer;

    fn take(&self, kind: Kind, place: usize) -> Result<Value<Self>, Slow> {
        Ok(match (self.arguments[place], kind) {
            (Given::Columns(Columns::F(x)), _) => Value::Number(self.on.number_at(x)),
            (Given::Columns(Columns::B(x)), _) => Value::Truth(self.on.truth_at(x)),
            (Given::Columns(Columns::V(v)), _) => Value::Vector(self.on.vector_at(v)),
            (Given::Columns(Columns::I(row)), Kind::Agent | Kind::Someone) => {
                Value::Agent(Who::Other(row))
            }
            (Given::Columns(Columns::I(at)), Kind::Obstacle | Kind::ObstacleName) => {
                Value::Obstacle(at)
            }
            (Given::Columns(Columns::I(at)), Kind::Path | Kind::PathName) => Value::Path(at),
            (Given::Columns(Columns::I(at)), _) => Value::Integer(at),
            (Given::Near(near), _) => Value::Neighbors(near),
            (Given::Group(group), _) => Value::Group(group),
            (Given::OnlyOne, Kind::Someone) => Value::Agent(Who::Me),
            (Given::OnlyOne | Given::Columns(Columns::None), _) => Value::OnlyOne(()),
        })
    }

    fn give(&self, _: Kind, result: Value<Self>) -> Result<Answer, Slow> {
        Ok(Answer::Columns(match result {
            Value::Number(x) => Columns::F(x.at),
            Value::Truth(x) => Columns::B(x.at),
            Value::Vector(v) => Columns::V(v.at),
            Value::Integer(at) | Value::Text(at) | Value::Obstacle(at) | Value::Path(at) => {
                Columns::I(at)
            }
            Value::Agent(Who::Other(row)) => Columns::I(row),
            Value::Agent(Who::Me) => Columns::I(self.emit(|emit, _| emit.own_i(AgentInteger::Row))),
            Value::Neighbors(near) => return Ok(Answer::Near(near)),
            Value::Group(_) | Value::OnlyOne(()) => Columns::None,
        }))
    }

    fn only_where(&self, is: Self::Truth, answer: Answer) -> Answer {
        match answer {
            Answer::Columns(at) => Answer::Maybe(is.at, at),
            other => other,
        }
    }

    fn integers(&self, function: I2, a: I, b: I) -> Result<I, Slow> {
        Ok(self.emit(|emit, active| emit.i2(function, a, b, active)))
    }

    fn negated(&self, a: I) -> Result<I, Slow> {
        Ok(self.emit(|emit, active| emit.neg_i(a, active)))
    }

    fn absolute(&self, a: I) -> Result<I, Slow> {
        Ok(self.emit(|emit, active| emit.abs_i(a, active)))
    }

    fn to_integer(&self, x: Self::Number) -> Result<I, Slow> {
        Ok(self.emit(|emit, active| emit.as_i(x.at, active)))
    }

    fn compare(&self, how: Compare, a: I, b: I) -> Self::Truth {
        self.on.truth_at(self.emit(|emit, _| emit.cmp_i(how, a, b)))
    }

    fn to_number(&self, x: I) -> Self::Number {
        self.f(|emit, _| emit.as_f(x))
    }

    fn number_of(&self, agent: Who, what: AgentNumber) -> Result<Self::Number, Slow> {
        if matches!((agent, what), (Who::Me, AgentNumber::Speed)) && self.sets_vel {
            let vel = self.own_vel().at;
            return Ok(self.f(|emit, _| emit.length(vel)));
        }
        // The same for all agents of the group, or each agent's own.
        let common = SharedNumber::of_body(what).filter(|_| self.facts.kind.one_body);
        Ok(self.f(|emit, _| match (agent, common) {
            (Who::Me, Some(common)) => emit.common(common),
            (Who::Me, None) => emit.own(what),
            (Who::Other(row), _) => emit.other(row, what),
        }))
    }

    fn integer_of(&self, agent: Who, what: AgentInteger) -> Result<I, Slow> {
        Ok(self.emit(|emit, _| match agent {
            Who::Me => emit.own_i(what),
            Who::Other(row) => emit.other_i(row, what),
        }))
    }

    fn group_of(&self, agent: Who) -> Result<I, Slow> {
        if let Who::Me = agent
            && self.facts.scenario
        {
            let group = self.emit(|emit, _| emit.common_i(SharedInteger::Group));
            self.group.set(Some(group));
            return Ok(group);
        }
        self.integer_of(agent, AgentInteger::Group)
    }

    fn vector_of(&self, agent: Who, x: AgentNumber, y: AgentNumber) -> Result<Self::Vector, Slow> {
        Ok(match (agent, x) {
            (Who::Me, AgentNumber::VelX) => self.own_vel(),
            (Who::Me, _) => self.v(|emit, _| V(emit.own(x), emit.own(y))),
            (Who::Other(row), _) => self.v(|emit, _| V(emit.other(row, x), emit.other(row, y))),
        })
    }

    fn goal(&self) -> Result<Goal<Self>, Slow> {
        let (at, radius, is) = self.emit(|emit, _| emit.goal());
        let (at, radius) = (self.on.vector_at(at), self.on.number_at(radius));
        Ok((self.maybe(is, at), self.maybe(is, radius)))
    }

    fn own_path(&self) -> Perhaps<Self, I> {
        let path = self.facts.kind.path;
        if path.is_none() && !self.facts.scenario {
            return Err(Slow("a path that no scenario has given"));
        }
        let place = i64::from(path.map_or(0, |path| path.0));
        let (is, at) = self.emit(|emit, _| (emit.const_b(path.is_some()), emit.const_i(place)));
        Ok(self.maybe(is, at))
    }

    fn own_waypoint(&self) -> Perhaps<Self, Self::Vector> {
        let Maybe { is, value } = self.own_path()?;
        let has_path = self.facts.kind.path.is_some();
        let at = self.v(|emit, _| if has_path { emit.waypoint(value).0 } else { emit.v() });
        Ok(Maybe { is, value: at })
    }

    fn way_to(&self, point: Self::Vector) -> Result<Self::Vector, Slow> {
        Ok(self.v(|emit, _| emit.offset(point.at)))
    }

    fn draw(&self) -> Result<Self::Number, Slow> {
        Ok(self.f(|emit, active| emit.draw(active)))
    }

    fn encounter(&self, ask: AskOther, other: Who) -> Perhaps<Self, Self::Number> {
        let Who::Other(row) = other else {
            return Err(Slow("meeting oneself"));
        };
        let vel = self.own_vel();
        // Lanes that are at fault now are left out when it is done.
        let (at, is) = self.emit(|emit, active| emit.encounter(ask, row, vel.at, active));
        Ok(self.maybe(is, self.on.number_at(at)))
    }

    fn free(&self, velocity: Self::Vector, horizon: Self::Number) -> Result<Self::Number, Slow> {
        Ok(self.f(|emit, active| emit.free(velocity.at, horizon.at, active)))
    }

    fn near(&self, radius: Self::Number) -> u16 {
        let view = LoweredView::Fixed(View::Around);
        let near = Near { radius: radius.at, group: None, view, around: None, shared: false };
        self.emit(|emit, _| emit.near(near))
    }

    fn of_group(&self, near: u16, group: GroupId) -> u16 {
        self.but(near, |near| Near { group: Some(group), ..near })
    }

    fn in_view(&self, near: u16, angle: Self::Number) -> u16 {
        self.but(near, |near| Near { view: LoweredView::Over(angle.at), ..near })
    }

    fn ahead(&self, near: u16) -> u16 {
        self.but(near, |near| Near { view: LoweredView::Fixed(View::Ahead), ..near })
    }

    fn around(&self, near: u16, point: Self::Vector) -> u16 {
        self.but(near, |near| Near { around: Some(point.at), ..near })
    }

    fn middle(&self, near: u16) -> Result<Self::Vector, Slow> {
        let around = self.emit(|emit, _| emit.program.nears[usize::from(near)].around);
        Ok(around.map_or_else(|| self.on.pos(), |at| self.on.vector_at(at)))
    }

    fn means(&self, near: u16) -> Result<Sums<Self>, Slow> {
        let (count, offsets, velocities) = self.emit(|emit, active| emit.means(near, active));
        let nobody = self.emit(|emit, _| {
            let zero = emit.const_i(0);
            emit.cmp_i(Compare::Eq, count, zero)
        });
        let (offsets, velocities) = (self.on.vector_at(offsets), self.on.vector_at(velocities));
        Ok(Sums { count, nobody: self.on.truth_at(nobody), offsets, velocities })
    }

    fn nearest(&self, near: u16) -> Perhaps<Self, Who> {
        self.looked.set(Some(near));
        let (row, found) = self.emit(|emit, active| emit.nearest(near, active));
        Ok(self.maybe(found, Who::Other(row)))
    }

    fn first(&self, near: u16) -> Perhaps<Self, Who> {
        self.looked.set(Some(near));
        let (row, found) = self.emit(|emit, active| emit.first(near, active));
        Ok(self.maybe(found, Who::Other(row)))
    }

    fn common(&self, what: SharedNumber) -> Result<Self::Number, Slow> {
        Ok(self.f(|emit, _| emit.common(what)))
    }

    fn common_integer(&self, what: SharedInteger) -> Result<I, Slow> {
        Ok(self.emit(|emit, _| emit.common_i(what)))
    }

    fn cursor(&self) -> Perhaps<Self, Self::Vector> {
        let is = self.emit(|emit, _| emit.has_cursor());
        let at = self
            .v(|emit, _| V(emit.common(SharedNumber::CursorX), emit.common(SharedNumber::CursorY)));
        Ok(self.maybe(is, at))
    }

    fn only(&self, group: GroupId) -> Result<Who, Slow> {
        Ok(Who::Other(self.emit(|emit, active| {
            let (row, zero) = (emit.common_i(SharedInteger::Only(group)), emit.const_i(0));
            let none = emit.cmp_i(Compare::Lt, row, zero);
            let active = emit.and(active, none);
            emit.fault(active);
            row
        })))
    }

    fn ray(&self, from: Self::Vector, to: Self::Vector) -> Perhaps<Self, Self::Vector> {
        let (at, is) = self.emit(|emit, active| emit.ray(from.at, to.at, active));
        Ok(self.maybe(is, self.on.vector_at(at)))
    }

    fn obstacle(
        &self,
        ask: AskObstacle,
        obstacle: I,
        point: Self::Vector,
    ) -> Result<Self::Vector, Slow> {
        Ok(self.v(|emit, active| emit.obstacle(ask, obstacle, point.at, active)))
    }

    fn path(&self, ask: AskPath, path: I, point: Self::Vector) -> Result<Self::Vector, Slow> {
        Ok(self.v(|emit, active| emit.path(ask, path, point.at, active)))
    }

    fn path_count(&self, path: I) -> Result<I, Slow> {
        Ok(self.emit(|emit, _| emit.path_count(path)))
    }

    fn path_point(&self, path: I, place: I) -> Result<Self::Vector, Slow> {
        Ok(self.v(|emit, active| {
            let place = emit.as_f(place);
            emit.path(AskPath::Point, path, V(place, place), active)
        }))
    }

    fn name_of_obstacle(&self, _: I) -> Result<I, Slow> {
        Err(Slow("the name of an obstacle"))
    }

    fn name_of_path(&self, _: I) -> Result<I, Slow> {
        Err(Slow("the name of a path"))
    }
}
