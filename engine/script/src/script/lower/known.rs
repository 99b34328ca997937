//! Facts about the numbers in columns that are known before the program runs.

use std::collections::{HashMap, HashSet};

use crate::math::{Binary, Unary};
use crate::program::F;

/// The numbers that columns are known to hold, and the columns that never hold a finite number.
#[derive(Default)]
pub(super) struct KnownNumbers {
    /// Each number, and whether it is a constant (`true`) or computed from constants.
    numbers: HashMap<F, (f32, bool)>,
    /// The columns with a number that is not known, but surely infinite or NaN for every agent.
    never_finite: HashSet<F>,
}

impl KnownNumbers {
    /// Returns the number of a column that holds a constant.
    pub(super) fn constant(&self, at: F) -> Option<f32> {
        let known = self.numbers.get(&at);
        known.filter(|(_, is_constant)| *is_constant).map(|(x, _)| *x)
    }

    /// Returns the number that a column is known to hold: a constant, or computed from constants.
    pub(super) fn number(&self, at: F) -> Option<f32> {
        self.numbers.get(&at).map(|(x, _)| *x)
    }

    /// Returns whether a column holds an infinite number or NaN for every agent.
    pub(super) fn is_never_finite(&self, at: F) -> bool {
        self.never_finite.contains(&at) || self.number(at).is_some_and(|x| !x.is_finite())
    }

    pub(super) fn note_constant(&mut self, at: F, value: f32) {
        self.numbers.insert(at, (value, true));
    }

    /// Records the number that a column is known to hold because it is computed from constants.
    pub(super) fn note(&mut self, at: F, value: Option<f32>) {
        if let Some(value) = value {
            self.numbers.entry(at).or_insert((value, false));
        }
    }

    /// Records the value of a number that is computed from another one, if it is known, or that it is never finite.
    pub(super) fn note_unary(&mut self, at: F, function: Unary, a: F) {
        self.note(at, self.number(a).map(|a| function.apply(a)));
        let keeps = || {
            let all = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
            all.into_iter().all(|x| !function.apply(x).is_finite())
        };
        if self.is_never_finite(a) && keeps() {
            self.never_finite.insert(at);
        }
    }

    /// Records the value of a number that is computed from two others, if it is known, or that it is never finite.
    pub(super) fn note_binary(&mut self, at: F, function: Binary, a: F, b: F) {
        let known = self.number(a).zip(self.number(b));
        self.note(at, known.map(|(a, b)| function.apply(a, b)));
        let is_never_finite = match function {
            Binary::Add | Binary::Sub | Binary::Mul => {
                self.is_never_finite(a) || self.is_never_finite(b)
            }
            // Division by zero is infinite or NaN for every number.
            Binary::Div | Binary::Rem => self.is_never_finite(a) || self.number(b) == Some(0.0),
            Binary::Pow | Binary::Min | Binary::Max | Binary::Atan2 => false,
        };
        if is_never_finite {
            self.never_finite.insert(at);
        }
    }
}
