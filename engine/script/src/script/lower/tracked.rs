//! Gives an id to everything whose type may change in the course of a script, and keeps sets of types by
//! these ids.

use std::collections::HashMap;

use rhai::Position;

use crate::program::Type;

/// Something whose type may change in the course of a script.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Tracked {
    /// A variable that is assigned to: the calls that lead to its function, where it is declared, and its
    /// name.
    Variable(CallPath, (u16, u16), String),
    /// A variable that is never assigned to: the calls that lead to its function, its index among the
    /// variables in scope, and its name.
    Constant(CallPath, usize, String),
    State(String),
    /// The result of a function.
    Returned(CallPath),
    /// A property that may be `()` and that keeps its value for a whole turn.
    StableProperty(&'static str),
    /// An agent of a neighborhood, by its index: it is not `()` if there are any.
    AgentOf(u16),
}

/// The chain of calls that leads to an inlined function, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct CallPath(u32);

/// The number of something tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TrackedId(u32);

impl TrackedId {
    pub(super) fn place(self) -> usize {
        self.0 as usize
    }
}

/// All ids and call paths. They keep their numbers from one pass to the next.
#[derive(Debug, Default)]
pub(super) struct TrackedIds {
    ids: HashMap<Tracked, TrackedId>,
    /// For each id, whether it is that of something that keeps its value.
    constant: Vec<bool>,
    /// The ids and names of the states, and the index of each in this list.
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
        let is_constant = matches!(key, Tracked::Constant(..) | Tracked::StableProperty(_));
        self.constant.push(is_constant);
        self.ids.insert(key, next);
        next
    }

    /// Returns whether the id at an index is that of something that keeps its value.
    pub(super) fn is_constant(&self, place: usize) -> bool {
        self.constant.get(place).copied().unwrap_or(false)
    }

    /// Returns the name of a state; `None` for anything else.
    pub(super) fn state(&self, id: TrackedId) -> Option<&str> {
        self.places.get(&id).map(|&place| &*self.states[place].1)
    }

    pub(super) fn states(&self) -> &[(TrackedId, String)] {
        &self.states
    }

    /// Returns the path that continues `caller` with the call at a position.
    pub(super) fn call_path(&mut self, caller: CallPath, call: (u16, u16)) -> CallPath {
        let next = CallPath(self.call_paths.len() as u32 + 1);
        *self.call_paths.entry((caller, call)).or_insert(next)
    }
}

/// A set of types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TypeSet(u16);

impl TypeSet {
    const ALL: [Type; 10] = [
        Type::Nothing,
        Type::Bool,
        Type::Int,
        Type::Float,
        Type::Vector,
        Type::String,
        Type::Agent,
        Type::Obstacle,
        Type::Path,
        Type::Field,
    ];

    pub(super) fn contains(self, ty: Type) -> bool {
        self.0 & (1 << ty as u16) != 0
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the types in the set, in the order of `ALL`.
    pub(super) fn iter(self) -> impl Iterator<Item = Type> {
        Self::ALL.into_iter().filter(move |&ty| self.contains(ty))
    }
}

impl FromIterator<Type> for TypeSet {
    fn from_iter<T: IntoIterator<Item = Type>>(types: T) -> Self {
        Self(types.into_iter().fold(0, |all, ty| all | 1 << ty as u16))
    }
}

/// The types that are possible at some point of the script, where fewer are than those found anywhere. It is
/// copied at each branch, so it is a plain list, indexed by id.
#[derive(Clone, Debug, Default)]
pub(super) struct NarrowedTypes(Vec<u16>);

/// Stands for an id that is not narrowed; no set of types has this value.
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

    /// Adds what else is known: a type is possible only if both say so.
    pub(super) fn narrow(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), UNKNOWN);
        }
        for (types, &others) in self.0.iter_mut().zip(&other.0) {
            // `UNKNOWN` has all bits set, so what only one knows stays known.
            *types &= others;
        }
    }

    /// Forgets the types of everything but some ids.
    pub(super) fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        for (place, types) in self.0.iter_mut().enumerate() {
            if !is_kept(place) {
                *types = UNKNOWN;
            }
        }
    }

    pub(super) fn remove(&mut self, id: TrackedId) {
        if let Some(types) = self.0.get_mut(id.place()) {
            *types = UNKNOWN;
        }
    }

    /// Returns what is known where two branches meet: a type that is possible in either is possible.
    pub(super) fn joined(mut self, other: &Self) -> Self {
        self.0.truncate(other.0.len());
        for (types, &others) in self.0.iter_mut().zip(&other.0) {
            // `UNKNOWN` has all bits set, so what is unknown in one branch stays unknown.
            *types |= others;
        }
        self
    }
}

pub(super) fn spot(position: Position) -> (u16, u16) {
    (position.line().unwrap_or(0) as u16, position.position().unwrap_or(0) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_known_after_branches_only_if_both_know_them() {
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
        let mut all = yes.clone();
        all.narrow(&no);
        assert_eq!(all.get(a), Some(TypeSet::default()));
        assert_eq!((all.get(b), all.get(c)), (Some(one), Some(one)));
        all.retain(|place| place == b.place());
        assert_eq!((all.get(a), all.get(b), all.get(c)), (None, Some(one), None));
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
