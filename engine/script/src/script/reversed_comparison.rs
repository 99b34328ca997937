//! Errors of comparisons whose two signs are in the wrong order: `=>` and `=<`.

use std::sync::Arc;

use rhai::{LexError, ParseErrorType};

use crate::diag::{Code, Diagnostic, Fix, Remedy, Source};

/// Returns the error of a comparison with its signs in the wrong order, if that is why the parser stopped at a byte offset.
pub(super) fn reversed_comparison(
    kind: &ParseErrorType,
    stopped: usize,
    source: &Arc<Source>,
) -> Option<Diagnostic> {
    let is_behind_value = match kind {
        // A map has `:` there.
        ParseErrorType::MissingToken(token, _) => token != ":",
        ParseErrorType::BadInput(LexError::ImproperSymbol(sign, _)) => sign == "=",
        _ => false,
    };
    let written = source.text.get(stopped..stopped + 2).filter(|_| is_behind_value)?;
    let meant = match written {
        "=>" => ">=",
        "=<" => "<=",
        _ => return None,
    };
    let span = stopped..stopped + 2;
    let write = Fix::new(format!("Write `{meant}`"), source, span.clone(), meant);
    let wrong = Diagnostic::error(format!("`{written}` compares nothing: write `{meant}`"));
    Some(wrong.code(Code::Syntax).at(source, span).remedy(Remedy::Change(write)))
}
