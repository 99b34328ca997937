//! What is wrong with an expression of the person, with the states that agents of any group have.

use std::collections::BTreeSet;

use flockwork_engine::Code;
use flockwork_engine::diag::Diagnostic;
use flockwork_engine::sim::Simulation;
use flockwork_engine::tokens::{Language, tokens};

/// What stands before the name of a state.
const STATE: &str = "me.state.";

/// What an error begins with about an expression that is no number, which is computed as the part of a vector that nobody has written.
const NO_NUMBER: &str = "the first argument of `vec` must be a number, but is ";

/// Returns the names of the states that any agent has, and of those that are public.
fn state_names(simulation: &Simulation) -> BTreeSet<&str> {
    let rows = 0..simulation.world().agents.len();
    let own = rows.flat_map(|row| simulation.minds().state(row).names());
    let public = simulation.world().names().public().iter().map(|known| &*known.name);
    own.chain(public).collect()
}

/// Returns the state that a word of an expression means which stands there without what it belongs to: `me.state.energy` for `energy`.
pub(super) fn meant_state(expression: &str, simulation: &Simulation) -> Option<String> {
    let states = state_names(simulation);
    let mut before = "";
    let mut alone = tokens(expression, Language::Rhai).filter_map(|token| {
        let word = &expression[token.span];
        (std::mem::replace(&mut before, word) != ".").then_some(word)
    });
    alone.find(|word| states.contains(word)).map(|word| format!("{STATE}{word}"))
}

/// Returns what is wrong with an expression in one line.
pub(super) fn why_wrong(expression: &str, error: Diagnostic, simulation: &Simulation) -> String {
    let unset = error.message.split(['`']).find_map(|part| part.strip_prefix(STATE));
    if let Some(name) = unset.filter(|_| error.code == Code::UnsetState) {
        // The error knows the states of one agent only.
        let states = state_names(simulation);
        return Diagnostic::error(error.message.clone()).suggest(name, states).in_one_line();
    }
    if let Some(kind) =
        error.message.strip_prefix(NO_NUMBER).filter(|_| !expression.contains("vec("))
    {
        let is_path = expression.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
        let part = if is_path { format!("{expression}.x") } else { format!("({expression}).x") };
        let help = if kind == "a vector" { format!("; write `{part}`") } else { String::new() };
        return format!("expected a number, found {kind}{help}");
    }
    match meant_state(expression, simulation).filter(|_| error.code == Code::UnknownName) {
        Some(meant) => format!("{}; did you mean `{meant}`?", error.message),
        // Numbers of agents are computed as parts of vectors, which nobody has written.
        None => error.in_one_line().replacen("this vector is not", "this number is not", 1),
    }
}
