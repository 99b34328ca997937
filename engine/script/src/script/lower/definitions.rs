//! Calls of definitions: their arguments, their bodies read as columns, and their results.

use std::cell::Cell;

use rhai::Position;

use super::Lowering;
use super::reading::{CallArgument, ColumnCall, ColumnResult, NotLowered};
use super::tracked::Tracked;
use super::value::{LoweredValue, TypeCase};
use crate::program::{B, Columns, Type};
use crate::script::api;
use crate::script::api::define::{Attribute, Binding, Function, FunctionParam, ValueKind};

/// Help where the name of something is computed.
pub(super) const NAME_HELP: &str = "write the name in the call, and choose with `if` or `switch`";

/// Finds the definition that a call means. If none takes all the arguments, a method is found by the value
/// that it is called on. A function of numbers is not, since Rhai may have others of the name.
pub(super) fn find(name: &str, values: &[LoweredValue]) -> Option<&'static Function> {
    let fits = |(param, value): (&FunctionParam, &LoweredValue)| param.kind.accepts(value);
    let all = || {
        let calls = |one: &&Function| one.binding != Binding::Property;
        api::definitions(name, values.len()).filter(calls)
    };
    let exact = all().find(|one| one.params.iter().zip(values).all(fits));
    exact.or_else(|| all().find(|one| one.is_method() && fits((&one.params[0], &values[0]))))
}

/// Finds the definition of a property of a value.
pub(super) fn find_property(name: &str, of: &LoweredValue) -> Option<&'static Function> {
    let fits = |one: &&Function| one.binding == Binding::Property && one.params[0].kind.accepts(of);
    api::definitions(name, 1).find(fits)
}

impl Lowering<'_> {
    /// Lowers a call of a definition.
    pub(super) fn call_definition(
        &mut self,
        function: &'static Function,
        values: &[LoweredValue],
        position: Position,
    ) -> LoweredValue {
        self.warn_of_missing_part(function.names[0], function.needs(), position);
        let is_mixed =
            |value: &LoweredValue| matches!(value, LoweredValue::Typed(cases) if cases.len() > 1);
        let (are_integers, result, arguments) = match &function.integers {
            Some(whole) if let Some(places) = self.integers(values) => {
                (true, whole.result, Ok(places))
            }
            Some(_) if values.iter().any(is_mixed) => {
                return self.call_for_each_type(function, values, position);
            }
            _ => {
                let places = values.iter().enumerate();
                let places =
                    places.map(|(i, value)| self.definition_argument(function, i, value, position));
                (false, function.result, places.collect::<Result<Vec<_>, _>>())
            }
        };
        let arguments = match arguments {
            Ok(arguments) => arguments,
            Err(instead) => return instead,
        };
        let (facts, sets_vel) = (self.facts, self.sets_vel);
        let (group, asked_neighborhood) = (Cell::new(self.group_column), Cell::new(None));
        let answer = self.read_as_columns(|&on| {
            let (group, asked_neighborhood) = (&group, &asked_neighborhood);
            let arguments = &arguments;
            let call = ColumnCall { on, arguments, facts, sets_vel, group, asked_neighborhood };
            api::evaluate(function, are_integers, &call)
        });
        self.group_column = group.get();
        let value = match answer {
            None => return LoweredValue::never(),
            Some(Err(NotLowered(what))) => return self.leave_to_interpreter(what, position),
            Some(Ok(ColumnResult::Neighborhood(near))) => return LoweredValue::Neighborhood(near),
            Some(Ok(ColumnResult::Columns(Columns::V(v)))) if result == ValueKind::FiniteVector => {
                self.require_finite(v, position)
            }
            Some(Ok(ColumnResult::Columns(at))) => {
                if matches!(function.names[0], "count" | "len") {
                    self.counts.insert(at);
                }
                LoweredValue::of_type(result.column(), at)
            }
            Some(Ok(ColumnResult::Optional(exists, Columns::I(row))))
                if let Some(near) = asked_neighborhood.get() =>
            {
                self.optional_agent(near, row, exists)
            }
            Some(Ok(ColumnResult::Optional(exists, at))) => match self.emit.known(exists) {
                Some(true) => LoweredValue::of_type(result.column(), at),
                Some(false) => LoweredValue::nothing(),
                None => self.optional(result.column(), at, exists),
            },
        };
        if function.has(Attribute::StableInTurn) {
            let id = self.inferred.tracked.id(Tracked::StableProperty(function.names[0]));
            return self.narrow(id, value);
        }
        value
    }

    /// Lowers a call of a function that treats integers and floats differently, for each combination of types that
    /// its arguments may have.
    fn call_for_each_type(
        &mut self,
        function: &'static Function,
        values: &[LoweredValue],
        position: Position,
    ) -> LoweredValue {
        let mut calls: Vec<(Option<B>, Vec<LoweredValue>)> = vec![(None, Vec::new())];
        for (place, value) in values.iter().enumerate() {
            let what = function.argument_name(place);
            let is_number = |ty| matches!(ty, Type::Int | Type::Float);
            let cases = self.cases_that_fit(value, is_number, &what, "a number", position);
            let mut more = Vec::with_capacity(calls.len() * cases.len());
            for (mask, before) in &calls {
                for case in &cases {
                    let mask = match (*mask, case.mask) {
                        (Some(a), Some(b)) => Some(self.emit.and(a, b)),
                        (one, other) => one.or(other),
                    };
                    let mut values = before.clone();
                    values.push(LoweredValue::of_type(case.ty, case.columns));
                    more.push((mask, values));
                }
            }
            calls = more;
        }
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        let mut results = Vec::with_capacity(calls.len());
        for (mask, values) in calls {
            let here = mask.map_or(active, |mask| self.emit.and(active, mask));
            match self.call_definition_in(here, function, &values, position) {
                LoweredValue::Typed(cases) if let [one] = cases[..] => {
                    results.push((mask, one.ty, one.columns));
                }
                other => return other,
            }
        }
        if results.is_empty() {
            return LoweredValue::never();
        }
        self.combined_cases(results)
    }

    /// Returns the values as arguments if all of them can only be integers.
    fn integers(&self, values: &[LoweredValue]) -> Option<Vec<CallArgument>> {
        let integer =
            |value| self.as_integer(value).map(|at| CallArgument::Columns(Columns::I(at)));
        values.iter().map(integer).collect()
    }

    /// Lowers an argument. The error is the value of the whole call if that fails.
    fn definition_argument(
        &mut self,
        function: &'static Function,
        place: usize,
        value: &LoweredValue,
        position: Position,
    ) -> Result<CallArgument, LoweredValue> {
        let what = function.argument_name(place);
        let columns = match (function.params[place].kind, value) {
            (ValueKind::Me | ValueKind::AnyAgent, LoweredValue::Me)
            | (ValueKind::World, LoweredValue::World) => {
                return Ok(CallArgument::Singleton);
            }
            (ValueKind::Neighbors, LoweredValue::Neighborhood(near)) => {
                return Ok(CallArgument::Neighborhood(*near));
            }
            (ValueKind::Number | ValueKind::Float, _) => {
                self.as_number(value, &what, position).map(Columns::F)
            }
            (ValueKind::NotNegative, _) => self.as_number(value, &what, position).map(|x| {
                self.require_not_negative(x);
                Columns::F(x)
            }),
            (ValueKind::Point, _) => self.as_point(value, &what, position).map(Columns::V),
            (ValueKind::Boolean, _) => self.as_boolean(value, position).map(Columns::B),
            (ValueKind::Integer, _) => match self.as_integer(value) {
                Some(whole) => Some(Columns::I(whole)),
                None => {
                    return Err(self.leave_with_help(
                        &format!("{what}, which may not be an integer,"),
                        "convert it with `to_int()`",
                        position,
                    ));
                }
            },
            (
                kind @ (ValueKind::Group
                | ValueKind::LayerName
                | ValueKind::ObstacleName
                | ValueKind::PathName
                | ValueKind::FieldName),
                _,
            ) => {
                let Some(name) = self.known_string(value) else {
                    let of = match kind {
                        ValueKind::Group => "a group",
                        ValueKind::LayerName => "a layer",
                        ValueKind::ObstacleName => "an obstacle",
                        ValueKind::FieldName => "a field",
                        _ => "a path",
                    };
                    let what = format!("a computed name of {of}");
                    return Err(self.leave_with_help(&what, NAME_HELP, position));
                };
                match kind {
                    ValueKind::Group => {
                        let group = self.group_named(&name, position);
                        return group.map(CallArgument::Group).ok_or_else(LoweredValue::never);
                    }
                    ValueKind::LayerName => {
                        let layer = self.layer_named(&name, position);
                        return layer.map(CallArgument::Layer).ok_or_else(LoweredValue::never);
                    }
                    ValueKind::PathName => self.path_named(&name, position).map(|path| path.0),
                    ValueKind::FieldName => self.field_named(&name, position).map(|field| field.0),
                    _ => self.obstacle_named(&name, position).map(|obstacle| obstacle.0),
                }
                .map(|place| Columns::I(self.emit.const_i(place.into())))
            }
            (kind, _) => {
                let fits = |ty| ty == kind.column();
                let cases = self.cases_that_fit(
                    value,
                    fits,
                    &what,
                    super::value::type_name(kind.column()),
                    position,
                );
                cases.first().map(|case| case.columns)
            }
        };
        columns.map(CallArgument::Columns).ok_or_else(LoweredValue::never)
    }

    /// Lowers a property of a value in columns, for each of its types.
    pub(super) fn property_of(
        &mut self,
        cases: &[TypeCase],
        property: &str,
        position: Position,
    ) -> Option<LoweredValue> {
        let active = self.active?;
        let mut results = Vec::new();
        for case in cases {
            let one = LoweredValue::of_type(case.ty, case.columns);
            let Some(function) = find_property(property, &one) else { continue };
            let here = case.mask.map_or(active, |mask| self.emit.and(active, mask));
            match self.call_definition_in(here, function, &[one], position) {
                LoweredValue::Typed(found) if let [one] = found[..] => {
                    results.push((case.mask, one.ty, one.columns));
                }
                other => return Some(other),
            }
        }
        Some(self.combined_cases(results))
    }

    /// Lowers a call of a definition for some of the lanes that get here.
    pub(super) fn call_definition_in(
        &mut self,
        here: B,
        function: &'static Function,
        values: &[LoweredValue],
        position: Position,
    ) -> LoweredValue {
        let before = self.active.replace(here);
        let value = self.call_definition(function, values, position);
        self.active = before;
        value
    }
}

impl ValueKind {
    /// Returns the type of the columns for a value of this kind.
    pub(super) fn column(self) -> Type {
        match self {
            Self::Number | Self::Float | Self::NotNegative | Self::MaybeNumber => Type::Float,
            Self::Integer => Type::Int,
            Self::Boolean => Type::Bool,
            Self::Vector | Self::FiniteVector | Self::Point | Self::MaybeVector => Type::Vector,
            Self::String
            | Self::Group
            | Self::LayerName
            | Self::ObstacleName
            | Self::PathName
            | Self::FieldName => Type::String,
            Self::Agent | Self::AnyAgent | Self::MaybeAgent => Type::Agent,
            Self::Obstacle => Type::Obstacle,
            Self::Path | Self::MaybePath => Type::Path,
            Self::Field => Type::Field,
            // These are in no column.
            Self::Me | Self::World | Self::Neighbors => Type::Nothing,
        }
    }

    /// Returns whether a value of a type is accepted as this kind.
    pub(super) fn accepts_type(self, ty: Type) -> bool {
        match self {
            Self::Number | Self::NotNegative => matches!(ty, Type::Int | Type::Float),
            Self::Point => matches!(ty, Type::Vector | Type::Agent),
            Self::Me | Self::World | Self::Neighbors => false,
            _ => self.column() == ty,
        }
    }

    /// Returns whether a value may be accepted as this kind.
    fn accepts(self, value: &LoweredValue) -> bool {
        match value {
            LoweredValue::Typed(cases) => cases.iter().any(|case| self.accepts_type(case.ty)),
            LoweredValue::Me => matches!(self, Self::Me | Self::AnyAgent | Self::Point),
            LoweredValue::World => self == Self::World,
            LoweredValue::Neighborhood(_) => self == Self::Neighbors,
            _ => false,
        }
    }
}
