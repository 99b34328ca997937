//! Expressions that can be computed before a turn: in place of the variables of a script stands how each got its value, or the value itself.

use std::collections::BTreeSet;

use flockwork_engine::sim::TurnValue;
use flockwork_engine::tokens::{CodeTokens, Language, TokenKind, code};
use flockwork_engine::world::AgentId;

use super::elements::elements;
use super::recorded_turn::{NamedValue, RecordedTurn};

/// Variables that are made of variables are followed this far.
const MAX_DEPTH: usize = 20;

/// What is known about the turn of an agent.
pub(super) struct KnownValues<'t> {
    /// The turn.
    pub(super) turn: &'t RecordedTurn,
    /// The agent.
    pub(super) agent: AgentId,
    /// Returns the value of an expression before the turn, if it has one.
    pub(super) value: &'t dyn Fn(&str) -> Option<String>,
}

impl KnownValues<'_> {
    /// Returns an expression with other expressions in place of the variables of the function that runs at a line, and of what the turn has
    /// set of the agent. Variables about which nothing is known stay.
    ///
    /// # Errors
    ///
    /// If the turn has set something to a value that cannot be written.
    pub(super) fn without_variables(&self, text: &str, at: usize) -> Result<String, String> {
        self.replaced(text, (at, 0), MAX_DEPTH)
    }

    fn replaced(
        &self,
        text: &str,
        (at, frame): (usize, usize),
        depth: usize,
    ) -> Result<String, String> {
        let variables = self.turn.variables(at, frame);
        let code = CodeTokens::new(text, Language::Rhai);
        let own = closure_parameters(&code);
        let mut replaced = String::new();
        let mut end = 0;
        for (index, token) in code.all.iter().enumerate() {
            let name = code.get(index);
            let is_member = matches!(code.before(index), "." | "?.");
            // A key of a map is not a variable either.
            let is_name = code.is_word(index) && !is_member && code.get(index + 1) != ":";
            if token.span.start < end || !is_name || own.contains(name) {
                continue;
            }
            let known = variables.iter().find(|known| known.name == name);
            let new = known.and_then(|known| self.written(known, (at, frame), depth));
            if new.as_deref().unwrap_or(name) == "me"
                && let Some((last, new)) = self.set_member(&code, index, at, depth)?
            {
                replaced.push_str(&text[end..token.span.start]);
                replaced.push_str(&new);
                end = code.all[last].span.end;
            } else if let Some(new) = new {
                replaced.push_str(&text[end..token.span.start]);
                replaced.push_str(&new);
                end = token.span.end;
            }
        }
        Ok(replaced + &text[end..])
    }

    /// Returns an expression for a variable: how it is computed, if that gives the value that it has, or else its value.
    fn written(
        &self,
        known: &NamedValue,
        (at, frame): (usize, usize),
        depth: usize,
    ) -> Option<String> {
        let computed = || match self.turn.last_set(at, frame, &known.name) {
            Some((line, step)) => self.computed(step, line, depth),
            // It is computed where the function is called.
            None => {
                let given = argument(self.turn, (at, frame), &known.name)?;
                self.replaced(given, (at, frame + 1), depth.checked_sub(1)?).ok()
            }
        };
        self.expression(&known.text, computed)
    }

    /// Returns an expression with a value that is shown as a text. `computed` may know one.
    fn expression(&self, text: &str, computed: impl Fn() -> Option<String>) -> Option<String> {
        let is_right = |new: &String| new == "me" || (self.value)(new).as_deref() == Some(text);
        let in_brackets = |new: String| if new == "me" { new } else { format!("({new})") };
        exact(text)
            .or_else(|| {
                computed().map(|new| new.trim().to_owned()).filter(is_right).map(in_brackets)
            })
            .or_else(|| self.literal(text))
    }

    /// Returns how a variable got its value at a line, if this is written there.
    fn computed(&self, step: &TurnValue, line: usize, depth: usize) -> Option<String> {
        let script = &step.place.source.text;
        let definition = definition(&script[step.place.span.end..])?;
        if calls_function_of(script, definition) {
            return None;
        }
        self.replaced(definition, (line, 0), depth.checked_sub(1)?).ok()
    }

    /// Returns an expression for a member of the agent that the turn has set, such as `me.state.seen`, with the index of its last token. `me` is
    /// the token at an index.
    fn set_member(
        &self,
        code: &CodeTokens<'_>,
        me: usize,
        at: usize,
        depth: usize,
    ) -> Result<Option<(usize, String)>, String> {
        let mut member = String::new();
        let mut last = me;
        while code.get(last + 1) == "." && last + 2 < code.all.len() {
            last += 2;
            if !member.is_empty() {
                member.push('.');
            }
            member.push_str(code.get(last));
            let Some((line, step)) = self.turn.last_set_of_agent(at, &member) else { continue };
            let new = self.expression(&step.text, || self.computed(step, line, depth));
            let unknown = || {
                format!("`me.{member}` is {} here, but nothing else is known about it", step.text)
            };
            return new.map(|new| Some((last, new))).ok_or_else(unknown);
        }
        Ok(None)
    }

    /// Returns the expression that has a value, to the digits that are shown.
    fn literal(&self, text: &str) -> Option<String> {
        if let Some(id) = text.strip_prefix("agent ").and_then(|id| id.parse::<u32>().ok()) {
            let of = format!("me.neighbors().filter(|other| other.id == {id})[0]");
            return Some(if id == self.agent.0 { "me".to_owned() } else { of });
        }
        let elements = elements(text);
        if elements.is_empty() {
            return exact(text).or_else(|| number_or_vector(text));
        }
        let written = |(name, value): &(String, &str)| {
            let value = self.literal(value)?;
            Some(match name.strip_prefix('.') {
                Some(key) => format!("{key}: {value}"),
                None if name == "…" => return None,
                None => value,
            })
        };
        let all: Vec<String> = elements.iter().map(written).collect::<Option<_>>()?;
        let all = all.join(", ");
        Some(if text.starts_with('[') { format!("[{all}]") } else { format!("#{{{all}}}") })
    }
}

/// Returns the parameters of the closures in an expression.
fn closure_parameters<'t>(code: &CodeTokens<'t>) -> BTreeSet<&'t str> {
    let mut names = BTreeSet::new();
    let mut is_inside = false;
    for index in 0..code.all.len() {
        match code.get(index) {
            "|" if is_inside => is_inside = false,
            // Elsewhere, the bar is an operator.
            "|" => is_inside = matches!(code.before(index), "" | "(" | "," | "="),
            name if is_inside => {
                names.insert(name);
            }
            _ => {}
        }
    }
    names
}

/// Returns the expression that a function that runs at a line was called with, for one of its parameters.
fn argument<'t>(
    turn: &'t RecordedTurn,
    (at, frame): (usize, usize),
    name: &str,
) -> Option<&'t str> {
    let (script, function) = turn.function_until(at, frame)?;
    let parameters = in_parentheses(&script[function.start..])?;
    let index = parameters.iter().position(|one| *one == name)?;
    let call = turn.call(at, frame)?;
    let given = in_parentheses(&call.source.text[call.span.start..])?;
    let given = given.get(index).copied().filter(|_| given.len() == parameters.len())?;
    (!calls_function_of(&call.source.text, given)).then_some(given)
}

/// Returns whether an expression calls a function of a script, which is unknown elsewhere, or gives another value each time.
fn calls_function_of(script: &str, expression: &str) -> bool {
    let mut words = code(expression, Language::Rhai).filter(|token| token.kind == TokenKind::Word);
    expression.contains("random")
        || words.any(|word| script.contains(&format!("fn {}(", &expression[word.span])))
}

/// Returns what is written in the first parentheses of a text, between commas.
fn in_parentheses(text: &str) -> Option<Vec<&str>> {
    let code = CodeTokens::new(&text[text.find('(')?..], Language::Rhai);
    Some(code.arguments(0)?.into_iter().map(|span| &code.text[span]).collect())
}

/// Returns the expression that has a value which is shown completely.
fn exact(value: &str) -> Option<String> {
    let is_exact = value.parse::<i64>().is_ok()
        || value.starts_with('"')
        || ["true", "false", "()", "[]", "#{}"].contains(&value);
    is_exact.then(|| format!("({value})"))
}

/// Returns a number or a vector as it is written in a script.
fn number_or_vector(value: &str) -> Option<String> {
    let is_number = |text: &str| text.trim().parse::<f32>().is_ok_and(f32::is_finite);
    let parts = value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')?.split_once(','));
    match parts {
        Some((x, y)) if is_number(x) && is_number(y) => Some(format!("vec({x}, {y})")),
        _ => is_number(value).then(|| format!("({value})")),
    }
}

/// Returns the expression that a variable is set to: `text` is what follows its name. `None` if it gets its value in another way.
fn definition(text: &str) -> Option<&str> {
    let rest = text.trim_start().strip_prefix('=').filter(|rest| !rest.starts_with('='))?;
    let code = CodeTokens::new(rest, Language::Rhai);
    // The last statement of a block needs no semicolon.
    let is_end = |&index: &usize| matches!(code.get(index), ";" | ")" | "]" | "}");
    let end = code.outside_brackets(0..code.all.len()).find(is_end)?;
    Some(&rest[..code.all[end].span.start])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_what_a_variable_is_set_to() {
        let all = [
            (" = me.neighbors(#{ a: 1 }.a); // ;", Some(" me.neighbors(#{ a: 1 }.a)")),
            (" = if a { 1; 2 } else { 3 };", Some(" if a { 1; 2 } else { 3 }")),
            (" = 2 }", Some(" 2 ")),
            (" == 2;", None),
            (" += 2;", None),
            (" in near {", None),
        ];
        for (text, expected) in all {
            assert_eq!(definition(text), expected, "{text}");
        }
        assert!(calls_function_of("fn half(x) {}", "half(2)"));
        assert!(calls_function_of("", "me.random()") && !calls_function_of("", "me.pos"));
    }

    #[test]
    fn values_are_expressions_again() {
        assert_eq!(exact("2"), Some("(2)".to_owned()));
        assert_eq!(exact("2.5"), None);
        let turn = RecordedTurn::default();
        let known = KnownValues { turn: &turn, agent: AgentId(1), value: &|_| None };
        let literal = |text: &str| known.literal(text).unwrap_or_default();
        assert_eq!(literal("-2.5"), "(-2.5)");
        assert_eq!(literal("(1, -2.5)"), "vec(1,  -2.5)");
        assert_eq!(literal("#{a: [1, \"b\"], c: (1, 2)}"), "#{a: [(1), (\"b\")], c: vec(1,  2)}");
        assert_eq!(literal("agent 1"), "me");
        assert_eq!(literal("agent 2"), "me.neighbors().filter(|other| other.id == 2)[0]");
        for unknown in ["2 neighbors", "inf", "[1, … 60 in all]", "[2 neighbors]"] {
            assert_eq!(literal(unknown), "", "{unknown}");
        }
    }
}
