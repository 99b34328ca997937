//! Values as what is wanted of them: who has another kind of value is at fault.

use rhai::Position;

use super::Lower;
use super::value::{Alt, Val};
use crate::diag::{Code, Diagnostic};
use crate::program::{B, Columns, Type, V};
use crate::script::error::{self, NOTHING_HELP};

impl Lower<'_> {
    /// The alternatives that fit; lanes with another are at fault, and if none fits, the script fails.
    pub(super) fn fitting(
        &mut self,
        value: &Val,
        fits: impl Fn(Type) -> bool,
        what: &str,
        wanted: &str,
        position: Position,
    ) -> Vec<Alt> {
        let Some(active) = self.active else {
            return Vec::new();
        };
        let alts = match value {
            Val::Alts(alts) => alts,
            Val::Any => return Vec::new(),
            Val::Mixed(at) => {
                let at = *at;
                self.slow("one thing on one way and another on another", at);
                return Vec::new();
            }
            other => {
                let kind = other.kind();
                let wrong = Diagnostic::error(format!("{what} must be {wanted}, and is {kind}"));
                self.fails(wrong, position);
                return Vec::new();
            }
        };
        if alts.is_empty() {
            self.stop();
            return Vec::new();
        }
        let (good, bad): (Vec<Alt>, Vec<Alt>) = alts.iter().partition(|alt| fits(alt.is));
        if good.is_empty() {
            let kind = super::value::name(bad[0].is);
            let wrong = Diagnostic::error(format!("{what} must be {wanted}, and is {kind}"));
            let wrong = if bad[0].is == Type::Nothing { wrong.help(NOTHING_HELP) } else { wrong };
            self.fails(wrong, position);
            return Vec::new();
        }
        for alt in &bad {
            let active = alt.mask.map_or(active, |mask| self.emit.and(active, mask));
            self.emit.fault(active);
            if alt.is == Type::Nothing {
                self.may_be_nothing(alt.mask, format!("{what} may be nothing, ()"), position);
            }
        }
        if let [only] = good[..] {
            return vec![Alt { mask: None, ..only }];
        }
        good
    }

    /// Warns of something that may be nothing, once for each thing.
    pub(super) fn may_be_nothing(&mut self, mask: Option<B>, what: String, position: Position) {
        if mask.is_some_and(|mask| !self.warned.insert(mask)) {
            return;
        }
        let may = Diagnostic::warning(what)
            .code(Code::MayBeNothing)
            .help("ask first whether it is there: `if it != () { ... }`");
        let may = self.place(may, position);
        self.findings.push(may);
    }

    pub(super) fn as_truth(&mut self, value: &Val, position: Position) -> Option<B> {
        if matches!(value, Val::Any) {
            return self.active.map(|_| self.emit.b());
        }
        // What is asked of a condition, a boolean, is said by the interpreter in other words than elsewhere.
        if let Val::Alts(alts) = value
            && let Some(other) = alts.iter().find(|alt| alt.is != Type::Nothing).or(alts.first())
            && !alts.iter().any(|alt| alt.is == Type::Bool)
        {
            self.fails(error::mismatch(super::value::name(other.is), "a boolean"), position);
            return None;
        }
        let alts =
            self.fitting(value, |is| is == Type::Bool, "a condition", "true or false", position);
        match alts.first()?.at {
            Columns::B(b) => Some(b),
            _ => None,
        }
    }

    pub(super) fn as_vector(&mut self, value: &Val, what: &str, position: Position) -> Option<V> {
        if matches!(value, Val::Any) {
            return self.active.map(|_| self.emit.v());
        }
        let alts = self.fitting(value, |is| is == Type::Vector, what, "a vector", position);
        match alts.first()?.at {
            Columns::V(v) => Some(v),
            _ => None,
        }
    }

    /// A number of either kind, as one with a fraction.
    pub(super) fn as_number(
        &mut self,
        value: &Val,
        what: &str,
        position: Position,
    ) -> Option<crate::program::F> {
        if matches!(value, Val::Any) {
            return self.active.map(|_| self.emit.f());
        }
        let fits = |is| matches!(is, Type::Int | Type::Float);
        let alts = self.fitting(value, fits, what, "a number", position);
        let mut result = None;
        for alt in alts {
            let x = match alt.at {
                Columns::F(x) => x,
                Columns::I(x) => self.emit.as_f(x),
                _ => continue,
            };
            result = Some(match (result, alt.mask) {
                (Some(other), Some(mask)) => self.emit.select_f(mask, x, other),
                _ => x,
            });
        }
        result
    }

    /// A vector of numbers, which must be finite.
    pub(super) fn finite(&mut self, a: V) -> Val {
        if let Some(active) = self.active {
            self.emit.finite(a, active);
        }
        Val::vector(a)
    }
}
