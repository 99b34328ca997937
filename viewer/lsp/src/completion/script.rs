//! Completion in scripts: members by the types of values, variables, functions and names in strings.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use flockwork_engine::diag::{Source, brackets};
use flockwork_engine::scenario::Scenario;
use flockwork_engine::schema::NameKind;
use flockwork_engine::script::{Entry, Topic, names_elsewhere, reference, variables_at};
use flockwork_engine::steer;
use flockwork_engine::tokens::{Language, TokenKind};
use flockwork_engine::world::ScenarioPart;
use lsp_types::{CompletionItem, CompletionItemKind};

use super::super::docs;
use super::super::follow::Followed;
use super::super::imports::imported;
use super::super::member_order;
use super::super::names::Name;
use super::super::plural::singular;
use super::super::project::Project;
use super::super::rhai_text::Tokens;
use super::super::snippets::SnippetPlace;
use super::super::types::in_words;
use super::arguments::{
    NEIGHBORHOOD, WantedTypes, fields, put_arguments_first, snippet_item, wanted_arguments,
};
use super::new_functions::new_functions;
use super::{
    Found, is_member, item, names, ranked, snippets_at, sort_text, with_beside, with_parameters,
};

/// Returns what can be written at an offset of a script.
pub(super) fn in_script_at(
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
    let mut items = match before.map(|index| (index, tokens.get(index))) {
        Some((dot, "." | "?.")) => members(project, path, &tokens, dot, word.end)?,
        Some((colons, "::")) => {
            let alias = tokens.get(colons.checked_sub(1)?);
            let (script, _) = imported(project, path, &tokens, alias)?;
            functions(&script, |tokens, name| !tokens.is_private(name))
        }
        Some((_, "fn")) => new_functions(project, path, &tokens, word.clone(), true),
        Some((_, "let" | "const" | "for" | "as")) => return None,
        // The parameters of a closure: the bar that opens them follows another sign.
        Some((bar, "|")) if !tokens.closes_parameters(bar) => return None,
        _ => {
            let is_outside = brackets::around(text, word.start, Language::Rhai).is_empty();
            let sign = |back: usize| before?.checked_sub(back).map(|index| tokens.get(index));
            let begins = matches!(sign(0), Some("{" | "}" | ";"));
            let mut items = if is_outside {
                new_functions(project, path, &tokens, word.clone(), false)
            } else {
                Vec::new()
            };
            items.extend(everywhere(project, path, &tokens, offset));
            put_arguments_first(project, path, &tokens, word.start, &mut items);
            // The bracket of a map is no block.
            let is_statement = begins && sign(1) != Some("#") && !is_outside;
            let is_of_agent = variables_at(text, offset).contains(&"me");
            let place = (is_statement && is_of_agent).then_some(SnippetPlace::Statement);
            items.extend(snippets_at(project, place, None, &BTreeSet::new(), None));
            items
        }
    };
    if text[word.end..].starts_with('(') {
        put_first(&mut items, is_function);
    }
    Some((word, items))
}

/// Returns whether an item is called with brackets.
pub(in super::super) fn is_function(item: &CompletionItem) -> bool {
    matches!(item.kind, Some(CompletionItemKind::FUNCTION | CompletionItemKind::METHOD))
}

/// Puts some items before the others, and changes nothing else in their order.
fn put_first(items: &mut [CompletionItem], is_first: impl Fn(&CompletionItem) -> bool) {
    for item in items {
        let rank = u8::from(!is_first(item));
        let order = item.sort_text.take().unwrap_or_else(|| sort_text(item));
        item.sort_text = Some(format!("{rank}{order}"));
    }
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
            one.detail = Some("a group with this script".to_owned());
            // The only agent of a group has no other one of it. The space comes before all letters and digits.
            let is_alone = is_alone(project, path, &one.label);
            one.sort_text =
                Some(if is_alone { ranked(4, &one.label) } else { format!(" {}", one.label) });
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

/// Returns whether a group has one agent in each scenario of a script.
fn is_alone(project: &Project, script: &Path, group: &str) -> bool {
    let users = project.users_of(script).into_iter().filter(|user| project.is_scenario(user));
    let scenarios = users.filter_map(|user| Scenario::parse(&project.read(&user).ok()?).ok());
    let counts: Vec<u32> = scenarios
        .flat_map(|scenario| {
            let groups = scenario.setup.groups.into_iter();
            groups.filter(|(known, _)| *known.name == *group).map(|(_, one)| one.count)
        })
        .collect();
    !counts.is_empty() && counts.iter().all(|count| *count == 1)
}

/// The parameters of a function that can be called in several ways.
const SEVERAL: &str = "(…)";

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
    let is_in_sum = member_order::is_in_sum(tokens, dot);
    let variable = member_order::declared_variable(tokens, dot);
    let lacking = lacking_parts(project, path);
    let start = tokens.start_of_value(dot).map(|first| tokens.all[first].span.start);
    let wanted = start.and_then(|start| {
        let is_neighborhood = types.contains(&NEIGHBORHOOD);
        let compared = WantedTypes::in_condition(tokens, start).filter(|_| is_neighborhood);
        compared.or_else(|| wanted_arguments(project, path, tokens, start).0)
    });
    // Their names, and whether they are called.
    let mut fitting: BTreeSet<(&str, bool)> = BTreeSet::new();
    for (entry, name) in
        members.flat_map(|entry| entry.names.iter().map(move |name| (entry, *name)))
    {
        let mut new = entry_item(entry, name);
        if wanted.as_ref().is_some_and(|wanted| wanted.has_result(entry)) {
            fitting.insert((name, is_function(&new)));
        }
        let is_call = new.kind == Some(CompletionItemKind::METHOD);
        let elsewhere: Vec<&str> = types.iter().flat_map(|of| names_elsewhere(of, name)).collect();
        if !elsewhere.is_empty() {
            // Editors also find it by these.
            new.filter_text = Some(format!("{name} {}", elsewhere.join(" ")));
        }
        // An agent is asked for forces at least as often as for its own values.
        let rank = if is_call && place != ["me"] { 2 } else { 0 };
        new.sort_text = match member_order::place(&place, name, is_call) {
            _ if is_common(entry) || lacks_part(entry, &lacking) => Some(ranked(4, name)),
            _ if is_in_sum && entry.result == "nothing" => Some(ranked(4, name)),
            // The space comes before all letters and digits.
            Some(place) if wants_force && docs::short_result(entry) == "force" => {
                Some(format!(" {place:03}"))
            }
            // Names that scenarios and scripts give are meant more often. Letters follow the space.
            Some(place) if declared.is_empty() => Some(format!("{rank} {place:03}")),
            _ => None,
        };
        if let Some(variable) = variable {
            let in_let = member_order::place_in_let(&place, name, is_call);
            // A variable may have the name of what it keeps.
            let in_let = if variable == name { Some(0) } else { in_let.map(|place| place + 1) };
            new.sort_text = in_let.map(|place| format!(" {place:03}")).or(new.sort_text);
        }
        // A property and a method may share a name, such as `near.nearest` and `near.nearest(count)`.
        let is_same = |known: &&mut CompletionItem| known.label == name && known.kind == new.kind;
        match items.iter_mut().find(is_same) {
            Some(known) => *known = with_parameters(known.clone(), SEVERAL),
            None if declared.contains(name) => {}
            None => items.push(new),
        }
    }
    items.extend(
        variable
            .filter(|_| place == ["me"])
            .map_or_else(Vec::new, |variable| agents_of_group(project, path, variable)),
    );
    if wanted.is_some() {
        // The types of names that scenarios and scripts give are not known here.
        put_first(&mut items, |one| {
            declared.contains(&one.label)
                || fitting.contains(&(one.label.as_str(), is_function(one)))
        });
    }
    Some(items)
}

/// Returns the calls of `me` that find agents of a group with the name of a variable, such as `guests` or `guest`. The likelier one comes
/// first.
fn agents_of_group(project: &Project, path: &Path, variable: &str) -> Vec<CompletionItem> {
    let groups = project.declared(path, NameKind::Group);
    let one = singular(variable);
    let Some(group) = groups.keys().find(|group| singular(group) == one) else { return Vec::new() };
    let calls = [
        (variable != one, format!("neighbors(${{1:100}}).of(\"{group}\")")),
        (variable == one, format!("nearest(\"{group}\", ${{1:100}})")),
    ];
    let call = |(is_first, snippet): (bool, String)| {
        // Two spaces come before one.
        let order = format!("  {}", u8::from(!is_first));
        snippet_item(&order, &snippet, format!("the agents of `{group}` that are near"))
    };
    calls.into_iter().map(call).collect()
}

/// Returns the kinds of things of which the scenarios with a script have none. Nothing if no scenario uses it yet.
fn lacking_parts(project: &Project, path: &Path) -> Vec<NameKind> {
    let users = project.users_of(path);
    if !users.iter().any(|user| project.is_scenario(user)) {
        return Vec::new();
    }
    let kinds = [NameKind::Obstacle, NameKind::Path, NameKind::Field, NameKind::Layer];
    kinds.into_iter().filter(|kind| project.declared(path, *kind).is_empty()).collect()
}

/// Returns whether a function is about something of a kind of which there is none.
fn lacks_part(entry: &Entry, lacking: &[NameKind]) -> bool {
    let primitive = steer::find(entry.names[0]).filter(|_| entry.owners.contains(&"me"));
    let is_about_obstacles = primitive
        .is_some_and(|of| of.sees_obstacles && of.name.contains("obstacle"))
        || primitive.and_then(steer::Primitive::needs) == Some(ScenarioPart::Obstacles);
    (is_about_obstacles && lacking.contains(&NameKind::Obstacle))
        || entry.params.iter().filter_map(|param| param.names).any(|kind| lacking.contains(&kind))
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

fn entry_item(entry: &Entry, name: &str) -> CompletionItem {
    let is_function = entry.signature.contains('(');
    let kind = match (is_function, entry.receiver.is_some()) {
        (true, true) => CompletionItemKind::METHOD,
        (true, false) => CompletionItemKind::FUNCTION,
        (false, true) => CompletionItemKind::PROPERTY,
        (false, false) => CompletionItemKind::VARIABLE,
    };
    let detail = format!("{} -> {}", entry.signature, docs::result(entry));
    let new = with_beside(item(name, kind, detail, docs::entry(entry)), docs::short_result(entry));
    with_parameters(new, &entry.signature)
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
        let (word, doc) = (tokens.get(name), tokens.doc(name));
        with_parameters(
            item(word, CompletionItemKind::FUNCTION, signature.clone(), doc),
            &signature,
        )
    });
    all.collect()
}

/// Returns what can begin a value: variables, functions, and what is known everywhere.
fn everywhere(
    project: &Project,
    path: &Path,
    tokens: &Tokens<'_>,
    offset: usize,
) -> Vec<CompletionItem> {
    let variables = variables_at(tokens.text, offset);
    let has_me = variables.contains(&"me");
    let others: Vec<&str> = variables.iter().filter(|name| **name != "me").copied().collect();
    let types = project.types_of_variables(path, tokens, &others, offset);
    let mut items: Vec<CompletionItem> = types
        .into_iter()
        .map(|(name, types)| {
            let new = item(name, CompletionItemKind::VARIABLE, String::new(), String::new());
            let new = with_beside(new, in_words(types));
            CompletionItem { sort_text: Some(ranked(0, name)), ..new }
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
            match items.iter_mut().find(|known| known.label == *name) {
                Some(known) if known.documentation.is_some() && entry.signature.contains('(') => {
                    *known = with_parameters(known.clone(), SEVERAL);
                }
                Some(_) => {}
                // A constant is hardly meant where any value can begin.
                None if *name == "PI" => items.push(CompletionItem {
                    sort_text: Some(ranked(2, "~PI")),
                    ..entry_item(entry, name)
                }),
                None => items.push(entry_item(entry, name)),
            }
        }
    }
    items
}
