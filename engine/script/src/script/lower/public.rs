//! Public state and shared values: reading them, and keeping the agent's own state as it is declared.

use std::fmt;

use rhai::{Expr, FnCallExpr, Position};

use super::Lowering;
use super::tracked::{TrackedId, TypeSet};
use super::value::{LoweredValue, TypeCase, type_name};
use crate::diag::{Declared, Diagnostic, Remedy};
use crate::math::Compare;
use crate::program::{B, Columns, I, Type, UNKNOWN_STRING};
use crate::script::problem;
use crate::world::PublicType;

/// Returns the types that a public state can have.
pub(super) fn types(ty: PublicType) -> TypeSet {
    let types: &[Type] = match ty {
        PublicType::Bool => &[Type::Bool],
        PublicType::Number => &[Type::Float],
        PublicType::Vector => &[Type::Vector],
        PublicType::String => &[Type::String],
        PublicType::Agent => &[Type::Nothing, Type::Agent],
    };
    types.iter().copied().collect()
}

/// Returns the type of the column that holds public values of a type; `None` for agents, which may be missing.
fn column_type(ty: PublicType) -> Option<Type> {
    Some(match ty {
        PublicType::Bool => Type::Bool,
        PublicType::Number => Type::Float,
        PublicType::Vector => Type::Vector,
        PublicType::String => Type::String,
        PublicType::Agent => return None,
    })
}

/// Something that the scenario gives a type.
#[derive(Clone, Copy, Debug)]
pub(super) enum TypedName<'n> {
    /// A public state.
    State(&'n str),
    /// A shared value.
    Shared(&'n str),
}

impl TypedName<'_> {
    /// Returns the error of a value of another type.
    fn wrong_type(self, ty: PublicType, found: &str) -> Diagnostic {
        match self {
            Self::State(name) => problem::wrong_public_type(name, ty, found),
            Self::Shared(name) => problem::wrong_contribution(name, ty, found),
        }
    }
}

impl fmt::Display for TypedName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::State(name) => write!(f, "the public state `{name}`"),
            Self::Shared(name) => write!(f, "the shared value `{name}`"),
        }
    }
}

impl Lowering<'_> {
    /// Returns whether an id is that of a state that the agent's group declares as public. Such a state is always set.
    pub(super) fn is_public(&self, id: TrackedId) -> bool {
        let name = self.inferred.tracked.state(id);
        name.is_some_and(|name| self.facts.kind.public_type(name).is_some())
    }

    /// Lowers `other.state.name`, for the agent in a row.
    pub(super) fn other_state(&mut self, row: I, name: &str, position: Position) -> LoweredValue {
        let Some(active) = self.active else { return LoweredValue::never() };
        let names = self.facts.names.public();
        let Some((index, known)) = (0..).zip(names).find(|(_, known)| *known.name == *name) else {
            if !self.facts.scenario {
                let what = "a public state that no scenario declares";
                return self.leave_to_interpreter(what, position);
            }
            let group = self.facts.group_name().map_or("", |group| group).to_owned();
            let (what, name) = (Declared::PublicState, name.to_owned());
            let wrong = problem::no_public_state(&name, None, names);
            return self.fail(wrong.remedy(Remedy::Declare { group, what, name }), position);
        };
        let ty = known.ty;
        let Some(of) = column_type(ty) else {
            let (row, exists) = self.emit.agent_in_state(row, index, active);
            return self.optional(Type::Agent, Columns::I(row), exists);
        };
        let columns = self.emit.other_state(row, index, ty, active);
        self.known_or_compared(of, columns, active, position)
    }

    /// Lowers `world.shared.name`.
    pub(super) fn shared_value(&mut self, name: &str, position: Position) -> LoweredValue {
        let Some(active) = self.active else { return LoweredValue::never() };
        let names = self.facts.names.shared();
        let Some((index, (_, ty))) = (0..).zip(names).find(|(_, (known, _))| **known == *name)
        else {
            if !self.facts.scenario {
                let what = "a shared value that no scenario declares";
                return self.leave_to_interpreter(what, position);
            }
            return self.fail(problem::no_shared_value(name, names), position);
        };
        let ty = *ty;
        let Some(of) = column_type(ty) else {
            let (row, exists) = self.emit.shared_agent(index);
            let zero = self.emit.const_i(0);
            let is_removed = self.emit.cmp_i(Compare::Lt, row, zero);
            let active = self.emit.and(active, is_removed);
            self.emit.fault(active);
            return self.optional(Type::Agent, Columns::I(row), exists);
        };
        let columns = self.emit.shared_value(index, ty);
        self.known_or_compared(of, columns, active, position)
    }

    /// Returns a value of others in columns. A string that the program does not have is left to the interpreter, unless it is only compared.
    fn known_or_compared(
        &mut self,
        of: Type,
        columns: Columns,
        active: B,
        position: Position,
    ) -> LoweredValue {
        if let (Type::String, Columns::I(at)) = (of, columns)
            && self.compared_state != Some((self.frames.len(), position))
        {
            let unknown = self.emit.const_i(UNKNOWN_STRING);
            let is_unknown = self.emit.cmp_i(Compare::Eq, at, unknown);
            let active = self.emit.and(active, is_unknown);
            self.emit.fault(active);
        }
        LoweredValue::of_type(of, columns)
    }

    /// Evaluates the arguments of a comparison such as `other.state.mode == "calm"` or `world.shared.mode == "calm"`. Of a string that the program does not have,
    /// this needs to know no more than that.
    pub(super) fn arguments_of_comparison(&mut self, call: &FnCallExpr) -> Vec<LoweredValue> {
        let state = match (call.name.as_str(), &call.args[..]) {
            ("==" | "!=", [one, Expr::StringConstant(..)] | [Expr::StringConstant(..), one]) => {
                position_of_state(one).map(|position| (self.frames.len(), position))
            }
            _ => None,
        };
        let outer = std::mem::replace(&mut self.compared_state, state);
        let values = self.arguments(call);
        self.compared_state = outer;
        values
    }

    /// Returns a value as the agent's own state keeps it: a public state keeps its type. `None` if it has another type for
    /// all agents.
    pub(super) fn fit_public(
        &mut self,
        name: &str,
        value: &LoweredValue,
        position: Position,
    ) -> Option<LoweredValue> {
        match self.facts.kind.public_type(name) {
            Some(ty) => self.fit_type(TypedName::State(name), ty, value, position),
            None => Some(value.clone()),
        }
    }

    /// Returns a value as a public state or a shared value of a type keeps it. `None` if it has another type for all agents.
    pub(super) fn fit_type(
        &mut self,
        name: TypedName<'_>,
        ty: PublicType,
        value: &LoweredValue,
        position: Position,
    ) -> Option<LoweredValue> {
        let is_number = ty == PublicType::Number;
        let fits = |of: Type| types(ty).contains(of) || (is_number && of == Type::Int);
        let found = match value {
            LoweredValue::Typed(cases) if cases.iter().any(|case| fits(case.ty)) => None,
            LoweredValue::Typed(cases) => cases.first().map(|case: &TypeCase| type_name(case.ty)),
            LoweredValue::Text(_) if ty == PublicType::String => None,
            LoweredValue::Interpreted | LoweredValue::Differing(_) => None,
            other => Some(other.description()),
        };
        if let Some(found) = found {
            self.fail(name.wrong_type(ty, found), position);
            return None;
        }
        let LoweredValue::Typed(_) = value else { return Some(value.clone()) };
        let what = name.to_string();
        if is_number {
            return self.as_number(value, &what, position).map(LoweredValue::number);
        }
        let cases = self.cases_that_fit(value, fits, &what, ty.description(), position);
        Some(LoweredValue::Typed(cases))
    }
}

/// Returns the position of `name` in `other.state.name` or `world.shared.name`.
fn position_of_state(expression: &Expr) -> Option<Position> {
    let Expr::Dot(parts, ..) = expression else { return None };
    match (&parts.lhs, &parts.rhs) {
        (Expr::Property(state, _), Expr::Property(_, position))
            if matches!(state.2.as_str(), "state" | "shared") =>
        {
            Some(*position)
        }
        (_, rest) => position_of_state(rest),
    }
}
