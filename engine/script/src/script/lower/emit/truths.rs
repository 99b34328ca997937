//! Booleans: comparisons and logic, and what is known about them before the program runs.

use super::Emitter;
use crate::math::Compare;
use crate::program::{B, F, I, OpKind};

impl Emitter {
    /// Returns a boolean that is known before the run.
    pub(in super::super) fn known(&self, a: B) -> Option<bool> {
        [true, false].into_iter().find(|&value| self.booleans[usize::from(value)] == Some(a))
    }

    /// Returns a boolean that is the same for every agent: a constant, or computed from constants. The lanes at the
    /// start of a turn count as true, so this says of a mask whether every agent gets there, or none. The program
    /// computes it anyway.
    pub(in super::super) fn truth(&self, a: B) -> Option<bool> {
        if self.program.live == Some(a) {
            return Some(true);
        }
        self.known(a).or_else(|| self.truths.get(&a).copied())
    }

    fn logic(&mut self, kind: OpKind, (a, b): (B, B), truth: Option<bool>) -> B {
        let to = self.all(kind, (a, b));
        self.note_truth(to, truth)
    }

    fn note_truth(&mut self, to: B, truth: Option<bool>) -> B {
        if let Some(truth) = truth {
            self.truths.insert(to, truth);
        }
        to
    }

    pub(in super::super) fn cmp_f(&mut self, how: Compare, a: F, b: F) -> B {
        if let (Some(a), Some(b)) = (self.constant_f(a), self.constant_f(b)) {
            return self.const_b(how.holds(a, b));
        }
        let known = self.known_f(a).zip(self.known_f(b));
        let to = self.all(OpKind::CompareF(how), (a, b));
        self.note_truth(to, known.map(|(a, b)| how.holds(a, b)))
    }

    pub(in super::super) fn cmp_i(&mut self, how: Compare, a: I, b: I) -> B {
        let known = self.constant_i(a).zip(self.constant_i(b));
        let to = self.all(OpKind::CompareI(how), (a, b));
        self.note_truth(to, known.map(|(a, b)| how.holds(a, b)))
    }

    pub(in super::super) fn not(&mut self, a: B) -> B {
        match self.known(a) {
            Some(known) => self.const_b(!known),
            None => {
                let truth = self.truth(a).map(|a| !a);
                let to = self.all(OpKind::Not, a);
                self.note_truth(to, truth)
            }
        }
    }

    pub(in super::super) fn and(&mut self, a: B, b: B) -> B {
        match (self.known(a), self.known(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) | (_, Some(false)) => self.const_b(false),
            _ if a == b => a,
            _ => self.logic(OpKind::And, (a, b), conjunction(self.truth(a), self.truth(b))),
        }
    }

    pub(in super::super) fn and_not(&mut self, a: B, b: B) -> B {
        match (self.known(a), self.known(b)) {
            (_, Some(false)) => a,
            (Some(false), _) | (_, Some(true)) => self.const_b(false),
            _ => {
                let truth = conjunction(self.truth(a), self.truth(b).map(|b| !b));
                self.logic(OpKind::AndNot, (a, b), truth)
            }
        }
    }

    pub(in super::super) fn or(&mut self, a: B, b: B) -> B {
        match (self.known(a), self.known(b)) {
            (Some(false), _) => b,
            (_, Some(false)) => a,
            (Some(true), _) | (_, Some(true)) => self.const_b(true),
            _ if a == b => a,
            _ => {
                let [no_a, no_b] = [a, b].map(|one| self.truth(one).map(|one| !one));
                self.logic(OpKind::Or, (a, b), conjunction(no_a, no_b).map(|none| !none))
            }
        }
    }

    /// Compares booleans.
    pub(in super::super) fn same(&mut self, a: B, b: B) -> B {
        let known = self.truth(a).zip(self.truth(b));
        self.logic(OpKind::Same, (a, b), known.map(|(a, b)| a == b))
    }
}

fn conjunction(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}
