//! The names of what a world has: groups, paths and obstacles, found by name.

use std::collections::HashMap;
use std::sync::Arc;

use super::{GroupId, ObstacleId, PathId, World};

/// The names of a world's groups, paths and obstacles, each in order. They are shared by all that look names
/// up, and by copies of the world.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct WorldNames {
    groups: NameTable,
    paths: NameTable,
    obstacles: NameTable,
}

/// Names in order, and the place of each.
#[derive(Debug, Default)]
struct NameTable {
    names: Vec<Arc<str>>,
    /// The first place of each name.
    places: HashMap<Arc<str>, u16>,
}

impl PartialEq for NameTable {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl NameTable {
    fn new<'n>(names: impl Iterator<Item = &'n Arc<str>>) -> Self {
        let names: Vec<Arc<str>> = names.cloned().collect();
        let mut places = HashMap::with_capacity(names.len());
        for (name, place) in names.iter().zip(0..) {
            places.entry(Arc::clone(name)).or_insert(place);
        }
        Self { names, places }
    }

    fn place(&self, name: &str) -> Option<u16> {
        self.places.get(name).copied()
    }
}

impl WorldNames {
    pub(super) fn of(world: &World) -> Self {
        Self {
            groups: NameTable::new(world.groups.iter().map(|group| &group.name)),
            paths: NameTable::new(world.paths.iter().map(|path| &path.name)),
            obstacles: NameTable::new(world.obstacles.iter().map(|obstacle| &obstacle.name)),
        }
    }

    /// The names of the groups, by their numbers.
    pub(crate) fn groups(&self) -> &[Arc<str>] {
        &self.groups.names
    }

    /// The names of the paths, by their numbers.
    pub(crate) fn paths(&self) -> &[Arc<str>] {
        &self.paths.names
    }

    /// The names of the obstacles, by their numbers.
    pub(crate) fn obstacles(&self) -> &[Arc<str>] {
        &self.obstacles.names
    }

    /// The group of a name.
    pub(crate) fn group(&self, name: &str) -> Option<GroupId> {
        self.groups.place(name).map(GroupId)
    }

    /// The path of a name.
    pub(crate) fn path(&self, name: &str) -> Option<PathId> {
        self.paths.place(name).map(PathId)
    }

    /// The obstacle of a name.
    pub(crate) fn obstacle(&self, name: &str) -> Option<ObstacleId> {
        self.obstacles.place(name).map(ObstacleId)
    }
}

#[cfg(test)]
impl From<Vec<Arc<str>>> for WorldNames {
    /// The names of groups alone.
    fn from(groups: Vec<Arc<str>>) -> Self {
        Self { groups: NameTable::new(groups.iter()), ..Self::default() }
    }
}
