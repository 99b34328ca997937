//! How many steps a script has taken, on each thread.
//!
//! A step is a statement or an expression that the interpreter evaluates, and a certain amount of work that a
//! native function does. It takes longer the more data the script handles, since copying an array is one
//! step for the interpreter; so steps weigh more while variables hold a lot.

use std::cell::Cell;

use rhai::{EvalAltResult, Position};

use super::error::Result;
use crate::program::{self, MAX_STEPS};

/// With so many more elements, each step counts for one more.
const ELEMENTS_PER_WEIGHT: usize = 400;

/// So many steps of the same weight are taken before the script's data is measured again.
const STEPS_BETWEEN_MEASUREMENTS: u64 = 256;

struct Meter {
    steps: Cell<u64>,
    weight: Cell<u64>,
    next_measurement: Cell<u64>,
    queries: Cell<u64>,
}

thread_local! {
    static METER: Meter = const {
        Meter {
            steps: Cell::new(0),
            weight: Cell::new(1),
            next_measurement: Cell::new(STEPS_BETWEEN_MEASUREMENTS),
            queries: Cell::new(0),
        }
    };
}

/// Starts counting anew, for a script that has so many elements in its text and its constants.
pub(super) fn restart(elements: usize) {
    METER.with(|meter| {
        meter.steps.set(0);
        meter.weight.set(1);
        meter.next_measurement.set(STEPS_BETWEEN_MEASUREMENTS);
        meter.queries.set(0);
    });
    note_measurement(elements);
}

/// Counts a step of the interpreter. Returns whether it is one too many.
#[inline]
pub(super) fn step() -> bool {
    METER.with(|meter| {
        let steps = meter.steps.get() + meter.weight.get();
        meter.steps.set(steps);
        steps > MAX_STEPS
    })
}

/// Counts the work of a native function that handles so many elements.
///
/// # Errors
///
/// If these are too many steps.
pub(super) fn spend(elements: usize) -> Result<()> {
    METER.with(|meter| {
        let steps = meter.steps.get().saturating_add(elements as u64);
        meter.steps.set(steps);
        if steps > MAX_STEPS { Err(exhausted()) } else { Ok(()) }
    })
}

/// Counts a question about the surroundings of an agent, in a world of so many things. The first ones cost
/// little, so that a script that asks a few can do so in a world of any size.
///
/// # Errors
///
/// If these are too many steps.
pub(super) fn count_query(things: usize) -> Result<()> {
    let cost = METER.with(|meter| {
        let queries = meter.queries.get() + 1;
        meter.queries.set(queries);
        queries.min(program::max_query_steps(things))
    });
    spend(cost as usize)
}

/// Returns how many steps each one counts for while variables hold so many elements.
pub(super) fn weight(elements: usize) -> u64 {
    1 + (elements / ELEMENTS_PER_WEIGHT) as u64
}

/// Returns whether the script's data is to be measured.
#[inline]
pub(super) fn is_measurement_due() -> bool {
    METER.with(|meter| meter.steps.get() >= meter.next_measurement.get())
}

/// Takes note of how many elements a script handles: the most so far weigh on each step.
pub(super) fn note_elements(elements: usize) {
    METER.with(|meter| {
        meter.weight.set(weight(elements).max(meter.weight.get()));
    });
}

/// Takes note of how many elements the variables of a script hold, and of when to look again.
pub(super) fn note_measurement(elements: usize) {
    note_elements(elements);
    METER.with(|meter| {
        let until = STEPS_BETWEEN_MEASUREMENTS * meter.weight.get();
        meter.next_measurement.set(meter.steps.get() + until);
    });
}

fn exhausted() -> Box<EvalAltResult> {
    EvalAltResult::ErrorTooManyOperations(Position::NONE).into()
}
