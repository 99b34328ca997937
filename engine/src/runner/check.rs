//! Finding what is wrong without running it.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use super::{compile, compile_verdicts, names};
use crate::diag::Diagnostic;
use crate::load::{self, SCRIPT_ENDING, ScriptsFolder};
use crate::scenario::Scenario;
use crate::script::{Behavior, Script, Verdict};
use crate::sim::{Setup, Simulation};
use crate::world::GroupId;

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
    let scenario = Scenario::parse(&source)?;
    let scripts = ScriptsFolder::of_scenario(path);
    let mut found = scenario.warnings;
    if let Err(errors) = compile_verdicts(&scenario.expectations, &scripts) {
        found.extend(errors);
    }
    match compile(&scenario.behaviors, &scripts, false) {
        Err(errors) => found.extend(names::declared(errors, &scenario.setup)),
        Ok(behaviors) => found.extend(in_world(scenario.setup, &behaviors)?),
    }
    Ok(found)
}

/// What is wrong with behaviors in the world that they are for.
fn in_world(setup: Setup, behaviors: &[Option<Arc<Behavior>>]) -> Found {
    let brains = behaviors.iter().map(|_| super::brain(None)).collect();
    let simulation = Simulation::new(setup, brains).map_err(|fault| vec![fault.diagnostic()])?;
    let mut found = Vec::new();
    for (group, behavior) in behaviors.iter().enumerate() {
        let Some(behavior) = behavior else {
            continue;
        };
        for finding in behavior.findings(simulation.world(), GroupId(group as u16)) {
            if !found.contains(&finding) {
                found.push(finding);
            }
        }
    }
    Ok(found)
}

fn check_script(path: &Path) -> Found {
    // First by its path, so that a missing file is told as such.
    load::read(path).map_err(|error| vec![error])?;
    let (scripts, name) = ScriptsFolder::of_script(path).map_err(|error| vec![error])?;
    let script = Script::compile(&name, &scripts)?;
    if script.defines("steer") {
        Behavior::new(script).map_err(|error| vec![error])?;
    } else if script.defines("expect") {
        Verdict::new(script)?;
    }
    Ok(Vec::new())
}
