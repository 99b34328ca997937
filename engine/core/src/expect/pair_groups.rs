//! The groups of an expectation about pairs of agents: its fields `groups` and `between`.

use super::check::{Check, NameRef, SpecPart};
use crate::diag::Diagnostic;
use crate::schema::{Described, Shape};
use crate::world::GroupId;

/// The value of the field `between`: each pair has one agent of the first and one of the second group.
pub(super) type TwoGroups = (NameRef<GroupId>, NameRef<GroupId>);

impl Described for TwoGroups {
    fn shape() -> Shape {
        Shape::Pair(Box::new(NameRef::<GroupId>::shape()))
    }
}

/// The agents whose pairs count.
#[derive(Clone, Debug)]
pub(super) enum PairGroups {
    /// All agents.
    All,
    /// The agents of some groups, also two of the same group.
    Within(Vec<GroupId>),
    /// One agent of each of two different groups.
    Between(GroupId, GroupId),
}

impl PairGroups {
    /// Returns the groups of the fields `groups` and `between`, of which one may be given. Their names must have been looked up.
    pub(super) fn new(groups: Option<&[NameRef<GroupId>]>, between: Option<&TwoGroups>) -> Self {
        match (between.map(|(a, b)| (a.id(), b.id())), groups) {
            (Some((a, b)), _) if a == b => Self::Within(vec![a]),
            (Some((a, b)), _) => Self::Between(a, b),
            (None, Some(groups)) => Self::Within(groups.iter().map(NameRef::id).collect()),
            (None, None) => Self::All,
        }
    }

    /// Returns whether agents of a group are in any pair.
    pub(super) fn contains(&self, group: GroupId) -> bool {
        match self {
            Self::All => true,
            Self::Within(groups) => groups.contains(&group),
            Self::Between(a, b) => [*a, *b].contains(&group),
        }
    }
}

impl Check<'_> {
    /// Looks up the groups in the fields `groups` and `between` and checks that they can have agents. `None` if that fails.
    pub(super) fn pair_groups(
        &mut self,
        groups: Option<&mut [NameRef<GroupId>]>,
        between: Option<&mut TwoGroups>,
    ) -> Option<PairGroups> {
        match (groups, between) {
            (Some(_), Some(_)) => {
                let both = Diagnostic::error("`groups` and `between` cannot be given together")
                    .help("leave out `groups`: `between` names both groups");
                self.add(SpecPart::Field("between"), both);
                None
            }
            (Some([]), None) => {
                let none = "name at least one group, or leave out `groups` to mean all agents";
                self.error(SpecPart::Field("groups"), none);
                None
            }
            (Some(groups), None) => {
                self.each_group("groups", groups.iter_mut())?;
                Some(PairGroups::new(Some(groups), None))
            }
            (None, Some(between)) => {
                self.each_group("between", [&mut between.0, &mut between.1].into_iter())?;
                Some(PairGroups::new(None, Some(between)))
            }
            (None, None) => Some(PairGroups::All),
        }
    }

    /// Looks up the groups in the value of a field. `None` if there is no group of one of the names.
    fn each_group<'n>(
        &mut self,
        field: &str,
        names: impl ExactSizeIterator<Item = &'n mut NameRef<GroupId>>,
    ) -> Option<()> {
        let (count, spans) = (names.len(), self.written.elements(field));
        // There are fewer spans than names if brackets are missing in the file.
        let found = names.zip(spans).filter_map(|(named, span)| self.group_at(span, named));
        (found.count() == count).then_some(())
    }
}
