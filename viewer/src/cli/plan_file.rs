//! Plan files: what they name, and where their results are.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::Diagnostics;
use flockwork_engine::diag::Source;
use flockwork_engine::experiment::{Plan, Sweep, Tune};
use flockwork_engine::load::{self, PLAN_ENDING, ScriptsFolder};

/// A plan with its scenario.
pub(super) struct PlanFile {
    pub(super) plan: Plan,
    /// The path of the scenario.
    pub(super) scenario: PathBuf,
    pub(super) source: Arc<Source>,
}

impl PlanFile {
    /// Reads a plan, and the scenario that it names.
    pub(super) fn read(path: &Path) -> Result<Self, Diagnostics> {
        let plan = parse(path)?;
        let (name, place) = &plan.scenario;
        let scenario = path.parent().unwrap_or(Path::new("")).join(name);
        let source =
            load::read(&scenario).map_err(|error| error.at(&place.source, place.span.clone()))?;
        Ok(Self { plan, scenario, source })
    }
}

/// Checks a plan and the scenario that it names, as `flockwork tune` does if the plan has a `tune`, else as `flockwork sweep` does.
///
/// # Errors
///
/// All errors in them.
pub(super) fn check(path: &Path) -> Result<(), Diagnostics> {
    let PlanFile { plan, scenario, source } = PlanFile::read(path)?;
    let scripts = ScriptsFolder::of_scenario(&scenario);
    match plan.tune {
        Some(_) => Tune::new(plan, &source, &scripts).map(|_| ()),
        None => Sweep::new(plan, &source, &scripts).map(|_| ()),
    }
}

/// Reads a plan.
///
/// # Errors
///
/// All errors in it.
pub(super) fn parse(path: &Path) -> Result<Plan, Diagnostics> {
    let read = Plan::parse(&load::read(path)?);
    if path.to_string_lossy().ends_with(PLAN_ENDING) {
        return read;
    }
    let help = "plans are files that end in .plan.ron: is this another file?";
    read.map_err(|errors| errors.into_iter().map(|error| error.help(help)).collect())
}

/// Returns the folder for the results of a plan: NAME.ENDING beside it.
pub(super) fn folder(plan: &Path, ending: &str) -> PathBuf {
    let name = plan.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(PLAN_ENDING).or(name.strip_suffix(".ron")).unwrap_or(&name);
    plan.with_file_name(format!("{name}.{ending}"))
}
