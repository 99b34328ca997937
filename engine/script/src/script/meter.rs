//! Counts the steps of scripts on each thread, and stops a script that takes too many.
//!
//! A step is a statement or an expression that the interpreter evaluates, or a certain amount of work of a native
//! function. Copying an array is one step for the interpreter, so a step takes longer the more data a script handles.
//! Therefore steps count more while variables hold a lot of data.

use std::cell::Cell;

use rhai::{EvalAltResult, Position};

use super::problem::{Problem, Result};
use crate::diag::{Code, Diagnostic};
use crate::program::{self, MAX_STEPS, MAX_WAYS, max_ways};

/// Number of elements for which each step counts one more.
pub(super) const ELEMENTS_PER_WEIGHT: usize = 400;

/// Number of bytes of a long string for which each use of its variable counts as a step. Functions read, copy or split
/// the whole string.
const BYTES_PER_STEP: usize = 8;

/// Minimum number of bytes of a long string.
const LONG: usize = 400;

/// Number of steps of the same weight after which the data of a script is measured again.
const STEPS_BETWEEN_MEASUREMENTS: u64 = 256;

struct Meter {
    steps: Cell<u64>,
    /// The steps that copy lists of `me.state` or `me.params`; `steps` includes them.
    copying: Cell<u64>,
    weight: Cell<u64>,
    next_measurement: Cell<u64>,
    queries: Cell<u64>,
    ways: Cell<u64>,
}

thread_local! {
    static METER: Meter = const {
        Meter {
            steps: Cell::new(0),
            copying: Cell::new(0),
            weight: Cell::new(1),
            next_measurement: Cell::new(STEPS_BETWEEN_MEASUREMENTS),
            queries: Cell::new(0),
            ways: Cell::new(0),
        }
    };
}

/// Starts counting from 0 for a script with a number of elements in its text and its constants.
pub(super) fn restart(elements: usize) {
    METER.with(|meter| {
        meter.steps.set(0);
        meter.copying.set(0);
        meter.weight.set(1);
        meter.next_measurement.set(STEPS_BETWEEN_MEASUREMENTS);
        meter.queries.set(0);
        meter.ways.set(0);
    });
    note_measurement(elements);
}

/// Returns the number of steps since the last restart.
pub(super) fn steps() -> u64 {
    METER.with(|meter| meter.steps.get())
}

/// Counts a step of the interpreter. Returns whether the limit is exceeded.
#[inline]
pub(super) fn step() -> bool {
    METER.with(|meter| {
        let steps = meter.steps.get() + meter.weight.get();
        meter.steps.set(steps);
        steps > MAX_STEPS
    })
}

/// Counts the work of a native function that handles a number of elements.
///
/// # Errors
///
/// If the limit of steps is exceeded.
pub(super) fn spend(elements: usize) -> Result<()> {
    METER.with(|meter| {
        let steps = meter.steps.get().saturating_add(elements as u64);
        meter.steps.set(steps);
        if steps > MAX_STEPS { Err(too_many_steps()) } else { Ok(()) }
    })
}

/// Counts the steps for copying a list of `me.state` or `me.params`.
///
/// # Errors
///
/// If the limit of steps is exceeded.
pub(super) fn spend_on_copy(steps: usize) -> Result<()> {
    METER.with(|meter| meter.copying.set(meter.copying.get().saturating_add(steps as u64)));
    spend(steps)
}

/// Counts a query about the surroundings of an agent in a world with a number of things. The first queries cost little,
/// so that a script can make a few in a world of any size.
///
/// # Errors
///
/// If the limit of steps is exceeded.
pub(super) fn count_query(things: usize) -> Result<()> {
    let cost = METER.with(|meter| {
        let queries = meter.queries.get() + 1;
        meter.queries.set(queries);
        queries.min(program::max_query_steps(things))
    });
    spend(cost as usize)
}

/// Counts a question about a way that is searched on a grid with a number of cells. Whether the way is already known
/// makes no difference.
///
/// # Errors
///
/// If the limit of ways is exceeded.
pub(super) fn count_way(cells: usize) -> Result<()> {
    let ways = METER.with(|meter| {
        let ways = meter.ways.get() + 1;
        meter.ways.set(ways);
        ways
    });
    let most = max_ways(cells);
    if ways <= most {
        return Ok(());
    }
    let mut what = format!("an agent can ask for at most {most} ways in one tick");
    if most < MAX_WAYS {
        what += &format!(" on a grid of {cells} cells");
    }
    let help = "each call of `go_to`, `way_to`, `way_length` and `way_end` counts: \
                choose by straight distances first, or spread the calls over several ticks";
    let mut problem = Problem::new(what).help(help);
    if most < MAX_WAYS {
        problem =
            problem.help("a larger `way_cell` in `world` means fewer cells, and allows more ways");
    }
    Err(problem.into())
}

/// Returns how much each step counts while variables hold a number of elements.
pub(super) fn weight(elements: usize) -> u64 {
    1 + (elements / ELEMENTS_PER_WEIGHT) as u64
}

/// Returns how many more steps the use of a string with a number of bytes counts.
pub(super) fn steps_of_text(bytes: usize) -> usize {
    if bytes < LONG { 0 } else { bytes / BYTES_PER_STEP }
}

/// Returns whether the data of the script should be measured.
#[inline]
pub(super) fn is_measurement_due() -> bool {
    METER.with(|meter| meter.steps.get() >= meter.next_measurement.get())
}

/// Records how many elements a script handles: the largest number so far determines how much each step counts.
pub(super) fn note_elements(elements: usize) {
    METER.with(|meter| {
        meter.weight.set(weight(elements).max(meter.weight.get()));
    });
}

/// Records how many elements the variables of a script hold, and when to measure them again.
pub(super) fn note_measurement(elements: usize) {
    note_elements(elements);
    METER.with(|meter| {
        let until = STEPS_BETWEEN_MEASUREMENTS * meter.weight.get();
        meter.next_measurement.set(meter.steps.get() + until);
    });
}

/// Returns the error of a script that has exceeded the limit of steps.
pub(super) fn limit_exceeded() -> Diagnostic {
    let stopped = "stopped after 1,000,000 steps for one agent in one tick";
    let is_mostly_copying = METER.with(|meter| meter.copying.get() > meter.steps.get() / 2);
    let wrong = if is_mostly_copying {
        let cause = "each use of a long list in `me.state` or `me.params` counts its length";
        Diagnostic::error(format!("{stopped}; {cause}"))
            .help("build the list in a variable and set the state once")
    } else {
        Diagnostic::error(format!("{stopped}; is this loop endless?"))
    };
    wrong.code(Code::Endless)
}

fn too_many_steps() -> Box<EvalAltResult> {
    EvalAltResult::ErrorTooManyOperations(Position::NONE).into()
}
