//! What a turn of the interpreter comes to, noted down, and the same turn taken again with other answers of
//! primitives.
//!
//! Whatever is not linear in the answers is kept as it was the first time: a length is the same number
//! again, a limit the same scaling. So the force is linear in the answers, as long as the script goes the
//! same way.

use rhai::Position;

use crate::math::Vec2;
use crate::steer::{Cause, Primitive, Sight};
use crate::world::Progress;

/// The notes of a turn.
#[derive(Debug, Default)]
pub(super) struct Tape {
    entries: Vec<Entry>,
    again: Option<Again>,
}

/// Where a turn is that is taken again.
#[derive(Debug)]
struct Again {
    /// What primitives answer this time.
    answers: Vec<Vec2>,
    /// How many of them have been given.
    given: usize,
    /// How many entries have been passed.
    passed: usize,
    /// Whether the script does something else than before.
    strays: bool,
}

#[derive(Debug)]
enum Entry {
    /// A primitive was called.
    Call(Box<Made>),
    /// A number was made of vectors.
    Number(f32),
    /// Vectors were added up, each by a number.
    Sum(Vec<f32>),
    /// A primitive could not be called so.
    Failure(&'static Primitive),
}

/// A call of a primitive.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) primitive: &'static Primitive,
    /// The script that it is written in, where that is an imported one, and where.
    pub(super) source: Option<String>,
    pub(super) position: Position,
    pub(super) cause: Option<Cause>,
    pub(super) sight: Option<Sight>,
    /// The agent's own velocity then.
    pub(super) vel: Vec2,
    pub(super) answer: Vec2,
    /// Where the agent is on its paths after it, if it moves it on.
    pub(super) progress: Option<Vec<Progress>>,
}

impl Tape {
    /// The calls that were made, in order.
    pub(super) fn calls(&self) -> impl Iterator<Item = &Made> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Call(made) => Some(&**made),
            Entry::Number(_) | Entry::Sum(_) | Entry::Failure(_) => None,
        })
    }

    /// Begins the turn again, with one answer for each call.
    pub(super) fn rewind(&mut self, answers: Vec<Vec2>) {
        self.again = Some(Again { answers, given: 0, passed: 0, strays: false });
    }

    /// Whether the turn that was taken again was the same but for the answers.
    pub(super) fn held(&self) -> bool {
        let whole = |again: &Again| !again.strays && again.passed == self.entries.len();
        self.again.as_ref().is_some_and(whole)
    }

    /// Notes a call. In a turn that is taken again, one that is asked for could not be made before.
    pub(super) fn note(&mut self, made: Made) {
        match &mut self.again {
            None => self.entries.push(Entry::Call(Box::new(made))),
            Some(again) => again.strays = true,
        }
    }

    /// Notes that a primitive could not be called as it was.
    pub(super) fn note_failure(&mut self, primitive: &'static Primitive) {
        if self.again.is_none() {
            self.entries.push(Entry::Failure(primitive));
        }
    }

    /// What a primitive answers this time, and where the agent is on its paths then; `None` if it is to be
    /// asked: while the turn is noted down, and where it could not be called.
    pub(super) fn answer(
        &mut self,
        primitive: &'static Primitive,
    ) -> Option<(Vec2, Option<&[Progress]>)> {
        let again = self.again.as_mut()?;
        again.passed += 1;
        match self.entries.get(again.passed - 1) {
            Some(Entry::Call(made)) if std::ptr::eq(made.primitive, primitive) => {
                again.given += 1;
                let answer = again.answers.get(again.given - 1).copied();
                Some((answer.unwrap_or_default(), made.progress.as_deref()))
            }
            Some(Entry::Failure(before)) if std::ptr::eq(*before, primitive) => None,
            _ => {
                again.strays = true;
                Some((Vec2::ZERO, None))
            }
        }
    }

    /// A number that a script gets from vectors: the same again.
    pub(super) fn number(&mut self, value: f32) -> f32 {
        let Some(again) = &mut self.again else {
            self.entries.push(Entry::Number(value));
            return value;
        };
        again.passed += 1;
        if let Some(Entry::Number(before)) = self.entries.get(again.passed - 1) {
            return *before;
        }
        again.strays = true;
        value
    }

    /// A vector that a script gets as a sum of others, each by a number: by the same numbers again.
    pub(super) fn sum(&mut self, of: &[Vec2], to: Vec2, scales: impl FnOnce() -> Vec<f32>) -> Vec2 {
        let Some(again) = &mut self.again else {
            self.entries.push(Entry::Sum(scales()));
            return to;
        };
        again.passed += 1;
        if let Some(Entry::Sum(before)) = self.entries.get(again.passed - 1)
            && before.len() == of.len()
        {
            return of.iter().zip(before).map(|(&force, &by)| force * by).sum();
        }
        again.strays = true;
        to
    }
}
