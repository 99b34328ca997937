//! What an argument of a call can be comes first in the list.

use std::collections::BTreeSet;
use std::path::Path;

use flockwork_engine::schema::NameKind;
use flockwork_engine::script::{Entry, Topic, reference, variables_at};
use flockwork_engine::steer;
use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat};

use super::super::hover::signatures;
use super::super::project::Project;
use super::super::rhai_text::Tokens;
use super::super::snippets::plain_text;
use super::super::types::types_in_words;
use super::{item, names, ranked, with_beside};

/// Puts what an argument can be before everything else, if an argument of a call that the reference has begins at an offset, or what multiplies
/// a vector: variables of its type, neighborhoods and agents before others, names where a name is wanted, params of the group where a number
/// is, calls of `me`, then functions whose result has it. `me` and `world` are no arguments, and come last. Constants and functions that
/// give numbers are left out where none can be.
pub(super) fn put_arguments_first(
    project: &Project,
    path: &Path,
    tokens: &Tokens<'_>,
    offset: usize,
    items: &mut Vec<CompletionItem>,
) {
    let (wanted, kinds) = wanted_arguments(project, path, tokens, offset);
    for kind in kinds {
        items.extend(names(project, path, kind, true).into_iter().map(|one| CompletionItem {
            sort_text: Some(format!(" 2 {}", one.label)),
            label: format!("\"{}\"", one.label),
            ..one
        }));
    }
    let Some(wanted) = wanted else { return };
    let all = reference();
    // Nearly all functions return numbers.
    let wants_number = wanted.0.contains("float");
    let is_of = |item: &CompletionItem, entry: &&Entry| {
        entry.receiver.is_none() && entry.names.contains(&&*item.label)
    };
    let may_be = |entry: &Entry| {
        let is_value = entry.result != "nothing" && entry.topic != Topic::EntryPoints;
        is_value && wanted.may_be(&types_in_words(&entry.result))
    };
    let is_unlikely = |item: &CompletionItem| {
        let mut results = all.iter().filter(|entry| is_of(item, entry)).peekable();
        results.peek().is_some() && !results.any(may_be)
    };
    let gives_number = |entry: &Entry| {
        let types = types_in_words(&entry.result);
        !types.is_empty() && types.iter().all(|of| NUMBERS.contains(of))
    };
    items.retain(|item| {
        let mut results = all.iter().filter(|entry| is_of(item, entry));
        wants_number || !is_unlikely(item) || !results.all(gives_number)
    });
    // The space comes before all letters and digits.
    let mut near = Vec::new();
    for item in items.iter_mut() {
        let rank = match item.kind {
            Some(CompletionItemKind::VARIABLE) if ["me", "world"].contains(&&*item.label) => {
                Some(ranked(4, &item.label))
            }
            Some(CompletionItemKind::VARIABLE) => {
                let declared = tokens.declaration(&item.label, offset);
                let types = declared
                    .map_or_else(Vec::new, |index| project.types_of_variable(path, tokens, index));
                let is_neighborhood = types.contains(&NEIGHBORHOOD) && !wanted.may_be(&types);
                if is_neighborhood && wanted.0.contains("agent") {
                    near.push(format!("{}.nearest", item.label));
                }
                let is_force = declared.is_some_and(|index| is_force(tokens, index));
                rank_of_variable(&item.label, &types, is_force, &wanted)
            }
            Some(CompletionItemKind::FUNCTION) if is_unlikely(item) => Some(ranked(4, &item.label)),
            Some(CompletionItemKind::FUNCTION) if !wants_number => {
                let is_it = |entry: &Entry| is_of(item, &entry) && wanted.has_result(entry);
                all.iter().position(is_it).map(|place| format!(" 4{place:04}"))
            }
            _ => None,
        };
        item.sort_text = rank.or(item.sort_text.take());
    }
    items.extend(near.into_iter().map(|label| CompletionItem {
        sort_text: Some(format!(" 2{label}")),
        ..with_beside(
            item(&label, CompletionItemKind::PROPERTY, String::new(), String::new()),
            "agent or ()".to_owned(),
        )
    }));
    if !variables_at(tokens.text, offset).contains(&"me") {
        return;
    }
    items.extend(calls_of_me(project, &wanted));
    if wants_number {
        items.extend(params_with_numbers(project, path, tokens, offset));
    }
}

/// Returns what sorts a variable with some types where an argument begins; `None` if nothing is known of it.
fn rank_of_variable(
    name: &str,
    types: &[&'static str],
    is_force: bool,
    wanted: &WantedTypes,
) -> Option<String> {
    let wants_agent = wanted.0.contains("agent");
    match types {
        [] => None,
        _ if !wanted.may_be(types) => Some(ranked(4, name)),
        _ if types.contains(&NEIGHBORHOOD) => Some(format!(" 0{name}")),
        _ if wants_agent && types.contains(&"agent") => Some(format!(" 0{name}")),
        // Nobody goes to a force.
        _ if wants_agent && is_force => Some(format!(" 4{name}")),
        _ => Some(format!(" 1{name}")),
    }
}

/// Returns the params of the group that are numbers. Those come first that are factors elsewhere if one is wanted at an offset, or else the
/// others.
fn params_with_numbers(
    project: &Project,
    path: &Path,
    tokens: &Tokens<'_>,
    offset: usize,
) -> Vec<CompletionItem> {
    let declared = project.declared(path, NameKind::Param);
    let is_number = |param: &CompletionItem| {
        let values = declared.get(&param.label).into_iter().flatten();
        values.filter_map(|one| one.value.as_ref()).all(|value| value.parse::<f32>().is_ok())
    };
    let params = fields(project, path, NameKind::Param).into_iter().filter(is_number);
    let wants_factor = tokens.token_before(offset) == "*";
    let item = |param: CompletionItem| {
        let is_likely = is_factor(tokens, &param.label) == wants_factor;
        CompletionItem {
            label: format!("me.params.{}", param.label),
            sort_text: Some(format!(" 2{}{}", u8::from(!is_likely), param.label)),
            ..param
        }
    };
    params.map(item).collect()
}

/// Returns the calls of `me` that find what an argument can be, if it is a neighborhood or an agent.
fn calls_of_me(project: &Project, wanted: &WantedTypes) -> Vec<CompletionItem> {
    // Without places to fill in, a number makes it a whole call.
    let radius = if project.has_snippets { "${1:radius}" } else { "60" };
    let calls = [
        (NEIGHBORHOOD, "neighbors", "the agents that are near"),
        ("agent", "nearest", "the nearest agent, or `()`"),
    ];
    let calls = calls.into_iter().filter(|(of, ..)| wanted.0.contains(of));
    let call = |(_, name, what): (_, _, &str)| {
        snippet_item(" 3", &format!("me.{name}({radius})"), what.to_owned())
    };
    calls.map(call).collect()
}

/// Returns whether a variable that is declared at a token is a sum of forces, or the result of a primitive: a vector that nobody goes to.
fn is_force(tokens: &Tokens<'_>, declared: usize) -> bool {
    let name = tokens.get(declared);
    let all = 0..tokens.all.len();
    let is_sum =
        |index: usize| tokens.get(index) == name && matches!(tokens.get(index + 1), "+=" | "-=");
    let mut value = (declared + 1..all.end).take_while(|index| tokens.get(*index) != ";");
    all.into_iter().any(is_sum)
        || value.any(|index| tokens.is_dot(index - 1) && steer::find(tokens.get(index)).is_some())
}

/// Returns whether a script multiplies by a param wherever it reads it: then it is hardly a distance or a speed.
fn is_factor(tokens: &Tokens<'_>, param: &str) -> bool {
    let mut reads = (0..tokens.all.len())
        .filter(|&index| tokens.get(index) == param && tokens.is_member_of(index, "params"))
        .peekable();
    let is_one = |index: usize| {
        // `me.params.` is before the name.
        let before = index.checked_sub(5).map(|before| tokens.get(before));
        before == Some("*") || tokens.get(index + 1) == "*"
    };
    reads.peek().is_some() && reads.all(is_one)
}

/// Returns a call that is offered with its arguments.
pub(super) fn snippet_item(order: &str, snippet: &str, detail: String) -> CompletionItem {
    CompletionItem {
        sort_text: Some(order.to_owned()),
        insert_text: Some(snippet.to_owned()),
        insert_text_format: Some(InsertTextFormat::SNIPPET),
        ..item(&plain_text(snippet), CompletionItemKind::SNIPPET, detail, String::new())
    }
}

/// The type of the values that `me.neighbors(...)` returns.
pub(super) const NEIGHBORHOOD: &str = "neighborhood";

/// Returns the types of the argument that begins at an offset, `None` if none begins there or nothing is known of it, and the kinds of names that
/// it can be.
pub(super) fn wanted_arguments(
    project: &Project,
    path: &Path,
    tokens: &Tokens<'_>,
    offset: usize,
) -> (Option<WantedTypes>, BTreeSet<NameKind>) {
    if let Some(wanted) = WantedTypes::of_factor(project, path, tokens, offset) {
        return (Some(wanted), BTreeSet::new());
    }
    let begins = matches!(tokens.token_before(offset), "(" | ",");
    let Some((name, argument)) = tokens.call_around(offset).filter(|_| begins) else {
        return (None, BTreeSet::new());
    };
    let calls = signatures(project, path, tokens, name);
    let params = || calls.iter().filter_map(|call| call.params.get(argument));
    let mut types: BTreeSet<&str> =
        params().flat_map(|param| types_in_words(&param.takes)).collect();
    if types.contains("float") {
        types.insert("integer");
    }
    let wanted = (!types.is_empty()).then_some(WantedTypes(types));
    (wanted, params().filter_map(|param| param.names).collect())
}

/// The types of numbers and of what conditions compare.
pub(super) const NUMBERS: [&str; 3] = ["boolean", "float", "integer"];

/// The types that a value can have where it is written, as far as they are known.
pub(super) struct WantedTypes(pub(super) BTreeSet<&'static str>);

impl WantedTypes {
    /// Returns the types of what a condition begins with or compares, if it begins at an offset.
    pub(super) fn in_condition(tokens: &Tokens<'_>, offset: usize) -> Option<Self> {
        let is_it = matches!(tokens.token_before(offset), "if" | "while" | "&&" | "||" | "!");
        is_it.then(|| Self(BTreeSet::from(NUMBERS)))
    }

    /// Returns the types of what multiplies a vector, if it begins at an offset: `me.wander() * ...`.
    fn of_factor(
        project: &Project,
        path: &Path,
        tokens: &Tokens<'_>,
        offset: usize,
    ) -> Option<Self> {
        let before = tokens.all.iter().rposition(|token| token.span.end <= offset)?;
        let last = before.checked_sub(1).filter(|_| tokens.get(before) == "*")?;
        // Most calls return forces.
        let is_vector =
            tokens.get(last) == ")" || project.types_at(path, tokens, last).contains(&"vector");
        is_vector.then(|| Self(BTreeSet::from(["float", "integer"])))
    }

    /// Returns whether a value can have one of the types: it has one of them, or nothing is known of it.
    pub(super) fn may_be(&self, types: &[&str]) -> bool {
        types.is_empty() || types.iter().any(|of| self.0.contains(of))
    }

    /// Returns whether the result of a function or a property always has one of the types.
    pub(super) fn has_result(&self, entry: &Entry) -> bool {
        let types = types_in_words(&entry.result);
        let is_whole = !types.is_empty() && types.iter().all(|of| self.0.contains(of));
        // Where a neighborhood or a radius can be, `near.count` is hardly the radius.
        let is_number = |of: &&str| NUMBERS.contains(of);
        let is_likely = self.0.iter().all(is_number) || !types.iter().all(is_number);
        // A force is a vector that nobody goes to.
        is_whole && is_likely && !entry.result.contains("force")
    }
}

/// Returns the names of a kind that a script can read behind a dot.
pub(super) fn fields(project: &Project, path: &Path, kind: NameKind) -> Vec<CompletionItem> {
    let all = names(project, path, kind, false).into_iter();
    all.map(|one| CompletionItem { kind: Some(CompletionItemKind::FIELD), ..one }).collect()
}
