//! Scripts that a scenario names and that do not exist.

use crate::diag::{Diagnostic, Diagnostics, Place};
use crate::load;
use crate::script::Library;

/// Checks that a script exists. `what` says what uses it, and `place` is where its name is written.
pub(super) fn check_script_exists(
    what: &str,
    name: &str,
    place: &Place,
    scripts: &dyn Library,
) -> Result<(), Diagnostics> {
    let here = |error: Diagnostic| error.at(&place.source, place.span.clone());
    match scripts.read(name) {
        Err(error) => Err(here(error).into()),
        Ok(None) => {
            let names = scripts.names();
            let mut missing =
                Diagnostic::error(format!("there is no script for the {what} `{name}`"))
                    .label(format!("expected the file {name}.{}", load::SCRIPT_EXTENSION))
                    .suggest(name, names.iter().map(String::as_str));
            missing.help.extend(scripts.location());
            Err(here(missing).into())
        }
        Ok(Some(_)) => Ok(()),
    }
}
