//! What a person chooses from a list or by typing a part of its name.

use flockwork_engine::world::{AgentId, GroupId};

/// Something that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// An action, by its number in the list of keys.
    Action(usize),
    /// A param of a group, by its index.
    Param(GroupId, usize),
    Agent(AgentId),
    /// Another scenario of the project, by its index.
    Scenario(usize),
    /// A word of the reference, by its number.
    Word(usize),
    /// The next agent of a group, by the index of the group.
    Group(usize),
    /// An obstacle that is there, by its index.
    Obstacle(usize),
    /// A path, by its index.
    Path(usize),
    /// A place where a name is written, by its number.
    Use(usize),
    /// What completes the text that is typed, by its number in the list.
    Complete(usize),
}

/// A row of the list of choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChoiceRow {
    pub(super) choice: Choice,
    pub(super) words: String,
    /// What stands at the end of the row: the key of an action, or what else it is.
    pub(super) beside: String,
    /// The whole line, with what this row stands for.
    pub(super) completed: String,
    /// The heading that it is below; empty for none.
    pub(super) heading: String,
}
