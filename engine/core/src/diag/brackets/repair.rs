//! Changes that repair errors about brackets.

use std::ops::Range;
use std::sync::Arc;

use super::{Bracket, before_in_line, indentation, is_first_in_line};
use crate::diag::{Fix, Source};
use crate::tokens::{Language, Token, code};

/// A change that may repair an error about brackets.
#[derive(Debug)]
pub(super) enum Repair {
    /// A closing bracket is missing.
    Close {
        opening: Bracket,
        /// The place of what it is missing before.
        before: usize,
    },
    /// A quote is missing at a place.
    Quote(usize),
    /// A bracket is a wrong one, or too much.
    Replace { wrong: Bracket, right: Option<u8> },
}

impl Repair {
    /// Returns the change. `None` if a bracket is too much that an `else` needs, so that something else is wrong, too.
    pub(super) fn fix(&self, source: &Arc<Source>, language: Language) -> Option<Fix> {
        Some(match *self {
            Self::Close { opening, before } => close(source, opening, before, language),
            Self::Quote(at) => Fix::new("Insert `\"`", source, at..at, "\""),
            Self::Replace { wrong, right: Some(right) } => {
                let right = char::from(right).to_string();
                Fix::new(format!("Write `{right}`"), source, wrong.span(), right)
            }
            Self::Replace { wrong, right: None } if is_before_else(&source.text, wrong) => None?,
            Self::Replace { wrong, right: None } => {
                let title = format!("Remove this `{}`", char::from(wrong.sign));
                Fix::new(title, source, with_comma(&source.text, wrong, language), "")
            }
        })
    }
}

/// Returns whether an `else` follows a bracket that would have no block before it without the bracket.
fn is_before_else(text: &str, bracket: Bracket) -> bool {
    let word = |token: Option<Token>| token.map(|token| &text[token.span]);
    let (before, after) = (&text[..bracket.at], bracket.span().end);
    let next = code(text, Language::Rhai).find(|token| token.span.start >= after);
    word(next) == Some("else") && word(code(before, Language::Rhai).last()) != Some("}")
}

/// Returns the bytes of a bracket that is too much, with the comma behind it if another one, or no element, is before it.
fn with_comma(text: &str, wrong: Bracket, language: Language) -> Range<usize> {
    let span = wrong.span();
    let rest = text[span.end..].trim_start_matches(' ');
    if language == Language::Rhai || !rest.starts_with(',') {
        return span;
    }
    let last = code(&text[..span.start], language).last();
    let has_none = last.is_none_or(|last| matches!(&text[last.span], "," | "(" | "[" | "{"));
    if has_none { span.start..text.len() - rest.len() + 1 } else { span }
}

/// Returns the fix that closes a bracket: as the line of the bracket begins, if the bracket is the last in its line.
fn close(source: &Arc<Source>, opening: Bracket, before: usize, language: Language) -> Fix {
    let text = source.text.as_str();
    let code: Vec<Token> = code(text, language).collect();
    let after = code.partition_point(|token| token.span.start <= opening.at);
    let end = code.partition_point(|token| token.span.start < before).max(after);
    let next = code.get(after);
    let is_last = next.is_none_or(|next| text[opening.at..next.span.start].contains('\n'));
    let sign = char::from(opening.closing());
    let title = format!("Insert `{sign}`");
    if !is_last {
        let line = text[opening.at..].find('\n').map_or(text.len(), |end| opening.at + end);
        let of_line = &code[..code.partition_point(|token| token.span.start < line)];
        let word = |token: &Token| &text[token.span.clone()];
        let opens = of_line.last().is_some_and(|last| matches!(word(last), "(" | "[" | "{"));
        // The head of a block ends before its brace.
        let is_head = language == Language::Rhai
            && opening.sign != b'{'
            && of_line.last().is_some_and(|last| word(last) == "{");
        let until = match before > line && !opens {
            // Before the comma at the end of the line.
            true => of_line.iter().rposition(|token| !matches!(word(token), "," | ";")),
            false if is_head => of_line.len().checked_sub(2).filter(|until| *until + 1 >= after),
            false => None,
        };
        let at = code[until.unwrap_or(end - 1)].span.end;
        return Fix::new(title, source, at..at, sign);
    }
    // Where the lines are not indented any more, what it is around has ended.
    let indent = indentation(text, opening.at);
    let is_outside = |token: &Token| {
        let at = token.span.start;
        is_first_in_line(text, at) && indentation(text, at) <= indent
    };
    let outside = code[after..end].iter().position(is_outside);
    let until = outside.map_or(end, |outside| after + outside);
    // Where only the bracket of `),` is missing, its comma is still there.
    if let Some(comma) = code.get(until).filter(|next| &text[next.span.clone()] == ",") {
        let at = comma.span.start;
        return Fix::new(title, source, at..at, sign);
    }
    let at = code[until - 1].span.end;
    let indent = &before_in_line(text, opening.at)[..indent];
    let is_opening = |token: &Token| matches!(&text[token.span.clone()], "(" | "[" | "{");
    let is_element = language == Language::Ron && code[..after - 1].iter().any(is_opening);
    Fix::new(
        title,
        source,
        at..at,
        format!("\n{indent}{sign}{}", if is_element { "," } else { "" }),
    )
}

/// Returns where the name in a string ends that has no quote there. `None` if it is no name, or it is not clear.
pub(super) fn end_of_name(text: &str, start: usize) -> Option<usize> {
    let is_letter = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    let end = text[start..].find(|c| !is_letter(c)).map_or(text.len(), |end| start + end);
    let after = text[end..].lines().next().unwrap_or_default().trim_start();
    let is_end = after.is_empty() || after.starts_with([',', ')', ']', '}', ';', ':']);
    (end > start && is_end).then_some(end)
}
