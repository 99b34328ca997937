//! All that the parser finds wrong in a script. Rhai's parser gives up at the first mistake: the statement with it, or the function
//! if it is not clear where the statement ends, is replaced by blanks, and the rest is parsed again.

use std::ops::Range;

use rhai::{AST, ParseError, ParseErrorType};

use super::parse_error::{parse_error, parse_error_in};
use super::sources::Sources;
use crate::diag::Diagnostic;
use crate::tokens::{Language, Token, TokenKind, tokens};

/// Maximum number of mistakes that are looked for.
const MAX_MISTAKES: usize = 10;
/// An expression that can stand wherever a variable is read.
const ANY_VALUE: &str = "f()";

/// Returns the errors of a script, from the first one. `parse` parses a text in place of that of the script.
pub(super) fn parse_errors(
    first: ParseError,
    parse: impl Fn(&str) -> Result<AST, ParseError>,
    sources: &Sources<'_>,
) -> Vec<Diagnostic> {
    let mut text = sources.own.text.clone();
    let mut found = vec![parse_error(&first, sources)];
    let mut place = found[0].place.clone();
    let mut error = first;
    // What is declared in the blanked parts is unknown in the others.
    let mut declared: Vec<String> = Vec::new();
    for _ in 1..MAX_MISTAKES {
        let Some(at) = place.filter(|place| place.source == *sources.own) else { break };
        let Some(part) = part_with(&text, at.span.start, &error.0) else { break };
        declared.extend(declarations(&text[part.range.clone()]));
        let Some(blank) = part.blank(&text) else { break };
        text.replace_range(part.range, &blank);
        let Err(next) = parse(&text) else { break };
        let finding = parse_error_in(&next.0, next.1, None, sources);
        let is_consequence = matches!(&*next.0, ParseErrorType::VariableUndefined(name) | ParseErrorType::Reserved(name) if declared.contains(name));
        place = finding.place.clone();
        error = next;
        if !is_consequence {
            found.push(finding);
        }
    }
    found
}

/// A part of a script that is left out.
struct Part {
    range: Range<usize>,
    /// What is there instead, besides blanks.
    instead: &'static str,
}

impl Part {
    /// Returns as many bytes and letters in as many lines. `None` if there are none that are blank.
    fn blank(&self, text: &str) -> Option<String> {
        let mut blank = String::with_capacity(self.range.len());
        blank.push_str(self.instead);
        for letter in text[self.range.clone()].chars().skip(self.instead.len()) {
            blank.push(match letter.len_utf8() {
                _ if letter == '\n' => '\n',
                1 => ' ',
                2 => '\u{a0}',
                3 => '\u{2003}',
                _ => return None,
            });
        }
        Some(blank)
    }
}

/// Returns the part to leave out because of an error at a place.
fn part_with(text: &str, at: usize, kind: &ParseErrorType) -> Option<Part> {
    let statement = statement_at(text, at);
    if let ParseErrorType::VariableUndefined(name) = kind
        && name.len() >= ANY_VALUE.len()
        && name.is_ascii()
        && text[at..].starts_with(name.as_str())
        && statement.as_ref().is_none_or(|statement| statement.start < at)
    {
        return Some(Part { range: at..at + name.len(), instead: ANY_VALUE });
    }
    let range = statement.or_else(|| function_at(text, at))?;
    Some(Part { range, instead: "" })
}

/// Returns the statement at a place, with its `;`. `None` if it has blocks, or if it is not clear where it begins and ends.
fn statement_at(text: &str, at: usize) -> Option<Range<usize>> {
    let mut before: Option<Token> = None;
    let mut start = None;
    for token in tokens(text, Language::Rhai).filter(|token| !token.is_comment()) {
        let sign = if token.kind == TokenKind::Sign { &text[token.span.clone()] } else { "" };
        let is_boundary = matches!(sign, ";" | "{" | "}");
        if start.is_none() {
            let is_begun = before.as_ref().is_some_and(|before| match &text[before.span.clone()] {
                ";" | "{" => true,
                // It may be the end of a block within an expression.
                "}" => text[before.span.end..token.span.start].contains('\n'),
                _ => false,
            });
            start = is_begun.then_some(token.span.start);
        }
        if is_boundary {
            if token.span.end > at {
                let start = start.filter(|start| sign == ";" && *start <= at)?;
                let statement = start..token.span.end;
                return (!begins_block(&text[statement.clone()])).then_some(statement);
            }
            start = None;
        }
        before = Some(token);
    }
    None
}

/// Returns whether a statement begins with a keyword that a block follows, in which a `;` may not be its end.
fn begins_block(statement: &str) -> bool {
    const KEYWORDS: [&str; 7] = ["if", "else", "for", "while", "loop", "switch", "do"];
    let word = statement.split(|c: char| !c.is_alphabetic()).next();
    word.is_some_and(|word| KEYWORDS.contains(&word))
}

/// Returns the function at a place: from a line that begins with it to the next one.
fn function_at(text: &str, at: usize) -> Option<Range<usize>> {
    let mut starts = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("fn ") || line.starts_with("private fn ") {
            starts.push(line_start);
        }
        line_start += line.len();
    }
    let after = starts.partition_point(|start| *start <= at);
    let start = starts[after.checked_sub(1)?];
    Some(start..starts.get(after).copied().unwrap_or(text.len()))
}

/// Returns the names of the variables that a part of a script declares.
fn declarations(part: &str) -> Vec<String> {
    let words: Vec<&str> = part
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    let pairs = words.windows(2).filter(|pair| matches!(pair[0], "let" | "const"));
    pairs.map(|pair| pair[1].to_owned()).collect()
}
