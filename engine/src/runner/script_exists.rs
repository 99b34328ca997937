//! Scripts that a scenario names and that do not exist.

use crate::diag::{Diagnostic, Diagnostics, Place, Remedy};
use crate::load;
use crate::script::Library;

/// What a scenario uses a script for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScriptUse {
    Behavior,
    Expectation,
    Measure,
    Field,
}

impl ScriptUse {
    /// Returns its name, and what a new script for it may begin with.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Behavior => ("behavior", "fn steer(me) {\n    me.wander()\n}\n"),
            Self::Expectation => ("expectation", "fn expect(now) {\n    true\n}\n"),
            Self::Measure => ("measure", "fn measure(now) {\n    0.0\n}\n"),
            Self::Field => ("field", "fn flow(point) {\n    vec(1, 0)\n}\n"),
        }
    }
}

/// Checks that a script exists. `place` is where its name is written.
pub(super) fn check_script_exists(
    usage: ScriptUse,
    name: &str,
    place: &Place,
    scripts: &dyn Library,
) -> Result<(), Diagnostics> {
    let here = |error: Diagnostic| error.at(&place.source, place.span.clone());
    match scripts.read(name) {
        Err(error) => Err(here(error).into()),
        Ok(None) => {
            let names = scripts.names();
            let (what, text) = usage.words();
            let mut missing =
                Diagnostic::error(format!("there is no script for the {what} `{name}`"))
                    .label(format!("expected the file {name}.{}", load::SCRIPT_EXTENSION))
                    .suggest(name, names.iter().map(String::as_str));
            missing.help.extend(scripts.location());
            let missing = missing.remedy(Remedy::NewScript { name: name.to_owned(), text });
            Err(here(missing).into())
        }
        Ok(Some(_)) => Ok(()),
    }
}
