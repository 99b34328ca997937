//! Where keys and the mouse move the cursor in a text: by characters, words and lines.

use std::ops::Range;

use super::{TextEdit, is_of_word, line_at};

impl TextEdit {
    /// Returns the word at a place, which may be empty.
    pub(in super::super) fn word_at(&self, place: usize) -> Range<usize> {
        let (before, after) = self.text.split_at(place);
        let end = self.text.len() - after.trim_start_matches(is_of_word).len();
        before.trim_end_matches(is_of_word).len()..end
    }

    /// Returns the line at a place, with its end.
    pub(in super::super) fn whole_line_at(&self, place: usize) -> Range<usize> {
        let line = line_at(&self.text, place);
        let end = self.text[line.end..].find('\n').map_or(line.end, |end| line.end + end + 1);
        line.start..end
    }

    /// Returns the place of the character before the cursor.
    pub(super) fn before(&self) -> usize {
        let before = &self.text[..self.cursor];
        let before = before.strip_suffix("\r\n").map_or(before, |line| &self.text[..=line.len()]);
        before.char_indices().next_back().map_or(0, |(place, _)| place)
    }

    pub(super) fn after(&self) -> usize {
        let rest = &self.text[self.cursor..];
        if rest.starts_with("\r\n") {
            return self.cursor + 2;
        }
        let mut letters = rest.chars();
        self.cursor + letters.next().map_or(0, char::len_utf8)
    }

    /// Returns the beginning of the word before the cursor, or of the signs there. From the beginning of a line, it is in the line before.
    pub(super) fn word_before(&self) -> usize {
        let is_at_start = self.cursor == self.line().start;
        let from = if is_at_start { self.before() } else { self.cursor };
        let start = line_at(&self.text, from).start;
        start + last_word(&self.text[start..from], &self.text[from..])
    }

    /// Returns the end of the word behind the cursor, or of the signs there. From the end of a line, it is in the next line.
    pub(super) fn word_after(&self) -> usize {
        // A cursor may be put between the two characters of a line end.
        let is_at_end = self.cursor >= self.line().end;
        let from = if is_at_end { self.after() } else { self.cursor };
        from + first_word(&self.text[from..line_at(&self.text, from).end])
    }

    /// Returns where the part begins that is removed with the word before the cursor: of several spaces or a line break, that alone.
    pub(super) fn removed_before(&self) -> usize {
        let line = self.line();
        if self.cursor == line.start {
            return self.before();
        }
        let before = &self.text[line.start..self.cursor];
        let words = before.trim_end().len();
        if words + 1 < before.len() { line.start + words } else { self.word_before() }
    }

    /// Returns where the part ends that is removed with the word behind the cursor: of several spaces or a line break, that alone.
    pub(super) fn removed_after(&self) -> usize {
        let end = self.line().end;
        if self.cursor >= end {
            return self.after();
        }
        let after = &self.text[self.cursor..end];
        let spaces = after.len() - after.trim_start().len();
        if spaces > 1 { self.cursor + spaces } else { self.word_after() }
    }

    /// Returns the line of the cursor, without its end.
    pub(super) fn line(&self) -> Range<usize> {
        line_at(&self.text, self.cursor)
    }

    /// Returns where the line of the cursor begins: after its spaces, or before them if the cursor is there.
    pub(super) fn home(&self) -> usize {
        let line = self.line();
        let words = &self.text[line.clone()];
        let begin = line.end - words.trim_start().len();
        if self.cursor == begin { line.start } else { begin }
    }

    /// Moves the cursor some lines down, or up if negative, in its column.
    pub(super) fn move_by_lines(&mut self, by: isize, selects: bool) {
        let line = self.line();
        let here = || self.text[line.start..self.cursor].chars().count();
        let column = self.column.unwrap_or_else(here);
        self.move_to(self.lines_away(by, column), selects);
        self.column = Some(column);
    }

    /// Returns the place in a column some lines below, or above if negative.
    fn lines_away(&self, by: isize, column: usize) -> usize {
        let mut line = self.line();
        for _ in 0..by.unsigned_abs() {
            line = if by < 0 {
                match line.start.checked_sub(1) {
                    Some(end) => line_at(&self.text, end),
                    None => return 0,
                }
            } else {
                match self.text[line.end..].find('\n') {
                    Some(end) => line_at(&self.text, line.end + end + 1),
                    None => return self.text.len(),
                }
            };
        }
        self.column_in(&line, column)
    }

    /// Returns the place in a column of a line, or the end of the line.
    pub(super) fn column_in(&self, line: &Range<usize>, column: usize) -> usize {
        let mut letters = self.text[line.clone()].char_indices();
        letters.nth(column).map_or(line.end, |(at, _)| line.start + at)
    }
}

fn is_sign(letter: char) -> bool {
    !is_of_word(letter) && !letter.is_whitespace()
}

/// Returns where the last word of a part of a line begins, or the signs at its end. A sign between two words, such as a dot, belongs to the
/// last one.
fn last_word(part: &str, rest: &str) -> usize {
    let words = part.trim_end();
    let joins = words.len() == part.len() && rest.starts_with(is_of_word);
    let before_signs = words.trim_end_matches(is_sign);
    let signs = &words[before_signs.len()..];
    if signs.is_empty() || (joins && signs.chars().count() == 1) {
        return before_signs.trim_end().trim_end_matches(is_of_word).len();
    }
    before_signs.len()
}

/// Returns where the first word of a part of a line ends, or the signs at its beginning. A sign between two words belongs to the first one.
fn first_word(part: &str) -> usize {
    let words = part.trim_start();
    let behind_signs = words.trim_start_matches(is_sign);
    let signs = &words[..words.len() - behind_signs.len()];
    let joins = signs.chars().count() == 1 && behind_signs.starts_with(is_of_word);
    if signs.is_empty() || joins {
        return part.len() - behind_signs.trim_start_matches(is_of_word).len();
    }
    part.len() - behind_signs.len()
}

#[cfg(test)]
mod tests {
    use super::super::super::key::Key;
    use super::*;

    /// Returns the text after keys were pressed. `|` is the cursor, before and after.
    fn pressed(text: &str, keys: &[Key]) -> String {
        let mut edit = TextEdit::new(&text.replacen('|', "", 1));
        edit.move_to(text.find('|').unwrap(), false);
        for key in keys {
            assert!(edit.press(*key), "{key:?}");
        }
        let (before, after) = edit.text.split_at(edit.cursor);
        format!("{before}|{after}")
    }

    #[test]
    fn keys_move_by_words_as_in_other_editors() {
        use Key::{CtrlBackspace, CtrlDelete, CtrlLeft, CtrlRight};
        for (text, key, after) in [
            ("|let ab = 1", CtrlRight, "let| ab = 1"),
            ("let| ab = 1", CtrlRight, "let ab| = 1"),
            ("let ab| = 1", CtrlRight, "let ab =| 1"),
            ("me|.go(x);", CtrlRight, "me.go|(x);"),
            ("me.go|(x);", CtrlRight, "me.go(x|);"),
            ("me.go(x|);", CtrlRight, "me.go(x);|"),
            ("ab|\r\n  cd", CtrlRight, "ab\r\n  cd|"),
            ("ab|", CtrlRight, "ab|"),
            ("let ab = |1", CtrlLeft, "let ab |= 1"),
            ("let ab |= 1", CtrlLeft, "let |ab = 1"),
            ("me.|go(x)", CtrlLeft, "|me.go(x)"),
            ("me.go(|(x))", CtrlLeft, "me.go|((x))"),
            ("me.go(x);|", CtrlLeft, "me.go(x|);"),
            ("ab\r\n|  cd", CtrlLeft, "|ab\r\n  cd"),
            ("|ab", CtrlLeft, "|ab"),
            ("me.go|", CtrlBackspace, "me.|"),
            ("me.|", CtrlBackspace, "me|"),
            ("a + öb|c", CtrlBackspace, "a + |c"),
            ("a |b", CtrlBackspace, "|b"),
            // Of an indentation or a line break, that alone.
            ("a\n    |b", CtrlBackspace, "a\n|b"),
            ("a\r\n|b", CtrlBackspace, "a|b"),
            ("|let ab", CtrlDelete, "| ab"),
            ("a|   b", CtrlDelete, "a|b"),
            ("a|\r\n  b", CtrlDelete, "a|  b"),
        ] {
            assert_eq!(pressed(text, &[key]), after, "{text} {key:?}");
        }
    }

    /// Caught: over a short line, the cursor lost its column.
    #[test]
    fn the_column_stays_over_a_shorter_line() {
        use Key::{Char, Down, Left, Up};
        for (keys, after) in [
            (&[Down, Down][..], "abcd\ne\nfgh|i\n"),
            (&[Down, Down, Up, Up][..], "abc|d\ne\nfghi\n"),
            (&[Down, Left, Down][..], "abcd\ne\n|fghi\n"),
            (&[Down, Char('x'), Down][..], "abcd\nex\nfg|hi\n"),
        ] {
            assert_eq!(pressed("abc|d\ne\nfghi\n", keys), after, "{keys:?}");
        }
    }

    #[test]
    fn a_word_and_a_line_are_at_a_place() {
        let edit = TextEdit::new("me.go_to((x))\r\ny");
        for (place, word) in [(0, "me"), (1, "me"), (2, "me"), (4, "go_to"), (8, "go_to"), (9, "")]
        {
            assert_eq!(&edit.text[edit.word_at(place)], word, "{place}");
        }
        assert_eq!((edit.whole_line_at(2), edit.whole_line_at(15)), (0..15, 15..16));
    }
}
