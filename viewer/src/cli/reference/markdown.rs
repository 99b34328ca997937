//! The reference as Markdown, for the book: a heading with an anchor for each entry.
//!
//! An anchor depends on its own entry alone, so links stay when others are added.

use std::fmt::Write as _;

use flockwork_engine::script::{Entry, Parameter, Topic};

use super::find::Meaning;
use super::found_entries;

/// Returns the whole reference.
pub(super) fn book(entries: &[Entry]) -> String {
    let mut text = String::from(
        "# Script reference\n\n\
         Everything that a script can call, read or define. `flockwork reference` lists it, with one line for each\n\
         entry; `flockwork reference NAME` prints one entry in full, and `--format markdown` the text of this page.\n\n",
    );
    for &topic in Topic::ALL {
        text.push_str(&overview(entries, topic));
    }
    for &topic in Topic::ALL {
        let _ = write!(text, "\n{}", section(entries, topic));
    }
    text
}

/// Returns a line of links to a topic and to its entries. Entries of the same name have one link, to the first of them.
fn overview(entries: &[Entry], topic: Topic) -> String {
    let mut names = Vec::new();
    let mut links = Vec::new();
    for entry in entries.iter().filter(|entry| entry.topic == topic) {
        let name = entry.names[0];
        if !names.contains(&name) {
            names.push(name);
            links.push(format!("[`{name}`](#{})", anchor(entry)));
        }
    }
    format!("- [{}](#{}): {}\n", topic.title(), topic.slug(), links.join(", "))
}

/// Returns everything that was found: entries, and all entries of topics.
pub(super) fn meanings(entries: &[Entry], found: &[Meaning<'_>]) -> String {
    let single = found_entries(found).into_iter().map(entry);
    let topics = found.iter().filter_map(|one| match one {
        Meaning::Topic(topic) => Some(section(entries, *topic)),
        Meaning::Entry(_) => None,
    });
    single.chain(topics).collect::<Vec<_>>().join("\n")
}

/// Returns a topic with all its entries.
fn section(entries: &[Entry], topic: Topic) -> String {
    let title = topic.title();
    let mut text = format!("## {title} {{#{}}}\n\n{}\n", topic.slug(), topic.about());
    for one in entries.iter().filter(|entry| entry.topic == topic) {
        let _ = write!(text, "\n{}", entry(one));
    }
    text
}

fn entry(entry: &Entry) -> String {
    let is_primitive = matches!(entry.topic, Topic::Primitives | Topic::Combinators);
    let title = if is_primitive { entry.names[0] } else { &entry.signature };
    let mut text = format!("### `{title}` {{#{}}}\n\n", anchor(entry));
    let _ = writeln!(text, "```rhai\n{}\n```\n", entry.signature);
    if is_primitive {
        let name = entry.names[0];
        let _ = writeln!(text, "![{name}](pictures/{name}.gif)\n");
    }
    for paragraph in &entry.doc {
        if is_formula(paragraph) {
            let _ = writeln!(text, "```text\n{paragraph}\n```\n");
        } else {
            let _ = writeln!(text, "{}\n", paragraph.replace("Source: ", "*Source:* "));
        }
    }
    if !entry.params.is_empty() {
        text.push_str(&table(&entry.params));
        text.push('\n');
    }
    let others: Vec<String> = entry.names[1..].iter().map(|name| format!("`{name}`")).collect();
    if !others.is_empty() {
        let _ = writeln!(text, "Also: {}.\n", others.join(", "));
    }
    let unit = entry.result_unit;
    let unit = if unit.is_empty() { String::new() } else { format!(", in {unit}") };
    let _ = writeln!(text, "Result: {}{unit}.", entry.result);
    text
}

/// Returns whether a paragraph is a formula: `force = ...`.
fn is_formula(paragraph: &str) -> bool {
    let name = paragraph.split_once(" = ").map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.chars().all(char::is_alphanumeric))
}

/// Returns a table of parameters, without the columns that are empty for all of them.
fn table(params: &[Parameter]) -> String {
    let rows: Vec<[String; 5]> = params
        .iter()
        .map(|param| {
            let default = param.default.as_deref().unwrap_or("");
            [
                format!("`{}`", param.name),
                param.takes.to_string(),
                param.unit.into(),
                default.into(),
                param.doc.into(),
            ]
        })
        .collect();
    let titles = ["parameter", "takes", "unit", "default", "meaning"].map(String::from);
    let used: Vec<usize> = (0..titles.len())
        .filter(|&column| rows.iter().any(|row| !row[column].is_empty()))
        .collect();
    let line = |cells: &[String; 5]| {
        used.iter()
            .map(|&column| format!("| {} ", cells[column].replace('|', "\\|")))
            .collect::<String>()
            + "|\n"
    };
    let rule = "|---".repeat(used.len()) + "|\n";
    [line(&titles), rule].into_iter().chain(rows.iter().map(line)).collect()
}

/// Returns the anchor of an entry: a primitive's name, or the topic, the name and the parameters.
fn anchor(entry: &Entry) -> String {
    let name = word(entry.names[0]);
    if matches!(entry.topic, Topic::Primitives | Topic::Combinators) {
        return name;
    }
    let mut anchor = format!("{}-{name}", entry.topic.slug());
    for param in &entry.params {
        let _ = write!(anchor, "-{}", param.name);
    }
    // The setter of a property has the same name as its getter.
    if entry.signature.contains(" = ") {
        anchor.insert_str(0, "set-");
    }
    anchor
}

/// Returns a word for a name or an operator.
fn word(name: &str) -> String {
    let word = match name {
        "+" => "plus",
        "-" => "minus",
        "*" => "times",
        "/" => "divided-by",
        "/=" => "divide",
        "%" => "remainder",
        "**" => "power",
        "==" => "equals",
        "!=" => "differs",
        "<" => "less",
        "<=" => "at-most",
        ">" => "greater",
        ">=" => "at-least",
        "[]" => "element",
        name => name,
    };
    word.to_lowercase()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use flockwork_engine::script::reference;

    use super::*;

    #[test]
    fn anchors_are_unique_words() {
        let entries = reference();
        let topics = Topic::ALL.iter().map(|topic| topic.slug().to_owned());
        let mut seen: BTreeSet<String> = topics.collect();
        for entry in &entries {
            let anchor = anchor(entry);
            let is_letter =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
            assert!(anchor.chars().all(is_letter), "{anchor}");
            assert!(seen.insert(anchor.clone()), "{anchor} is there twice");
        }
        assert!(seen.contains("seek") && seen.contains("me-nearest-group-radius"));
    }

    #[test]
    fn every_primitive_has_a_picture_and_most_a_formula() {
        let text = book(&reference());
        assert!(text.contains("![seek](pictures/seek.gif)"));
        assert!(text.contains("```text\nforce = unit(target - pos) * speed - vel\n```"));
        assert!(text.contains("| `target` | a point or an agent | world units |"));
    }
}
