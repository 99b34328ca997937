//! Public state: values of agents' states that other agents may read.
//!
//! A group declares the names and their initial values. The values themselves are in the minds of the agents; here they are as
//! columns, which are filled again whenever minds have changed for good. So they are no state of their own.

use std::sync::Arc;

use super::value::NameHint;
use super::{AgentId, Agents, Group, Mind, Minds, SharedRule, Value, World};
use crate::math::Vec2;

/// The type of a public value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PublicType {
    /// A boolean.
    Bool,
    /// A number: a float, also if an integer is written.
    Number,
    /// A point or direction.
    Vector,
    /// A string.
    String,
    /// An agent, or `()`.
    Agent,
}

impl PublicType {
    /// Returns the type of a value. `None` for an array or a map, which cannot be public.
    pub fn of(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Bool(_) => Self::Bool,
            Value::Int(_) | Value::Float(_) => Self::Number,
            Value::Vector(_) => Self::Vector,
            Value::String(_) => Self::String,
            Value::Nothing | Value::Agent(_) => Self::Agent,
            Value::List(_) | Value::Map(_) | Value::Drawn(_) => return None,
        })
    }

    /// Returns a value as one of this type: of an integer, the float. `None` if it has another type.
    pub fn fit(self, value: Value) -> Option<Value> {
        match value {
            Value::Int(x) if self == Self::Number => Some(Value::Float(x as f32)),
            value => (Self::of(&value) == Some(self)).then_some(value),
        }
    }

    /// Returns its name for messages.
    pub fn description(self) -> &'static str {
        match self {
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::Vector => "a vector",
            Self::String => "a string",
            Self::Agent => "an agent or `()`",
        }
    }
}

/// How what an agent is told is combined with a value of its public state. Without a rule, it takes the place of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicRule {
    /// How it is combined, in the order of the ids of those who tell it.
    pub rule: SharedRule,
    /// Whether the value begins again with its first value after each turn of its agent, so that the agent reads what it was told since its
    /// last turn.
    pub each_tick: bool,
}

/// A name that some groups of a world declare as public.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PublicName {
    /// The name in `state`.
    pub name: Arc<str>,
    /// The type of its values, the same in all groups.
    pub ty: PublicType,
    /// For each group, by its id, whether it declares the name.
    pub groups: Vec<bool>,
}

impl PublicName {
    /// Returns all public names of some groups, in alphabetical order. If groups differ in the type, that of the first one
    /// counts, and the name is not public in the others.
    pub(crate) fn all<'g>(groups: impl ExactSizeIterator<Item = &'g Group>) -> Vec<Self> {
        let count = groups.len();
        let mut all: Vec<Self> = Vec::new();
        for (index, group) in groups.enumerate() {
            for (name, value) in group.public.iter() {
                let Some(ty) = PublicType::of(value) else { continue };
                let place = all.binary_search_by(|known| (*known.name).cmp(name));
                let place = place.unwrap_or_else(|place| {
                    all.insert(place, Self { name: name.into(), ty, groups: vec![false; count] });
                    place
                });
                all[place].groups[index] = all[place].ty == ty;
            }
        }
        all
    }
}

/// The public values of one name, by the rows of the agents. Agents of groups that do not declare the name have a value without
/// a meaning.
#[derive(Clone, Debug, PartialEq)]
pub enum PublicColumn {
    /// Booleans.
    Bool(Vec<bool>),
    /// Numbers.
    Number(Vec<f32>),
    /// Points or directions.
    Vector(Vec<Vec2>),
    /// Strings.
    String(Vec<Arc<str>>),
    /// Agents, by their ids.
    Agent(Vec<Option<AgentId>>),
}

impl PublicColumn {
    fn new(ty: PublicType) -> Self {
        match ty {
            PublicType::Bool => Self::Bool(Vec::new()),
            PublicType::Number => Self::Number(Vec::new()),
            PublicType::Vector => Self::Vector(Vec::new()),
            PublicType::String => Self::String(Vec::new()),
            PublicType::Agent => Self::Agent(Vec::new()),
        }
    }

    fn resize(&mut self, rows: usize) {
        match self {
            Self::Bool(all) => all.resize(rows, false),
            Self::Number(all) => all.resize(rows, 0.0),
            Self::Vector(all) => all.resize(rows, Vec2::ZERO),
            Self::String(all) => all.resize_with(rows, Arc::default),
            Self::Agent(all) => all.resize(rows, None),
        }
    }

    /// Sets the value of a row. A value of another type counts as none: `false`, 0, an empty string.
    fn set(&mut self, row: usize, value: &Value) {
        match self {
            Self::Bool(all) => all[row] = *value == Value::Bool(true),
            Self::Number(all) => {
                all[row] = match value {
                    Value::Float(x) => *x,
                    Value::Int(x) => *x as f32,
                    _ => 0.0,
                }
            }
            Self::Vector(all) => {
                all[row] = if let Value::Vector(x) = value { *x } else { Vec2::ZERO }
            }
            Self::String(all) => match value {
                Value::String(x) if all[row] == *x => {}
                Value::String(x) => all[row] = Arc::clone(x),
                _ => all[row] = Arc::default(),
            },
            Self::Agent(all) => {
                all[row] = if let Value::Agent(id) = value { Some(*id) } else { None }
            }
        }
    }

    fn value(&self, row: usize) -> Value {
        match self {
            Self::Bool(all) => Value::Bool(all[row]),
            Self::Number(all) => Value::Float(all[row]),
            Self::Vector(all) => Value::Vector(all[row]),
            Self::String(all) => Value::String(Arc::clone(&all[row])),
            Self::Agent(all) => all[row].map_or(Value::Nothing, Value::Agent),
        }
    }
}

impl Group {
    /// Gives the public values that begin again after each turn their first values, in the mind of the agent with an index in the group.
    pub(crate) fn begin_again(&self, index: u32, mind: Mind<'_>) {
        for (name, _) in self.public_rules.iter().filter(|(_, rule)| rule.each_tick) {
            let Some(of_group) = self.public.get(name) else { continue };
            let initial = self.first_public(name, index, of_group);
            if let Some(initial) = PublicType::of(of_group).and_then(|ty| ty.fit(initial.clone())) {
                mind.state.put(name, initial);
            }
        }
    }

    /// Gives the mind of the agent with an index in the group the public values that it lacks, or has with another type.
    pub(crate) fn complete(&self, index: u32, mind: Mind<'_>) {
        for (name, initial) in self.public.entries() {
            let Some(ty) = PublicType::of(initial) else { continue };
            let is_there = match mind.state.get(name) {
                None | Some(Value::Int(_)) => false,
                Some(value) => PublicType::of(value) == Some(ty),
            };
            if !is_there {
                let kept = mind.state.get(name).cloned().and_then(|value| ty.fit(value));
                let initial = self.first_public(name, index, initial);
                let initial = || ty.fit(initial.clone()).unwrap_or(Value::Nothing);
                mind.state.put(name, kept.unwrap_or_else(initial));
            }
        }
    }
}

impl World {
    /// Returns the column of a public name, by the index of the name in [`WorldNames::public`](super::WorldNames::public).
    #[doc(hidden)]
    #[inline]
    pub fn public_column(&self, name: usize) -> Option<&PublicColumn> {
        self.public.get(name)
    }

    /// Returns a public value of the agent in a row. `None` if its group does not declare the name.
    pub(super) fn public_value(&self, row: usize, name: &str) -> Option<Value> {
        let names = self.names().public();
        let index = names.binary_search_by(|known| (*known.name).cmp(name)).ok()?;
        let is_declared = names[index].groups[usize::from(self.agents.group[row].0)];
        let column = self.public.get(index).filter(|_| is_declared)?;
        Some(column.value(row))
    }

    /// Makes the public values those in the minds of all agents.
    pub(crate) fn publish(&mut self, minds: &Minds) {
        let names = Arc::clone(self.names());
        if self.public.len() != names.public().len() {
            self.public = names.public().iter().map(|name| PublicColumn::new(name.ty)).collect();
        }
        for (column, name) in self.public.iter_mut().zip(names.public()) {
            column.resize(self.agents.len());
            let mut hint = NameHint::default();
            for row in 0..self.agents.len() {
                copy_value(column, name, &self.agents, minds, row, &mut hint);
            }
        }
    }

    /// Makes the public values of one agent those in its mind.
    pub(crate) fn publish_row(&mut self, minds: &Minds, row: usize) {
        if self.public.is_empty() {
            return;
        }
        let names = Arc::clone(self.names());
        for (column, name) in self.public.iter_mut().zip(names.public()) {
            copy_value(column, name, &self.agents, minds, row, &mut NameHint::default());
        }
    }
}

fn copy_value(
    column: &mut PublicColumn,
    name: &PublicName,
    agents: &Agents,
    minds: &Minds,
    row: usize,
    hint: &mut NameHint,
) {
    if name.groups[usize::from(agents.group[row].0)] {
        let value = minds.state(row).get_near(&name.name, hint);
        column.set(row, value.unwrap_or(&Value::Nothing));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_type_of_the_first_group_that_declares_them() {
        let group = |values: &[(&str, Value)]| {
            let public = values.iter().map(|(name, value)| (Arc::from(*name), value.clone()));
            Group { public: public.collect(), ..Group::default() }
        };
        let groups = [
            group(&[("b", Value::Int(1))]),
            group(&[("a", Value::Nothing), ("b", Value::Float(2.0))]),
            group(&[("b", Value::Bool(true))]),
        ];
        let all = PublicName::all(groups.iter());
        let shown: Vec<_> = all.iter().map(|one| (&*one.name, one.ty, &one.groups[..])).collect();
        assert_eq!(
            shown,
            [
                ("a", PublicType::Agent, &[false, true, false][..]),
                ("b", PublicType::Number, &[true, true, false])
            ]
        );
    }

    #[test]
    fn minds_get_what_they_lack_and_keep_what_fits() {
        let initial =
            [("a", Value::Bool(true)), ("b", Value::Int(1)), ("c", Value::Vector(Vec2::X))];
        let public = initial.iter().map(|(name, value)| (Arc::from(*name), value.clone()));
        let group = Group { public: public.collect(), ..Group::default() };
        let mut minds = Minds::new(0);
        minds.grow(1);
        minds.mind(0).state.set("b", Value::Int(7));
        minds.mind(0).state.set("c", Value::Bool(false));
        minds.mind(0).state.set("d", Value::Int(3));
        group.complete(0, minds.mind(0));
        assert_eq!(minds.state(0).to_string(), "a = true, b = 7, c = (1, 0), d = 3");
        assert_eq!(minds.state(0).get("b"), Some(&Value::Float(7.0)));
    }
}
