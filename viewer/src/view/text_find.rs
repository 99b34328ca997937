//! The words that are searched for in the shown file, and what replaces them.

use super::find_action::{FindAction, FindField};
use super::key::Key;
use super::text_edit::TextEdit;

/// Returns what a key does with the words that are searched for, while no field has the keys.
pub(super) fn find_action(key: Key) -> Option<FindAction> {
    match key {
        Key::Ctrl('f') => Some(FindAction::Open),
        Key::Ctrl('h') => Some(FindAction::OpenReplace),
        _ => None,
    }
}

/// The box above the text. What was typed in it stays while it is closed.
#[derive(Clone, Debug, Default)]
pub(super) struct TextFind {
    pub(super) is_open: bool,
    pub(super) words: TextEdit,
    pub(super) replacement: TextEdit,
    /// Whether it asks for what replaces the words.
    pub(super) has_replacement: bool,
    /// The field that keys are typed in; `None` for the text.
    pub(super) field: Option<FindField>,
    /// Where the search began in the text.
    pub(super) start: usize,
    /// Whether keys were typed in the text before.
    pub(super) was_typing: bool,
}

impl TextFind {
    /// Returns the number of rows that it takes above the text.
    pub(super) fn rows(&self) -> usize {
        match self.is_open {
            true => 1 + usize::from(self.has_replacement),
            false => 0,
        }
    }

    /// Returns a field.
    pub(super) fn field_mut(&mut self, field: FindField) -> &mut TextEdit {
        match field {
            FindField::Words => &mut self.words,
            FindField::Replacement => &mut self.replacement,
        }
    }

    /// Types in a field from now on. What it has is selected.
    pub(super) fn type_in(&mut self, field: FindField) {
        self.field = Some(field);
        let field = self.field_mut(field);
        field.select(0..field.text().len());
    }
}
