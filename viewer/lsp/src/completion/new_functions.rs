//! The functions that Flockwork calls, as a script that lacks them begins them: whole, with a body to fill in.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use flockwork_engine::scenario;
use flockwork_engine::schema::{NameKind, Shape};
use flockwork_engine::script::{Entry, Topic, first_body, reference};
use flockwork_engine::tokens::ron_tree::RonTree;
use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat};

use super::super::docs;
use super::super::names::keys;
use super::super::project::Project;
use super::super::rhai_text::Tokens;
use super::{item, with_parameters};

/// Returns the functions that Flockwork calls and that a script does not define yet, the likeliest first. `word` has the bytes of what is
/// typed of the name, or of `fn` itself if that is not written yet.
pub(super) fn new_functions(
    project: &Project,
    path: &Path,
    tokens: &Tokens<'_>,
    word: Range<usize>,
    has_fn: bool,
) -> Vec<CompletionItem> {
    let functions = tokens.functions().into_iter().map(|(name, _)| name);
    let known: Vec<usize> =
        functions.filter(|name| tokens.all[*name].span.start != word.start).collect();
    let defined: BTreeSet<&str> = known.iter().map(|name| tokens.get(*name)).collect();
    let parameters: BTreeSet<&str> = known
        .iter()
        .filter(|name| first_body(tokens.get(**name)).is_some())
        .flat_map(|name| tokens.parameters(*name))
        .collect();
    let wanted = wanted_functions(project, path);
    let all = reference();
    let mut new: Vec<&Entry> = all
        .iter()
        .filter(|entry| entry.topic == Topic::EntryPoints && !defined.contains(entry.names[0]))
        .collect();
    // Beside `steer` there is `init`, and beside `expect` there is `measure`.
    new.sort_by_key(|entry| {
        let is_beside = entry.params.iter().any(|param| parameters.contains(param.name));
        (!wanted.contains(entry.names[0]), !is_beside)
    });
    let typed = &tokens.text[word.start..word.end];
    let rest = tokens.text[word.end..].trim_start_matches(' ');
    let new = new.into_iter().enumerate();
    new.map(|(place, entry)| {
        let name = entry.names[0];
        let mut new = item(
            name,
            if has_fn { CompletionItemKind::FUNCTION } else { CompletionItemKind::SNIPPET },
            entry.signature.clone(),
            docs::entry(entry),
        );
        // The space comes before all letters and digits.
        new.sort_text = Some(format!(" {place:02}"));
        let head = entry.signature.trim_start_matches("fn ");
        let body = first_body(name).unwrap_or_default();
        new.insert_text = Some(match rest.chars().next() {
            Some('(') => name.to_owned(),
            Some('{') => head.to_owned(),
            _ => format!("{head} {{\n    ${{0:{body}}}\n}}"),
        });
        new.insert_text_format = Some(InsertTextFormat::SNIPPET);
        if has_fn {
            return with_parameters(new, &entry.signature);
        }
        new.insert_text = new.insert_text.map(|text| format!("fn {text}"));
        // Editors put first where the typed letters stand first: `st` means the name, and `fn` the word before it.
        new.filter_text = Some(match "fn".starts_with(typed) {
            true => format!("fn {name}"),
            false => format!("{name} fn"),
        });
        new.label.clone_from(&entry.signature);
        new
    })
    .collect()
}

/// Returns the functions that the scenarios of a script call in it.
fn wanted_functions(project: &Project, script: &Path) -> BTreeSet<&'static str> {
    let folder = project.scripts_folder(script);
    let mut all = BTreeSet::new();
    for user in project.users_of(script).iter().filter(|user| project.is_scenario(user)) {
        let Ok(source) = project.read(user) else { continue };
        let tree = RonTree::new(&source.text);
        for word in tree.words().filter(|word| !word.is_key) {
            let is_name =
                scenario::shape().of_value(word.node) == Some(&Shape::Name(NameKind::Script));
            if is_name && folder.path_of(word.text).as_deref() == Some(script) {
                let mut keys = word.node.parent().map(keys).unwrap_or_default();
                keys.push(word.node.key().unwrap_or_default());
                all.extend(called_function(&keys));
            }
        }
    }
    all
}

/// Returns the function that a scenario calls in a script, by the keys that lead to the name of the script.
pub(super) fn called_function(keys: &[&str]) -> Option<&'static str> {
    match keys {
        ["groups", _, "behavior"] => Some("steer"),
        ["fields", ..] => Some("flow"),
        ["measures", _] => Some("measure"),
        ["expect", ..] => Some("expect"),
        _ => None,
    }
}
