//! Hover and signature help: what the definitions say about the name under the cursor, its type, and the values of params.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::scenario::{self, Scenario};
use flockwork_engine::schema::{NameKind, Shape};
use flockwork_engine::script::{Entry, Topic, reference};
use flockwork_engine::tokens::TokenKind;
use flockwork_engine::tokens::ron_tree::RonTree;
use lsp_types::{
    Hover, HoverContents, HoverParams, ParameterInformation, ParameterLabel, SignatureHelp,
    SignatureHelpParams, SignatureInformation,
};

use super::completion::is_member;
use super::docs;
use super::entries::{entries, fitting_call};
use super::follow::Followed;
use super::imports::imported;
use super::member_order;
use super::names::{self, Name, everywhere};
use super::project::{Project, file, is_script, name_of};
use super::rhai_text::{Arguments, Tokens};
use super::types::{in_words, literal_before_dot};

/// Returns what is known about the name at a position.
pub(super) fn hover(project: &mut Project, params: HoverParams) -> Option<Hover> {
    project.read_uses();
    let at = params.text_document_position_params;
    let path = file(&at.text_document.uri)?;
    let (source, offset) = project.offset(&path, at.position)?;
    let (span, text) = hover_at(project, &path, &source, offset)?;
    let range = Some(project.range(&Place { source, span }));
    Some(Hover { contents: HoverContents::Markup(docs::markup(text)), range })
}

/// The bytes of a name, and what is known about it, as Markdown.
type Found = (std::ops::Range<usize>, String);

/// Returns what is known about the name at an offset of a file.
pub(super) fn hover_at(
    project: &Project,
    path: &Path,
    source: &Arc<Source>,
    offset: usize,
) -> Option<Found> {
    if project.is_scenario(path) {
        of_scenario(project, path, source, offset)
    } else if is_script(path) {
        of_script(project, path, source, offset)
    } else {
        None
    }
}

fn of_scenario(
    project: &Project,
    path: &Path,
    source: &Arc<Source>,
    offset: usize,
) -> Option<Found> {
    let tree = RonTree::new(&source.text);
    let word = tree.words().find(|word| (word.span.start..=word.span.end).contains(&offset))?;
    let brackets = word.node.parent()?;
    let text = if word.is_key {
        match scenario::shape().in_brackets(brackets)? {
            Shape::Fields(fields) => {
                fields.iter().find(|field| field.name == word.text).map(docs::field)
            }
            Shape::Map(_) if brackets.key() == Some("params") => {
                Some(declared(project, path, NameKind::Param, word.text))
            }
            Shape::Map(_) if names::keys(brackets) == ["groups"] => {
                Some(group(project, path, source, word.text))
            }
            _ => None,
        }
    } else {
        match scenario::shape().of_value(word.node)? {
            shape if !shape.variants().is_empty() => {
                shape.variants().iter().find(|one| one.name == word.text).map(docs::variant)
            }
            Shape::Name(NameKind::Script) => None,
            Shape::Name(NameKind::Group) => Some(group(project, path, source, word.text)),
            Shape::Name(kind) => Some(declared(project, path, *kind, word.text)),
            _ => None,
        }
    };
    Some((word.span, text?))
}

/// Returns what a declared name is, and its values.
fn declared(project: &Project, path: &Path, kind: NameKind, name: &str) -> String {
    let declared = project.declared(path, kind);
    let values = declared.get(name).into_iter().flatten().filter_map(|one| {
        let file = Path::new(&one.place.source.name).file_name()?.to_string_lossy().into_owned();
        let group =
            one.group.as_ref().map_or_else(String::new, |group| format!(", group `{group}`"));
        let value = one.value.as_deref()?.split_whitespace().collect::<Vec<_>>().join(" ");
        let value: String = match value.char_indices().nth(200) {
            Some((end, _)) => format!("{}..", &value[..end]),
            None => value,
        };
        let comment = one.comment.as_ref().map_or_else(String::new, |words| format!(": {words}"));
        Some(format!("- `{value}` in {file}{group}{comment}"))
    });
    let values: Vec<String> = values.collect();
    let first = declared.get(name).and_then(|all| all.first());
    let readers = first.filter(|_| kind == NameKind::Param);
    let readers = readers.map_or_else(String::new, |param| readers_of(project, path, param));
    let text = format!("`{name}` is {kind}.\n\n{}\n\n{readers}", values.join("\n"));
    text.trim_end().to_owned()
}

/// Number of places that a hover names.
const MAX_PLACES: usize = 3;

/// Says where scripts read a param.
fn readers_of(project: &Project, path: &Path, param: &Name) -> String {
    let all = everywhere(project, path, param).into_iter().filter_map(|name| {
        let source = name.place.source;
        let script = Path::new(&source.name);
        let file = script.file_name().filter(|_| is_script(script))?;
        Some((file.to_string_lossy().into_owned(), source.line_column(name.place.span.start).0))
    });
    let mut all: Vec<(String, usize)> = all.collect();
    all.dedup();
    let mut last = "";
    let mut places: Vec<String> = Vec::new();
    for (file, line) in all.iter().take(MAX_PLACES) {
        places.push(if last == file { line.to_string() } else { format!("{file}:{line}") });
        last = file;
    }
    let more = all.len().saturating_sub(MAX_PLACES);
    if more > 0 {
        places.push(format!("{more} more place{}", plural(more)));
    }
    match places.split_last() {
        None => "No script reads it.".to_owned(),
        Some((only, [])) => format!("Read in {only}."),
        Some((last, others)) => format!("Read in {} and {last}.", others.join(", ")),
    }
}

/// Says what a group of a scenario is: how many agents it begins with, which behavior they have, and how often its name is used.
fn group(project: &Project, path: &Path, source: &Arc<Source>, name: &str) -> String {
    let mut text = format!("`{name}` is a group");
    let scenario = Scenario::parse(source).ok();
    let index = scenario.as_ref().and_then(|scenario| {
        scenario.setup.groups.iter().position(|(group, _)| *group.name == *name)
    });
    if let (Some(scenario), Some(index)) = (&scenario, index) {
        let agents = match &scenario.setup.start {
            Some(start) => {
                start.agents.group.iter().filter(|of| usize::from(of.0) == index).count()
            }
            None => scenario.setup.groups[index].1.count as usize,
        };
        text += &format!(" of {agents} agent{}", plural(agents));
        if let Some(behavior) = &scenario.behaviors[index] {
            text += &format!(" with the behavior `{}`", behavior.name);
        }
    }
    let declared = project.declared(path, NameKind::Group);
    let Some(declared) = declared.get(name).and_then(|all| all.first()) else {
        return format!("{text}.");
    };
    let uses = everywhere(project, path, declared).iter().filter(|one| !one.is_declared).count();
    match uses {
        0 => format!("{text}. Nothing else names it."),
        1 => format!("{text}. 1 other place names it."),
        _ => format!("{text}. {uses} other places name it."),
    }
}

/// Returns the ending of a noun behind a number.
fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn of_script(project: &Project, path: &Path, source: &Arc<Source>, offset: usize) -> Option<Found> {
    let tokens = Tokens::new(&source.text);
    if tokens.is_comment(offset) {
        return None;
    }
    let index = tokens.at(offset)?;
    let span = tokens.all[index].inner.clone();
    let kind = Followed::new(project, path, &tokens).kind_at(index);
    let is_known = |kind: &NameKind| !matches!(kind, NameKind::Script | NameKind::State);
    if let Some(kind) = kind.filter(is_known) {
        return Some((span, declared(project, path, kind, tokens.name(index))));
    }
    if matches!(tokens.all[index].kind, TokenKind::Number | TokenKind::Text) {
        return None;
    }
    if let Some(text) = parameter(project, path, &tokens, index) {
        return Some((span, text));
    }
    let types = project.types_at(path, &tokens, index);
    let mut parts: Vec<String> =
        known_entries(project, path, &tokens, index).iter().map(docs::entry).collect();
    if parts.is_empty()
        && let Some((signature, doc)) = own_signature(project, path, &tokens, index)
    {
        parts.push(format!("```rhai\n{signature}\n```\n{doc}").trim_end().to_owned());
    }
    if !types.is_empty() {
        let mut some = types.clone();
        some.retain(|one| *one != "()");
        if some == ["me.params"] {
            parts.push(params(project, path));
        } else {
            let members = if parts.is_empty() { members(&some) } else { String::new() };
            parts.push(format!("Type: {}{members}", in_words(types)));
        }
    }
    if parts.is_empty() {
        return None;
    }
    Some((span, parts.join("\n\n---\n\n")))
}

/// Lists the params that a script can read.
fn params(project: &Project, path: &Path) -> String {
    let declared = project.declared(path, NameKind::Param);
    let line = |(name, places): (&String, &Vec<Name>)| {
        let values: BTreeSet<&str> = places.iter().filter_map(|one| one.value.as_deref()).collect();
        let values = values.into_iter().collect::<Vec<_>>().join(", ");
        let comment = places.iter().find_map(|one| one.comment.as_deref());
        let comment = comment.map_or_else(String::new, |words| format!(": {words}"));
        format!("- `{name}` = {values}{comment}")
    };
    let all: Vec<String> = declared.iter().map(line).collect();
    if all.is_empty() { "No scenario has params for it.".to_owned() } else { all.join("\n") }
}

/// Number of members that the hover of a variable names.
const MAX_MEMBERS: usize = 8;

/// Returns the members of values with some types in a paragraph, those first that most scripts use. Empty for values without properties, such
/// as numbers.
fn members(types: &[&str]) -> String {
    let is_property = |entry: &Entry| !entry.signature.contains('(');
    let is_own = |entry: &Entry| is_member(entry, types) && !entry.owners.contains(&"anything");
    let all: Vec<Entry> = reference().into_iter().filter(is_own).collect();
    if !all.iter().any(is_property) {
        return String::new();
    }
    let mut names: Vec<(usize, String)> = Vec::new();
    for entry in &all {
        let (name, is_call) = (entry.names[0], !is_property(entry));
        let used = member_order::place(&[], name, is_call).unwrap_or(usize::MAX);
        // A vector is written in this order.
        let place = if ["x", "y"].contains(&name) { 0 } else { used };
        let written = format!("`{name}{}`", if is_call { "(…)" } else { "" });
        if names.iter().all(|(_, known)| *known != written) {
            names.push((place, written));
        }
    }
    names.sort_by_key(|(place, _)| *place);
    let more = if names.len() > MAX_MEMBERS { ", …" } else { "" };
    let names: Vec<String> = names.into_iter().take(MAX_MEMBERS).map(|(_, name)| name).collect();
    format!("\n\nMembers: {}{more}", names.join(", "))
}

/// Members of `me` that most scripts use, as the hover of `me` names them.
const MEMBERS_OF_ME: &str =
    "- `me.pos`, `me.vel`, `me.heading`, `me.goal`: where it is, how it moves, where it goes
- `me.params`: the params of its group; `me.state`: what it remembers
- `me.neighbors(radius)`, `me.nearest(group, radius)`: agents around it
- `me.seek(target)`, `me.arrive(target)`, `me.wander()`: forces to return";

/// Returns what a parameter is of a function that Flockwork calls, such as `me` in `steer`, where it is declared or used. `me` is one in
/// the functions of scripts, too.
fn parameter(project: &Project, path: &Path, tokens: &Tokens<'_>, index: usize) -> Option<String> {
    let word = tokens.get(index);
    if index > 0 && tokens.is_dot(index - 1) {
        return None;
    }
    let mut all = tokens.functions().into_iter();
    let (name, _) = all.rfind(|(name, end)| (*name..=*end).contains(&index))?;
    let place = tokens.parameters(name).iter().position(|one| *one == word)?;
    let function = tokens.get(name);
    let all: Vec<Entry> =
        entries(function).filter(|entry| entry.topic == Topic::EntryPoints).collect();
    if word == "me" && (all.is_empty() || function == "steer") {
        let groups = groups_with(project, path);
        return Some(format!(
            "`me` is the agent that this script steers.{groups}\n\n{MEMBERS_OF_ME}"
        ));
    }
    let entry = all.first()?;
    let takes = &entry.params.get(place)?.takes;
    let text = format!("`{word}`: {takes}. Flockwork calls `{}` with it.", entry.signature);
    Some([vec![text], entry.doc.clone()].concat().join("\n\n"))
}

/// Says in a sentence which groups have a script as their behavior. Empty if there are none.
fn groups_with(project: &Project, script: &Path) -> String {
    let mut users: Vec<_> = project.users_of(script);
    users.retain(|user| project.is_scenario(user));
    let of_user = |user: &std::path::PathBuf| {
        let groups = project.groups_of(user, script);
        let groups: Vec<String> = groups.iter().map(|group| format!("`{group}`")).collect();
        (!groups.is_empty()).then(|| format!("{} in {}", groups.join(", "), name_of(user)))
    };
    let all: Vec<String> = users.iter().filter_map(of_user).collect();
    let more = all.len().saturating_sub(MAX_PLACES);
    let shown = all.iter().take(MAX_PLACES).cloned().collect::<Vec<_>>().join("; ");
    match (all.is_empty(), more) {
        (true, _) => String::new(),
        (_, 0) => format!(" Groups with this script: {shown}."),
        _ => format!(
            " Groups with this script: {shown}; and those of {more} more scenario{}.",
            plural(more)
        ),
    }
}

/// Returns the entries of the reference that the name with an index means, by the arguments if it is called.
pub(super) fn known_entries(
    project: &Project,
    path: &Path,
    tokens: &Tokens<'_>,
    index: usize,
) -> Vec<Entry> {
    fitting_call(tokens, index, named_entries(project, path, tokens, index))
}

/// Returns the entries of the reference that the name with an index means, whatever the arguments are.
fn named_entries(project: &Project, path: &Path, tokens: &Tokens<'_>, index: usize) -> Vec<Entry> {
    let name = tokens.get(index);
    let is_defined = |index: usize| tokens.get(index) == "fn";
    let all: Vec<Entry> = entries(name).collect();
    if index > 0 && is_defined(index - 1) {
        return all.into_iter().filter(|entry| entry.topic == Topic::EntryPoints).collect();
    }
    let all: Vec<Entry> =
        all.into_iter().filter(|entry| entry.topic != Topic::EntryPoints).collect();
    if index == 0 || !tokens.is_dot(index - 1) {
        return all.into_iter().filter(|entry| entry.receiver.is_none()).collect();
    }
    let types = match tokens.before_dot(index - 1) {
        Some(value)
            if matches!(tokens.path(value)[..], [.., "state" | "params" | "inputs" | "shared"]) =>
        {
            return Vec::new();
        }
        Some(value) => project.types_at(path, tokens, value),
        None => literal_before_dot(tokens, index - 1),
    };
    let is_call = tokens.get(index + 1) == "(";
    let mut fitting: Vec<Entry> =
        all.iter().filter(|entry| is_member(entry, &types)).cloned().collect();
    if fitting.is_empty() {
        fitting = all.into_iter().filter(|entry| entry.receiver.is_some()).collect();
    }
    by_brackets(is_call, fitting)
}

/// Returns the functions among some entries, or those that are none; all if there are no such.
fn by_brackets(is_call: bool, all: Vec<Entry>) -> Vec<Entry> {
    let is_wanted = |entry: &&Entry| entry.signature.contains('(') == is_call;
    let same: Vec<Entry> = all.iter().filter(is_wanted).cloned().collect();
    if same.is_empty() { all } else { same }
}

/// Returns how a function of the script, or of one that it imports, is written, and what the comments above it say.
fn own_signature(
    project: &Project,
    path: &Path,
    tokens: &Tokens<'_>,
    index: usize,
) -> Option<(String, String)> {
    let name = tokens.get(index);
    let of = |tokens: &Tokens<'_>| {
        let all = tokens.functions();
        let (found, _) = all.into_iter().find(|(of, _)| tokens.get(*of) == name)?;
        let signature = format!("fn {name}({})", tokens.parameters(found).join(", "));
        Some((signature, tokens.doc(found)))
    };
    if index >= 2 && tokens.get(index - 1) == "::" {
        let (source, _) = imported(project, path, tokens, tokens.get(index - 2))?;
        return of(&Tokens::new(&source.text));
    }
    of(tokens)
        .filter(|_| tokens.get(index + 1) == "(" || (index > 0 && tokens.get(index - 1) == "fn"))
}

/// Returns the signatures of the call around a position.
pub(super) fn signature_help(
    project: &mut Project,
    params: SignatureHelpParams,
) -> Option<SignatureHelp> {
    project.read_uses();
    let at = params.text_document_position_params;
    let path = file(&at.text_document.uri)?;
    let (_, offset) = project.offset(&path, at.position)?;
    signature_at(project, &path, offset)
}

/// Returns the signatures of the call around an offset of a file.
pub(super) fn signature_at(project: &Project, path: &Path, offset: usize) -> Option<SignatureHelp> {
    let source = project.read(path).ok().filter(|_| is_script(path))?;
    let tokens = Tokens::new(&source.text);
    if tokens.is_comment(offset) {
        return None;
    }
    let (name, argument) = tokens.call_around(offset)?;
    let calls = signatures(project, path, &tokens, name);
    let signatures: Vec<SignatureInformation> = if calls.is_empty() {
        let (label, doc) = own_signature(project, path, &tokens, name)?;
        let params = label[label.find('(')? + 1..].trim_end_matches(')').split(", ");
        let params = params.filter(|name| !name.is_empty());
        let summary = docs::first_sentence(&doc);
        vec![information(
            label.clone(),
            summary,
            params.map(|name| (name.to_owned(), String::new())),
        )]
    } else {
        let of = |entry: &Entry| {
            let params = entry.params.iter().map(|param| {
                let unit = if param.unit.is_empty() {
                    String::new()
                } else {
                    format!(", in {}", param.unit)
                };
                let default = param.default.as_ref();
                let default = default.map_or_else(String::new, |of| format!(" = {of}"));
                let doc =
                    if param.doc.is_empty() { String::new() } else { format!(": {}", param.doc) };
                (format!("{}{default}", param.name), format!("{}{unit}{doc}", param.takes))
            });
            // The rest is in the hover: the box would cover the code.
            let summary =
                entry.doc.first().map_or_else(String::new, |doc| docs::first_sentence(doc));
            information(docs::signature(entry), summary, params)
        };
        calls.iter().map(of).collect()
    };
    // The simplest signature that has room for what is typed.
    let count = |one: &SignatureInformation| one.parameters.as_ref().map_or(0, Vec::len);
    let open = tokens.all[name + 1].span.end;
    let is_empty = source.text[open..offset].trim().is_empty()
        && tokens.arguments(name).is_none_or(|arguments| arguments.count == 0);
    let needed = if is_empty { 0 } else { argument + 1 };
    let fitting = (0..signatures.len()).filter(|index| count(&signatures[*index]) >= needed);
    let active = fitting.min_by_key(|index| count(&signatures[*index])).unwrap_or(0);
    Some(SignatureHelp {
        signatures,
        active_signature: u32::try_from(active).ok(),
        active_parameter: u32::try_from(argument).ok(),
    })
}

/// Returns the functions of the reference that a call can mean, also with more arguments.
pub(super) fn signatures(
    project: &Project,
    path: &Path,
    tokens: &Tokens<'_>,
    name: usize,
) -> Vec<Entry> {
    let own = tokens.functions().into_iter().any(|(of, _)| tokens.get(of) == tokens.get(name));
    if own && (name == 0 || !tokens.is_dot(name - 1)) || (name > 0 && tokens.get(name - 1) == "::")
    {
        return Vec::new();
    }
    let mut all = named_entries(project, path, tokens, name);
    if all.is_empty() {
        // The script may be too unfinished to know the type before the dot.
        let word = tokens.get(name);
        all = reference().into_iter().filter(|entry| entry.names.contains(&word)).collect();
    }
    all.retain(|entry| entry.signature.contains('('));
    if let Some(Arguments { count: count @ 1.., first_is_string }) = tokens.arguments(name) {
        let first_fits = |entry: &Entry| {
            entry.params.first().is_none_or(|first| first.names.is_some() == first_is_string)
        };
        let fits = |entry: &&Entry| entry.params.len() >= count && first_fits(entry);
        let fitting: Vec<Entry> = all.iter().filter(fits).cloned().collect();
        all = if fitting.is_empty() { all } else { fitting };
    }
    all
}

fn information(
    label: String,
    doc: String,
    params: impl Iterator<Item = (String, String)>,
) -> SignatureInformation {
    let params = params.map(|(name, doc)| ParameterInformation {
        label: ParameterLabel::Simple(name),
        documentation: docs::documentation(doc),
    });
    let parameters = Some(params.collect());
    SignatureInformation {
        label,
        documentation: docs::documentation(doc),
        parameters,
        active_parameter: None,
    }
}
