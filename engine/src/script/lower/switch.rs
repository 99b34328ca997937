//! `switch`: its cases, lowered one after another.
//!
//! The syntax tree keeps only a hash of each case's value. The value itself is found by hashing all values
//! that are written anywhere in the script.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{ASTNode, Engine, Expr, Position, Stmt, SwitchCasesCollection};

use super::value::LoweredValue;
use super::{Lowering, MAX_DEPTH};

/// A value that a case can have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Literal {
    Integer(i64),
    String(String),
    Boolean(bool),
}

impl Lowering<'_> {
    pub(super) fn switch(
        &mut self,
        value: &Expr,
        cases: &SwitchCasesCollection,
        position: Position,
    ) -> LoweredValue {
        let value = self.expression(value);
        if self.active.is_none() {
            return LoweredValue::never();
        }
        if cases.cases.len() >= MAX_DEPTH {
            self.is_too_large = true;
            self.active = None;
            return LoweredValue::never();
        }
        let is_plain =
            |&block: &usize| matches!(cases.expressions[block].lhs, Expr::BoolConstant(true, _));
        let blocks: Vec<(u64, usize)> = cases
            .cases
            .iter()
            .filter_map(|(&hash, case)| case.blocks.first().map(|&block| (hash, block)))
            .collect();
        let all_plain =
            cases.cases.iter().all(|(_, case)| case.blocks.first().is_some_and(is_plain));
        if !cases.ranges.is_empty() || !all_plain {
            return self.leave_with_help(
                "a `switch` with ranges or conditions",
                "write `if ... else if ...`",
                position,
            );
        }
        let analysis = Rc::clone(&self.frame().analysis);
        let known = analysis.literals();
        let mut found: Vec<(usize, Literal)> = Vec::new();
        for (hash, block) in blocks {
            match known.get(&hash) {
                Some(literal) => found.push((block, literal.clone())),
                None => {
                    return self.leave_with_help(
                        "a `switch` case that is not an integer, a boolean or a plain string",
                        "write `if ... else if ...`",
                        position,
                    );
                }
            }
        }
        // In the order in which they are written.
        found.sort();
        let default = cases.def_case.map(|block| &cases.expressions[block].rhs);
        let cases: Vec<(Literal, &Expr)> = found
            .into_iter()
            .map(|(block, literal)| (literal, &cases.expressions[block].rhs))
            .collect();
        self.lower_cases(&value, &cases, default, position)
    }

    fn lower_cases(
        &mut self,
        value: &LoweredValue,
        cases: &[(Literal, &Expr)],
        default: Option<&Expr>,
        position: Position,
    ) -> LoweredValue {
        let Some(((literal, expression), rest)) = cases.split_first() else {
            return match default {
                Some(expression) => self.expression(expression),
                None => LoweredValue::nothing(),
            };
        };
        let wanted = match literal {
            Literal::Integer(x) => LoweredValue::integer(self.emit.const_i(*x)),
            Literal::String(text) => self.string_constant(text),
            Literal::Boolean(x) => LoweredValue::boolean(self.emit.const_b(*x)),
        };
        let none = Vec::new();
        let values = match value {
            LoweredValue::Typed(values) => values,
            LoweredValue::Interpreted => &none,
            other => {
                let what = format!("`switch` on {}", other.description());
                return self.leave_to_interpreter(&what, position);
            }
        };
        let LoweredValue::Typed(wanted) = &wanted else {
            return LoweredValue::never();
        };
        let mut truth = match value {
            LoweredValue::Interpreted => self.emit.new_b(),
            _ => self.emit.const_b(false),
        };
        for case in values.iter().filter(|case| case.ty == wanted[0].ty) {
            let Some(same) = self.equality(*case, wanted[0]) else {
                let what = format!("`switch` on {}", value.description());
                return self.leave_to_interpreter(&what, position);
            };
            let same = case.mask.map_or(same, |mask| self.emit.and(mask, same));
            truth = self.emit.or(truth, same);
        }
        self.branch(truth, position, |this, holds| {
            if holds {
                this.expression(expression)
            } else {
                this.within_limits(|this| this.lower_cases(value, rest, default, position))
            }
        })
    }
}

/// Returns the values written in a script, by the hashes under which the syntax tree keeps cases.
pub(super) fn literals(text: &str) -> BTreeMap<u64, Literal> {
    let mut all = Vec::new();
    // Strings and numbers; a sign before a number may be part of it or not.
    for word in text.split(|c: char| !(c.is_ascii_digit() || c == '_')) {
        if let Ok(x) = word.replace('_', "").parse::<i64>() {
            all.extend([Literal::Integer(x), Literal::Integer(-x)]);
        }
    }
    all.extend(text.split('"').map(|part| Literal::String(part.to_owned())));
    all.extend([Literal::Boolean(true), Literal::Boolean(false)]);
    all.sort();
    all.dedup();
    let arms: Vec<String> = all
        .iter()
        .enumerate()
        .filter_map(|(place, literal)| {
            let written = match literal {
                Literal::Integer(x) => x.to_string(),
                Literal::String(text) if text.contains(['\\', '\n', '`']) => return None,
                Literal::String(text) => format!("\"{text}\""),
                Literal::Boolean(x) => x.to_string(),
            };
            Some(format!("{written} => {place},"))
        })
        .collect();
    let mut found = BTreeMap::new();
    let engine = Engine::new_raw();
    // In chunks, because the time for one `switch` grows with the square of the number of its cases.
    for some in arms.chunks(CASES_PER_CHUNK) {
        let Ok(ast) = engine.compile(format!("switch x {{ {} }}", some.concat())) else {
            continue;
        };
        ast.walk(&mut |path| {
            if let Some(ASTNode::Stmt(Stmt::Switch(switch, _))) = path.last() {
                found.extend(literals_by_hash(&switch.1, &all));
            }
            true
        });
    }
    found
}

/// Number of values that are hashed in one `switch`.
const CASES_PER_CHUNK: usize = 64;

/// Returns the literals by the hashes of cases whose results are their indices in `all`.
fn literals_by_hash(cases: &SwitchCasesCollection, all: &[Literal]) -> BTreeMap<u64, Literal> {
    let literal = |block: usize| match &cases.expressions[block].rhs {
        Expr::IntegerConstant(place, _) => all.get(*place as usize).cloned(),
        _ => None,
    };
    cases
        .cases
        .iter()
        .filter_map(|(&hash, case)| Some((hash, literal(*case.blocks.first()?)?)))
        .collect()
}
