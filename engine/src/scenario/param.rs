//! Values of params: reading them, and whether one can replace another.

use std::fmt;

use ron::error::SpannedError;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};

use super::distributions::{DrawnNumber, has_name_and_brackets};
use super::spanned::ReadText;
use crate::distribution::DistributionSpec;
use crate::math::Vec2;
use crate::schema::{Described, Shape, values};
use crate::world::Value;

/// The value of a param: a boolean, an integer, a float, a string, a vector or a distribution.
#[derive(Clone, Debug)]
pub(super) struct ParamSpec(pub(super) Value);

/// A boolean, an integer, a float, a string or a vector.
#[derive(Clone, Debug)]
pub(super) struct PlainValue(pub(super) Value);

impl ReadText for ParamSpec {
    fn read_text(text: &str) -> Result<Self, SpannedError> {
        if has_name_and_brackets(text) {
            DrawnNumber::read_text(text).map(|DrawnNumber(drawn)| Self(drawn.into()))
        } else {
            PlainValue::read_text(text).map(|PlainValue(value)| Self(value))
        }
    }
}

impl Described for ParamSpec {
    fn shape() -> Shape {
        PlainValue::shape().or_variants(&DistributionSpec::shape())
    }
}

impl<'de> Deserialize<'de> for PlainValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ParamVisitor).map(Self)
    }
}

values! {
    PlainValue: EXPECTED;
}

/// The values that are no distributions.
const EXPECTED: &str = "true, false, a number, a string or a vector (x, y)";

struct ParamVisitor;

impl<'de> Visitor<'de> for ParamVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED)
    }

    fn visit_bool<E: Error>(self, x: bool) -> Result<Value, E> {
        Ok(Value::Bool(x))
    }

    fn visit_i64<E: Error>(self, x: i64) -> Result<Value, E> {
        Ok(Value::Int(x))
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<Value, E> {
        i64::try_from(x)
            .map(Value::Int)
            .map_err(|_| E::invalid_value(Unexpected::Unsigned(x), &"an integer below 2^63"))
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<Value, E> {
        let short = x as f32;
        if short.is_finite() {
            Ok(Value::Float(short))
        } else {
            Err(E::invalid_value(Unexpected::Float(x), &"a finite number"))
        }
    }

    fn visit_str<E: Error>(self, x: &str) -> Result<Value, E> {
        Ok(Value::String(x.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut parts = [0.0; 2];
        for (i, part) in parts.iter_mut().enumerate() {
            let crate::number::Finite(x) = seq
                .next_element()?
                .ok_or_else(|| A::Error::invalid_length(i, &"a vector (x, y)"))?;
            *part = x;
        }
        Ok(Value::Vector(Vec2::from_array(parts)))
    }
}

/// Returns two of some values of a param, as they are written, if they cannot be values of the same param.
#[cfg(feature = "experiments")]
pub(crate) fn of_two_types<'t>(mut values: impl Iterator<Item = &'t str>) -> Option<[&'t str; 2]> {
    let read = |text: &str| ParamSpec::read_text(text).ok().map(|ParamSpec(value)| value);
    let first = values.next()?;
    let of_first = read(first)?;
    let is_other = |text: &&str| {
        read(text).is_some_and(|value| {
            fit(&of_first, value.clone()).is_none() && fit(&value, of_first.clone()).is_none()
        })
    };
    values.find(is_other).map(|other| [first, other])
}

/// Converts a value so that it can replace the declared one: it must have the same type, and an integer can become a
/// float. `None` if it cannot replace it.
pub(super) fn fit(declared: &Value, new: Value) -> Option<Value> {
    match (declared, new) {
        (Value::Float(_) | Value::Drawn(_), Value::Int(x)) => Some(Value::Float(x as f32)),
        (declared, new) if declared.kind() == new.kind() => Some(new),
        _ => None,
    }
}

/// Returns whether a script can read a param or a state with this name behind a dot.
pub(super) fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.trim_start_matches('_').starts_with(|c: char| c.is_ascii_alphabetic())
}
