//! Collects the keys that are pressed between two frames; polling would lose short presses.

use std::cell::RefCell;
use std::rc::Rc;

use minifb::InputCallback;

use super::super::key::Key;

/// The keys that were pressed, and the modifiers that are down.
#[derive(Debug, Default)]
pub(super) struct PressedKeys {
    keys: Vec<Key>,
    /// Each of [`MODIFIERS`].
    is_down: [bool; MODIFIERS.len()],
    /// The left and the right Shift.
    is_shift_down: [bool; 2],
    /// The keys of inputs that went down or up. A shortcut does not count.
    changes: Vec<(&'static str, bool)>,
}

/// With one of these modifiers a key is a shortcut. The window has only those of letters, arrows and [`CTRL_SIGNS`] with Ctrl, and those of
/// arrows with Alt: Alt+Q does nothing. Shift is not among them, since it only types another character.
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

/// The other characters that are shortcuts together with Ctrl. On some keyboards they need Shift, and their keys differ.
const CTRL_SIGNS: [char; 6] = ['+', '=', '-', '0', '/', '.'];
/// What X servers report for `/` together with Ctrl.
const CTRL_SLASH: char = '\u{1f}';

/// Returns the letter of a key, for shortcuts with Ctrl.
fn letter_of(key: minifb::Key) -> Option<char> {
    let mut letters = name_of_input(key)?.chars();
    letters.next().filter(|letter| letter.is_ascii_lowercase() && letters.next().is_none())
}

/// The keys of inputs and their names, which are [`Input::KEYS`](flockwork_engine::world::Input::KEYS).
static INPUT_KEYS: &[(minifb::Key, &str)] = {
    use minifb::Key::*;
    #[rustfmt::skip]
    const KEYS: &[(minifb::Key, &str)] = &[
        (A, "a"), (B, "b"), (C, "c"), (D, "d"), (E, "e"), (F, "f"), (G, "g"), (H, "h"), (I, "i"), (J, "j"),
        (K, "k"), (L, "l"), (M, "m"), (N, "n"), (O, "o"), (P, "p"), (Q, "q"), (R, "r"), (S, "s"), (T, "t"),
        (U, "u"), (V, "v"), (W, "w"), (X, "x"), (Y, "y"), (Z, "z"), (Key0, "0"), (Key1, "1"), (Key2, "2"),
        (Key3, "3"), (Key4, "4"), (Key5, "5"), (Key6, "6"), (Key7, "7"), (Key8, "8"), (Key9, "9"),
        (Space, "space"), (Enter, "enter"), (Tab, "tab"), (Backspace, "backspace"), (LeftShift, "shift"),
        (RightShift, "shift"), (Left, "left"), (Right, "right"), (Up, "up"), (Down, "down"), (Home, "home"),
        (End, "end"), (PageUp, "page up"), (PageDown, "page down"), (Delete, "delete"), (Period, "."),
        (Comma, ","),
    ];
    KEYS
};

/// Returns the name of a key of inputs.
fn name_of_input(key: minifb::Key) -> Option<&'static str> {
    INPUT_KEYS.iter().find_map(|(known, name)| (*known == key).then_some(*name))
}

impl PressedKeys {
    /// Takes the keys that were pressed since the last call.
    pub(super) fn take(&mut self) -> Vec<Key> {
        std::mem::take(&mut self.keys)
    }

    /// Takes the keys of inputs that went down or up since the last call, and whether they did.
    pub(super) fn take_changes(&mut self) -> Vec<(&'static str, bool)> {
        std::mem::take(&mut self.changes)
    }

    /// Releases all modifiers. No event says that a key goes up while another window has the focus, so after Alt+Tab,
    /// Alt would stay down forever.
    pub(super) fn release_all(&mut self) {
        self.is_down = [false; MODIFIERS.len()];
        self.is_shift_down = [false; 2];
    }

    fn is_shortcut(&self) -> bool {
        self.is_down.contains(&true) && self.is_down != ALT_GR
    }

    fn add(&mut self, letter: u32) {
        let letter = match char::from_u32(letter) {
            Some(CTRL_SLASH) if self.has_ctrl() => '/',
            Some(letter) if !letter.is_control() => letter,
            _ => return,
        };
        if !self.is_shortcut() {
            self.keys.push(Key::Char(letter));
        } else if self.has_ctrl() && CTRL_SIGNS.contains(&letter) {
            self.keys.push(Key::Ctrl(letter));
        }
    }

    /// Returns whether the left Alt is down and no other of the modifiers. The right one types characters.
    fn has_alt(&self) -> bool {
        self.is_down == [false, false, true, false, false, false]
    }

    /// Returns whether Ctrl is down and no other of the modifiers.
    pub(super) fn has_ctrl(&self) -> bool {
        // Both are the first two.
        self.is_down[..2].contains(&true) && !self.is_down[2..].contains(&true)
    }

    /// Returns whether Shift is down.
    pub(super) fn has_shift(&self) -> bool {
        self.is_shift_down.contains(&true)
    }

    fn set(&mut self, key: minifb::Key, is_down: bool) {
        if let Some(modifier) = MODIFIERS.iter().position(|one| *one == key) {
            self.is_down[modifier] = is_down;
            return;
        }
        if let Some(name) = name_of_input(key)
            && !(is_down && self.is_shortcut())
        {
            self.changes.push((name, is_down));
        }
        match key {
            minifb::Key::LeftShift => self.is_shift_down[0] = is_down,
            minifb::Key::RightShift => self.is_shift_down[1] = is_down,
            _ => {}
        }
        let has_shift = self.has_shift();
        if let Some(letter) = letter_of(key).filter(|_| is_down && self.has_ctrl()) {
            self.keys.push(if has_shift { Key::CtrlShift(letter) } else { Key::Ctrl(letter) });
        }
        if is_down && self.has_ctrl() {
            match (key, has_shift) {
                (minifb::Key::Left, false) => self.keys.push(Key::CtrlLeft),
                (minifb::Key::Right, false) => self.keys.push(Key::CtrlRight),
                (minifb::Key::Left, true) => self.keys.push(Key::CtrlShiftLeft),
                (minifb::Key::Right, true) => self.keys.push(Key::CtrlShiftRight),
                (minifb::Key::Up, _) => self.keys.push(Key::CtrlUp),
                (minifb::Key::Down, _) => self.keys.push(Key::CtrlDown),
                (minifb::Key::Home, false) => self.keys.push(Key::CtrlHome),
                (minifb::Key::End, false) => self.keys.push(Key::CtrlEnd),
                (minifb::Key::Home, true) => self.keys.push(Key::CtrlShiftHome),
                (minifb::Key::End, true) => self.keys.push(Key::CtrlShiftEnd),
                (minifb::Key::Backspace, _) => self.keys.push(Key::CtrlBackspace),
                (minifb::Key::Delete, _) => self.keys.push(Key::CtrlDelete),
                (minifb::Key::Space, false) => self.keys.push(Key::Ctrl(' ')),
                (minifb::Key::Enter | minifb::Key::NumPadEnter, false) => {
                    self.keys.push(Key::CtrlEnter);
                }
                _ => {}
            }
        }
        if is_down && self.has_alt() {
            match (key, has_shift) {
                (minifb::Key::Left, false) => self.keys.push(Key::AltLeft),
                (minifb::Key::Up, false) => self.keys.push(Key::AltUp),
                (minifb::Key::Down, false) => self.keys.push(Key::AltDown),
                (minifb::Key::Up, true) => self.keys.push(Key::ShiftAltUp),
                (minifb::Key::Down, true) => self.keys.push(Key::ShiftAltDown),
                _ => {}
            }
        }
        let key = match key {
            minifb::Key::Left if has_shift => Key::ShiftLeft,
            minifb::Key::Right if has_shift => Key::ShiftRight,
            minifb::Key::Up if has_shift => Key::ShiftUp,
            minifb::Key::Down if has_shift => Key::ShiftDown,
            minifb::Key::Home if has_shift => Key::ShiftHome,
            minifb::Key::End if has_shift => Key::ShiftEnd,
            minifb::Key::Tab if has_shift => Key::ShiftTab,
            minifb::Key::Enter | minifb::Key::NumPadEnter if has_shift => Key::ShiftEnter,
            minifb::Key::PageUp if has_shift => Key::ShiftPageUp,
            minifb::Key::PageDown if has_shift => Key::ShiftPageDown,
            minifb::Key::F2 if has_shift => Key::ShiftF2,
            minifb::Key::F8 if has_shift => Key::ShiftF8,
            minifb::Key::F12 if has_shift => Key::ShiftF12,
            minifb::Key::Left => Key::Left,
            minifb::Key::Right => Key::Right,
            minifb::Key::Up => Key::Up,
            minifb::Key::Down => Key::Down,
            minifb::Key::Home => Key::Home,
            minifb::Key::End => Key::End,
            minifb::Key::PageUp => Key::PageUp,
            minifb::Key::PageDown => Key::PageDown,
            minifb::Key::Enter | minifb::Key::NumPadEnter => Key::Enter,
            minifb::Key::Escape => Key::Escape,
            minifb::Key::Backspace => Key::Backspace,
            minifb::Key::Delete => Key::Delete,
            minifb::Key::Tab => Key::Tab,
            minifb::Key::F1 => Key::F1,
            minifb::Key::F2 => Key::F2,
            minifb::Key::F3 => Key::F3,
            minifb::Key::F4 => Key::F4,
            minifb::Key::F5 => Key::F5,
            minifb::Key::F8 => Key::F8,
            minifb::Key::F9 => Key::F9,
            minifb::Key::F10 => Key::F10,
            minifb::Key::F12 => Key::F12,
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
        keys.set(minifb::Key::LeftBracket, true);
        keys.add(letter.into());
        keys.set(minifb::Key::LeftBracket, false);
        keys.take()
    }

    /// Alt+Q ended the program and Alt+S wrote a file.
    #[test]
    fn a_key_with_ctrl_alt_or_super_does_nothing() {
        let mut keys = PressedKeys::default();
        for modifier in MODIFIERS {
            keys.set(modifier, true);
            assert_eq!(write(&mut keys, 'q'), [], "{modifier:?}");
            keys.set(minifb::Key::F1, true);
            assert_eq!(keys.take(), [], "{modifier:?}");
            keys.set(modifier, false);
            assert_eq!(write(&mut keys, 'q'), [Key::Char('q')], "{modifier:?}");
        }
        keys.set(minifb::Key::Left, true);
        assert_eq!(keys.take(), [Key::Left]);
        keys.add(CTRL_SLASH.into());
        assert_eq!(keys.take(), []);
    }

    #[test]
    fn shift_and_alt_gr_type_characters() {
        let mut keys = PressedKeys::default();
        keys.set(minifb::Key::LeftShift, true);
        assert_eq!(write(&mut keys, '+'), [Key::Char('+')]);
        keys.set(minifb::Key::LeftCtrl, true);
        assert_eq!(write(&mut keys, '*'), []);
        assert_eq!(write(&mut keys, '+'), [Key::Ctrl('+')]);
        // As X servers report it, and as others do.
        assert_eq!(write(&mut keys, CTRL_SLASH), [Key::Ctrl('/')]);
        assert_eq!(write(&mut keys, '/'), [Key::Ctrl('/')]);
        keys.set(minifb::Key::Home, true);
        keys.set(minifb::Key::LeftShift, false);
        keys.set(minifb::Key::End, true);
        assert_eq!(keys.take(), [Key::CtrlShiftHome, Key::CtrlEnd]);
        keys.set(minifb::Key::RightAlt, true);
        assert_eq!(write(&mut keys, '['), [Key::Char('[')]);
    }

    #[test]
    fn each_key_of_inputs_is_one_of_the_window() {
        let mut names: Vec<&str> = INPUT_KEYS.iter().map(|(_, name)| *name).collect();
        names.dedup();
        names.sort_unstable();
        let mut known = flockwork_engine::world::Input::KEYS;
        known.sort_unstable();
        assert_eq!(names, known);
    }

    #[test]
    fn keys_of_inputs_go_down_and_up_but_not_in_shortcuts() {
        let mut keys = PressedKeys::default();
        keys.set(minifb::Key::LeftShift, true);
        keys.set(minifb::Key::Space, true);
        keys.set(minifb::Key::Space, false);
        assert_eq!(keys.take_changes(), [("shift", true), ("space", true), ("space", false)]);
        keys.set(minifb::Key::A, true);
        keys.set(minifb::Key::LeftCtrl, true);
        keys.set(minifb::Key::Z, true);
        keys.set(minifb::Key::A, false);
        assert_eq!(keys.take_changes(), [("a", true), ("a", false)]);
    }

    #[test]
    fn ctrl_z_and_ctrl_y_are_shortcuts() {
        let mut keys = PressedKeys::default();
        keys.set(minifb::Key::RightCtrl, true);
        keys.set(minifb::Key::Z, true);
        keys.set(minifb::Key::Z, false);
        keys.set(minifb::Key::Y, true);
        keys.set(minifb::Key::LeftShift, true);
        keys.set(minifb::Key::Z, true);
        assert_eq!(keys.take(), [Key::Ctrl('z'), Key::Ctrl('y'), Key::CtrlShift('z')]);
        keys.set(minifb::Key::Left, true);
        keys.set(minifb::Key::Up, true);
        keys.set(minifb::Key::LeftShift, false);
        keys.set(minifb::Key::Right, true);
        assert_eq!(keys.take(), [Key::CtrlShiftLeft, Key::CtrlUp, Key::CtrlRight]);
        keys.set(minifb::Key::Enter, true);
        keys.set(minifb::Key::Backspace, true);
        keys.set(minifb::Key::Delete, true);
        keys.set(minifb::Key::LeftAlt, true);
        keys.set(minifb::Key::Z, true);
        keys.set(minifb::Key::Left, true);
        assert_eq!(keys.take(), [Key::CtrlEnter, Key::CtrlBackspace, Key::CtrlDelete]);
        keys.set(minifb::Key::RightCtrl, false);
        keys.set(minifb::Key::Left, true);
        keys.set(minifb::Key::Up, true);
        keys.set(minifb::Key::LeftShift, true);
        keys.set(minifb::Key::Down, true);
        keys.set(minifb::Key::Left, true);
        keys.set(minifb::Key::LeftShift, false);
        assert_eq!(keys.take(), [Key::AltLeft, Key::AltUp, Key::ShiftAltDown]);
        keys.release_all();
        keys.set(minifb::Key::LeftShift, true);
        keys.set(minifb::Key::Enter, true);
        assert_eq!(keys.take(), [Key::ShiftEnter]);
        keys.set(minifb::Key::LeftShift, false);
        keys.set(minifb::Key::Z, true);
        assert_eq!(keys.take(), []);
    }

    #[test]
    fn modifiers_are_released_when_the_window_loses_focus() {
        let mut keys = PressedKeys::default();
        keys.set(minifb::Key::LeftAlt, true);
        keys.release_all();
        assert_eq!(write(&mut keys, 'q'), [Key::Char('q')]);
    }
}
