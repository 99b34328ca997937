//! Finds functions that surely call themselves without end: no branch, loop or early end is around the calls.

use std::collections::BTreeSet;

use rhai::{ASTFlags, ASTNode, Expr, FnCallExpr, Stmt};

/// The name of a function and its number of parameters.
pub(super) type FunctionKey = (String, usize);

/// Returns the functions of a script that never return, because each of their calls is sure to lead to another one.
pub(super) fn endless(
    functions: BTreeSet<FunctionKey>,
    sure_calls: impl Fn(&FunctionKey) -> BTreeSet<FunctionKey>,
) -> BTreeSet<FunctionKey> {
    let calls: Vec<_> = functions.iter().map(|function| (function, sure_calls(function))).collect();
    let mut endless = functions.clone();
    // A function without a sure call of one that is left may return.
    loop {
        let before = endless.len();
        for (function, calls) in &calls {
            if calls.is_disjoint(&endless) {
                endless.remove(*function);
            }
        }
        if endless.len() == before {
            return endless;
        }
    }
}

/// Returns the functions of its own script that a function calls whenever it is called, from its statements.
pub(super) fn sure_calls(statements: &[Stmt]) -> BTreeSet<FunctionKey> {
    let mut calls = SureCalls::default();
    calls.add_block(statements);
    calls.0
}

/// The functions of its own script that a function calls whenever it is called.
#[derive(Default)]
struct SureCalls(BTreeSet<FunctionKey>);

impl SureCalls {
    /// Adds the calls of statements. Returns false if they may leave the function or a loop.
    fn add_block(&mut self, statements: &[Stmt]) -> bool {
        statements.iter().all(|statement| {
            let (leaves, is_expression) = (
                may_leave(statement),
                matches!(statement, Stmt::Expr(_) | Stmt::Var(..) | Stmt::Assignment(_)),
            );
            // An expression may leave before its calls.
            if !(leaves && is_expression) {
                self.add_statement(statement);
            }
            !leaves
        })
    }

    fn add_statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Expr(expression) => self.add_expression(expression),
            Stmt::FnCall(call, _) => self.add_call(call),
            Stmt::Var(var, ..) => self.add_expression(&var.1),
            Stmt::Assignment(assignment) => self.add_expression(&assignment.1.rhs),
            Stmt::Block(block) => {
                self.add_block(block.statements());
            }
            Stmt::If(flow, _) | Stmt::While(flow, _) => self.add_expression(&flow.expr),
            Stmt::For(inner, _) => self.add_expression(&inner.2.expr),
            Stmt::Switch(switch, _) => self.add_expression(&switch.0),
            Stmt::Return(Some(value), ..) => self.add_expression(value),
            _ => {}
        }
    }

    fn add_expression(&mut self, expression: &Expr) {
        match expression {
            Expr::FnCall(call, _) => self.add_call(call),
            // A method is not a function of the script, but its arguments may call one.
            Expr::MethodCall(call, _) => self.add_all(&call.args),
            Expr::Array(items, _) | Expr::InterpolatedString(items, _) => self.add_all(items),
            Expr::Map(entries, _) => {
                entries.0.iter().for_each(|(_, value)| self.add_expression(value));
            }
            Expr::Dot(parts, flags, _) | Expr::Index(parts, flags, _) => {
                self.add_expression(&parts.lhs);
                // `?.` goes on only if there is a value.
                if !flags.contains(ASTFlags::NEGATED) {
                    self.add_expression(&parts.rhs);
                }
            }
            Expr::And(operands, _) | Expr::Or(operands, _) | Expr::Coalesce(operands, _) => {
                operands.first().into_iter().for_each(|first| self.add_expression(first));
            }
            Expr::Stmt(block) => {
                self.add_block(block.statements());
            }
            _ => {}
        }
    }

    fn add_all(&mut self, expressions: &[Expr]) {
        expressions.iter().for_each(|one| self.add_expression(one));
    }

    fn add_call(&mut self, call: &FnCallExpr) {
        self.add_all(&call.args);
        if call.namespace.is_empty() {
            self.0.insert((call.name.to_string(), call.args.len()));
        }
    }
}

/// Returns whether a statement may leave the function or a loop before its end.
fn may_leave(statement: &Stmt) -> bool {
    let mut found = false;
    statement.walk(&mut Vec::new(), &mut |path| {
        found |= matches!(path.last(), Some(ASTNode::Stmt(Stmt::Return(..) | Stmt::BreakLoop(..))));
        !found
    });
    found
}
