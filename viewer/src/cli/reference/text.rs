//! The reference as plain text.

use std::fmt::Write as _;

use flockwork_engine::script::{Entry, Parameter, Topic};

use super::find::Meaning;
use super::summary;

/// Signatures that are longer push their summary to the right.
const WIDEST_SIGNATURE: usize = 36;

/// Returns one line for each entry, topic by topic.
pub(super) fn overview(entries: &[Entry]) -> String {
    let topics: Vec<String> = Topic::ALL.iter().map(|&topic| list(entries, topic)).collect();
    format!(
        "{}\n`flockwork reference NAME` says more about each of them, and\n\
         `flockwork reference scenario` lists what can be written in a scenario.\n",
        topics.join("\n")
    )
}

/// Returns everything that was found: entries in full, topics as lists.
pub(super) fn meanings(entries: &[Entry], found: &[Meaning<'_>]) -> String {
    let parts = found.iter().map(|one| match one {
        Meaning::Entry(one) => entry(one),
        Meaning::Topic(topic) => list(entries, *topic),
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// Returns the heading of a topic, and one line for each entry.
fn list(entries: &[Entry], topic: Topic) -> String {
    let of_topic = || entries.iter().filter(|entry| entry.topic == topic);
    let widths = of_topic().map(|entry| entry.signature.chars().count());
    let width = widths.filter(|width| *width <= WIDEST_SIGNATURE).max().unwrap_or(0);
    let line = "-".repeat(topic.title().chars().count());
    let mut text = format!("{}\n{line}\n{}\n\n", topic.title(), topic.about());
    for entry in of_topic() {
        let _ = writeln!(text, "  {:<width$}  {}", entry.signature, summary(entry));
    }
    text
}

/// Returns the signature, the documentation, the parameters and the result.
fn entry(entry: &Entry) -> String {
    let mut text = format!("{}\n", entry.signature);
    for (i, paragraph) in entry.doc.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        for line in paragraph.lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    text.push('\n');
    let width = entry.params.iter().map(|param| param.name.len()).max().unwrap_or(0);
    for param in &entry.params {
        let _ = writeln!(text, "    {:<width$}  {}", param.name, describe(param));
    }
    if let [_, others @ ..] = &entry.names[..]
        && !others.is_empty()
    {
        let _ = writeln!(text, "    also: {}", others.join(" "));
    }
    let _ = writeln!(text, "    result: {}", with_unit(&entry.result, entry.result_unit));
    text
}

/// Returns the meaning of a parameter, the kind and unit of its value, and its default.
fn describe(param: &Parameter) -> String {
    let takes = with_unit(&param.takes, param.unit);
    let meaning = if param.doc.is_empty() { String::new() } else { format!("{}: ", param.doc) };
    let default = param.default.as_ref();
    let default = default.map_or_else(String::new, |default| format!("; default {default}"));
    format!("{meaning}{takes}{default}")
}

fn with_unit(kind: &str, unit: &str) -> String {
    if unit.is_empty() { kind.to_owned() } else { format!("{kind}, in {unit}") }
}
