//! What keys do with whole lines: indenting them, and making them comments.

use std::ops::Range;

use super::super::text_rows::{TAB, columns};
use super::{TextEdit, floor, line_at};

/// What begins a comment up to the end of its line, in scripts and in scenarios.
const COMMENT: &str = "//";

impl TextEdit {
    /// Indents the selected lines by one step; without a selection, writes spaces up to the next step.
    pub(super) fn indent(&mut self) {
        if self.selection().is_empty() {
            let before = &self.text[self.line().start..self.cursor];
            return self.insert(&" ".repeat(TAB - columns(before) % TAB));
        }
        let lines = self.selected_lines().into_iter().filter(|line| !line.is_empty());
        let changes = lines.map(|line| (line.start..line.start, " ".repeat(TAB)));
        self.change_parts(changes.collect());
    }

    /// Removes one step of the indentation of the selected lines, or of the line of the cursor.
    pub(super) fn unindent(&mut self) {
        let change = |line: Range<usize>| {
            let words = &self.text[line.clone()];
            let spaces = words.bytes().take(TAB).take_while(|letter| *letter == b' ').count();
            let removed = if words.starts_with('\t') { 1 } else { spaces };
            (line.start..line.start + removed, String::new())
        };
        self.change_parts(self.selected_lines().into_iter().map(change).collect());
    }

    /// Makes comments of the selected lines, or of the line of the cursor; if all of them are comments, takes that back.
    pub(super) fn toggle_comments(&mut self) {
        let mut lines = self.selected_lines();
        let spaces = |line: &Range<usize>| {
            let words = &self.text[line.clone()];
            words.len() - words.trim_start_matches([' ', '\t']).len()
        };
        if lines.iter().any(|line| spaces(line) < line.len()) {
            lines.retain(|line| spaces(line) < line.len());
        }
        let words = |line: &Range<usize>| &self.text[line.start + spaces(line)..line.end];
        let are_comments = lines.iter().all(|line| words(line).starts_with(COMMENT));
        let least = lines.iter().map(spaces).min().unwrap_or_default();
        let change = |line: &Range<usize>| {
            if !are_comments {
                let at = line.start + least;
                return (at..at, format!("{COMMENT} "));
            }
            let at = line.start + spaces(line);
            let has_space = words(line)[COMMENT.len()..].starts_with(' ');
            (at..at + COMMENT.len() + usize::from(has_space), String::new())
        };
        self.change_parts(lines.iter().map(change).collect());
    }

    /// Moves the selected lines, or the line of the cursor, over the next line, or over the one before.
    pub(super) fn move_lines(&mut self, is_down: bool) {
        let lines = self.selected_span();
        let (first, second) = if is_down {
            let Some(end) = self.text[lines.end..].find('\n') else { return };
            (lines.clone(), line_at(&self.text, lines.end + end + 1))
        } else {
            let Some(end) = lines.start.checked_sub(1) else { return };
            (line_at(&self.text, end), lines.clone())
        };
        let (words, line_end) = (&self.text[second.clone()], &self.text[first.end..second.start]);
        let swapped = format!("{words}{line_end}{}", &self.text[first.clone()]);
        let (cursor, anchor) = match is_down {
            true => {
                let by = second.end - first.end;
                (self.cursor + by, self.anchor + by)
            }
            false => {
                let by = second.start - first.start;
                (self.cursor - by, self.anchor - by)
            }
        };
        self.write_lines(first.start..second.end, &swapped, (anchor, cursor));
    }

    /// Writes a copy of the selected lines, or of the line of the cursor. The cursor is in the lower one, or else in the upper one.
    pub(super) fn duplicate_lines(&mut self, is_down: bool) {
        let lines = self.selected_span();
        let copy = format!("{}{}", self.line_end(), &self.text[lines.clone()]);
        let by = if is_down { copy.len() } else { 0 };
        self.write_lines(lines.end..lines.end, &copy, (self.anchor + by, self.cursor + by));
    }

    /// Removes the selected lines, or the line of the cursor, which stays in its column.
    pub(super) fn remove_lines(&mut self) {
        let lines = self.lines_with_end();
        if lines.is_empty() {
            return;
        }
        let column = self.text[self.line().start..self.cursor].chars().count();
        self.write_lines(lines.clone(), "", (lines.start, lines.start));
        self.move_to(self.column_in(&self.line(), column), false);
    }

    /// Returns the line of the cursor, with an end.
    pub(in super::super) fn line_to_copy(&self) -> String {
        format!("{}\n", &self.text[self.line()])
    }

    /// Returns the part that goes with the selected lines, or with the line of the cursor: with the end of the last one, or if it has none,
    /// with that of the line before.
    pub(super) fn lines_with_end(&self) -> Range<usize> {
        let lines = self.selected_span();
        match self.text[lines.end..].find('\n') {
            Some(end) => lines.start..lines.end + end + 1,
            None => {
                lines.start.checked_sub(1).map_or(0, |end| line_at(&self.text, end).end)..lines.end
            }
        }
    }

    /// Returns the selected lines as one part, without the end of the last one.
    fn selected_span(&self) -> Range<usize> {
        let lines = self.selected_lines();
        lines.first().map_or(0, |line| line.start)..lines.last().map_or(0, |line| line.end)
    }

    /// Writes text in place of whole lines, and selects from one place to another.
    fn write_lines(&mut self, part: Range<usize>, words: &str, (anchor, cursor): (usize, usize)) {
        self.remember();
        self.text.replace_range(part, words);
        // Where line ends differ, a place may be between the two characters of one.
        let behind_end = |place: usize| {
            let place = floor(&self.text, place);
            let is_inside =
                self.text[..place].ends_with('\r') && self.text[place..].starts_with('\n');
            place + usize::from(is_inside)
        };
        let (anchor, cursor) = (behind_end(anchor), behind_end(cursor));
        self.move_to(anchor, false);
        self.move_to(cursor, true);
    }

    /// Returns the selected lines, without their ends. One at whose beginning the selection ends is not among them.
    fn selected_lines(&self) -> Vec<Range<usize>> {
        let selected = self.selection();
        let mut lines = vec![line_at(&self.text, selected.start)];
        while let Some(line) = lines.last()
            && let Some(end) = self.text[line.end..].find('\n')
            && line.end + end + 1 < selected.end
        {
            lines.push(line_at(&self.text, line.end + end + 1));
        }
        lines
    }

    /// Writes text in place of parts, in their order. What is selected stays selected.
    pub(in super::super) fn change_parts(&mut self, changes: Vec<(Range<usize>, String)>) {
        let has_selection = !self.selection().is_empty();
        let is_change = |(part, words): &(Range<usize>, String)| self.text[part.clone()] != **words;
        if !changes.iter().any(is_change) {
            return;
        }
        self.remember();
        let (mut cursor, mut anchor) = (self.cursor, self.anchor);
        // The last one first: the places of the others stay as they are.
        for (part, words) in changes.into_iter().rev() {
            let moved = |place: usize| match place {
                // The cursor stays before the same letter; a selection has all that is written into it.
                _ if place < part.start || (place == part.start && has_selection) => place,
                _ if place < part.end => part.start,
                _ => place - part.len() + words.len(),
            };
            (cursor, anchor) = (moved(cursor), moved(anchor));
            self.text.replace_range(part, &words);
        }
        self.move_to(anchor, false);
        self.move_to(cursor, true);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::key::Key;
    use super::*;

    /// Returns the text after a key was pressed, with `[` and `]` around the selection, or with `|` at the cursor.
    fn pressed(text: &str, selected: Range<usize>, keys: &[Key]) -> String {
        let mut edit = TextEdit::new(text);
        edit.move_to(selected.start, false);
        edit.move_to(selected.end, true);
        for key in keys {
            assert!(edit.press(*key), "{key:?}");
        }
        let (Range { start, end }, text) = (edit.selection(), edit.text());
        let (before, words, after) = (&text[..start], &text[start..end], &text[end..]);
        if words.is_empty() {
            format!("{before}|{after}")
        } else {
            format!("{before}[{words}]{after}")
        }
    }

    /// Caught: the tab key replaced the selected lines by spaces.
    #[test]
    fn the_tab_key_indents_the_selected_lines() {
        use Key::{Ctrl, ShiftTab, Tab};
        let text = "a {\n    b\n\n\tc\n}\r\n";
        for (selected, keys, after) in [
            (0..1, &[Tab][..], "[    a] {\n    b\n\n\tc\n}\r\n"),
            (1..9, &[Tab][..], "    a[ {\n        b]\n\n\tc\n}\r\n"),
            // The next line is not selected, though the selection ends at its beginning.
            (0..4, &[Tab][..], "[    a {\n]    b\n\n\tc\n}\r\n"),
            (0..15, &[Tab][..], "[    a {\n        b\n\n    \tc\n    }]\r\n"),
            (0..15, &[Tab, ShiftTab][..], "[a {\n    b\n\n\tc\n}]\r\n"),
            (0..15, &[ShiftTab][..], "[a {\nb\n\nc\n}]\r\n"),
            (8..8, &[ShiftTab][..], "a {\n|b\n\n\tc\n}\r\n"),
            (5..5, &[ShiftTab][..], "a {\n|b\n\n\tc\n}\r\n"),
            (0..0, &[ShiftTab][..], "|a {\n    b\n\n\tc\n}\r\n"),
            (0..15, &[Tab, Ctrl('z')][..], "a {\n    b\n\n\tc\n}|\r\n"),
            // Without a selection, up to the next step.
            (1..1, &[Tab][..], "a   | {\n    b\n\n\tc\n}\r\n"),
            (8..8, &[Tab][..], "a {\n        |b\n\n\tc\n}\r\n"),
        ] {
            assert_eq!(pressed(text, selected.clone(), keys), after, "{selected:?} {keys:?}");
        }
    }

    #[test]
    fn lines_are_moved_duplicated_and_removed() {
        use Key::{AltDown, AltUp, Ctrl, CtrlShift, ShiftAltDown, ShiftAltUp};
        let text = "ab\n  c\r\n\nd";
        for (selected, keys, after) in [
            (1..1, &[AltDown][..], "  c\na|b\r\n\nd"),
            (1..1, &[AltDown, AltDown][..], "  c\n\r\na|b\nd"),
            (1..1, &[AltDown, AltDown, AltDown, AltDown][..], "  c\n\r\nd\na|b"),
            (1..1, &[AltUp][..], "a|b\n  c\r\n\nd"),
            (10..10, &[AltUp][..], "ab\n  c\r\nd|\n"),
            // A selection moves with its lines; one that ends at the beginning of a line does not take that along.
            (1..4, &[AltDown][..], "\r\na[b\n ] c\nd"),
            (0..3, &[AltDown][..], "  c\n[ab\r\n]\nd"),
            (3..10, &[AltUp][..], "[  c\r\n\nd]\nab"),
            (1..1, &[ShiftAltDown][..], "ab\r\na|b\n  c\r\n\nd"),
            (1..1, &[ShiftAltUp][..], "a|b\r\nab\n  c\r\n\nd"),
            (0..3, &[ShiftAltDown][..], "ab\r\n[ab\n]  c\r\n\nd"),
            (10..10, &[ShiftAltDown][..], "ab\n  c\r\n\nd\r\nd|"),
            (1..1, &[CtrlShift('k')][..], " | c\r\n\nd"),
            (4..10, &[CtrlShift('k')][..], "a|b"),
            (10..10, &[CtrlShift('k')][..], "ab\n  c\r\n|"),
            // Each is one step.
            (1..1, &[AltDown, AltDown, Ctrl('z')][..], "  c\na|b\r\n\nd"),
            (1..4, &[ShiftAltDown, Ctrl('z')][..], "ab\n | c\r\n\nd"),
            (1..4, &[CtrlShift('k'), Ctrl('z')][..], "ab\n | c\r\n\nd"),
        ] {
            assert_eq!(pressed(text, selected.clone(), keys), after, "{selected:?} {keys:?}");
        }
    }

    #[test]
    fn lines_become_comments_and_code_again() {
        let toggle = Key::Ctrl('/');
        let text = "a\n    b\n\n  //c\n";
        for (selected, keys, after) in [
            (1..1, &[toggle][..], "// a|\n    b\n\n  //c\n"),
            (7..7, &[toggle][..], "a\n    // b|\n\n  //c\n"),
            (1..1, &[toggle, toggle][..], "a|\n    b\n\n  //c\n"),
            (14..14, &[toggle][..], "a\n    b\n\n  c|\n"),
            (8..8, &[toggle][..], "a\n    b\n// |\n  //c\n"),
            // At the least indentation; a line that is a comment already stays one.
            (3..14, &[toggle][..], "a\n [ //   b\n\n  // //c]\n"),
            (3..14, &[toggle, toggle][..], "a\n [   b\n\n  //c]\n"),
            // A space of another kind is no indentation.
            (
                16..16,
                &[Key::CtrlEnd, Key::Char('\u{a0}'), toggle][..],
                "a\n    b\n\n  //c\n// \u{a0}|",
            ),
            (0..8, &[toggle][..], "[// a\n//     b\n]\n  //c\n"),
        ] {
            assert_eq!(pressed(text, selected.clone(), keys), after, "{selected:?} {keys:?}");
        }
    }
}
