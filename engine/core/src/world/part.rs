//! Parts of a scenario that some calls of scripts cannot do without.

use super::{GroupId, Relation, World};

/// A part of a scenario without which some calls of scripts have nothing to work with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScenarioPart {
    /// Obstacles.
    Obstacles,
    /// The formation of a group.
    Formation,
    /// Groups that are related to a group.
    Relation(Relation),
}

impl World {
    /// Returns whether there is such a part for the agents of a group.
    #[doc(hidden)]
    pub fn has_part(&self, part: ScenarioPart, group: GroupId) -> bool {
        match part {
            ScenarioPart::Obstacles => self.all_obstacles().next().is_some(),
            ScenarioPart::Formation => self.group(group).formation.is_some(),
            ScenarioPart::Relation(relation) => {
                !self.group(group).relations.groups(relation).is_empty()
            }
        }
    }
}
