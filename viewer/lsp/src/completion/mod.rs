//! Completion: the names that are valid where the cursor is, from the definitions and the files of the project.

mod arguments;
mod new_functions;
mod new_groups;
mod scenario;
mod script;
mod templates;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::schema::NameKind;
use flockwork_engine::script::{Entry, Library, reference};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionParams,
    CompletionResponse, CompletionTextEdit, InsertTextFormat, TextEdit,
};

use super::docs;
use super::names::Name;
use super::project::{Project, file, is_script};
use super::snippets::{NewBehavior, SnippetPlace, WorldRect, plain_text, snippets};

pub(super) use script::is_function;

/// Returns what can be written at a position.
pub(super) fn complete(
    project: &mut Project,
    params: CompletionParams,
) -> Option<CompletionResponse> {
    project.read_uses();
    let typed = params.context.and_then(|context| context.trigger_character);
    let at = params.text_document_position;
    let path = file(&at.text_document.uri)?;
    // In a call, the signature is shown instead.
    if typed.as_deref() == Some("(") && is_script(&path) {
        return None;
    }
    let (source, offset) = project.offset(&path, at.position)?;
    let (word, mut items) = suggestions(project, &path, &source, offset)?;
    let is_called = source.text[word.end..].starts_with('(');
    let reference = if project.has_snippets { reference() } else { Vec::new() };
    let range = project.range(&Place { source, span: word });
    for item in &mut items {
        if project.has_snippets && !is_called && item.insert_text.is_none() {
            add_brackets(item, &reference);
        }
        if item.sort_text.is_none() {
            item.sort_text = Some(sort_text(item));
        }
        let mut new_text = item.insert_text.take().unwrap_or_else(|| item.label.clone());
        if !project.has_snippets && item.insert_text_format == Some(InsertTextFormat::SNIPPET) {
            new_text = plain_text(&new_text);
            item.insert_text_format = None;
        }
        item.text_edit = Some(CompletionTextEdit::Edit(TextEdit { range, new_text }));
    }
    Some(CompletionResponse::Array(items))
}

/// Returns what can be written at an offset of a file, with the bytes that it replaces.
pub(super) fn suggestions(
    project: &Project,
    path: &Path,
    source: &Arc<Source>,
    offset: usize,
) -> Option<Found> {
    if project.is_scenario(path) {
        scenario::in_scenario(project, path, source, offset)
    } else if is_script(path) {
        script::in_script_at(project, path, source, offset)
    } else {
        None
    }
}

/// Returns the text that sorts an item: values come before functions, and functions before snippets, since `near` is meant more often than
/// `nearest(..)`. Longer names come after those that they begin with: `neighbor_danger` after `neighbors`.
pub(super) fn sort_text(item: &CompletionItem) -> String {
    let rank = match item.kind {
        Some(
            CompletionItemKind::FUNCTION | CompletionItemKind::METHOD | CompletionItemKind::MODULE,
        ) => 2,
        Some(CompletionItemKind::SNIPPET) => 3,
        _ => 1,
    };
    ranked(rank, &item.label)
}

fn ranked(rank: u8, name: &str) -> String {
    format!("{rank}{}", name.replace('_', "~"))
}

/// Lets a function be written with its brackets, and the cursor where its arguments begin. Several arguments that it requires are places to
/// fill in.
pub(super) fn add_brackets(item: &mut CompletionItem, reference: &[Entry]) {
    let Some(CompletionItemKind::FUNCTION | CompletionItemKind::METHOD) = item.kind else { return };
    let empty = format!("{}()", item.label);
    let is_empty = item.detail.as_ref().is_some_and(|detail| detail.contains(&empty));
    let firsts = reference.iter().filter(|entry| entry.names.contains(&&*item.label));
    let firsts: Vec<&str> =
        firsts.filter_map(|entry| Some(entry.params.first()?.takes.as_str())).collect();
    let signature = item.detail.as_deref().unwrap_or_default();
    // `me.neighbors()` and `me.neighbors(radius)` are one row.
    let arguments = match firsts[..] {
        [] if is_empty => "()$0".to_owned(),
        [first] if first.starts_with("an array of") => "([$0])".to_owned(),
        [_] | [] => places(signature).unwrap_or_else(|| "($0)".to_owned()),
        _ => "($0)".to_owned(),
    };
    item.insert_text = Some(format!("{}{arguments}", item.label));
    item.insert_text_format = Some(InsertTextFormat::SNIPPET);
}

/// Returns the places of the arguments that a function requires, by its signature. `None` if these are not several.
fn places(signature: &str) -> Option<String> {
    let (_, rest) = signature.split_once('(')?;
    let required: Vec<&str> =
        rest.split([',', ')']).map(str::trim).take_while(|name| is_name(name)).collect();
    let numbered = required.iter().enumerate().map(|(i, name)| format!("${{{}:{name}}}", i + 1));
    (required.len() > 1).then(|| format!("({})$0", numbered.collect::<Vec<_>>().join(", ")))
}

/// Returns whether a parameter is a name alone, without a value.
fn is_name(parameter: &str) -> bool {
    !parameter.is_empty()
        && parameter.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// The bytes to replace, and what can be written there.
pub(super) type Found = (Range<usize>, Vec<CompletionItem>);

fn item(label: &str, kind: CompletionItemKind, detail: String, doc: String) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        detail: (!detail.is_empty()).then_some(detail),
        documentation: docs::documentation(doc),
        ..CompletionItem::default()
    }
}

/// Returns a name as an item, in quotes if none are there yet.
fn string_item(name: &str, quoted: bool, detail: &str) -> CompletionItem {
    CompletionItem {
        insert_text: quoted.then(|| format!("\"{name}\"")),
        filter_text: quoted.then(|| format!("\"{name}\"")),
        ..item(name, CompletionItemKind::VALUE, detail.to_owned(), String::new())
    }
}

/// Returns the names of a kind that a file can use.
fn names(project: &Project, path: &Path, kind: NameKind, quoted: bool) -> Vec<CompletionItem> {
    if kind == NameKind::Script {
        let names = project.scripts_folder(path).names();
        return names.iter().map(|name| string_item(name, quoted, "")).collect();
    }
    let declared = project.declared(path, kind);
    let has_value = matches!(kind, NameKind::Param | NameKind::Shared);
    let all = declared.iter().map(|(name, places)| {
        let values: Vec<String> =
            places.iter().filter(|_| has_value).filter_map(declared_value).collect();
        let beside = match &values[..] {
            [first, _, ..] => format!("{first}, {} more", values.len() - 1),
            _ => values.concat(),
        };
        with_beside(string_item(name, quoted, &values.join(", ")), beside)
    });
    all.collect()
}

/// Maximum number of characters of a value beside a name in the list.
const MAX_VALUE: usize = 24;

/// Returns the value of a declared name and where it is declared, such as `birds in flock: 3.5`; `None` if it has no value.
fn declared_value(name: &Name) -> Option<String> {
    let value = name.value.as_deref()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let value = shortened(value);
    let file = Path::new(&name.place.source.name).file_stem()?.to_string_lossy().into_owned();
    let group = name.group.as_ref().map_or_else(String::new, |group| format!("{group} in "));
    Some(format!("{group}{file}: {value}"))
}

/// Returns a text that has room beside a name in the list.
fn shortened(text: String) -> String {
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns an item with a text beside its name in the list.
fn with_beside(item: CompletionItem, text: String) -> CompletionItem {
    let label_details = (!text.is_empty())
        .then_some(CompletionItemLabelDetails { detail: None, description: Some(text) });
    CompletionItem { label_details, ..item }
}

/// Returns a function with its parameters behind its name in the list, so that it is not taken for a property with the same name.
fn with_parameters(item: CompletionItem, signature: &str) -> CompletionItem {
    let Some(bracket) = signature.find('(') else { return item };
    let details = item.label_details.unwrap_or_default();
    let detail = Some(short_parameters(&signature[bracket..]));
    let label_details = Some(CompletionItemLabelDetails { detail, ..details });
    CompletionItem { label_details, ..item }
}

/// Returns parameters without the values that they have by default: the list has no room for these.
fn short_parameters(parameters: &str) -> String {
    let (mut all, mut depth, mut is_default) = (String::new(), 0, false);
    for (at, letter) in parameters.char_indices() {
        depth -= usize::from(letter == ')');
        if letter == ',' && depth == 1 || letter == ')' && depth == 0 {
            is_default = false;
        }
        if depth == 1 && parameters[at..].starts_with(" = ") {
            all.push('?');
            is_default = true;
        }
        if !is_default {
            all.push(letter);
        }
        depth += usize::from(letter == '(');
    }
    all
}

/// Returns the snippets that are valid at a place, if the editor knows snippets. Their numbers are those of a world, if it is known, and
/// their names differ from those that are taken there.
fn snippets_at(
    project: &Project,
    place: Option<SnippetPlace>,
    world: Option<WorldRect>,
    taken: &BTreeSet<&str>,
    behavior: Option<&NewBehavior>,
) -> Vec<CompletionItem> {
    let place = place.filter(|_| project.has_snippets);
    place.map_or_else(Vec::new, |place| snippets(place, world, taken, behavior).collect())
}

/// Returns whether an entry is a member of a value of one of some types.
pub(super) fn is_member(entry: &Entry, types: &[&str]) -> bool {
    let is_word = entry.names[0].starts_with(|c: char| c.is_alphabetic());
    let is_setter = entry.signature.contains(" = ") && !entry.signature.contains('(');
    let anything = !types.is_empty() && entry.owners.contains(&"anything");
    is_word && !is_setter && (anything || entry.owners.iter().any(|owner| types.contains(owner)))
}
