//! The values of expressions at a line of a turn, which may name the variables of the script.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use flockwork_engine::script::expression;
use flockwork_engine::sim::{Brain, Simulation, ValueKind};
use flockwork_engine::tokens::{CodeTokens, Language};
use flockwork_engine::world::AgentId;

use super::recorded_turn::RecordedTurn;
use super::substitution::KnownValues;

/// The value of a list whose length differs between agents.
const LIST: &str = "a list";
/// Maximum number of elements of such a list that are computed.
const MAX_ELEMENTS: usize = 50;
/// The reason for a missing value that says nothing more.
pub(super) const NO_VALUE: &str = "this has no value here";
/// Returns the value of an expression before a line of a turn, given by its index.
///
/// # Errors
///
/// If it has none, with the reason.
pub(super) fn value_at(
    simulation: &Simulation,
    agent: AgentId,
    (turn, at): (&RecordedTurn, usize),
    text: &str,
) -> Result<String, String> {
    match turn.value(at, text) {
        Some(known) => Ok(known.to_owned()),
        None => {
            let value = |text: &str| value_before(simulation, agent, text).ok();
            let known = KnownValues { turn, agent, value: &value };
            value_before(simulation, agent, &known.without_variables(text, at)?)
        }
    }
}

/// Returns the value of an expression about an agent before its turn.
///
/// # Errors
///
/// If it has none, with the reason.
pub(super) fn value_before(
    simulation: &Simulation,
    agent: AgentId,
    text: &str,
) -> Result<String, String> {
    let value = computed(simulation, agent, text)?;
    if value != LIST {
        return Ok(value);
    }
    // It has no text of its own, but its elements have.
    let count = computed(simulation, agent, &format!("({text}).len()"))?;
    let count: usize = count.parse().map_err(|_| NO_VALUE.to_owned())?;
    let element = |index: usize| computed(simulation, agent, &format!("({text})[{index}]"));
    let shown = (0..count.min(MAX_ELEMENTS)).map(element).collect::<Result<Vec<_>, _>>()?;
    let more = if count > MAX_ELEMENTS { format!(", … {count} in all") } else { String::new() };
    Ok(format!("[{}{more}]", shown.join(", ")))
}

fn computed(simulation: &Simulation, agent: AgentId, text: &str) -> Result<String, String> {
    let brain = compiled(text)?;
    let steps = simulation.steps_of(&brain, agent);
    let value = steps.into_iter().rfind(|step| step.kind == ValueKind::Variable);
    value.map(|step| step.text).ok_or_else(|| NO_VALUE.to_owned())
}

/// Maximum number of expressions that are kept.
const MAX_COMPILED: usize = 1000;

thread_local! {
    /// Compiled expressions: a condition has the same one for most agents in all ticks.
    static COMPILED: RefCell<HashMap<String, Compiled>> = RefCell::default();
}

type Compiled = Result<Arc<dyn Brain>, String>;

fn compiled(text: &str) -> Compiled {
    COMPILED.with_borrow_mut(|all| {
        if all.len() >= MAX_COMPILED && !all.contains_key(text) {
            all.clear();
        }
        let new = || expression(text).map_err(|error| error.in_one_line());
        all.entry(text.to_owned()).or_insert_with(new).clone()
    })
}

/// Returns a text in which expressions in braces are replaced by their values: `sees {near.count}`.
pub(super) fn filled_in(text: &str, value: impl Fn(&str) -> Result<String, String>) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('{') {
        let Some((inner, after)) = from.split_once('}') else { break };
        filled.push_str(before);
        filled.push_str(&value(inner).unwrap_or_else(|why| format!("{{{inner}: {why}}}")));
        rest = after;
    }
    filled + rest
}

/// Returns whether a letter can be one of a name.
pub(super) fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the value that is written before a dot: the names, dots and brackets with what is in them at the end of a text.
pub(super) fn value_before_dot(text: &str) -> &str {
    let mut depth = 0;
    let is_outside = |(at, c): (usize, char)| {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth > 0 => depth -= 1,
            _ if depth > 0 || is_of_word(c) || c == '.' => {}
            _ => return Some(at + c.len_utf8()),
        }
        None
    };
    &text[text.char_indices().rev().find_map(is_outside).unwrap_or(0)..]
}

/// Returns whether a script may have a variable or a parameter with a name: whether it has the word, and not only behind dots.
pub(super) fn has_variable(script: &str, name: &str) -> bool {
    let code = CodeTokens::new(script, Language::Rhai);
    (0..code.all.len()).any(|index| {
        code.is_word(index) && code.get(index) == name && !code.before(index).ends_with('.')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_filled_with_values() {
        let value =
            |text: &str| if text == "a" { Ok("1".to_owned()) } else { Err("no".to_owned()) };
        assert_eq!(filled_in("x {a} y {b} {", value), "x 1 y {b: no} {");
    }
}
