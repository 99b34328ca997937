//! Calls: of functions of the script, of imported functions, and of functions and operators that the engine
//! provides.

use std::sync::Arc;

use rhai::{Expr, FnCallExpr, Position};

use super::definitions;
use super::value::{LoweredValue, TypeCase};
use super::{CallFrame, Lowering};
use crate::diag::Diagnostic;
use crate::math::{Binary, Compare};
use crate::program::{AgentNumber, Columns, F, LoweredView, Near, SharedInteger, TextStyle, Type};
use crate::script::api::{self, define::ValueKind};
use crate::script::limits;
use crate::steer::{self};
use crate::world::{FieldId, GroupId, LayerId, ObstacleId, PathId, View};

impl<'a> Lowering<'a> {
    /// Lowers `name(...)`, which is also how the syntax tree writes an operator.
    pub(super) fn function_call(&mut self, call: &FnCallExpr, position: Position) -> LoweredValue {
        if self.active.is_none() {
            return LoweredValue::never();
        }
        let name = call.name.as_str();
        if !call.namespace.is_empty() {
            return self.imported_call(call, position);
        }
        if call.capture_parent_scope {
            return self.leave_with_help(
                "a call that shares the variables of its caller, `f!(...)`,",
                "pass what it needs as arguments",
                position,
            );
        }
        self.warn_of_unknown_group(call);
        let is_own = self.script_defines(name, call.args.len());
        let mut values = self.arguments_of_comparison(call);
        if self.active.is_none() {
            return LoweredValue::never();
        }
        self.warn_of_impossible_comparison(call, &values);
        if is_own {
            let Some(CallFrame { script, analysis, .. }) = self.frames.last() else {
                return LoweredValue::never();
            };
            if analysis.is_endless(name, values.len()) {
                return self.fail(limits::too_many_calls(), position);
            }
            let script = *script;
            let ids = self.constant_ids(&call.args);
            return self.inline_call(script, name, values, &ids, position);
        }
        let is_operator = !name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match (is_operator, values.len()) {
            (true, 2) if matches!(name, ".." | "..=") => {
                let inclusive = name == "..=";
                if values.iter().any(|value| matches!(value, LoweredValue::Interpreted)) {
                    return LoweredValue::Interpreted;
                }
                if self.is_sure_to_fail(name, &values, position) {
                    return LoweredValue::Interpreted;
                }
                match (self.as_integer(&values[0]), self.as_integer(&values[1])) {
                    (Some(from), Some(to)) => LoweredValue::Range { from, to, inclusive },
                    _ => self.leave_with_help(
                        "a range with an end that may not be an integer",
                        "convert it with `to_int()`",
                        position,
                    ),
                }
            }
            (true, 2) => {
                let b = values.pop().unwrap_or_else(LoweredValue::never);
                let a = values.pop().unwrap_or_else(LoweredValue::never);
                self.binary(name, a, b, position)
            }
            (true, 1) => self.unary(name, &values[0], position),
            _ => self.native(name, values, position),
        }
    }

    /// Returns the values of a call's arguments. A variable that is the first argument is read last, as in Rhai,
    /// which lets the function change it.
    pub(super) fn arguments(&mut self, call: &FnCallExpr) -> Vec<LoweredValue> {
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

    fn imported_call(&mut self, call: &FnCallExpr, position: Position) -> LoweredValue {
        let script: &'a super::Script = match self.frames.last() {
            Some(frame) => frame.script,
            None => return LoweredValue::never(),
        };
        let alias = call.namespace.root();
        let Some((_, module)) = script.modules.iter().find(|(known, _)| known == alias) else {
            let what = format!("`{alias}::{}`", call.name);
            return self.leave_to_interpreter(&what, position);
        };
        let values = self.arguments(call);
        if self.active.is_none() {
            return LoweredValue::never();
        }
        let defined = module
            .functions()
            .any(|(name, count)| name == call.name.as_str() && count == values.len());
        if !defined {
            let what = format!("`{alias}::{}`", call.name);
            return self.leave_to_interpreter(&what, position);
        }
        if self.analyses.of(module).is_endless(&call.name, values.len()) {
            return self.fail(limits::too_many_calls(), position);
        }
        let ids = self.constant_ids(&call.args);
        self.inline_call(module, &call.name, values, &ids, position)
    }

    /// Returns the column of a value that can only be an integer.
    pub(super) fn as_integer(&self, value: &LoweredValue) -> Option<crate::program::I> {
        match value {
            LoweredValue::Typed(cases) => match cases[..] {
                [TypeCase { ty: Type::Int, columns: Columns::I(at), .. }] => Some(at),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns a string that is known before the run.
    pub(super) fn known_string(&self, value: &LoweredValue) -> Option<String> {
        match value {
            LoweredValue::Typed(cases) => match cases[..] {
                [TypeCase { ty: Type::String, columns: at, .. }] => self.known_string_at(at),
                _ => None,
            },
            _ => None,
        }
    }

    /// Lowers a call of a function that the engine provides. A method is called on the first value.
    pub(super) fn native(
        &mut self,
        name: &str,
        values: Vec<LoweredValue>,
        position: Position,
    ) -> LoweredValue {
        if self.active.is_none() {
            return LoweredValue::never();
        }
        if let Some(LoweredValue::Differing(at)) =
            values.iter().find(|value| matches!(value, LoweredValue::Differing(_)))
        {
            let at = *at;
            return self.leave_differing(at);
        }
        if values.iter().any(LoweredValue::is_never) {
            return self.stop_here();
        }
        if values.iter().any(|value| matches!(value, LoweredValue::Interpreted)) {
            self.fails_beside_others(name, &values, position);
            return LoweredValue::Interpreted;
        }
        match (name, &values[..]) {
            ("contains", [LoweredValue::State, state])
                if let Some(state) = self.known_string(state) =>
            {
                return self.has_state(&state);
            }
            ("checked_state", [value, subject, states]) => {
                return self.checked_state(value, subject, states, position);
            }
            _ => {}
        }
        if let Some(value) = self.choice_call(name, &values, position) {
            return value;
        }
        if self.is_sure_to_fail(name, &values, position) {
            return self.result_of_wrong_call(name, &values);
        }
        if let Some(value) = self.change_call(name, &values, position) {
            return value;
        }
        self.warn_of_units(name, &values, position);
        let primitive = steer::find(name);
        match (&values[..], primitive) {
            ([LoweredValue::Me, given @ ..], Some(primitive)) if !primitive.is_combinator() => {
                let given = given.to_vec();
                return self.call_primitive(primitive, &given, position);
            }
            (
                [LoweredValue::Array(_) | LoweredValue::List(_) | LoweredValue::Constant(_), ..],
                Some(primitive),
            ) if primitive.is_combinator() => {
                return self.call_primitive(primitive, &values, position);
            }
            ([array], _) if let Some(value) = self.length(name, array, position) => return value,
            _ => {}
        }
        match (name, &values[..]) {
            ("debug", [value]) => return self.debug(value, position),
            ("to_string", [value]) => return self.as_text(value, TextStyle::Plain, position),
            ("to_debug", [value]) => return self.as_text(value, TextStyle::Quoted, position),
            ("curry", _) => return self.leave_closure(position),
            ("call", _) => {
                let help = "call a function by its name";
                return self.leave_with_help("calling a closure", help, position);
            }
            _ => {}
        }
        if let Some(value) = self.call_with_closure(name, &values, position) {
            return value;
        }
        match definitions::find(name, &values) {
            Some(function) => self.call_definition(function, &values, position),
            None => self.leave_native(name, &values, position),
        }
    }

    /// Returns what a call with wrong arguments would give, so that errors with its result are found, too: a neighborhood, of unknown
    /// agents.
    fn result_of_wrong_call(&mut self, name: &str, values: &[LoweredValue]) -> LoweredValue {
        let gives_neighborhood = |of: ValueKind| {
            let mut functions = api::definitions(name, values.len());
            functions.any(|one| one.params[0].kind == of && one.result == ValueKind::Neighbors)
        };
        match values.first() {
            Some(near @ LoweredValue::Neighborhood(_))
                if gives_neighborhood(ValueKind::Neighbors) =>
            {
                near.clone()
            }
            Some(LoweredValue::Me) if gives_neighborhood(ValueKind::Me) => {
                // Any number that differs between agents: nothing may follow from its value.
                let unknown = self.emit.own(AgentNumber::PosX);
                self.near(unknown, None)
            }
            _ => LoweredValue::Interpreted,
        }
    }

    /// Leaves a call of a function that is not lowered to the interpreter.
    fn leave_native(
        &mut self,
        name: &str,
        values: &[LoweredValue],
        position: Position,
    ) -> LoweredValue {
        let Some(first) = values.first() else {
            return self.leave_to_interpreter(&format!("`{name}`"), position);
        };
        let what = format!("`{name}` on {}", first.description());
        match first {
            LoweredValue::Array(_) | LoweredValue::List(_) => {
                let help = "keep a count, a sum or the best element in a variable instead";
                self.leave_with_help(&what, help, position)
            }
            LoweredValue::Constant(_) | LoweredValue::Neighborhood(_) | LoweredValue::Obstacles => {
                self.leave_with_help(&what, "write a `for` loop", position)
            }
            _ => self.leave_to_interpreter(&what, position),
        }
    }

    /// Lowers `len` or `is_empty` of an array; `None` if it is another function, or no array.
    fn length(
        &mut self,
        name: &str,
        of: &LoweredValue,
        position: Position,
    ) -> Option<LoweredValue> {
        let is_empty = name == "is_empty";
        if !is_empty && name != "len" {
            return None;
        }
        let length = match of {
            LoweredValue::Array(items) => self.emit.const_i(items.len() as i64),
            LoweredValue::List(list) => list.count,
            LoweredValue::Obstacles => self.emit.common_i(SharedInteger::Obstacles),
            LoweredValue::Constant(pick) if pick.index.is_none() => {
                let array = pick.candidates.first()?.read_lock::<rhai::Array>();
                match array.map(|items| items.len()) {
                    Some(length) => self.emit.const_i(length as i64),
                    None => {
                        let what = format!("`{name}` of a map");
                        return Some(self.leave_to_interpreter(&what, position));
                    }
                }
            }
            _ => return None,
        };
        Some(match self.known_integer(length) {
            _ if !is_empty => LoweredValue::integer(length),
            Some(known) => LoweredValue::boolean(self.emit.const_b(known == 0)),
            None => {
                let zero = self.emit.const_i(0);
                LoweredValue::boolean(self.emit.cmp_i(Compare::Eq, length, zero))
            }
        })
    }

    pub(super) fn near(&mut self, radius: F, group: Option<GroupId>) -> LoweredValue {
        LoweredValue::Neighborhood(self.emit.near(Near {
            radius,
            group,
            relation: None,
            view: LoweredView::Fixed(View::Around),
            around: None,
            most: None,
            shared: false,
        }))
    }

    /// Marks lanes as faulted where a number is negative or not a number.
    pub(super) fn require_not_negative(&mut self, x: F) {
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

    /// Marks lanes as faulted in which a number is infinite or not a number.
    pub(super) fn require_finite_number(&mut self, x: F) {
        let Some(active) = self.active else { return };
        if self.known_number(x).is_some_and(f32::is_finite) {
            return;
        }
        // The difference of such a number and itself is not a number.
        let zero = self.const_f(0.0);
        let difference = self.emit.f2(Binary::Sub, x, x);
        let good = self.emit.cmp_f(Compare::Eq, difference, zero);
        let active = self.emit.and_not(active, good);
        self.emit.fault(active);
    }

    /// Returns the number of a column that holds a constant.
    fn known_number(&self, x: F) -> Option<f32> {
        self.emit.constant_f(x)
    }

    pub(super) fn group_named(&mut self, name: &str, position: Position) -> Option<GroupId> {
        let names = &self.facts.names;
        self.named(("group", name), names.group(name), names.groups(), GroupId(0), position)
    }

    pub(super) fn obstacle_named(&mut self, name: &str, position: Position) -> Option<ObstacleId> {
        let names = &self.facts.names;
        let found = names.obstacle(name);
        self.named(("obstacle", name), found, names.obstacles(), ObstacleId(0), position)
    }

    pub(super) fn path_named(&mut self, name: &str, position: Position) -> Option<PathId> {
        let names = &self.facts.names;
        self.named(("path", name), names.path(name), names.paths(), PathId(0), position)
    }

    pub(super) fn field_named(&mut self, name: &str, position: Position) -> Option<FieldId> {
        let names = &self.facts.names;
        self.named(("field", name), names.field(name), names.fields(), FieldId(0), position)
    }

    pub(super) fn layer_named(&mut self, name: &str, position: Position) -> Option<LayerId> {
        let names = &self.facts.names;
        self.named(("layer", name), names.layer(name), names.layers(), LayerId(0), position)
    }

    /// Returns what a name means: what was found, or `any` without a scenario, where each name may be right. Otherwise it is an error.
    fn named<T>(
        &mut self,
        (what, name): (&str, &str),
        found: Option<T>,
        known: &[Arc<str>],
        any: T,
        position: Position,
    ) -> Option<T> {
        if found.is_none() && self.facts.scenario {
            let wrong = Diagnostic::error(format!("there is no {what} `{name}`"))
                .suggest(name, known.iter().map(|known| &**known));
            self.fail(wrong, position);
            return None;
        }
        Some(found.unwrap_or(any))
    }
}
