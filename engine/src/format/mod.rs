//! Formats scenarios, plans and scripts: one style for spaces, indentation and line breaks.
//!
//! - Statements of a block have lines of their own. A block with a single statement in one line stays in one line if that is at most 100
//!   columns wide and no other block is in it. Blocks that `else` or `catch` connects do not if one of them has a statement that ends in `;`.
//!   In data, the entries of a map that have fields have lines of their own. A brace is on the line of its head, and `else` on the line of
//!   the brace before it.
//! - Brackets with a line break behind the opening bracket, behind a comma, or before the closing bracket have line breaks at both brackets.
//!   What is in them is indented by one level. Nothing is joined to one line: a short list in several lines was broken on purpose.
//! - A longer line is broken: at statements of its outermost blocks, before its outermost operators, or in its outermost brackets.
//! - Two elements of data that both have several lines are not on one line.
//! - All other line breaks stay, and a line that continues a statement is indented by one level. An operator begins its line.
//! - One space is around operators, behind `,`, `;` and `:`, and inside of braces. None is inside of other brackets.
//! - One space is before a comment at the end of a line. Comments that were below each other stay so, at their distance.
//! - Scenarios and plans have a comma behind the last element of brackets if the closing bracket begins a line, and only then.
//!
//! Strings and comments stay byte for byte. All else that changes is white space, and those commas.

mod breaks;
mod changes;
mod diff;
mod emit;
mod items;
mod verbatim;
mod wrap;

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use crate::diag::{Code, Diagnostic, Source};
use crate::load::SCENARIO_EXTENSION;
use crate::scenario;
use crate::script::{self, SCRIPT_EXTENSION};
use crate::tokens::{Language, line_start, tokens};

use breaks::normalize;
pub use changes::{Change, changes};
pub use diff::diff;
use emit::Emitter;
use items::Items;
use verbatim::verbatim;

/// Columns of a line that is not broken.
const WIDTH: usize = 100;

/// Columns of one level of indentation.
const LEVEL: usize = 4;

/// Number of times that a file is formatted again. Two are enough for all but the strangest files.
const MAX_ROUNDS: usize = 8;

/// Number of brackets in each other in files that are formatted. Rhai and RON read hardly any with more.
const MAX_DEPTH: usize = 128;

/// Returns the language of a file by its extension.
pub fn language(path: &Path) -> Option<Language> {
    match path.extension().and_then(OsStr::to_str) {
        Some(SCENARIO_EXTENSION) => Some(Language::Ron),
        Some(SCRIPT_EXTENSION) => Some(Language::Rhai),
        _ => None,
    }
}

/// Returns the text of a file in the style of its language. A formatted text stays as it is.
///
/// # Errors
///
/// If the text does not follow the grammar of its language.
pub fn format(source: &Arc<Source>, language: Language) -> Result<String, Diagnostic> {
    match language {
        Language::Ron => scenario::check_syntax(source)?,
        Language::Rhai => script::check_syntax(source)?,
    }
    laid_out(&source.text, language).ok_or_else(|| {
        let wrong = Diagnostic::error("a string or a comment does not end");
        wrong.code(Code::Syntax).at(source, 0..0)
    })
}

/// Returns a text in the style of its language, also if something is missing in it. `None` if a string or a comment does not end.
fn laid_out(text: &str, language: Language) -> Option<String> {
    let mut formatted = written(text, language)?;
    // Where a long line was broken, brackets around it may have to be opened.
    for _ in 0..MAX_ROUNDS {
        let again = written(&formatted, language)?;
        if again == formatted {
            break;
        }
        formatted = again;
    }
    // Signs that white space kept apart must never become another one.
    Some(if is_same(text, &formatted, language) { formatted } else { text.to_owned() })
}

/// Returns the same, but not yet to its end, and without a last look at the tokens.
fn written(text: &str, language: Language) -> Option<String> {
    let mut items = Items::new(text, &verbatim(text, language)?, language);
    if items.depth() > MAX_DEPTH {
        return Some(text.to_owned());
    }
    normalize(&mut items);
    Some(Emitter::new(&mut items).emit())
}

/// Returns whether two strings have the same tokens; in scenarios and plans, but for commas.
fn is_same(text: &str, other: &str, language: Language) -> bool {
    let all = |text: &str| -> Vec<String> {
        let tokens = tokens(text, language).map(|token| text[token.span].trim_end().to_owned());
        tokens.filter(|token| language == Language::Rhai || token != ",").collect()
    };
    let signs = |text: &str| text.replace(|c: char| c.is_whitespace() || c == ',', "");
    all(text) == all(other) && signs(text) == signs(other)
}

/// Returns the columns that the style gives to a line behind a text, by what is on the line, for editors. `None` if the text ends in a string
/// or a comment of several lines.
pub fn indentation(before: &str, line: &str, language: Language) -> Option<usize> {
    let name = "a";
    let closing = line.get(..1).filter(|first| matches!(*first, ")" | "]" | "}"));
    // Nothing is between brackets on two lines.
    let (last, rest) = closing.map_or((name, String::new()), |sign| (sign, format!("\n{sign}")));
    let text = laid_out(&format!("{}\n{name}{rest}", before.trim_end()), language)?;
    let columns = text.trim_end().lines().next_back()?.strip_suffix(last)?;
    columns.trim_matches(' ').is_empty().then_some(columns.len())
}

/// Returns the changes of the line that ends at a byte offset of a text, or of the lines from the bracket on that is closed there, for
/// editors. What is behind the offset may still be missing.
pub fn changes_before(text: &str, offset: usize, language: Language) -> Vec<Change> {
    let head = text.get(..offset).unwrap_or_default();
    let Some(formatted) = laid_out(head, language) else { return Vec::new() };
    // Where the token before each open bracket begins.
    let mut open = Vec::new();
    let (mut from, mut before) = (head.len(), 0);
    for token in tokens(head, language) {
        match &head[token.span.clone()] {
            "(" | "[" | "{" => open.push(before),
            ")" | "]" | "}" => {
                let start = open.pop().filter(|_| token.span.end == head.len());
                from = start.unwrap_or(from);
            }
            _ => {}
        }
        before = token.span.start;
    }
    let line = line_start(head, from);
    let is_here = |change: &Change| change.span.start >= line && change.span.end < head.len();
    changes(head, &formatted).into_iter().filter(is_here).collect()
}

#[cfg(test)]
mod tests;
