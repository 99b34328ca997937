//! The names of groups, paths, fields, layers, obstacles, inputs, public state and shared values, for finding them by name.

use std::collections::HashMap;
use std::sync::Arc;

use super::{FieldId, GroupId, LayerId, ObstacleId, PathId, PublicName, PublicType, World};

/// The names of a world's groups, paths, fields, layers, obstacles and inputs, each in order, and of public state and shared values.
/// Copies of the world share them.
#[derive(Debug, Default, PartialEq)]
pub struct WorldNames {
    groups: NameTable,
    paths: NameTable,
    fields: NameTable,
    layers: NameTable,
    obstacles: NameTable,
    inputs: NameTable,
    public: Vec<PublicName>,
    shared: Vec<(Arc<str>, PublicType)>,
}

/// Names in order, and the index of each.
#[derive(Debug, Default)]
struct NameTable {
    names: Vec<Arc<str>>,
    /// The first index of each name.
    indices: HashMap<Arc<str>, u16>,
}

impl PartialEq for NameTable {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl NameTable {
    fn new<'n>(names: impl Iterator<Item = &'n Arc<str>>) -> Self {
        let names: Vec<Arc<str>> = names.cloned().collect();
        let mut indices = HashMap::with_capacity(names.len());
        for (name, index) in names.iter().zip(0..) {
            indices.entry(Arc::clone(name)).or_insert(index);
        }
        Self { names, indices }
    }

    fn index(&self, name: &str) -> Option<u16> {
        self.indices.get(name).copied()
    }
}

impl WorldNames {
    pub(super) fn new(world: &World) -> Self {
        Self {
            groups: NameTable::new(world.groups.iter().map(|group| &group.name)),
            paths: NameTable::new(world.paths.iter().map(|path| &path.name)),
            fields: NameTable::new(world.fields.iter().map(|field| &field.name)),
            layers: NameTable::new(world.layers.iter().map(|layer| &layer.name)),
            obstacles: NameTable::new(world.all_obstacles().map(|obstacle| &obstacle.name)),
            inputs: NameTable::new(world.inputs.iter().map(|input| &input.name)),
            public: PublicName::all(world.groups.iter()),
            shared: world.shared.iter().map(|one| (Arc::clone(&one.name), one.ty())).collect(),
        }
    }

    /// Returns the names of the groups, by their ids.
    pub fn groups(&self) -> &[Arc<str>] {
        &self.groups.names
    }

    /// Returns the names of the paths, by their ids.
    pub fn paths(&self) -> &[Arc<str>] {
        &self.paths.names
    }

    /// Returns the names of the fields, by their ids.
    pub fn fields(&self) -> &[Arc<str>] {
        &self.fields.names
    }

    /// Returns the names of the layers, by their ids.
    pub fn layers(&self) -> &[Arc<str>] {
        &self.layers.names
    }

    /// Returns the names of the obstacles, by their ids.
    pub fn obstacles(&self) -> &[Arc<str>] {
        &self.obstacles.names
    }

    /// Returns the names of the inputs, by their indices.
    pub fn inputs(&self) -> &[Arc<str>] {
        &self.inputs.names
    }

    /// Returns the names that groups declare as public, in alphabetical order.
    pub fn public(&self) -> &[PublicName] {
        &self.public
    }

    /// Returns the names of the shared values with their types, in alphabetical order.
    pub fn shared(&self) -> &[(Arc<str>, PublicType)] {
        &self.shared
    }

    /// Returns the group with a name.
    pub fn group(&self, name: &str) -> Option<GroupId> {
        self.groups.index(name).map(GroupId)
    }

    /// Returns the path with a name.
    pub fn path(&self, name: &str) -> Option<PathId> {
        self.paths.index(name).map(PathId)
    }

    /// Returns the field with a name.
    pub fn field(&self, name: &str) -> Option<FieldId> {
        self.fields.index(name).map(FieldId)
    }

    /// Returns the layer with a name.
    pub fn layer(&self, name: &str) -> Option<LayerId> {
        self.layers.index(name).map(LayerId)
    }

    /// Returns the obstacle with a name.
    pub fn obstacle(&self, name: &str) -> Option<ObstacleId> {
        self.obstacles.index(name).map(ObstacleId)
    }

    /// Returns the index of the input with a name.
    pub fn input(&self, name: &str) -> Option<u16> {
        self.inputs.index(name)
    }
}

impl From<Vec<Arc<str>>> for WorldNames {
    /// Makes names of groups alone.
    fn from(groups: Vec<Arc<str>>) -> Self {
        Self { groups: NameTable::new(groups.iter()), ..Self::default() }
    }
}
