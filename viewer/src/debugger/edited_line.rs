//! Where a line of a script is after an edit.

/// Returns the number of a line after an edit, and whether it is the same line: the lines before the edit and behind it are. In the place of a
/// line that was edited stands the first one of the edit, or what follows it. Lines count from 1.
pub(super) fn edited_line(before: &str, after: &str, line: usize) -> (usize, bool) {
    let (before, after): (Vec<&str>, Vec<&str>) =
        (before.lines().collect(), after.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let start = before.iter().zip(&after).take_while(same).count();
    if line <= start {
        return (line, true);
    }
    let (old, new) = (before.iter().skip(start).rev(), after.iter().skip(start).rev());
    let end = old.zip(new).take_while(same).count();
    if line + end > before.len() {
        return (line + after.len() - before.len(), true);
    }
    (start + 1, false)
}

#[cfg(test)]
mod tests {
    use super::edited_line;

    #[test]
    fn lines_outside_of_an_edit_stay_the_same() {
        let text = "a\nb\nc\nd\n";
        for (after, line, expected) in [
            ("a\nb\nc\nd\n", 3, (3, true)),
            ("a\nc\nd\n", 3, (2, true)),
            ("a\nx\ny\nb\nc\nd\n", 3, (5, true)),
            ("a\nb\nc\nx\n", 3, (3, true)),
            ("a\nb\nx\nd\n", 3, (3, false)),
            ("a\nb\nd\n", 3, (3, false)),
            ("a\nb\nc\n", 4, (4, false)),
            ("a\nb\nc\nd\nd\n", 4, (4, true)),
        ] {
            assert_eq!(edited_line(text, after, line), expected, "{after:?}");
        }
    }
}
