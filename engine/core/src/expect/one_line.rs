//! Shows an expectation in one line: as it is written, without line breaks and comments.

/// Returns a RON value in one line, with the usual spaces.
pub(super) fn in_one_line(text: &str) -> String {
    let mut line = String::new();
    let mut comma = false;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = if c.is_whitespace() {
            c.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            let len = if c == '"' { quoted(rest) } else { c.len_utf8() };
            // A comma before the end of a list is dropped.
            if std::mem::take(&mut comma) && !matches!(c, ')' | ']' | '}') {
                line.push_str(", ");
            }
            match c {
                ',' => comma = true,
                ':' => line.push_str(": "),
                _ => line.push_str(&rest[..len]),
            }
            len
        };
        rest = &rest[len..];
    }
    line
}

/// Returns the length of the quoted string at the start of a text.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '"' && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::in_one_line;

    #[test]
    fn line_breaks_and_comments_are_left_out() {
        for (text, line) in [
            ("AllFinite", "AllFinite"),
            (
                "MaxSpeed(\n  group : \"a //b, \\\" c\",// why\n speed:6.5 /* , */ ,\n)",
                "MaxSpeed(group: \"a //b, \\\" c\", speed: 6.5)",
            ),
            ("X(a:[(1,2),],b:\"", "X(a: [(1, 2)], b: \""),
        ] {
            assert_eq!(in_one_line(text), line);
        }
    }
}
