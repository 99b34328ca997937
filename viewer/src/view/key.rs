//! Keys, and how the help and the tooltips describe them.

use super::ui_command::UiCommand;

/// A key, independent of the window library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A key that types a character.
    Char(char),
    /// A character together with Ctrl.
    Ctrl(char),
    /// A letter together with Ctrl and Shift.
    CtrlShift(char),
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
    Enter,
    Escape,
    Backspace,
    Delete,
    Tab,
    F4,
    F5,
    F9,
    F12,
}

/// A key and what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeyBinding {
    pub key: Key,
    /// Name of the key in the help; empty for a key that another entry explains.
    pub label: &'static str,
    /// The effect of the key, in the words of the help and the tooltips.
    pub does: &'static str,
    pub command: UiCommand,
}

/// A heading of the help and the keys below it.
#[derive(Clone, Debug)]
pub(crate) struct KeySection {
    pub title: &'static str,
    pub keys: Vec<KeyBinding>,
}

/// All keys, in the order of the help.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    pub sections: Vec<KeySection>,
}

impl Keys {
    /// Returns all keys, in the order of the help.
    pub(crate) fn all(&self) -> impl Iterator<Item = &KeyBinding> {
        self.sections.iter().flat_map(|section| &section.keys)
    }

    /// Returns the key of a command that the help explains, if there is one.
    pub(crate) fn of_command(&self, command: UiCommand) -> Option<&KeyBinding> {
        self.all().find(|binding| binding.command == command && !binding.label.is_empty())
    }
}
