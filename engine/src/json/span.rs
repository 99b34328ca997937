//! Places in files as numbers, for programs.

use serde::Serialize;

use crate::diag::Place;

/// A range of a file. Lines and columns count from 1, columns in characters; bytes count from 0; ends are
/// exclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    /// The file, with `/` between folders.
    pub file: String,
    /// The line of the first character.
    pub start_line: usize,
    /// The column of the first character.
    pub start_column: usize,
    /// The line of the end.
    pub end_line: usize,
    /// The column of the end.
    pub end_column: usize,
    /// The first byte.
    pub start_byte: usize,
    /// The byte after the last one.
    pub end_byte: usize,
}

impl Span {
    /// Returns the numbers of a place. One beyond the end of its file is cut there.
    pub fn new(place: &Place) -> Self {
        let text = &place.source.text;
        let start = text.floor_char_boundary(place.span.start);
        let end = text.ceil_char_boundary(place.span.end.max(start));
        let (start_line, start_column) = place.source.line_column(start);
        let (end_line, end_column) = place.source.line_column(end);
        let name = place.source.name.replace('\\', "/");
        let file = name.strip_prefix("./").unwrap_or(&name);
        Self {
            file: file.to_owned(),
            start_line,
            start_column,
            end_line,
            end_column,
            start_byte: start,
            end_byte: end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Source;

    #[test]
    fn a_span_counts_lines_characters_and_bytes() {
        let place = |span| Place { source: Source::new("./a/b.ron", "one\nzwölf drei\n"), span };
        let all = Span::new(&place(4..10));
        assert_eq!(all.file, "a/b.ron");
        assert_eq!((all.start_line, all.start_column), (2, 1));
        assert_eq!((all.end_line, all.end_column), (2, 6));
        assert_eq!((all.start_byte, all.end_byte), (4, 10));
        let past = Span::new(&place(12..99));
        assert_eq!((past.end_line, past.end_column, past.end_byte), (3, 1, 16));
    }
}
