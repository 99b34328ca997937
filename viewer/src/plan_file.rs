//! Plan files: the names in them, their errors, and the places of their results.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::experiment::{Plan, Sweep, Tune};
use flockwork_engine::load::{OpenFiles, PLAN_ENDING, ScriptsFolder, is_plan, real_path};
use flockwork_engine::runner::{Checked, check_open};
use flockwork_engine::{Diagnostic, Diagnostics};

/// A plan with its scenario.
pub(crate) struct PlanFile {
    pub(crate) plan: Plan,
    /// The path of the scenario.
    pub(crate) scenario: PathBuf,
    pub(crate) source: Arc<Source>,
}

impl PlanFile {
    /// Reads a plan, and the scenario that it names.
    pub(crate) fn read(path: &Path) -> Result<Self, Diagnostics> {
        Self::read_open(path, &OpenFiles::default())
    }

    /// Reads them as they are in an editor, if they are open there.
    fn read_open(path: &Path, open: &OpenFiles) -> Result<Self, Diagnostics> {
        let plan = parse_open(path, open)?;
        let scenario = scenario_path(path, &plan);
        let at = |error: Diagnostic| {
            let place = &plan.scenario.1;
            error.at(&place.source, place.span.clone())
        };
        // Errors show lines of the file, which may be anything.
        if scenario.extension().is_none_or(|extension| extension != "ron") {
            return Err(at(Diagnostic::error("a scenario is a file that ends in .ron")).into());
        }
        let source = open.read(&scenario).map_err(at)?;
        Ok(Self { plan, scenario, source })
    }
}

/// Returns the path of the scenario that a plan names.
pub(crate) fn scenario_path(path: &Path, plan: &Plan) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(&plan.scenario.0)
}

/// Checks a plan and the scenario that it names, as `flockwork tune` does if the plan has a `tune`, else as `flockwork sweep` does.
///
/// # Errors
///
/// All errors in them.
pub(crate) fn check(path: &Path, open: &Arc<OpenFiles>) -> Result<(), Diagnostics> {
    let PlanFile { plan, scenario, source } = PlanFile::read_open(path, open)?;
    let scripts = ScriptsFolder::of_scenario(&scenario).with_open(open);
    match plan.tune {
        Some(_) => Tune::new(plan, &source, &scripts).map(|_| ()),
        None => Sweep::new(plan, &source, &scripts).map(|_| ()),
    }
}

/// Does the same for an editor, and says which files the errors depend on.
pub(crate) fn checked(path: &Path, open: &Arc<OpenFiles>) -> Checked {
    let mut checked = Checked::default();
    if let Ok(PlanFile { scenario, .. }) = PlanFile::read_open(path, open) {
        checked.scripts = check_open(&scenario, open).scripts;
        checked.scripts.insert(real_path(&scenario));
    } else if let Ok(plan) = parse_open(path, open) {
        checked.scripts.insert(real_path(&scenario_path(path, &plan)));
    }
    checked.findings = check(path, open).err().unwrap_or_default();
    checked
}

/// Reads a plan.
///
/// # Errors
///
/// All errors in it.
pub(crate) fn parse(path: &Path) -> Result<Plan, Diagnostics> {
    parse_open(path, &OpenFiles::default())
}

fn parse_open(path: &Path, open: &OpenFiles) -> Result<Plan, Diagnostics> {
    let read = Plan::parse(&open.read(path)?);
    if is_plan(path) {
        return read;
    }
    let help = "plans are files that end in .plan.ron: is this another file?";
    read.map_err(|errors| errors.into_iter().map(|error| error.help(help)).collect())
}

/// Returns the folder for the results of a plan: NAME.ENDING beside it.
pub(crate) fn folder(plan: &Path, ending: &str) -> PathBuf {
    let name = plan.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(PLAN_ENDING).or(name.strip_suffix(".ron")).unwrap_or(&name);
    plan.with_file_name(format!("{name}.{ending}"))
}
