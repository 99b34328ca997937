//! Operators: on numbers of either kind, vectors, booleans, and what is equal to what.

use std::slice;

use rhai::Position;

use super::Lower;
use super::value::{Alt, Val, name};
use crate::diag::Diagnostic;
use crate::math::Compare;
use crate::program::{AgentInteger, AgentNumber, B, Columns, Type, V};
use crate::script::api;
use crate::script::api::define::Function;
use crate::script::error::NOTHING;

/// What a pair of operands gives.
enum Pair {
    Is(Type, Columns),
    /// No such operator for these.
    Fails,
    /// Only the interpreter knows.
    Slow,
}

impl Lower<'_> {
    /// `a operator b`; an operator with assignment is named by itself without `=`.
    pub(super) fn binary(&mut self, operator: &str, a: Val, b: Val, position: Position) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        let operands = [a, b];
        if self.is_sure_to_fail(operator, &operands, position) {
            return Val::Any;
        }
        let [a, b] = operands;
        let (a, b) = match (a, b) {
            (Val::Alts(a), Val::Alts(b)) => (a, b),
            (Val::Any, _) | (_, Val::Any) => return Val::Any,
            // `me` is an agent too.
            (Val::Me, Val::Alts(other)) => (vec![self.myself()], other),
            (Val::Alts(other), Val::Me) => (other, vec![self.myself()]),
            (Val::Me, Val::Me) => (vec![self.myself()], vec![self.myself()]),
            // Nothing else is nothing.
            (_, Val::Alts(b)) | (Val::Alts(b), _)
                if matches!(operator, "==" | "!=") && b.len() == 1 && b[0].is == Type::Nothing =>
            {
                return Val::truth(self.emit.const_b(operator == "!="));
            }
            (Val::Mixed(at), _) | (_, Val::Mixed(at)) => {
                return self.slow("one thing on one way and another on another", at);
            }
            _ => return self.slow("this operator on these", position),
        };
        if a.is_empty() || b.is_empty() {
            return self.stop();
        }
        let mut results: Vec<(Option<B>, Type, Columns)> = Vec::new();
        let mut failed = None;
        for x in &a {
            for y in &b {
                let mask = match (x.mask, y.mask) {
                    (Some(x), Some(y)) => Some(self.emit.and(x, y)),
                    (one, other) => one.or(other),
                };
                let here = mask.map_or(active, |mask| self.emit.and(active, mask));
                match self.pair(operator, *x, *y, here) {
                    Pair::Is(is, at) => results.push((mask, is, at)),
                    Pair::Fails => {
                        failed = Some((x.is, y.is));
                        self.emit.fault(here);
                    }
                    Pair::Slow => {
                        let what = format!("`{operator}` on {} and {}", name(x.is), name(y.is));
                        self.emit.fault(here);
                        if a.len() == 1 && b.len() == 1 {
                            return self.slow(&what, position);
                        }
                    }
                }
            }
        }
        if results.is_empty() {
            let Some((a, b)) = failed else {
                return self.slow("this operator on these", position);
            };
            let wrong = Diagnostic::error(format!(
                "`{operator}` cannot be applied to {} and {}",
                name(a),
                name(b)
            ));
            let wrong =
                if a == Type::Nothing || b == Type::Nothing { wrong.help(NOTHING) } else { wrong };
            return self.fails(wrong, position);
        }
        if failed.is_some() {
            let nothing = a.iter().chain(&b).find(|alt| alt.is == Type::Nothing);
            if let Some(alt) = nothing {
                let what = format!("what stands at `{operator}` may be nothing, ()");
                self.may_be_nothing(alt.mask, what, position);
            }
        }
        self.gathered(results)
    }

    /// `me` as an agent among others.
    fn myself(&mut self) -> Alt {
        Alt { is: Type::Agent, mask: None, at: Columns::I(self.emit.own_i(AgentInteger::Row)) }
    }

    /// Results by lanes, as one value.
    pub(super) fn gathered(&mut self, results: Vec<(Option<B>, Type, Columns)>) -> Val {
        let mut alts: Vec<Alt> = Vec::new();
        for (mask, is, at) in results {
            match alts.iter().position(|alt| alt.is == is) {
                None => alts.push(Alt { is, mask, at }),
                Some(place) => {
                    let old = alts[place];
                    let Some(mask) = mask else { continue };
                    alts[place].at = self.emit.select(mask, at, old.at);
                    alts[place].mask = old.mask.map(|old| self.emit.or(old, mask));
                }
            }
        }
        if let [only] = &mut alts[..] {
            only.mask = None;
        }
        Val::Alts(alts)
    }

    fn pair(&mut self, operator: &str, a: Alt, b: Alt, active: B) -> Pair {
        use Columns as C;
        use Type as T;
        if let (C::B(x), C::B(y)) = (a.at, b.at)
            && matches!(operator, "&" | "|" | "^")
        {
            let truth = match operator {
                "&" => self.emit.and(x, y),
                "|" => self.emit.or(x, y),
                _ => {
                    let same = self.emit.same(x, y);
                    self.emit.not(same)
                }
            };
            return Pair::Is(T::Bool, C::B(truth));
        }
        let takes = |function: &&Function| {
            function.params[0].kind.accepts_type(a.is) && function.params[1].kind.accepts_type(b.is)
        };
        // Anything can be put behind a string, or before it.
        let is_languages = [a.is, b.is].iter().any(|is| matches!(is, T::Text | T::Bool));
        match api::definitions(operator, 2).find(takes) {
            Some(function) => {
                let operands = [a, b].map(|one| Val::one(one.is, one.at));
                match self.called_where(active, function, &operands, Position::NONE) {
                    Val::Alts(alts) if let [alt] = alts[..] => Pair::Is(alt.is, alt.at),
                    _ => Pair::Slow,
                }
            }
            None if let Some(cmp) = comparison(operator) => self.compared(cmp, a, b),
            None if is_languages || api::definitions(operator, 2).next().is_none() => Pair::Slow,
            None => Pair::Fails,
        }
    }

    /// In which lanes two things are equal, if that can be said.
    pub(super) fn same(&mut self, a: Alt, b: Alt) -> Option<B> {
        match self.pair("==", a, b, self.active?) {
            Pair::Is(Type::Bool, Columns::B(truth)) => Some(truth),
            _ => None,
        }
    }

    fn compared(&mut self, cmp: Compare, a: Alt, b: Alt) -> Pair {
        use Columns as C;
        use Type as T;
        let truth = |at| Pair::Is(T::Bool, C::B(at));
        let is_equality = matches!(cmp, Compare::Eq | Compare::Ne);
        match (a.is, b.is) {
            (T::Nothing, T::Nothing) if is_equality => truth(self.emit.const_b(cmp == Compare::Eq)),
            (T::Nothing, T::Nothing) => Pair::Fails,
            (T::Nothing, _) | (_, T::Nothing) if is_equality => {
                truth(self.emit.const_b(cmp == Compare::Ne))
            }
            (x, y) if x != y => Pair::Fails,
            (T::Bool, T::Bool) if is_equality => match (a.at, b.at) {
                (C::B(x), C::B(y)) => {
                    let same = self.emit.same(x, y);
                    truth(if cmp == Compare::Eq { same } else { self.emit.not(same) })
                }
                _ => Pair::Slow,
            },
            (T::Text | T::Agent | T::Obstacle | T::Path, _) if is_equality => match (a.at, b.at) {
                (C::I(x), C::I(y)) => truth(self.emit.cmp_i(cmp, x, y)),
                _ => Pair::Slow,
            },
            (T::Vector | T::Agent | T::Obstacle | T::Path, _) => Pair::Fails,
            _ => Pair::Slow,
        }
    }

    /// `-a`, `+a`, `!a`.
    pub(super) fn unary(&mut self, operator: &str, a: &Val, position: Position) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        if matches!(a, Val::Any) || self.is_sure_to_fail(operator, slice::from_ref(a), position) {
            return Val::Any;
        }
        if operator == "!" {
            return match self.as_truth(a, position) {
                Some(a) => Val::truth(self.emit.not(a)),
                None => Val::never(),
            };
        }
        let found =
            |is| api::definitions(operator, 1).find(|one| one.params[0].kind.accepts_type(is));
        let alts =
            self.fitting(a, |is| found(is).is_some(), "this", "a number or a vector", position);
        let mut results = Vec::new();
        for alt in alts {
            let Some(function) = found(alt.is) else { continue };
            let here = alt.mask.map_or(active, |mask| self.emit.and(active, mask));
            let operand = [Val::one(alt.is, alt.at)];
            if let Val::Alts(alts) = self.called_where(here, function, &operand, position)
                && let [one] = alts[..]
            {
                results.push((alt.mask, one.is, one.at));
            }
        }
        if results.is_empty() {
            return Val::never();
        }
        self.gathered(results)
    }

    /// Where something is that is a point or an agent.
    pub(super) fn as_point(&mut self, value: &Val, what: &str, position: Position) -> Option<V> {
        if matches!(value, Val::Me) {
            return Some(V(self.emit.own(AgentNumber::PosX), self.emit.own(AgentNumber::PosY)));
        }
        self.of_agent_or_vector(
            value,
            what,
            "a point or an agent",
            (AgentNumber::PosX, AgentNumber::PosY),
            position,
        )
    }

    /// A vector, or one of an agent's.
    pub(super) fn of_agent_or_vector(
        &mut self,
        value: &Val,
        what: &str,
        wanted: &str,
        (x, y): (AgentNumber, AgentNumber),
        position: Position,
    ) -> Option<V> {
        if matches!(value, Val::Any) {
            return self.active.map(|_| self.emit.v());
        }
        let fits = |is| matches!(is, Type::Vector | Type::Agent);
        let alts = self.fitting(value, fits, what, wanted, position);
        let mut result: Option<V> = None;
        for alt in alts {
            let v = match alt.at {
                Columns::V(v) => v,
                Columns::I(row) => V(self.emit.other(row, x), self.emit.other(row, y)),
                _ => continue,
            };
            result = Some(match (result, alt.mask) {
                (Some(old), Some(mask)) => {
                    V(self.emit.select_f(mask, v.0, old.0), self.emit.select_f(mask, v.1, old.1))
                }
                _ => v,
            });
        }
        result
    }
}

fn comparison(operator: &str) -> Option<Compare> {
    Some(match operator {
        "==" => Compare::Eq,
        "!=" => Compare::Ne,
        "<" => Compare::Lt,
        "<=" => Compare::Le,
        ">" => Compare::Gt,
        ">=" => Compare::Ge,
        _ => return None,
    })
}
