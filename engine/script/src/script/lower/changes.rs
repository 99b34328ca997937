//! Changes: `me.tell(to, name, value, delay)`, `me.share(name, value)`, `me.deposit(layer, amount, at)`, `me.take(layer, amount, name)`,
//! `me.set_goal(at, radius)`, `me.capture(other, name)`, `me.leave()` and `me.create(group, pos, vel, state)`.

use std::sync::Arc;

use rhai::{Expr, Ident, Position};

use super::Lowering;
use super::public::TypedName;
use super::value::{LoweredValue, TypeCase, type_name};
use crate::program::{
    AgentNumber, B, ChangeCall, Columns, LayerCall, ListenersCall, OpKind, Type, V,
};
use crate::script::problem;
use crate::world::GroupId;

impl Lowering<'_> {
    /// Returns whether a method takes the state of a new agent, which may be a map that is written in the call.
    pub(super) fn takes_state(method: &str) -> bool {
        method == "create"
    }

    /// Lowers the state of a new agent.
    pub(super) fn new_state(&mut self, state: &[(Ident, Expr)]) -> LoweredValue {
        let mut all = Vec::with_capacity(state.len());
        for (name, value) in state {
            let value = self.expression(value);
            all.push((Arc::from(&*name.name), value));
        }
        if self.active.is_none() {
            return LoweredValue::never();
        }
        LoweredValue::Map(all.into())
    }

    /// Lowers a change of the world; `None` if it is another call, or one that only the interpreter can make.
    pub(super) fn change_call(
        &mut self,
        method: &str,
        values: &[LoweredValue],
        position: Position,
    ) -> Option<LoweredValue> {
        let active = self.active?;
        match (method, values) {
            ("leave", [LoweredValue::Me]) => self.end_change(active, ChangeCall::Remove),
            ("set_goal", [LoweredValue::Me, at, rest @ ..]) if rest.len() <= 1 => {
                return Some(self.set_goal((active, position), at, rest.first()));
            }
            ("tell", [LoweredValue::Me, to, name, value, rest @ ..]) if rest.len() <= 1 => {
                return self.tell((active, position), to, name, value, rest.first());
            }
            ("share", [LoweredValue::Me, name, value]) => {
                return self.share(active, name, value, position);
            }
            ("create", [LoweredValue::Me, group, pos, rest @ ..]) if rest.len() <= 2 => {
                return self.create((active, position), group, pos, rest);
            }
            ("capture", [LoweredValue::Me, other, into]) => {
                return self.capture((active, position), other, into);
            }
            ("deposit", [LoweredValue::Me, layer, amount, rest @ ..]) if rest.len() <= 1 => {
                return self.layer_change((active, position), layer, amount, None, rest.first());
            }
            ("take", [LoweredValue::Me, layer, amount, into]) => {
                let into = match self.own_number("take", into, position)? {
                    Ok(into) => into,
                    Err(failed) => return Some(failed),
                };
                return self.layer_change((active, position), layer, amount, Some(into), None);
            }
            _ => return None,
        }
        Some(LoweredValue::nothing())
    }

    /// Lowers `me.create(group, pos, vel, state)`.
    fn create(
        &mut self,
        (active, position): (B, Position),
        group: &LoweredValue,
        pos: &LoweredValue,
        rest: &[LoweredValue],
    ) -> Option<LoweredValue> {
        let group = self.known_string(group)?;
        let state = match rest.get(1) {
            Some(LoweredValue::Map(state)) => state.to_vec(),
            Some(_) => return None,
            None => Vec::new(),
        };
        let Some(group) = self.group_named(&group, position) else {
            return Some(LoweredValue::never());
        };
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (name, value) in state {
            let Some(value) = self.fit_state_of(group, &name, &value, position) else {
                return Some(LoweredValue::never());
            };
            if !matches!(value, LoweredValue::Typed(_)) {
                return None;
            }
            names.push(name);
            values.push(value);
        }
        let pos = self.as_point(pos, "the position of a new agent", position);
        let vel = match rest.first() {
            Some(vel) => self.as_vector(vel, "the velocity of a new agent", position),
            None => {
                let zero = self.const_f(0.0);
                Some(V(zero, zero))
            }
        };
        let (Some(V(pos_x, pos_y)), Some(V(vel_x, vel_y))) = (pos, vel) else {
            return Some(LoweredValue::never());
        };
        self.give(active, Type::Vector, Columns::V(V(pos_x, pos_y)));
        self.give(active, Type::Vector, Columns::V(V(vel_x, vel_y)));
        for value in values {
            if !self.give_value(active, &value, position) {
                return Some(LoweredValue::never());
            }
        }
        self.end_change(active, ChangeCall::Spawn { group, state: names });
        Some(LoweredValue::nothing())
    }

    /// Lowers `me.set_goal(at, radius)`.
    fn set_goal(
        &mut self,
        (active, position): (B, Position),
        at: &LoweredValue,
        radius: Option<&LoweredValue>,
    ) -> LoweredValue {
        let at = self.as_point(at, "the goal of `set_goal`", position);
        let radius = match radius {
            Some(radius) => self.as_number(radius, "the radius of `set_goal`", position),
            None => Some(self.const_f(0.0)),
        };
        let (Some(at), Some(radius)) = (at, radius) else { return LoweredValue::never() };
        self.give(active, Type::Vector, Columns::V(at));
        self.give(active, Type::Float, Columns::F(radius));
        self.end_change(active, ChangeCall::SetGoal);
        LoweredValue::nothing()
    }

    /// Lowers `me.capture(other, name)`.
    fn capture(
        &mut self,
        (active, position): (B, Position),
        other: &LoweredValue,
        into: &LoweredValue,
    ) -> Option<LoweredValue> {
        let into = match self.own_number("capture", into, position)? {
            Ok(into) => into,
            Err(failed) => return Some(failed),
        };
        if let (false, Some(group)) = (self.facts.kind.captures, self.facts.group_name()) {
            let wrong = problem::no_captures(&Arc::clone(group), None);
            return Some(self.fail(wrong, position));
        }
        let is_agent = |ty| ty == Type::Agent;
        match other {
            LoweredValue::Typed(cases) if cases.iter().any(|case| is_agent(case.ty)) => {}
            _ => return None,
        }
        let what = "the agent that `capture` takes";
        let cases = self.cases_that_fit(other, is_agent, what, "an agent", position);
        if !self.give_value(active, &LoweredValue::Typed(cases), position) {
            return Some(LoweredValue::never());
        }
        self.end_change(active, ChangeCall::Capture(into));
        Some(LoweredValue::nothing())
    }

    /// Returns the index of a number of the agent's own public state that is named, or the value of a call that fails. `None` if only the
    /// interpreter can say.
    fn own_number(
        &mut self,
        function: &str,
        name: &LoweredValue,
        position: Position,
    ) -> Option<Result<u16, LoweredValue>> {
        let wanted = self.known_string(name)?;
        let (ty, names) = (self.facts.kind.public_type(&wanted), self.facts.names.public());
        if ty.is_none() && !self.facts.scenario {
            return None;
        }
        let found = problem::own_number(function, &wanted, ty, names);
        Some(found.map_err(|wrong| self.fail(wrong, position)))
    }

    /// Lowers `me.deposit(layer, amount, at)` or `me.take(layer, amount, name)`.
    fn layer_change(
        &mut self,
        (active, position): (B, Position),
        layer: &LoweredValue,
        amount: &LoweredValue,
        into: Option<u16>,
        at: Option<&LoweredValue>,
    ) -> Option<LoweredValue> {
        let name = self.known_string(layer)?;
        let Some(layer) = self.layer_named(&name, position) else {
            return Some(LoweredValue::never());
        };
        let what =
            if into.is_some() { "the amount that `take` takes" } else { "the amount of `deposit`" };
        let amount = self.as_number(amount, what, position);
        let point = match at {
            Some(at) => self.as_point(at, "the point of `deposit`", position),
            None => Some(V(self.emit.own(AgentNumber::PosX), self.emit.own(AgentNumber::PosY))),
        };
        let (Some(amount), Some(point)) = (amount, point) else {
            return Some(LoweredValue::never());
        };
        let calls = &mut self.emit.program.layer_changes;
        calls.push(LayerCall { layer, into });
        let index = (calls.len() - 1) as u16;
        self.emit.within::<()>(active, OpKind::ChangeLayer(index), (point, amount));
        Some(LoweredValue::nothing())
    }

    /// Returns a value as the state of a new agent keeps it; `None` if that cannot be.
    fn fit_state_of(
        &mut self,
        group: GroupId,
        name: &str,
        value: &LoweredValue,
        position: Position,
    ) -> Option<LoweredValue> {
        let names = self.facts.names.public();
        let known = names.iter().find(|known| *known.name == *name);
        match known.filter(|known| known.groups[usize::from(group.0)]).map(|known| known.ty) {
            Some(ty) => self.fit_type(TypedName::State(name), ty, value, position),
            None => Some(value.clone()),
        }
    }

    /// Lowers `me.tell(to, name, value, delay)`.
    fn tell(
        &mut self,
        (active, position): (B, Position),
        to: &LoweredValue,
        name: &LoweredValue,
        value: &LoweredValue,
        delay: Option<&LoweredValue>,
    ) -> Option<LoweredValue> {
        let name = self.known_string(name)?;
        let names = self.facts.names.public();
        let known = names.iter().find(|known| *known.name == *name)?;
        let (name, ty, groups) = (Arc::clone(&known.name), known.ty, known.groups.clone());
        let mut agent = Columns::None;
        let to = match to {
            LoweredValue::Neighborhood(near) => {
                let group = self.emit.program.nears[usize::from(*near)].group;
                if group.is_some_and(|group| !groups[usize::from(group.0)]) {
                    return None;
                }
                ListenersCall::Neighbors(*near)
            }
            LoweredValue::Typed(cases) => match cases[..] {
                // Whether the group of this agent declares the name is known at run time only.
                [TypeCase { ty: Type::Agent, mask: None, columns }]
                    if groups.iter().all(|&declares| declares) =>
                {
                    agent = columns;
                    ListenersCall::Agent
                }
                _ => {
                    let group = self.known_string(to)?;
                    let group = self.group_named(&group, position)?;
                    groups[usize::from(group.0)].then_some(())?;
                    ListenersCall::Group(group)
                }
            },
            _ => return None,
        };
        let Some(value) = self.fit_type(TypedName::State(&name), ty, value, position) else {
            return Some(LoweredValue::never());
        };
        if !matches!(value, LoweredValue::Typed(_)) {
            return None;
        }
        let delay = delay.map(|delay| self.as_number(delay, "the delay of `tell`", position));
        if delay == Some(None) {
            return Some(LoweredValue::never());
        }
        if to == ListenersCall::Agent {
            self.give(active, Type::Agent, agent);
        }
        if !self.give_value(active, &value, position) {
            return Some(LoweredValue::never());
        }
        let delay = delay.flatten();
        if let Some(delay) = delay {
            self.give(active, Type::Float, Columns::F(delay));
        }
        self.end_change(active, ChangeCall::Tell { to, name, is_delayed: delay.is_some() });
        Some(LoweredValue::nothing())
    }

    /// Lowers `me.share(name, value)`.
    fn share(
        &mut self,
        active: B,
        name: &LoweredValue,
        value: &LoweredValue,
        position: Position,
    ) -> Option<LoweredValue> {
        let name = self.known_string(name)?;
        let names = self.facts.names.shared();
        let known = (0..).zip(names).find(|(_, (known, _))| **known == *name);
        let Some((index, (_, ty))) = known else {
            let wrong = self.facts.scenario.then(|| problem::no_shared_value(&name, names))?;
            return Some(self.fail(wrong, position));
        };
        let Some(value) = self.fit_type(TypedName::Shared(&name), *ty, value, position) else {
            return Some(LoweredValue::never());
        };
        if !matches!(value, LoweredValue::Typed(_)) {
            return None;
        }
        if !self.give_value(active, &value, position) {
            return Some(LoweredValue::never());
        }
        self.end_change(active, ChangeCall::Share(index));
        Some(LoweredValue::nothing())
    }

    /// Gives a value of the state of a new agent, as it would be stored in `me.state`. Returns `false` if it cannot be.
    fn give_value(&mut self, active: B, value: &LoweredValue, position: Position) -> bool {
        let LoweredValue::Typed(cases) = value else { return false };
        for &TypeCase { ty, mask, columns } in cases {
            if matches!(ty, Type::Obstacle | Type::Path | Type::Field) {
                self.fail(problem::not_storable(type_name(ty)), position);
                return false;
            }
            let mask = mask.map_or(active, |mask| self.emit.and(active, mask));
            if let Columns::F(x) = columns {
                self.emit.require_finite(V(x, x), mask);
            }
            self.give(mask, ty, columns);
        }
        true
    }

    fn give(&mut self, mask: B, ty: Type, at: Columns) {
        self.emit.with_value(mask, OpKind::Give(ty), at);
    }

    fn end_change(&mut self, active: B, call: ChangeCall) {
        let calls = &mut self.emit.program.changes;
        calls.push(call);
        let index = (calls.len() - 1) as u16;
        self.emit.within::<()>(active, OpKind::EndChange(index), ());
    }
}
