//! The errors that are found although there are others: those that the scenario shows in behaviors with mistakes, such as params that no
//! group has, and those of the scripts of a scenario with mistakes.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::behaviors::check_behaviors;
use super::start::{Behaviors, compile_each};
use super::{mentioned, undeclared, unused};
use crate::diag::{Code, Diagnostic, Diagnostics, Fix, Remedy, Severity, Source};
use crate::scenario::{self, BehaviorRef, Remains, Scenario};
use crate::script::{Behavior, Library};
use crate::tokens::{CodeTokens, Language};

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
    // The fix of another error may be that of the head.
    let is_new = |head: &Diagnostic| {
        let mut fixes = known.iter().flat_map(Diagnostic::fixes);
        let place = head.place.as_ref();
        let is_it = |fix: Fix| {
            place.is_some_and(|head| {
                head.source.name == fix.place.source.name
                    && head.span.contains(&fix.place.span.start)
            })
        };
        !fixes.any(is_it)
    };
    for name in wrong {
        let (behavior, left_out) = match Behavior::compile_remains(name, scripts) {
            Ok(remains) => remains,
            Err(head) => {
                found.extend(head.filter(is_new));
                continue;
            }
        };
        found.extend(left_out.head_error().filter(is_new));
        let behavior = Arc::new(behavior);
        let of_group = |of: Option<&str>| (of == Some(name)).then(|| Arc::clone(&behavior));
        let behaviors: Behaviors = named.clone().map(of_group).collect();
        let checked = check_behaviors(scenario, &behaviors, &mentioned::mentions(&behaviors));
        let checked = checked.unwrap_or_default().into_iter();
        let checked = checked.filter_map(|finding| left_out.true_finding(finding));
        found.extend(checked.filter(|finding| !is_in_unsure_block(finding, known)));
    }
    found.retain(|finding| known.iter().all(|known| known.place != finding.place));
    found
}

/// Returns whether a finding about a value is in a block whose condition has another error: it may be what the condition is about.
fn is_in_unsure_block(finding: &Diagnostic, known: &[Diagnostic]) -> bool {
    let Some(place) = finding.place.as_ref().filter(|_| finding.code != Code::UnknownName) else {
        return false;
    };
    let code = CodeTokens::new(&place.source.text, Language::Rhai);
    let mut index = code.all.partition_point(|token| token.span.end <= place.span.start);
    while let Some(open) = code.opening_around(index) {
        let first = (0..open).rev().find(|&index| code.is_boundary(index)).map_or(0, |end| end + 1);
        let head = code.all[first].span.start..code.all[open].span.end;
        let is_in_head = |known: &Diagnostic| {
            let known = known.place.as_ref();
            known.is_some_and(|one| {
                one.source.name == place.source.name && head.contains(&one.span.start)
            })
        };
        let is_condition = matches!(code.get(first), "if" | "else" | "while" | "switch");
        if is_condition && code.get(open) == "{" && known.iter().any(is_in_head) {
            return true;
        }
        index = open;
    }
    false
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
