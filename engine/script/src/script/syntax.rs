//! Parts of Rhai's syntax trees.

use std::ops::Range;

use rhai::{AST, ASTNode, Module, Shared};

use crate::tokens::line_start;

/// Returns a syntax tree with the body of a function as its statements, and all functions of the script.
pub(super) fn body_of(ast: &AST, function: &str, parameters: usize) -> AST {
    let mut only = Module::new();
    if let Some(definition) = ast.shared_lib().get_script_fn(function, parameters) {
        only.set_script_fn(Shared::clone(definition));
    }
    let only = AST::new([], only);
    let mut statements = Vec::new();
    only.walk(&mut |path| {
        if let [ASTNode::Stmt(statement)] = path {
            statements.push((*statement).clone());
        }
        true
    });
    AST::new(statements, ast.shared_lib().clone())
}

/// Returns where a name is defined, from its keyword to its end; empty if it is not found. Definitions in line comments
/// are ignored.
pub(super) fn definition_span(text: &str, keyword: &str, name: &str) -> Range<usize> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let found = text.match_indices(keyword).find_map(|(at, _)| {
        let line = line_start(text, at);
        let rest = &text[at + keyword.len()..];
        let start = text.len() - rest.trim_start().len();
        let is_it = !text[line..at].contains("//")
            && !text[..at].ends_with(is_letter)
            && text[start..].strip_prefix(name).is_some_and(|after| !after.starts_with(is_letter));
        (is_it && rest.starts_with(char::is_whitespace)).then_some(at..start + name.len())
    });
    found.unwrap_or(0..0)
}
