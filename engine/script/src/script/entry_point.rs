//! The functions of scripts that the engine calls.

use super::compile::Script;
use crate::diag::{Diagnostic, Diagnostics};

/// A function that a script must have for some purpose.
pub(super) struct EntryPoint {
    pub(super) name: &'static str,
    /// How it is declared.
    pub(super) signature: &'static str,
    /// The description of its one parameter.
    pub(super) parameter: &'static str,
    /// The reason why the function is needed, for the message if it is missing.
    pub(super) purpose: &'static str,
}

impl EntryPoint {
    /// Returns the name of the parameter in a script.
    ///
    /// # Errors
    ///
    /// If the script does not have the function, or with another number of parameters.
    pub(super) fn parameter_in(&self, script: &Script) -> Result<String, Diagnostics> {
        let Self { name, signature, parameter, purpose } = self;
        let found = script.functions().find(|(found, _)| found == name);
        match found.map(|(_, parameters)| parameters) {
            Some(1) => Ok(script.parameters(name, 1).swap_remove(0)),
            Some(count) => Err(Diagnostic::error(format!(
                "`{name}` must have one parameter, {parameter}, but has {count}"
            ))
            .at(&script.source, script.place_of(name))
            .help(format!("write `{signature}`"))
            .into()),
            None => Err(Diagnostic::error(format!("the script has no function `{name}`"))
                .at(&script.source, 0..0)
                .suggest(name, script.written_functions())
                .help(*purpose)
                .into()),
        }
    }
}

/// A function of a behavior that the engine calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryFunction {
    /// `init`, called once for each new agent.
    Init,
    /// `steer`, called for each agent in each tick.
    Steer,
}

/// Returns what the body of a new function may begin with if the engine calls functions with its name. `None` if it does not.
pub fn first_body(function: &str) -> Option<&'static str> {
    Some(match function {
        "steer" => "me.wander()",
        "init" => "me.state.count = 0;",
        "expect" => "true",
        "measure" => "0.0",
        "flow" => "vec(1, 0)",
        _ => return None,
    })
}
