//! Members that are not written yet: a `.` at the end of a line. What follows in the next line is no member, but Rhai reads it as one.

use std::ops::Range;
use std::sync::Arc;

use super::recovery::Mistakes;
use super::scope::script_names;
use super::statements::declarations;
use crate::diag::{Code, Diagnostic, Source};
use crate::tokens::{CodeTokens, Language, line_start};

/// Words that begin what no member can be.
const KEYWORDS: [&str; 14] = [
    "let", "const", "if", "else", "for", "while", "loop", "do", "return", "switch", "break",
    "continue", "throw", "fn",
];

/// Returns the errors of all members of a script that are not written yet, and the rest of it: the values are still there. `None` if there
/// are none.
pub(super) fn unfinished_members(source: &Arc<Source>) -> Option<Mistakes> {
    let text = source.text.as_str();
    // Most scripts have none, and need not be looked at further.
    let ends = |line: &str| {
        let code = line.split("//").next().unwrap_or_default().trim_end();
        code.ends_with('.') && !code.ends_with("..")
    };
    if !text.lines().any(ends) {
        return None;
    }
    let code = CodeTokens::new(text, Language::Rhai);
    let declared = script_names(text).declared;
    let is_known = |word: &str, at: usize| {
        let mut known = declared.iter().filter(|one| one.is_value() && one.scope.contains(&at));
        known.any(|one| text[one.name.clone()] == *word)
    };
    let last = (0..code.all.len()).filter(|&index| is_last(&code, index)).take(MAX_LINES);
    let dots = last.filter(|&index| {
        let word = code.get(index + 1);
        let is_variable = code.get(index + 2) != "(" && is_known(word, code.all[index].span.end);
        let is_other = KEYWORDS.contains(&word) || matches!(word, "me" | "world");
        let at = code.all[index].span.start;
        // A sentence behind the sign of comments in Python.
        let is_sentence = text[line_start(text, at)..at].contains("# ");
        !is_sentence && (!code.is_word(index + 1) || is_other || is_variable)
    });
    let dots: Vec<usize> = dots.collect();
    let mut rest = text.to_owned();
    let mut left_out: Vec<Range<usize>> = Vec::new();
    for &dot in dots.iter().take(MAX_DOTS) {
        let span = code.all[dot].span.clone();
        // In a call or a condition, the value goes on.
        let is_in_block = code.opening_around(dot).is_none_or(|open| code.get(open) == "{");
        let is_statement = is_in_block && code.get(dot + 1) != "{";
        rest.replace_range(span.clone(), if is_statement { ";" } else { " " });
        left_out.push(line_start(text, span.start)..span.end);
    }
    let found = dots.iter().take(MAX_DOTS).map(|&dot| {
        Diagnostic::error("expected the name of a property or a function after `.`")
            .code(Code::Syntax)
            .at(source, code.all[dot].span.clone())
    });
    let found: Vec<Diagnostic> = found.collect();
    let declared = left_out.iter().flat_map(|part| declarations(&text[part.clone()])).collect();
    let rest = (dots.len() <= MAX_DOTS).then_some(rest);
    (!found.is_empty()).then_some(Mistakes { found, rest, left_out, declared })
}

/// Maximum number of lines that are looked at.
const MAX_LINES: usize = 100;
/// Maximum number of members that are told.
const MAX_DOTS: usize = 10;

/// Returns whether a token is a dot at the end of a line.
fn is_last(code: &CodeTokens<'_>, index: usize) -> bool {
    let end = code.all[index].span.end;
    let next = code.all.get(index + 1).map_or(code.text.len(), |token| token.span.start);
    let is_behind = index > 0 && code.all[index - 1].span.end + 1 == end;
    code.get(index) == "." && is_behind && code.text[end..next].contains('\n')
}
