//! Formats scripts: one style for spaces, indentation and line breaks. It changes white space only.
//!
//! - Statements of a block of several lines have lines of their own. A block in one line stays in one line if that is at most [`WIDTH`]
//!   columns wide. A brace is on the line of its head, and `else` on the line of the brace before it.
//! - Brackets with a line break behind the opening bracket, behind a comma, or before the closing bracket have line breaks at both brackets.
//!   What is in them is indented by one level.
//! - A longer line is broken: at statements of its outermost blocks, before its outermost operators, or in its outermost brackets.
//! - All other line breaks stay, and a line that continues a statement is indented by one level. An operator begins its line.
//! - One space is around operators, behind `,`, `;` and `:`, and inside of braces. None is inside of other brackets.
//! - Comments at the ends of lines keep their distance, and comments that were below each other stay so.
//!
//! Strings and comments stay byte for byte.

mod breaks;
mod emit;
mod items;
mod wrap;

use super::verbatim::Verbatim;
use crate::tokens::{Language, tokens};
use breaks::normalize;
use emit::Emitter;
use items::Items;

/// Columns of a line that is not broken.
const WIDTH: usize = 100;

/// Number of brackets in each other in scripts that are formatted. Rhai reads hardly any with more.
const MAX_DEPTH: usize = 128;

/// Returns a script in one style. What is wrong with its brackets does not matter.
pub(super) fn format(text: &str, verbatim: &[Verbatim]) -> String {
    let formatted = written(text, verbatim);
    // Signs that white space kept apart must never become another one.
    if is_same(text, &formatted) { formatted } else { text.to_owned() }
}

/// Returns a script in one style.
fn written(text: &str, verbatim: &[Verbatim]) -> String {
    let mut items = Items::new(text, verbatim);
    if items.depth() > MAX_DEPTH {
        return text.to_owned();
    }
    normalize(&mut items);
    Emitter::new(&mut items).emit()
}

/// Returns whether two scripts have the same tokens.
fn is_same(text: &str, other: &str) -> bool {
    let all = |text: &str| -> Vec<String> {
        let tokens = tokens(text, Language::Rhai);
        tokens.map(|token| text[token.span].trim_end().to_owned()).collect()
    };
    all(text) == all(other)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns whether the style alone, without the last look at the tokens, keeps the tokens of a script.
    pub(in crate::format) fn keeps_tokens(text: &str, verbatim: &[Verbatim]) -> bool {
        is_same(text, &written(text, verbatim))
    }
}
