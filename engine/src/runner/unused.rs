//! Warnings about params, public state, shared values, goals, obstacles, inputs, formations, fields and paths that a scenario declares
//! and nothing uses.

use std::rc::Rc;
use std::sync::Arc;

use crate::diag::{Code, Declared, Diagnostic, Place, Remedy};
use crate::expect::Expectation;
use crate::scenario::{self, Scenario};
use crate::script::{Behavior, Mentions};
use crate::sim::Action;
use crate::tokens::ron_tree::RonTree;
use crate::tokens::{Language, TokenKind, tokens};
use crate::world::{
    AfterGoals, Field, Group, GroupId, Input, Layer, Path, ScenarioPart, SharedValue, Value,
};

/// Returns a warning for each declared thing that no script and no expectation uses, or sets. Params that other findings mean are left out.
pub(super) fn unused(
    scenario: &Scenario,
    behaviors: &[Option<Arc<Behavior>>],
    mentions: &[Rc<Mentions>],
    others: &[Diagnostic],
) -> Vec<Diagnostic> {
    let mut found = params(scenario, mentions, others);
    found.extend(public_state(scenario, mentions));
    found.extend(goals(scenario, behaviors, mentions));
    found.extend(obstacles(scenario, mentions));
    // It is not known what the scripts of expectations and measures read.
    let is_judged_by_script = scenario.expectations.iter().any(|one| one.script().is_some());
    let is_all_known = !is_judged_by_script && scenario.measures.is_empty();
    found.extend(shared(scenario, mentions, is_all_known));
    if is_all_known {
        found.extend(formations(scenario, behaviors, mentions));
        found.extend(fields(scenario, mentions));
        found.extend(layers(scenario, mentions));
        found.extend(inputs(scenario, mentions));
        found.extend(paths(scenario, mentions));
    }
    found
}

/// Returns whether a finding says that a script reads a param which no group has, and that probably another one is meant.
fn means_param(finding: &Diagnostic, param: &str) -> bool {
    let all = &finding.remedies.0;
    let is_param = |one: &Remedy| matches!(one, Remedy::Declare { what: Declared::Param, .. });
    let is_meant = |one: &Remedy| matches!(one, Remedy::Name { meant, .. } if meant == param);
    all.iter().any(is_param) && all.iter().any(is_meant)
}

/// Returns a warning for each param that no script reads, unless other findings mean it.
pub(super) fn params(
    scenario: &Scenario,
    mentions: &[Rc<Mentions>],
    others: &[Diagnostic],
) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (index, (group, _)) in scenario.setup.groups.iter().enumerate() {
        for (name, declared) in &scenario.declared[index] {
            // A shared param is used if any of the groups that inherit it uses it.
            let inheriting = scenario.inherited.get(name);
            let inheriting = inheriting.filter(|groups| groups.contains(&index));
            let is_read = match inheriting {
                Some(groups) => groups.iter().any(|&of| mentions[of].reads_param(name)),
                None => mentions[index].reads_param(name),
            };
            if is_read || others.iter().any(|other| means_param(other, name)) {
                continue;
            }
            let is_read_elsewhere = mentions.iter().any(|one| one.reads_param(name));
            let message = match inheriting {
                Some(_) if is_read_elsewhere => {
                    format!("each group whose script reads the param `{name}` has its own value")
                }
                Some(_) => format!("no script reads the param `{name}`"),
                None => format!("no script of group `{}` reads the param `{name}`", group.name),
            };
            let help = if inheriting.is_some() && is_read_elsewhere {
                "leave it out here, or where groups have their own values".to_owned()
            } else {
                format!("leave it out, or read it in the script as `me.params.{name}`")
            };
            let (source, value) = (&declared.source, &declared.span);
            let tree = RonTree::new(&source.text);
            let entry = tree.innermost_entry(value.start).map(|entry| entry.entry_span());
            let mut warning = Diagnostic::warning(message)
                .code(Code::UnusedParam)
                .at(source, entry.unwrap_or_else(|| value.clone()))
                .help(help);
            let title = format!("Remove the param `{name}`");
            let removal = scenario::removal(source, value.start, title);
            warning.remedies.0.extend(removal.map(Remedy::Change));
            if !found.contains(&warning) {
                found.push(warning);
            }
        }
    }
    found
}

/// Returns a warning for each public state that scripts read from others and none sets.
fn public_state(scenario: &Scenario, mentions: &[Rc<Mentions>]) -> Vec<Diagnostic> {
    let declared = || scenario.public.iter().enumerate();
    let is_constant = |name: &Arc<str>| {
        let mut groups = declared().filter(|(_, places)| places.contains_key(name));
        mentions.iter().any(|one| one.reads_state_of_others(name))
            && !groups.any(|(group, _)| mentions[group].sets_state(name))
            && !mentions.iter().any(|one| one.changes_state(name))
    };
    let all = declared().flat_map(|(_, places)| places).filter(|(name, _)| is_constant(name));
    let warning = |(name, place): (&Arc<str>, &Place)| {
        Diagnostic::warning(format!("no script sets the public state `{name}`, so it never changes"))
            .code(Code::ConstantState)
            .at(&place.source, place.span.clone())
            .help(format!("set it as `me.state.{name} = ...` in the script of the group"))
            .help(format!("for a value that never changes use a param, which agents of the group read as `me.params.{name}`"))
    };
    all.map(warning).collect()
}

/// Returns a warning for each shared value that nothing changes, and for each that nothing reads. `is_all_known` says that no script of
/// an expectation or a measure may read it.
fn shared(scenario: &Scenario, mentions: &[Rc<Mentions>], is_all_known: bool) -> Vec<Diagnostic> {
    let events = &scenario.setup.events;
    let warning = |(shared, place): (&SharedValue, &Place)| {
        let name = &shared.name;
        let is_changed = mentions.iter().any(|one| one.shares(name))
            || events.iter().any(
                |event| matches!(&event.action, Action::SetShared { name: set, .. } if set == name),
            );
        let is_read = !is_all_known
            || mentions.iter().any(|one| one.reads_shared(name))
            || events.iter().any(|event| event.when.tests_shared(name));
        let (message, code, help) = if !is_changed {
            let message = format!("nothing contributes to the shared value `{name}`");
            let help = format!("contribute to it in a script: `me.share(\"{name}\", ...)`");
            (message, Code::ConstantState, help)
        } else if !is_read {
            let message = format!("nothing reads the shared value `{name}`");
            let help = format!("read it in a script as `world.shared.{name}`, or leave it out");
            (message, Code::UnusedShared, help)
        } else {
            return None;
        };
        let warning = Diagnostic::warning(message).code(code);
        Some(warning.at(&place.source, place.span.clone()).help(help))
    };
    scenario.setup.shared.iter().zip(&scenario.shared).filter_map(warning).collect()
}

fn goals(
    scenario: &Scenario,
    behaviors: &[Option<Arc<Behavior>>],
    mentions: &[Rc<Mentions>],
) -> Vec<Diagnostic> {
    let is_used = |index: usize, group: &Group| {
        let of = GroupId(index as u16);
        mentions[index].reads_goals()
            || group.after_goals != AfterGoals::Stay
            || scenario.expectations.iter().any(|one| one.reads_goals(of))
    };
    let written = |index: usize| scenario.goals[index].first().map(|(_, written)| written);
    let warn = |group: &str| {
        Diagnostic::warning(format!("the script of group `{group}` never uses its goals"))
            .code(Code::UnusedGoals)
            .help("steer to the current one with `me.arrive(me.goal, 40)`, for example")
    };
    of_groups(scenario, behaviors, is_used, written, warn)
}

fn formations(
    scenario: &Scenario,
    behaviors: &[Option<Arc<Behavior>>],
    mentions: &[Rc<Mentions>],
) -> Vec<Diagnostic> {
    let is_used = |index: usize, _: &Group| mentions[index].needs(ScenarioPart::Formation);
    let written = |index: usize| scenario.formations[index].as_ref();
    let warn = |group: &str| {
        Diagnostic::warning(format!("the script of group `{group}` never uses its formation"))
            .code(Code::UnusedFormation)
            .help("keep a place in it with `me.keep_formation(leader, 20)`, for example")
    };
    of_groups(scenario, behaviors, is_used, written, warn)
}

/// Returns a warning for each group that does not use what is written for it. A group without a script is left out: its agents may coast
/// to their goals, for example.
fn of_groups<'s>(
    scenario: &Scenario,
    behaviors: &[Option<Arc<Behavior>>],
    is_used: impl Fn(usize, &Group) -> bool,
    written: impl Fn(usize) -> Option<&'s Place>,
    warn: impl Fn(&str) -> Diagnostic,
) -> Vec<Diagnostic> {
    let groups = scenario.setup.groups.iter().map(|(group, _)| group).enumerate();
    let unused =
        groups.filter(|(index, group)| behaviors[*index].is_some() && !is_used(*index, group));
    let found = unused.filter_map(|(index, group)| {
        let written = written(index)?;
        Some(warn(&group.name).at(&written.source, written.span.clone()))
    });
    found.collect()
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

fn layers(scenario: &Scenario, mentions: &[Rc<Mentions>]) -> Vec<Diagnostic> {
    let layers = scenario.setup.layers.iter().zip(&scenario.layers);
    let unused =
        layers.filter(|(layer, _)| !mentions.iter().any(|one| one.may_read_field(&layer.name)));
    let warning = |(layer, written): (&Layer, &Place)| {
        Diagnostic::warning(format!("no script uses the layer `{}`", layer.name))
            .code(Code::UnusedLayer)
            .at(&written.source, written.span.clone())
            .help(format!(
                "read it with `world.amount(\"{}\", me.pos)`, or leave it out",
                layer.name
            ))
    };
    unused.map(warning).collect()
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

fn inputs(scenario: &Scenario, mentions: &[Rc<Mentions>]) -> Vec<Diagnostic> {
    let inputs = scenario.setup.inputs.iter().zip(&scenario.inputs);
    let unused =
        inputs.filter(|(input, _)| !mentions.iter().any(|one| one.reads_input(&input.name)));
    let warning = |(input, written): (&Input, &Place)| {
        let name = &input.name;
        Diagnostic::warning(format!("no script reads the input `{name}`"))
            .code(Code::UnusedInput)
            .at(&written.source, written.span.clone())
            .help(format!("read it as `world.inputs.{name}`, or leave it out"))
    };
    unused.map(warning).collect()
}

/// Returns a warning for each path whose name is written nowhere else, neither in the scenario nor in a script.
fn paths(scenario: &Scenario, mentions: &[Rc<Mentions>]) -> Vec<Diagnostic> {
    let paths = scenario.setup.paths.iter().zip(&scenario.paths);
    let warning = |(path, points): (&Path, &Place)| {
        let (name, text) = (&path.name, points.source.text.as_str());
        let strings = tokens(text, Language::Ron).filter(|one| one.kind == TokenKind::Text);
        let mut same = strings.filter(|one| text[one.span.clone()].trim_matches('"') == &**name);
        let (Some(written), None) = (same.next(), same.next()) else { return None };
        if mentions.iter().any(|one| one.may_read_field(name)) {
            return None;
        }
        let warning = Diagnostic::warning(format!("nothing uses the path `{name}`"))
            .code(Code::UnusedPath)
            .at(&points.source, written.span)
            .help(format!("give it to a group with `path: \"{name}\"`, or leave it out"));
        Some(warning)
    };
    paths.filter_map(warning).collect()
}
