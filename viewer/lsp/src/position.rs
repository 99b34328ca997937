//! Positions in files: byte offsets here, lines and UTF-16 columns from 0 in the protocol.

use std::ops::Range;

use lsp_types::Position;

/// Returns the position of a byte offset. An offset inside a character counts as its start.
pub(super) fn position(text: &str, offset: usize) -> Position {
    let offset = text.floor_char_boundary(offset);
    let before = &text[..offset];
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let column: usize = before[start..].chars().map(char::len_utf16).sum();
    Position { line: short(line), character: short(column) }
}

/// Returns the byte offset of a position. A column beyond the end of its line counts as its end.
pub(super) fn offset(text: &str, position: Position) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].lines().next().unwrap_or_default();
    let mut column = 0;
    for (at, letter) in line.char_indices() {
        if column >= position.character as usize {
            return start + at;
        }
        column += letter.len_utf16();
    }
    start + line.len()
}

/// Returns the range of bytes as positions.
pub(super) fn range(text: &str, span: Range<usize>) -> lsp_types::Range {
    let end = text.ceil_char_boundary(span.end.max(span.start));
    lsp_types::Range { start: position(text, span.start), end: position(text, end) }
}

fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_in_utf_16_and_lines_may_end_in_both_ways() {
        let text = "one\r\nzw🐦lf drei\nend";
        let drei = text.find("drei").unwrap();
        let at = Position { line: 1, character: 7 };
        assert_eq!(position(text, drei), at);
        assert_eq!(offset(text, at), drei);
        let past = |line, character| offset(text, Position { line, character });
        assert_eq!(past(0, 99), 3);
        assert_eq!(past(2, 99), text.len());
        assert_eq!(past(9, 0), text.len());
        // In the middle of the bird.
        assert_eq!(&text[past(1, 3)..][..2], "lf");
        assert_eq!(position(text, drei - 5 - 2).character, 2);
    }

    #[test]
    fn every_offset_of_a_character_comes_back() {
        let text = "äö\n🐦🐦\r\n\n x";
        for (at, letter) in text.char_indices().filter(|(_, letter)| *letter != '\n') {
            assert_eq!(offset(text, position(text, at)), at, "{letter:?} at {at}");
        }
        assert_eq!(offset(text, position(text, text.len())), text.len());
    }
}
