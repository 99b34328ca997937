//! Finds names that do not exist, before a script runs.
//!
//! It reports only what is wrong for any values: a function that does not exist, a property of `me` or `world` that
//! no value has, a primitive with a wrong number of arguments.

use std::cell::Cell;
use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Engine, Expr, FnCallExpr, Position, Stmt};

use super::api;
use super::error::{self, Sources};
use crate::diag::Diagnostic;
use crate::steer;

/// The names of an imported script: its alias, and the functions in it.
pub(super) struct ImportedNames {
    pub(super) alias: String,
    pub(super) functions: Vec<String>,
}

/// Returns the errors of names in a compiled script that do not exist.
pub(super) fn check(
    engine: &Engine,
    ast: &AST,
    imported: &[ImportedNames],
    sources: &Sources<'_>,
) -> Vec<Diagnostic> {
    let own: BTreeSet<(&str, usize)> =
        ast.iter_functions().map(|f| (f.name, f.params.len())).collect();
    let mut known: BTreeSet<String> = engine
        .collect_fn_metadata(
            None,
            |info| info.namespace.is_empty().then(|| info.metadata.name.to_string()),
            true,
        )
        .into_iter()
        .collect();
    known.extend(own.iter().map(|(name, _)| (*name).to_owned()));
    known.extend(BUILT_IN.iter().map(|name| (*name).to_owned()));
    let names = NameCheck { own, known, imported, unknown: Cell::new(0) };
    let mut found: Vec<(Position, Diagnostic)> = Vec::new();
    ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Expr(expression)) => found.extend(names.wrong(expression, path)),
            // A call that is a statement of its own is not an expression in the syntax tree.
            Some(ASTNode::Stmt(Stmt::FnCall(call, position))) => {
                found.extend(names.wrong_function(call).map(|wrong| (*position, wrong)));
            }
            _ => {}
        }
        true
    });
    found.sort_by_key(|(position, _)| *position);
    found.dedup_by(|a, b| a.0 == b.0);
    found.into_iter().map(|(position, diagnostic)| sources.place(diagnostic, position)).collect()
}

/// Functions that are part of the language.
pub(super) const BUILT_IN: &[&str] =
    &["Fn", "call", "curry", "is_shared", "type_of", "is_def_fn", "is_def_var", "print", "debug"];

struct NameCheck<'a> {
    own: BTreeSet<(&'a str, usize)>,
    known: BTreeSet<String>,
    imported: &'a [ImportedNames],
    /// Number of unknown names that have been found.
    unknown: Cell<usize>,
}

/// Number of unknown names for which the nearest known name is suggested, because finding it takes time.
const MAX_SUGGESTIONS: usize = 100;

impl NameCheck<'_> {
    fn wrong(&self, expression: &Expr, path: &[ASTNode<'_>]) -> Option<(Position, Diagnostic)> {
        match expression {
            Expr::FnCall(call, position) => {
                self.wrong_function(call).map(|wrong| (*position, wrong))
            }
            Expr::MethodCall(call, position) => {
                let on_me = path.len() >= 2 && starts_with_me(&path[path.len() - 2]);
                self.wrong_call(call, on_me, true).map(|wrong| (*position, wrong))
            }
            Expr::Dot(dot, ..) => {
                let base = variable(&dot.lhs).filter(|name| ["me", "world"].contains(name))?;
                let (name, position) = first_property(&dot.rhs)?;
                if api::is_property(name) {
                    return None;
                }
                let wrong = error::unknown_property(base, &format!("`{base}`"), name);
                Some((position, wrong))
            }
            _ => None,
        }
    }

    fn wrong_function(&self, call: &FnCallExpr) -> Option<Diagnostic> {
        if call.namespace.is_empty() {
            self.wrong_call(call, false, false)
        } else {
            self.wrong_import(call)
        }
    }

    fn wrong_import(&self, call: &FnCallExpr) -> Option<Diagnostic> {
        let imported =
            self.imported.iter().find(|imported| imported.alias == call.namespace.root())?;
        if imported.functions.iter().any(|name| *name == call.name.as_str()) {
            return None;
        }
        let wrong = Diagnostic::error(format!(
            "there is no function `{}` in `{}`",
            call.name, imported.alias
        ));
        Some(wrong.suggest(&call.name, imported.functions.iter().map(String::as_str)))
    }

    fn wrong_call(&self, call: &FnCallExpr, on_me: bool, after_dot: bool) -> Option<Diagnostic> {
        let name = call.name.as_str();
        if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return None;
        }
        if !self.known.contains(name) {
            self.unknown.set(self.unknown.get() + 1);
            let mut valid: Vec<&str> = api::names().collect();
            valid.extend(self.own.iter().map(|(name, _)| *name));
            if self.unknown.get() > MAX_SUGGESTIONS {
                valid.clear();
            }
            return Some(error::unknown_function(name, after_dot, valid));
        }
        let primitive = steer::find(name).filter(|primitive| on_me || primitive.is_combinator())?;
        let given = call.args.len();
        if (primitive.required()..=primitive.params.len()).contains(&given)
            || self.own.iter().any(|(own, _)| *own == name)
        {
            return None;
        }
        let wrong = Diagnostic::error(primitive.wrong_count(given).to_string());
        Some(wrong.help(format!("call it as `{}`", primitive.usage())))
    }
}

/// Returns whether an expression is a dot directly after `me`.
fn starts_with_me(node: &ASTNode<'_>) -> bool {
    matches!(node, ASTNode::Expr(Expr::Dot(dot, ..)) if variable(&dot.lhs) == Some("me"))
}

fn variable(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Variable(variable, ..) => Some(variable.1.as_str()),
        _ => None,
    }
}

/// Returns the first property after a dot.
fn first_property(expression: &Expr) -> Option<(&str, Position)> {
    match expression {
        Expr::Property(property, position) => Some((property.2.as_str(), *position)),
        Expr::Dot(dot, ..) | Expr::Index(dot, ..) => first_property(&dot.lhs),
        _ => None,
    }
}
