//! Calls of primitives and combinators: their arguments, and their bodies read as columns.

use rhai::Position;

use super::Lowering;
use super::definitions::NAME_HELP;
use super::value::{LoweredValue, TypeCase};
use crate::diag::Diagnostic;
use crate::math::Compare;
use crate::program::{AgentNumber, Call, CallArg, Columns, F, I, SharedNumber, Type, V};
use crate::script::problem::Problem;
use crate::steer::{
    self, Argument, CallError, Flow, ForceKind, Param, ParamDefault, ParamKind, Primitive,
};

impl Lowering<'_> {
    pub(super) fn call_primitive(
        &mut self,
        primitive: &'static Primitive,
        given: &[LoweredValue],
        position: Position,
    ) -> LoweredValue {
        if given.len() < primitive.required() || given.len() > primitive.params.len() {
            let wrong = Problem::from(primitive.wrong_count(given.len()))
                .into_diagnostic()
                .help(primitive.how_to_call());
            return self.fail(wrong, position);
        }
        self.warn_of_missing_part(primitive.name, primitive.needs(), position);
        let mut args = Vec::with_capacity(primitive.params.len());
        for (param, value) in primitive.params.iter().zip(given) {
            match self.primitive_argument(primitive, param, value, position) {
                Ok(arg) => args.push(arg),
                Err(result) => return result,
            }
        }
        let written = args.len();
        for param in &primitive.params[written..] {
            match self.default_argument(primitive, param, position) {
                Ok(arg) => args.push(arg),
                Err(result) => return result,
            }
        }
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        if let Some(wrong) = wrong_length(primitive, &args) {
            return self.fail(Diagnostic::error(wrong.to_string()), position);
        }
        for (param, arg) in primitive.params.iter().zip(&args) {
            self.check_range(param, arg);
        }
        if primitive.force_kind == ForceKind::Index {
            let V(index, _) = self.read_primitive(primitive, &args);
            return LoweredValue::integer(self.emit.as_i(index, active));
        }
        if primitive.is_combinator() {
            let sum = self.read_primitive(primitive, &args);
            return self.require_finite(sum, position);
        }
        let place = self.locate(Diagnostic::note(""), position).place;
        let noted = args[..written].to_vec();
        let call =
            self.emit.begin_call(Call { primitive, args: noted, vel: self.vel, place }, active);
        let force = self.read_primitive(primitive, &args);
        let to = self.emit.own_columns(force);
        self.emit.end_call(call, to, active);
        self.require_finite(to, position)
    }

    /// Reads the body of a primitive.
    fn read_primitive(&mut self, primitive: &'static Primitive, args: &[CallArg]) -> V {
        let force = self.read_as_columns(|me| {
            let vectors = |arg: &CallArg| match arg {
                CallArg::Forces(all) => all.iter().map(|&v| me.vector_at(v)).collect(),
                _ => Vec::new(),
            };
            let numbers = |arg: &CallArg| match arg {
                CallArg::Numbers(all) => all.iter().map(|&x| me.number_at(x)).collect(),
                _ => Vec::new(),
            };
            let lists: Vec<(Vec<_>, Vec<_>)> =
                args.iter().map(|arg| (vectors(arg), numbers(arg))).collect();
            let values = args.iter().zip(&lists).map(|(arg, (vectors, numbers))| match *arg {
                CallArg::Number(x) => Argument::Number(me.number_at(x)),
                CallArg::Vector(v) | CallArg::VectorOf(v, _) => Argument::Vector(me.vector_at(v)),
                CallArg::Agent(row) => Argument::Agent(row),
                CallArg::Neighbors(near) => Argument::Neighbors(near),
                CallArg::Path(path) => Argument::Path(path),
                CallArg::Field(field) => Argument::Flow(Flow::Field(field)),
                CallArg::FlowOf(v) => Argument::Flow(Flow::Vector(me.vector_at(v))),
                CallArg::Forces(_) => Argument::Forces(vectors),
                CallArg::Numbers(_) => Argument::Numbers(numbers),
                CallArg::Slots(slots) => Argument::Slots(slots),
            });
            let values: Vec<_> = values.collect();
            steer::evaluate(primitive, me, &values).at
        });
        force.unwrap_or_else(|| self.emit.new_v())
    }

    /// Lowers an argument that is given. The error is the value of the whole call if that fails.
    fn primitive_argument(
        &mut self,
        primitive: &'static Primitive,
        param: &'static Param,
        value: &LoweredValue,
        position: Position,
    ) -> Result<CallArg, LoweredValue> {
        let what = format!("{}: `{}`", primitive.name, param.name);
        let wanted = param.kind.expected();
        let arg = match param.kind {
            ParamKind::Number | ParamKind::Signed => {
                self.as_number(value, &what, position).map(CallArg::Number)
            }
            ParamKind::Point => {
                self.as_point(value, &what, position).map(|v| vector_argument(value, v))
            }
            ParamKind::Vector => self
                .of_agent_or_vector(
                    value,
                    &what,
                    wanted,
                    (AgentNumber::VelX, AgentNumber::VelY),
                    position,
                )
                .map(|v| vector_argument(value, v)),
            ParamKind::Agent => self
                .integer_column_of(Type::Agent, value, &what, wanted, position)
                .map(CallArg::Agent),
            ParamKind::Neighbors => match value {
                LoweredValue::Neighborhood(near) => Some(CallArg::Neighbors(*near)),
                _ => self
                    .as_number(value, &what, position)
                    .map(|radius| CallArg::Neighbors(self.everyone_within(radius))),
            },
            ParamKind::Path => return self.path_argument(value, &what, wanted, position),
            ParamKind::Flow => return self.flow_argument(value, &what, wanted, position),
            ParamKind::Forces => {
                let items = self.list_argument("forces", value, position)?;
                let force = |(i, item)| {
                    let what = format!("{}: element {i}", primitive.name);
                    self.as_vector(item, &what, position)
                };
                let forces: Option<Vec<V>> = items.iter().enumerate().map(force).collect();
                forces.map(CallArg::Forces)
            }
            ParamKind::Numbers => {
                let items = self.list_argument("numbers", value, position)?;
                let number = |(i, item)| {
                    let what = format!("{}: element {i} of `{}`", primitive.name, param.name);
                    self.as_number(item, &what, position)
                };
                let numbers: Option<Vec<F>> = items.iter().enumerate().map(number).collect();
                numbers.map(CallArg::Numbers)
            }
            ParamKind::Slots => return self.slots_argument(primitive, param, value, position),
        };
        arg.ok_or_else(LoweredValue::never)
    }

    fn path_argument(
        &mut self,
        value: &LoweredValue,
        what: &str,
        wanted: &str,
        position: Position,
    ) -> Result<CallArg, LoweredValue> {
        let path = match self.known_string(value) {
            Some(name) => {
                self.path_named(&name, position).map(|path| self.emit.const_i(i64::from(path.0)))
            }
            None if value.may_be_string() => {
                let what = "a computed name of a path";
                return Err(self.leave_with_help(what, NAME_HELP, position));
            }
            None => self.integer_column_of(Type::Path, value, what, wanted, position),
        };
        path.map(CallArg::Path).ok_or_else(LoweredValue::never)
    }

    fn flow_argument(
        &mut self,
        value: &LoweredValue,
        what: &str,
        wanted: &str,
        position: Position,
    ) -> Result<CallArg, LoweredValue> {
        let flow = match self.known_string(value) {
            Some(name) => self
                .field_named(&name, position)
                .map(|field| CallArg::Field(self.emit.const_i(i64::from(field.0)))),
            None => match flow_type(value) {
                Ok(Type::Field) => self
                    .integer_column_of(Type::Field, value, what, wanted, position)
                    .map(CallArg::Field),
                Ok(_) => {
                    let fits = |ty| ty == Type::Vector;
                    let cases = self.cases_that_fit(value, fits, what, wanted, position);
                    match cases.first().map(|case| case.columns) {
                        Some(Columns::V(v)) => Some(CallArg::FlowOf(v)),
                        _ => None,
                    }
                }
                Err(why) => return Err(self.leave_with_help(why, FLOW_HELP, position)),
            },
        };
        flow.ok_or_else(LoweredValue::never)
    }

    fn slots_argument(
        &mut self,
        primitive: &'static Primitive,
        param: &'static Param,
        value: &LoweredValue,
        position: Position,
    ) -> Result<CallArg, LoweredValue> {
        let what = format!("{}: `{}`", primitive.name, param.name);
        let Some(given) = self.as_number(value, &what, position) else {
            return Err(LoweredValue::never());
        };
        let Some(given) = self.known_float(given) else {
            return Err(self.leave_with_help(
                "a number of slots that is computed",
                "write 8, 16 or 32 in the call",
                position,
            ));
        };
        primitive
            .slots(param, given)
            .map(CallArg::Slots)
            .map_err(|wrong| self.fail_for_value(Diagnostic::error(wrong.to_string()), position))
    }

    /// Returns the elements of a list. The error is the value of the whole call if they are not known one by one.
    fn list_argument(
        &mut self,
        what: &str,
        value: &LoweredValue,
        position: Position,
    ) -> Result<Vec<LoweredValue>, LoweredValue> {
        self.items_of(value).ok_or_else(|| {
            self.leave_with_help(
                &format!("a list of {what} that is not written as `[...]`"),
                "write the list in the call",
                position,
            )
        })
    }

    /// Returns the default of an argument that is left out. The error is the value of the whole call if there
    /// is none.
    fn default_argument(
        &mut self,
        primitive: &'static Primitive,
        param: &'static Param,
        position: Position,
    ) -> Result<CallArg, LoweredValue> {
        let group = || self.facts.group_name().map_or_else(String::new, |group| group.to_string());
        let (primitive, name) = (primitive.name, param.name);
        match param.default {
            ParamDefault::Number(x) if param.kind == ParamKind::Neighbors => {
                let radius = self.emit.const_f(x);
                Ok(CallArg::Neighbors(self.everyone_within(radius)))
            }
            ParamDefault::Number(x) if param.kind == ParamKind::Slots => {
                Ok(CallArg::Slots(x as usize))
            }
            ParamDefault::Number(x) => Ok(CallArg::Number(self.emit.const_f(x))),
            ParamDefault::MaxForce => {
                Ok(CallArg::Number(self.body_number(AgentNumber::MaxForce, SharedNumber::MaxForce)))
            }
            ParamDefault::MaxSpeed => {
                if self.facts.scenario && !self.facts.kind.has_speed {
                    let wrong = CallError::NoSpeed { primitive, param: name, group: group() };
                    return Err(self.fail(Diagnostic::error(wrong.to_string()), position));
                }
                Ok(CallArg::Number(self.body_number(AgentNumber::MaxSpeed, SharedNumber::MaxSpeed)))
            }
            ParamDefault::OwnPath => match self.facts.kind.path.emit(&mut self.emit) {
                Some(path) => Ok(CallArg::Path(path)),
                None if self.facts.scenario => {
                    let wrong = CallError::NoPath { primitive, param: name, group: group() };
                    Err(self.fail(Diagnostic::error(wrong.to_string()), position))
                }
                None => Err(self.leave_to_interpreter("a path that no scenario gives", position)),
            },
            ParamDefault::Required => unreachable!("the count of the arguments has been checked"),
        }
    }

    /// Marks lanes as faulted in which a number is out of its range.
    fn check_range(&mut self, param: &'static Param, arg: &CallArg) {
        match *arg {
            CallArg::Number(x) if param.default == ParamDefault::MaxSpeed => self.check_speed(x),
            CallArg::Number(x) if param.kind == ParamKind::Signed => self.require_finite_number(x),
            CallArg::Number(x) => self.require_not_negative(x),
            CallArg::Neighbors(near) => {
                let radius = self.emit.program.nears[usize::from(near)].radius;
                self.require_not_negative(radius);
            }
            _ => {}
        }
    }

    /// Marks lanes as faulted in which a speed is negative or not finite.
    fn check_speed(&mut self, speed: F) {
        self.require_not_negative(speed);
        let Some(active) = self.active else { return };
        if !self.checked.insert((speed, active, true)) {
            return;
        }
        let infinite = self.const_f(f32::INFINITY);
        let bad = self.emit.cmp_f(Compare::Eq, speed, infinite);
        let active = self.emit.and(active, bad);
        self.emit.fault(active);
    }

    /// Returns the neighborhood of all others within a radius.
    fn everyone_within(&mut self, radius: F) -> u16 {
        match self.near(radius, None) {
            LoweredValue::Neighborhood(near) => near,
            _ => unreachable!("a neighborhood is one"),
        }
    }

    /// Returns the column of a value that must have one type, which is kept in an integer column.
    fn integer_column_of(
        &mut self,
        of: Type,
        value: &LoweredValue,
        what: &str,
        wanted: &str,
        position: Position,
    ) -> Option<I> {
        let cases = self.cases_that_fit(value, |ty| ty == of, what, wanted, position);
        match cases.first()?.columns {
            Columns::I(at) => Some(at),
            _ => None,
        }
    }
}

/// Returns the error for a list of numbers whose length differs from that of the list of forces.
fn wrong_length(primitive: &Primitive, args: &[CallArg]) -> Option<CallError> {
    let Some(CallArg::Forces(forces)) = args.first() else { return None };
    primitive.params.iter().zip(args).find_map(|(param, arg)| match arg {
        CallArg::Numbers(all) => primitive.check_length(param, forces.len(), all.len()).err(),
        _ => None,
    })
}

/// Returns a vector as an argument; with the agent that it belongs to, if it is always the same kind of
/// value.
fn vector_argument(value: &LoweredValue, v: V) -> CallArg {
    let LoweredValue::Typed(cases) = value else {
        return CallArg::Vector(v);
    };
    let mut fitting = cases.iter().filter(|case| matches!(case.ty, Type::Vector | Type::Agent));
    match (fitting.next(), fitting.next()) {
        (Some(TypeCase { columns: Columns::I(row), .. }), None) => CallArg::VectorOf(v, *row),
        _ => CallArg::Vector(v),
    }
}

const FLOW_HELP: &str = "call it once for each flow, and choose with `if` or `switch`";

/// Returns the type of a flow: a field, or a vector, also for any wrong value. The error says why only the interpreter
/// knows the type.
fn flow_type(value: &LoweredValue) -> Result<Type, &'static str> {
    if value.may_be_string() {
        return Err("a computed name of a field");
    }
    let Some(types) = value.types() else { return Ok(Type::Vector) };
    if !types.contains(&Type::Field) {
        Ok(Type::Vector)
    } else if types.contains(&Type::Vector) {
        Err("a flow that is a field or a vector")
    } else {
        Ok(Type::Field)
    }
}
