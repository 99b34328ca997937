//! Changes params in the text of a scenario.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::edit_text::TextEdits;
use super::param::{ParamSpec, fit};
use super::spec::ScenarioSpec;
use super::text_parts::{part_name, walk, written_parts};
use super::{Scenario, errors, options, to_ron};
use crate::diag::{Declared, Diagnostic, Diagnostics, Fix, Source};
use crate::tokens::ron_tree::RonTree;
use crate::world::Value;

/// Returns the text of a scenario with new values for params of its groups.
///
/// Each change is the name of a group, the name of a param, and the new value. If a param is changed several times,
/// the last value counts. Only the values change in the text. If the scenario has a `start` with another value for such
/// a param, that value is removed from the start.
///
/// If a group takes a param from the shared ones, it gets its own value. But if all groups that take it from there get
/// the same new value, the shared value changes. Groups for which `is_for_others` is true of their name and the param
/// do not use it, and take part in that only if they get a new value.
///
/// A param that is written as an integer stays an integer if the new value has no fractional part.
///
/// # Errors
///
/// If the scenario cannot be read, if a param is not written in it, or if a value has another type than the one that is
/// written.
pub fn set_params(
    source: &Arc<Source>,
    changes: &[(&str, &str, Value)],
    is_for_others: impl Fn(&str, &str) -> bool,
) -> Result<String, Diagnostic> {
    let scenario = Scenario::parse(source).map_err(Diagnostics::into_first)?;
    let text = source.text.as_str();
    let spec: ScenarioSpec = options()
        .from_str(text)
        .map_err(|error| errors::diagnostic(&error, source, 0..text.len()))?;
    let mut wanted: BTreeMap<(&str, &str), ParamChange> = BTreeMap::new();
    for (group, param, value) in changes {
        wanted.insert((group, param), find_change(source, &spec, group, param, value)?);
    }
    let tree = RonTree::new(text);
    let mut edits = TextEdits::new(text);
    let mut shared_done = BTreeSet::new();
    let mut new_own: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for ((group, param), change) in &wanted {
        if !change.is_shared {
            edits.replace(change.place.clone(), change.text.as_str());
        } else if is_for_all(&scenario, &wanted, param, &is_for_others) {
            if shared_done.insert(*param) {
                edits.replace(change.place.clone(), change.text.as_str());
            }
        } else {
            let entry = format!("{}: {}", to_ron::quoted(param), change.text);
            new_own.entry(group).or_default().push(entry);
        }
    }
    for (group, entries) in &new_own {
        add_entries(&mut edits, &tree, (group, "params"), entries).ok_or_else(|| {
            Diagnostic::error(format!("cannot find the params of group `{group}`"))
        })?;
    }
    let is_changed = |group: &str, param: &str| wanted.contains_key(&(group, param));
    forget_in_start(&tree, is_changed, &mut edits);
    let done = edits.finish();
    let read = Scenario::parse(&Source::new(source.name.as_str(), done.as_str()))
        .map_err(Diagnostics::into_first)?;
    for ((group, param), ParamChange { value: wanted, .. }) in &wanted {
        let groups = read.setup.groups.iter();
        let found = groups.clone().find(|(of, _)| *of.name == **group);
        let found = found.and_then(|(of, _)| of.params.get(param));
        let started = read.setup.start.as_ref().and_then(|start| {
            let place = groups.clone().position(|(of, _)| *of.name == **group)?;
            start.groups[place].params.get(param)
        });
        let is_same = |other: Option<&Value>| other.is_some_and(|other| same(other, wanted));
        if !is_same(found) || (read.setup.start.is_some() && !is_same(started)) {
            return Err(Diagnostic::error(format!(
                "`{group}.{param}` cannot be changed in the file: it would not read back as {wanted:?}"
            )));
        }
    }
    Ok(done)
}

/// Returns the change of a scenario that declares something of groups, with a value that is easily replaced.
pub(crate) fn declare(
    source: &Arc<Source>,
    groups: &[String],
    what: Declared,
    name: &str,
) -> Option<Fix> {
    let text = source.text.as_str();
    let mut edits = TextEdits::new(text);
    let (field, value, words) = match what {
        Declared::Param => ("params", "1.0", "param"),
        Declared::PublicState => ("public", "false", "public state"),
    };
    let entry = format!("{}: {value}", to_ron::quoted(name));
    let tree = RonTree::new(text);
    for group in groups {
        add_entries(&mut edits, &tree, (group, field), std::slice::from_ref(&entry))?;
    }
    let title = format!("Declare the {words} `{name}` of {}", group_list(groups));
    Some(edits.into_fix(title, source))
}

/// Returns the names of groups as messages have them: "group `a`", or "groups `a`, `b` and `c`".
pub(crate) fn group_list(groups: &[String]) -> String {
    let names: Vec<String> = groups.iter().map(|group| format!("`{group}`")).collect();
    match &names[..] {
        [] => "no group".to_owned(),
        [one] => format!("group {one}"),
        [first @ .., last] => format!("groups {} and {last}", first.join(", ")),
    }
}

/// Adds entries to a map of a group, each written as `"name": value`. `None` if the group cannot be found.
fn add_entries(
    edits: &mut TextEdits<'_>,
    tree: &RonTree<'_>,
    (group, field): (&str, &str),
    entries: &[String],
) -> Option<()> {
    match walk(tree, &["groups", group, field]) {
        Ok(map) => edits.append_items(map, entries),
        Err(_) => {
            let of = walk(tree, &["groups", group]).ok()?;
            edits.append_items(of, &[format!("{field}: {{ {} }}", entries.join(", "))]);
        }
    }
    Some(())
}

/// A change of a param of a group.
struct ParamChange {
    /// The place where the old value is written.
    place: std::ops::Range<usize>,
    /// Whether that place is among the shared params.
    is_shared: bool,
    /// The new value as text.
    text: String,
    value: Value,
}

/// Returns whether all groups that take a param from the shared ones, and use it or get a new value, get the same one.
fn is_for_all(
    scenario: &Scenario,
    wanted: &BTreeMap<(&str, &str), ParamChange>,
    param: &str,
    is_for_others: impl Fn(&str, &str) -> bool,
) -> bool {
    let groups = scenario.inherited.get(param).into_iter().flatten();
    let names = groups.map(|&group| &*scenario.setup.groups[group].0.name);
    let concerned =
        names.filter(|name| wanted.contains_key(&(*name, param)) || !is_for_others(name, param));
    let mut strings = concerned.map(|name| wanted.get(&(name, param)).map(|change| &change.text));
    let first = strings.next().flatten();
    first.is_some() && strings.all(|text| text == first)
}

/// Returns whether two values have the same bits.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    // Compared as text, since 0.0 and -0.0 are equal but differ in their bits.
    format!("{a:?}") == format!("{b:?}")
}

/// Finds where a param is written and what must be written there.
fn find_change(
    source: &Arc<Source>,
    spec: &ScenarioSpec,
    group: &str,
    param: &str,
    value: &Value,
) -> Result<ParamChange, Diagnostic> {
    let named = |key: &super::spanned::Spanned<String>, name: &str| {
        key.read.as_ref().is_ok_and(|read| read == name)
    };
    let groups = &spec.groups.0;
    let Some((_, of)) = groups.iter().find(|(key, _)| named(key, group)) else {
        let names = groups.iter().filter_map(|(key, _)| key.read.as_deref().ok());
        return Err(Diagnostic::error(format!("no group `{group}`")).suggest(group, names));
    };
    let own = of.params.0.iter().map(|(key, there)| (key, there, false));
    let shared = spec.params.0.iter().map(|(key, there)| (key, there, true));
    let mut params = own.chain(shared);
    let names = params.clone();
    let Some((_, there, is_shared)) = params.find(|(key, ..)| named(key, param)) else {
        let names = names.filter_map(|(key, ..)| key.read.as_deref().ok());
        let unknown = format!("group `{group}` has no param `{param}`");
        return Err(Diagnostic::error(unknown).suggest(param, names));
    };
    let place = there.span(&source.text);
    let written = there.read.as_ref().ok().map(|ParamSpec(value)| value);
    let whole = match (written, value) {
        (Some(Value::Int(_)), Value::Float(x)) => whole(*x),
        _ => None,
    };
    let new = whole.or_else(|| written.and_then(|written| fit(written, value.clone())));
    match new.and_then(|new| Some((to_ron::param(&new)?, new))) {
        Some((text, value)) => Ok(ParamChange { place, is_shared, text, value }),
        None => {
            let kind = written.map_or("something else", Value::kind);
            let other = format!("`{group}.{param}` is {kind}, not {}", value.kind());
            Err(Diagnostic::error(other).at(source, place))
        }
    }
}

/// Converts a float to an integer value if it has no fractional part.
fn whole(x: f32) -> Option<Value> {
    let whole = x as i64;
    let is_whole = (whole as f32).to_bits() == x.to_bits() && x.abs() < 1e15;
    is_whole.then_some(Value::Int(whole))
}

/// Removes the params that `is_meant` selects from the start.
fn forget_in_start(
    tree: &RonTree<'_>,
    is_meant: impl Fn(&str, &str) -> bool,
    edits: &mut TextEdits<'_>,
) {
    for (group, of) in written_parts(tree, &["start", "groups"]) {
        let params = of.get("params").into_iter().flat_map(|params| params.children().enumerate());
        for (index, param) in params {
            if is_meant(&group, &part_name(index, param)) {
                edits.remove(param);
            }
        }
    }
}
