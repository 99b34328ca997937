//! The values of params and of script state.

use std::fmt;
use std::sync::Arc;

use super::AgentId;
use crate::distribution::Distribution;
use crate::math::{self, Vec2};

/// The value of a param of a group, or of an agent's state.
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
    /// A string.
    String(Arc<str>),
    /// An agent, by its id. The agent may have been removed.
    Agent(AgentId),
    /// An array.
    List(Vec<Value>),
    /// A map: values by name, in the order of the names.
    Map(Vec<(Arc<str>, Value)>),
    /// A number that is another one for each agent. Only params have such values; an agent reads its own number, see
    /// [`World::own_param`](super::World::own_param).
    Drawn(Arc<Distribution>),
}

impl Value {
    /// Returns the number of values that it consists of, including itself, plus the bytes of its strings.
    pub fn elements(&self) -> usize {
        match self {
            Self::String(text) => 1 + text.len(),
            Self::List(items) => 1 + items.iter().map(Self::elements).sum::<usize>(),
            Self::Map(items) => {
                let element = |(name, value): &(Arc<str>, Self)| name.len() + value.elements();
                1 + items.iter().map(element).sum::<usize>()
            }
            _ => 1,
        }
    }

    /// Returns whether all numbers in it are finite.
    pub(crate) fn is_finite(&self) -> bool {
        match self {
            Self::Float(number) => number.is_finite(),
            Self::Vector(vector) => vector.is_finite(),
            Self::List(items) => items.iter().all(Self::is_finite),
            Self::Map(items) => items.iter().all(|(_, value)| value.is_finite()),
            Self::Nothing
            | Self::Bool(_)
            | Self::Int(_)
            | Self::String(_)
            | Self::Agent(_)
            | Self::Drawn(_) => true,
        }
    }

    /// Returns the name of this kind of value for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Bool(_) => "a boolean",
            Self::Int(_) | Self::Float(_) | Self::Drawn(_) => "a number",
            Self::Vector(_) => "a vector",
            Self::String(_) => "a string",
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

impl From<Distribution> for Value {
    fn from(distribution: Distribution) -> Self {
        Self::Drawn(Arc::new(distribution))
    }
}

value_from!(bool => Bool, i32 => Int, i64 => Int, f32 => Float, Vec2 => Vector, &str => String);

/// Shows the value for a person.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("()"),
            Self::Bool(truth) => truth.fmt(f),
            Self::Int(number) => number.fmt(f),
            Self::Float(number) => f.write_str(&math::short(*number)),
            Self::Vector(v) => f.write_str(&math::short_vector(*v)),
            Self::String(text) => write!(f, "{text:?}"),
            Self::Agent(id) => write!(f, "agent {id}"),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Self::Map(items) => {
                let entry = |(name, value): &(Arc<str>, Self)| format!("{name}: {value}");
                let items: Vec<String> = items.iter().map(entry).collect();
                write!(f, "#{{ {} }}", items.join(", "))
            }
            Self::Drawn(distribution) => distribution.fmt(f),
        }
    }
}

/// Values by name, in the order of the names. There are few of them, so a sorted list is the fastest map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(Vec<(Arc<str>, Value)>);

/// Shows names with their values: `mode = "run", scares = 2`.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{name} = {value}")?;
        }
        Ok(())
    }
}

/// Where a name was found last in a list of values, and the string that it has there. Other lists mostly have it at the same index, and
/// share the string, so that no characters need to be compared.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct NameHint {
    index: usize,
    /// The name that was looked for, and the same name in the list.
    found: Option<[Arc<str>; 2]>,
}

impl NameHint {
    /// Returns whether a name of a list is known to be the one that is looked for.
    #[inline]
    fn is_found(&self, name: &Arc<str>, there: &Arc<str>) -> bool {
        let is_it =
            |[known, at]: &[Arc<str>; 2]| Arc::ptr_eq(known, name) && Arc::ptr_eq(at, there);
        self.found.as_ref().is_some_and(is_it)
    }
}

impl Values {
    /// Returns the value with a name.
    #[inline]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.find(name).ok().map(|i| &self.0[i].1)
    }

    /// Sets the value with a name.
    pub fn set(&mut self, name: &str, value: Value) {
        match self.find(name) {
            Ok(i) => self.0[i].1 = value,
            Err(_) => self.put(&Arc::from(name), value),
        }
    }

    /// Returns the value with a name. Looks first where the hint says: this is fast for one name in many lists with mostly the same
    /// names.
    #[doc(hidden)]
    #[inline]
    pub fn get_near(&self, name: &Arc<str>, hint: &mut NameHint) -> Option<&Value> {
        match self.0.get(hint.index) {
            Some((there, value)) if hint.is_found(name, there) => Some(value),
            _ => {
                self.find_near(name, hint).ok()?;
                Some(&self.0[hint.index].1)
            }
        }
    }

    /// Sets the value with a name. If the name is new, its string is shared, not copied.
    pub fn put(&mut self, name: &Arc<str>, value: Value) {
        self.put_near(name, &mut NameHint::default(), value);
    }

    /// Sets the value with a name, as [`Values::put`]. Looks first where the hint says, as [`Values::get_near`].
    #[doc(hidden)]
    #[inline]
    pub fn put_near(&mut self, name: &Arc<str>, hint: &mut NameHint, value: Value) {
        match self.0.get_mut(hint.index) {
            Some((there, old)) if hint.is_found(name, there) => *old = value,
            _ => match self.find_near(name, hint) {
                Ok(()) => {
                    // From now on it shares the string too.
                    hint.found = Some([Arc::clone(name), Arc::clone(name)]);
                    self.0[hint.index] = (Arc::clone(name), value);
                }
                Err(index) => {
                    // There is one list for each agent, so reserve no spare memory.
                    self.0.reserve_exact(1);
                    self.0.insert(index, (Arc::clone(name), value));
                }
            },
        }
    }

    /// Keeps only values with names for which `is_kept` is true.
    pub fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.0.retain(|(name, _)| is_kept(name));
    }

    /// Gives the value with a name another name.
    pub fn rename(&mut self, old: &str, new: &str) {
        if let Ok(index) = self.find(old) {
            let (_, value) = self.0.remove(index);
            self.set(new, value);
        }
    }

    /// Returns all values with their names, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value))
    }

    /// Returns all values with their shared names, in the order of the names.
    pub(crate) fn entries(&self) -> &[(Arc<str>, Value)] {
        &self.0
    }

    /// Returns whether there are no values.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(name, _)| name)
    }

    /// Lets the hint say where a name is. Otherwise returns the index where it should be.
    #[inline(never)]
    fn find_near(&self, name: &Arc<str>, hint: &mut NameHint) -> Result<(), usize> {
        let is_there = |(there, _): &(Arc<str>, Value)| *there == *name;
        if !self.0.get(hint.index).is_some_and(is_there) {
            hint.index = self.find(name)?;
        }
        hint.found = Some([Arc::clone(name), Arc::clone(&self.0[hint.index].0)]);
        Ok(())
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
        values.rename("a", "x");
        values.rename("none", "a");
        assert_eq!(values.names().collect::<Vec<_>>(), ["b", "x"]);
        assert_eq!(values.get("x"), Some(&Value::Bool(true)));
    }

    #[test]
    fn a_hint_never_leads_to_another_name() {
        let [a, b, c] = ["a", "b", "c"].map(Arc::<str>::from);
        let list = |values: &[(&Arc<str>, i64)]| -> Values {
            values.iter().map(|(name, value)| (Arc::clone(name), Value::Int(*value))).collect()
        };
        let mut lists = [list(&[(&a, 1), (&b, 2)]), list(&[(&b, 3), (&c, 4)]), Values::default()];
        lists[2].set("b", Value::Int(5));
        let mut hint = NameHint::default();
        let mut get = |list: usize, name: &Arc<str>| lists[list].get_near(name, &mut hint).cloned();
        for _ in 0..2 {
            let of_b = [0, 1, 2].map(|list| get(list, &b));
            assert_eq!(of_b, [2, 3, 5].map(|value| Some(Value::Int(value))));
            assert_eq!(
                [get(0, &c), get(1, &c), get(0, &a)],
                [None, Some(Value::Int(4)), Some(Value::Int(1))]
            );
        }
        let mut hint = NameHint::default();
        for (list, name) in [(0, &b), (1, &b), (2, &b), (2, &a), (0, &a), (1, &a)] {
            lists[list].put_near(name, &mut hint, Value::Int(9));
            assert_eq!(lists[list].get(name), Some(&Value::Int(9)));
        }
        let names = lists.each_ref().map(|list| list.names().collect::<String>());
        assert_eq!(names, ["ab", "abc", "ab"]);
    }
}
