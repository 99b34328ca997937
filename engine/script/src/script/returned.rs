//! Finds the places where a function returns its results.

use std::ops::Range;

use rhai::{ASTNode, Expr, Position, Stmt};

use super::compile::Script;

/// The places in a function where its result is written.
#[derive(Default)]
struct Results {
    /// The position of each, and whether it is a value that is written out, such as a number.
    all: Vec<(Position, bool)>,
    /// Whether there are others that are not known.
    has_others: bool,
}

impl Results {
    fn of_steer(script: &Script) -> Self {
        let body = script.body("steer", 1);
        let mut results = Self::default();
        results.add_last(body.statements());
        body.walk(&mut |path| {
            if let Some(ASTNode::Stmt(Stmt::Return(Some(result), ..))) = path.last() {
                results.add(result);
            }
            true
        });
        results
    }

    fn add(&mut self, result: &Expr) {
        let is_value = matches!(
            result,
            Expr::IntegerConstant(..)
                | Expr::FloatConstant(..)
                | Expr::BoolConstant(..)
                | Expr::StringConstant(..)
                | Expr::CharConstant(..)
        );
        self.all.push((result.start_position(), is_value));
    }

    /// Adds the results at the end of a block.
    fn add_last(&mut self, statements: &[Stmt]) {
        match statements.last() {
            Some(Stmt::Expr(result)) => match &**result {
                Expr::Stmt(block) => self.add_last(block.statements()),
                result => self.add(result),
            },
            Some(Stmt::FnCall(_, position)) => self.all.push((*position, false)),
            Some(Stmt::Block(block)) => self.add_last(block.statements()),
            Some(Stmt::If(flow, _)) => {
                self.add_last(flow.body.statements());
                self.add_last(flow.branch.statements());
            }
            Some(Stmt::Return(..)) => {}
            _ => self.has_others = true,
        }
    }
}

impl Script {
    /// Returns the positions at which `steer` returns its results.
    pub(super) fn results_of_steer(&self) -> Vec<Position> {
        Results::of_steer(self).all.into_iter().map(|(position, _)| position).collect()
    }

    /// Returns where `steer` returns a value that is not a force: a number that is written there, or its only result;
    /// otherwise its head.
    pub(super) fn place_of_wrong_force(&self) -> Range<usize> {
        let results = Results::of_steer(self);
        let value = results.all.iter().find(|(_, is_value)| *is_value);
        let only = (results.all.len() == 1 && !results.has_others).then(|| &results.all[0]);
        let position = value.or(only).map(|(position, _)| *position);
        let Some(line) = position.and_then(Position::line) else { return self.place_of("steer") };
        let column = position.and_then(Position::position).unwrap_or(1);
        self.source.token(self.source.offset(line, column))
    }
}
