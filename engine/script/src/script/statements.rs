//! Where the statements and the functions of a script are, and which names they declare, also in a script that cannot be parsed.

use std::ops::Range;

use crate::tokens::{CodeTokens, Language, Token, TokenKind, code};

/// Returns the statement at a place, as [`Statements::at`] does.
pub(super) fn statement_at(text: &str, at: usize) -> Option<Range<usize>> {
    Statements::new(text).at(at)
}

/// The statements of a script.
pub(super) struct Statements {
    /// What is between a `;`, `{` or `}` and the next one: where it begins if that is clear, where the next one ends, and the statement.
    parts: Vec<(Option<usize>, usize, Option<Range<usize>>)>,
}

impl Statements {
    /// Finds the statements of a script.
    pub(super) fn new(text: &str) -> Self {
        Self { parts: parts_between(text) }
    }

    /// Returns the statement at a place, with its `;`. `None` if it has blocks, or if it is not clear where it begins and ends.
    pub(super) fn at(&self, at: usize) -> Option<Range<usize>> {
        let index = self.parts.partition_point(|(_, end, _)| *end <= at);
        let (start, _, statement) = self.parts.get(index)?;
        start.filter(|start| *start <= at)?;
        statement.clone()
    }
}

fn parts_between(text: &str) -> Vec<(Option<usize>, usize, Option<Range<usize>>)> {
    let mut parts = Vec::new();
    let mut before: Option<Token> = None;
    let (mut start, mut before_start) = (None, String::new());
    for token in code(text, Language::Rhai) {
        let sign = if token.kind == TokenKind::Sign { &text[token.span.clone()] } else { "" };
        let is_boundary = matches!(sign, ";" | "{" | "}");
        if start.is_none() {
            let sign = before.as_ref().map_or("", |before| &text[before.span.clone()]);
            let is_begun = match sign {
                ";" | "{" => true,
                // It may be the end of a block within an expression.
                "}" => text[..token.span.start].trim_end_matches([' ', '\t']).ends_with('\n'),
                _ => false,
            };
            start = is_begun.then_some(token.span.start);
            before_start = sign.to_owned();
        }
        if is_boundary {
            let end = match sign {
                ";" => Some(token.span.end),
                // The last expression of a block, where it is surely a block.
                "}" if before_start != "{" => Some(token.span.start),
                _ => None,
            };
            let statement = start.zip(end).map(|(start, end)| start..end);
            let statement = statement.filter(|of| !begins_block(&text[of.clone()]));
            parts.push((start.take(), token.span.end, statement));
        }
        before = Some(token);
    }
    parts
}

/// Returns whether a statement begins with a keyword that a block follows, in which a `;` may not be its end.
fn begins_block(statement: &str) -> bool {
    const KEYWORDS: [&str; 7] = ["if", "else", "for", "while", "loop", "switch", "do"];
    let word = statement.split(|c: char| !c.is_alphabetic()).next();
    word.is_some_and(|word| KEYWORDS.contains(&word))
}

/// Where the functions of a script begin, and where the script ends.
pub(super) struct FunctionStarts {
    starts: Vec<usize>,
    end: usize,
}

impl FunctionStarts {
    /// Finds the lines that begin with a function.
    pub(super) fn new(text: &str) -> Self {
        let mut starts = Vec::new();
        let mut line_start = 0;
        for line in text.split_inclusive('\n') {
            if line.starts_with("fn ") || line.starts_with("private fn ") {
                starts.push(line_start);
            }
            line_start += line.len();
        }
        Self { starts, end: text.len() }
    }

    /// Returns the function at a place: from a line that begins with it to the next one.
    pub(super) fn at(&self, at: usize) -> Option<Range<usize>> {
        let after = self.starts.partition_point(|start| *start <= at);
        let start = self.starts[after.checked_sub(1)?];
        Some(start..self.starts.get(after).copied().unwrap_or(self.end))
    }
}

/// Returns the function at a place, as [`FunctionStarts::at`] does.
pub(super) fn function_at(text: &str, at: usize) -> Option<Range<usize>> {
    FunctionStarts::new(text).at(at)
}

/// Returns the name of a function that begins with `fn name(` or `private fn name(`.
pub(super) fn function_name(text: &str) -> Option<&str> {
    let head = text.split_once('(')?.0;
    head.split_whitespace().last()
}

/// Returns a name as it is declared: with a point before that of a property.
pub(super) fn name(code: &CodeTokens<'_>, index: usize) -> String {
    let point = if code.before(index) == "." { "." } else { "" };
    format!("{point}{}", code.get(index))
}

/// Returns the names of the variables, functions, properties and imported scripts that a part of a script declares, or sets in any way.
pub(super) fn declarations(part: &str) -> Vec<String> {
    let code = CodeTokens::new(part, Language::Rhai);
    let is_set = |mut index: usize| {
        while code.before(index) == "." {
            index = index.saturating_sub(2);
        }
        matches!(code.before(index), "" | ";" | "{" | "}" | "]" | ",") || code.is_word(index - 1)
    };
    let is_declared = |&index: &usize| {
        code.is_word(index)
            && (matches!(code.before(index), "let" | "const" | "fn" | "as")
                || (code.get(index + 1) == "=" && is_set(index)))
            // These always are what they are.
            && !matches!(code.get(index), "me" | "world")
    };
    (0..code.all.len()).filter(is_declared).map(|index| name(&code, index)).collect()
}
