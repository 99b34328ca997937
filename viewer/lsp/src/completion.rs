//! Completion: the names that are valid where the cursor is, from the definitions and the files of the project.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source, brackets};
use flockwork_engine::scenario;
use flockwork_engine::schema::{NameKind, Shape};
use flockwork_engine::script::{Entry, Library, Topic, reference, variables_at};
use flockwork_engine::tokens::ron_tree::{RonCursor, RonKind, RonNode, RonPosition, RonTree};
use flockwork_engine::tokens::{Language, TokenKind, tokens};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionParams,
    CompletionResponse, CompletionTextEdit, InsertTextFormat, TextEdit,
};

use super::docs;
use super::follow::Followed;
use super::imports::imported;
use super::member_order;
use super::names::{self, Name};
use super::project::{Project, file, is_script};
use super::rhai_text::Tokens;
use super::snippets::{SnippetPlace, snippets};

/// Returns what can be written at a position.
pub(super) fn complete(
    project: &mut Project,
    params: CompletionParams,
) -> Option<CompletionResponse> {
    project.read_uses();
    let at = params.text_document_position;
    let path = file(&at.text_document.uri)?;
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
        let new_text = item.insert_text.take().unwrap_or_else(|| item.label.clone());
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
        in_scenario(project, path, source, offset)
    } else if is_script(path) {
        in_script_at(project, path, source, offset)
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

/// Lets a function be written with its brackets, and the cursor where its arguments begin.
pub(super) fn add_brackets(item: &mut CompletionItem, reference: &[Entry]) {
    let Some(CompletionItemKind::FUNCTION | CompletionItemKind::METHOD) = item.kind else { return };
    let empty = format!("{}()", item.label);
    let is_empty = item.detail.as_ref().is_some_and(|detail| detail.contains(&empty));
    // `me.neighbors()` and `me.neighbors(radius)` are one row.
    let takes_some =
        |entry: &Entry| entry.names.contains(&&*item.label) && !entry.params.is_empty();
    let takes_nothing = is_empty && !reference.iter().any(takes_some);
    let arguments = if takes_nothing { "()$0" } else { "($0)" };
    item.insert_text = Some(format!("{}{arguments}", item.label));
    item.insert_text_format = Some(InsertTextFormat::SNIPPET);
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

fn in_scenario(
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
        let all = snippets_at(project, Some(SnippetPlace::EmptyScenario));
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
    let mut items = match (shape, shape.next_value(brackets, position.key)) {
        (Shape::Map(_), None) => match names::key_kind(brackets) {
            Some((kind, false)) => {
                let written = keys_in(brackets, offset);
                let mut all = names(project, path, kind, quoted);
                if kind == NameKind::Param {
                    keep_params(project, path, position, &mut all);
                }
                all.retain(|one| !written.contains(&*one.label));
                all
            }
            _ => new_params(project, path, brackets, quoted),
        },
        (Shape::Fields(fields), None) if !cursor.is_string => {
            let written = keys_in(brackets, offset);
            let is_named = text[cursor.word.end..].trim_start().starts_with(':');
            let new = fields.iter().filter(|field| !written.contains(field.name));
            let new = new.map(|field| CompletionItem {
                insert_text: (!is_named).then(|| format!("{}: ", field.name)),
                // Required fields first.
                sort_text: Some(format!("{}{}", u8::from(!field.is_required), field.name)),
                ..item(
                    field.name,
                    CompletionItemKind::FIELD,
                    field.shape.to_string(),
                    docs::field(field),
                )
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
        (_, Some(shape)) if !cursor.is_string && has_words(shape) => {
            let value = |name| item(name, CompletionItemKind::VALUE, String::new(), String::new());
            let booleans = match shape {
                Shape::Value(words) | Shape::ValueOrVariants(words, _) => {
                    words.starts_with("true").then_some(["true", "false"].map(value))
                }
                _ => None,
            };
            let variants = shape.variants().iter().map(|one| {
                let detail = one.shape.as_ref().map_or_else(String::new, Shape::to_string);
                item(one.name, CompletionItemKind::ENUM_MEMBER, detail, docs::variant(one))
            });
            booleans.into_iter().flatten().chain(variants).collect()
        }
        _ => return None,
    };
    if quoted {
        items.extend(snippets_at(project, SnippetPlace::in_brackets(&names::keys(brackets))));
    }
    if let Some(end) = comma {
        let range = project.range(&Place { source: Arc::clone(source), span: end..end });
        let edit = TextEdit { range, new_text: ",".to_owned() };
        items.iter_mut().for_each(|item| item.additional_text_edits = Some(vec![edit.clone()]));
    }
    Some((cursor.word, items))
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
    let mut others = tokens(text, Language::Ron).filter(|token| !token.is_comment());
    others.all(|token| token.span == *word)
}

/// Returns the snippets that are valid at a place, if the editor knows snippets.
fn snippets_at(project: &Project, place: Option<SnippetPlace>) -> Vec<CompletionItem> {
    let place = place.filter(|_| project.has_snippets);
    place.map_or_else(Vec::new, |place| snippets(place).collect())
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
    let group = match names::keys(brackets)[..] {
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
    let mut keys = position.brackets.map(names::keys).unwrap_or_default();
    keys.push(position.key.unwrap_or_default());
    let function = match keys[..] {
        ["groups", _, "behavior"] => "steer",
        ["fields", ..] => "flow",
        ["measures", _] => "measure",
        ["expect", ..] => "expect",
        _ => return,
    };
    let folder = project.scripts_folder(path);
    let defines = |name: &str| {
        let source = folder.path_of(name).and_then(|path| project.read(&path).ok());
        source.is_some_and(|source| {
            let tokens = Tokens::new(&source.text);
            tokens.functions().into_iter().any(|(name, _)| tokens.get(name) == function)
        })
    };
    all.retain(|one| defines(&one.label));
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

/// Returns the params that scripts of a scenario read and that the map around the cursor could declare.
fn new_params(
    project: &Project,
    path: &Path,
    map: RonNode<'_, '_>,
    quoted: bool,
) -> Vec<CompletionItem> {
    if map.key() != Some("params") {
        return Vec::new();
    }
    let scripts = project.scripts_of(path);
    let names = scripts.iter().flat_map(|script| project.names_in(script));
    let read: BTreeSet<String> =
        names.filter(|name| name.kind == NameKind::Param).map(|name| name.text).collect();
    read.iter().map(|name| string_item(name, quoted, "a script reads it")).collect()
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

/// Returns the value of a declared name and where it is declared, such as `3.5 · flock: birds`; `None` if it has no value.
fn declared_value(name: &Name) -> Option<String> {
    let value = name.value.as_deref()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let value = match value.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value,
    };
    let file = Path::new(&name.place.source.name).file_stem()?.to_string_lossy().into_owned();
    let group = name.group.as_ref().map_or_else(String::new, |group| format!(": {group}"));
    Some(format!("{value} · {file}{group}"))
}

/// Returns an item with a text beside its name in the list.
fn with_beside(item: CompletionItem, text: String) -> CompletionItem {
    let label_details = (!text.is_empty())
        .then_some(CompletionItemLabelDetails { detail: None, description: Some(text) });
    CompletionItem { label_details, ..item }
}

fn in_script_at(
    project: &Project,
    path: &Path,
    source: &Arc<Source>,
    offset: usize,
) -> Option<Found> {
    let text = source.text.as_str();
    let tokens = Tokens::new(text);
    if tokens.is_comment(offset) || tokens.is_template(offset) {
        return None;
    }
    let here = tokens.at(offset).filter(|&index| tokens.is_name(index));
    if let Some(index) = here.filter(|&index| tokens.all[index].kind == TokenKind::Text) {
        let span = tokens.all[index].inner.clone();
        if !(span.start..=span.end).contains(&offset) {
            return None;
        }
        return Some((span, in_string(project, path, &tokens, index)?));
    }
    if here.is_some_and(|index| tokens.all[index].kind == TokenKind::Number) {
        return None;
    }
    let word = here.map_or(offset..offset, |index| tokens.all[index].span.clone());
    let before = tokens.all.iter().rposition(|token| token.span.end <= word.start);
    let items = match before.map(|index| (index, tokens.get(index))) {
        Some((dot, "." | "?.")) => members(project, path, &tokens, dot, word.end)?,
        Some((colons, "::")) => {
            let alias = tokens.get(colons.checked_sub(1)?);
            let (script, _) = imported(project, path, &tokens, alias)?;
            functions(&script, |tokens, name| !tokens.is_private(name))
        }
        Some((_, "fn")) => entry_points(),
        Some((_, "let" | "const" | "for" | "as")) => return None,
        // The parameters of a closure: the bar that opens them follows another sign.
        Some((bar, "|")) if !tokens.closes_parameters(bar) => return None,
        _ => {
            let is_outside = brackets::around(text, word.start, Language::Rhai).is_empty();
            let mut items = if is_outside { new_entry_points(project) } else { Vec::new() };
            items.extend(everywhere(&tokens, offset));
            let sign = |back: usize| before?.checked_sub(back).map(|index| tokens.get(index));
            let begins = matches!(sign(0), Some("{" | "}" | ";"));
            // The bracket of a map is no block.
            let is_statement = begins && sign(1) != Some("#") && !is_outside;
            let is_of_agent = variables_at(text, offset).contains(&"me");
            let place = (is_statement && is_of_agent).then_some(SnippetPlace::Statement);
            items.extend(snippets_at(project, place));
            items
        }
    };
    Some((word, items))
}

/// Returns the names that a string can be.
fn in_string(
    project: &Project,
    path: &Path,
    tokens: &Tokens<'_>,
    index: usize,
) -> Option<Vec<CompletionItem>> {
    let followed = Followed::new(project, path, tokens);
    let kind = followed.kind_at(index).or_else(|| followed.kind_of_unfinished(index))?;
    if kind == NameKind::State {
        let is_member = tokens.is_member_of(index, "state");
        return Some(match tokens.path(index.saturating_sub(2))[..] {
            ["me", "state"] if is_member => own_states(project, path, tokens, index - 1),
            _ => public_state(project, path),
        });
    }
    let mut all = names(project, path, kind, false);
    if kind == NameKind::Group {
        let own = own_groups(project, path);
        for one in all.iter_mut().filter(|one| own.contains(&one.label)) {
            one.sort_text = Some(format!("0{}", one.label));
            one.detail = Some("a group with this script".to_owned());
        }
    }
    Some(all)
}

/// Returns the groups whose behavior a script is.
fn own_groups(project: &Project, script: &Path) -> BTreeSet<String> {
    let (users, folder) = (project.users_of(script), project.scripts_folder(script));
    let names = users.iter().filter(|user| *user != script).flat_map(|user| project.names_in(user));
    let is_it = |name: &Name| {
        name.kind == NameKind::Script && folder.path_of(&name.text).as_deref() == Some(script)
    };
    names.filter(is_it).filter_map(|name| name.group).collect()
}

/// The types of values whose members are names that scenarios and scripts give.
const HOLDERS_OF_NAMES: [&str; 5] =
    ["me.params", "me.state", "other.state", "world.inputs", "world.shared"];

/// Returns the members of the value before a dot.
fn members(
    project: &Project,
    path: &Path,
    tokens: &Tokens<'_>,
    dot: usize,
    offset: usize,
) -> Option<Vec<CompletionItem>> {
    let known = project.value_before_dot(path, tokens, dot, offset);
    let place = tokens.before_dot(dot).map_or_else(Vec::new, |value| tokens.path(value));
    let is_groups = place == ["now", "groups"];
    let is_shared = place == ["world", "shared"];
    let mut types = known.types;
    // The types of these names are always the same.
    match place[..] {
        ["me", "params"] => types = vec!["me.params"],
        ["me", "state"] => types = vec!["me.state"],
        ["world", "inputs"] => types = vec!["world.inputs"],
        [_, .., "state"] if types.is_empty() => types = vec!["other.state"],
        _ if is_shared => types = vec!["world.shared"],
        _ if is_groups => types = vec!["map"],
        _ => {}
    }
    let mut items: Vec<CompletionItem> = Vec::new();
    if types.contains(&"me.params") {
        items.extend(fields(project, path, NameKind::Param));
    }
    if types.contains(&"world.inputs") {
        items.extend(fields(project, path, NameKind::Input));
    }
    if types.contains(&"me.state") {
        items.extend(own_states(project, path, tokens, dot));
    }
    if types.contains(&"other.state") {
        items.extend(public_state(project, path));
    }
    if is_groups {
        items.extend(names(project, path, NameKind::Group, false));
    }
    if is_shared {
        items.extend(fields(project, path, NameKind::Shared));
    }
    let key = |key: &String| item(key, CompletionItemKind::FIELD, String::new(), String::new());
    items.extend(known.keys.iter().map(key));
    let all = reference();
    let holds_names = |of: &&str| HOLDERS_OF_NAMES.contains(of);
    let is_holder = !types.is_empty() && types.iter().all(holds_names);
    // What everything has, such as `to_string`, is hardly meant among params.
    let is_common = |entry: &Entry| entry.owners.contains(&"anything");
    let members = all.iter().filter(|entry| is_member(entry, &types));
    let members = members.filter(|entry| !(is_holder && is_common(entry)));
    let declared: BTreeSet<String> = items.iter().map(|one| one.label.clone()).collect();
    let wants_force = place == ["me"] && member_order::may_be_force(tokens, dot);
    for (entry, name) in
        members.flat_map(|entry| entry.names.iter().map(move |name| (entry, *name)))
    {
        let mut new = entry_item(entry, name);
        let is_call = new.kind == Some(CompletionItemKind::METHOD);
        // An agent is asked for forces at least as often as for its own values.
        let rank = if is_call && place != ["me"] { 2 } else { 0 };
        new.sort_text = match member_order::place(&place, name, is_call) {
            _ if is_common(entry) => Some(ranked(4, name)),
            // The space comes before all letters and digits.
            Some(place) if wants_force && docs::short_result(entry) == "force" => {
                Some(format!(" {place:03}"))
            }
            // Names that scenarios and scripts give are meant more often. Letters follow the space.
            Some(place) if declared.is_empty() => Some(format!("{rank} {place:03}")),
            _ => None,
        };
        // A property and a method may share a name, such as `near.nearest` and `near.nearest(count)`.
        let is_new = |known: &CompletionItem| known.label != name || known.kind != new.kind;
        if !declared.contains(name) && items.iter().all(is_new) {
            items.push(new);
        }
    }
    Some(items)
}

/// Returns the names of a kind that a script can read behind a dot.
fn fields(project: &Project, path: &Path, kind: NameKind) -> Vec<CompletionItem> {
    let all = names(project, path, kind, false).into_iter();
    all.map(|one| CompletionItem { kind: Some(CompletionItemKind::FIELD), ..one }).collect()
}

/// Returns the public state that a script can read of other agents, and can set of its own.
fn public_state(project: &Project, path: &Path) -> Vec<CompletionItem> {
    let all = project.declared(path, NameKind::State).into_iter();
    let item = |(name, places): (String, Vec<Name>)| {
        let value = places.into_iter().find_map(|one| one.value).unwrap_or_default();
        item(&name, CompletionItemKind::FIELD, value, String::new())
    };
    all.map(item).collect()
}

/// Returns whether an entry is a member of a value of one of some types.
pub(super) fn is_member(entry: &Entry, types: &[&str]) -> bool {
    let is_word = entry.names[0].starts_with(|c: char| c.is_alphabetic());
    let is_setter = entry.signature.contains(" = ") && !entry.signature.contains('(');
    let anything = !types.is_empty() && entry.owners.contains(&"anything");
    is_word && !is_setter && (anything || entry.owners.iter().any(|owner| types.contains(owner)))
}

fn entry_item(entry: &Entry, name: &str) -> CompletionItem {
    let is_function = entry.signature.contains('(');
    let kind = match (is_function, entry.receiver.is_some()) {
        (true, true) => CompletionItemKind::METHOD,
        (true, false) => CompletionItemKind::FUNCTION,
        (false, true) => CompletionItemKind::PROPERTY,
        (false, false) => CompletionItemKind::VARIABLE,
    };
    let detail = format!("{} -> {}", entry.signature, docs::result(entry));
    with_beside(item(name, kind, detail, docs::entry(entry)), docs::short_result(entry))
}

/// Returns the names that an agent can have in its state: those that the script uses elsewhere, and public ones.
fn own_states(
    project: &Project,
    path: &Path,
    tokens: &Tokens<'_>,
    dot: usize,
) -> Vec<CompletionItem> {
    let mut items = states(tokens, dot);
    for one in public_state(project, path) {
        if items.iter().all(|known| known.label != one.label) {
            items.push(one);
        }
    }
    items
}

/// Returns the names in the state of agents that the script sets or reads elsewhere.
fn states(tokens: &Tokens<'_>, dot: usize) -> Vec<CompletionItem> {
    let mut items: Vec<CompletionItem> = Vec::new();
    for index in 0..tokens.all.len() {
        // The word at the cursor is not a name yet.
        if index != dot + 1 && tokens.is_member_of(index, "state") {
            let name = tokens.name(index);
            if items.iter().all(|known| known.label != name) {
                items.push(item(name, CompletionItemKind::FIELD, String::new(), String::new()));
            }
        }
    }
    items
}

/// Returns the functions that a script defines, as far as they are asked for.
fn functions(
    source: &Source,
    is_asked: impl Fn(&Tokens<'_>, usize) -> bool,
) -> Vec<CompletionItem> {
    let tokens = Tokens::new(&source.text);
    let all = tokens.functions().into_iter().filter(|(name, _)| is_asked(&tokens, *name));
    let all = all.map(|(name, _)| {
        let signature = format!("{}({})", tokens.get(name), tokens.parameters(name).join(", "));
        item(tokens.get(name), CompletionItemKind::FUNCTION, signature, tokens.doc(name))
    });
    all.collect()
}

/// Returns the functions that Flockwork calls.
fn entry_points() -> Vec<CompletionItem> {
    let all = reference();
    let all = all.iter().filter(|entry| entry.topic == Topic::EntryPoints);
    all.map(|entry| CompletionItem {
        insert_text: Some(entry.signature.trim_start_matches("fn ").to_owned()),
        ..item(
            entry.names[0],
            CompletionItemKind::FUNCTION,
            entry.signature.clone(),
            docs::entry(entry),
        )
    })
    .collect()
}

/// Returns the functions that Flockwork calls, as they are written where no function is around: they come first.
fn new_entry_points(project: &Project) -> Vec<CompletionItem> {
    let mut all = entry_points();
    for (place, one) in all.iter_mut().enumerate() {
        let head = one.detail.clone().unwrap_or_default();
        let (rest, format) = match project.has_snippets {
            true => (" {\n    $0\n}", InsertTextFormat::SNIPPET),
            false => (" {", InsertTextFormat::PLAIN_TEXT),
        };
        one.insert_text = Some(format!("{head}{rest}"));
        one.insert_text_format = Some(format);
        one.kind = Some(CompletionItemKind::SNIPPET);
        one.sort_text = Some(format!(" {place:02}"));
        // `st` means the name, and `fn` the word before it.
        one.filter_text = Some(format!("{} fn", one.label));
        one.label = head;
    }
    all
}

/// Returns what can begin a value: variables, functions, and what is known everywhere.
fn everywhere(tokens: &Tokens<'_>, offset: usize) -> Vec<CompletionItem> {
    let variables = variables_at(tokens.text, offset);
    let has_me = variables.contains(&"me");
    let mut items: Vec<CompletionItem> = variables
        .iter()
        .filter(|name| **name != "me")
        .map(|name| CompletionItem {
            sort_text: Some(ranked(0, name)),
            ..item(name, CompletionItemKind::VARIABLE, String::new(), String::new())
        })
        .collect();
    items.extend(functions(&Source::new("", tokens.text), |_, _| true));
    let aliases = tokens.imports().into_iter().filter(|(_, alias)| !alias.is_empty());
    items.extend(aliases.map(|(_, alias)| CompletionItem {
        insert_text: Some(format!("{alias}::")),
        ..item(alias, CompletionItemKind::MODULE, String::new(), String::new())
    }));
    let is_global = |entry: &&Entry| {
        entry.receiver.is_none()
            && entry.topic != Topic::EntryPoints
            // Not a statement, such as `for agent in near { ... }`.
            && !entry.signature.starts_with(&format!("{} ", entry.names[0]))
            && entry.names[0].starts_with(|c: char| c.is_alphabetic())
            && (entry.names[0] != "me" || has_me)
    };
    for entry in reference().iter().filter(is_global) {
        for name in &entry.names {
            if items.iter().all(|known| known.label != *name) {
                items.push(entry_item(entry, name));
            }
        }
    }
    items
}
