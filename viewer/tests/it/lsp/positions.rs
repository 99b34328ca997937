//! Completion at every name in the shipped files: it offers the name that is written there, and no field that cannot be written.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use flockwork_engine::diag::Source;
use flockwork_engine::scenario::Scenario;
use flockwork_engine::script::reference;
use serde_json::{Value, json};

use super::client::{Client, position};
use crate::project::{Project, skipped};

/// Returns the folder of the repository, if all of it is here.
fn top() -> Option<PathBuf> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if !top.join("engine/src/scenario/tests/full.ron").is_file() {
        skipped("this is not a checkout of the repository");
        return None;
    }
    Some(top)
}

/// Returns the labels that are offered at a byte offset.
fn offered(client: &mut Client, path: &str, offset: usize) -> BTreeSet<String> {
    let params = json!({
        "textDocument": {"uri": client.uri(path)},
        "position": position(client.text(path), offset),
    });
    let items = client.request("textDocument/completion", params);
    let label = |item: &Value| item["label"].as_str().unwrap().to_owned();
    items.as_array().map_or_else(BTreeSet::new, |items| items.iter().map(label).collect())
}

/// Returns the words of a text outside of comments and strings, each with where it begins.
fn words(text: &str) -> Vec<(usize, &str)> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        at += if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if first == '`' {
            rest[1..].find('`').map_or(rest.len(), |end| end + 2)
        } else if is_letter(first) {
            let end = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
            if !first.is_ascii_digit() {
                all.push((at, &rest[..end]));
            }
            end
        } else {
            first.len_utf8()
        };
    }
    all
}

const FULL: &str = "scenarios/full.ron";

/// Returns the names in the full scenario.
fn words_of_full(text: &str) -> Vec<(usize, &str)> {
    let first = text.find("(\n").unwrap();
    words(text).into_iter().filter(|(at, _)| *at > first).collect()
}

#[test]
fn every_field_and_variant_of_the_full_scenario_is_offered_where_it_is_written() {
    let Some(top) = top() else { return };
    let text = fs::read_to_string(top.join("engine/src/scenario/tests/full.ron")).unwrap();
    let project = Project::empty().with(FULL, &text).with("scripts/.keep", "");
    let mut client = Client::start(&project);
    client.open(FULL, &text);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (at, word) in words_of_full(&text) {
        count += 1;
        if !offered(&mut client, FULL, at + 1).contains(word) {
            wrong.push(format!("{word} at {}", &text[at..text.len().min(at + 40)]));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 200, "{count}");
}

/// Returns whether a finding says that there is no field or variant with a name.
fn is_unknown(text: &str, name: &str) -> bool {
    let found = Scenario::parse(&Source::new(FULL, text)).err();
    let about = |message: &str| message.split('`').nth(1) == Some(name);
    found.is_some_and(|all| {
        all.iter().any(|one| one.message.starts_with("unknown ") && about(&one.message))
    })
}

#[test]
fn nothing_is_offered_in_a_scenario_that_it_cannot_read() {
    let Some(top) = top() else { return };
    let text = fs::read_to_string(top.join("engine/src/scenario/tests/full.ron")).unwrap();
    let project = Project::empty().with(FULL, &text).with("scripts/.keep", "");
    let mut client = Client::start(&project);
    client.open(FULL, &text);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (at, word) in words_of_full(&text) {
        for label in offered(&mut client, FULL, at + 1) {
            let mut changed = text.clone();
            changed.replace_range(at..at + word.len(), &label);
            count += 1;
            if is_unknown(&changed, &label) {
                wrong.push(format!("{label} for {}", &text[at..text.len().min(at + 40)]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 800, "{count}");
}

/// Returns the names that can be written in place of a word, as the message about a wrong one lists them; `None` if there are so
/// many that it does not.
fn listed(text: &str, at: usize, word: &str) -> Option<BTreeSet<String>> {
    let mut changed = text.to_owned();
    changed.replace_range(at..at + word.len(), "zzzz");
    let found = Scenario::parse(&Source::new(FULL, changed)).err()?;
    let lists = found
        .iter()
        .flat_map(|one| one.help.iter())
        .filter_map(|help| help.strip_prefix("known: "));
    let list = lists.collect::<Vec<_>>().pop()?;
    Some(list.split(", ").map(str::to_owned).collect())
}

/// Returns where the innermost bracket opens that is around a word outside of comments and strings.
fn bracket(text: &str, at: usize) -> Option<usize> {
    let mut open = Vec::new();
    let (mut from, mut is_text) = (0, false);
    while from < at {
        let rest = &text[from..];
        let first = rest.chars().next()?;
        if !is_text && rest.starts_with("//") {
            from += rest.find('\n')?;
            continue;
        }
        match first {
            '"' => is_text = !is_text,
            '(' | '[' | '{' if !is_text => open.push(from),
            ')' | ']' | '}' if !is_text => {
                open.pop();
            }
            _ => {}
        }
        from += first.len_utf8();
    }
    open.last().copied()
}

#[test]
fn everything_is_offered_in_a_scenario_that_it_can_read() {
    let Some(top) = top() else { return };
    let text = fs::read_to_string(top.join("engine/src/scenario/tests/full.ron")).unwrap();
    let project = Project::empty().with(FULL, &text).with("scripts/.keep", "");
    let mut client = Client::start(&project);
    client.open(FULL, &text);
    let all = words_of_full(&text);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (at, word) in &all {
        let mut nonsense = text.clone();
        nonsense.replace_range(*at..at + word.len(), "zzzz");
        if !is_unknown(&nonsense, "zzzz") {
            continue;
        }
        let offered = offered(&mut client, FULL, at + 1);
        let valid = listed(&text, *at, word).unwrap_or_else(|| {
            let words: BTreeSet<&str> = all.iter().map(|(_, word)| *word).collect();
            let is_valid = |name: &&str| {
                let mut changed = text.clone();
                changed.replace_range(*at..at + word.len(), name);
                !is_unknown(&changed, name)
            };
            words.into_iter().filter(is_valid).map(str::to_owned).collect()
        });
        // A field that is written already is not offered again.
        let is_written = |name: &String| {
            all.iter().any(|(other, word)| {
                *word == name && other != at && bracket(&text, *other) == bracket(&text, *at)
            })
        };
        count += 1;
        let missing: Vec<&String> =
            valid.difference(&offered).filter(|name| !is_written(name)).collect();
        if !missing.is_empty() {
            wrong.push(format!("{missing:?} at {}", &text[*at..text.len().min(at + 40)]));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 200, "{count}");
}

#[test]
fn every_member_in_the_shipped_scripts_is_offered_where_it_is_written() {
    let Some(top) = top() else { return };
    let mut project = Project::empty();
    for folder in ["scenarios", "scripts"] {
        let mut folders = vec![top.join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let is_ours = path.extension().is_some_and(|one| one == "ron" || one == "rhai");
                if path.is_dir() {
                    folders.push(path);
                } else if is_ours {
                    let name = path.strip_prefix(&top).unwrap().to_str().unwrap().to_owned();
                    project = project.with(&name, fs::read(&path).unwrap());
                }
            }
        }
    }
    let scripts = project.all_names().into_iter();
    let scripts = scripts.filter(|path| path.extension().is_some_and(|one| one == "rhai"));
    let scripts: Vec<PathBuf> = scripts.collect();
    let known = reference();
    let mut client = Client::start(&project);
    let (mut wrong, mut seen, mut count) = (Vec::new(), 0, 0);
    for path in scripts {
        let path = path.strip_prefix(project.path("")).unwrap().to_str().unwrap().to_owned();
        let text = project.read(&path);
        client.open(&path, &text);
        for (at, word) in words(&text) {
            if !text[..at].ends_with('.') || text[..at].ends_with("..") {
                continue;
            }
            // Functions of Rhai that the reference leaves to Rhai's book.
            let is_call = text[at + word.len()..].starts_with('(');
            if is_call && !known.iter().any(|entry| entry.names.contains(&word)) {
                continue;
            }
            // Each third one.
            seen += 1;
            if seen % 3 != 0 {
                continue;
            }
            count += 1;
            // As if the name were being written: only its first letter is there.
            if !offered(&mut client, &path, at + 1).contains(word) {
                let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
                wrong.push(format!("{path}: {word} in {}", text[line..].lines().next().unwrap()));
            }
        }
        client.close(&path);
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 300, "{count}");
}
