//! The names of groups and paths in a golden.

use std::sync::Arc;

use super::text::{LineParser, SyntaxError};
use crate::sim::Simulation;
use crate::world::GroupId;

/// The names of groups and paths, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioNames {
    /// Names of the groups.
    pub groups: Vec<Arc<str>>,
    /// Names of the paths.
    pub paths: Vec<Arc<str>>,
}

impl ScenarioNames {
    /// Returns the names in a run.
    pub fn of(simulation: &Simulation) -> Self {
        let world = simulation.world();
        Self {
            groups: world.groups.iter().map(|one| Arc::clone(&one.name)).collect(),
            paths: world.paths.iter().map(|one| Arc::clone(&one.name)).collect(),
        }
    }
}

/// Reads a name and returns its index in `known`. `what` names the expected thing in the error message.
pub(super) fn named(
    line: &mut LineParser<'_>,
    known: &[Arc<str>],
    what: &'static str,
) -> Result<usize, SyntaxError> {
    let before = *line;
    let name = line.name()?;
    known.iter().position(|one| *one == name).ok_or_else(|| {
        *line = before;
        line.wrong(what)
    })
}

/// Reads the name of a group.
pub(super) fn group(
    line: &mut LineParser<'_>,
    names: &ScenarioNames,
) -> Result<GroupId, SyntaxError> {
    named(line, &names.groups, "the name of a group").map(|place| GroupId(place as u16))
}
