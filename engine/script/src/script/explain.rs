//! Explains the force of an agent whose turn only the interpreter can run: it runs the turn once with traced values,
//! and checks that a plain run gives the same.

use std::sync::Arc;

use super::api::ScriptValue;
use super::choices::ChoiceKind;
use super::compile::Script;
use super::interpreter::{self, FunctionBody, Interpreter};
use super::traced::{self, CallSite, TurnTrace};
use super::{reach, turn};
use crate::diag::Diagnostic;
use crate::math::Vec2;
use crate::program::split_into_shares;
use crate::sim::Turn;
use crate::steer::{ChoiceRule, ExplainedChoice, Explanation};
use crate::world::{Mind, Progress, Values, World};

/// Returns a choice that a traced turn has made.
fn explained_choice(
    main: &Script,
    (name, rule, site): (String, ChoiceRule<f32>, CallSite),
) -> ExplainedChoice {
    let all = reach::all(main);
    let is_source = |script: &&&Script| Some(&*script.source.name) == site.source.as_deref();
    let script = all.iter().find(is_source).map_or(main, |script| script);
    let mut choices = script.choices.iter().filter(|choice| choice.name == name);
    let rule = match (choices.find(|choice| choice.kind != ChoiceKind::TimeIn), rule) {
        (Some(choice), ChoiceRule::Machine { .. }) => choice.machine_rule(script),
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
    let place = script.sources().place(Diagnostic::note(""), site.position).place;
    ExplainedChoice { name, place, rule }
}

/// Explains the force of an agent that has a given state and progress before its turn. `None` if the turn fails, if it
/// has too many traced values, or if the traced run gives another result.
pub(super) fn interpreted(
    script: &Script,
    body: &FunctionBody,
    world: &Arc<World>,
    row: usize,
    (state, progress): (&Values, &[Progress]),
) -> Option<Explanation> {
    let before = world.agents.vel(row);
    let take = |mut interpreter: Interpreter<'_>, trace: Option<TurnTrace>| {
        let (mut state, mut progress) = (state.clone(), progress.to_vec());
        let (mut force, mut vel) = (Vec2::ZERO, before);
        let mind = Mind { state: &mut state, progress: &mut progress };
        let slot = world.agents.motions.slot(row);
        let mut turn = Turn { row, slot, mind, force: &mut force, vel: &mut vel };
        turn::trace(trace);
        let returned = interpreter.run(world, &mut turn, &mut Vec::new());
        let trace = turn::trace(None).unwrap_or_default();
        let returned = returned.ok()?;
        let force = interpreter::force(script, &returned).ok()?;
        Some((returned, force, vel, trace))
    };
    traced::restart();
    let traced = Interpreter::traced(script, body, world);
    let (returned, force, vel, trace) = take(traced, Some(TurnTrace::default()))?;
    // A script that finds a way to tell traced values from others might give another result.
    let (_, plain_force, plain_vel, _) = take(Interpreter::new(script, body, world), None)?;
    if traced::is_full() || (force, vel) != (plain_force, plain_vel) {
        return None;
    }
    let sources = script.sources();
    let calls = trace.calls.into_iter().map(|(mut made, site)| {
        made.place = sources.at(Diagnostic::note(""), site.source.as_deref(), site.position).place;
        made
    });
    let (x, y) = traced::TracedVector::from_dynamic(&returned).unwrap_or_default().forms();
    let (vel_x, vel_y) = trace.vel.unwrap_or_default().forms();
    let (calls, rest) = split_into_shares(calls.collect(), force, (&x, &y), (&vel_x, &vel_y));
    Some(Explanation {
        calls,
        rest,
        rest_causes: Vec::new(),
        force,
        vel,
        vel_change: vel - before,
        vel_causes: Vec::new(),
        choices: trace.choices.into_iter().map(|made| explained_choice(script, made)).collect(),
    })
}
