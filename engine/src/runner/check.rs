//! Finding what is wrong without running it.

use std::ffi::OsStr;
use std::path::Path;

use super::compile;
use crate::diag::Diagnostic;
use crate::load::{self, SCRIPT_ENDING, ScriptsFolder};
use crate::scenario::Scenario;
use crate::script::{Behavior, Script};

/// Everything that can be found wrong with a scenario and its behaviors, or with a script (a file that
/// ends in `.rhai`), without running it: errors and warnings.
///
/// A script without `steer` is a collection of functions for other scripts, and right as such; as the
/// behavior of a group it is wrong.
pub fn check(path: &Path) -> Vec<Diagnostic> {
    let found = if path.extension() == Some(OsStr::new(SCRIPT_ENDING)) {
        check_script(path)
    } else {
        check_scenario(path)
    };
    found.unwrap_or_else(|errors| errors)
}

type Found = Result<Vec<Diagnostic>, Vec<Diagnostic>>;

fn check_scenario(path: &Path) -> Found {
    let source = load::read(path).map_err(|error| vec![error])?;
    let scenario = Scenario::parse(&source)?;
    let mut found = scenario.warnings;
    if let Err(errors) = compile(
        &scenario.behaviors,
        &ScriptsFolder::of_scenario(path),
        false,
    ) {
        found.extend(errors);
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
    }
    Ok(Vec::new())
}
