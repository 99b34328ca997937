//! The files of plans: reading them with their scenarios, checking both, and the places of their results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diag::{Diagnostic, Diagnostics, Place, Source};
use crate::experiment::{Plan, Points, Sweep, Tune};
use crate::load::{OpenFiles, PLAN_ENDING, ScriptsFolder, is_plan, real_path};
use crate::runner::{self, Checked};

/// A plan with its scenario.
#[derive(Debug)]
pub struct PlanFile {
    /// The plan.
    pub plan: Plan,
    /// The path of the scenario.
    pub scenario: PathBuf,
    /// The text of the scenario.
    pub source: Arc<Source>,
}

impl PlanFile {
    /// Reads a plan, and the scenario that it names.
    ///
    /// # Errors
    ///
    /// All errors in the plan, or that the scenario cannot be read.
    pub fn read(path: &Path) -> Result<Self, Diagnostics> {
        Self::read_open(path, &OpenFiles::default())
    }

    /// Reads them as they are in an editor, if they are open there.
    ///
    /// # Errors
    ///
    /// As [`PlanFile::read`].
    pub fn read_open(path: &Path, open: &OpenFiles) -> Result<Self, Diagnostics> {
        let mut plan = parse_open(path, open)?;
        plan.tables = read_tables(path, &plan, open)?;
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
fn scenario_path(path: &Path, plan: &Plan) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(&plan.scenario.0)
}

/// Returns the path of the scenario that a plan names, if the plan can be read. Open files are read as they are in the editor.
pub fn scenario_of(path: &Path, open: &OpenFiles) -> Option<PathBuf> {
    let plan = Plan::parse(&open.read(path).ok()?).ok()?;
    Some(scenario_path(path, &plan))
}

/// Returns the paths of the tables that the goals of a plan name, as they are written and as they are found.
fn table_paths<'p>(
    path: &Path,
    plan: &'p Plan,
) -> impl Iterator<Item = (&'p str, &'p Place, PathBuf)> {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let goals = plan.tune.iter().flat_map(|tune| &tune.goals);
    goals
        .flat_map(|(goal, _)| goal.tables())
        .map(move |(file, place)| (file, place, folder.join(file)))
}

/// Reads the tables that the goals of a plan name.
fn read_tables(
    path: &Path,
    plan: &Plan,
    open: &OpenFiles,
) -> Result<BTreeMap<String, Arc<Source>>, Diagnostics> {
    let mut tables = BTreeMap::new();
    for (file, place, found) in table_paths(path, plan) {
        let at = |error: Diagnostic| error.at(&place.source, place.span.clone());
        // Errors show lines of the file, which may be anything.
        if found.extension().is_none_or(|extension| extension != "csv") {
            return Err(at(Diagnostic::error("a table is a file that ends in .csv")).into());
        }
        tables.insert(file.to_owned(), open.read(&found).map_err(at)?);
    }
    Ok(tables)
}

/// Checks a plan and the scenario that it names, as `flockwork sweep` and `flockwork tune` do, if the plan is one for them.
///
/// # Errors
///
/// All errors in them.
pub fn check(path: &Path, open: &Arc<OpenFiles>) -> Result<(), Diagnostics> {
    let PlanFile { plan, scenario, source } = PlanFile::read_open(path, open)?;
    let scripts = ScriptsFolder::of_open_scenario(&scenario, open);
    // A tune needs no single values, which a grid does.
    let is_endless = plan.variations().iter().any(|of| of.count().is_none());
    let is_sweep = plan.tune.is_none() || plan.sweep.points != Points::Grid || !is_endless;
    if plan.tune.is_some() {
        Tune::new(plan.clone(), &source, &scripts)?;
    }
    if is_sweep {
        Sweep::new(plan, &source, &scripts)?;
    }
    Ok(())
}

/// Does the same while files are open in an editor, and says which files the errors depend on.
pub fn check_open(path: &Path, open: &Arc<OpenFiles>) -> Checked {
    let mut checked = Checked::default();
    if let Ok(PlanFile { scenario, .. }) = PlanFile::read_open(path, open) {
        checked.scripts = runner::check_open(&scenario, open).scripts;
        checked.scripts.insert(real_path(&scenario));
    } else if let Ok(plan) = parse_open(path, open) {
        checked.scripts.insert(real_path(&scenario_path(path, &plan)));
    }
    if let Ok(plan) = parse_open(path, open) {
        let tables = table_paths(path, &plan).map(|(.., table)| real_path(&table));
        checked.scripts.extend(tables);
    }
    checked.findings = check(path, open).err().unwrap_or_default();
    checked
}

/// Reads a plan.
///
/// # Errors
///
/// All errors in it.
pub fn parse(path: &Path) -> Result<Plan, Diagnostics> {
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
pub fn folder(plan: &Path, ending: &str) -> PathBuf {
    let name = plan.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(PLAN_ENDING).or(name.strip_suffix(".ron")).unwrap_or(&name);
    plan.with_file_name(format!("{name}.{ending}"))
}
