//! Scripts that a scenario names and that do not exist.

use crate::diag::{Diagnostic, Diagnostics, Place, Remedy};
use crate::load;
use crate::script::{Library, first_body};

/// Most scripts that are read to see which could be meant.
const MAX_READ: usize = 200;

/// Returns what a new script for a behavior begins with. Where there are obstacles, a script that does not avoid them has a warning.
pub(crate) fn new_behavior(has_obstacles: bool) -> String {
    match has_obstacles {
        true => ScriptUse::Behavior.script_with("me.wander() + 2 * me.avoid_obstacles()"),
        false => ScriptUse::Behavior.new_script(),
    }
}

/// What a scenario uses a script for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScriptUse {
    Behavior,
    Expectation,
    Measure,
    Field,
}

impl ScriptUse {
    /// Returns its name, the function that it calls, and the parameter of that.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Behavior => ("behavior", "steer", "me"),
            Self::Expectation => ("expectation", "expect", "now"),
            Self::Measure => ("measure", "measure", "now"),
            Self::Field => ("field", "flow", "point"),
        }
    }

    /// Returns what a new script for this begins with.
    fn new_script(self) -> String {
        self.script_with(first_body(self.words().1).unwrap_or_default())
    }

    fn script_with(self, body: &str) -> String {
        let (_, function, parameter) = self.words();
        format!("fn {function}({parameter}) {{\n    {body}\n}}\n")
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
            let (what, function, _) = usage.words();
            let text = usage.new_script();
            // Those that could be meant.
            let head = format!("fn {function}(");
            let mut names = scripts.names();
            if names.len() <= MAX_READ {
                let has = |name: &String| {
                    let read = scripts.read(name).ok().flatten();
                    read.is_some_and(|source| source.text.contains(&head))
                };
                names.retain(has);
            }
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
