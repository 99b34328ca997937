//! Calls of definitions: their arguments, their bodies read as columns, and what becomes of the result.

use std::cell::Cell;

use rhai::Position;

use super::Lower;
use super::keys::Key;
use super::reading::{Answer, Called, Given, Slow};
use super::value::{Alt, Val};
use crate::program::{B, Columns, Type};
use crate::script::api;
use crate::script::api::define::{Attribute, Binding, Function, ValueKind, Param};

/// The definition that a call is of. Where none takes all of the arguments, a method is found by what it is
/// called on; but no function of numbers, since the language may have others of the name.
pub(super) fn find(name: &str, values: &[Val]) -> Option<&'static Function> {
    let fits = |(param, value): (&Param, &Val)| param.kind.accepts(value);
    let all = || {
        let calls = |one: &&Function| one.binding != Binding::Property;
        api::definitions(name, values.len()).filter(calls)
    };
    let exact = all().find(|one| one.params.iter().zip(values).all(fits));
    exact.or_else(|| all().find(|one| one.is_method() && fits((&one.params[0], &values[0]))))
}

/// The definition of a property of a value.
pub(super) fn find_property(name: &str, of: &Val) -> Option<&'static Function> {
    let fits = |one: &&Function| one.binding == Binding::Property && one.params[0].kind.accepts(of);
    api::definitions(name, 1).find(fits)
}

impl Lower<'_> {
    /// A call of a definition.
    pub(super) fn called(
        &mut self,
        function: &'static Function,
        values: &[Val],
        position: Position,
    ) -> Val {
        let is_mixed = |value: &Val| matches!(value, Val::Alts(alts) if alts.len() > 1);
        let (bodies, result, arguments) = match &function.integers {
            Some(whole) if let Some(places) = self.integers(values) => {
                (&whole.bodies, whole.result, Ok(places))
            }
            Some(_) if values.iter().any(is_mixed) => {
                let what = "a number that is whole on one way and not on another";
                return self.slow(what, position);
            }
            _ => {
                let places = values.iter().enumerate();
                let places = places.map(|(i, value)| self.passed(function, i, value, position));
                (&function.bodies, function.result, places.collect::<Result<Vec<_>, _>>())
            }
        };
        let arguments = match arguments {
            Ok(arguments) => arguments,
            Err(instead) => return instead,
        };
        let (facts, sets_vel) = (self.facts, self.sets_vel);
        let (group, looked) = (Cell::new(self.group), Cell::new(None));
        let answer = self.read_as_columns(|&on| {
            let (group, looked) = (&group, &looked);
            let arguments = &arguments;
            (bodies.columns)(&Called { on, arguments, facts, sets_vel, group, looked })
        });
        self.group = group.get();
        let value = match answer {
            None => return Val::never(),
            Some(Err(Slow(what))) => return self.slow(what, position),
            Some(Ok(Answer::Near(near))) => return Val::Near(near),
            Some(Ok(Answer::Columns(Columns::V(v)))) if result == ValueKind::FiniteVector => self.finite(v),
            Some(Ok(Answer::Columns(at))) => Val::one(result.column(), at),
            Some(Ok(Answer::Maybe(is, Columns::I(row)))) if let Some(near) = looked.get() => {
                self.nearest_of(near, row, is)
            }
            Some(Ok(Answer::Maybe(is, at))) => match self.emit.known(is) {
                Some(true) => Val::one(result.column(), at),
                Some(false) => Val::nothing(),
                None => self.maybe(result.column(), at, is),
            },
        };
        if function.has(Attribute::StableInTurn) {
            let id = self.seen.keys.id(Key::Lasting(function.names[0]));
            return self.narrowed(id, value);
        }
        value
    }

    /// Integers and nothing else.
    fn integers(&self, values: &[Val]) -> Option<Vec<Given>> {
        let integer = |value| self.whole(value).map(|at| Given::Columns(Columns::I(at)));
        values.iter().map(integer).collect()
    }

    /// An argument; else what the call comes to instead.
    fn passed(
        &mut self,
        function: &'static Function,
        place: usize,
        value: &Val,
        position: Position,
    ) -> Result<Given, Val> {
        let what = function.argument_name(place);
        let columns = match (function.params[place].kind, value) {
            (ValueKind::Me | ValueKind::AnyAgent, Val::Me) | (ValueKind::World, Val::World) => {
                return Ok(Given::OnlyOne);
            }
            (ValueKind::Neighbors, Val::Near(near)) => return Ok(Given::Near(*near)),
            (ValueKind::Number | ValueKind::Float, _) => {
                self.as_number(value, &what, position).map(Columns::F)
            }
            (ValueKind::NotNegative, _) => self.as_number(value, &what, position).map(|x| {
                self.at_least_zero(x);
                Columns::F(x)
            }),
            (ValueKind::Point, _) => self.as_point(value, &what, position).map(Columns::V),
            (ValueKind::Boolean, _) => self.as_truth(value, position).map(Columns::B),
            (ValueKind::Integer, _) => match self.whole(value) {
                Some(whole) => Some(Columns::I(whole)),
                None => {
                    return Err(self.slow(&format!("{what} where it may be no integer"), position));
                }
            },
            (kind @ (ValueKind::Group | ValueKind::ObstacleName | ValueKind::PathName), _) => {
                let Some(name) = self.named(value) else {
                    return Err(self.slow("a name that is not written here", position));
                };
                match kind {
                    ValueKind::Group => {
                        let group = self.group_named(&name, position);
                        return group.map(Given::Group).ok_or_else(Val::never);
                    }
                    ValueKind::PathName => self.path_named(&name, position).map(|path| path.0),
                    _ => self.obstacle_named(&name, position).map(|obstacle| obstacle.0),
                }
                .map(|place| Columns::I(self.emit.const_i(place.into())))
            }
            (kind, _) => {
                let fits = |is| is == kind.column();
                let alts =
                    self.fitting(value, fits, &what, super::value::name(kind.column()), position);
                alts.first().map(|alt| alt.at)
            }
        };
        columns.map(Given::Columns).ok_or_else(Val::never)
    }

    /// A property of something in columns: of each type that it may have.
    pub(super) fn property_of(
        &mut self,
        alts: &[Alt],
        property: &str,
        position: Position,
    ) -> Option<Val> {
        let active = self.active?;
        let mut results = Vec::new();
        for alt in alts {
            let one = Val::one(alt.is, alt.at);
            let Some(function) = find_property(property, &one) else { continue };
            let here = alt.mask.map_or(active, |mask| self.emit.and(active, mask));
            match self.called_where(here, function, &[one], position) {
                Val::Alts(found) if let [one] = found[..] => {
                    results.push((alt.mask, one.is, one.at));
                }
                other => return Some(other),
            }
        }
        Some(self.gathered(results))
    }

    /// A call of a definition for some of the lanes that get here.
    pub(super) fn called_where(
        &mut self,
        here: B,
        function: &'static Function,
        values: &[Val],
        position: Position,
    ) -> Val {
        let before = self.active.replace(here);
        let value = self.called(function, values, position);
        self.active = before;
        value
    }
}

impl ValueKind {
    /// The type of a value of this kind.
    pub(super) fn column(self) -> Type {
        match self {
            Self::Number | Self::Float | Self::NotNegative | Self::MaybeNumber => Type::Float,
            Self::Integer => Type::Int,
            Self::Boolean => Type::Bool,
            Self::Vector | Self::FiniteVector | Self::Point | Self::MaybeVector => Type::Vector,
            Self::String | Self::Group | Self::ObstacleName | Self::PathName => Type::Text,
            Self::Agent | Self::AnyAgent | Self::MaybeAgent => Type::Agent,
            Self::Obstacle => Type::Obstacle,
            Self::Path | Self::MaybePath => Type::Path,
            // In no column.
            Self::Me | Self::World | Self::Neighbors => Type::Nothing,
        }
    }

    /// Whether a value of a type can be taken as this kind.
    pub(super) fn accepts_type(self, is: Type) -> bool {
        match self {
            Self::Number | Self::NotNegative => matches!(is, Type::Int | Type::Float),
            Self::Point => matches!(is, Type::Vector | Type::Agent),
            Self::Me | Self::World | Self::Neighbors => false,
            _ => self.column() == is,
        }
    }

    /// Whether a value may be taken as this kind.
    fn accepts(self, value: &Val) -> bool {
        match value {
            Val::Alts(alts) => alts.iter().any(|alt| self.accepts_type(alt.is)),
            Val::Me => matches!(self, Self::Me | Self::AnyAgent | Self::Point),
            Val::World => self == Self::World,
            Val::Near(_) => self == Self::Neighbors,
            _ => false,
        }
    }
}
