//! Variables that are never read.

use std::collections::BTreeSet;

use rhai::{ASTNode, Expr, Position, Stmt};

use crate::diag::Diagnostic;
use crate::script::compile::Script;

/// A warning for each variable of a script's functions whose name is not read anywhere in its function.
pub(super) fn variables(script: &Script) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let functions: Vec<(String, usize)> = script
        .functions()
        .map(|(name, parameters)| (name.to_owned(), parameters))
        .collect();
    for (name, parameters) in functions {
        // A closure is a function that nobody wrote.
        if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            continue;
        }
        let body = script.body(&name, parameters);
        let mut defined: Vec<(String, Position)> = Vec::new();
        let mut read: BTreeSet<String> = BTreeSet::new();
        body.walk(&mut |path| {
            match path {
                [
                    ..,
                    ASTNode::Stmt(Stmt::Assignment(assignment)),
                    ASTNode::Expr(target),
                ] if std::ptr::eq(&raw const assignment.1.lhs, &raw const **target)
                    && matches!(target, Expr::Variable(..)) => {}
                [.., ASTNode::Expr(Expr::Variable(variable, ..))] => {
                    read.insert(variable.1.to_string());
                }
                [.., ASTNode::Stmt(Stmt::Var(var, _, position))] => {
                    defined.push((var.0.name.to_string(), *position));
                }
                // Which variables a closure takes along.
                [.., ASTNode::Stmt(Stmt::Share(names))] => {
                    read.extend(names.iter().map(|(name, _)| name.name.to_string()));
                }
                _ => {}
            }
            true
        });
        for (name, position) in defined {
            if !read.contains(&name) && !name.starts_with('_') {
                let what = Diagnostic::warning(format!("the variable `{name}` is never read"))
                    .help(format!("leave it out, or call it `_{name}`"));
                found.push(script.texts().place(what, position));
            }
        }
    }
    found
}
