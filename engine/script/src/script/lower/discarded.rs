//! Finds forces and comparisons that a script computes and does not use.

use rhai::{Expr, FnCallExpr, Position, Stmt};

use super::Lowering;
use crate::diag::{Code, Diagnostic, Place};
use crate::steer;

impl Lowering<'_> {
    /// Warns of a statement whose value is a force, from a call of a primitive at its end, or a comparison, if other
    /// statements follow: the value is lost.
    pub(super) fn warn_if_discarded(&mut self, statement: &Stmt) {
        let mut calls = Vec::new();
        final_calls(statement, &mut calls);
        for (name, position) in calls {
            if COMPARISONS.contains(&name) && self.active.is_some() {
                let unused = self.locate(unused_comparison(name), position);
                self.findings.push(with_assignment(unused));
                continue;
            }
            // `follow_path` is also called to move the agent's progress along the path.
            let is_force = steer::find(name).is_some_and(|primitive| !primitive.advances_progress);
            if is_force && self.active.is_some() {
                let unused = Diagnostic::warning(format!("the force of `{name}` is not used"))
                    .code(Code::UnusedForce)
                    .help("write `return` before it, or add it to what is returned");
                let unused = self.locate(unused, position);
                self.findings.push(unused);
            }
        }
    }
}

/// Operators that compare.
const COMPARISONS: [&str; 6] = ["==", "!=", "<", ">", "<=", ">="];

/// Returns the warning about a comparison whose result is lost.
fn unused_comparison(sign: &str) -> Diagnostic {
    Diagnostic::warning(format!("`{sign}` only compares, and the result is not used"))
        .code(Code::UnusedComparison)
        .help(match sign {
            "==" => "to set a value, write `=` instead of `==`",
            _ => "remove it, or use it as a condition: `if a < b { ... }`",
        })
}

/// Adds the fix that sets a value where it is compared.
fn with_assignment(unused: Diagnostic) -> Diagnostic {
    match unused.place.clone() {
        Some(Place { source, span }) if source.text[span.start..].starts_with("==") => {
            unused.fix("Write `=`", &source, span.start..span.start + 2, "=")
        }
        _ => unused,
    }
}

/// Collects the functions whose result is the value of a statement, and the positions of their calls.
fn final_calls<'s>(statement: &'s Stmt, all: &mut Vec<(&'s str, Position)>) {
    let mut in_block = |statements: &'s [Stmt]| {
        if let Some(last) = statements.last() {
            final_calls(last, all);
        }
    };
    let call = match statement {
        Stmt::If(flow, _) => {
            in_block(flow.body.statements());
            in_block(flow.branch.statements());
            return;
        }
        Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
            in_block(flow.body.statements());
            return;
        }
        Stmt::For(parts, _) => {
            in_block(parts.2.body.statements());
            return;
        }
        Stmt::Block(block) => {
            in_block(block.statements());
            return;
        }
        Stmt::FnCall(call, position) => call_of(call, *position),
        Stmt::Expr(expression) => final_call(expression),
        _ => None,
    };
    all.extend(call);
}

/// Returns the function whose result is the value of an expression, and the position of its call.
fn final_call(expression: &Expr) -> Option<(&str, Position)> {
    match expression {
        Expr::Dot(parts, ..) => final_call(&parts.rhs),
        Expr::MethodCall(call, position) => Some((&call.name, *position)),
        Expr::FnCall(call, position) => call_of(call, *position),
        _ => None,
    }
}

/// Returns the function of a call. A sum or a multiple of a force is a force: of an operator, this is the last call
/// among its operands.
fn call_of(call: &FnCallExpr, position: Position) -> Option<(&str, Position)> {
    if matches!(&*call.name, "+" | "-" | "*" | "/") {
        return call.args.iter().rev().find_map(final_call);
    }
    call.namespace.is_empty().then_some((&*call.name, position))
}
