//! The lines that two versions of a text have in common, so that what is known of one can be shown in the other.

use std::iter::zip;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Number of lines between the first and the last change up to which those are looked for that have not changed: the time grows with the square.
const MAX_BETWEEN: usize = 1000;

/// The lines of two versions of a text that are the same.
pub struct UnchangedLines {
    /// Where the first changed line begins, in bytes of both texts.
    start: usize,
    /// Where the lines begin that are the same again up to the end, if there are any: in the first text and in the second one.
    ends: Option<(usize, usize)>,
    /// The lines between, in the first text, and where they begin in the second one.
    between: Vec<(Range<usize>, usize)>,
}

impl UnchangedLines {
    /// Compares two versions of a text.
    pub fn new(before: &str, after: &str) -> Self {
        if before == after {
            return Self { start: 0, ends: Some((0, 0)), between: Vec::new() };
        }
        let lines = zip(before.split_inclusive('\n'), after.split_inclusive('\n'));
        let start = lines.take_while(|(one, other)| one == other).map(|(one, _)| one.len()).sum();
        let rests = (&before[start..], &after[start..]);
        let lines = zip(rests.0.rsplit('\n'), rests.1.rsplit('\n'));
        let same = lines.take_while(|(one, other)| one == other).map(|(one, _)| one.len());
        // A line break is between two of them.
        let length = same.reduce(|all, length| all + 1 + length);
        let ends = length.map(|length| (before.len() - length, after.len() - length));
        let (old_end, new_end) = ends.unwrap_or((before.len(), after.len()));
        let between = unchanged_between((before, start..old_end), (after, start..new_end));
        Self { start, ends, between }
    }

    /// Returns where a place of the first text is in the second one. `None` if its line has changed.
    pub fn moved(&self, place: usize) -> Option<usize> {
        if place < self.start {
            return Some(place);
        }
        if let Some((before, after)) = self.ends.filter(|(before, _)| place >= *before) {
            return Some(place - before + after);
        }
        let (before, after) = self.between.iter().find(|(before, _)| before.contains(&place))?;
        Some(place - before.start + after)
    }

    /// Returns where the first changed line ends that is not blank, in the second text. `None` if lines are only gone.
    pub fn end_of_first_changed(&self, after: &str) -> Option<usize> {
        let end = self.ends.map_or(after.len(), |(_, after)| after);
        let last = (end..end, end);
        let mut start = self.start;
        for (before, next) in self.between.iter().chain([&last]) {
            let changed = after.get(start..*next)?;
            let blank = changed.len() - changed.trim_start().len();
            if let Some(line) = changed[blank..].lines().next() {
                return Some(start + blank + line.len());
            }
            start = next + before.len();
        }
        None
    }
}

/// Compares a part of each text. Returns the lines that both have: where they are in the first text, and where they begin in the second one.
fn unchanged_between(
    (before, old): (&str, Range<usize>),
    (after, new): (&str, Range<usize>),
) -> Vec<(Range<usize>, usize)> {
    let old_lines: Vec<&str> = before[old.clone()].split_inclusive('\n').collect();
    let new_lines: Vec<&str> = after[new.clone()].split_inclusive('\n').collect();
    if old_lines.len().max(new_lines.len()) > MAX_BETWEEN {
        return Vec::new();
    }
    let length = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let run = |change: DiffOp| {
        let DiffOp::Equal { old_index, new_index, len } = change else { return None };
        let start = old.start + length(&old_lines[..old_index]);
        let end = start + length(&old_lines[old_index..old_index + len]);
        Some((start..end, new.start + length(&new_lines[..new_index])))
    };
    let changes = capture_diff_slices(Algorithm::Patience, &old_lines, &new_lines);
    changes.into_iter().filter_map(run).collect()
}

/// Returns where the first change between two versions of a text ends, in the second one.
pub fn end_of_first_change(before: &str, after: &str) -> usize {
    let UnchangedLines { start, ends, .. } = UnchangedLines::new(before, after);
    let (old_end, new_end) = ends.unwrap_or((before.len(), after.len()));
    let (old, new) = (&before[start..old_end], &after[start..new_end]);
    // A line that was there before is between two changes. Empty lines and single brackets are the same in many places.
    let is_new =
        |line: &&str| line.trim().len() < 2 || old.lines().all(|one| one != line.trim_end());
    let length = new.split_inclusive('\n').take_while(is_new).map(str::len).sum::<usize>();
    let changed = new[..length].trim_end_matches(['\n', '\r']);
    let end = start + changed.len();
    let Some(line) = old.lines().next().filter(|_| !changed.contains('\n')) else { return end };
    // Of a single line, what follows the change is the same.
    let begin = zip(line.chars(), changed.chars()).take_while(|(one, other)| one == other);
    let begin: usize = begin.map(|(letter, _)| letter.len_utf8()).sum();
    let rests = (line[begin..].chars().rev(), changed[begin..].chars().rev());
    let same = zip(rests.0, rests.1).take_while(|(one, other)| one == other);
    end - same.map(|(letter, _)| letter.len_utf8()).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_change_ends_before_what_was_there() {
        for (before, after) in [
            ("a1\nb1\n", "a1\nnew|\nb1\n"),
            ("a1\nb1\n", "new|\na1\nb1\n"),
            ("a1\nlet x = 1;\nb1\n", "a1\nlet x = 25|;\nb1\n"),
            ("let x = é;\n", "let x = éè|;\n"),
            ("a1\nb1\nc1\nd1\n", "a1\nnew\n}\nxy|\nb1\nc1\nlast\nd1\n"),
            ("a1\nb1\nc1\n", "a1\n|c1\n"),
            ("a1\n", "a1\nnew|"),
            ("a1\n", "|a1\n"),
            ("a1", "|"),
        ] {
            let end = after.find('|').unwrap();
            assert_eq!(end_of_first_change(before, &after.replace('|', "")), end, "{after}");
        }
    }

    #[test]
    fn the_first_changed_line_is_known() {
        for (before, after) in [
            ("a\nb\n", "a\nb\n"),
            ("a\nb\n", "a\nnew|\nb\n"),
            ("a\nb\n", "a\n\n  new|\r\nmore\nb\n"),
            ("a\nb\n", "a\n\nb\n"),
            ("a\nb\n", "a\n"),
            ("a\nb", "a\nbc|"),
            ("a\nb\nc\nd\n", "a\n\nb\nnew|\nc\nd\n"),
            ("a\nb\nc\nd\ne\n", "b\nnew|\nd\n"),
            ("a", "b|"),
        ] {
            let (text, end) = (after.replace('|', ""), after.find('|'));
            assert_eq!(
                UnchangedLines::new(before, &text).end_of_first_changed(&text),
                end,
                "{after}"
            );
        }
    }

    #[test]
    fn places_of_unchanged_lines_are_known_in_both_texts() {
        for (before, after, moved) in [
            ("a\nb", "a\nb", &[Some(0), Some(1), Some(2), Some(3)][..]),
            ("a\nb", "a\nxb", &[Some(0), Some(1), None, None][..]),
            ("a\nb", "xa\nb", &[None, None, Some(3), Some(4)][..]),
            ("a\nb\nc", "a\n\nb\nc", &[Some(0), Some(1), Some(3), Some(4), Some(5), Some(6)][..]),
            ("a\nb\nc", "a\nc", &[Some(0), Some(1), None, None, Some(2), Some(3)][..]),
            ("a\na\n", "a\n", &[Some(0), Some(1), None, None, Some(2)][..]),
            ("a\n", "a\na\n", &[Some(0), Some(1), Some(4)][..]),
            ("", "a", &[None][..]),
            ("a", "b\na", &[Some(2), Some(3)][..]),
            ("a\n", "", &[None, None, Some(0)][..]),
            // Caught: between two changes, nothing was known.
            ("a\nb\nc", "x\nb\ny", &[None, None, Some(2), Some(3), None, None][..]),
            (
                "a\nb\nc\nd",
                "\na\nb\nd",
                &[Some(1), Some(2), Some(3), Some(4), None, None, Some(5), Some(6)][..],
            ),
        ] {
            let lines = UnchangedLines::new(before, after);
            let places: Vec<_> = (0..=before.len()).map(|place| lines.moved(place)).collect();
            assert_eq!(places, moved, "{before:?} {after:?}");
        }
    }
}
