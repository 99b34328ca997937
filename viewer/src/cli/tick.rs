//! A tick that a command is asked for: it must be one of the run.

use flockwork_engine::{Diagnostic, Run};

/// Checks that a tick given by an option is one of the run's.
///
/// # Errors
///
/// If it is before the run's first tick or after its last.
pub(super) fn of_run(run: &Run, option: &str, tick: u64) -> Result<(), Diagnostic> {
    let (first, last) = (run.first_tick(), run.ticks());
    if tick < first {
        return Err(Diagnostic::error(format!(
            "there is no tick {tick}: the scenario begins at tick {first}"
        ))
        .help(format!("ask for `{option} {first}` or a later one")));
    }
    if tick > last {
        return Err(Diagnostic::error(format!(
            "there is no tick {tick}: the scenario ends at tick {last}"
        ))
        .help(format!(
            "ask for `{option} {last}` or an earlier one, or give the scenario more `ticks`"
        )));
    }
    Ok(())
}
