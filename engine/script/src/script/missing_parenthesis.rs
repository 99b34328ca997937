//! Errors of an opening parenthesis that is missing behind the name of a function, as in `me.separationnear)`. What is told otherwise is
//! the closing one, without which less would be right. And of a closing one behind neighbors, as in `me.separation(near * 2;`.

use std::ops::Range;
use std::sync::Arc;

use super::{api, scope};
use crate::diag::{Code, Diagnostic, Place, Source, brackets};
use crate::steer;
use crate::tokens::{CodeTokens, Language, Token, TokenKind};

/// Returns the error of a parenthesis that is missing behind the name of a function, if a later one in its statement closes nothing.
pub(super) fn missing_parenthesis(source: &Arc<Source>) -> Option<Diagnostic> {
    let text = source.text.as_str();
    let closing = brackets::unclosed(source, Language::Rhai)?.place?.span;
    if text.get(closing.clone()) != Some(")") {
        return None;
    }
    let code = CodeTokens::new(&text[..closing.end], Language::Rhai);
    let of_statement = (0..code.all.len()).rev().take_while(|&index| !code.is_boundary(index));
    let words = of_statement.filter(|&index| code.is_word(index));
    let names = Names::new(text, closing.start);
    let is_declared = |index: usize| matches!(code.before(index), "fn" | "let");
    for index in words.filter(|&index| !is_declared(index)) {
        let (span, next) = (&code.all[index].span, index + 1);
        let name = &text[span.clone()];
        let is_called = matches!(code.get(next), "(" | "::");
        let end = if is_called || !names.is_function(name) || names.is_other(name) {
            match names.function_before(name) {
                Some(length) => span.start + length,
                None => continue,
            }
        } else if code.get(next) == ")"
            || code.all.get(next).is_some_and(|next| names.is_value(next))
        {
            span.end
        } else {
            continue;
        };
        let function = &text[span.start..end];
        // The white space before the arguments is that of the parenthesis.
        let gap = text[end..].len() - text[end..].trim_start_matches(' ').len();
        let missing = Diagnostic::error(format!("`(` is missing after `{function}`"));
        let missing = missing.code(Code::Syntax).at(source, span.start..end);
        return Some(missing.fix("Insert `(`", source, end..end + gap, "("));
    }
    None
}

/// Moves the closing parenthesis that the error of an open one inserts to behind the first argument, if that is a neighborhood with an
/// operator behind it: `2` multiplies the force then.
pub(super) fn closed_behind_neighbors(mut error: Diagnostic, source: &Arc<Source>) -> Diagnostic {
    let operator = error.place.as_ref().and_then(|place| operator_behind(source, place.span.start));
    let fix = error.fixes().into_iter().next().filter(|fix| fix.text == ")");
    let (Some(operator), Some(fix)) = (operator, fix) else { return error };
    let related = format!("`)` is missing before this `{}`", &source.text[operator.clone()]);
    let end = source.text[..operator.start].trim_end().len();
    error.related.clear();
    error.remedies.0.clear();
    let place = Place { source: Arc::clone(source), span: operator };
    error.related(place, related).fix(fix.title, source, end..end, ")")
}

/// Returns the operator behind the first argument of a call of a primitive, by the byte offset of the parenthesis, if a variable is the argument
/// that is declared with `me.neighbors(...)`.
fn operator_behind(source: &Source, open: usize) -> Option<Range<usize>> {
    let code = CodeTokens::new(&source.text, Language::Rhai);
    let open = code.all.iter().position(|token| token.span.start == open)?;
    let primitive = steer::find(code.before(open)).filter(|_| code.get(open) == "(")?;
    let takes_neighbors = primitive.params.first()?.kind == steer::ParamKind::Neighbors;
    let (variable, operator) = (code.get(open + 1), code.get(open + 2));
    let declared = (0..open).rev().find(|&index| {
        code.get(index) == "let" && code.get(index + 1) == variable && code.get(index + 2) == "="
    })?;
    let value = declared + 3;
    let is_call =
        [0, 1, 2, 3].map(|index| code.get(value + index)) == ["me", ".", "neighbors", "("];
    let is_neighbors = is_call && code.get(code.closing(value + 3)? + 1) == ";";
    let is_it = takes_neighbors && is_neighbors && matches!(operator, "*" | "/" | "+" | "-");
    is_it.then(|| code.all[open + 2].span.clone())
}

/// The names that a script can use at a place.
struct Names<'t> {
    text: &'t str,
    variables: Vec<&'t str>,
    /// The functions that the script defines.
    own: Vec<&'t str>,
}

impl<'t> Names<'t> {
    fn new(text: &'t str, at: usize) -> Self {
        let all = scope::script_names(text).declared.into_iter();
        let own = all.filter(|one| matches!(one.kind, scope::DeclarationKind::Function { .. }));
        let own = own.map(|one| &text[one.name]).collect();
        Self { text, variables: scope::variables(text, at), own }
    }

    fn is_function(&self, name: &str) -> bool {
        steer::find(name).is_some() || api::is_function(name) || self.own.contains(&name)
    }

    /// Returns whether a name is that of a value, too.
    fn is_other(&self, name: &str) -> bool {
        self.variables.contains(&name) || api::GLOBALS.contains(&name) || api::is_property(name)
    }

    /// Returns whether a token begins a value.
    fn is_value(&self, token: &Token) -> bool {
        let word = &self.text[token.span.clone()];
        match token.kind {
            TokenKind::Word => self.is_known(word),
            kind => matches!(kind, TokenKind::Number | TokenKind::Text),
        }
    }

    fn is_known(&self, word: &str) -> bool {
        self.is_other(word) || self.is_function(word)
    }

    /// Returns the length of the name of a function with which a word begins, if the rest is a number or the name of a value.
    fn function_before(&self, word: &str) -> Option<usize> {
        if self.is_known(word) {
            return None;
        }
        let lengths = word.char_indices().rev().map(|(length, _)| length);
        let is_split = |&length: &usize| {
            let (name, rest) = word.split_at(length);
            let is_number = rest.bytes().all(|byte| byte.is_ascii_digit());
            self.is_function(name) && (is_number || self.is_known(rest))
        };
        let mut lengths = lengths.filter(|length| *length > 0);
        lengths.find(is_split)
    }
}
