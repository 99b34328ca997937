//! Checks a scenario or a script before it runs.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::behaviors::check_behaviors;
use super::fields::sample_fields;
use super::start::{compile_each, compile_expectations, compile_measures};
use super::unused_functions::unused_functions;
use super::{first_turn, mentioned, names, remains, undeclared, unused};
use crate::diag::{Diagnostic, Diagnostics, Severity, Source};
use crate::expect::Expectation;
use crate::load::{OpenFiles, SCRIPT_EXTENSION, ScriptsFolder};
use crate::scenario::Scenario;
use crate::script::{
    Behavior, CompiledExpectation, CompiledField, CompiledMeasure, Library, Script,
};
use crate::trace::{MeasureNames, OwnMeasure};

/// The findings of a check, and the scripts that it depends on.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Checked {
    /// All findings, as of [`check`].
    pub findings: Diagnostics,
    /// The files of the scripts that it asked for. Some may not exist.
    pub scripts: BTreeSet<PathBuf>,
}

/// Returns all errors, warnings and notes that can be found before a scenario and its scripts run, or a single script
/// (a file that ends in `.rhai`). In scenarios of at most 200 agents, every agent takes its first turn. Findings that a comment in the file silences are left out
/// ([`Diagnostic::is_silenced`]).
///
/// A script without `steer`, `expect`, `measure` and `flow` is a collection of functions for other scripts. That is an error only if it is
/// the behavior of a group.
pub fn check(path: &Path) -> Diagnostics {
    check_open(path, &Arc::default()).findings
}

/// Does the same while files are open in an editor, and says which scripts the findings depend on.
pub fn check_open(path: &Path, open: &Arc<OpenFiles>) -> Checked {
    let asked = RefCell::default();
    let found = if path.extension() == Some(OsStr::new(SCRIPT_EXTENSION)) {
        check_script(path, open, &asked)
    } else {
        check_scenario(path, open, &asked)
    };
    let found = found.unwrap_or_else(Diagnostics::into_vec);
    // An expectation and a measure may have the same script.
    let findings = Diagnostics::unique(found.into_iter().filter(|one| !one.is_silenced()));
    Checked { findings, scripts: asked.into_inner() }
}

type CheckResult = Result<Vec<Diagnostic>, Diagnostics>;

/// Scripts that note which of them are read.
struct NotingScripts<'a> {
    folder: ScriptsFolder,
    asked: &'a RefCell<BTreeSet<PathBuf>>,
}

impl Library for NotingScripts<'_> {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        self.asked.borrow_mut().extend(self.folder.path_of(name));
        self.folder.read(name)
    }

    fn names(&self) -> Vec<String> {
        self.folder.names()
    }

    fn location(&self) -> Option<String> {
        self.folder.location()
    }
}

fn check_scenario(
    path: &Path,
    open: &Arc<OpenFiles>,
    asked: &RefCell<BTreeSet<PathBuf>>,
) -> CheckResult {
    let source = open.read(path)?;
    let folder = ScriptsFolder::of_open_scenario(path, open);
    let scripts = NotingScripts { folder, asked };
    let mut scenario = match Scenario::parse(&source) {
        Ok(scenario) => scenario,
        Err(errors) => {
            let more = remains::of_scenario(&source, &scripts);
            return Ok(errors.into_vec().into_iter().chain(more).collect());
        }
    };
    let mut found = std::mem::take(&mut scenario.warnings);
    if let Err(errors) = sample_fields(&mut scenario, &scripts) {
        found.extend(errors);
    }
    if let Err(errors) = compile_expectations(&mut scenario.expectations, &scripts) {
        found.extend(errors);
    }
    let measures = compile_measures(&scenario.measures, &scripts).unwrap_or_else(|errors| {
        found.extend(errors);
        Vec::new()
    });
    found.extend(unknown_measures(&scenario, &measures));
    let (behaviors, errors) = compile_each(&scenario.behaviors, &scripts, true);
    let mentions = mentioned::mentions(&behaviors);
    let checked = if errors.is_empty() {
        found.extend(mentioned::undone(&scenario, &mentions));
        let mut checked = check_behaviors(&scenario, &behaviors, &mentions)?;
        found.extend(unused::unused(&scenario, &behaviors, &mentions, &checked));
        let written = scenario.behaviors.iter().flatten().map(|behavior| &*behavior.name);
        found.extend(unused_functions(written, &scripts));
        let setup = scenario.setup.clone();
        let judging = first_turn::errors_of_scripts(&setup, &scenario.expectations, &measures);
        found.extend(judging?);
        if !found.iter().chain(&checked).any(is_error)
            && let Some(error) = first_turn::error(setup, &behaviors)
        {
            add_first_error(&mut checked, error);
        }
        checked
    } else {
        found.extend(names::explain_declared(errors.into_vec(), &scenario.setup));
        let mut checked = check_behaviors(&scenario, &behaviors, &mentions)?;
        checked.extend(remains::of_behaviors(&scenario, &behaviors, &scripts, &found));
        checked
    };
    found.extend(undeclared::with_fixes(checked, &source));
    Ok(found)
}

fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}

/// Adds the error of a first turn to findings: in place of a warning that it may fail there, which says more about the cause.
fn add_first_error(checked: &mut Vec<Diagnostic>, mut error: Diagnostic) {
    let warned = checked.iter().position(|one| one.place == error.place);
    if let Some(warning) = warned.map(|index| checked.remove(index))
        && !warning.code.is_about_speed()
        && warning.message != error.message
    {
        error.remedies = warning.remedies;
        error.help.truncate(1);
        error.help.extend(warning.help);
    }
    checked.insert(0, error);
}

/// Returns the errors of expectations that compare measures between versions, and name measures that do not exist.
fn unknown_measures(scenario: &Scenario, own: &[OwnMeasure]) -> Vec<Diagnostic> {
    let known = MeasureNames::from_setup(&scenario.setup).with_own(own);
    let error = |one: &Expectation| {
        let name = one.compared_versions()?.measure;
        // It may say when the measure is read: `throughput@60`.
        let error = known.find(name.split('@').next().unwrap_or(name)).err()?;
        Some(error.at(&one.place.source, one.place.span.clone()))
    };
    scenario.expectations.iter().filter_map(error).collect()
}

fn check_script(
    path: &Path,
    open: &Arc<OpenFiles>,
    asked: &RefCell<BTreeSet<PathBuf>>,
) -> CheckResult {
    // Read by its path first, so that a missing file gets its own message.
    open.read(path)?;
    let (folder, name) = ScriptsFolder::of_open_script(path, open)?;
    let scripts = NotingScripts { folder, asked };
    let script = Script::compile(&name, &scripts)?;
    let unused = unused_functions([name.as_str()], &scripts);
    if script.defines("steer") {
        let behavior = Behavior::new(script)?;
        return Ok(behavior.findings_anywhere().into_iter().chain(unused).collect());
    } else if script.defines("expect") {
        CompiledExpectation::new(script)?;
    } else if script.defines("measure") {
        CompiledMeasure::new(script)?;
    } else if script.defines("flow") {
        CompiledField::new(script)?;
    }
    Ok(unused)
}
