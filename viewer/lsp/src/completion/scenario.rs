//! Completion in scenarios: fields, variants and names where they are valid.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::scenario;
use flockwork_engine::schema::{NameKind, Shape};
use flockwork_engine::tokens::ron_tree::{RonCursor, RonKind, RonNode, RonPosition, RonTree};
use flockwork_engine::tokens::{Language, code};
use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat, TextEdit};

use super::super::docs;
use super::super::names as names_in;
use super::super::plural::singular;
use super::super::project::Project;
use super::super::rhai_text::Tokens;
use super::super::snippets::{
    NewBehavior, SnippetPlace, WorldRect, fitted, plain_text, whole_value,
};
use super::super::variant_order;
use super::new_functions::called_function;
use super::{
    Found, item, names, new_groups, shortened, snippets_at, string_item, templates, with_beside,
};

/// Returns what can be written at an offset of a scenario.
pub(super) fn in_scenario(
    project: &Project,
    path: &Path,
    source: &Arc<Source>,
    offset: usize,
) -> Option<Found> {
    let text = source.text.as_str();
    let tree = RonTree::new(text);
    let cursor = tree.cursor(offset)?;
    let mut position = cursor.position;
    if position.brackets.is_none() && is_alone(text, &cursor.word) {
        let place = Some(SnippetPlace::EmptyScenario);
        let all = snippets_at(project, place, None, &BTreeSet::new(), None);
        return Some((cursor.word, all));
    }
    let brackets = position.brackets?;
    let shape = scenario::shape().in_brackets(brackets)?;
    let mut comma = None;
    if position.has_value {
        comma = Some(missing_comma(shape, brackets, &cursor)?);
        position = RonPosition { key: None, has_value: false, ..position };
    }
    let quoted = !cursor.is_string;
    let world = WorldRect::read(&tree);
    let whole = whole_entry(project, path, position, world).filter(|_| cursor.word.is_empty());
    let mut items = match (shape, shape.next_value(brackets, position.key)) {
        (Shape::Map(_), None) => match names_in::key_kind(brackets) {
            Some((kind, false)) => {
                let written = keys_in(brackets, offset);
                let mut all = names(project, path, kind, quoted);
                if kind == NameKind::Param {
                    keep_params(project, path, position, &mut all);
                }
                all.retain(|one| !written.contains(&*one.label));
                all
            }
            _ => {
                let written = keys_in(brackets, offset);
                let mut all = new_params(project, path, brackets, quoted);
                all.retain(|one| !written.contains(&*one.label));
                all
            }
        },
        (Shape::Fields(fields), None) if !cursor.is_string => {
            let written = keys_in(brackets, offset);
            let is_named = text[cursor.word.end..].trim_start().starts_with(':');
            let comma = if ends_entry(&text[cursor.word.end..]) { "" } else { "," };
            let new = fields.iter().enumerate();
            let new =
                new.filter(|(_, field)| !written.contains(field.name)).map(|(place, field)| {
                    let types = field.shape.to_string();
                    // The fields of its brackets are in the documentation.
                    let beside = match field.shape {
                        Shape::Fields(_) => "(..)".to_owned(),
                        _ => shortened(types.clone()),
                    };
                    let one =
                        item(field.name, CompletionItemKind::FIELD, types, docs::field(field));
                    let one = with_beside(one, beside);
                    let template = fitted(&templates::of_field(field), world) + comma;
                    CompletionItem {
                        // Required fields first, then in the order of the reference.
                        sort_text: Some(format!("{}{place:02}", u8::from(!field.is_required))),
                        ..match (is_named, project.has_snippets) {
                            (true, _) => one,
                            (false, true) => with_template(one, template),
                            (false, false) => {
                                let insert_text = Some(format!("{}: ", field.name));
                                CompletionItem { insert_text, ..one }
                            }
                        }
                    }
                });
            new.collect()
        }
        (_, Some(Shape::Name(kind))) => {
            let mut all = names(project, path, *kind, quoted);
            match kind {
                NameKind::Param => keep_params(project, path, position, &mut all),
                NameKind::Script => keep_scripts(project, path, position, &mut all),
                _ => {}
            }
            all
        }
        (Shape::Fields(_), Some(_)) if position.key == Some("color") => colors(quoted),
        (_, Some(shape)) if !cursor.is_string && has_words(shape) => {
            let value = |name| item(name, CompletionItemKind::VALUE, String::new(), String::new());
            let booleans = match shape {
                Shape::Value(words) | Shape::ValueOrVariants(words, _) => {
                    words.starts_with("true").then_some(["true", "false"].map(value))
                }
                _ => None,
            };
            let has_brackets = text[cursor.word.end..].starts_with('(');
            let is_element = brackets.kind() == RonKind::List;
            let comma = if is_element && !ends_entry(&text[cursor.word.end..]) { "," } else { "" };
            let variants = variant_order::by_use(shape.variants());
            let variants = variants.into_iter().enumerate().map(|(place, one)| {
                let detail = one.shape.as_ref().map_or_else(String::new, Shape::to_string);
                let new = CompletionItem {
                    sort_text: Some(format!("1{place:02}")),
                    ..item(one.name, CompletionItemKind::ENUM_MEMBER, detail, docs::variant(one))
                };
                if one.shape.is_some() && project.has_snippets && !has_brackets {
                    with_template(new, fitted(&templates::of_variant(one), world) + comma)
                } else {
                    new
                }
            });
            booleans.into_iter().flatten().chain(variants).collect()
        }
        (_, Some(shape)) if !cursor.is_string && templates::is_in_brackets(shape) => {
            let template = fitted(&templates::of_value(shape), world);
            if let Some(whole) = whole {
                return Some((cursor.word, vec![whole]));
            }
            let label = plain_text(&template);
            let empty = item(&label, CompletionItemKind::VALUE, shape.to_string(), String::new());
            let is_offered = project.has_snippets && cursor.word.is_empty();
            return is_offered.then(|| (cursor.word, vec![with_template(empty, template)]));
        }
        _ => return None,
    };
    if quoted {
        let place = SnippetPlace::in_brackets(&names_in::keys(brackets));
        let is_group = place == Some(SnippetPlace::Groups);
        let behavior = is_group.then(|| new_groups::behavior(project, path, None)).flatten();
        let taken = keys_in(brackets, offset);
        items.extend(snippets_at(project, place, world, &taken, behavior.as_ref()));
        items.extend(whole.filter(|_| position.key.is_none()));
    }
    if let Some(end) = comma {
        let range = project.range(&Place { source: Arc::clone(source), span: end..end });
        let edit = TextEdit { range, new_text: ",".to_owned() };
        items.iter_mut().for_each(|item| item.additional_text_edits = Some(vec![edit.clone()]));
    }
    Some((cursor.word, items))
}

/// Returns a whole entry where the value of a named entry is written, such as that of a group, or in its brackets while they are empty.
fn whole_entry(
    project: &Project,
    path: &Path,
    position: RonPosition<'_, '_>,
    world: Option<WorldRect>,
) -> Option<CompletionItem> {
    let brackets = position.brackets?;
    let (map, name) = match position.key {
        Some(name) => (brackets, name),
        None if brackets.children().next().is_none() => (brackets.parent()?, brackets.key()?),
        None => return None,
    };
    let place = SnippetPlace::in_brackets(&names_in::keys(map))?;
    let own = || NewBehavior { name: name.to_owned(), params: Vec::new() };
    let is_group = place == SnippetPlace::Groups;
    let known = is_group.then(|| new_groups::behavior(project, path, Some(name))).flatten();
    let behavior = known.unwrap_or_else(own);
    let (label, value) = whole_value(place, &behavior)?;
    let text = fitted(&value, world);
    let text = match position.key {
        Some(_) => text,
        None => {
            let inner = text.strip_prefix('(')?.strip_suffix(')')?;
            let tree = brackets.tree().text();
            let opening = brackets.opening()? + 1;
            // The brackets may be on several lines already.
            match tree[opening..].trim_start_matches(' ').starts_with('\n') {
                true => inner.trim().replace("\n    ", "\n"),
                false => inner.to_owned(),
            }
        }
    };
    let new = CompletionItem {
        // The space comes before all letters and digits.
        sort_text: Some(" ".to_owned()),
        ..item(&label, CompletionItemKind::SNIPPET, String::new(), String::new())
    };
    Some(with_template(new, text))
}

/// Returns the colors that have names, as they are written in a scenario.
fn colors(quoted: bool) -> Vec<CompletionItem> {
    let color = |(place, (name, hex)): (usize, (&str, &str))| CompletionItem {
        insert_text: Some(if quoted { format!("\"{hex}\"") } else { hex.to_owned() }),
        filter_text: quoted.then(|| format!("\"{name}\"")),
        sort_text: Some(format!("{place:02}")),
        // Editors show the color that is the documentation.
        ..item(name, CompletionItemKind::COLOR, hex.to_owned(), hex.to_owned())
    };
    scenario::named_colors().enumerate().map(color).collect()
}

/// Returns an item that writes a template.
fn with_template(item: CompletionItem, template: String) -> CompletionItem {
    CompletionItem {
        insert_text: Some(template),
        insert_text_format: Some(InsertTextFormat::SNIPPET),
        ..item
    }
}

/// Returns whether no comma is needed behind an entry that is written before a text: one is there, or the bracket closes in this line.
fn ends_entry(rest: &str) -> bool {
    let line = rest.lines().next().unwrap_or_default();
    line.trim_start().starts_with([',', ')', ']', '}'])
}

/// Returns where a comma is missing if a new field or entry begins at a cursor: behind the value before it. `None` if it cannot begin there.
fn missing_comma(
    shape: &Shape,
    brackets: RonNode<'_, '_>,
    cursor: &RonCursor<'_, '_>,
) -> Option<usize> {
    let is_before = |value: &RonNode<'_, '_>| value.span().end <= cursor.word.start;
    let end = brackets.children().filter(is_before).last()?.span().end;
    let between = &brackets.tree().text()[end..cursor.word.start];
    let is_apart = between.contains('\n') || !(between.is_empty() || cursor.word.is_empty());
    let has_keys = matches!(shape, Shape::Fields(_) | Shape::Map(_));
    (is_apart && has_keys && shape.next_value(brackets, None).is_none()).then_some(end)
}

/// Returns whether a scenario has nothing but a word and comments.
fn is_alone(text: &str, word: &Range<usize>) -> bool {
    code(text, Language::Ron).all(|token| token.span == *word)
}

/// Returns whether a value can be one of some words without quotes: a variant or a boolean.
fn has_words(shape: &Shape) -> bool {
    match shape {
        Shape::Value(words) => words.starts_with("true"),
        other => !other.variants().is_empty(),
    }
}

/// Keeps the params of the group that is written beside the name of a param.
fn keep_params(
    project: &Project,
    path: &Path,
    position: RonPosition<'_, '_>,
    all: &mut Vec<CompletionItem>,
) {
    let Some(brackets) = position.brackets else { return };
    let group = match names_in::keys(brackets)[..] {
        ["start", "groups", group, "params"] | ["groups", group, "ranges"] => Some(group),
        _ => string_of(brackets, "group"),
    };
    let declared = project.declared(path, NameKind::Param);
    let has = |name: &str| {
        let places = declared.get(name);
        places.is_some_and(|all| {
            all.iter().any(|one| one.group.is_none() || one.group.as_deref() == group)
        })
    };
    if group.is_some() {
        all.retain(|one| has(&one.label));
    }
}

/// Keeps the scripts that define the function that is called at a place of a scenario.
fn keep_scripts(
    project: &Project,
    path: &Path,
    position: RonPosition<'_, '_>,
    all: &mut Vec<CompletionItem>,
) {
    let mut keys = position.brackets.map(names_in::keys).unwrap_or_default();
    keys.push(position.key.unwrap_or_default());
    let Some(function) = called_function(&keys) else { return };
    let folder = project.scripts_folder(path);
    let defines = |name: &str| {
        let source = folder.path_of(name).and_then(|path| project.read(&path).ok());
        source.is_some_and(|source| {
            let tokens = Tokens::new(&source.text);
            tokens.functions().into_iter().any(|(name, _)| tokens.get(name) == function)
        })
    };
    all.retain(|one| defines(&one.label));
    // A script with the name of the group is hardly another one.
    if let ["groups", group, _] = keys[..] {
        let is_same =
            |one: &&mut CompletionItem| one.label == group || one.label == singular(group);
        // The space comes before all letters and digits.
        all.iter_mut().filter(is_same).for_each(|one| one.sort_text = Some(" ".to_owned()));
    }
}

/// Returns the string that a field in brackets has.
fn string_of<'t>(brackets: RonNode<'_, 't>, field: &str) -> Option<&'t str> {
    let mut strings = brackets.children().filter(|value| value.kind() == RonKind::String);
    let value = strings.find(|value| value.key() == Some(field))?;
    value.word().map(|word| word.text)
}

/// Returns the names of the fields that are written in brackets, except at an offset.
fn keys_in<'t>(brackets: RonNode<'_, 't>, offset: usize) -> BTreeSet<&'t str> {
    let keys = brackets.children().filter_map(RonNode::key_word);
    let others = keys.filter(|key| !(key.span.start..=key.span.end).contains(&offset));
    others.map(|key| key.text).collect()
}

/// Returns the params that a group could declare in the map around the cursor: those that its script reads, with the scripts that this one
/// imports. All scripts of the scenario count if the group has none yet.
fn new_params(
    project: &Project,
    path: &Path,
    map: RonNode<'_, '_>,
    quoted: bool,
) -> Vec<CompletionItem> {
    if map.key() != Some("params") {
        return Vec::new();
    }
    let behavior = map.parent().and_then(|group| string_of(group, "behavior"));
    let script = behavior.and_then(|name| project.scripts_folder(path).path_of(name));
    let read = match script {
        Some(script) => new_groups::params_read(project, &script),
        None => {
            let all = project.scripts_of(path);
            all.iter().flat_map(|script| new_groups::params_read(project, script)).collect()
        }
    };
    read.iter().map(|name| string_item(name, quoted, "the script reads it")).collect()
}
