//! Finds loops that never end once they are entered, because nothing in them changes their condition.

use std::collections::BTreeSet;

use rhai::{ASTNode, Expr, FnCallExpr, Stmt};

use super::Lowering;
use super::analysis::collect_assigned;
use super::loops::can_leave;
use crate::diag::{Code, Diagnostic};

impl Lowering<'_> {
    /// Warns of a loop whose condition stays as it is.
    pub(super) fn warn_of_unchanged_condition(&mut self, condition: &Expr, body: &[Stmt]) {
        if self.trial_world().is_none() || can_leave(body) || self.may_change(condition, body) {
            return;
        }
        let warning = Diagnostic::warning("nothing in this loop changes its condition")
            .code(Code::Endless)
            .help("if the loop goes on once, it never ends: change a variable of the condition in it, or leave it with `break`");
        let warning = self.locate(warning, condition.start_position());
        self.findings.push(warning);
    }

    /// Returns whether the value of a condition may change in a loop. It may if it has anything but constants,
    /// operators, variables and properties.
    fn may_change(&self, condition: &Expr, body: &[Stmt]) -> bool {
        let mut read = Read::default();
        read.add(condition);
        if read.is_open || read.variables.is_empty() {
            return true;
        }
        let Some(changed) = self.changed_in(body) else { return true };
        let Some(frame) = self.frames.last() else { return true };
        let is_changed = |name: &String| changed.contains(name) || frame.analysis.is_captured(name);
        // A function of the script may change `me.state` and `me.vel`.
        let calls_own = || self.calls(body, |this, call| this.defines(call));
        read.variables.iter().any(is_changed) || (read.has_properties && calls_own())
    }

    /// Returns the variables that statements may change; `None` if that is not known.
    fn changed_in(&self, body: &[Stmt]) -> Option<BTreeSet<String>> {
        let (mut changed, mut is_known) = (BTreeSet::new(), true);
        for statement in body {
            statement.walk(&mut Vec::new(), &mut collect_assigned(&mut changed));
            statement.walk(&mut Vec::new(), &mut |path| {
                match path.last() {
                    // A function of the script that is called as a method changes its receiver.
                    Some(ASTNode::Expr(Expr::MethodCall(call, _))) if self.defines(call) => {
                        is_known = false;
                    }
                    // A function of the engine may change its first argument.
                    Some(
                        ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)),
                    ) if !call.is_operator_call() && !self.defines(call) => {
                        if let Some(Expr::Variable(variable, ..)) = call.args.first() {
                            changed.insert(variable.1.to_string());
                        }
                    }
                    _ => {}
                }
                is_known
            });
        }
        is_known.then_some(changed)
    }

    fn calls(&self, body: &[Stmt], is_it: impl Fn(&Self, &FnCallExpr) -> bool) -> bool {
        let mut found = false;
        for statement in body {
            statement.walk(&mut Vec::new(), &mut |path| {
                found |= match path.last() {
                    Some(
                        ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
                        | ASTNode::Stmt(Stmt::FnCall(call, _)),
                    ) => is_it(self, call),
                    _ => false,
                };
                !found
            });
        }
        found
    }

    /// Returns whether a call is one of a function of this script or of an imported one.
    fn defines(&self, call: &FnCallExpr) -> bool {
        !call.namespace.is_empty() || self.script_defines(&call.name, call.args.len())
    }
}

/// The variables and properties that a condition reads.
#[derive(Default)]
struct Read {
    variables: BTreeSet<String>,
    has_properties: bool,
    /// Whether it has anything else whose value may change.
    is_open: bool,
}

impl Read {
    fn add(&mut self, expression: &Expr) {
        match expression {
            Expr::BoolConstant(..)
            | Expr::IntegerConstant(..)
            | Expr::FloatConstant(..)
            | Expr::StringConstant(..)
            | Expr::Unit(_) => {}
            Expr::Variable(variable, ..) if variable.2.is_empty() => {
                self.variables.insert(variable.1.to_string());
            }
            Expr::And(parts, _) | Expr::Or(parts, _) => {
                parts.iter().for_each(|part| self.add(part));
            }
            Expr::FnCall(call, _) if call.is_operator_call() => {
                call.args.iter().for_each(|operand| self.add(operand));
            }
            Expr::Dot(parts, ..) => {
                self.has_properties = true;
                self.add(&parts.lhs);
                self.add_properties(&parts.rhs);
            }
            _ => self.is_open = true,
        }
    }

    fn add_properties(&mut self, rest: &Expr) {
        match rest {
            Expr::Property(..) => {}
            Expr::Dot(parts, ..) => {
                self.add_properties(&parts.lhs);
                self.add_properties(&parts.rhs);
            }
            _ => self.is_open = true,
        }
    }
}
