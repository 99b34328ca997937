//! Plans of experiments: the names of their scenarios in them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::Diagnostics;
use flockwork_engine::diag::{Place, Source};
use flockwork_engine::experiment::{Plan, Trials, Tune};
use flockwork_engine::load::{OpenFiles, PLAN_ENDING, ScriptsFolder, find, real_path};
use flockwork_engine::schema::NameKind;
use flockwork_engine::tokens::ron_parts::{self, PartKind};

use super::names::{Name, declared_kind, keys};
use super::project::{Project, SCENARIOS_FOLDER};

/// Returns whether a path is that of a plan.
pub(super) fn is_plan(path: &Path) -> bool {
    path.to_string_lossy().ends_with(PLAN_ENDING)
}

/// Returns the names in a plan: those in paths to values, and the groups in names of measures.
pub(super) fn in_plan(source: &Arc<Source>) -> Vec<Name> {
    let mut all = Vec::new();
    ron_parts::scan(&source.text, |frames, part| {
        if !matches!(part.kind, PartKind::Key | PartKind::Text) {
            return true;
        }
        let words: Vec<&str> = part.text.split('.').collect();
        let is_path = part.kind == PartKind::Key && keys(frames).first() == Some(&"vary");
        let mut start = part.inner.start;
        for (index, word) in words.iter().enumerate() {
            let kind = match index {
                _ if is_path => declared_kind(&words[..index]),
                // `birds.mean_speed`
                0 if words.len() == 2 => Some(NameKind::Group),
                _ => None,
            };
            let span = start..start + word.len();
            start = span.end + 1;
            all.extend(kind.map(|kind| Name {
                kind,
                text: (*word).to_owned(),
                place: Place { source: Arc::clone(source), span },
                is_declared: false,
                group: words.get(1).filter(|_| is_path && index > 1).map(|of| (*of).to_owned()),
                value: None,
            }));
        }
        true
    });
    all
}

/// Returns the scenario that a plan names.
fn scenario_path(path: &Path, plan: &Plan) -> PathBuf {
    real_path(&path.parent().unwrap_or(Path::new("")).join(&plan.scenario.0))
}

/// Returns what is wrong with a plan.
pub(super) fn check_plan(path: &Path, open: &Arc<OpenFiles>) -> Result<(), Diagnostics> {
    let plan = Plan::parse(&open.read(path)?)?;
    let scenario = scenario_path(path, &plan);
    let scripts = ScriptsFolder::of_scenario(&scenario).with_open(open);
    let source = open.read(&scenario)?;
    Trials::new(&plan, &source, &scripts)?;
    if plan.tune.is_some() {
        Tune::new(plan, &source, &scripts)?;
    }
    Ok(())
}

impl Project {
    /// Returns the scenario that a plan is about, if both can be read.
    pub(super) fn scenario_of_plan(&self, path: &Path) -> Option<PathBuf> {
        let plan = Plan::parse(&self.read(path).ok()?).ok()?;
        Some(scenario_path(path, &plan)).filter(|scenario| self.read(scenario).is_ok())
    }

    /// Returns the plans that are about a scenario.
    pub(super) fn plans_of(&self, scenario: &Path) -> Vec<PathBuf> {
        let folders = self.roots().iter().map(|root| root.join(SCENARIOS_FOLDER));
        let mut all: Vec<PathBuf> = self.open_files().paths().map(Path::to_owned).collect();
        for folder in folders.filter(|folder| folder.is_dir()) {
            let found = find(std::slice::from_ref(&folder)).map(|found| found.plans);
            all.extend(found.unwrap_or_default().iter().map(|path| real_path(path)));
        }
        all.sort();
        all.dedup();
        all.retain(|path| {
            is_plan(path) && self.scenario_of_plan(path).is_some_and(|of| of == scenario)
        });
        all
    }
}
