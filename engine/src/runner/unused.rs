//! Warnings about params, goals, obstacles, formations and fields that a scenario declares and nothing uses.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::diag::{Code, Diagnostic, Place};
use crate::expect::Expectation;
use crate::scenario::Scenario;
use crate::script::{Behavior, Mentions};
use crate::sim::Action;
use crate::world::{AfterGoals, Field, GroupId, ScenarioPart, Value};

/// Returns what the script of each group mentions; nothing for a group without one.
pub(super) fn mentions(behaviors: &[Option<Arc<Behavior>>]) -> Vec<Rc<Mentions>> {
    let mut known: HashMap<*const Behavior, Rc<Mentions>> = HashMap::new();
    let mut of = |one: &Arc<Behavior>| {
        Rc::clone(known.entry(Arc::as_ptr(one)).or_insert_with(|| Rc::new(one.mentions())))
    };
    behaviors.iter().map(|behavior| behavior.as_ref().map(&mut of).unwrap_or_default()).collect()
}

/// Returns a warning for each declared thing that no script and no expectation uses.
pub(super) fn unused(
    scenario: &Scenario,
    behaviors: &[Option<Arc<Behavior>>],
    mentions: &[Rc<Mentions>],
) -> Vec<Diagnostic> {
    let mut found = params(scenario, mentions);
    found.extend(goals(scenario, behaviors, mentions));
    found.extend(obstacles(scenario, mentions));
    // It is not known what the scripts of expectations and measures read.
    let is_judged_by_script = scenario.expectations.iter().any(|one| one.script().is_some());
    if !is_judged_by_script && scenario.measures.is_empty() {
        found.extend(formations(scenario, behaviors, mentions));
        found.extend(fields(scenario, mentions));
    }
    found
}

fn params(scenario: &Scenario, mentions: &[Rc<Mentions>]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (place, (group, _)) in scenario.setup.groups.iter().enumerate() {
        for (name, declared) in &scenario.declared[place] {
            // A shared param is used if any of the groups that inherit it uses it.
            let inheriting = scenario.inherited.get(name);
            let inheriting = inheriting.filter(|groups| groups.contains(&place));
            let is_read = match inheriting {
                Some(groups) => groups.iter().any(|&of| mentions[of].reads_param(name)),
                None => mentions[place].reads_param(name),
            };
            if is_read {
                continue;
            }
            let readers = match inheriting {
                Some(_) => "no script".to_owned(),
                None => format!("no script of group `{}`", group.name),
            };
            let warning = Diagnostic::warning(format!("{readers} reads the param `{name}`"))
                .code(Code::UnusedParam)
                .at(&declared.source, declared.span.clone())
                .help(format!("leave it out, or read it in the script as `me.params.{name}`"));
            if !found.contains(&warning) {
                found.push(warning);
            }
        }
    }
    found
}

fn goals(
    scenario: &Scenario,
    behaviors: &[Option<Arc<Behavior>>],
    mentions: &[Rc<Mentions>],
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (place, (group, _)) in scenario.setup.groups.iter().enumerate() {
        let of = GroupId(place as u16);
        let is_expected = scenario.expectations.iter().any(|one| one.reads_goals(of));
        // A group without a script may coast to its goals.
        if behaviors[place].is_none()
            || mentions[place].reads_goals()
            || group.after_goals != AfterGoals::Stay
            || is_expected
        {
            continue;
        }
        found.extend(scenario.goals[place].first().map(|(_, written)| {
            Diagnostic::warning(format!(
                "the script of group `{}` never uses its goals",
                group.name
            ))
            .code(Code::UnusedGoals)
            .at(&written.source, written.span.clone())
            .help("steer to the current one with `me.arrive(me.goal, 40)`, for example")
        }));
    }
    found
}

fn obstacles(scenario: &Scenario, mentions: &[Rc<Mentions>]) -> Option<Diagnostic> {
    let is_judged = scenario.expectations.iter().any(Expectation::reads_obstacles);
    let is_touched = scenario.setup.groups.iter().any(|(group, _)| group.body.solid);
    if is_judged || is_touched || mentions.iter().any(|one| one.reads_obstacles()) {
        return None;
    }
    let written = scenario.obstacles.as_ref()?;
    let warning = Diagnostic::warning("no script uses the obstacles")
        .code(Code::UnusedObstacles)
        .at(&written.source, written.span.clone())
        .help("agents pass through obstacles unless their script avoids them: add `me.avoid_obstacles()`");
    Some(warning)
}

fn formations(
    scenario: &Scenario,
    behaviors: &[Option<Arc<Behavior>>],
    mentions: &[Rc<Mentions>],
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (place, (group, _)) in scenario.setup.groups.iter().enumerate() {
        if behaviors[place].is_none() || mentions[place].needs(ScenarioPart::Formation) {
            continue;
        }
        found.extend(scenario.formations[place].as_ref().map(|written| {
            let what = format!("the script of group `{}` never uses its formation", group.name);
            Diagnostic::warning(what)
                .code(Code::UnusedFormation)
                .at(&written.source, written.span.clone())
                .help("keep a place in it with `me.keep_formation(leader, 20)`, for example")
        }));
    }
    found
}

fn fields(scenario: &Scenario, mentions: &[Rc<Mentions>]) -> Vec<Diagnostic> {
    let setup = &scenario.setup;
    // A param may name a field, and events and the command line may set it.
    let own =
        setup.groups.iter().flat_map(|(group, _)| group.params.iter().map(|(_, value)| value));
    let set = setup.events.iter().filter_map(|event| match &event.action {
        Action::Set { value, .. } => Some(value),
        _ => None,
    });
    let is_name = |value: &Value| matches!(value, Value::String(text) if setup.fields.iter().any(|field| field.name == *text));
    if own.chain(set).any(is_name) {
        return Vec::new();
    }
    let fields = setup.fields.iter().zip(&scenario.fields);
    let unused =
        fields.filter(|(field, _)| !mentions.iter().any(|one| one.may_read_field(&field.name)));
    let warning = |(field, written): (&Field, &Place)| {
        Diagnostic::warning(format!("no script uses the field `{}`", field.name))
            .code(Code::UnusedField)
            .at(&written.source, written.span.clone())
            .help(format!("move with it by `me.flow_field(\"{}\")`, or leave it out", field.name))
    };
    unused.map(warning).collect()
}
