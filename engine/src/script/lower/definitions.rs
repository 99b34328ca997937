//! Definitions read as columns: what scripts call, for all agents of a group at once.

use std::convert::Infallible;

use rhai::Position;

use super::columns::{self, AsColumns};
use super::value::Val;
use super::Lower;
use crate::program::{Columns, I, I2, Type};
use crate::script::api;
use crate::script::api::define::{Function, Kind, Param, Reading};

/// A call of a definition.
pub(in crate::script) struct Called<'s> {
    on: AsColumns<'s>,
    arguments: &'s [Columns],
}

/// What a call gives.
pub(in crate::script) type Answer = Columns;

/// The definition that a call is of. A method is found by what it is called on; a function of numbers by all
/// of its arguments, since the language may have others of the name.
pub(super) fn find(name: &str, values: &[Val]) -> Option<&'static Function> {
    let fits = |(param, value): (&Param, &Val)| match value {
        Val::Alts(alts) => alts.iter().any(|alt| param.kind.accepts(alt.is)),
        _ => false,
    };
    api::definitions(name, values.len()).find(|function| {
        let is_method = function.is_method();
        let count = if is_method { 1 } else { values.len() };
        function.params.iter().zip(values).take(count).all(fits)
    })
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
        let (readings, result, arguments) = match &function.integers {
            Some(whole) if let Some(places) = self.integers(values) => {
                (&whole.readings, whole.result, Some(places))
            }
            Some(_) if values.iter().any(is_mixed) => {
                let what = "a number that is whole on one way and not on another";
                return self.slow(what, position);
            }
            _ => {
                let places = values.iter().enumerate();
                let places = places.map(|(i, value)| self.argument(function, i, value, position));
                let places: Vec<_> = places.collect();
                (&function.readings, function.result, places.into_iter().collect())
            }
        };
        let Some(arguments) = arguments else {
            return Val::never();
        };
        let answer = self.read_as_columns(|&on| {
            let Ok(answer) = (readings.columns)(&Called { on, arguments: &arguments });
            answer
        });
        let Some(answer) = answer else {
            return Val::never();
        };
        match (result, answer) {
            (Kind::Made, Columns::V(v)) => self.finite(v),
            _ => Val::one(result.column(), answer),
        }
    }

    /// The columns of integers and nothing else.
    fn integers(&self, values: &[Val]) -> Option<Vec<Columns>> {
        values.iter().map(|value| self.whole(value).map(Columns::I)).collect()
    }

    /// The columns of an argument; `None` where no lane has one that fits.
    fn argument(
        &mut self,
        function: &'static Function,
        place: usize,
        value: &Val,
        position: Position,
    ) -> Option<Columns> {
        let what = function.what(place);
        match function.params[place].kind {
            Kind::Number | Kind::Float => {
                self.as_number(value, &what, position).map(Columns::F)
            }
            Kind::Vector | Kind::Made => self.as_vector(value, &what, position).map(Columns::V),
            Kind::Point => self.as_point(value, &what, position).map(Columns::V),
            Kind::Integer => self.whole(value).map(Columns::I),
            Kind::Truth => self.as_truth(value, position).map(Columns::B),
        }
    }
}

impl Kind {
    /// The type of a value of this kind.
    fn column(self) -> Type {
        match self {
            Self::Number | Self::Float => Type::Float,
            Self::Integer => Type::Int,
            Self::Truth => Type::Bool,
            Self::Vector | Self::Made | Self::Point => Type::Vector,
        }
    }

    /// Whether a value of a type can be taken as this kind.
    pub(super) fn accepts(self, is: Type) -> bool {
        match self {
            Self::Number => matches!(is, Type::Int | Type::Float),
            Self::Point => matches!(is, Type::Vector | Type::Agent),
            _ => self.column() == is,
        }
    }
}

impl<'s> Reading for Called<'s> {
    type Number = columns::Number<'s>;
    type Vector = columns::Vector<'s>;
    type Truth = columns::Truth<'s>;
    type Integer = I;
    type Fault = Infallible;
    type Answer = Answer;

    fn number(&self, place: usize) -> Result<Self::Number, Infallible> {
        match self.arguments[place] {
            Columns::F(x) => Ok(self.on.number_at(x)),
            _ => unreachable!("taken as a number"),
        }
    }

    fn integer(&self, place: usize) -> Result<I, Infallible> {
        match self.arguments[place] {
            Columns::I(x) => Ok(x),
            _ => unreachable!("taken as an integer"),
        }
    }

    fn truth(&self, place: usize) -> Result<Self::Truth, Infallible> {
        match self.arguments[place] {
            Columns::B(x) => Ok(self.on.truth_at(x)),
            _ => unreachable!("taken as a boolean"),
        }
    }

    fn vector(&self, place: usize) -> Result<Self::Vector, Infallible> {
        match self.arguments[place] {
            Columns::V(v) => Ok(self.on.vector_at(v)),
            _ => unreachable!("taken as a vector"),
        }
    }

    fn point(&self, place: usize) -> Result<Self::Vector, Infallible> {
        self.vector(place)
    }

    fn give_number(&self, x: Self::Number) -> Result<Answer, Infallible> {
        Ok(Columns::F(x.at))
    }

    fn give_integer(&self, x: I) -> Result<Answer, Infallible> {
        Ok(Columns::I(x))
    }

    fn give_truth(&self, x: Self::Truth) -> Result<Answer, Infallible> {
        Ok(Columns::B(x.at))
    }

    fn give_vector(&self, v: Self::Vector) -> Result<Answer, Infallible> {
        Ok(Columns::V(v.at))
    }

    fn give_made(&self, v: Self::Vector) -> Result<Answer, Infallible> {
        self.give_vector(v)
    }

    fn constant(&self, x: f32) -> Self::Number {
        self.on.number_at(self.on.emit(|emit| emit.const_f(x)))
    }

    fn integers(&self, function: I2, a: I, b: I) -> Result<I, Infallible> {
        Ok(self.on.emit_active(|emit, active| emit.i2(function, a, b, active)))
    }

    fn negated(&self, a: I) -> Result<I, Infallible> {
        Ok(self.on.emit_active(|emit, active| emit.neg_i(a, active)))
    }

    fn absolute(&self, a: I) -> Result<I, Infallible> {
        Ok(self.on.emit_active(|emit, active| emit.abs_i(a, active)))
    }

    fn to_integer(&self, x: Self::Number) -> Result<I, Infallible> {
        Ok(self.on.emit_active(|emit, active| emit.as_i(x.at, active)))
    }
}
