//! Checks of ticks that options name.

use flockwork_engine::{Diagnostic, Run};

/// Checks that the tick that was given with `option` is one of the run.
///
/// # Errors
///
/// If it is before the run's first tick or after its last.
pub(super) fn check(run: &Run, option: &str, tick: u64) -> Result<(), Diagnostic> {
    let (first, last) = (run.first_tick(), run.ticks());
    if tick < first {
        return Err(Diagnostic::error(format!(
            "there is no tick {tick}: the scenario begins at tick {first}"
        ))
        .help(format!("give `{option} {first}` or a later tick")));
    }
    if tick > last {
        return Err(Diagnostic::error(format!(
            "there is no tick {tick}: the scenario ends at tick {last}"
        ))
        .help(format!(
            "give `{option} {last}` or an earlier tick, or set more `ticks` in the scenario"
        )));
    }
    Ok(())
}
