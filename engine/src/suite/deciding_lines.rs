//! The lines of scripts that decide what leads to failed expectations, for editors.

use super::case::{Case, TestResult};
use crate::diag::{Diagnostic, Place};
use crate::runner::{Options, Run};
use crate::world::AgentId;

impl Case {
    /// Adds the line of a script to each of the errors of a test that is about an agent: the call that the agent mostly follows in the
    /// turn before the failure. The scenario runs again for that, up to the last failure. Nothing is added where no call decides.
    pub fn add_deciding_lines(&self, result: &TestResult, errors: &mut [Diagnostic]) {
        let Some(first) = result.errors.len().checked_sub(result.failures.len()) else { return };
        let about = result.failures.iter().enumerate().filter_map(|(index, failure)| {
            Some((failure.tick.checked_sub(1)?, failure.agent?, first + index))
        });
        let mut about: Vec<(u64, AgentId, usize)> = about.collect();
        about.sort_unstable();
        let run = self
            .files()
            .ok()
            .filter(|_| !about.is_empty())
            .and_then(|files| Run::new(files.source, files.scripts, &Options::default()).ok());
        let Some(mut run) = run else { return };
        for (tick, agent, index) in about {
            while run.tick() < tick {
                if run.step().is_err() {
                    return;
                }
                run.take_messages();
            }
            if run.tick() == tick
                && let Some(error) = errors.get_mut(index)
                && let Some((place, why)) = deciding_line(&run, agent)
            {
                *error = error.clone().related(place, why);
            }
        }
    }
}

/// Returns the call that an agent mostly follows in its next turn, and what to say about it.
fn deciding_line(run: &Run, agent: AgentId) -> Option<(Place, String)> {
    let turn = run.simulation().next_turn(agent).ok()??;
    let call = turn.decision.ok()?.explanation?.dominant()?.clone();
    let (tick, name) = (turn.tick, call.primitive.name);
    Some((call.place?, format!("agent {agent} mostly follows `{name}` here at tick {tick}")))
}
