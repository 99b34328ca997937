//! What a script is lowered for: the names and types that its scenario gives.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::program::Type;
use crate::world::{Group, GroupId, PathId, Value, World};

/// What is known of a group and its world before anything runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    /// Whether there is a scenario; without one, any name may exist.
    pub(super) scenario: bool,
    pub(super) group: GroupId,
    pub(super) groups: Vec<Arc<str>>,
    pub(super) paths: Vec<Arc<str>>,
    pub(super) obstacles: Vec<Arc<str>>,
    /// The group's own path.
    pub(super) path: Option<PathId>,
    /// Whether some agent of the group has a greatest speed.
    pub(super) has_speed: bool,
    /// Whether all agents of the group have the same body.
    pub(super) one_body: bool,
    /// Types of the group's parameters; `None` for one that no column can hold.
    pub(super) params: BTreeMap<Arc<str>, Option<Type>>,
    /// Texts that occur: group names first.
    pub(super) texts: Vec<Arc<str>>,
    pub(super) group_texts: Vec<u32>,
}

impl Facts {
    /// What there is to know of a group of a world.
    pub(crate) fn of(world: &World, group: GroupId) -> Self {
        let own = world.group(group);
        let mut facts = Self {
            scenario: true,
            group,
            path: own.path,
            has_speed: has_speed(own),
            one_body: own.bodies.is_empty(),
            ..Self::default()
        };
        for group in &world.groups {
            facts.group_texts.push(facts.texts.len() as u32);
            facts.texts.push(Arc::clone(&group.name));
            facts.groups.push(Arc::clone(&group.name));
        }
        facts.paths = world.paths.iter().map(|path| path.name.clone()).collect();
        facts.obstacles = world
            .obstacles
            .iter()
            .map(|obstacle| obstacle.name.clone())
            .collect();
        for (name, value) in own.params.iter() {
            if let Value::Text(text) = value
                && !facts.texts.contains(text)
            {
                facts.texts.push(Arc::clone(text));
            }
            facts.params.insert(name.into(), Type::of(value));
        }
        facts
    }

    /// The group that they are about.
    pub(crate) fn group(&self) -> GroupId {
        self.group
    }

    /// Whether they are still true of a group.
    pub(crate) fn hold_for(&self, world: &World, group: GroupId) -> bool {
        let own = world.group(group);
        let same =
            |known: &[Arc<str>], now: &mut dyn Iterator<Item = &Arc<str>>| known.iter().eq(now);
        self.group == group
            && self.path == own.path
            && self.has_speed == has_speed(own)
            && self.one_body == own.bodies.is_empty()
            && same(
                &self.groups,
                &mut world.groups.iter().map(|group| &group.name),
            )
            && same(&self.paths, &mut world.paths.iter().map(|path| &path.name))
            && same(
                &self.obstacles,
                &mut world.obstacles.iter().map(|obstacle| &obstacle.name),
            )
            && self.params.len() == own.params.iter().count()
            && own
                .params
                .iter()
                .zip(&self.params)
                .all(|((name, value), (known, is))| {
                    name == &**known
                        && Type::of(value) == *is
                        && match value {
                            Value::Text(text) => self.texts.contains(text),
                            _ => true,
                        }
                })
    }

    /// The place of a text among those that occur.
    pub(super) fn place(names: &[Arc<str>], name: &str) -> Option<u16> {
        let place = names.iter().position(|known| **known == *name)?;
        u16::try_from(place).ok()
    }
}

fn has_speed(group: &Group) -> bool {
    let mut bodies = group.all_bodies().iter();
    bodies.any(|body| body.max_speed.is_finite())
}
