//! Message tests whose cases are edits of a text.

/// Applies the edits of a case to a text: the first place with the lines after `-` is replaced by the lines after `+`
/// that follow them.
pub(crate) fn edited(text: &str, case: &str) -> String {
    let (mut text, mut lines) = (text.to_owned(), case.lines().peekable());
    while lines.peek().is_some() {
        let mut lines_after = |sign| {
            let mut all = Vec::new();
            while let Some(line) = lines.peek().and_then(|line| line.strip_prefix(sign)) {
                all.push(line.strip_prefix(' ').unwrap_or(line));
                lines.next();
            }
            all.join("\n")
        };
        let (from, to) = (lines_after('-'), lines_after('+'));
        assert!(text.contains(&from), "the text does not contain `{from}` of\n{case}");
        text = text.replacen(&from, &to, 1);
    }
    text
}
