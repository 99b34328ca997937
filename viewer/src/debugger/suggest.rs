//! Names that a user may mean: they complete what is being typed, and are suggested for one that does not exist.

use flockwork_engine::diag::nearest;
use flockwork_engine::script::{Entry, reference};

use super::elements::elements;
use super::parts::{shown_text, topic_of};
use super::recorded_turn::NamedValue;
use super::travel::Travel;
use super::values::{NO_VALUE, is_of_word, value_before_dot};

/// Adds the name that may be meant to the reason why an expression has no value.
pub(super) fn with_meant(travel: &Travel, text: &str, why: String) -> String {
    if why == NO_VALUE {
        return travel
            .mistake(text)
            .or_else(|| unknown_member(travel, text))
            .or_else(|| travel.why_no_value(text))
            .unwrap_or(why);
    }
    let variables = travel.place().map(|(turn, line)| turn.variables(line, 0)).unwrap_or_default();
    let names = variables.iter().map(|one| one.name.as_str());
    let mut words = text.split(|c: char| !is_of_word(c));
    let is_unknown = |word: &&str| why.contains(&format!("there is no variable `{word}`"));
    let unknown = words.find(is_unknown);
    if let Some(known) = variables.iter().find(|one| Some(one.name.as_str()) == unknown) {
        let NamedValue { name, text } = known;
        return format!("`{name}` is {text} here, but nothing else is known about it");
    }
    match unknown.and_then(|word| nearest(word, names)) {
        // In place of the names that are known everywhere.
        Some(meant) => {
            let (missing, _) = why.split_once("; ").unwrap_or((&why, ""));
            format!("{missing}; did you mean `{meant}`?")
        }
        None if why.contains("there is no variable `") => {
            travel.why_no_value(text).or_else(|| travel.mistake(text)).unwrap_or(why)
        }
        None => why,
    }
}

/// Returns why an expression has no value, if one of its members does not exist.
fn unknown_member(travel: &Travel, text: &str) -> Option<String> {
    text.match_indices('.').find_map(|(dot, _)| {
        let word = text[dot + 1..].split(|c: char| !is_of_word(c)).next()?;
        let value = value_before_dot(&text[..dot]);
        let known = members(travel, value);
        if known.is_empty() || word.is_empty() {
            return None;
        }
        if known.iter().any(|name| name == word) {
            let is_called = text[dot + 1 + word.len()..].trim_start().starts_with('(');
            let is_missing_call = !is_called && is_only_function(travel, value, word);
            return is_missing_call.then(|| format!("`{word}` is a function; call it: `{word}()`"));
        }
        let help = match nearest(word, known.iter().map(String::as_str)) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => {
                let known: Vec<&str> = known.iter().take(MAX_KNOWN).map(String::as_str).collect();
                format!("it has `{}`, …", known.join("`, `"))
            }
        };
        Some(format!("`{value}` has no `{word}`; {help}"))
    })
}

/// Maximum number of names that are told where none is like the wrong one.
const MAX_KNOWN: usize = 8;

/// Returns the names of what a value has.
fn members(travel: &Travel, value: &str) -> Vec<String> {
    let text = travel.value(value).unwrap_or_default();
    let shown = shown_text(travel, &text);
    let keys = elements(&shown);
    let keys = keys.iter().filter_map(|(name, _)| name.strip_prefix('.')).map(str::to_owned);
    let members = entries_of(value, &text).flat_map(|entry| entry.names).map(str::to_owned);
    // Those of the agent before its turn, and those that the turn has set.
    let variables = travel.place().map(|(turn, line)| turn.variables(line, 0)).unwrap_or_default();
    let set = variables.into_iter().map(|one| one.name);
    let states = travel.expressions().into_iter().chain(set);
    let states = states
        .filter_map(|name| name.strip_prefix("me.state.").map(str::to_owned))
        .filter(|_| value == "me.state");
    keys.chain(members).chain(states).collect()
}

/// Returns what the reference says of the members of a value with a text.
fn entries_of(value: &str, text: &str) -> impl Iterator<Item = Entry> {
    let topic = topic_of(text);
    let owner = match value {
        "me" => Some("me"),
        "world" => Some("world"),
        _ if text.starts_with('[') => Some("array"),
        _ if text.starts_with("#{") => Some("map"),
        _ if text.starts_with('(') && text != "()" => Some("vector"),
        _ => None,
    };
    reference().into_iter().filter(move |entry| match owner {
        Some(owner) => entry.owners.contains(&owner),
        None => Some(entry.topic) == topic,
    })
}

/// Returns whether a member of a value is a function that can be called without arguments, and no property.
fn is_only_function(travel: &Travel, value: &str, name: &str) -> bool {
    let text = travel.value(value).unwrap_or_default();
    let call = format!(".{name}()");
    let mut named = entries_of(value, &text).filter(|entry| entry.names.contains(&name));
    let is_call = |entry: Entry| entry.signature.ends_with(&call);
    named.next().is_some_and(is_call) && named.all(is_call)
}

/// Returns the words that can complete the last one of a text: what its value has behind a dot, or else the variables.
pub(super) fn completions(travel: &Travel, text: &str) -> Vec<String> {
    let head = text.trim_end_matches(is_of_word);
    let typed = &text[head.len()..];
    let mut all: Vec<String> = if let Some(of) = head.strip_suffix('.') {
        members(travel, value_before_dot(of))
    } else {
        let variables = travel.place().map(|(turn, line)| turn.variables(line, 0));
        let variables = variables.unwrap_or_default().into_iter().map(|one| one.name);
        variables.chain(["me", "world"].map(str::to_owned)).collect()
    };
    all.retain(|name| name.starts_with(typed) && name.chars().all(is_of_word));
    all.sort();
    all.dedup();
    all
}
