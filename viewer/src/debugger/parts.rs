//! The parts of values, which editors unfold: those of agents and neighborhoods are computed, those of lists and maps are read from how they are written.

use flockwork_engine::script::{Entry, Topic, reference};

use super::recorded_turn::NamedValue;
use super::travel::Travel;
use super::values::split;

/// Number of neighbors that unfold.
const MAX_NEIGHBORS: usize = 50;
/// The text of a variable that is `me.params`.
const PARAMS: &str = "me.params";

/// Returns whether a value has parts that can be asked for.
pub(super) fn has_parts(value: &NamedValue) -> bool {
    // The parts of agents are computed from how these are written.
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
    let is_computed = value.text == PARAMS || topic_of(&value.text).is_some();
    if is_computed { value.name.chars().all(is_of_name) } else { !elements(&value.text).is_empty() }
}

/// Returns a value as it is shown.
pub(super) fn shown_text(travel: &Travel, text: &str) -> String {
    if text == PARAMS { params_text(travel) } else { text.to_owned() }
}

/// Returns what a value with a text has, such as its number of neighbors or its speed.
pub(super) fn parts(travel: &Travel, of: &str, text: &str) -> Vec<NamedValue> {
    if text == PARAMS {
        let named = |(name, text)| NamedValue { name: format!("{of}.{name}"), text };
        return params(travel).map(named).collect();
    }
    let elements = elements(text);
    if !elements.is_empty() {
        let named = |(name, text): (String, &str)| NamedValue {
            name: if name == "…" { name } else { format!("{of}{name}") },
            text: text.to_owned(),
        };
        return elements.into_iter().map(named).collect();
    }
    let topic = topic_of(text);
    let all = reference().into_iter().filter(|entry| Some(entry.topic) == topic);
    let part = |entry: Entry| {
        let (_, name) = entry.signature.split_once('.')?;
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let name = format!("{of}.{name}");
        let text = travel.value(&name).ok().filter(|_| is_name)?;
        Some(NamedValue { name, text })
    };
    let neighbors = (0..if topic == Some(Topic::Neighborhoods) { MAX_NEIGHBORS } else { 0 })
        .map_while(|index| {
            let name = format!("{of}[{index}]");
            let text = travel.value(&name).ok()?;
            Some(NamedValue { name, text })
        });
    all.filter_map(part).chain(neighbors).collect()
}

/// Returns the elements of the text of a list or a map, each with what is written behind the list to get it: `[0]` or `.name`. Empty for
/// another value.
pub(super) fn elements(text: &str) -> Vec<(String, &str)> {
    let inside = |open: &str, close: char| text.strip_prefix(open)?.strip_suffix(close);
    let (inner, is_map) = match (inside("[", ']'), inside("#{", '}')) {
        (Some(inner), _) => (inner, false),
        (_, Some(inner)) => (inner, true),
        _ => return Vec::new(),
    };
    let named = |(index, part)| match part {
        part if is_rest(part) => ("…".to_owned(), part.trim_start_matches(['…', ' '])),
        part if is_map => match part.split_once(": ") {
            Some((name, value)) => (format!(".{name}"), value),
            None => (format!("[{index}]"), part),
        },
        part => (format!("[{index}]"), part),
    };
    split(inner).into_iter().enumerate().map(named).collect()
}

/// Returns whether an element stands for all others.
fn is_rest(part: &str) -> bool {
    part.starts_with('…')
}

/// Returns the topic of the reference that says what a value has, from its text: agents and neighbors have something.
pub(super) fn topic_of(text: &str) -> Option<Topic> {
    if text.ends_with(" neighbors") || ["1 neighbor", "a neighborhood"].contains(&text) {
        return Some(Topic::Neighborhoods);
    }
    text.starts_with("agent ").then_some(Topic::Agents)
}

/// Returns the params of the agent, by their names.
fn params(travel: &Travel) -> impl Iterator<Item = (String, String)> {
    let all = about_agent(travel).into_iter();
    all.filter_map(|one| {
        let name = one.name.strip_prefix(PARAMS)?.strip_prefix('.')?;
        Some((name.to_owned(), one.text))
    })
}

/// Returns the params of the agent as they are written in a script.
pub(super) fn params_text(travel: &Travel) -> String {
    let all: Vec<String> = params(travel).map(|(name, text)| format!("{name}: {text}")).collect();
    format!("#{{{}}}", all.join(", "))
}

/// Returns what is known about the agent.
pub(super) fn about_agent(travel: &Travel) -> Vec<NamedValue> {
    let known = travel.expressions().into_iter();
    known
        .filter_map(|name| travel.value_now(&name).ok().map(|text| NamedValue { name, text }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_maps_have_elements() {
        let all = |text| {
            let all = elements(text).into_iter();
            all.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>()
        };
        assert_eq!(all("[1, (2, 3), [4, 5]]"), ["[0] 1", "[1] (2, 3)", "[2] [4, 5]"]);
        let strings = r#"#{a: "x, \"]", b: #{c: 1}}"#;
        assert_eq!(all(strings), [r#".a "x, \"]""#, ".b #{c: 1}"]);
        assert_eq!(all("[1, … 60 in all]"), ["[0] 1", "… 60 in all"]);
        for other in ["[]", "#{}", "(1, 2)", "\"[1]\"", "2 neighbors"] {
            assert_eq!(all(other), [""; 0], "{other}");
        }
    }
}
