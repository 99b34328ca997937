//! The values that parameters and script state are made of.

use std::fmt;
use std::sync::Arc;

use crate::math::{self, Vec2};

/// A parameter of a group, or something an agent remembers.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing: `()`.
    Nothing,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number, finite.
    Float(f32),
    /// A point or direction, finite.
    Vector(Vec2),
    /// A text.
    Text(Arc<str>),
    /// An agent, by its id; it may be gone.
    Agent(u32),
    /// Several values.
    List(Vec<Value>),
    /// Values by name, in the order of the names.
    Map(Vec<(Arc<str>, Value)>),
}

impl Value {
    /// How many values it is made of, itself included, and the bytes of its texts.
    pub(crate) fn elements(&self) -> usize {
        match self {
            Self::Text(text) => 1 + text.len(),
            Self::List(items) => 1 + items.iter().map(Self::elements).sum::<usize>(),
            Self::Map(items) => {
                let item = |(name, value): &(Arc<str>, Self)| name.len() + value.elements();
                1 + items.iter().map(item).sum::<usize>()
            }
            _ => 1,
        }
    }

    /// Whether all numbers in it are finite.
    pub(crate) fn is_finite(&self) -> bool {
        match self {
            Self::Float(number) => number.is_finite(),
            Self::Vector(vector) => vector.is_finite(),
            Self::List(items) => items.iter().all(Self::is_finite),
            Self::Map(items) => items.iter().all(|(_, value)| value.is_finite()),
            Self::Nothing | Self::Bool(_) | Self::Int(_) | Self::Text(_) | Self::Agent(_) => true,
        }
    }

    /// What to call this kind of value in a message.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Bool(_) => "a boolean",
            Self::Int(_) | Self::Float(_) => "a number",
            Self::Vector(_) => "a vector",
            Self::Text(_) => "a string",
            Self::Agent(_) => "an agent",
            Self::List(_) => "an array",
            Self::Map(_) => "a map",
        }
    }
}

macro_rules! value_from {
    ($($from:ty => $variant:ident),*) => {$(
        impl From<$from> for Value {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        }
    )*};
}

value_from!(bool => Bool, i32 => Int, i64 => Int, f32 => Float, Vec2 => Vector, &str => Text);

/// As a person reads it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("()"),
            Self::Bool(truth) => truth.fmt(f),
            Self::Int(number) => number.fmt(f),
            Self::Float(number) => f.write_str(&math::short(*number)),
            Self::Vector(v) => f.write_str(&math::short_vector(*v)),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Agent(id) => write!(f, "agent {id}"),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Self::Map(items) => {
                let item = |(name, value): &(Arc<str>, Self)| format!("{name}: {value}");
                let items: Vec<String> = items.iter().map(item).collect();
                write!(f, "#{{ {} }}", items.join(", "))
            }
        }
    }
}

/// Values by name, kept in the order of the names: few, so a sorted list is the quickest map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(Vec<(Arc<str>, Value)>);

/// Names with their values: `mode = "run", scares = 2`.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{name} = {value}")?;
        }
        Ok(())
    }
}

impl Values {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.find(name).ok().map(|i| &self.0[i].1)
    }

    /// Sets the value of a name.
    pub fn set(&mut self, name: &str, value: Value) {
        match self.find(name) {
            Ok(i) => self.0[i].1 = value,
            Err(i) => {
                // There are as many of these as agents: no room for more than there is.
                self.0.reserve_exact(1);
                self.0.insert(i, (Arc::from(name), value));
            }
        }
    }

    /// The value of a name, looked for first at the place `hint`, which becomes the place where it is:
    /// for one name in many of these, which mostly have the same names.
    pub(crate) fn get_near(&self, name: &str, hint: &mut usize) -> Option<&Value> {
        match self.0.get(*hint) {
            Some((there, value)) if there.as_ref() == name => Some(value),
            _ => {
                *hint = self.find(name).ok()?;
                Some(&self.0[*hint].1)
            }
        }
    }

    /// Sets the value of a name, which is shared where it is new.
    pub(crate) fn put(&mut self, name: &Arc<str>, value: Value) {
        match self.find(name) {
            Ok(i) => self.0[i].1 = value,
            Err(i) => {
                self.0.reserve_exact(1);
                self.0.insert(i, (Arc::clone(name), value));
            }
        }
    }

    /// All of them, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value))
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(name, _)| name)
    }

    fn find(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.as_ref().cmp(name))
    }
}

impl FromIterator<(Arc<str>, Value)> for Values {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Value)>>(values: I) -> Self {
        let mut all = Self::default();
        for (name, value) in values {
            all.set(&name, value);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_by_name_in_order() {
        let mut values = Values::default();
        values.set("b", Value::Int(1));
        values.set("a", Value::Bool(true));
        values.set("b", Value::Int(2));
        assert_eq!(values.names().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(values.get("b"), Some(&Value::Int(2)));
        assert_eq!(values.get("c"), None);
    }
}
