//! Errors of values that are missing behind an operator, of operators that are missing between values, and of numbers with a wrong point. Rhai reports what follows, which may be some
//! lines below.

use std::ops::Range;
use std::sync::Arc;

use rhai::{LexError, ParseErrorType};

use super::synonyms::instead_of_keyword;
use crate::diag::{Code, Diagnostic, Fix, Remedy, Source, decimal_points};
use crate::tokens::{Language, Token, TokenKind, tokens};

/// Returns the error of a value that is missing, if that is why the parser stopped at a byte offset.
pub(super) fn missing_value(
    kind: &ParseErrorType,
    stopped: usize,
    source: &Arc<Source>,
) -> Option<Diagnostic> {
    let code = CodeBefore::new(&source.text, stopped);
    let found = tokens(&source.text[stopped..], Language::Rhai).next()?;
    let found = &source.text[stopped..][found.span];
    let before_block = match kind {
        ParseErrorType::MissingToken(token, _) if token == "{" || token == ";" => {
            code.before_block_line()
        }
        _ => None,
    };
    let operator = match kind {
        _ if before_block.is_some() => before_block?,
        ParseErrorType::MissingToken(token, _) if token == "{" => code.head_of_block()?,
        ParseErrorType::ExprExpected(_) if found == "{" => code.all.len().checked_sub(1)?,
        _ if CANNOT_BEGIN_VALUES.contains(&found) => code.all.len().checked_sub(1)?,
        _ if ASSIGNMENTS.contains(&found) => code.before_line()?,
        _ => return None,
    };
    let sign = code.word(operator);
    let span = code.all[operator].span.clone();
    let what = match sign {
        "if" | "while" => "condition",
        "return" if before_block.is_some() => {
            let add = Fix::new("Add `;`", source, span.end..span.end, ";");
            let missing = Diagnostic::error("a value or `;` is missing after `return`");
            let missing = missing.code(Code::Syntax).at(source, span);
            return Some(missing.remedy(Remedy::Change(add)));
        }
        _ if code.is_operator(operator) => "value",
        _ => return None,
    };
    let missing = Diagnostic::error(format!("a {what} is missing after `{sign}`"));
    Some(missing.code(Code::Syntax).at(source, span))
}

/// Returns the unfinished part of a statement that ends at the token at a byte offset, if a statement with a block begins in the next line.
pub(super) fn unfinished_before_block(text: &str, at: usize) -> Option<Range<usize>> {
    let code = CodeBefore::new(text, text.len());
    let last = code.all.iter().position(|token| token.span.start == at)?;
    if !code.is_before_block_line(last) {
        return None;
    }
    let is_boundary = |index: &usize| matches!(code.word(*index), ";" | "{" | "}");
    let start = (0..last).rev().find(is_boundary).map_or(0, |boundary| boundary + 1);
    Some(code.all[start].span.start..code.all[last].span.end)
}

/// Returns the part of a script between the start of a condition and the end of the operator at a byte offset, behind which a value is missing
/// before a block.
pub(super) fn unfinished_condition(text: &str, operator: usize) -> Option<Range<usize>> {
    let code = CodeBefore::new(text, text.len());
    let end = code.all.iter().position(|token| token.span.start == operator)?;
    if !code.is_operator(end) {
        return None;
    }
    let is_boundary = |index: &usize| matches!(code.word(*index), ";" | "{" | "}");
    let mut before = (0..end).rev().take_while(|index| !is_boundary(index));
    let head = before.find(|index| matches!(code.word(*index), "if" | "while" | "in"))?;
    Some(code.all[head + 1].span.start..code.all[end].span.end)
}

/// A condition with two values that no operator connects, such as `near.count 1`.
pub(super) struct UnconnectedValues {
    /// Its bytes, up to the block behind it.
    pub(super) condition: Range<usize>,
    /// What is between the values.
    gap: Range<usize>,
    /// The second value, or its first word.
    second: Range<usize>,
}

/// Returns the condition with two values that no operator connects, if the parser expected a block at the second one, which is at a byte
/// offset.
pub(super) fn unconnected_values(
    kind: &ParseErrorType,
    text: &str,
    stopped: usize,
) -> Option<UnconnectedValues> {
    if !matches!(kind, ParseErrorType::MissingToken(token, _) if token == "{") {
        return None;
    }
    let code = CodeBefore::new(text, stopped);
    let last = code.all.len().checked_sub(1)?;
    let is_boundary = |index: &usize| matches!(code.word(*index), ";" | "{" | "}");
    let mut before = (0..last).rev().take_while(|index| !is_boundary(index));
    let head = before.find(|index| matches!(code.word(*index), "if" | "while"))?;
    let gap = code.all[last].span.end..stopped;
    let second = tokens(&text[stopped..], Language::Rhai).next()?;
    let second_span = stopped..stopped + second.span.end;
    // On the same line, a block follows.
    let line = text[stopped..].lines().next().unwrap_or_default();
    let mut signs = tokens(line, Language::Rhai).filter(|token| token.kind == TokenKind::Sign);
    let block = signs.find(|token| matches!(&line[token.span.clone()], "{" | "}" | ";"))?;
    let is_value = |word: &str, kind: TokenKind| match kind {
        TokenKind::Word => !NO_VALUES.contains(&word) && instead_of_keyword(word).is_none(),
        TokenKind::Number | TokenKind::Text | TokenKind::Character => true,
        TokenKind::Sign => matches!(word, ")" | "]"),
        _ => false,
    };
    let are_values = is_value(code.word(last), code.all[last].kind)
        && is_value(&text[second_span.clone()], second.kind);
    let is_in_line = !text[gap.clone()].contains('\n') && line[block.span.clone()] == *"{";
    let start = code.all[head + 1].span.start;
    let end = stopped + line[..block.span.start].trim_end().len();
    (are_values && is_in_line).then_some(UnconnectedValues {
        condition: start..end,
        gap,
        second: second_span,
    })
}

/// Returns the error of two values in a condition that no operator connects, if that is why the parser stopped at a byte offset.
pub(super) fn missing_operator(
    kind: &ParseErrorType,
    stopped: usize,
    source: &Arc<Source>,
) -> Option<Diagnostic> {
    let UnconnectedValues { gap, second, .. } = unconnected_values(kind, &source.text, stopped)?;
    let second_text = &source.text[second.clone()];
    let example = if second_text.starts_with(['"', '\'']) { "==" } else { ">" };
    let missing = format!("an operator such as `{example}` is missing before `{second_text}`");
    let place = if gap.is_empty() { second } else { gap };
    Some(Diagnostic::error(missing).code(Code::Syntax).at(source, place))
}

/// Words that are no values in conditions, though a person may write them there.
const NO_VALUES: &[&str] = &["then", "is", "do", "if", "while", "in", "return", "else"];

/// Signs and words that no value begins with, if the parser stopped there.
const CANNOT_BEGIN_VALUES: &[&str] = &[
    ")", "]", "}", ";", ",", "let", "const", "return", "fn", "private", "for", "while", "do",
    "break", "continue", "throw", "import",
];
/// Keywords with which a statement with a block begins.
const BLOCK_HEADS: &[&str] = &["if", "for", "while", "loop", "switch", "do"];
const ASSIGNMENTS: &[&str] =
    &["=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", "&=", "|=", "^="];
/// Operators with a value behind them, besides assignments and the bars of closures.
const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "%", "**", "==", "!=", "<", "<=", ">", ">=", "&&", "&", "^", "<<", ">>",
    "??", "..", "..=", "!", "=>", "in",
];

/// The tokens of a script up to a place, without comments.
struct CodeBefore<'t> {
    text: &'t str,
    all: Vec<Token>,
}

impl<'t> CodeBefore<'t> {
    fn new(text: &'t str, end: usize) -> Self {
        let all = tokens(&text[..end], Language::Rhai).filter(|token| !token.is_comment());
        Self { text, all: all.collect() }
    }

    fn word(&self, index: usize) -> &'t str {
        self.all.get(index).map_or("", |token| &self.text[token.span.clone()])
    }

    fn is_operator(&self, index: usize) -> bool {
        let sign = self.word(index);
        let is_or = || {
            let before = index.checked_sub(1).map_or("", |before| self.word(before));
            let is_value = |c: char| c.is_alphanumeric() || "_)]}\"`'".contains(c);
            sign == "||" && before.ends_with(is_value)
        };
        OPERATORS.contains(&sign) || ASSIGNMENTS.contains(&sign) || is_or()
    }

    /// Returns the token before the last block, which was read as a value if a value is missing before it.
    fn head_of_block(&self) -> Option<usize> {
        let mut depth = 0;
        for index in (0..self.all.len()).rev() {
            match self.word(index) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return (self.word(index) == "{").then_some(index.checked_sub(1)?);
            }
        }
        None
    }

    /// Returns whether a token needs a value behind it, but the next line begins a statement with a block, and is not indented more.
    fn is_before_block_line(&self, index: usize) -> bool {
        let needs_value =
            self.is_operator(index) || ["if", "while", "return"].contains(&self.word(index));
        let Some(next) = self.all.get(index + 1).filter(|_| needs_value) else { return false };
        let indentation = |at: usize| {
            let line = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
            self.text[line..].len() - self.text[line..].trim_start_matches([' ', '\t']).len()
        };
        let (end, start) = (self.all[index].span.end, next.span.start);
        BLOCK_HEADS.contains(&self.word(index + 1))
            && self.text[end..start].contains('\n')
            && indentation(start) <= indentation(end)
    }

    /// Returns the token behind which a value is missing, if the code ends with a block that was read as this value, and whose statement
    /// begins in the next line.
    fn before_block_line(&self) -> Option<usize> {
        let last = self.all.len().checked_sub(1).filter(|&last| self.word(last) == "}")?;
        let mut depth = 0;
        for index in (0..=last).rev() {
            match self.word(index) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" | "#{" if depth == 0 => return None,
                "(" | "[" | "{" | "#{" => depth -= 1,
                ";" if depth == 0 => return None,
                _ if depth == 0 && self.is_before_block_line(index) => return Some(index),
                _ => {}
            }
        }
        None
    }

    /// Returns the last token of the line before, if the last line has only what a value can be assigned to.
    fn before_line(&self) -> Option<usize> {
        let is_target = |token: &&Token| {
            token.kind != TokenKind::Sign
                || matches!(&self.text[token.span.clone()], "." | "[" | "]")
        };
        let line = self.text[..self.all.last()?.span.end].rfind('\n')?;
        let is_here = |token: &&Token| token.span.start > line;
        let here = self.all.iter().rev().take_while(is_here).filter(is_target).count();
        let before = self.all.len().checked_sub(here + 1)?;
        let is_other_line = here > 0 && self.all[before].span.end <= line;
        let is_assignment = ASSIGNMENTS.contains(&self.word(before));
        (is_other_line && !is_assignment).then_some(before)
    }
}

/// Returns the error of a number without a digit before its point, or with several points, if that is why the parser stopped at a byte
/// offset.
pub(super) fn wrong_number(
    kind: &ParseErrorType,
    stopped: usize,
    source: &Arc<Source>,
) -> Option<Diagnostic> {
    let is_point = match kind {
        ParseErrorType::BadInput(LexError::UnexpectedInput(sign)) => sign == ".",
        ParseErrorType::PropertyExpected => true,
        _ => false,
    };
    let text = source.text.as_str();
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '_');
    let start = text[..stopped].trim_end_matches(is_part).len();
    let end = text[stopped..].find(|c| !is_part(c)).map_or(text.len(), |end| stopped + end);
    let number = &text[start..end];
    let is_name = text[..start].ends_with(|c: char| c.is_alphanumeric());
    if !is_point || is_name {
        return None;
    }
    if let Some(wrong) = decimal_points(number) {
        return Some(wrong.at(source, start..end));
    }
    let digits = number.strip_prefix('.').filter(|rest| !rest.contains('.'))?;
    // It may be a member of the value before it.
    let is_alone = !text[..start].trim_end().ends_with([')', ']', '}', '"', '`', '\'']);
    let is_number = is_alone && digits.starts_with(|c: char| c.is_ascii_digit());
    is_number.then(|| {
        let right = format!("0.{digits}");
        Diagnostic::error(format!("a number begins with a digit, found `{number}`"))
            .code(Code::Syntax)
            .at(source, start..end)
            .help(format!("write `{right}`"))
            .remedy(Remedy::Change(Fix::new(format!("Write `{right}`"), source, start..end, right)))
    })
}
