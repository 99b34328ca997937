//! Warns of `^`, which is not a power in scripts.

use crate::diag::Diagnostic;
use crate::script::compile::Script;
use crate::tokens::{Language, Token, TokenKind, code};

/// Returns a warning for each `^` before a number.
pub(super) fn findings(script: &Script) -> Vec<Diagnostic> {
    let text = script.source.text.as_str();
    let all: Vec<Token> = code(text, Language::Rhai).collect();
    let is_power =
        |pair: &&[Token]| &text[pair[0].span.clone()] == "^" && pair[1].kind == TokenKind::Number;
    let warning = |pair: &[Token]| {
        let span = pair[0].span.clone();
        Diagnostic::warning("`^` is not a power, but the exclusive or of two integers")
            .help("a power is written `**`: `x ** 2`")
            .at(&script.source, span.clone())
            .fix("Write `**`", &script.source, span, "**")
    };
    all.windows(2).filter(is_power).map(warning).collect()
}
