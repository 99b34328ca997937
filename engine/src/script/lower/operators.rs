//! Operators: on numbers of either kind, vectors, truth values, and what is equal to what.

use std::slice;

use rhai::Position;

use super::Lower;
use super::value::{Alt, Val, name};
use crate::diag::Diagnostic;
use crate::math::{Binary, Compare, Unary};
use crate::program::{B, Columns, I2, Of, OfI, Type, V};
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
        Alt { is: Type::Agent, mask: None, at: Columns::I(self.emit.own_i(OfI::Row)) }
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
        if let Some(cmp) = comparison(operator) {
            return self.compared(cmp, a, b);
        }
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
        let arithmetic = match operator {
            "+" => (Binary::Add, Some(I2::Add)),
            "-" => (Binary::Sub, Some(I2::Sub)),
            "*" => (Binary::Mul, Some(I2::Mul)),
            // Gives a float, of integers too.
            "/" => (Binary::Div, None),
            "%" => (Binary::Rem, Some(I2::Rem)),
            "**" => (Binary::Pow, Some(I2::Pow)),
            _ => return Pair::Slow,
        };
        let (of_numbers, of_integers) = arithmetic;
        // Anything can be put behind a string, or before it.
        if operator == "+" && (a.is == T::Text || b.is == T::Text) {
            return Pair::Slow;
        }
        // An agent stands for where it is.
        let are_points = (a.is == T::Agent && matches!(b.is, T::Agent | T::Vector))
            || (a.is == T::Vector && b.is == T::Agent);
        if are_points {
            let (Some(a), Some(b), Binary::Add | Binary::Sub) =
                (self.place_of(a), self.place_of(b), of_numbers)
            else {
                return Pair::Fails;
            };
            let v = V(self.emit.f2(of_numbers, a.0, b.0), self.emit.f2(of_numbers, a.1, b.1));
            self.emit.finite(v, active);
            return Pair::Is(T::Vector, C::V(v));
        }
        let (x, y) = match (a.at, b.at) {
            (C::I(x), C::I(y)) if a.is == T::Int && b.is == T::Int => {
                return match of_integers {
                    Some(op) => Pair::Is(T::Int, C::I(self.emit.i2(op, x, y, active))),
                    None => {
                        let (x, y) = (self.emit.as_f(x), self.emit.as_f(y));
                        Pair::Is(T::Float, C::F(self.emit.f2(of_numbers, x, y)))
                    }
                };
            }
            (C::V(V(ax, ay)), C::V(V(bx, by))) => {
                if !matches!(of_numbers, Binary::Add | Binary::Sub | Binary::Mul | Binary::Div) {
                    return Pair::Fails;
                }
                let v = V(self.emit.f2(of_numbers, ax, bx), self.emit.f2(of_numbers, ay, by));
                self.emit.finite(v, active);
                return Pair::Is(T::Vector, C::V(v));
            }
            (C::V(V(ax, ay)), _) => {
                let (Some(y), Binary::Mul | Binary::Div) = (self.number_of(b), of_numbers) else {
                    return Pair::Fails;
                };
                let v = V(self.emit.f2(of_numbers, ax, y), self.emit.f2(of_numbers, ay, y));
                self.emit.finite(v, active);
                return Pair::Is(T::Vector, C::V(v));
            }
            (_, C::V(V(bx, by))) => {
                let (Some(x), Binary::Mul) = (self.number_of(a), of_numbers) else {
                    return Pair::Fails;
                };
                let v = V(self.emit.f2(Binary::Mul, bx, x), self.emit.f2(Binary::Mul, by, x));
                self.emit.finite(v, active);
                return Pair::Is(T::Vector, C::V(v));
            }
            _ => (self.number_of(a), self.number_of(b)),
        };
        match (x, y) {
            (Some(x), Some(y)) => Pair::Is(T::Float, C::F(self.emit.f2(of_numbers, x, y))),
            _ if a.is == T::Text || b.is == T::Text || a.is == T::Bool || b.is == T::Bool => {
                Pair::Slow
            }
            _ => Pair::Fails,
        }
    }

    /// Where an agent is, or a vector itself.
    fn place_of(&mut self, a: Alt) -> Option<V> {
        match (a.is, a.at) {
            (Type::Vector, Columns::V(v)) => Some(v),
            (Type::Agent, Columns::I(row)) => {
                Some(V(self.emit.other(row, Of::PosX), self.emit.other(row, Of::PosY)))
            }
            _ => None,
        }
    }

    /// A number of either kind as one with a fraction.
    pub(super) fn number_of(&mut self, a: Alt) -> Option<crate::program::F> {
        match (a.is, a.at) {
            (Type::Float, Columns::F(x)) => Some(x),
            (Type::Int, Columns::I(x)) => Some(self.emit.as_f(x)),
            _ => None,
        }
    }

    /// In which lanes two things compare so, if that can be said.
    pub(super) fn same(&mut self, cmp: Compare, a: Alt, b: Alt) -> Option<B> {
        match self.compared(cmp, a, b) {
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
            (T::Int, T::Int) => match (a.at, b.at) {
                (C::I(x), C::I(y)) => truth(self.emit.cmp_i(cmp, x, y)),
                _ => Pair::Slow,
            },
            (T::Int | T::Float, T::Int | T::Float) => {
                match (self.number_of(a), self.number_of(b)) {
                    (Some(x), Some(y)) => truth(self.emit.cmp_f(cmp, x, y)),
                    _ => Pair::Slow,
                }
            }
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
            (T::Vector, T::Vector) => match (a.at, b.at) {
                (C::V(V(ax, ay)), C::V(V(bx, by))) if is_equality => {
                    let (x, y) = (
                        self.emit.cmp_f(Compare::Eq, ax, bx),
                        self.emit.cmp_f(Compare::Eq, ay, by),
                    );
                    let same = self.emit.and(x, y);
                    truth(if cmp == Compare::Eq { same } else { self.emit.not(same) })
                }
                _ => Pair::Fails,
            },
            (T::Text | T::Agent | T::Obstacle | T::Path, _) if is_equality => match (a.at, b.at) {
                (C::I(x), C::I(y)) => truth(self.emit.cmp_i(cmp, x, y)),
                _ => Pair::Slow,
            },
            (T::Agent | T::Obstacle | T::Path, _) => Pair::Fails,
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
        let fits = |is| matches!(is, Type::Int | Type::Float | Type::Vector);
        let alts = self.fitting(a, fits, "this", "a number or a vector", position);
        let negative = operator == "-";
        let mut results = Vec::new();
        for alt in alts {
            let here = alt.mask.map_or(active, |mask| self.emit.and(active, mask));
            let at = match alt.at {
                at if !negative => at,
                Columns::F(x) => Columns::F(self.emit.f1(Unary::Neg, x)),
                Columns::V(V(x, y)) => {
                    Columns::V(V(self.emit.f1(Unary::Neg, x), self.emit.f1(Unary::Neg, y)))
                }
                Columns::I(a) => {
                    if let Some(known) = self.known_whole(a).and_then(i64::checked_neg) {
                        Columns::I(self.emit.const_i(known))
                    } else {
                        Columns::I(self.emit.neg_i(a, here))
                    }
                }
                at => at,
            };
            results.push((alt.mask, alt.is, at));
        }
        if results.is_empty() {
            return Val::never();
        }
        self.gathered(results)
    }

    /// Where something is that is a point or an agent.
    pub(super) fn as_point(&mut self, value: &Val, what: &str, position: Position) -> Option<V> {
        if matches!(value, Val::Me) {
            return Some(V(self.emit.own(Of::PosX), self.emit.own(Of::PosY)));
        }
        self.of_agent_or_vector(value, what, "a point or an agent", (Of::PosX, Of::PosY), position)
    }

    /// A vector, or one of an agent's.
    pub(super) fn of_agent_or_vector(
        &mut self,
        value: &Val,
        what: &str,
        wanted: &str,
        (x, y): (Of, Of),
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
