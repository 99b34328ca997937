//! Pieces of scenarios as text.

use flockwork_engine::scenario::{number_text, string_text};

use crate::area::{Point, most};

/// The length of the longest line of a comment, in characters.
const MAX_COLUMNS: usize = 110;

/// Writes a number with the precision of the engine.
pub(super) fn number(x: f64) -> String {
    // Adding 0 turns -0 into 0.
    number_text(x as f32 + 0.0)
}

pub(super) fn point([x, y]: Point) -> String {
    format!("({}, {})", number(x), number(y))
}

pub(super) fn points(all: &[Point]) -> String {
    let all: Vec<String> = all.iter().map(|one| point(*one)).collect();
    format!("[{}]", all.join(", "))
}

pub(super) fn quote(text: &str) -> String {
    string_text(&plain(text))
}

/// Returns a text on one line, without control characters and with single blanks.
pub(super) fn plain(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Writes paragraphs as a comment. Lines that are too long are broken at blanks.
pub(super) fn comment(paragraphs: &[String]) -> String {
    let mut text = String::new();
    for paragraph in paragraphs {
        let mut line = String::from("//");
        let indent = if paragraph.starts_with("- ") { "//  " } else { "//" };
        for word in plain(paragraph).split(' ').filter(|word| !word.is_empty()) {
            if line.chars().count() + 1 + word.chars().count() > MAX_COLUMNS && line.len() > 4 {
                text += &line;
                text.push('\n');
                indent.clone_into(&mut line);
            }
            line.push(' ');
            line += word;
        }
        text += &line;
        text.push('\n');
    }
    text
}

/// Writes the rectangle of a world that contains a box, with a margin.
pub(super) fn world((min, max): (Point, Point), margin: f64) -> String {
    // Integers are easier to read.
    let low = min.map(|x| (x - margin).floor());
    let size = [0, 1].map(|axis| most((max[axis] + margin).ceil() - low[axis], 1.0));
    format!("world: (min: {}, size: {}),", point(low), point(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_stays_a_comment() {
        let long = "word ".repeat(40);
        let text = comment(&["a\n)\r\u{1b}b".to_owned(), String::new(), format!("- {long}")]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["// a ) b", "//"]);
        assert!(lines[2].starts_with("// - word") && lines[3].starts_with("//   word"), "{text}");
        assert!(lines.iter().all(|line| line.len() <= MAX_COLUMNS), "{text}");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(number((0.1 + 0.2) / 2.0), "0.15");
        assert_eq!(point([-0.0, -4.0]), "(0, -4)");
        assert_eq!(quote("a \"b\"\n"), r#""a \"b\"""#);
        let around = world(([-10.2, 0.0], [15.0, 0.0]), 1.0);
        assert_eq!(around, "world: (min: (-12, -1), size: (28, 2)),");
    }
}
