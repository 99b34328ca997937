//! The lines that two versions of a text have in common, so that what is known of one can be shown in the other.

use std::iter::zip;

/// The lines at the beginning and at the end of two versions of a text that are the same.
pub struct UnchangedLines {
    /// Where the first changed line begins, in bytes of both texts.
    start: usize,
    /// Where the lines begin that are the same again, if there are any: in the first text and in the second one.
    ends: Option<(usize, usize)>,
}

impl UnchangedLines {
    /// Compares two versions of a text.
    pub fn new(before: &str, after: &str) -> Self {
        if before == after {
            return Self { start: 0, ends: Some((0, 0)) };
        }
        let lines = zip(before.split_inclusive('\n'), after.split_inclusive('\n'));
        let start = lines.take_while(|(one, other)| one == other).map(|(one, _)| one.len()).sum();
        let rests = (&before[start..], &after[start..]);
        let lines = zip(rests.0.rsplit('\n'), rests.1.rsplit('\n'));
        let same = lines.take_while(|(one, other)| one == other).map(|(one, _)| one.len());
        // A line break is between two of them.
        let length = same.reduce(|all, length| all + 1 + length);
        let ends = length.map(|length| (before.len() - length, after.len() - length));
        Self { start, ends }
    }

    /// Returns where a place of the first text is in the second one. `None` if its line has changed.
    pub fn moved(&self, place: usize) -> Option<usize> {
        if place < self.start {
            return Some(place);
        }
        let (before, after) = self.ends.filter(|(before, _)| place >= *before)?;
        Some(place - before + after)
    }
}

/// Returns where the first change between two versions of a text ends, in the second one.
pub fn end_of_first_change(before: &str, after: &str) -> usize {
    let UnchangedLines { start, ends } = UnchangedLines::new(before, after);
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
        ] {
            let lines = UnchangedLines::new(before, after);
            let places: Vec<_> = (0..=before.len()).map(|place| lines.moved(place)).collect();
            assert_eq!(places, moved, "{before:?} {after:?}");
        }
    }
}
