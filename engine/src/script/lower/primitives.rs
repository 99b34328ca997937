//! Calls of primitives, and those that are quicker taken apart.

use rhai::Position;

use super::Lower;
use super::value::{Alt, Val};
use crate::diag::Diagnostic;
use crate::math::{Binary, Compare};
use crate::program::{B, Call, Columns, Common, F, Given, Of, Type, V};
use crate::steer::{CallError, Default, Kind, Primitive};

impl Lower<'_> {
    pub(super) fn primitive(
        &mut self,
        primitive: &'static Primitive,
        given: &[Val],
        position: Position,
    ) -> Val {
        if given.len() < primitive.required() || given.len() > primitive.params.len() {
            let wrong = Diagnostic::error(primitive.wrong_count(given.len()).to_string())
                .help(format!("call it as `{}`", primitive.usage()));
            return self.fails(wrong, position);
        }
        let mut args = Vec::with_capacity(given.len());
        for (param, value) in primitive.params.iter().zip(given) {
            let what = format!("{}: `{}`", primitive.name, param.name);
            let wanted = param.kind.expected();
            let place = match param.kind {
                Kind::Number => self.as_number(value, &what, position).map(Given::Number),
                Kind::Point => self.as_point(value, &what, position).map(|v| whose(value, v)),
                Kind::Vector => self
                    .of_agent_or_vector(value, &what, wanted, (Of::VelX, Of::VelY), position)
                    .map(|v| whose(value, v)),
                Kind::Agent => {
                    let alts = self.fitting(value, |is| is == Type::Agent, &what, wanted, position);
                    match alts.first() {
                        Some(Alt { at: Columns::I(row), .. }) => Some(Given::Agent(*row)),
                        _ => None,
                    }
                }
                Kind::Neighbors => match value {
                    Val::Near(near) => Some(Given::Neighbors(*near)),
                    _ => match self.as_number(value, &what, position) {
                        Some(radius) => match self.near(radius, None) {
                            Val::Near(near) => Some(Given::Neighbors(near)),
                            _ => None,
                        },
                        None => None,
                    },
                },
                Kind::Path => match self.named(value) {
                    Some(name) => self
                        .path_named(&name, position)
                        .map(|path| Given::Path(self.emit.const_i(i64::from(path.0)))),
                    None => {
                        let alts =
                            self.fitting(value, |is| is == Type::Path, &what, wanted, position);
                        match alts.first() {
                            Some(Alt { at: Columns::I(path), .. }) => Some(Given::Path(*path)),
                            _ => None,
                        }
                    }
                },
                Kind::Forces => match value {
                    Val::List(items) => {
                        let mut forces = Vec::with_capacity(items.len());
                        for (i, item) in items.iter().enumerate() {
                            let what = format!("{}: element {i}", primitive.name);
                            match self.as_vector(item, &what, position) {
                                Some(force) => forces.push(force),
                                None => return Val::never(),
                            }
                        }
                        Some(Given::Forces(forces))
                    }
                    _ => return self.slow("a list of forces that is not made here", position),
                },
            };
            match place {
                Some(place) => args.push(place),
                None => return Val::never(),
            }
        }
        let left_out = |default| {
            let mut rest = primitive.params.iter().skip(given.len());
            rest.find(|param| param.default == default)
        };
        let group = self.facts.group_name();
        let group = group.map_or_else(String::new, |group| group.to_string());
        if let Some(param) = left_out(Default::MaxSpeed)
            && self.facts.scenario
            && !self.facts.kind.has_speed
        {
            let wrong = CallError::NoSpeed { primitive: primitive.name, param: param.name, group };
            return self.fails(Diagnostic::error(wrong.to_string()), position);
        }
        if let Some(param) = left_out(Default::OwnPath)
            && self.facts.kind.path.is_none()
        {
            if self.facts.scenario {
                let wrong =
                    CallError::NoPath { primitive: primitive.name, param: param.name, group };
                return self.fails(Diagnostic::error(wrong.to_string()), position);
            }
            return self.slow("a path that no scenario has given", position);
        }
        let Some(active) = self.active else {
            return Val::never();
        };
        let apart = self.taken_apart(primitive, &args, active);
        let (vel, to) = match apart {
            // Nothing is done any more, so that the velocity needs no copy.
            Some(force) => (self.vel, force),
            None => (self.vel(), self.emit.v()),
        };
        let site = self.site(position);
        let call = Box::new(Call { primitive, args, vel, to, site });
        if apart.is_some() {
            self.emit.gave(call, active);
            return self.finite(to);
        }
        self.emit.call(call, active);
        Val::vector(to)
    }

    /// The place of a call among those of the program.
    fn site(&mut self, position: Position) -> u16 {
        let place = self.place(Diagnostic::note(""), position).place;
        let sites = &mut self.emit.program.sites;
        sites.push(place);
        (sites.len() - 1) as u16
    }

    /// Primitives that are so simple that they are quicker as operations on columns.
    fn taken_apart(
        &mut self,
        primitive: &'static Primitive,
        args: &[Given],
        active: B,
    ) -> Option<V> {
        let speed = |this: &mut Self, at: usize| match args.get(at) {
            Some(Given::Number(speed)) => Some(*speed),
            None => Some(this.of_body(Of::MaxSpeed, Common::MaxSpeed)),
            _ => None,
        };
        Some(match (primitive.name, args) {
            ("separation" | "alignment" | "cohesion", [Given::Neighbors(near), ..]) => {
                let speed = speed(self, 1)?;
                let radius = self.emit.program.nears[*near as usize].radius;
                self.at_least_zero(radius);
                self.speed_given(speed);
                let sum = match primitive.name {
                    "separation" => self.emit.push(*near, active),
                    "alignment" => self.emit.means(*near, active).2,
                    _ => self.emit.means(*near, active).1,
                };
                let along = self.emit.unit(sum);
                let zero = self.const_f(0.0);
                let none = if primitive.name == "cohesion" {
                    let count = self.emit.means(*near, active).0;
                    let zero = self.emit.const_i(0);
                    self.emit.cmp_i(Compare::Eq, count, zero)
                } else {
                    let (x, y) = (
                        self.emit.cmp_f(Compare::Eq, along.0, zero),
                        self.emit.cmp_f(Compare::Eq, along.1, zero),
                    );
                    self.emit.and(x, y)
                };
                let wanted = self.wanted(along, speed);
                V(
                    self.emit.select_f(none, zero, wanted.0),
                    self.emit.select_f(none, zero, wanted.1),
                )
            }
            ("seek", [Given::Vector(target) | Given::VectorOf(target, _), ..]) => {
                let speed = speed(self, 1)?;
                self.speed_given(speed);
                let way = self.emit.offset(*target);
                let along = self.emit.unit(way);
                self.wanted(along, speed)
            }
            (
                "arrive",
                [Given::Vector(target) | Given::VectorOf(target, _), Given::Number(slowing), ..],
            ) => {
                let speed = speed(self, 2)?;
                self.at_least_zero(*slowing);
                self.speed_given(speed);
                let way = self.emit.offset(*target);
                let (along, distance) = (self.emit.unit(way), self.emit.length(way));
                let is_near = self.emit.cmp_f(Compare::Lt, distance, *slowing);
                let share = self.emit.f2(Binary::Div, distance, *slowing);
                let slow = self.emit.f2(Binary::Mul, speed, share);
                let speed = self.emit.select_f(is_near, slow, speed);
                self.wanted(along, speed)
            }
            _ => return None,
        })
    }

    /// A direction at a speed, minus the velocity there is.
    fn wanted(&mut self, along: V, speed: F) -> V {
        let vel = self.vel();
        let (x, y) =
            (self.emit.f2(Binary::Mul, along.0, speed), self.emit.f2(Binary::Mul, along.1, speed));
        V(self.emit.f2(Binary::Sub, x, vel.0), self.emit.f2(Binary::Sub, y, vel.1))
    }

    /// A speed to want must be a number from 0, and finite.
    fn speed_given(&mut self, speed: F) {
        self.at_least_zero(speed);
        let Some(active) = self.active else { return };
        if !self.checked.insert((speed, active, true)) {
            return;
        }
        let infinite = self.const_f(f32::INFINITY);
        let bad = self.emit.cmp_f(Compare::Eq, speed, infinite);
        let active = self.emit.and(active, bad);
        self.emit.fault(active);
    }
}

/// A vector as an argument; with the agent it is of, where that is the same one on every way.
fn whose(value: &Val, v: V) -> Given {
    let Val::Alts(alts) = value else {
        return Given::Vector(v);
    };
    let mut fitting = alts.iter().filter(|alt| matches!(alt.is, Type::Vector | Type::Agent));
    match (fitting.next(), fitting.next()) {
        (Some(Alt { at: Columns::I(row), .. }), None) => Given::VectorOf(v, *row),
        _ => Given::Vector(v),
    }
}
