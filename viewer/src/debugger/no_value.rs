//! Why an expression has no value at a line of a turn.

use std::ops::Range;

use flockwork_engine::sim::Simulation;
use flockwork_engine::tokens::{CodeTokens, Language, Token, TokenKind, tokens};
use flockwork_engine::world::AgentId;

use super::recorded_turn::RecordedTurn;
use super::values::{is_of_word, value_at, value_before_dot};

/// Returns why an expression has no value before a line of a turn, given by its index: which of its names has none. `None` if this is not
/// known.
pub(super) fn reason(
    simulation: &Simulation,
    agent: AgentId,
    (turn, at): (&RecordedTurn, usize),
    text: &str,
) -> Option<String> {
    variable_without_value(turn, at, text)
        .or_else(|| value_without_members(simulation, agent, (turn, at), text))
}

/// Returns why a variable that an expression names has no value yet.
fn variable_without_value(turn: &RecordedTurn, at: usize, text: &str) -> Option<String> {
    let known = turn.variables(at, 0);
    let (script, before) = turn.function_until(at, 0)?;
    let is_variable = |token: &Token| {
        let word = &text[token.span.clone()];
        token.kind == TokenKind::Word
            && !text[..token.span.start].trim_end().ends_with('.')
            && !text[token.span.end..].trim_start().starts_with('(')
            && known.iter().all(|one| one.name != word)
    };
    let words = tokens(text, Language::Rhai).filter(is_variable);
    words.into_iter().find_map(|word| why_unset(script, &before, &text[word.span]))
}

/// Returns why a variable of a script has no value at a line. `before` is the part of its function before the line.
fn why_unset(script: &str, before: &Range<usize>, name: &str) -> Option<String> {
    let code = CodeTokens::new(script, Language::Rhai);
    let start = |index: usize| code.all[index].span.start;
    let all = 0..code.all.len();
    let declares = |&index: &usize| {
        code.get(index) == name && matches!(code.before(index), "let" | "const" | "for")
    };
    let places: Vec<usize> = all.clone().filter(declares).map(start).collect();
    let next = all.into_iter().find(|&one| code.get(one) == "fn" && start(one) >= before.end);
    let end = next.map_or(script.len(), start);
    let line = |place: usize| 1 + script[..place].matches('\n').count();
    if let Some(place) = places.iter().rfind(|place| before.contains(place)) {
        return Some(format!(
            "`{name}` has no value here: line {} has not run, or its block has ended",
            line(*place)
        ));
    }
    if let Some(place) = places.iter().find(|place| (before.end..end).contains(place)) {
        return Some(format!("`{name}` has no value yet: it gets one in line {}", line(*place)));
    }
    let other = places.first()?;
    Some(format!("`{name}` is a variable of another function, in line {}", line(*other)))
}

/// Returns which part of an expression is a value without the members that are read of it, or is nothing where a call takes something.
fn value_without_members(
    simulation: &Simulation,
    agent: AgentId,
    (turn, at): (&RecordedTurn, usize),
    text: &str,
) -> Option<String> {
    let value = |text: &str| value_at(simulation, agent, (turn, at), text).ok();
    let is_nothing = |part: &str| {
        let of = part.rsplit_once('.').map_or("", |(of, _)| of);
        let neighbors = value(of).filter(|text| text.ends_with("neighbors"));
        let since = neighbors.map_or_else(String::new, |text| format!(", since `{of}` has {text}"));
        format!("`{part}` is `()`{since}")
    };
    let member = text.match_indices('.').find_map(|(dot, _)| {
        let part = value_before_dot(&text[..dot]);
        let member = text[dot + 1..].split(|c: char| !is_of_word(c)).next()?;
        match &*value(part).filter(|_| !member.is_empty())? {
            "()" => Some(is_nothing(part)),
            "me.params" => {
                let params = simulation.next_turn(agent).ok()??.params;
                let group = &simulation.world().find(agent)?.group().name;
                let is_missing = params.names().all(|name| name != member);
                is_missing.then(|| format!("the group `{group}` has no param `{member}`"))
            }
            _ => None,
        }
    });
    member.or_else(|| {
        let code = CodeTokens::new(text, Language::Rhai);
        let calls =
            (1..code.all.len()).filter(|&open| code.get(open) == "(" && code.is_word(open - 1));
        let mut arguments = calls.flat_map(|open| code.arguments(open).unwrap_or_default());
        let nothing = arguments.find(|span| value(&text[span.clone()]).as_deref() == Some("()"));
        nothing.map(|span| is_nothing(&text[span]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_without_a_value_are_told_with_their_lines() {
        let script = "fn steer(me) {\n    let a = 1;\n    if a > 1 { let b = 2; }\n    a;\n    let c = 3;\n}\nfn other(me) { let d = 4; }";
        let before = 0..script.find("    a;").expect("the line");
        let why = |name| why_unset(script, &before, name).unwrap_or_default();
        assert_eq!(why("b"), "`b` has no value here: line 3 has not run, or its block has ended");
        assert_eq!(why("c"), "`c` has no value yet: it gets one in line 5");
        assert_eq!(why("d"), "`d` is a variable of another function, in line 7");
        assert_eq!(why("e"), "");
    }
}
