//! Relations between groups: which groups a group hunts, flees from, or goes together with.

use super::GroupId;

/// The role that the agents of one group have for those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// They are hunted by the other group.
    Prey,
    /// They hunt the other group.
    Predator,
    /// They are on the side of the other group.
    Ally,
}

impl Relation {
    /// Returns what the other group is for the first one.
    #[must_use]
    pub fn inverse(self) -> Self {
        match self {
            Self::Prey => Self::Predator,
            Self::Predator => Self::Prey,
            Self::Ally => Self::Ally,
        }
    }
}

/// The groups that a group is related to. A relation holds in both directions: if foxes have rabbits as prey, rabbits
/// have foxes as predators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relations {
    prey: Vec<GroupId>,
    predators: Vec<GroupId>,
    allies: Vec<GroupId>,
}

impl Relations {
    /// Returns the groups that are something for this one, in the order of the scenario.
    #[inline]
    pub fn groups(&self, relation: Relation) -> &[GroupId] {
        match relation {
            Relation::Prey => &self.prey,
            Relation::Predator => &self.predators,
            Relation::Ally => &self.allies,
        }
    }

    fn groups_mut(&mut self, relation: Relation) -> &mut Vec<GroupId> {
        match relation {
            Relation::Prey => &mut self.prey,
            Relation::Predator => &mut self.predators,
            Relation::Ally => &mut self.allies,
        }
    }

    /// Adds a group, unless it is already there.
    pub(super) fn add(&mut self, relation: Relation, group: GroupId) {
        let groups = self.groups_mut(relation);
        if let Err(index) = groups.binary_search(&group) {
            groups.insert(index, group);
        }
    }
}

/// Returns whether a group is one of those that [`Relations::groups`] returns.
#[inline]
pub(super) fn contains(groups: &[GroupId], group: GroupId) -> bool {
    groups.binary_search(&group).is_ok()
}
