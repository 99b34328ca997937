//! Finding what is wrong without running it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use super::{compile, compile_verdicts, names, unused};
use crate::diag::{Code, Diagnostic, Place};
use crate::load::{self, SCRIPT_ENDING, ScriptsFolder};
use crate::scenario::Scenario;
use crate::script::{Behavior, Script, Verdict};
use crate::sim::{Action, Event, Setup, Simulation};
use crate::world::{AfterGoals, GroupId};

/// Everything that can be found wrong with a scenario and its scripts, or with a script (a file that
/// ends in `.rhai`), without running it: errors, warnings and notes, without those that a comment in the
/// file silences ([`Diagnostic::is_silenced`]).
///
/// A script with neither `steer` nor `expect` is a collection of functions for other scripts, and right as
/// such; as the behavior of a group it is wrong.
pub fn check(path: &Path) -> Vec<Diagnostic> {
    let found = if path.extension() == Some(OsStr::new(SCRIPT_ENDING)) {
        check_script(path)
    } else {
        check_scenario(path)
    };
    let mut found = found.unwrap_or_else(|errors| errors);
    found.retain(|one| !one.is_silenced());
    found
}

type Found = Result<Vec<Diagnostic>, Vec<Diagnostic>>;

fn check_scenario(path: &Path) -> Found {
    let source = load::read(path).map_err(|error| vec![error])?;
    let mut scenario = Scenario::parse(&source)?;
    let scripts = ScriptsFolder::of_scenario(path);
    let mut found = std::mem::take(&mut scenario.warnings);
    if let Err(errors) = compile_verdicts(&scenario.expectations, &scripts) {
        found.extend(errors);
    }
    match compile(&scenario.behaviors, &scripts, false) {
        Err(errors) => found.extend(names::declared(errors, &scenario.setup)),
        Ok(behaviors) => {
            found.extend(unused::unused(&scenario, &behaviors));
            found.extend(in_world(scenario.setup, &scenario.declared, &behaviors)?);
        }
    }
    Ok(found)
}

/// What is wrong with behaviors in the world that they are for.
fn in_world(
    setup: Setup,
    declared: &[BTreeMap<Arc<str>, Place>],
    behaviors: &[Option<Arc<Behavior>>],
) -> Found {
    let brains = behaviors.iter().map(|_| super::brain(None)).collect();
    let count = setup.groups.len() as u16;
    let lasting: Vec<Vec<bool>> = (0..count)
        .map(|own| {
            (0..count)
                .map(|of| is_lasting(&setup, GroupId(own), GroupId(of)))
                .collect()
        })
        .collect();
    let simulation = Simulation::new(setup, brains).map_err(|fault| vec![fault.diagnostic()])?;
    let mut found = Vec::new();
    for ((group, behavior), lasting) in behaviors.iter().enumerate().zip(lasting) {
        let Some(behavior) = behavior else {
            continue;
        };
        let findings = behavior.findings(simulation.world(), GroupId(group as u16), lasting);
        for finding in findings {
            let finding = with_declarations(finding, &declared[group]);
            if !found.contains(&finding) {
                found.push(finding);
            }
        }
    }
    Ok(found)
}

/// An error with the declarations of the params that its line reads: one of them may be at fault.
fn with_declarations(mut error: Diagnostic, declared: &BTreeMap<Arc<str>, Place>) -> Diagnostic {
    let is_about_values = matches!(
        error.code,
        Code::WrongType | Code::WrongArguments | Code::OutOfRange
    );
    let Some(place) = error.place.clone().filter(|_| is_about_values) else {
        return error;
    };
    let (line, _) = place.source.line_column(place.span.start);
    let line = place.source.text.lines().nth(line - 1).unwrap_or_default();
    let params = line.split("params.").skip(1);
    for param in params {
        let end = param.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let param = &param[..end.unwrap_or(param.len())];
        if let Some(place) = declared.get(param) {
            error = error.related(place.clone(), format!("`{param}` is declared here"));
        }
    }
    error
}

/// Whether an agent of one group always finds another agent in a group: there are enough at the start, and
/// nothing removes any.
fn is_lasting(setup: &Setup, own: GroupId, of: GroupId) -> bool {
    let (group, spawn) = &setup.groups[of.0 as usize];
    let is_removed =
        |event: &Event| matches!(event.action, Action::Remove { group, .. } if group == of);
    let least = if own == of { 2 } else { 1 };
    setup.start.is_none()
        && spawn.count >= least
        && group.after_goals != AfterGoals::Remove
        && !setup.events.iter().any(is_removed)
}

fn check_script(path: &Path) -> Found {
    // First by its path, so that a missing file is told as such.
    load::read(path).map_err(|error| vec![error])?;
    let (scripts, name) = ScriptsFolder::of_script(path).map_err(|error| vec![error])?;
    let script = Script::compile(&name, &scripts)?;
    if script.defines("steer") {
        let behavior = Behavior::new(script).map_err(|error| vec![error])?;
        return Ok(behavior.findings_anywhere());
    } else if script.defines("expect") {
        Verdict::new(script)?;
    }
    Ok(Vec::new())
}
