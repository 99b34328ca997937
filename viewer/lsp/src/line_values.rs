//! The values of a turn as words behind the lines of a script.

use std::collections::BTreeMap;

use super::rhai_text::Tokens;
use super::shared_values::SharedValue;

/// Maximum number of values behind a line.
const MAX_IN_LINE: usize = 3;
/// Maximum number of characters of a value behind a line.
const MAX_VALUE: usize = 60;

/// Returns what to write behind the lines of a script, with the ends of these lines: the values that variables get in a line, otherwise the
/// results of its calls, without those that are arguments of others; behind a condition, what it compares and whether it is true.
pub fn line_values(text: &str, values: &[SharedValue]) -> Vec<(usize, String)> {
    let tokens = Tokens::new(text);
    let mut lines: BTreeMap<usize, Vec<&SharedValue>> = BTreeMap::new();
    for value in values {
        let end = text[value.end..].find('\n').map_or(text.len(), |end| value.end + end);
        lines.entry(end).or_default().push(value);
    }
    let words = |(end, mut values): (usize, Vec<&SharedValue>)| {
        values.sort_by_key(|value| value.start);
        // A value that is written there is not shown again.
        let is_written = |value: &SharedValue| {
            let after = text[value.end..].trim_start().strip_prefix('=').map(str::trim_start);
            let rest = after.and_then(|after| after.strip_prefix(value.text.as_str()));
            rest.is_some_and(|rest| rest.trim_start().starts_with(';'))
        };
        values.retain(|value| !(value.is_variable && is_written(value)));
        let is_argument = |value: &SharedValue| {
            let around = tokens.call_around(value.start);
            let around = around.map(|(name, _)| tokens.all[name].span.start);
            values.iter().any(|other| Some(other.start) == around)
        };
        let is_call = |value: &&&SharedValue| {
            text[value.end..].trim_start().starts_with('(') && !is_argument(value)
        };
        let condition = values.iter().find(|value| value.is_condition).copied();
        let is_compared = |value: &&&SharedValue| {
            let is_inside = condition.is_some_and(|of| {
                // What is the whole condition says nothing more.
                let is_whole = (value.start, value.end) == (of.start, of.end);
                of.start <= value.start && value.end <= of.end && !is_whole
            });
            // A part of a longer name says less than the whole.
            is_inside && !text[value.end..].starts_with('.') && !is_argument(value)
        };
        let mut shown: Vec<_> = values.iter().filter(|value| value.is_variable).collect();
        if condition.is_some() {
            shown = values.iter().filter(is_compared).collect();
        } else if shown.is_empty() {
            shown = values.iter().filter(is_call).collect();
        }
        let named = |value: &&&SharedValue| {
            let words: String = match in_words(value) {
                words if words.chars().count() <= MAX_VALUE => words,
                words => words.chars().take(MAX_VALUE).chain(['…']).collect(),
            };
            let before = text[..value.start].trim_end_matches(is_of_name);
            let start = if condition.is_some() { before.len() } else { value.start };
            format!("{} = {words}", text[start..value.end].trim_start_matches('.'))
        };
        let mut words: Vec<String> = shown.iter().take(MAX_IN_LINE).map(named).collect();
        if shown.len() > MAX_IN_LINE {
            words.push("…".to_owned());
        }
        let end = text[..end].trim_end_matches('\r').len();
        let mut words = words.join(", ");
        if let Some(truth) = condition {
            let separator = if words.is_empty() { "" } else { ": " };
            words += &format!("{separator}{}", in_words(truth));
        }
        (!words.is_empty()).then_some((end, words))
    };
    lines.into_iter().filter_map(words).collect()
}

/// Returns whether a letter is one of a name with its members.
fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '.')
}

/// Returns a value, and how many there were if it is the last one of several.
pub(super) fn in_words(value: &SharedValue) -> String {
    match value.count {
        ..=1 => value.text.clone(),
        count => format!("{} (last of {count})", value.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what stands behind the only line that has values, which are given with their places as words of the text.
    fn behind(text: &str, all: &[(&str, &str, bool)]) -> String {
        let value = |(word, value, is_condition): &(&str, &str, bool)| {
            let start = text.find(word).expect("it is in the text");
            SharedValue {
                start,
                end: start + word.len(),
                is_variable: false,
                is_condition: *is_condition,
                text: (*value).to_owned(),
                count: 1,
            }
        };
        let values: Vec<SharedValue> = all.iter().map(value).collect();
        line_values(text, &values).into_iter().map(|(_, words)| words).collect()
    }

    #[test]
    fn behind_a_condition_is_what_it_compares_and_whether_it_is_true() {
        let text = "if near.count > 2 && me.distance(other) < far {";
        let condition = ("near.count > 2 && me.distance(other) < far", "false", true);
        let names = [
            ("near", "4 neighbors", false),
            ("count", "4", false),
            ("distance", "9.5", false),
            ("other", "agent 3", false),
            ("far", "5", false),
        ];
        let all: Vec<_> = names.into_iter().chain([condition]).collect();
        assert_eq!(behind(text, &all), "near.count = 4, me.distance = 9.5, far = 5: false");
        let flag = [("flag", "true", false), ("flag", "true", true)];
        assert_eq!(behind("if flag {", &flag), "true");
        assert_eq!(behind("if true {", &[("true", "true", true)]), "true");
        // Elsewhere, properties that are read are not told.
        assert_eq!(behind("f(near.count);", &[("count", "4", false)]), "");
    }
}
