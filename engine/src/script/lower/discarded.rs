//! Finds forces that a script computes and does not use.

use rhai::{Expr, Position, Stmt};

use super::Lowering;
use crate::diag::{Code, Diagnostic};
use crate::steer;

impl Lowering<'_> {
    /// Warns of a statement whose value is a force, from a call of a primitive at its end, if other
    /// statements follow: the force is lost.
    pub(super) fn warn_if_discarded(&mut self, statement: &Stmt) {
        let mut calls = Vec::new();
        final_calls(statement, &mut calls);
        for (name, position) in calls {
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

/// Collects the functions whose result is the value of a statement, and the positions of their calls.
fn final_calls<'s>(statement: &'s Stmt, all: &mut Vec<(&'s str, Position)>) {
    let mut in_block = |statements: &'s [Stmt]| {
        if let Some(last) = statements.last() {
            final_calls(last, all);
        }
    };
    let mut last = match statement {
        Stmt::If(flow, _) => {
            in_block(flow.body.statements());
            in_block(flow.branch.statements());
            return;
        }
        Stmt::Block(block) => {
            in_block(block.statements());
            return;
        }
        Stmt::FnCall(call, position) if call.namespace.is_empty() => {
            all.push((&call.name, *position));
            return;
        }
        Stmt::Expr(expression) => &**expression,
        _ => return,
    };
    while let Expr::Dot(parts, ..) = last {
        last = &parts.rhs;
    }
    match last {
        Expr::MethodCall(call, position) => all.push((&call.name, *position)),
        Expr::FnCall(call, position) if call.namespace.is_empty() => {
            all.push((&call.name, *position));
        }
        _ => {}
    }
}
