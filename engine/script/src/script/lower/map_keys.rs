//! Warns of elements that a map written in the script does not have: reading one gives `()`.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Expr, Map, Position, Stmt};

use super::analysis::collect_assigned;
use crate::diag::{Code, Diagnostic};
use crate::script::compile::Script;
use crate::script::syntax::body_of;

/// The keys of maps, by the names of the constants and variables that hold them; `None` if a map may change.
type Keys = BTreeMap<String, Option<BTreeSet<String>>>;

/// Returns a warning for each element that is read from a constant, or from a variable that nothing changes, and that
/// the map does not have. The syntax tree is that of the script as it is written, since the optimizer replaces elements of constants by
/// their values.
pub(super) fn unknown(script: &Script, ast: &AST) -> Vec<Diagnostic> {
    let mut constants = Keys::new();
    for (name, value) in &script.constants {
        if let Some(map) = value.read_lock::<Map>() {
            constants.insert(name.clone(), Some(map.keys().map(ToString::to_string).collect()));
        }
    }
    let mut found = Vec::new();
    for (name, count) in script.functions() {
        let mut keys = constants.clone();
        // A parameter hides a constant.
        script.parameters(name, count).iter().for_each(|parameter| {
            keys.remove(parameter);
        });
        let body = body_of(ast, name, count);
        add_variables(body.statements(), &mut keys);
        for statement in body.statements() {
            statement.walk(&mut Vec::new(), &mut |path| {
                found.extend(missing(path, &keys).map(|(of, key, known, position)| {
                    let what = format!("the map `{of}` has no element `{key}`, so this is `()`");
                    let warning = Diagnostic::warning(what).code(Code::MayBeNothing);
                    let warning = warning.suggest(key, known.iter().map(String::as_str));
                    script.sources().place(warning, position)
                }));
                true
            });
        }
    }
    found
}

/// Adds the maps in variables of a function, and removes what its other variables hide.
fn add_variables(statements: &[Stmt], all: &mut Keys) {
    let mut changed = BTreeSet::new();
    let mut declared: BTreeSet<String> = BTreeSet::new();
    for statement in statements {
        statement.walk(&mut Vec::new(), &mut collect_assigned(&mut changed));
        statement.walk(&mut Vec::new(), &mut |path| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Var(var, ..))) => {
                    let name = var.0.name.to_string();
                    let is_first = declared.insert(name.clone());
                    all.insert(name, written_keys(&var.1).filter(|_| is_first));
                }
                Some(ASTNode::Stmt(Stmt::For(parts, _))) => {
                    let names = [Some(&parts.0), parts.1.as_ref()];
                    changed.extend(names.into_iter().flatten().map(|name| name.name.to_string()));
                }
                // A function may change its first argument, and a closure what it captures.
                Some(
                    ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)),
                ) if !call.is_operator_call() => {
                    if let Some(Expr::Variable(variable, ..)) = call.args.first() {
                        changed.insert(variable.1.to_string());
                    }
                }
                Some(ASTNode::Stmt(Stmt::Share(names))) => {
                    changed.extend(names.iter().map(|(name, _)| name.name.to_string()));
                }
                _ => {}
            }
            true
        });
    }
    all.retain(|name, _| !changed.contains(name));
}

/// Returns the keys of a map that is written as `#{...}`.
fn written_keys(expression: &Expr) -> Option<BTreeSet<String>> {
    match expression {
        Expr::Map(entries, _) => {
            Some(entries.0.iter().map(|(name, _)| name.name.to_string()).collect())
        }
        Expr::DynamicConstant(value, _) => {
            let map = value.read_lock::<Map>()?;
            Some(map.keys().map(ToString::to_string).collect())
        }
        _ => None,
    }
}

type Missing<'k> = (&'k str, &'k str, &'k BTreeSet<String>, Position);

/// Returns the name of a map, the element that it does not have, its keys, and the position of the element, if the last
/// node of a path reads such an element and does not test whether it exists.
fn missing<'k>(path: &[ASTNode<'k>], keys: &'k Keys) -> Option<Missing<'k>> {
    let (ASTNode::Expr(Expr::Dot(parts, ..) | Expr::Index(parts, ..)), around) =
        path.split_last()?
    else {
        return None;
    };
    let Expr::Variable(variable, ..) = &parts.lhs else { return None };
    let first = match &parts.rhs {
        Expr::Dot(rest, ..) | Expr::Index(rest, ..) => &rest.lhs,
        only => only,
    };
    let (key, position) = match first {
        Expr::Property(property, position) => (property.2.as_str(), *position),
        Expr::StringConstant(text, position) => (text.as_str(), *position),
        _ => return None,
    };
    let is_test = match around.last() {
        Some(ASTNode::Expr(Expr::FnCall(call, _))) => {
            matches!(call.name.as_str(), "==" | "!=")
                && call.args.iter().any(|operand| matches!(operand, Expr::Unit(_)))
        }
        Some(ASTNode::Expr(Expr::Coalesce(..))) => true,
        _ => false,
    };
    let known = keys.get(variable.1.as_str())?.as_ref()?;
    (!is_test && !known.contains(key)).then(|| (variable.1.as_str(), key, known, position))
}
