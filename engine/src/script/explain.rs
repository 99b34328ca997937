//! Explains the force of an agent whose turn only the interpreter can run: it runs the turn once with traced values,
//! and checks that a plain run gives the same.

use std::sync::Arc;

use super::api::ScriptValue;
use super::compile::Script;
use super::interpreter::{self, FunctionBody, Interpreter};
use super::traced::{self, TurnTrace};
use super::turn;
use crate::diag::Diagnostic;
use crate::math::Vec2;
use crate::program::split_into_shares;
use crate::sim::Turn;
use crate::steer::Explanation;
use crate::world::{Mind, Progress, Values, World};

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
    let (calls, rest) = split_into_shares(calls.collect(), force, (&x, &y));
    Some(Explanation {
        calls,
        rest,
        rest_causes: Vec::new(),
        force,
        vel,
        set_vel: (vel != before).then_some(vel),
        vel_causes: Vec::new(),
    })
}
