//! Runs scripts at the beginning of a run: what fails there is sure to fail.

use std::sync::Arc;

use super::start::brain;
use crate::diag::{Code, Diagnostic};
use crate::expect::{Expectation, ExpectationScript};
use crate::script::Behavior;
use crate::sim::{AgentError, Setup, Simulation};
use crate::trace::{OwnMeasure, Totals};

/// The most agents of a scenario whose first turns are tried.
const MAX_AGENTS: u32 = 200;

/// Returns the error with which a run of a scenario stops at tick 0. Nothing is tried in a scenario with many agents.
pub(super) fn error(setup: Setup, behaviors: &[Option<Arc<Behavior>>]) -> Option<Diagnostic> {
    let agents = match &setup.start {
        Some(_) => return None,
        None => setup.groups.iter().map(|(_, spawn)| spawn.count),
    };
    if agents.fold(0, u32::saturating_add) > MAX_AGENTS {
        return None;
    }
    let brains = behaviors.iter().map(|behavior| brain(behavior.clone()));
    let step = |mut simulation: Simulation| simulation.step();
    let failed = Simulation::new(setup, brains.collect()).and_then(step);
    failed.err().map(|error| error.diagnostic())
}

/// Returns the errors that scripts of expectations and measures have before the first tick and would have at any other one.
///
/// # Errors
///
/// If there can be no simulation.
pub(super) fn errors_of_scripts(
    setup: &Setup,
    expectations: &[Expectation],
    measures: &[OwnMeasure],
) -> Result<Vec<Diagnostic>, AgentError> {
    let verdicts: Vec<&dyn ExpectationScript> =
        expectations.iter().filter_map(Expectation::compiled).collect();
    if verdicts.is_empty() && measures.is_empty() {
        return Ok(Vec::new());
    }
    let brains = setup.groups.iter().map(|_| brain(None)).collect();
    let simulation = Simulation::new(setup.clone(), brains)?;
    let totals = Totals::new(&simulation);
    let judged = verdicts.iter().map(|script| script.judge(&simulation, Some(&totals)).0.map(drop));
    let taken = measures.iter().map(|own| own.script.take(&simulation, Some(&totals)).map(drop));
    // A measure that is `()` now may have a value later.
    let is_sure = |error: &Diagnostic| match error.code {
        Code::UnknownName | Code::Endless => true,
        Code::WrongType => !error.message.contains("`()`"),
        _ => false,
    };
    Ok(judged.chain(taken).filter_map(Result::err).filter(is_sure).collect())
}
