//! Checks the behaviors of groups in their world.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::start::brain;
use super::{unreachable, way_costs};
use crate::diag::{Code, Diagnostic, Diagnostics, Place, Remedy};
use crate::scenario::Scenario;
use crate::script::{Behavior, Mentions};
use crate::sim::{Action, Setup, Simulation};
use crate::world::{AfterGoals, Group, GroupId, World};

/// Checks the behaviors of all groups in the scenario's world.
pub(super) fn check_behaviors(
    scenario: &Scenario,
    behaviors: &[Option<Arc<Behavior>>],
    mentions: &[Rc<Mentions>],
) -> Result<Vec<Diagnostic>, Diagnostics> {
    let Scenario { setup, declared, goals, paths, behaviors: named, .. } = scenario;
    let changing_obstacles = setup.changing_obstacles();
    let brains = behaviors.iter().map(|_| brain(None)).collect();
    // An agent does not find itself: its own group needs two agents for one to be found.
    let mut lasting = lasting_groups(setup, 1);
    let lasting_without_self = lasting_groups(setup, 2);
    let simulation = Simulation::new(setup.clone(), brains)?;
    let world = simulation.world();
    // Where an obstacle may be absent for a while, there may be a way.
    let mut lasting_world = World::clone(world);
    lasting_world.set_absent_obstacles(&changing_obstacles);
    lasting_world.index();
    let mut found = unreachable::goals(&lasting_world, mentions, goals);
    found.extend(unreachable::paths(&lasting_world, mentions, paths));
    found.extend(way_costs::notes(world, named, mentions));
    // Groups that have been checked; their findings hold for all groups of the same kind.
    let mut representatives: Vec<usize> = Vec::new();
    for (group, behavior) in behaviors.iter().enumerate() {
        let Some(behavior) = behavior else {
            continue;
        };
        let is_same_kind = |&representative: &usize| {
            let same = |one: &Arc<Behavior>| Arc::ptr_eq(one, behavior);
            behaviors[representative].as_ref().is_some_and(same)
                && lasting_without_self[representative] == lasting_without_self[group]
                && differ_in_name_only(&world.groups[representative], &world.groups[group])
        };
        let own = &world.groups[group].name;
        let is_named = mentions[group].names(own);
        if !is_named && representatives.iter().any(is_same_kind) {
            continue;
        }
        let kept = std::mem::replace(&mut lasting[group], lasting_without_self[group]);
        let with_it = |(of, other): (u16, &Option<Arc<Behavior>>)| {
            other.as_ref().is_some_and(|one| Arc::ptr_eq(one, behavior)).then_some(GroupId(of))
        };
        let same_script: Vec<GroupId> = (0..).zip(behaviors).filter_map(with_it).collect();
        let own_id = GroupId(group as u16);
        let findings = behavior.findings(world, own_id, lasting.clone(), &same_script);
        lasting[group] = kept;
        let findings = findings.into_iter();
        let findings = findings.map(at_name);
        let findings = findings.map(|finding| with_declarations(finding, &declared[group]));
        let findings: Vec<Diagnostic> = findings.collect();
        if !is_named && !findings.iter().any(|finding| mentions_group(finding, own)) {
            representatives.push(group);
        }
        found.extend(findings);
    }
    Ok(Diagnostics::unique(found).into_vec())
}

/// Returns true if two groups differ at most in their names.
fn differ_in_name_only(a: &Group, b: &Group) -> bool {
    Group { name: Arc::clone(&b.name), made: b.made, ..a.clone() } == *b
}

/// Returns true if a finding may be about one group only: it contains the group's name, or shows where params are
/// declared.
fn mentions_group(finding: &Diagnostic, group: &str) -> bool {
    let mut strings = [&finding.message, &finding.label].into_iter().chain(&finding.help);
    !finding.related.is_empty() || strings.any(|text| text.contains(group))
}

/// Marks the name that does not exist, where a finding is about a string among the arguments of the call that is marked.
fn at_name(mut finding: Diagnostic) -> Diagnostic {
    // What a group does not declare is a property, which is marked already. The message begins with the group.
    let is_property = finding.remedies.0.iter().any(|one| matches!(one, Remedy::Declare { .. }));
    let name = finding.message.split('`').nth(1).map(|name| format!("\"{name}\""));
    let is_name = finding.code == Code::UnknownName && !is_property;
    let place = finding.place.as_mut().filter(|_| is_name);
    if let (Some(name), Some(place)) = (name, place) {
        let rest = &place.source.text[place.span.start..];
        let line = rest.lines().next().unwrap_or_default();
        if let Some(at) = line.find(&name) {
            let start = place.span.start + at;
            place.span = start..start + name.len();
        }
    }
    finding
}

/// Adds the declarations of the params among the operands or arguments of what fails: one of them may be the cause.
fn with_declarations(mut error: Diagnostic, declared: &BTreeMap<Arc<str>, Place>) -> Diagnostic {
    let is_about_values =
        matches!(error.code, Code::WrongType | Code::WrongArguments | Code::OutOfRange);
    let Some(place) = error.place.clone().filter(|_| is_about_values) else {
        return error;
    };
    let mut operands = operands(&place);
    // It may be the argument itself.
    operands.extend(place.source.text.get(place.span.clone()));
    let params = operands.iter().flat_map(|operand| operand.split("params.").skip(1));
    for param in params {
        let end = param.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let param = &param[..end.unwrap_or(param.len())];
        if let Some(place) = declared.get(param) {
            error = error.related(place.clone(), format!("`{param}` is declared here"));
        }
    }
    without_quotes(error, declared)
}

/// If a param should be a number and is one in quotes, adds the change of the scenario that removes them.
fn without_quotes(mut error: Diagnostic, declared: &BTreeMap<Arc<str>, Place>) -> Diagnostic {
    let name = error.remedies.0.iter().find_map(|remedy| match remedy {
        Remedy::ParamInQuotes { name } => Some(name.clone()),
        _ => None,
    });
    let place = name.as_ref().and_then(|name| declared.get(&**name).cloned());
    let (Some(name), Some(place)) = (name, place) else { return error };
    let written = &place.source.text[place.span.clone()];
    let inner = written.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
    let Some(number) = inner.filter(|inner| inner.parse::<f32>().is_ok()) else { return error };
    let number = number.to_owned();
    // All groups have it if it is declared for all.
    error.help.retain(|help| !help.starts_with(&format!("the param `{name}` of group")));
    if error.related.iter().all(|(known, _)| *known != place) {
        error = error.related(place.clone(), format!("`{name}` is declared here"));
    }
    let title = format!("Write `{number}` without quotes in the scenario");
    error
        .help(format!(
            "the param `{name}` is a string; remove its quotes in the scenario: `{number}`"
        ))
        .fix(title, &place.source, place.span, number)
}

/// Returns the text of the operands around an operator, or the receiver and the arguments of a call. Operands with calls are left out.
fn operands(place: &Place) -> Vec<&str> {
    let (before, rest) = place.source.text.split_at(place.span.start);
    let before = before.rsplit('\n').next().unwrap_or_default();
    let rest = rest.lines().next().unwrap_or_default();
    let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let is_chain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    if word == 0 {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_punctuation()).trim_start();
        let left = before.trim_end();
        let start = left.rfind(|c| !is_chain(c)).map_or(0, |at| at + 1);
        let end = after.find(|c| !is_chain(c)).unwrap_or(after.len());
        let is_call = after[end..].starts_with('(');
        return [Some(&left[start..]), (!is_call).then(|| &after[..end])]
            .into_iter()
            .flatten()
            .collect();
    }
    let start = before.rfind(|c| !is_chain(c)).map_or(0, |at| at + 1);
    let arguments = rest[word..].strip_prefix('(').unwrap_or_default();
    let mut depth = 0;
    let end = arguments.find(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth < 0
    });
    vec![&before[start..], &arguments[..end.unwrap_or(arguments.len())]]
}

/// Returns for each group whether it always has at least `least` agents: it has them at the start, and nothing removes any.
fn lasting_groups(setup: &Setup, least: u32) -> Vec<bool> {
    let removed: HashSet<GroupId> = setup
        .events
        .iter()
        .filter_map(|event| match event.action {
            Action::Remove { group, .. } => Some(group),
            _ => None,
        })
        .collect();
    let groups = setup.groups.iter().zip(0..);
    groups
        .map(|((group, spawn), place)| {
            setup.start.is_none()
                && spawn.count >= least
                && group.after_goals != AfterGoals::Remove
                && !removed.contains(&GroupId(place))
        })
        .collect()
}
