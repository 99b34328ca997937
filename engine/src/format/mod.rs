//! Formats scenarios and scripts. It changes white space only, and nothing that has a meaning.

mod changes;
mod code;
mod data;
mod diff;
mod line;
mod verbatim;

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use crate::diag::{Code, Diagnostic, Source};
use crate::load::SCENARIO_EXTENSION;
use crate::scenario;
use crate::script::{self, SCRIPT_EXTENSION};
use crate::tokens::{Language, tokens};

pub use changes::{Change, changes};
pub use diff::diff;
use verbatim::verbatim;

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
    let verbatim = verbatim(text, language)?;
    Some(match language {
        Language::Ron => data::format(text, &verbatim),
        Language::Rhai => code::format(text, &verbatim),
    })
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
    let line = head[..from].rfind('\n').map_or(0, |end| end + 1);
    let is_here = |change: &Change| change.span.start >= line && change.span.end < head.len();
    changes(head, &formatted).into_iter().filter(is_here).collect()
}

/// Columns of one level of indentation.
const LEVEL: usize = 4;

/// The characters that count as white space inside lines. Other spaces are rare, and stay.
const SPACES: [char; 2] = [' ', '\t'];

#[cfg(test)]
mod tests;
