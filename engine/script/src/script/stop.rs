//! Where Rhai's parser stopped, and what is written around it.

use std::ops::Range;
use std::sync::Arc;

use crate::diag::{Diagnostic, Source};
use crate::tokens::{Language, TokenKind, code, tokens, trim_code_end};

/// Where Rhai's parser stopped.
pub(super) struct Stop<'s> {
    pub(super) source: &'s Arc<Source>,
    pub(super) offset: usize,
    /// The code before it, without comments and white space at its end.
    pub(super) before: &'s str,
    /// The word or the sign there; empty at the end of the script.
    pub(super) found: &'s str,
    /// What follows it.
    pub(super) after: &'s str,
}

impl<'s> Stop<'s> {
    pub(super) fn new(source: &'s Arc<Source>, offset: usize) -> Self {
        let text = source.text.as_str();
        let rest = &text[offset..];
        let first = tokens(rest, Language::Rhai).next().filter(|token| token.span.start == 0);
        let length = first.map_or(0, |token| token.span.end);
        Self {
            source,
            offset,
            before: trim_code_end(&text[..offset], Language::Rhai),
            found: &rest[..length],
            after: &rest[length..],
        }
    }

    /// Returns where the word or the sign is.
    pub(super) fn span(&self) -> Range<usize> {
        self.offset..self.offset + self.found.len()
    }

    /// Returns whether it begins a line.
    pub(super) fn begins_line(&self) -> bool {
        self.source.text[self.before.len()..self.offset].contains('\n')
    }

    /// Returns the code of the line before it.
    pub(super) fn line_before(&self) -> &'s str {
        self.before.rsplit('\n').next().unwrap_or_default()
    }

    /// Returns the last word or sign before it.
    pub(super) fn token_before(&self) -> Range<usize> {
        let last = code(self.before, Language::Rhai).last();
        last.map_or(0..0, |token| token.span)
    }

    /// Returns the error of a sign that is none of scripts, and the fix that writes another one.
    pub(super) fn no_sign(&self, what: &str, range: Range<usize>, instead: &str) -> Diagnostic {
        let sign = &self.source.text[range.clone()];
        Diagnostic::error(format!("there is no {what} `{sign}`"))
            .help(format!("write `{instead}`"))
            .fix(format!("Write `{instead}`"), self.source, range.clone(), instead)
            .at(self.source, range)
    }
}

/// Returns the word that a text ends with; empty if it ends with something else.
pub(super) fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
}

/// Returns whether a text is one word.
pub(super) fn is_word(text: &str) -> bool {
    let mut all = tokens(text, Language::Rhai);
    all.next().is_some_and(|token| token.kind == TokenKind::Word && token.span == (0..text.len()))
}
