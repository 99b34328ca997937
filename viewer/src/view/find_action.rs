//! What a person does with the words that are searched for in the shown file.

/// A line that is typed while words are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FindField {
    Words,
    Replacement,
}

/// Something that a person does with the words that are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FindAction {
    /// Opens the box, and asks for the words.
    Open,
    /// The same, with what replaces them.
    OpenReplace,
    /// Types in a field from now on.
    TypeIn(FindField),
    Previous,
    Next,
    /// Replaces the selected place and goes to the next one.
    ReplaceOne,
    ReplaceAll,
    /// Whether capitals are other letters than small ones.
    SwitchCase,
    /// Whether the words are not found inside longer ones.
    SwitchWholeWords,
    Close,
}
