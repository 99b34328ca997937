//! What may change its type in the course of a script, by number, and what is known of its types.

use std::collections::HashMap;

use crate::program::Type;

/// What may change its type in the course of a script.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Tracked {
    /// A variable that changes: the way to the call, and where it is introduced.
    Variable(CallPath, (u16, u16), String),
    /// A variable that never changes: the way to the call, its place among those in reach, and its name.
    Constant(CallPath, usize, String),
    State(String),
    /// What a function returns.
    Returned(CallPath),
    /// A property that may be nothing, and that stays what it is for a whole turn.
    StableProperty(&'static str),
}

/// The calls that lead to a function being taken in, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct CallPath(u32);

/// A key by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TrackedId(u32);

impl TrackedId {
    pub(super) fn place(self) -> usize {
        self.0 as usize
    }
}

/// The keys and ways that there are, which keep their numbers from round to round.
#[derive(Debug, Default)]
pub(super) struct TrackedIds {
    ids: HashMap<Tracked, TrackedId>,
    /// The states among them, with their names, and the place of each among these.
    states: Vec<(TrackedId, String)>,
    places: HashMap<TrackedId, usize>,
    call_paths: HashMap<(CallPath, (u16, u16)), CallPath>,
}

impl TrackedIds {
    pub(super) fn id(&mut self, key: Tracked) -> TrackedId {
        let next = TrackedId(self.ids.len() as u32);
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        if let Tracked::State(name) = &key {
            self.places.insert(next, self.states.len());
            self.states.push((next, name.clone()));
        }
        self.ids.insert(key, next);
        next
    }

    /// The name of a state; `None` for what is no state.
    pub(super) fn state(&self, id: TrackedId) -> Option<&str> {
        self.places.get(&id).map(|&place| &*self.states[place].1)
    }

    pub(super) fn states(&self) -> &[(TrackedId, String)] {
        &self.states
    }

    /// The way that goes on from another with a call at a place.
    pub(super) fn call_path(&mut self, caller: CallPath, call: (u16, u16)) -> CallPath {
        let next = CallPath(self.call_paths.len() as u32 + 1);
        *self.call_paths.entry((caller, call)).or_insert(next)
    }
}

/// A set of types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TypeSet(u16);

impl TypeSet {
    const ALL: [Type; 9] = [
        Type::Nothing,
        Type::Bool,
        Type::Int,
        Type::Float,
        Type::Vector,
        Type::Text,
        Type::Agent,
        Type::Obstacle,
        Type::Path,
    ];

    pub(super) fn contains(self, is: Type) -> bool {
        self.0 & (1 << is as u16) != 0
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The types in it, in their order.
    pub(super) fn iter(self) -> impl Iterator<Item = Type> {
        Self::ALL.into_iter().filter(move |&is| self.contains(is))
    }
}

impl FromIterator<Type> for TypeSet {
    fn from_iter<T: IntoIterator<Item = Type>>(types: T) -> Self {
        Self(types.into_iter().fold(0, |all, is| all | 1 << is as u16))
    }
}

/// What is known of types at some place, beyond what has been seen anywhere. It is copied at each branch, and
/// so is a plain list by the numbers of keys.
#[derive(Clone, Debug, Default)]
pub(super) struct NarrowedTypes(Vec<u16>);

/// Stands for no knowledge; no set of types has so many.
const UNKNOWN: u16 = u16::MAX;

impl NarrowedTypes {
    pub(super) fn get(&self, id: TrackedId) -> Option<TypeSet> {
        let types = self.0.get(id.place()).copied();
        types.filter(|&types| types != UNKNOWN).map(TypeSet)
    }

    pub(super) fn insert(&mut self, id: TrackedId, types: TypeSet) {
        if self.0.len() <= id.place() {
            self.0.resize(id.place() + 1, UNKNOWN);
        }
        self.0[id.place()] = types.0;
    }

    pub(super) fn remove(&mut self, id: TrackedId) {
        if let Some(types) = self.0.get_mut(id.place()) {
            *types = UNKNOWN;
        }
    }

    /// What is known where two ways meet: the types of either.
    pub(super) fn joined(mut self, other: &Self) -> Self {
        self.0.truncate(other.0.len());
        for (types, &others) in self.0.iter_mut().zip(&other.0) {
            // Whatever is unknown on one way is unknown.
            *types |= others;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_ways_meet_only_what_both_know_is_known() {
        let mut keys = TrackedIds::default();
        let mut id = |name: &str| keys.id(Tracked::State(name.to_owned()));
        let (a, b, c) = (id("a"), id("b"), id("c"));
        let (one, other) = (TypeSet::from_iter([Type::Int]), TypeSet::from_iter([Type::Path]));
        let (mut yes, mut no) = (NarrowedTypes::default(), NarrowedTypes::default());
        yes.insert(a, one);
        yes.insert(b, one);
        no.insert(a, other);
        no.insert(c, one);
        for both in [yes.clone().joined(&no), no.clone().joined(&yes)] {
            assert_eq!(both.get(a), Some(one.union(other)));
            assert_eq!((both.get(b), both.get(c)), (None, None));
        }
        yes.remove(a);
        assert_eq!(yes.get(a), None);
        assert_eq!(no.joined(&yes).get(a), None);
    }

    #[test]
    fn all_types_fit_into_a_set() {
        let all: TypeSet = TypeSet::ALL.into_iter().collect();
        assert_eq!(all.iter().collect::<Vec<_>>(), TypeSet::ALL);
        assert_ne!(all.0, UNKNOWN);
        assert!(TypeSet::default().is_empty() && !all.is_empty());
    }
}
