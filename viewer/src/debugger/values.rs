//! The values of expressions at a line of a turn, which may name the variables of the script.

use flockwork_engine::script::expression;
use flockwork_engine::sim::{Simulation, ValueKind};
use flockwork_engine::tokens::{Language, Token, TokenKind, tokens};
use flockwork_engine::world::AgentId;

use super::recorded_turn::RecordedTurn;

/// The value of a list whose length differs between agents.
const LIST: &str = "a list";
/// Maximum number of elements of such a list that are computed.
const MAX_ELEMENTS: usize = 50;
/// The reason for a missing value that says nothing more.
pub(super) const NO_VALUE: &str = "this has no value here";
/// Variables that are made of variables are followed this far.
const MAX_DEPTH: usize = 20;

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
        None => value_before(simulation, agent, &without_variables(text, turn, (at, 0), MAX_DEPTH)),
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
    let brain = expression(text).map_err(|error| error.in_one_line())?;
    let steps = simulation.steps_of(&brain, agent);
    let value = steps.into_iter().rfind(|step| step.kind == ValueKind::Variable);
    value.map(|step| step.text).ok_or_else(|| NO_VALUE.to_owned())
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
    let is_it = |token: &Token| {
        &script[token.span.clone()] == name && !script[..token.span.start].ends_with('.')
    };
    code(script).any(|token| token.kind == TokenKind::Word && is_it(&token))
}

fn code(text: &str) -> impl Iterator<Item = Token> + '_ {
    tokens(text, Language::Rhai).filter(|token| !token.is_comment())
}

/// Returns an expression with other expressions in place of the variables of a function that runs at a line: how each is computed, if it has
/// one value only, or its value.
fn without_variables(
    text: &str,
    turn: &RecordedTurn,
    (at, frame): (usize, usize),
    depth: usize,
) -> String {
    let variables = turn.variables(at, frame);
    let mut replaced = String::new();
    let mut end = 0;
    for token in code(text) {
        let word = &text[token.span.clone()];
        let is_member = text[..token.span.start].trim_end().ends_with('.');
        let known = variables.iter().find(|known| known.name == word);
        let Some(known) = known.filter(|_| token.kind == TokenKind::Word && !is_member) else {
            continue;
        };
        let computed = || {
            let depth = depth.checked_sub(1)?;
            let (source, function) = turn.function_until(at, frame)?;
            let new = match definition(&source[function], word) {
                Some(inner) if calls_function_of(source, inner) => return None,
                Some(inner) => without_variables(inner, turn, (at, frame), depth),
                // It is computed where the function is called.
                None => {
                    let inner = argument(turn, (at, frame), word)?;
                    without_variables(inner, turn, (at, frame + 1), depth)
                }
            };
            Some(if new == "me" { new } else { format!("({new})") })
        };
        if let Some(new) = exact(&known.text).or_else(computed).or_else(|| literal(&known.text)) {
            replaced.push_str(&text[end..token.span.start]);
            replaced.push_str(&new);
            end = token.span.end;
        }
    }
    replaced + &text[end..]
}

/// Returns the expression that a function that runs at a line was called with, for one of its parameters that keeps its value.
fn argument<'t>(
    turn: &'t RecordedTurn,
    (at, frame): (usize, usize),
    name: &str,
) -> Option<&'t str> {
    let (script, function) = turn.function_until(at, frame)?;
    let all: Vec<Token> = code(&script[function.clone()]).collect();
    let is_kept = (0..all.len()).all(|index| !is_set(&script[function.clone()], &all, index, name));
    let parameters = in_parentheses(&script[function.start..])?;
    let index = parameters.iter().position(|one| *one == name).filter(|_| is_kept)?;
    let call = turn.call(at, frame)?;
    let given = in_parentheses(&call.source.text[call.span.start..])?;
    let given = given.get(index).copied().filter(|_| given.len() == parameters.len())?;
    let is_computed = !given.contains("random") && !calls_function_of(&call.source.text, given);
    is_computed.then_some(given)
}

/// Returns whether an expression calls a function of a script, which is unknown elsewhere.
fn calls_function_of(script: &str, expression: &str) -> bool {
    let mut words = code(expression).filter(|token| token.kind == TokenKind::Word);
    words.any(|word| script.contains(&format!("fn {}(", &expression[word.span])))
}

/// Returns what is written in the first parentheses of a text, between commas.
fn in_parentheses(text: &str) -> Option<Vec<&str>> {
    let text = &text[text.find('(')?..];
    let mut depth = 0;
    let is_end = |token: &Token| {
        match &text[token.span.clone()] {
            "(" | "[" | "{" | "#{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        depth == 0
    };
    let end = code(text).find(is_end)?.span.start;
    Some(split(&text[1..end]))
}

/// Splits a text at the commas that are in no brackets and in no string.
pub(super) fn split(text: &str) -> Vec<&str> {
    let (mut all, mut start, mut depth) = (Vec::new(), 0, 0);
    let (mut in_string, mut is_escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                all.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        all.push(text[start..].trim());
    }
    all
}

/// Returns whether a variable gets a value at a token of a script, by its index.
fn is_set(text: &str, all: &[Token], index: usize, name: &str) -> bool {
    let word = |index: usize| all.get(index).map_or("", |token| &text[token.span.clone()]);
    let sign = word(index + 1);
    word(index) == name
        && index.checked_sub(1).is_none_or(|before| word(before) != ".")
        && sign.ends_with('=')
        && !["==", "!=", "<=", ">="].contains(&sign)
}

/// Returns the expression that has a value which is shown completely.
fn exact(value: &str) -> Option<String> {
    let is_exact = value.parse::<i64>().is_ok()
        || value.starts_with('"')
        || ["true", "false", "()"].contains(&value);
    is_exact.then(|| format!("({value})"))
}

/// Returns the expression that has a value, to the digits that are shown.
fn literal(value: &str) -> Option<String> {
    let is_number = |text: &str| text.trim().parse::<f32>().is_ok_and(f32::is_finite);
    let parts = value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')?.split_once(','));
    match parts {
        Some((x, y)) if is_number(x) && is_number(y) => Some(format!("vec({x}, {y})")),
        _ => is_number(value).then(|| format!("({value})")),
    }
}

/// Returns how a variable is computed in a part of a script, if it gets a value once only, and the same one each time it is computed.
fn definition<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let all: Vec<Token> = code(text).collect();
    let word = |index: usize| all.get(index).map_or("", |token| &text[token.span.clone()]);
    let mut found = None;
    for index in 1..all.len() {
        if !is_set(text, &all, index, name) {
            continue;
        }
        if found.is_some() || !["let", "const"].contains(&word(index - 1)) {
            return None;
        }
        let mut depth = 0;
        let end = (index + 2..all.len()).find(|&other| {
            match word(other) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            depth == 0 && word(other) == ";"
        })?;
        found = Some(&text[all[index + 1].span.end..all[end].span.start]);
    }
    found.filter(|text: &&str| !text.contains("random"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_with_one_value_is_how_it_is_computed() {
        let text = "fn steer(me) { let near = me.neighbors(#{ a: 1 }.a); // x = 1;\n let x = 1; x += near.count; let y = me.random(); if near == x {}";
        assert_eq!(definition(text, "near"), Some(" me.neighbors(#{ a: 1 }.a)"));
        assert_eq!(definition(text, "x"), None, "it has two values");
        assert_eq!(definition(text, "y"), None, "it is another one each time");
        assert_eq!(definition(text, "count"), None);
        assert!(has_variable(text, "near") && has_variable(text, "me"), "also a parameter");
        assert!(!has_variable(text, "count") && !has_variable(text, "far"));
    }

    #[test]
    fn values_are_expressions_again() {
        assert_eq!(exact("2"), Some("(2)".to_owned()));
        assert_eq!(exact("2.5"), None);
        assert_eq!(literal("-2.5"), Some("(-2.5)".to_owned()));
        assert_eq!(literal("(1, -2.5)"), Some("vec(1,  -2.5)".to_owned()));
        assert_eq!(literal("2 neighbors"), None);
        assert_eq!(literal("inf"), None);
    }

    #[test]
    fn texts_are_filled_with_values() {
        let value =
            |text: &str| if text == "a" { Ok("1".to_owned()) } else { Err("no".to_owned()) };
        assert_eq!(filled_in("x {a} y {b} {", value), "x 1 y {b: no} {");
    }
}
