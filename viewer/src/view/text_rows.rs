//! The rows that a text is shown in: its lines, and the parts of those that are longer than there is room.

use std::iter;
use std::ops::Range;

/// Distance between two rows, in pixels.
pub(super) const LINE: f32 = 18.0;
/// Number of spaces of a tab, and of one step of an indentation.
pub(super) const TAB: usize = 4;

/// Returns the lines of a text: where each begins, and its words.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = text.as_ptr() as usize;
    text.split('\n')
        .map(move |line| (line.as_ptr() as usize - base, line.strip_suffix('\r').unwrap_or(line)))
}

/// Returns the number of columns of a part of a line.
pub(super) fn columns(part: &str) -> usize {
    part.chars().map(|letter| if letter == '\t' { TAB } else { 1 }).sum()
}

/// A line, or a part of one that is longer than there is room.
#[derive(Clone, Debug)]
pub(super) struct TextRow<'t> {
    /// Where it begins in the text.
    pub(super) start: usize,
    pub(super) words: &'t str,
    /// Number of free columns before the words: a line goes on further to the right than it begins.
    pub(super) indent: usize,
    /// The bytes of the line that it belongs to.
    pub(super) line: Range<usize>,
}

impl TextRow<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.words.len()
    }

    pub(super) fn is_first(&self) -> bool {
        self.start == self.line.start
    }

    pub(super) fn is_last(&self) -> bool {
        self.end() == self.line.end
    }

    /// Returns whether a place of the text is in it. The end of a line is in its last row.
    pub(super) fn has(&self, place: usize) -> bool {
        (self.start..self.end()).contains(&place) || (self.is_last() && place == self.end())
    }

    /// Returns the column of a place of the text, or of the nearest one in it.
    pub(super) fn column_of(&self, place: usize) -> usize {
        self.indent + columns(&self.words[..place.clamp(self.start, self.end()) - self.start])
    }
}

/// Breaks a line into rows of at most some columns: behind a space, if there is one in the second half, or else between parts of an
/// expression. If there is room, all but the first are indented.
pub(super) fn rows_of(
    (start, line): (usize, &str),
    most: usize,
) -> impl Iterator<Item = TextRow<'_>> {
    let (whole, mut from) = (start..start + line.len(), 0);
    let spaces = line.len() - line.trim_start().len();
    let hanging = columns(&line[..spaces]) + TAB;
    let hanging = if hanging <= most / 2 { hanging } else { 0 };
    let mut is_done = false;
    iter::from_fn(move || {
        let rest = line.get(from..).filter(|_| !is_done)?;
        let indent = if from == 0 { 0 } else { hanging };
        let mut width = indent;
        let mut fits = |letter: char| {
            width += if letter == '\t' { TAB } else { 1 };
            width <= most
        };
        let fitting: usize =
            rest.chars().take_while(|letter| fits(*letter)).map(char::len_utf8).sum();
        is_done = fitting == rest.len();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let is_late = |end: &usize| !is_done && *end > fitting / 2;
        let behind = |signs: &[char]| rest[..fitting].rfind(signs).map(|at| at + 1);
        let is_member = |at: &usize| rest[at + 1..].starts_with(char::is_alphabetic);
        let before_member = rest[..fitting].rfind('.').filter(is_member);
        let ends = [behind(&[' ']), behind(&['(', '[', ',']), before_member];
        let end = ends.into_iter().flatten().find(is_late);
        let end = end.unwrap_or(fitting.max(first));
        let (start, words) = (whole.start + from, &rest[..end]);
        let row = TextRow { start, words, indent, line: whole.clone() };
        from += end;
        is_done |= from == line.len();
        Some(row)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(line: &str, most: usize) -> Vec<&str> {
        rows_of((7, line), most).map(|row| row.words).collect()
    }

    #[test]
    fn a_long_line_is_broken_behind_spaces() {
        assert_eq!(words("", 5), [""]);
        assert_eq!(words("abcde", 5), ["abcde"]);
        assert_eq!(words("ab cd ef", 5), ["ab ", "cd ef"]);
        assert_eq!(words("a bcdefgh", 5), ["a bcd", "efgh"]);
        assert_eq!(words("\tx\ty", 5), ["\tx", "\ty"]);
        let call = "let others = me.neighbors(me.params.room);";
        assert_eq!(words(call, 35), ["let others = me.neighbors(", "me.params.room);"]);
        assert_eq!(words("value.something.other", 18), ["value.something", ".other"]);
        assert_eq!(
            words("1234567.89", 9),
            ["1234567.8", "9"],
            "a number is no value with a member"
        );
        let indents: Vec<usize> =
            rows_of((0, "  a bcd efg hij"), 12).map(|row| row.indent).collect();
        assert_eq!(indents, [0, 6]);
        assert_eq!(words("äöü", 0), ["ä", "ö", "ü"], "a letter in each row, whatever the room");
    }

    proptest! {
        /// Nothing is lost, nothing is wider than the room, and each place is in one row.
        #[test]
        fn the_rows_of_a_line_are_the_line(line in "[a-zä\t ]{0,40}", most in 4_usize..20) {
            let rows: Vec<TextRow<'_>> = rows_of((7, &line), most).collect();
            let joined: String = rows.iter().map(|row| row.words).collect();
            prop_assert_eq!(&joined, &line);
            for row in &rows {
                prop_assert!(row.column_of(row.end()) <= most, "{:?}", row);
                prop_assert!(!row.is_first() || row.indent == 0);
                prop_assert_eq!(&row.line, &(7..7 + line.len()));
            }
            for place in 7..=7 + line.len() {
                prop_assert_eq!(rows.iter().filter(|row| row.has(place)).count(), 1);
            }
            prop_assert!(rows[0].is_first() && rows[rows.len() - 1].is_last());
        }
    }
}
