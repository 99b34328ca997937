//! Where a line of a script is after an edit.

/// What became of a line by an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineChange {
    /// It is the same.
    Same,
    /// It was edited in its place.
    Edited,
    /// It is not there any more, or does not run.
    Gone,
}

/// Returns the number of a line after an edit, and what became of it: the lines before the edit and behind it are the same. If an edit leaves
/// the number of lines as it was, each was edited in its place. In the place of a line that is gone stands the first one of the edit, or what
/// follows it. Lines count from 1.
pub(super) fn edited_line(before: &str, after: &str, line: usize) -> (usize, LineChange) {
    let (before, after): (Vec<&str>, Vec<&str>) =
        (before.lines().collect(), after.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let start = before.iter().zip(&after).take_while(same).count();
    if line <= start {
        return (line, LineChange::Same);
    }
    let (old, new) = (before.iter().skip(start).rev(), after.iter().skip(start).rev());
    let end = old.zip(new).take_while(same).count();
    if line + end > before.len() {
        return (line + after.len() - before.len(), LineChange::Same);
    }
    if before.len() == after.len() {
        let is_same = before.get(line - 1) == after.get(line - 1);
        return (line, if is_same { LineChange::Same } else { LineChange::Edited });
    }
    (start + 1, LineChange::Gone)
}

#[cfg(test)]
mod tests {
    use super::{LineChange::*, edited_line};

    #[test]
    fn lines_outside_of_an_edit_stay_the_same() {
        let text = "a\nb\nc\nd\n";
        for (after, line, expected) in [
            ("a\nb\nc\nd\n", 3, (3, Same)),
            ("a\nc\nd\n", 3, (2, Same)),
            ("a\nx\ny\nb\nc\nd\n", 3, (5, Same)),
            ("a\nb\nc\nx\n", 3, (3, Same)),
            ("a\nb\nx\nd\n", 3, (3, Edited)),
            ("a\nx\ny\nd\n", 3, (3, Edited)),
            ("a\nx\nc\ny\n", 3, (3, Same)),
            ("a\nb\nd\n", 3, (3, Gone)),
            ("a\nb\nx\ny\nd\n", 3, (3, Gone)),
            ("a\nb\nc\n", 4, (4, Gone)),
            ("a\nb\nc\nd\nd\n", 4, (4, Same)),
        ] {
            assert_eq!(edited_line(text, after, line), expected, "{after:?}");
        }
    }
}
