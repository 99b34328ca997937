//! Why the force of an agent is what it is whose turn the interpreter takes.
//!
//! The turn is noted down once, and then taken again for each call of a primitive, with that answer left
//! out: what is missing then is its share. That holds for all forces that are linear in the answers, see
//! [`tape`](super::tape); where the shares do not add up, there is no telling.

use std::sync::Arc;

use super::compile::Script;
use super::interpreter::{self, Body, Interpreter};
use super::tape::{Made, Tape};
use super::{meter, turn};
use crate::diag::Diagnostic;
use crate::math::{self, Vec2};
use crate::sim::Turn;
use crate::steer::{Explained, Explanation};
use crate::world::{Mind, Progress, Values, World};

/// Shares that miss the force by more than this part of all of them do not add up.
const MISSING: f32 = 1e-3;

/// Taking the turn again and again may cost so many steps of the interpreter.
const MOST_STEPS: u64 = 2_000_000;

/// The part of the velocity it wants by which an answer is made longer, where it does not say by itself what
/// becomes of that. Small, so that the script goes the same way.
const LONGER: f32 = 1.0 / 64.0;

/// Explains the force of one agent, with a mind that it has before its turn. None where something goes
/// wrong in its turn, or where the shares of the calls do not add up.
pub(super) fn interpreted(
    script: &Script,
    body: &Body,
    world: &Arc<World>,
    row: usize,
    mind: (&Values, &[Progress]),
) -> Option<Explanation> {
    let mut again = Again {
        script,
        interpreter: Interpreter::new(script, body, world),
        world,
        row,
        mind,
        tape: Tape::default(),
    };
    let (force, vel) = again.take()?;
    let made: Vec<Made> = again.tape.calls().cloned().collect();
    let turns = 2 * made.len() as u64 + 3;
    if turns.saturating_mul(meter::steps()) > MOST_STEPS {
        return None;
    }
    let answers: Vec<Vec2> = made.iter().map(|call| call.answer).collect();
    // All else is compared with this: limits that are kept as numbers round in another way.
    let same = again.force(answers.clone())?;
    let mut calls = Vec::with_capacity(made.len());
    for (place, call) in made.into_iter().enumerate() {
        let mut change_with = |answer: Vec2| {
            let mut answers = answers.clone();
            answers[place] = answer;
            Some(again.force(answers)? - same)
        };
        let share = -change_with(Vec2::ZERO)?;
        let weight = weight(call.answer, share);
        let wants = call.primitive.wanted(call.answer, call.vel);
        let pull = match (wants, weight) {
            (Some(wants), Some(weight)) => wants * weight,
            (Some(wants), None) => {
                let mut by = |part: f32| change_with(call.answer + wants * part);
                let (more, less) = (by(LONGER), by(-LONGER));
                let both = more.zip(less).filter(|(more, less)| {
                    math::length(*more + *less) <= MISSING * math::length(*more)
                });
                // One that goes another way with a little more of it has no say beyond its share.
                both.map_or(share, |(more, _)| more / LONGER)
            }
            (None, _) => share,
        };
        let texts = script.texts();
        let place = texts.at(Diagnostic::note(""), call.source.as_deref(), call.position);
        calls.push(Explained {
            primitive: call.primitive,
            place: place.place,
            cause: call.cause,
            hangs_on: Vec::new(),
            sight: call.sight,
            raw: call.answer,
            wants,
            share,
            pull,
            weight,
        });
    }
    let rest = again.force(vec![Vec2::ZERO; answers.len()])?;
    let half = again.force(answers.iter().map(|&answer| answer * 0.5).collect())?;
    let shares: Vec2 = calls.iter().map(|call| call.share).sum();
    let lengths: f32 = calls.iter().map(|call| math::length(call.share)).sum();
    // What is left of braking may be so short that a half of it is rounded to another number.
    let near = MISSING * (lengths + math::length(rest) + math::length(force)) + f32::MIN_POSITIVE;
    let adds_up = |whole: Vec2, part: f32| math::length(whole - rest - shares * part) <= near;
    if !(adds_up(force, 1.0) && adds_up(half, 0.5)) {
        return None;
    }
    let before = world.agents.vel[row];
    Some(Explanation {
        calls,
        rest,
        rest_for: Vec::new(),
        force,
        vel,
        set_vel: (vel != before).then_some(vel),
        vel_for: Vec::new(),
    })
}

/// A turn that is taken again and again.
struct Again<'a> {
    script: &'a Script,
    interpreter: Interpreter<'a>,
    world: &'a Arc<World>,
    row: usize,
    mind: (&'a Values, &'a [Progress]),
    tape: Tape,
}

impl Again<'_> {
    /// Takes the turn: the force, and the velocity before it. None where it fails.
    fn take(&mut self) -> Option<(Vec2, Vec2)> {
        let (mut state, mut progress) = (self.mind.0.clone(), self.mind.1.to_vec());
        let (mut force, mut vel) = (Vec2::ZERO, self.world.agents.vel[self.row]);
        turn::exchange(Some(std::mem::take(&mut self.tape)));
        let mut turn = Turn {
            row: self.row,
            mind: Mind { state: &mut state, progress: &mut progress },
            force: &mut force,
            vel: &mut vel,
        };
        let returned = self.interpreter.run(self.world, &mut turn, &mut Vec::new());
        self.tape = turn::exchange(None).unwrap_or_default();
        let force = interpreter::force(self.script, &returned.ok()?).ok()?;
        Some((force, vel))
    }

    /// The force if primitives gave other answers. None where the script then does something else.
    fn force(&mut self, answers: Vec<Vec2>) -> Option<Vec2> {
        self.tape.rewind(answers);
        let (force, _) = self.take()?;
        self.tape.held().then_some(force)
    }
}

/// The share as a multiple of the answer, where it is one.
fn weight(answer: Vec2, share: Vec2) -> Option<f32> {
    let weight = math::scale(answer, share);
    let missing = math::length(share - answer * weight);
    // It is found by a difference, which is not exact; most answers go in as they are.
    let weight = if (weight - 1.0).abs() <= MISSING { 1.0 } else { weight };
    (answer != Vec2::ZERO && missing <= MISSING * math::length(share)).then_some(weight)
}
