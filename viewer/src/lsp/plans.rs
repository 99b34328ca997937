//! Plans of experiments: the names of their scenarios in them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::experiment::Plan;
use flockwork_engine::load::{is_plan, real_path};
use flockwork_engine::schema::NameKind;
use flockwork_engine::tokens::ron_tree::{RonKind, RonTree};

use super::names::{Name, declared_kind, keys};
use super::project::Project;
use crate::plan_file::scenario_path;

/// Returns the names in a plan: those in paths to values, and the groups in names of measures.
pub(super) fn in_plan(source: &Arc<Source>) -> Vec<Name> {
    let mut all = Vec::new();
    let tree = RonTree::new(&source.text);
    let names = tree.words().filter(|word| word.is_key || word.node.kind() == RonKind::String);
    for name in names {
        let words: Vec<&str> = name.text.split('.').collect();
        let around = keys(name.node);
        let is_path = name.is_key && around.len() > 1 && around[0] == "vary";
        let mut start = name.inner.start;
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
    }
    all
}

impl Project {
    /// Returns the scenario that a plan is about, if both can be read.
    pub(super) fn scenario_of_plan(&self, path: &Path) -> Option<PathBuf> {
        let plan = Plan::parse(&self.read(path).ok()?).ok()?;
        Some(real_path(&scenario_path(path, &plan))).filter(|scenario| self.read(scenario).is_ok())
    }

    /// Returns the plans that are about a scenario.
    pub(super) fn plans_of(&self, scenario: &Path) -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> = self.files().map(Path::to_owned).collect();
        all.retain(|path| {
            is_plan(path) && self.scenario_of_plan(path).is_some_and(|of| of == scenario)
        });
        all
    }
}
