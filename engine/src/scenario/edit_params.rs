//! Params of a scenario changed in its text.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::edit_text::{self, TextEdits};
use super::param::{ParamSpec, fit};
use super::spec::ScenarioSpec;
use super::{Scenario, errors, options, to_ron};
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::world::Value;

/// A scenario's text with other values for params of its groups, each given with the group's name and its
/// own; of several for one param the last counts. Only the values are written anew; where the scenario has
/// a `start` that says otherwise about such a param, the start says no more about it.
///
/// A param that the group has from the shared ones gets a value of its own there, unless all groups that
/// have it from there get the same value: then the shared one changes.
///
/// An integer stays one where the new value is whole.
///
/// # Errors
///
/// If the scenario cannot be read, a param is not written in it, or a value is not of the kind of the one
/// that is written.
pub fn set_params(
    source: &Arc<Source>,
    changes: &[(&str, &str, Value)],
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
    let mut edits = TextEdits::new(text);
    let mut shared_done = BTreeSet::new();
    let mut new_own: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for ((group, param), change) in &wanted {
        if !change.is_shared {
            edits.replace(change.place.clone(), change.text.as_str());
        } else if is_for_all(&scenario, &wanted, param) {
            if shared_done.insert(*param) {
                edits.replace(change.place.clone(), change.text.as_str());
            }
        } else {
            let entry = format!("{}: {}", to_ron::quoted(param), change.text);
            new_own.entry(group).or_default().push(entry);
        }
    }
    for (group, entries) in &new_own {
        edit_text::add_params(&mut edits, text, group, entries).ok_or_else(|| {
            Diagnostic::error(format!("cannot find the params of group `{group}`"))
        })?;
    }
    let is_changed = |group: &str, param: &str| wanted.contains_key(&(group, param));
    forget_in_start(text, &spec, is_changed, &mut edits);
    let done = edits.done();
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
                "`{group}.{param}` cannot be changed in the text: it would not read back as {wanted:?}"
            )));
        }
    }
    Ok(done)
}

/// A new value for a param of a group.
struct ParamChange {
    /// Where the param is written now.
    place: std::ops::Range<usize>,
    /// Whether that is among the shared params.
    is_shared: bool,
    /// The new value as it is written.
    text: String,
    value: Value,
}

/// Whether all groups that have a param from the shared ones get the same value.
fn is_for_all(
    scenario: &Scenario,
    wanted: &BTreeMap<(&str, &str), ParamChange>,
    param: &str,
) -> bool {
    let groups = scenario.inherited.get(param).into_iter().flatten();
    let mut texts = groups.map(|&group| {
        let name = &*scenario.setup.groups[group].0.name;
        wanted.get(&(name, param)).map(|change| &change.text)
    });
    let first = texts.next().flatten();
    first.is_some() && texts.all(|text| text == first)
}

/// Whether two values have the same bits.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    // As text: a zero is not the same as one below 0.
    format!("{a:?}") == format!("{b:?}")
}

/// Finds where a param is written and what is to be written for it.
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

/// A number as a whole one, if it is one.
fn whole(x: f32) -> Option<Value> {
    let whole = x as i64;
    let is_whole = (whole as f32).to_bits() == x.to_bits() && x.abs() < 1e15;
    is_whole.then_some(Value::Int(whole))
}

/// Takes what a start says of params out of it.
fn forget_in_start(
    text: &str,
    spec: &ScenarioSpec,
    is_meant: impl Fn(&str, &str) -> bool,
    edits: &mut TextEdits<'_>,
) {
    let start = spec.start.as_ref().and_then(|start| start.read.as_ref().ok());
    for (group, of) in start.into_iter().flat_map(|start| &start.groups.0) {
        for (param, value) in &of.params.0 {
            if let (Ok(group), Ok(name)) = (&group.read, &param.read)
                && is_meant(group, name)
            {
                edits.remove(param.span(text).start..value.span(text).end);
            }
        }
    }
}
