//! The parts of values, which editors unfold: those of agents and neighborhoods are computed, those of lists and maps are read from how they are written.

use flockwork_engine::script::{Entry, Topic, reference};

use super::elements::elements;
use super::recorded_turn::NamedValue;
use super::travel::Travel;

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
