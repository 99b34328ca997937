//! The lines of scripts that decide what leads to failed expectations, for editors.

use super::case::{Case, TestResult};
use crate::diag::{Diagnostic, Place};
use crate::expect::{Expectation, Failure};
use crate::runner::{Options, Run};
use crate::trace::Totals;
use crate::world::AgentId;

/// What decides a failure.
enum Decider<'e> {
    /// A condition because of which an agent leaves out calls that would keep it from another one.
    Condition(Place, String),
    /// The turn of an agent before it.
    Turn(AgentId),
    /// The script that judges.
    Script(&'e Expectation),
}

impl Case {
    /// Adds the line of a script to each of the errors of a test that is about an agent or a script that judges: the call that the agent
    /// mostly follows in the turn before the failure, or the condition because of which it does not react or that does not hold. The scenario runs again for that, up to the last
    /// failure. Nothing is added where no line decides.
    pub fn add_deciding_lines(&self, result: &TestResult, errors: &mut [Diagnostic]) {
        let run = self
            .files()
            .ok()
            .filter(|_| !result.failures.is_empty())
            .and_then(|files| Run::new(files.source, files.scripts, &Options::default()).ok());
        let Some(mut run) = run else { return };
        let expectations = run.expectations().to_vec();
        let decider = |failure: &Failure| {
            let of = expectations.get(failure.expectation)?;
            let error = failure.diagnostic(of);
            if let Some((agent, calls)) = failure.skipped.first() {
                let why =
                    format!("agent {agent} does not call {}: {calls}", calls.names_in_words());
                return Some((0, error, Decider::Condition(calls.condition.clone(), why)));
            }
            Some(match failure.agent {
                Some(agent) => (failure.tick.checked_sub(1)?, error, Decider::Turn(agent)),
                None => {
                    (failure.tick, error, Decider::Script(of.compiled().is_some().then_some(of)?))
                }
            })
        };
        let mut all: Vec<_> = result.failures.iter().filter_map(decider).collect();
        all.sort_by_key(|(tick, ..)| *tick);
        let scripts = expectations.iter().filter_map(Expectation::compiled);
        let measures = scripts.flat_map(|script| script.measures().iter().copied());
        let mut totals = Totals::needed(run.simulation(), measures);
        for (tick, known, decider) in all {
            while run.tick() < tick {
                if run.step().is_err() {
                    return;
                }
                run.take_messages();
                if let Some(totals) = &mut totals {
                    totals.add_tick(run.simulation());
                }
            }
            let is_there = run.tick() == tick;
            let found = match decider {
                Decider::Condition(place, why) => Some((place, why)),
                Decider::Turn(agent) => deciding_call(&run, agent).filter(|_| is_there),
                Decider::Script(of) => {
                    false_condition(&run, of, totals.as_ref()).filter(|_| is_there)
                }
            };
            if let Some((place, why)) = found
                && let Some(error) = errors.iter_mut().find(|error| **error == known)
            {
                *error = error.clone().related(place, why);
            }
        }
    }
}

/// Returns the call that an agent mostly follows in its next turn, and what to say about it.
fn deciding_call(run: &Run, agent: AgentId) -> Option<(Place, String)> {
    let turn = run.simulation().next_turn(agent).ok()??;
    let call = turn.decision.ok()?.explanation?.dominant()?.clone();
    let (tick, name) = (turn.tick, call.primitive.name);
    Some((call.place?, format!("agent {agent} mostly follows `{name}` here at tick {tick}")))
}

/// Returns the part of a script that decides that an expectation does not hold, and what to say about it.
fn false_condition(
    run: &Run,
    of: &Expectation,
    totals: Option<&Totals>,
) -> Option<(Place, String)> {
    let place = of.compiled()?.last_part(run.simulation(), totals)?;
    Some((place, format!("this does not hold at tick {}", run.tick())))
}
