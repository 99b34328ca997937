//! `switch`: its cases, lowered one after another.
//!
//! The syntax tree keeps only a hash of each case's value. The value itself is found by hashing all values
//! that are written anywhere in the script.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rhai::{ASTNode, Engine, Expr, Position, RangeCase, Stmt, SwitchCasesCollection};

use super::value::{LoweredValue, TypeCase};
use super::{Lowering, MAX_DEPTH};
use crate::math::Compare;
use crate::program::{B, Columns, Type};

/// A value that a case can have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Literal {
    Integer(i64),
    String(String),
    Boolean(bool),
}

impl Literal {
    fn ty(&self) -> Type {
        match self {
            Self::Integer(_) => Type::Int,
            Self::String(_) => Type::String,
            Self::Boolean(_) => Type::Bool,
        }
    }
}

impl Lowering<'_> {
    pub(super) fn switch(
        &mut self,
        switched: &Expr,
        cases: &SwitchCasesCollection,
        position: Position,
    ) -> LoweredValue {
        let value = self.expression(switched);
        if self.active.is_none() {
            return LoweredValue::never();
        }
        self.note_condition(&value, position);
        let Some(arms) = self.arms(switched, cases) else {
            return self.leave_with_help(
                "a `switch` case that is not an integer, a range, a boolean or a plain string",
                "write `if ... else if ...`",
                position,
            );
        };
        let strings = arms.iter().filter_map(|arm| match &arm.wanted {
            Wanted::Literal(Literal::String(text)) => Some((text.as_str(), arm.result.position())),
            _ => None,
        });
        self.warn_of_unknown_groups(switched, strings);
        if arms.len() >= MAX_DEPTH {
            self.is_too_large = true;
            self.active = None;
            return LoweredValue::never();
        }
        let default = cases.def_case.map(|block| &cases.expressions[block].rhs);
        self.lower_arms(&value, &arms, default, position)
    }

    /// Returns the arms of a `switch` in the order in which they are tried: those for single values in the order in
    /// which they are written, then those for ranges. `None` if one has a value that is not known.
    fn arms<'e>(
        &mut self,
        switched: &'e Expr,
        cases: &'e SwitchCasesCollection,
    ) -> Option<Vec<Arm<'e>>> {
        let typed = self.argument_of_type_of(switched);
        let analysis = Rc::clone(&self.frame().analysis);
        let known = analysis.literals();
        let ranges = hashes_of_ranges(&cases.ranges);
        let mut found: Vec<(usize, Wanted)> = Vec::new();
        for (hash, case) in cases.cases.iter().filter(|(hash, _)| !ranges.contains(hash)) {
            let literal = known.get(hash)?;
            found.extend(case.blocks.iter().map(|&at| (at, Wanted::Literal(literal.clone()))));
        }
        found.sort();
        let ranges = cases.ranges.iter().map(|range| (range.index(), Wanted::range(range)));
        let arm = |(at, wanted): (usize, Wanted)| {
            let parts = &cases.expressions[at];
            let condition = Some(&parts.lhs);
            let condition =
                condition.filter(|condition| !matches!(condition, Expr::BoolConstant(true, _)));
            Arm { wanted, typed, condition, result: &parts.rhs }
        };
        Some(found.into_iter().chain(ranges).map(arm).collect())
    }

    fn lower_arms(
        &mut self,
        value: &LoweredValue,
        arms: &[Arm<'_>],
        default: Option<&Expr>,
        position: Position,
    ) -> LoweredValue {
        let Some((arm, rest)) = arms.split_first() else {
            return match default {
                Some(expression) => self.expression(expression),
                None => LoweredValue::nothing(),
            };
        };
        if let Wanted::Literal(Literal::String(text)) = &arm.wanted {
            self.warn_of_impossible_case(value, text, arm.result.position());
        }
        let truth = match value {
            LoweredValue::Interpreted => Some(self.emit.new_b()),
            LoweredValue::Typed(cases) => self.is_wanted(cases, &arm.wanted),
            _ => None,
        };
        let Some(truth) = truth else {
            let what = format!("`switch` on {}", value.description());
            return self.leave_to_interpreter(&what, position);
        };
        let truth = match arm.condition {
            Some(condition) => self.and_condition(truth, condition),
            None => Some(truth),
        };
        let Some(truth) = truth else {
            return LoweredValue::never();
        };
        self.branch(truth, position, |this, holds| {
            if let (Wanted::Literal(Literal::String(name)), Some(one)) = (&arm.wanted, arm.typed)
                && (holds || arm.condition.is_none())
            {
                this.learn_type(one, name, holds);
            }
            if holds {
                if let Some(condition) = arm.condition {
                    this.learn_from(condition, true);
                }
                this.expression(arm.result)
            } else {
                this.within_limits(|this| this.lower_arms(value, rest, default, position))
            }
        })
    }

    /// Returns the lanes in which a value is one that an arm is for; `None` if that cannot be lowered.
    fn is_wanted(&mut self, cases: &[TypeCase], wanted: &Wanted) -> Option<B> {
        let mut truth = self.emit.const_b(false);
        for case in cases {
            let fits = match (wanted, case.columns) {
                (Wanted::Literal(literal), _) if case.ty == literal.ty() => {
                    let literal = match literal {
                        Literal::Integer(x) => LoweredValue::integer(self.emit.const_i(*x)),
                        Literal::String(text) => self.string_constant(text),
                        Literal::Boolean(x) => LoweredValue::boolean(self.emit.const_b(*x)),
                    };
                    let LoweredValue::Typed(literal) = literal else { return None };
                    self.equality(*case, literal[0])?
                }
                (&Wanted::Range(from, last, to), Columns::I(at)) if case.ty == Type::Int => {
                    let (from, to) = (self.emit.const_i(from), self.emit.const_i(to));
                    let not_below = self.emit.cmp_i(Compare::Ge, at, from);
                    let not_above = self.emit.cmp_i(last.compare(), at, to);
                    self.emit.and(not_below, not_above)
                }
                (&Wanted::Range(from, last, to), Columns::F(at)) => {
                    let (from, to) = (self.const_f(from as f32), self.const_f(to as f32));
                    let not_below = self.emit.cmp_f(Compare::Ge, at, from);
                    let not_above = self.emit.cmp_f(last.compare(), at, to);
                    self.emit.and(not_below, not_above)
                }
                _ => continue,
            };
            let fits = case.mask.map_or(fits, |mask| self.emit.and(mask, fits));
            truth = self.emit.or(truth, fits);
        }
        Some(truth)
    }
}

/// An arm of a `switch`.
struct Arm<'e> {
    wanted: Wanted,
    /// `x` of `switch type_of(x)`.
    typed: Option<&'e Expr>,
    /// The condition after `if`, which must hold too.
    condition: Option<&'e Expr>,
    result: &'e Expr,
}

/// The values that an arm is for.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Wanted {
    Literal(Literal),
    /// The numbers from the first to the second.
    Range(i64, RangeEnd, i64),
}

/// Whether a range contains its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RangeEnd {
    Included,
    Excluded,
}

impl RangeEnd {
    /// Returns how a number in the range compares with its end.
    fn compare(self) -> Compare {
        match self {
            Self::Included => Compare::Le,
            Self::Excluded => Compare::Lt,
        }
    }
}

impl Wanted {
    fn range(range: &RangeCase) -> Self {
        match range {
            RangeCase::ExclusiveInt(range, _) => {
                Self::Range(range.start, RangeEnd::Excluded, range.end)
            }
            RangeCase::InclusiveInt(range, _) => {
                Self::Range(*range.start(), RangeEnd::Included, *range.end())
            }
        }
    }
}

/// Returns the hashes of ranges: the syntax tree keeps each range also as a single value, which no value in columns
/// equals.
fn hashes_of_ranges(ranges: &[RangeCase]) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    let arms: Vec<String> = ranges
        .iter()
        .map(|range| match range {
            RangeCase::ExclusiveInt(range, _) => format!("{}..{} => 0,", range.start, range.end),
            RangeCase::InclusiveInt(range, _) => {
                format!("{}..={} => 0,", range.start(), range.end())
            }
        })
        .collect();
    each_switch(&arms, |cases| found.extend(cases.cases.keys()));
    found
}

/// Compiles arms and sees them as the syntax tree keeps them. They are compiled in chunks, because the time for one
/// `switch` grows with the square of the number of its cases.
fn each_switch(arms: &[String], mut see: impl FnMut(&SwitchCasesCollection)) {
    let engine = Engine::new_raw();
    for some in arms.chunks(CASES_PER_CHUNK) {
        let Ok(ast) = engine.compile(format!("switch x {{ {} }}", some.concat())) else {
            continue;
        };
        ast.walk(&mut |path| {
            if let Some(ASTNode::Stmt(Stmt::Switch(switch, _))) = path.last() {
                see(&switch.1);
            }
            true
        });
    }
}

/// Returns the values written in a script, by the hashes under which the syntax tree keeps cases.
pub(super) fn literals(text: &str) -> BTreeMap<u64, Literal> {
    let mut all = Vec::new();
    // Strings and numbers. Try numbers with and without a sign.
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
    each_switch(&arms, |cases| found.extend(literals_by_hash(cases, &all)));
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
