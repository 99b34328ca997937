//! Keys, the actions that they do, and how the help and the tooltips describe them.

use std::fmt;

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
    CtrlLeft,
    CtrlRight,
    CtrlUp,
    CtrlDown,
    CtrlShiftLeft,
    CtrlShiftRight,
    ShiftLeft,
    ShiftRight,
    ShiftUp,
    ShiftDown,
    ShiftHome,
    ShiftEnd,
    ShiftTab,
    ShiftEnter,
    CtrlEnter,
    CtrlBackspace,
    CtrlDelete,
    AltLeft,
    AltUp,
    AltDown,
    ShiftAltUp,
    ShiftAltDown,
    CtrlHome,
    CtrlEnd,
    CtrlShiftHome,
    CtrlShiftEnd,
    Home,
    End,
    PageUp,
    PageDown,
    ShiftPageUp,
    ShiftPageDown,
    Enter,
    Escape,
    Backspace,
    Delete,
    Tab,
    F1,
    F2,
    ShiftF2,
    F3,
    F4,
    F5,
    F8,
    ShiftF8,
    F9,
    F10,
    F12,
    ShiftF12,
}

/// The keys that are called by a word.
const WORDS: [(Key, &str); 55] = [
    (Key::Char(' '), "space"),
    (Key::Ctrl(' '), "ctrl+space"),
    (Key::Left, "left"),
    (Key::Right, "right"),
    (Key::Up, "up"),
    (Key::Down, "down"),
    (Key::CtrlLeft, "ctrl+left"),
    (Key::CtrlRight, "ctrl+right"),
    (Key::CtrlUp, "ctrl+up"),
    (Key::CtrlDown, "ctrl+down"),
    (Key::CtrlShiftLeft, "ctrl+shift+left"),
    (Key::CtrlShiftRight, "ctrl+shift+right"),
    (Key::ShiftLeft, "shift+left"),
    (Key::ShiftRight, "shift+right"),
    (Key::ShiftUp, "shift+up"),
    (Key::ShiftDown, "shift+down"),
    (Key::ShiftHome, "shift+home"),
    (Key::ShiftEnd, "shift+end"),
    (Key::ShiftTab, "shift+tab"),
    (Key::ShiftEnter, "shift+enter"),
    (Key::CtrlEnter, "ctrl+enter"),
    (Key::CtrlBackspace, "ctrl+backspace"),
    (Key::CtrlDelete, "ctrl+delete"),
    (Key::AltLeft, "alt+left"),
    (Key::AltUp, "alt+up"),
    (Key::AltDown, "alt+down"),
    (Key::ShiftAltUp, "shift+alt+up"),
    (Key::ShiftAltDown, "shift+alt+down"),
    (Key::CtrlHome, "ctrl+home"),
    (Key::CtrlEnd, "ctrl+end"),
    (Key::CtrlShiftHome, "ctrl+shift+home"),
    (Key::CtrlShiftEnd, "ctrl+shift+end"),
    (Key::Home, "home"),
    (Key::End, "end"),
    (Key::PageUp, "page up"),
    (Key::PageDown, "page down"),
    (Key::ShiftPageUp, "shift+page up"),
    (Key::ShiftPageDown, "shift+page down"),
    (Key::Enter, "enter"),
    (Key::Escape, "esc"),
    (Key::Backspace, "backspace"),
    (Key::Delete, "delete"),
    (Key::Tab, "tab"),
    (Key::F1, "F1"),
    (Key::F2, "F2"),
    (Key::ShiftF2, "shift+F2"),
    (Key::F3, "F3"),
    (Key::F4, "F4"),
    (Key::F5, "F5"),
    (Key::F8, "F8"),
    (Key::ShiftF8, "shift+F8"),
    (Key::F9, "F9"),
    (Key::F10, "F10"),
    (Key::F12, "F12"),
    (Key::ShiftF12, "shift+F12"),
];

impl Key {
    /// Returns the key of a name, as [`Display`](fmt::Display) writes it.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        if let Some((key, _)) = WORDS.iter().find(|(_, word)| *word == name) {
            return Some(*key);
        }
        let (make, letter): (fn(char) -> Self, &str) = match name {
            _ if name.starts_with("ctrl+shift+") => (Self::CtrlShift, &name[11..]),
            _ if name.starts_with("ctrl+") => (Self::Ctrl, &name[5..]),
            _ => (Self::Char, name),
        };
        let mut letters = letter.chars();
        let letter = if letter == "plus" { Some('+') } else { letters.next() };
        let letter = letter.filter(|letter| *letter == '+' || letters.next().is_none())?;
        (!letter.is_control() && !letter.is_whitespace()).then(|| make(letter.to_ascii_lowercase()))
    }
}

impl Key {
    /// Returns the keys that are called by a word.
    #[cfg(test)]
    pub(super) fn words() -> impl Iterator<Item = Self> {
        WORDS.into_iter().map(|(key, _)| key)
    }

    /// Returns a key that moves the cursor without the Shift that would select; any other key as it is.
    pub(super) fn without_shift(self) -> Self {
        match self {
            Self::ShiftLeft => Self::Left,
            Self::ShiftRight => Self::Right,
            Self::ShiftUp => Self::Up,
            Self::ShiftDown => Self::Down,
            Self::ShiftHome => Self::Home,
            Self::ShiftEnd => Self::End,
            Self::ShiftTab => Self::Tab,
            Self::ShiftEnter => Self::Enter,
            Self::ShiftPageUp => Self::PageUp,
            Self::ShiftPageDown => Self::PageDown,
            other => other,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, word)) = WORDS.iter().find(|(key, _)| key == self) {
            return f.write_str(word);
        }
        match self {
            Self::Char(letter) => write!(f, "{letter}"),
            Self::Ctrl('+') => f.write_str("ctrl+plus"),
            Self::Ctrl(letter) => write!(f, "ctrl+{letter}"),
            Self::CtrlShift(letter) => write!(f, "ctrl+shift+{letter}"),
            _ => Ok(()),
        }
    }
}

/// An action of the window, its keys, and what it does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeyBinding {
    /// The name of the action in the file of keys.
    pub name: &'static str,
    pub keys: Vec<Key>,
    /// The names of the keys; empty if there are none.
    pub label: String,
    /// The effect of the key, in the words of the help and the tooltips.
    pub does: &'static str,
    pub command: UiCommand,
}

impl KeyBinding {
    pub(super) fn new(
        name: &'static str,
        keys: &[Key],
        does: &'static str,
        command: UiCommand,
    ) -> Self {
        let mut binding = Self { name, keys: Vec::new(), label: String::new(), does, command };
        binding.set_keys(keys.to_vec());
        binding
    }

    /// Returns its name in menus: what it does, without the details.
    pub(crate) fn title(&self) -> &'static str {
        self.does.split([';', ':']).next().unwrap_or(self.does)
    }

    /// Gives the action other keys.
    pub(super) fn set_keys(&mut self, keys: Vec<Key>) {
        let names: Vec<String> = keys.iter().map(Key::to_string).collect();
        self.label = names.join(" or ");
        self.keys = keys;
    }
}

/// A heading of the help and the actions below it.
#[derive(Clone, Debug)]
pub(crate) struct KeySection {
    pub title: &'static str,
    pub keys: Vec<KeyBinding>,
}

/// All actions with their keys, in the order of the help.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    pub sections: Vec<KeySection>,
}

impl Keys {
    /// Returns all actions, in the order of the help.
    pub(crate) fn all(&self) -> impl Iterator<Item = &KeyBinding> {
        self.sections.iter().flat_map(|section| &section.keys)
    }

    /// Returns the action of a command, if the help has it.
    pub(crate) fn of_command(&self, command: UiCommand) -> Option<&KeyBinding> {
        self.all().find(|binding| binding.command == command)
    }

    /// Returns the action of a key.
    pub(crate) fn of_key(&self, key: Key) -> Option<&KeyBinding> {
        self.all().find(|binding| binding.keys.contains(&key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_are_written() {
        let letters = ['a', '+', '-', '/', '?', '(', 'é'].map(Key::Char);
        let shortcuts = [Key::Ctrl('s'), Key::Ctrl('+'), Key::Ctrl('-'), Key::CtrlShift('p')];
        let words = WORDS.map(|(key, _)| key);
        for key in letters.into_iter().chain(shortcuts).chain(words) {
            assert_eq!(Key::from_name(&key.to_string()), Some(key), "{key}");
        }
        assert_eq!(Key::from_name("ctrl+S"), Some(Key::Ctrl('s')));
        for wrong in ["", "ab", "ctrl+", "ctrl+up+x", "F6", " "] {
            assert_eq!(Key::from_name(wrong), None, "{wrong}");
        }
    }
}
