//! Errors of values that are missing behind an operator, of operators that are missing between values, and of numbers with a wrong point. Rhai reports what follows, which may be some
//! lines below.

use std::ops::Range;
use std::sync::Arc;

use rhai::{LexError, ParseErrorType};

use super::synonyms::instead_of_keyword;
use crate::diag::{Code, Diagnostic, Source, decimal_points};
use crate::tokens::{CodeTokens, Language, Token, TokenKind, line_start, tokens};

/// Returns the error of a value that is missing, if that is why the parser stopped at a byte offset.
pub(super) fn missing_value(
    kind: &ParseErrorType,
    stopped: usize,
    source: &Arc<Source>,
) -> Option<Diagnostic> {
    let code = CodeTokens::new(&source.text[..stopped], Language::Rhai);
    let found = tokens(&source.text[stopped..], Language::Rhai).next()?;
    let found = &source.text[stopped..][found.span];
    let before_block = match kind {
        ParseErrorType::MissingToken(token, _) if token == "{" || token == ";" => {
            before_block_line(&code)
        }
        _ => None,
    };
    let operator = match kind {
        _ if before_block.is_some() => before_block?,
        ParseErrorType::MissingToken(token, _) if token == "{" => head_of_block(&code)?,
        ParseErrorType::ExprExpected(_) if found == "{" => code.all.len().checked_sub(1)?,
        _ if CANNOT_BEGIN_VALUES.contains(&found) => code.all.len().checked_sub(1)?,
        _ if ASSIGNMENTS.contains(&found) => before_line(&code)?,
        _ => return None,
    };
    let sign = code.get(operator);
    let span = code.all[operator].span.clone();
    let what = match sign {
        "if" | "while" => "condition",
        "return" if before_block.is_some() => {
            let missing = Diagnostic::error("a value or `;` is missing after `return`");
            let missing = missing.code(Code::Syntax).at(source, span.clone());
            return Some(missing.fix("Add `;`", source, span.end..span.end, ";"));
        }
        _ if is_operator(&code, operator) => "value",
        _ => return None,
    };
    let missing = Diagnostic::error(format!("a {what} is missing after `{sign}`"));
    Some(missing.code(Code::Syntax).at(source, span))
}

/// Returns the unfinished part of a statement that ends at the token at a byte offset, if a statement with a block begins in the next line.
pub(super) fn unfinished_before_block(text: &str, at: usize) -> Option<Range<usize>> {
    let code = CodeTokens::new(text, Language::Rhai);
    let last = code.all.iter().position(|token| token.span.start == at)?;
    if !is_before_block_line(&code, last) {
        return None;
    }
    let start =
        (0..last).rev().find(|&index| code.is_boundary(index)).map_or(0, |boundary| boundary + 1);
    Some(code.all[start].span.start..code.all[last].span.end)
}

/// Returns the part of a script between the start of a condition and the end of the operator at a byte offset, behind which a value is missing
/// before a block.
pub(super) fn unfinished_condition(text: &str, operator: usize) -> Option<Range<usize>> {
    let code = CodeTokens::new(text, Language::Rhai);
    let end = code.all.iter().position(|token| token.span.start == operator)?;
    if !is_operator(&code, end) {
        return None;
    }
    let mut before = (0..end).rev().take_while(|&index| !code.is_boundary(index));
    let head = before.find(|index| matches!(code.get(*index), "if" | "while" | "in"))?;
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
    let code = CodeTokens::new(&text[..stopped], Language::Rhai);
    let last = code.all.len().checked_sub(1)?;
    let mut before = (0..last).rev().take_while(|&index| !code.is_boundary(index));
    let head = before.find(|index| matches!(code.get(*index), "if" | "while"))?;
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
    let are_values = is_value(code.get(last), code.all[last].kind)
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

/// Returns whether a string begins at a byte offset, directly behind the word `f`.
pub(super) fn has_f_before(text: &str, at: usize) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text[at..].starts_with('"')
        && text[..at].strip_suffix('f').is_some_and(|before| !before.ends_with(is_word))
}

/// Returns the error of two values in a condition that no operator connects, if that is why the parser stopped at a byte offset.
pub(super) fn missing_operator(
    kind: &ParseErrorType,
    stopped: usize,
    source: &Arc<Source>,
) -> Option<Diagnostic> {
    let UnconnectedValues { gap, second, .. } = unconnected_values(kind, &source.text, stopped)?;
    if has_f_before(&source.text, second.start) {
        return None;
    }
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

fn is_operator(code: &CodeTokens<'_>, index: usize) -> bool {
    let sign = code.get(index);
    let is_or = || {
        let is_value = |c: char| c.is_alphanumeric() || "_)]}\"`'".contains(c);
        sign == "||" && code.before(index).ends_with(is_value)
    };
    OPERATORS.contains(&sign) || ASSIGNMENTS.contains(&sign) || is_or()
}

/// Returns the token before the last block, which was read as a value if a value is missing before it.
fn head_of_block(code: &CodeTokens<'_>) -> Option<usize> {
    let open = code.opening(code.all.len().checked_sub(1)?)?;
    (code.get(open) == "{").then_some(open.checked_sub(1)?)
}

/// Returns whether a token needs a value behind it, but the next line begins a statement with a block, and is not indented more.
fn is_before_block_line(code: &CodeTokens<'_>, index: usize) -> bool {
    let needs_value =
        is_operator(code, index) || ["if", "while", "return"].contains(&code.get(index));
    let Some(next) = code.all.get(index + 1).filter(|_| needs_value) else { return false };
    let indentation = |at: usize| {
        let line = line_start(code.text, at);
        code.text[line..].len() - code.text[line..].trim_start_matches([' ', '\t']).len()
    };
    let (end, start) = (code.all[index].span.end, next.span.start);
    BLOCK_HEADS.contains(&code.get(index + 1))
        && code.text[end..start].contains('\n')
        && indentation(start) <= indentation(end)
}

/// Returns the token behind which a value is missing, if the code ends with a block that was read as this value, and whose statement
/// begins in the next line.
fn before_block_line(code: &CodeTokens<'_>) -> Option<usize> {
    let last = code.all.len().checked_sub(1).filter(|&last| code.get(last) == "}")?;
    let mut depth = 0;
    for index in (0..=last).rev() {
        match code.get(index) {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth == 0 => return None,
            "(" | "[" | "{" => depth -= 1,
            ";" if depth == 0 => return None,
            _ if depth == 0 && is_before_block_line(code, index) => return Some(index),
            _ => {}
        }
    }
    None
}

/// Returns the last token of the line before, if the last line has only what a value can be assigned to.
fn before_line(code: &CodeTokens<'_>) -> Option<usize> {
    let is_target = |token: &&Token| {
        token.kind != TokenKind::Sign || matches!(&code.text[token.span.clone()], "." | "[" | "]")
    };
    let line = code.text[..code.all.last()?.span.end].rfind('\n')?;
    let is_here = |token: &&Token| token.span.start > line;
    let here = code.all.iter().rev().take_while(is_here).filter(is_target).count();
    let before = code.all.len().checked_sub(here + 1)?;
    let is_other_line = here > 0 && code.all[before].span.end <= line;
    let is_assignment = ASSIGNMENTS.contains(&code.get(before));
    (is_other_line && !is_assignment).then_some(before)
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
            .fix(format!("Write `{right}`"), source, start..end, right)
    })
}
