//! The errors that are found although there are others: those that the scenario shows in behaviors with mistakes, such as params that no
//! group has, and those of the scripts of a scenario with mistakes.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::behaviors::check_behaviors;
use super::start::{Behaviors, compile_each};
use super::{mentioned, undeclared, unused};
use crate::diag::{Diagnostic, Diagnostics, Remedy, Severity, Source};
use crate::scenario::{self, BehaviorRef, Remains, Scenario};
use crate::script::{Behavior, Library};

/// Returns the errors of the behaviors that could not be compiled, besides those that are known.
pub(super) fn of_behaviors(
    scenario: &Scenario,
    compiled: &Behaviors,
    scripts: &dyn Library,
    known: &[Diagnostic],
) -> Vec<Diagnostic> {
    let named = scenario.behaviors.iter().map(|of| of.as_ref().map(|of: &BehaviorRef| &*of.name));
    let wrong = named.clone().zip(compiled).filter(|(_, compiled)| compiled.is_none());
    let wrong: BTreeSet<&str> = wrong.filter_map(|(name, _)| name).collect();
    let mut found = Vec::new();
    for name in wrong {
        let Ok((behavior, left_out)) = Behavior::compile_remains(name, scripts) else { continue };
        let behavior = Arc::new(behavior);
        let of_group = |of: Option<&str>| (of == Some(name)).then(|| Arc::clone(&behavior));
        let behaviors: Behaviors = named.clone().map(of_group).collect();
        let checked = check_behaviors(scenario, &behaviors, &mentioned::mentions(&behaviors));
        let checked = checked.unwrap_or_default().into_iter();
        found.extend(checked.filter_map(|finding| left_out.true_finding(finding)));
    }
    found.retain(|finding| known.iter().all(|known| known.place != finding.place));
    found
}

/// Returns the errors of the behaviors of a scenario with errors that do not depend on what is wrong in the scenario.
pub(super) fn of_scenario(source: &Arc<Source>, scripts: &dyn Library) -> Vec<Diagnostic> {
    let rest = scenario::remains(source);
    let is_left = |name: &str| {
        let mut left = rest.iter().flat_map(|rest| rest.scenario.behaviors.iter().flatten());
        left.any(|one| one.name == name)
    };
    // The groups of the others are left out.
    let others = scenario::written_behaviors(source).into_iter();
    let others: Vec<_> = others.filter(|one| !is_left(&one.name)).map(Some).collect();
    let (_, of_others) = compile_each(&others, scripts, true);
    let mut found = rest.map_or_else(Vec::new, |rest| of_remains(rest, source, scripts));
    found.extend(of_others);
    Diagnostics::unique(found).into_vec()
}

/// Returns the errors of the behaviors of the rest of a scenario.
fn of_remains(rest: Remains, source: &Arc<Source>, scripts: &dyn Library) -> Vec<Diagnostic> {
    let Remains { scenario: rest, text: repaired, is_whole } = rest;
    let (behaviors, errors) = compile_each(&rest.behaviors, scripts, true);
    let mut found = errors.into_vec();
    let mentions = mentioned::mentions(&behaviors);
    let wrong_anywhere = wrong_anywhere(&behaviors);
    let is_all_known = is_whole && found.is_empty();
    let mut checked = check_behaviors(&rest, &behaviors, &mentions).unwrap_or_default();
    checked.extend(of_behaviors(&rest, &behaviors, scripts, &found));
    if is_all_known {
        found.extend(unused::params(&rest, &mentions, &checked));
    }
    checked.retain(|finding| is_nowhere_declared(finding, source));
    found.extend(if repaired.is_original() {
        undeclared::with_fixes(checked, source)
    } else {
        checked
    });
    let found = found.into_iter().map(|finding| repaired.in_original(finding));
    found.chain(wrong_anywhere).collect()
}

/// Returns the errors that behaviors have in any scenario.
fn wrong_anywhere(behaviors: &Behaviors) -> Vec<Diagnostic> {
    let all = behaviors.iter().flatten().flat_map(|behavior| behavior.findings_anywhere());
    all.filter(|finding| finding.severity == Severity::Error).collect()
}

/// Returns whether a finding is about something that a group does not declare and that the text of the scenario does not name.
fn is_nowhere_declared(finding: &Diagnostic, source: &Source) -> bool {
    finding.remedies.0.iter().any(|remedy| match remedy {
        Remedy::Declare { name, .. } => !source.text.contains(&format!("\"{name}\"")),
        _ => false,
    })
}
