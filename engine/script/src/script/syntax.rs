//! Parts of Rhai's syntax trees.

use rhai::{AST, ASTNode, Expr, Module, Position, Shared, Stmt};

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

/// Returns the path, the alias and the position of all import statements. A path that is not a plain string, and a
/// missing alias, are `None`.
pub(super) fn import_statements(draft: &AST) -> Vec<(Option<String>, Option<String>, Position)> {
    let mut found = Vec::new();
    draft.walk(&mut |path| {
        if let Some(ASTNode::Stmt(Stmt::Import(import, position))) = path.last() {
            let (expression, alias) = &**import;
            let path = match expression {
                Expr::StringConstant(text, _) => Some(text.to_string()),
                _ => None,
            };
            let alias = (!alias.name.is_empty()).then(|| alias.name.to_string());
            found.push((path, alias, *position));
        }
        true
    });
    found
}
