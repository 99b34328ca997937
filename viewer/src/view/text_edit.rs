//! A text that is being edited: the cursor, the selection, and what can be undone.

mod movement;
mod pairs;
mod whole_lines;

use std::ops::Range;

use flockwork_engine::tokens::line_start;

use super::key::Key;

/// One step of an indentation.
const INDENT: &str = "    ";
/// Number of lines that a page key moves the cursor by.
const PAGE: isize = 20;
/// Maximum number of changes that can be undone.
const MAX_UNDONE: usize = 500;

/// A text with a cursor. Places in it are byte offsets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TextEdit {
    text: String,
    /// The place of the cursor.
    cursor: usize,
    /// The other end of the selection.
    anchor: usize,
    /// The texts before each change, with their cursors.
    past: Vec<(String, usize)>,
    /// The texts that were undone, the last one first to be done again.
    future: Vec<(String, usize)>,
    /// Where the last change ended if it only typed characters: the next character belongs to the same change.
    typed_to: Option<usize>,
    /// The column that the cursor was in before it moved up or down: over a shorter line, it comes back there.
    column: Option<usize>,
    /// Where the cursor is behind an opening bracket that nobody has typed: typing one goes over it.
    bracket_before: Option<usize>,
}

impl TextEdit {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Returns the selected part, which is empty if there is none.
    pub(super) fn selection(&self) -> Range<usize> {
        self.cursor.min(self.anchor)..self.cursor.max(self.anchor)
    }

    /// Moves the cursor; with `selects`, the selection reaches from where it began to there.
    pub(super) fn move_to(&mut self, place: usize, selects: bool) {
        self.cursor = floor(&self.text, place);
        if !selects {
            self.anchor = self.cursor;
        }
        (self.typed_to, self.bracket_before, self.column) = (None, None, None);
    }

    /// Writes text that was chosen and selects a part of it. If that is behind an opening bracket, the person may type the bracket, too.
    pub(super) fn insert_chosen(&mut self, words: &str, selected: Range<usize>) {
        let start = self.selection().start;
        self.insert(words);
        self.select(start + selected.start..start + selected.end);
        let before = &words[..selected.start];
        let has_bracket = before.ends_with('(') || before.ends_with("()");
        self.bracket_before = Some(self.cursor).filter(|_| has_bracket);
    }

    /// Writes text in place of the selection.
    pub(super) fn insert(&mut self, words: &str) {
        let selected = self.selection();
        let goes_on = selected.is_empty() && self.typed_to == Some(selected.start);
        if !goes_on || words.contains(char::is_whitespace) {
            self.remember();
        }
        self.text.replace_range(selected.clone(), words);
        self.move_to(selected.start + words.len(), false);
        self.typed_to = Some(self.cursor);
    }

    /// Selects a part.
    pub(super) fn select(&mut self, part: Range<usize>) {
        self.move_to(part.start, false);
        self.move_to(part.end, true);
    }

    /// Writes another text in place of all of it.
    pub(super) fn replace_text(&mut self, text: &str) {
        self.remember();
        self.text = text.to_owned();
        self.move_to(self.cursor, false);
    }

    /// Writes text from elsewhere in place of the selection, with the line ends of this one. A whole line is written above that of the cursor,
    /// if nothing is selected.
    pub(super) fn paste(&mut self, words: &str, is_line: bool) {
        let words = words.replace("\r\n", "\n").replace('\n', self.line_end());
        if !is_line || !self.selection().is_empty() {
            return self.insert(&words);
        }
        let (cursor, start) = (self.cursor, self.line().start);
        self.remember();
        self.text.insert_str(start, &words);
        self.move_to(cursor + words.len(), false);
    }

    /// Handles a key. Returns false if it means nothing in a text.
    pub(super) fn press(&mut self, key: Key) -> bool {
        match key {
            Key::Char(letter) => self.insert(letter.encode_utf8(&mut [0; 4])),
            Key::Enter | Key::ShiftEnter => self.break_line(),
            Key::CtrlEnter => {
                self.move_to(self.line().end, false);
                self.break_line();
            }
            Key::Tab => self.indent(),
            Key::ShiftTab => self.unindent(),
            Key::Ctrl('/') => self.toggle_comments(),
            Key::AltUp => self.move_lines(false),
            Key::AltDown => self.move_lines(true),
            Key::ShiftAltUp => self.duplicate_lines(false),
            Key::ShiftAltDown => self.duplicate_lines(true),
            Key::CtrlShift('k') => self.remove_lines(),
            Key::CtrlBackspace => self.remove(self.removed_before()..self.cursor),
            Key::CtrlDelete => self.remove(self.cursor..self.removed_after()),
            Key::Backspace => self.remove(self.before()..self.cursor),
            Key::Delete => self.remove(self.cursor..self.after()),
            // What was selected is left at its end.
            Key::Left if !self.selection().is_empty() => {
                self.move_to(self.selection().start, false)
            }
            Key::Right if !self.selection().is_empty() => self.move_to(self.selection().end, false),
            Key::Left => self.move_to(self.before(), false),
            Key::Right => self.move_to(self.after(), false),
            Key::ShiftLeft => self.move_to(self.before(), true),
            Key::ShiftRight => self.move_to(self.after(), true),
            Key::CtrlLeft => self.move_to(self.word_before(), false),
            Key::CtrlRight => self.move_to(self.word_after(), false),
            Key::CtrlShiftLeft => self.move_to(self.word_before(), true),
            Key::CtrlShiftRight => self.move_to(self.word_after(), true),
            Key::Up => self.move_by_lines(-1, false),
            Key::Down => self.move_by_lines(1, false),
            Key::ShiftUp => self.move_by_lines(-1, true),
            Key::ShiftDown => self.move_by_lines(1, true),
            Key::PageUp => self.move_by_lines(-PAGE, false),
            Key::PageDown => self.move_by_lines(PAGE, false),
            Key::ShiftPageUp => self.move_by_lines(-PAGE, true),
            Key::ShiftPageDown => self.move_by_lines(PAGE, true),
            Key::Home => self.move_to(self.home(), false),
            Key::End => self.move_to(self.line().end, false),
            Key::CtrlHome => self.move_to(0, false),
            Key::CtrlEnd => self.move_to(self.text.len(), false),
            Key::CtrlShiftHome => self.move_to(0, true),
            Key::CtrlShiftEnd => self.move_to(self.text.len(), true),
            Key::ShiftHome => self.move_to(self.home(), true),
            Key::ShiftEnd => self.move_to(self.line().end, true),
            Key::Ctrl('a') => {
                self.anchor = 0;
                self.move_to(self.text.len(), true);
            }
            Key::Ctrl('z') => self.undo(),
            Key::Ctrl('y') | Key::CtrlShift('z') => self.redo(),
            _ => return false,
        }
        true
    }

    /// Keeps the text as it is before a change.
    fn remember(&mut self) {
        self.future.clear();
        self.past.push((self.text.clone(), self.cursor));
        if self.past.len() > MAX_UNDONE {
            self.past.remove(0);
        }
    }

    fn undo(&mut self) {
        if let Some((text, cursor)) = self.past.pop() {
            self.future.push((std::mem::replace(&mut self.text, text), self.cursor));
            self.move_to(cursor, false);
        }
    }

    fn redo(&mut self) {
        if let Some((text, cursor)) = self.future.pop() {
            self.past.push((std::mem::replace(&mut self.text, text), self.cursor));
            self.move_to(cursor, false);
        }
    }

    /// Removes the selection; without one, a part of the text.
    fn remove(&mut self, part: Range<usize>) {
        let selected = self.selection();
        let part = if selected.is_empty() { part } else { selected };
        if !part.is_empty() {
            self.remember();
            self.text.replace_range(part.clone(), "");
            self.move_to(part.start, false);
        }
    }

    /// Begins a new line that is indented as the present one is, and one step more inside a bracket that was just opened. What closes the
    /// bracket goes to a line of its own.
    fn break_line(&mut self) {
        let line = &self.text[self.line().start..self.cursor];
        let indent: String = line.chars().take_while(|letter| *letter == ' ').collect();
        let bracket = line.trim_end().chars().next_back();
        let bracket = bracket.filter(|letter| ['{', '(', '['].contains(letter));
        let closing = bracket.and_then(pairs::closing_of);
        let is_closed =
            closing.is_some_and(|closing| self.text[self.selection().end..].starts_with(closing));
        let (end, more) = (self.line_end(), if bracket.is_some() { INDENT } else { "" });
        let below = if is_closed { format!("{end}{indent}") } else { String::new() };
        self.insert(&format!("{end}{indent}{more}{below}"));
        if is_closed {
            self.move_to(self.cursor - below.len(), false);
        }
    }

    /// Returns what ends its lines.
    fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }
}

/// Returns the places of a text that have some words, in capitals or not.
pub(super) fn places_of(text: &str, words: &str) -> Vec<usize> {
    let (text, words) = (text.to_ascii_lowercase(), words.to_ascii_lowercase());
    let places = text.match_indices(&words).filter(|_| !words.is_empty());
    places.map(|(at, _)| at).collect()
}

/// Returns the line that a place is in, without its end.
fn line_at(text: &str, place: usize) -> Range<usize> {
    let start = line_start(text, place);
    let end = text[place..].find('\n').map_or(text.len(), |end| place + end);
    let line = &text[start..end];
    start..start + line.strip_suffix('\r').unwrap_or(line).len()
}

pub(super) fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the last place up to one that is between two characters.
fn floor(text: &str, place: usize) -> usize {
    (0..=place.min(text.len())).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use flockwork_engine::tokens::Language;
    use proptest::prelude::*;

    use super::*;

    fn edit(text: &str, cursor: usize, keys: &[Key]) -> String {
        let mut edit = TextEdit::new(text);
        edit.move_to(cursor, false);
        for key in keys {
            edit.press(*key);
        }
        let (before, after) = edit.text.split_at(edit.cursor);
        format!("{before}|{after}")
    }

    #[test]
    fn keys_do_what_they_do_in_other_editors() {
        use Key::*;
        let text = "let ab = 1;\n    x + öb\n";
        for (cursor, keys, after) in [
            (0, &[Char('a'), Char('b')][..], "ab|let ab = 1;\n    x + öb\n"),
            (0, &[Left, Up, Backspace][..], "|let ab = 1;\n    x + öb\n"),
            (1, &[Backspace][..], "|et ab = 1;\n    x + öb\n"),
            (0, &[Delete, Delete][..], "|t ab = 1;\n    x + öb\n"),
            (5, &[Down][..], "let ab = 1;\n    x| + öb\n"),
            (19, &[Right, Up][..], "let ab =| 1;\n    x + öb\n"),
            (11, &[Down, Down][..], "let ab = 1;\n    x + öb\n|"),
            (5, &[End, Enter][..], "let ab = 1;\n|\n    x + öb\n"),
            (17, &[Enter][..], "let ab = 1;\n    x\n    | + öb\n"),
            (17, &[Char('{'), Enter][..], "let ab = 1;\n    x{\n        | + öb\n"),
            (17, &[Home][..], "let ab = 1;\n    |x + öb\n"),
            (17, &[Home, Home][..], "let ab = 1;\n|    x + öb\n"),
            (4, &[CtrlShiftRight, Delete][..], "let | = 1;\n    x + öb\n"),
            (5, &[CtrlEnter, Char('x')][..], "let ab = 1;\nx|\n    x + öb\n"),
            (0, &[ShiftRight, ShiftRight, Char('x')][..], "x|t ab = 1;\n    x + öb\n"),
            (12, &[ShiftEnd, ShiftHome, Delete][..], "let ab = 1;\n|x + öb\n"),
            (16, &[ShiftEnd, Delete][..], "let ab = 1;\n    |\n"),
            (4, &[ShiftEnd, Left][..], "let |ab = 1;\n    x + öb\n"),
            (4, &[ShiftRight, ShiftRight, Right][..], "let ab| = 1;\n    x + öb\n"),
            (3, &[ShiftDown, Backspace][..], "let| x + öb\n"),
            (3, &[Ctrl('a'), Char('x')][..], "x|"),
            (0, &[Tab, PageDown][..], "    let ab = 1;\n    x + öb\n|"),
            (3, &[CtrlEnd, Char('x'), CtrlHome][..], "|let ab = 1;\n    x + öb\nx"),
            (3, &[CtrlShiftHome, Delete][..], "| ab = 1;\n    x + öb\n"),
            (3, &[CtrlShiftEnd, Delete][..], "let|"),
            (0, &[End, PageUp][..], "|let ab = 1;\n    x + öb\n"),
        ] {
            assert_eq!(edit(text, cursor, keys), after, "{cursor} {keys:?}");
        }
        assert!(!TextEdit::new("").press(F4));
        // Line ends of Windows stay as they are, and no key stops inside them.
        let text = "ab {\r\n}\r\n";
        for (cursor, keys, after) in [
            (0, &[End, Enter][..], "ab {\r\n    |\r\n}\r\n"),
            (4, &[Right, Char('x')][..], "ab {\r\nx|}\r\n"),
            (6, &[Left, Char('x')][..], "ab {x|\r\n}\r\n"),
            (6, &[Backspace][..], "ab {|}\r\n"),
            (4, &[Delete][..], "ab {|}\r\n"),
            (1, &[Down, Down][..], "ab {\r\n}\r\n|"),
            (9, &[Up, End][..], "ab {\r\n}|\r\n"),
        ] {
            assert_eq!(edit(text, cursor, keys), after, "{cursor} {keys:?}");
        }
        let mut pasted = TextEdit::new(text);
        pasted.paste("1\n2\r\n", false);
        assert_eq!(pasted.text(), "1\r\n2\r\nab {\r\n}\r\n");
    }

    #[test]
    fn words_that_were_typed_are_undone_at_once() {
        use Key::*;
        let typed = [Char('a'), Char('b'), Char(' '), Char('c'), Char('d')];
        let with = |keys: &[Key]| edit("", 0, &[&typed, keys].concat());
        assert_eq!(with(&[]), "ab cd|");
        assert_eq!(with(&[Ctrl('z')]), "ab|");
        assert_eq!(with(&[Ctrl('z'), Ctrl('z'), Ctrl('z')]), "|");
        assert_eq!(with(&[Ctrl('z'), Ctrl('z'), Ctrl('y')]), "ab|");
        assert_eq!(with(&[Ctrl('z'), Char('x'), Ctrl('y')]), "abx|");
    }

    fn keys() -> impl Strategy<Value = Vec<Key>> {
        use Key::*;
        let all = [
            Char('a'),
            Char('ß'),
            Char(' '),
            Char('{'),
            Char('"'),
            Char('}'),
            Enter,
            Tab,
            ShiftTab,
            Ctrl('/'),
            AltUp,
            AltDown,
            ShiftAltUp,
            ShiftAltDown,
            CtrlShift('k'),
            CtrlBackspace,
            CtrlDelete,
            Backspace,
            Delete,
            Left,
            Right,
            Up,
            Down,
            ShiftLeft,
            ShiftRight,
            ShiftUp,
            ShiftDown,
            CtrlLeft,
            CtrlRight,
            CtrlShiftLeft,
            CtrlShiftRight,
            Home,
            End,
            ShiftHome,
            ShiftEnd,
            CtrlHome,
            CtrlShiftEnd,
            PageUp,
            PageDown,
            Ctrl('a'),
            Ctrl('z'),
            Ctrl('y'),
        ];
        proptest::collection::vec(proptest::sample::select(all.to_vec()), 0..60)
    }

    proptest! {
        /// No key leads to a panic, and what was there first comes back when everything is undone.
        #[test]
        fn everything_can_be_undone(text in "([aß ]|\n|\r\n){0,20}", at in 0usize..30, keys in keys()) {
            let mut edit = TextEdit::new(&text);
            edit.move_to(at, false);
            for key in &keys {
                edit.press_in_code(*key, Language::Rhai);
                let selected = edit.selection();
                prop_assert!(edit.text.is_char_boundary(selected.start));
                prop_assert!(edit.text.is_char_boundary(selected.end));
            }
            for _ in 0..=keys.len() {
                edit.press(Key::Ctrl('z'));
            }
            prop_assert_eq!(edit.text(), &text);
        }
    }
}
