//! Collects the keys that are pressed between two frames; polling would lose short presses.

use std::cell::RefCell;
use std::rc::Rc;

use minifb::InputCallback;

use super::super::keys::Key;

/// The keys that were pressed, and the modifiers that are down.
#[derive(Debug, Default)]
pub(super) struct PressedKeys {
    keys: Vec<Key>,
    /// Each of [`MODIFIERS`].
    is_down: [bool; MODIFIERS.len()],
}

/// With one of these modifiers a key is a shortcut, and the window has none: Alt+Q and Ctrl+S do nothing. Shift is not
/// among them, since it only types another character.
const MODIFIERS: [minifb::Key; 6] = [
    minifb::Key::LeftCtrl,
    minifb::Key::RightCtrl,
    minifb::Key::LeftAlt,
    minifb::Key::RightAlt,
    minifb::Key::LeftSuper,
    minifb::Key::RightSuper,
];
/// These two together type characters too: Windows reports AltGr like this.
const ALT_GR: [bool; MODIFIERS.len()] = [true, false, false, true, false, false];

impl PressedKeys {
    /// Takes the keys that were pressed since the last call.
    pub(super) fn take(&mut self) -> Vec<Key> {
        std::mem::take(&mut self.keys)
    }

    /// Releases all modifiers. No event says that a key goes up while another window has the focus, so after Alt+Tab,
    /// Alt would stay down forever.
    pub(super) fn release_all(&mut self) {
        self.is_down = [false; MODIFIERS.len()];
    }

    fn is_shortcut(&self) -> bool {
        self.is_down.contains(&true) && self.is_down != ALT_GR
    }

    fn add(&mut self, letter: u32) {
        let letter = char::from_u32(letter).filter(|letter| !letter.is_control());
        if let Some(letter) = letter.filter(|_| !self.is_shortcut()) {
            self.keys.push(Key::Char(letter.to_ascii_lowercase()));
        }
    }

    fn set(&mut self, key: minifb::Key, is_down: bool) {
        if let Some(modifier) = MODIFIERS.iter().position(|one| *one == key) {
            self.is_down[modifier] = is_down;
            return;
        }
        let key = match key {
            minifb::Key::Left => Key::Left,
            minifb::Key::Right => Key::Right,
            minifb::Key::Up => Key::Up,
            minifb::Key::Down => Key::Down,
            minifb::Key::Home => Key::Home,
            minifb::Key::End => Key::End,
            minifb::Key::Enter | minifb::Key::NumPadEnter => Key::Enter,
            minifb::Key::Escape => Key::Escape,
            minifb::Key::Backspace => Key::Backspace,
            minifb::Key::Tab => Key::Tab,
            minifb::Key::F5 => Key::F5,
            _ => return,
        };
        if is_down && !self.is_shortcut() {
            self.keys.push(key);
        }
    }
}

/// Receives the keys while the window handles its events.
pub(super) struct Keyboard(pub(super) Rc<RefCell<PressedKeys>>);

impl InputCallback for Keyboard {
    fn add_char(&mut self, letter: u32) {
        self.0.borrow_mut().add(letter);
    }

    fn set_key_state(&mut self, key: minifb::Key, is_down: bool) {
        self.0.borrow_mut().set(key, is_down);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Presses a key that types a character, as the window reports it.
    fn write(keys: &mut PressedKeys, letter: char) -> Vec<Key> {
        keys.set(minifb::Key::Q, true);
        keys.add(letter.into());
        keys.set(minifb::Key::Q, false);
        keys.take()
    }

    /// Alt+Q ended the program and Alt+S wrote a file.
    #[test]
    fn a_key_with_ctrl_alt_or_super_does_nothing() {
        let mut keys = PressedKeys::default();
        for modifier in MODIFIERS {
            keys.set(modifier, true);
            assert_eq!(write(&mut keys, 'q'), [], "{modifier:?}");
            keys.set(minifb::Key::Left, true);
            assert_eq!(keys.take(), [], "{modifier:?}");
            keys.set(modifier, false);
            assert_eq!(write(&mut keys, 'q'), [Key::Char('q')], "{modifier:?}");
        }
        keys.set(minifb::Key::Left, true);
        assert_eq!(keys.take(), [Key::Left]);
    }

    #[test]
    fn shift_and_alt_gr_type_characters() {
        let mut keys = PressedKeys::default();
        keys.set(minifb::Key::LeftShift, true);
        assert_eq!(write(&mut keys, '+'), [Key::Char('+')]);
        keys.set(minifb::Key::LeftCtrl, true);
        assert_eq!(write(&mut keys, '+'), []);
        keys.set(minifb::Key::RightAlt, true);
        assert_eq!(write(&mut keys, '['), [Key::Char('[')]);
    }

    #[test]
    fn modifiers_are_released_when_the_window_loses_focus() {
        let mut keys = PressedKeys::default();
        keys.set(minifb::Key::LeftAlt, true);
        keys.release_all();
        assert_eq!(write(&mut keys, 'q'), [Key::Char('q')]);
    }
}
