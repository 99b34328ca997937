//! The facts that a script is lowered for: the names and types that the scenario of a group gives.

use std::sync::Arc;

use super::emit::Emitter;
use crate::program::{AgentInteger, I, Type};
use crate::world::{Group, GroupId, PathId, PublicType, Value, Values, World, WorldNames};

/// The facts about a group and its world that are known before anything runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupFacts {
    /// Whether there is a scenario. Without one, any name may exist.
    pub(super) scenario: bool,
    pub(super) group: GroupId,
    pub(super) names: Arc<WorldNames>,
    pub(super) kind: GroupKind,
}

/// The properties of a group that a program depends on, except for its name. All groups of one kind can run the same
/// program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct GroupKind {
    pub(super) path: OwnPath,
    /// Whether some agent of the group has a maximum speed.
    pub(super) has_speed: bool,
    /// Whether all agents of the group have the same body.
    pub(super) one_body: bool,
    /// Whether the group can capture agents.
    pub(super) captures: bool,
    /// The group's params in the order of their names, with their types; `None` for a param that no column
    /// can hold.
    pub(super) params: Vec<(Arc<str>, Option<Type>)>,
    /// The params that each agent has a number of its own for, in the order of their names.
    pub(super) drawn: Vec<Arc<str>>,
    /// The states that the group declares as public, in the order of their names, with their types.
    pub(super) public: Vec<(Arc<str>, PublicType)>,
    /// Strings in the params, in public state and in shared values, except for names of groups.
    pub(super) strings: Vec<Arc<str>>,
}

/// The path of the agents of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum OwnPath {
    #[default]
    None,
    /// All have the same one.
    Same(PathId),
    /// Each has one.
    Each,
}

impl OwnPath {
    fn of(group: &Group) -> Self {
        match group.path {
            _ if !group.paths.is_empty() => Self::Each,
            Some(path) => Self::Same(path),
            None => Self::None,
        }
    }

    /// Returns the column of the path's index, if there is a path.
    pub(super) fn emit(self, emit: &mut Emitter) -> Option<I> {
        Some(match self {
            Self::None => return None,
            Self::Same(path) => emit.const_i(path.0.into()),
            Self::Each => emit.own_i(AgentInteger::Path),
        })
    }
}

impl GroupFacts {
    /// Returns the facts about a group of a world.
    pub(crate) fn of(world: &World, group: GroupId) -> Self {
        let names = Arc::clone(world.names());
        Self { scenario: true, group, kind: GroupKind::of(world, group, &names), names }
    }

    /// Returns the kind of the group.
    pub(crate) fn into_kind(self) -> GroupKind {
        self.kind
    }

    /// Returns the kind of the group.
    pub(crate) fn kind(&self) -> &GroupKind {
        &self.kind
    }

    /// Returns the name of the group, if there is a scenario.
    pub(super) fn group_name(&self) -> Option<&Arc<str>> {
        self.names.groups().get(usize::from(self.group.0))
    }
}

impl GroupKind {
    fn of(world: &World, group: GroupId, names: &WorldNames) -> Self {
        let group = world.group(group);
        let mut kind = Self {
            path: OwnPath::of(group),
            has_speed: has_speed(group),
            one_body: group.bodies.is_empty(),
            captures: !group.captures.is_empty(),
            ..Self::default()
        };
        for (name, value) in group.params.iter() {
            kind.params.push((name.into(), Type::of(value)));
            if matches!(value, Value::Drawn(_)) {
                kind.drawn.push(name.into());
            }
            if let Value::String(text) = value
                && !kind.has_string(text, names)
            {
                kind.strings.push(Arc::clone(text));
            }
        }
        kind.public = public(group).map(|(name, ty)| (name.into(), ty)).collect();
        // Agents of any group may be seen.
        let public = world.groups.iter().flat_map(|group| {
            std::iter::once(&group.public).chain(&group.own_public).flat_map(Values::iter)
        });
        let shared = world.shared.iter().map(|shared| &shared.start);
        for value in public.map(|(_, value)| value).chain(shared) {
            if let Value::String(text) = value
                && !kind.has_string(text, names)
            {
                kind.strings.push(Arc::clone(text));
            }
        }
        kind
    }

    /// Returns whether a group, in a world with these names, is of this kind.
    pub(crate) fn is_of(&self, group: &Group, names: &WorldNames) -> bool {
        let mut known = self.params.iter();
        let has = |(name, value): (&str, &Value)| {
            known.next().is_some_and(|(known, ty)| {
                name == &**known
                    && Type::of(value) == *ty
                    && matches!(value, Value::Drawn(_)) == self.is_drawn(name)
                    && match value {
                        Value::String(text) => self.has_string(text, names),
                        _ => true,
                    }
            })
        };
        self.path == OwnPath::of(group)
            && self.has_speed == has_speed(group)
            && self.one_body == group.bodies.is_empty()
            && self.captures != group.captures.is_empty()
            && group.params.iter().all(has)
            && public(group).eq(self.public.iter().map(|(name, ty)| (&**name, *ty)))
            && known.next().is_none()
    }

    /// Returns whether a program for this kind has an index for a string.
    fn has_string(&self, text: &Arc<str>, names: &WorldNames) -> bool {
        self.strings.contains(text) || names.group(text).is_some()
    }

    /// Returns the type of a state, if the group declares it as public.
    pub(super) fn public_type(&self, name: &str) -> Option<PublicType> {
        let place = self.public.binary_search_by(|(known, _)| (**known).cmp(name));
        place.ok().map(|place| self.public[place].1)
    }

    /// Returns whether each agent has a number of its own for a param.
    pub(super) fn is_drawn(&self, name: &str) -> bool {
        self.drawn.binary_search_by(|known| (**known).cmp(name)).is_ok()
    }

    /// Returns the type of a param, if the group has it; `Some(None)` for a param that no column can hold.
    pub(super) fn param(&self, name: &str) -> Option<Option<Type>> {
        let place = self.params.binary_search_by(|(known, _)| (**known).cmp(name));
        place.ok().map(|place| self.params[place].1)
    }
}

/// Returns the states that a group declares as public, with their types.
fn public(group: &Group) -> impl Iterator<Item = (&str, PublicType)> {
    group.public.iter().filter_map(|(name, value)| Some((name, PublicType::of(value)?)))
}

fn has_speed(group: &Group) -> bool {
    let mut bodies = group.all_bodies().iter();
    bodies.any(|body| body.max_speed.is_finite())
}
