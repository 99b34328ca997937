//! Warns of code without use: variables that are never read, and statements that are never reached.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rhai::{AST, ASTNode, Expr, OptimizationLevel, Position, Stmt};

use crate::diag::{Code, Diagnostic, Fix, Remedy, Source};
use crate::script::api::{self, define::Attribute};
use crate::script::compile::Script;
use crate::script::scope::{Declaration, DeclarationKind, script_names};
use crate::script::statements::Statements;
use crate::script::syntax::body_of;
use crate::steer;
use crate::tokens::{Language, line_start, tokens};

/// Compiles a script again, without what the optimizer removes and replaces.
pub(super) fn as_written(script: &Script) -> Option<AST> {
    let mut engine = api::engine();
    engine.set_optimization_level(OptimizationLevel::None);
    engine.compile(&script.source.text).ok()
}

/// Returns a warning for each statement that follows one that always leaves, in the script as it is written.
pub(super) fn statements(script: &Script, ast: &AST) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut look = |statements: &[Stmt]| {
        let pairs = statements.windows(2);
        let dead = pairs.filter_map(|pair| match pair {
            [Stmt::Return(..) | Stmt::BreakLoop(..), next] => Some(next.position()),
            _ => None,
        });
        for position in dead {
            let what = Diagnostic::warning("this is never reached")
                .code(Code::Unreachable)
                .help("the statement before it always leaves this block");
            found.push(script.sources().place(what, position));
        }
    };
    for (name, parameters) in script.functions() {
        look(body_of(ast, name, parameters).statements());
    }
    ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::If(flow, _))) => {
                look(flow.body.statements());
                look(flow.branch.statements());
            }
            Some(ASTNode::Stmt(
                Stmt::While(flow, _) | Stmt::Do(flow, ..) | Stmt::TryCatch(flow, _),
            )) => look(flow.body.statements()),
            Some(ASTNode::Stmt(Stmt::For(parts, _))) => look(parts.2.body.statements()),
            Some(ASTNode::Stmt(Stmt::Block(block))) => look(block.statements()),
            Some(ASTNode::Expr(Expr::Stmt(block))) => look(block.statements()),
            _ => {}
        }
        true
    });
    found
}

/// Returns a warning for each variable whose name is not read anywhere in its function.
pub(super) fn variables(script: &Script) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let text = script.source.text.as_str();
    let statements = Statements::new(text);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for token in tokens(text, Language::Rhai) {
        *counts.entry(&text[token.span]).or_default() += 1;
    }
    let functions: Vec<(String, usize)> =
        script.functions().map(|(name, parameters)| (name.to_owned(), parameters)).collect();
    for (name, parameters) in functions {
        // Rhai makes a function of each closure.
        if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            continue;
        }
        let body = script.body(&name, parameters);
        let mut defined: Vec<(String, Position, Position, bool)> = Vec::new();
        let mut read: BTreeSet<String> = BTreeSet::new();
        let mut look = |path: &[ASTNode<'_>]| {
            match path {
                [.., ASTNode::Stmt(Stmt::Assignment(assignment)), ASTNode::Expr(target)]
                    if std::ptr::eq(&raw const assignment.1.lhs, &raw const **target)
                        && matches!(target, Expr::Variable(..)) => {}
                [.., ASTNode::Expr(Expr::Variable(variable, ..))] => {
                    read.insert(variable.1.to_string());
                }
                [.., ASTNode::Stmt(Stmt::Var(var, _, position))] => {
                    let has_effect = has_effect(&var.1, script);
                    defined.push((var.0.name.to_string(), *position, var.0.pos, has_effect));
                }
                // The variables that a closure captures.
                [.., ASTNode::Stmt(Stmt::Share(names))] => {
                    read.extend(names.iter().map(|(name, _)| name.name.to_string()));
                }
                _ => {}
            }
            true
        };
        for statement in body.statements() {
            statement.walk(&mut Vec::new(), &mut look);
        }
        let mut at_end = Vec::new();
        declared_at_end(body.statements(), &mut at_end);
        for (variable, position, at, has_effect) in defined {
            if !read.contains(&variable) && !variable.starts_with('_') {
                let what = Diagnostic::warning(format!("the variable `{variable}` is never read"))
                    .code(Code::UnusedVariable);
                let is_result = name != "init" && at_end.contains(&position);
                let what = if is_result {
                    what.help(format!(
                        "`{name}` returns nothing here: to return this value, leave out `let {variable} =`"
                    ))
                } else {
                    what.help(format!("remove it, or name it `_{variable}`"))
                };
                let finding = script.sources().place(what, at);
                // Nothing sets it elsewhere.
                let is_alone = counts.get(variable.as_str()) == Some(&1);
                let meant = format!("_{variable}");
                let removal = finding.place.as_ref().filter(|_| !has_effect && !is_result);
                let removal = removal
                    .and_then(|at| removal_of(&variable, &at.source, &statements, at.span.start));
                let name = Remedy::Name { written: variable, meant };
                found.push(if is_alone {
                    let mut finding = finding.remedy(name);
                    finding.remedies.0.extend(removal.map(Remedy::Change));
                    finding
                } else {
                    finding
                });
            }
        }
    }
    found
}

/// Returns a warning for each variable that is declared again in a block and not used there: usually, the outer one was to be set. Those in
/// `known` are not told again.
pub(super) fn declared_again(script: &Script, known: &[Diagnostic]) -> Vec<Diagnostic> {
    let text = script.source.text.as_str();
    let declared = script_names(text).declared;
    let statements = Statements::new(text);
    let is_known = |at: usize| {
        let mut places = known.iter().filter_map(|one| one.place.as_ref());
        places.any(|place| place.span.start == at)
    };
    let mut found = Vec::new();
    for inner in declared.iter().filter(|one| one.kind == DeclarationKind::Variable) {
        let name = &text[inner.name.clone()];
        let is_outer = |outer: &&Declaration| {
            matches!(outer.kind, DeclarationKind::Variable | DeclarationKind::Parameter)
                && &text[outer.name.clone()] == name
                && outer.name.end < inner.name.start
                && outer.scope.start < inner.scope.start
                && inner.scope.end < outer.scope.end
        };
        let statement = statements.at(inner.name.start).map_or(0, |span| span.start);
        let is_let = text[statement..inner.name.start].trim_end() == "let";
        let is_unused = inner.uses.is_empty() && is_let && !name.starts_with('_');
        if !is_unused || is_known(inner.name.start) || !declared.iter().any(|one| is_outer(&one)) {
            continue;
        }
        let again = format!("this is another variable `{name}`, which is never read");
        let again = Diagnostic::warning(again)
            .code(Code::UnusedVariable)
            .help(format!("to set the `{name}` that there is already, leave out `let`"));
        let again = again.at(&script.source, inner.name.clone());
        found.push(again.fix("Remove `let`", &script.source, statement..inner.name.start, ""));
    }
    found
}

/// Returns whether computing a value may change anything besides: the state of the agent, or which random numbers come next.
fn has_effect(value: &Expr, script: &Script) -> bool {
    let is_plain = |name: &str| {
        let is_own = script.functions().any(|(own, _)| own == name);
        let is_operator = !name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let is_known = match steer::find(name) {
            Some(primitive) => !primitive.advances_progress && !primitive.is_random,
            None => api::is_function(name) && !api::is_by_hand(name),
        };
        !is_own && (is_operator || (is_known && !api::has_attribute(name, Attribute::IsRandom)))
    };
    let mut has_effect = false;
    value.walk(&mut Vec::new(), &mut |path| {
        has_effect |= match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))) => {
                !call.namespace.is_empty() || !is_plain(&call.name)
            }
            Some(ASTNode::Expr(Expr::Stmt(_) | Expr::Custom(..))) | Some(ASTNode::Stmt(_)) => true,
            _ => false,
        };
        !has_effect
    });
    has_effect
}

/// Returns the fix that removes the declaration of a variable at a byte offset: its lines, if nothing else is in them.
fn removal_of(
    variable: &str,
    source: &Arc<Source>,
    statements: &Statements,
    at: usize,
) -> Option<Fix> {
    let text = source.text.as_str();
    let mut span = statements.at(at)?;
    if !text[span.clone()].starts_with("let ") {
        return None;
    }
    let start = line_start(text, span.start);
    let end = text[span.end..].find('\n').map_or(text.len(), |end| span.end + end + 1);
    let is_alone =
        text[start..span.start].trim().is_empty() && text[span.end..end].trim().is_empty();
    if is_alone {
        span = start..end;
    }
    Some(Fix::new(format!("Remove the variable `{variable}`"), source, span, ""))
}

/// Collects the positions of declarations that are the last statement of a function, or of a branch at its end.
fn declared_at_end(statements: &[Stmt], all: &mut Vec<Position>) {
    match statements.last() {
        Some(Stmt::Var(_, _, position)) => all.push(*position),
        Some(Stmt::If(flow, _)) => {
            declared_at_end(flow.body.statements(), all);
            declared_at_end(flow.branch.statements(), all);
        }
        Some(Stmt::Block(block)) => declared_at_end(block.statements(), all),
        _ => {}
    }
}
