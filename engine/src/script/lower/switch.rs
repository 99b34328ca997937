//! `switch`: cases one after another.
//!
//! The syntax tree keeps a case by the hash of its value alone. Which value that was is found by hashing
//! all values that stand anywhere in the script.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{ASTNode, Engine, Expr, Position, Stmt, SwitchCasesCollection};

use super::value::Val;
use super::{Lower, MOST_DEPTH};
use crate::math::Compare;

/// A value that a case can be for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Literal {
    Whole(i64),
    Text(String),
    Truth(bool),
}

impl Lower<'_> {
    pub(super) fn switch(
        &mut self,
        value: &Expr,
        cases: &SwitchCasesCollection,
        position: Position,
    ) -> Val {
        let value = self.expression(value);
        if self.active.is_none() {
            return Val::never();
        }
        if cases.cases.len() >= MOST_DEPTH {
            self.is_too_large = true;
            self.active = None;
            return Val::never();
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
            return self.slow("`switch` with ranges or conditions", position);
        }
        let digest = Rc::clone(&self.frame().digest);
        let known = digest.literals();
        let mut found: Vec<(usize, Literal)> = Vec::new();
        for (hash, block) in blocks {
            match known.get(&hash) {
                Some(literal) => found.push((block, literal.clone())),
                None => return self.slow("`switch` on such values", position),
            }
        }
        // In the order in which they are written.
        found.sort();
        let default = cases.def_case.map(|block| &cases.expressions[block].rhs);
        let cases: Vec<(Literal, &Expr)> = found
            .into_iter()
            .map(|(block, literal)| (literal, &cases.expressions[block].rhs))
            .collect();
        self.case_by_case(&value, &cases, default, position)
    }

    fn case_by_case(
        &mut self,
        value: &Val,
        cases: &[(Literal, &Expr)],
        default: Option<&Expr>,
        position: Position,
    ) -> Val {
        let Some(((literal, expression), rest)) = cases.split_first() else {
            return match default {
                Some(expression) => self.expression(expression),
                None => Val::nothing(),
            };
        };
        let wanted = match literal {
            Literal::Whole(x) => Val::whole(self.emit.const_i(*x)),
            Literal::Text(text) => self.text(text),
            Literal::Truth(x) => Val::truth(self.emit.const_b(*x)),
        };
        let nobody = Vec::new();
        let values = match value {
            Val::Alts(values) => values,
            Val::Any => &nobody,
            _ => return self.slow("`switch` on this", position),
        };
        let Val::Alts(wanted) = &wanted else {
            return Val::never();
        };
        let mut truth = match value {
            Val::Any => self.emit.b(),
            _ => self.emit.const_b(false),
        };
        for alt in values.iter().filter(|alt| alt.is == wanted[0].is) {
            let Some(same) = self.same(Compare::Eq, *alt, wanted[0]) else {
                return self.slow("`switch` on this", position);
            };
            let same = alt.mask.map_or(same, |mask| self.emit.and(mask, same));
            truth = self.emit.or(truth, same);
        }
        self.either(truth, position, |this, holds| {
            if holds {
                this.expression(expression)
            } else {
                this.within(|this| this.case_by_case(value, rest, default, position))
            }
        })
    }
}

/// The values that stand in a script's text, by the hashes under which cases are kept.
pub(super) fn literals(text: &str) -> BTreeMap<u64, Literal> {
    let mut all = Vec::new();
    // Texts and numbers where they stand; signs belong to numbers or not.
    for word in text.split(|c: char| !(c.is_ascii_digit() || c == '_')) {
        if let Ok(x) = word.replace('_', "").parse::<i64>() {
            all.extend([Literal::Whole(x), Literal::Whole(-x)]);
        }
    }
    all.extend(text.split('"').map(|part| Literal::Text(part.to_owned())));
    all.extend([Literal::Truth(true), Literal::Truth(false)]);
    all.sort();
    all.dedup();
    let arms: Vec<String> = all
        .iter()
        .enumerate()
        .filter_map(|(place, literal)| {
            let written = match literal {
                Literal::Whole(x) => x.to_string(),
                Literal::Text(text) if text.contains(['\\', '\n', '`']) => return None,
                Literal::Text(text) => format!("\"{text}\""),
                Literal::Truth(x) => x.to_string(),
            };
            Some(format!("{written} => {place},"))
        })
        .collect();
    let mut found = BTreeMap::new();
    let engine = Engine::new_raw();
    // Together they would take a time that grows with the square of their number.
    for some in arms.chunks(ARMS) {
        let Ok(ast) = engine.compile(format!("switch x {{ {} }}", some.concat())) else {
            continue;
        };
        ast.walk(&mut |path| {
            if let Some(ASTNode::Stmt(Stmt::Switch(switch, _))) = path.last() {
                found.extend(written(&switch.1, &all));
            }
            true
        });
    }
    found
}

/// So many values are read at once.
const ARMS: usize = 64;

/// Literals by the hashes of cases whose results are their places.
fn written(cases: &SwitchCasesCollection, all: &[Literal]) -> BTreeMap<u64, Literal> {
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
