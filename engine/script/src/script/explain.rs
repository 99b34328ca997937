//! Explains what an agent decides in a turn that only the interpreter can run: which primitives it calls and what they
//! return. How their results go into the force is not known.

use std::ops::Range;
use std::sync::Arc;

use super::choice_kind::ChoiceKind;
use super::choices::is_generated;
use super::compile::Script;
use super::interpreter::{self, FunctionBody, Interpreter};
use super::record::TurnRecord;
use super::trace::{CallSite, Trace, TracedStep};
use super::{live_values, reach, turn};
use crate::diag::{Diagnostic, Place};
use crate::math::Vec2;
use crate::sim::{Output, Turn, TurnValue};
use crate::steer::{ChoiceRule, ExplainedCall, ExplainedChoice, Explanation};
use crate::tokens::{Language, tokens};
use crate::world::{Mind, Progress, Values, World};

/// A turn that the interpreter has taken and recorded.
pub(super) struct RecordedTurn {
    /// The force and the velocity that it gives; `None` if it fails.
    decision: Option<(Vec2, Vec2)>,
    /// The velocity before.
    before: Vec2,
    calls: Vec<ExplainedCall>,
    choices: Vec<ExplainedChoice>,
}

/// Has the interpreter take the turn of an agent that has a given state and progress before it.
pub(super) fn take(
    script: &Script,
    body: &FunctionBody,
    world: &Arc<World>,
    row: usize,
    (state, progress): (&Values, &[Progress]),
) -> RecordedTurn {
    let (mut state, mut progress) = (state.clone(), progress.to_vec());
    let before = world.agents.vel(row);
    let (mut force, mut vel) = (Vec2::ZERO, before);
    let mind = Mind { state: &mut state, progress: &mut progress };
    let slot = world.agents.motions.slot(row);
    let mut turn = Turn { row, slot, mind, force: &mut force, vel: &mut vel };
    let mut interpreter = Interpreter::new(script, body, world);
    turn::set_record(Some(TurnRecord::default()));
    let returned = interpreter.run(world, &mut turn, true, &mut Output::default());
    let TurnRecord { calls, choices, .. } = turn::set_record(None).unwrap_or_default();
    let force = returned.and_then(|returned| interpreter::force(script, &returned));
    let with_place = |(call, site): (ExplainedCall, CallSite)| ExplainedCall {
        place: place(script, &site),
        ..call
    };
    RecordedTurn {
        decision: force.ok().map(|force| (force, vel)),
        before,
        calls: calls.into_iter().map(with_place).collect(),
        choices: choices.into_iter().map(|made| explained_choice(script, made)).collect(),
    }
}

/// Has the interpreter run a function for an agent, and returns the values of its variables and calls in order, until it fails, and
/// whether it does. `script` was compiled for this.
pub(super) fn trace(
    script: &Script,
    function: &str,
    world: &Arc<World>,
    row: usize,
    (state, progress): (&Values, &[Progress]),
) -> (Vec<TurnValue>, bool) {
    let body = FunctionBody::of(script, function);
    let (mut state, mut progress) = (state.clone(), progress.to_vec());
    let (mut force, mut vel) = (Vec2::ZERO, world.agents.vel(row));
    let mind = Mind { state: &mut state, progress: &mut progress };
    let slot = world.agents.motions.slot(row);
    let mut turn = Turn { row, slot, mind, force: &mut force, vel: &mut vel };
    let mut interpreter = Interpreter::new(script, &body, world);
    let record = TurnRecord { trace: Some(Trace::default()), ..TurnRecord::default() };
    turn::set_record(Some(record));
    let ended = interpreter.run(world, &mut turn, true, &mut Output::default());
    let Some(mut trace) = turn::set_record(None).and_then(|record| record.trace) else {
        return (Vec::new(), ended.is_err());
    };
    trace.add_states(|name| state.get(name).map(live_values::value_text));
    // The functions that are generated for choices are none of the script.
    let own_place = |site: &CallSite| {
        place(script, site).filter(|place| !is_generated(site.position, &place.source))
    };
    let is_choice =
        |place: &Place| ChoiceKind::ALL.iter().any(|kind| kind.method() == place.text());
    let value = |(order, step): (usize, &TracedStep)| {
        let mut calls: Vec<Place> = step.calls.iter().filter_map(own_place).collect();
        // A choice is there twice: as it is written, and as the function that is generated for it.
        calls.dedup_by(|a, b| a == b && is_choice(a));
        let mut place = own_place(&step.site)?;
        if let Some(name) = &step.parameter {
            place.span = parameter_before(&place.source.text[..place.span.start], name)?;
        }
        Some(TurnValue {
            place,
            kind: step.kind,
            calls: calls.into(),
            order: order as u32,
            text: step.text.clone(),
            count: 1,
        })
    };
    (trace.steps.iter().enumerate().filter_map(value).collect(), ended.is_err())
}

impl RecordedTurn {
    /// Explains the decision; `None` if the turn fails.
    pub(super) fn explanation(self) -> Option<Explanation> {
        let (force, vel) = self.decision?;
        Some(Explanation {
            calls: self.calls,
            variables: Vec::new(),
            rest: force,
            rest_causes: Vec::new(),
            force,
            vel,
            vel_change: vel - self.before,
            vel_causes: Vec::new(),
            choices: self.choices,
        })
    }
}

/// Returns where a function whose head ends a text has a parameter.
fn parameter_before(text: &str, name: &str) -> Option<Range<usize>> {
    let head = text.rfind("fn ")?;
    let all = tokens(&text[head..], Language::Rhai).map(|token| token.span);
    let mut words = all.map(|span| head + span.start..head + span.end);
    words.find(|span| text[span.clone()] == *name)
}

/// Returns where a call is.
fn place(script: &Script, site: &CallSite) -> Option<Place> {
    script.sources().at(Diagnostic::note(""), site.source.as_deref(), site.position).place
}

/// Returns a choice that a turn has made.
fn explained_choice(
    main: &Script,
    (name, rule, site): (String, ChoiceRule<f32>, CallSite),
) -> ExplainedChoice {
    let all = reach::all(main);
    let is_source = |script: &&&Script| Some(&*script.source.name) == site.source.as_deref();
    let script = all.iter().find(is_source).map_or(main, |script| script);
    let mut choices = script.choices.iter().filter(|choice| choice.name == name);
    let rule = match (choices.find(|choice| choice.kind != ChoiceKind::TimeIn), rule) {
        (Some(choice), ChoiceRule::Machine { .. }) => script.machine_rule(choice),
        (Some(choice), ChoiceRule::Choose { scores, margin, dwell }) => {
            // They are in the order of the keys of a map.
            let mut written = scores.clone();
            for (place, score) in choice.sorted().into_iter().zip(scores) {
                written[place] = score;
            }
            ChoiceRule::Choose { scores: written, margin, dwell }
        }
        (_, rule) => rule,
    };
    let place = place(script, &CallSite { source: None, ..site });
    ExplainedChoice { name, place, rule, news: Vec::new() }
}
