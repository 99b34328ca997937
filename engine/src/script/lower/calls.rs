//! Calls: of the script's own functions, of imported ones, and of everything the engine gives.

use rhai::{Expr, FnCallExpr, Position};

use super::Lower;
use super::definitions;
use super::value::{Alt, Val};
use crate::diag::Diagnostic;
use crate::math::Compare;
use crate::program::{Columns, F, LoweredView, Near, SharedInteger, Type};
use crate::steer::{self};
use crate::world::{GroupId, ObstacleId, PathId, View};

impl<'a> Lower<'a> {
    /// `name(...)`, which is also what an operator is.
    pub(super) fn function_call(&mut self, call: &FnCallExpr, position: Position) -> Val {
        if self.active.is_none() {
            return Val::never();
        }
        let name = call.name.as_str();
        if !call.namespace.is_empty() {
            return self.imported_call(call, position);
        }
        if call.capture_parent_scope {
            return self.slow("a call that takes the variables along", position);
        }
        self.warn_of_unknown_group(call);
        let is_own = self.script_defines(name, call.args.len());
        let mut values = self.arguments(call);
        if self.active.is_none() {
            return Val::never();
        }
        if is_own {
            let script = match self.frames.last() {
                Some(frame) => frame.script,
                None => return Val::never(),
            };
            return self.take_in(script, name, values, position);
        }
        let is_operator = !name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match (is_operator, values.len()) {
            (true, 2) if matches!(name, ".." | "..=") => {
                let inclusive = name == "..=";
                if values.iter().any(|value| matches!(value, Val::Any)) {
                    return Val::Any;
                }
                if self.is_sure_to_fail(name, &values, position) {
                    return Val::Any;
                }
                match (self.whole(&values[0]), self.whole(&values[1])) {
                    (Some(from), Some(to)) => Val::Range { from, to, inclusive },
                    _ => self.slow("a range of these", position),
                }
            }
            (true, 2) => {
                let b = values.pop().unwrap_or_else(Val::never);
                let a = values.pop().unwrap_or_else(Val::never);
                self.binary(name, a, b, position)
            }
            (true, 1) => self.unary(name, &values[0], position),
            _ => self.native(name, values, position),
        }
    }

    /// The values of a call's arguments. A variable that comes first is looked at last, as Rhai has it:
    /// the function could change it.
    fn arguments(&mut self, call: &FnCallExpr) -> Vec<Val> {
        let is_variable = matches!(call.args.first(), Some(Expr::Variable(..)));
        let late = usize::from(is_variable);
        let mut values = Vec::with_capacity(call.args.len());
        for argument in call.args.iter().skip(late) {
            values.push(self.expression(argument));
        }
        if let Some(first) = call.args.first().filter(|_| is_variable) {
            values.insert(0, self.expression(first));
        }
        values
    }

    fn imported_call(&mut self, call: &FnCallExpr, position: Position) -> Val {
        let script: &'a super::Script = match self.frames.last() {
            Some(frame) => frame.script,
            None => return Val::never(),
        };
        let alias = call.namespace.root();
        let Some((_, module)) = script.modules.iter().find(|(known, _)| known == alias) else {
            return self.slow("a call of this", position);
        };
        let values = self.arguments(call);
        if self.active.is_none() {
            return Val::never();
        }
        let defined = module
            .functions()
            .any(|(name, count)| name == call.name.as_str() && count == values.len());
        if !defined {
            return self.slow("a call of this", position);
        }
        self.take_in(module, &call.name, values, position)
    }

    /// The column of a value that is an integer and nothing else.
    pub(super) fn whole(&self, value: &Val) -> Option<crate::program::I> {
        match value {
            Val::Alts(alts) => match alts[..] {
                [Alt { is: Type::Int, at: Columns::I(at), .. }] => Some(at),
                _ => None,
            },
            _ => None,
        }
    }

    /// A text that is known now.
    pub(super) fn named(&self, value: &Val) -> Option<String> {
        match value {
            Val::Alts(alts) => match alts[..] {
                [Alt { is: Type::Text, at, .. }] => self.known_text(at),
                _ => None,
            },
            _ => None,
        }
    }

    /// A function that the engine gives: the first value is what a method is called on.
    pub(super) fn native(&mut self, name: &str, values: Vec<Val>, position: Position) -> Val {
        if self.active.is_none() {
            return Val::never();
        }
        if let Some(Val::Mixed(at)) = values.iter().find(|value| matches!(value, Val::Mixed(_))) {
            let at = *at;
            return self.slow("one thing on one way and another on another", at);
        }
        if values.iter().any(Val::is_never) {
            return self.stop();
        }
        if values.iter().any(|value| matches!(value, Val::Any)) {
            return Val::Any;
        }
        if self.is_sure_to_fail(name, &values, position) {
            return Val::Any;
        }
        self.warn_of_degrees(name, &values, position);
        let primitive = steer::find(name);
        match (&values[..], primitive) {
            ([Val::Me, given @ ..], Some(primitive)) if !primitive.is_combinator() => {
                let given = given.to_vec();
                return self.primitive(primitive, &given, position);
            }
            ([Val::List(_), ..], Some(primitive)) if primitive.is_combinator() => {
                return self.primitive(primitive, &values, position);
            }
            ([Val::List(items)], _) if name == "len" => {
                return Val::whole(self.emit.const_i(items.len() as i64));
            }
            ([Val::Obstacles], _) if name == "len" => {
                return Val::whole(self.emit.common_i(SharedInteger::Obstacles));
            }
            ([Val::List(items)], _) if name == "is_empty" => {
                return Val::truth(self.emit.const_b(items.is_empty()));
            }
            ([Val::Constant(pick)], _)
                if matches!(name, "len" | "is_empty") && pick.at.is_none() =>
            {
                let len = pick
                    .among
                    .first()
                    .and_then(|value| value.read_lock::<rhai::Array>().map(|items| items.len()));
                return match len {
                    Some(len) if name == "is_empty" => Val::truth(self.emit.const_b(len == 0)),
                    Some(len) => Val::whole(self.emit.const_i(len as i64)),
                    None => self.slow("the length of this", position),
                };
            }
            _ => {}
        }
        match name {
            "debug" => return self.slow("`debug`", position),
            "curry" => return self.slow("a closure", position),
            "call" => return self.slow("calling a function that is a value", position),
            _ => {}
        }
        if let Some(function) = definitions::find(name, &values) {
            return self.called(function, &values, position);
        }
        let on = match values.first() {
            Some(Val::Me) => "`me`",
            Some(Val::World) => "the world",
            Some(Val::Near(_)) => "a neighborhood",
            _ => "these",
        };
        self.slow(&format!("`{name}` on {on}"), position)
    }

    pub(super) fn near(&mut self, radius: F, group: Option<GroupId>) -> Val {
        Val::Near(self.emit.near(Near {
            radius,
            group,
            view: LoweredView::Fixed(View::Around),
            around: None,
            shared: false,
        }))
    }

    /// Lanes where a number is negative or undefined are at fault.
    pub(super) fn at_least_zero(&mut self, x: F) {
        let Some(active) = self.active else { return };
        if let Some(known) = self.known_number(x)
            && known >= 0.0
        {
            return;
        }
        if !self.checked.insert((x, active, false)) {
            return;
        }
        let zero = self.const_f(0.0);
        let good = self.emit.cmp_f(Compare::Ge, x, zero);
        let active = self.emit.and_not(active, good);
        self.emit.fault(active);
    }

    /// The number that a column is known to hold.
    fn known_number(&self, x: F) -> Option<f32> {
        self.emit.constant_f(x)
    }

    pub(super) fn group_named(&mut self, name: &str, position: Position) -> Option<GroupId> {
        match self.facts.names.group(name) {
            Some(group) => Some(group),
            None if self.facts.scenario => {
                let wrong = Diagnostic::error(format!("there is no group `{name}`"))
                    .suggest(name, self.facts.names.groups().iter().map(|known| &**known));
                self.fails(wrong, position);
                None
            }
            None => {
                // Any name may be right in some scenario.
                Some(GroupId(0))
            }
        }
    }

    pub(super) fn obstacle_named(&mut self, name: &str, position: Position) -> Option<ObstacleId> {
        match self.facts.names.obstacle(name) {
            Some(obstacle) => Some(obstacle),
            None if self.facts.scenario => {
                let wrong = Diagnostic::error(format!("there is no obstacle `{name}`"))
                    .suggest(name, self.facts.names.obstacles().iter().map(|known| &**known));
                self.fails(wrong, position);
                None
            }
            None => Some(ObstacleId(0)),
        }
    }

    pub(super) fn path_named(&mut self, name: &str, position: Position) -> Option<PathId> {
        match self.facts.names.path(name) {
            Some(path) => Some(path),
            None if self.facts.scenario => {
                let wrong = Diagnostic::error(format!("there is no path `{name}`"))
                    .suggest(name, self.facts.names.paths().iter().map(|known| &**known));
                self.fails(wrong, position);
                None
            }
            None => Some(PathId(0)),
        }
    }
}
