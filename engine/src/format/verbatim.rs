//! The parts of a text that mean what they mean byte for byte, white space included.

use std::ops::Range;

use crate::tokens::{Language, TokenKind, tokens};

/// A string, a character or a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verbatim {
    pub(super) span: Range<usize>,
    pub(super) kind: VerbatimKind,
}

/// The kind of a part that is kept byte for byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VerbatimKind {
    /// A string or a character, with its quotes and all code in it.
    Text,
    /// A comment up to the end of its line, without the line break.
    LineComment,
    BlockComment,
}

/// Returns the strings, characters and comments of a text, in their order; `None` if a string or a comment does not end.
pub(super) fn verbatim(text: &str, language: Language) -> Option<Vec<Verbatim>> {
    let mut all = Vec::new();
    // The byte offsets of the strings with code around a token.
    let mut around: Vec<usize> = Vec::new();
    for token in tokens(text, language) {
        let mut start = token.span.start;
        let kind = match token.kind {
            _ if !token.is_closed => return None,
            TokenKind::Text | TokenKind::Character => VerbatimKind::Text,
            TokenKind::LineComment => VerbatimKind::LineComment,
            TokenKind::BlockComment => VerbatimKind::BlockComment,
            TokenKind::Template => {
                if text[start..].starts_with('}') {
                    start = around.pop()?;
                }
                if token.opens_code() {
                    around.push(start);
                    continue;
                }
                VerbatimKind::Text
            }
            TokenKind::Word | TokenKind::Number | TokenKind::Sign => continue,
        };
        if around.is_empty() {
            all.push(Verbatim { span: start..token.span.end, kind });
        }
    }
    around.is_empty().then_some(all)
}
