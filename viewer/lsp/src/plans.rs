//! Plans of experiments: the names of their scenarios in them.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::load::{is_plan, real_path};
use flockwork_engine::scenario::path_of_short_name;
use flockwork_engine::schema::NameKind;
use flockwork_engine::tokens::ron_tree::{RonKind, RonTree};

use super::names::{Name, declared_kind, keys};
use super::plan_file;
use super::project::Project;

/// Returns the names in a plan: those in paths to values, and the groups in names of measures.
pub(super) fn in_plan(source: &Arc<Source>) -> Vec<Name> {
    let mut all = Vec::new();
    let tree = RonTree::new(&source.text);
    let varied: Vec<&str> = tree
        .words()
        .filter(|word| word.is_key && word.node.parent().map(keys).is_some_and(|of| of == ["vary"]))
        .map(|word| word.text)
        .collect();
    let names = tree.words().filter(|word| word.is_key || word.node.kind() == RonKind::String);
    for name in names {
        let around = keys(name.node);
        let is_path = match around[..] {
            ["vary", _, ..] => name.is_key,
            ["labels", _] => name.is_key && varied.contains(&name.text),
            _ => false,
        };
        // A measure may say when it is read: `birds.mean_speed@60`.
        let text = name.text.split('@').next().unwrap_or_default();
        if let Some(parts) = measure_of_state(text).filter(|_| !is_path) {
            let start = name.inner.start;
            all.extend(parts.into_iter().map(|(kind, span)| Name {
                kind,
                text: text[span.clone()].to_owned(),
                place: Place {
                    source: Arc::clone(source),
                    span: start + span.start..start + span.end,
                },
                is_declared: false,
                group: None,
                value: None,
                comment: None,
            }));
            continue;
        }
        let words: Vec<&str> = text.split('.').collect();
        let path = path_of_short_name(text).unwrap_or_else(|| text.to_owned());
        let whole: Vec<&str> = path.split('.').collect();
        let mut start = name.inner.start;
        let mut place = 0;
        for (index, word) in words.iter().enumerate() {
            // A short name leaves words of the path out.
            place += whole[place..].iter().position(|of| of == word).unwrap_or_default();
            let before = &whole[..place];
            let kind = match index {
                _ if is_path => declared_kind(before),
                // `birds.mean_speed`
                0 if words.len() == 2 => Some(NameKind::Group),
                _ => None,
            };
            let span = start..start + word.len();
            start = span.end + 1;
            let group = whole.get(1).filter(|_| is_path && place > 1);
            all.extend(kind.map(|kind| Name {
                kind,
                text: (*word).to_owned(),
                place: Place { source: Arc::clone(source), span },
                is_declared: false,
                group: group.map(|of| (*of).to_owned()),
                value: None,
                comment: None,
            }));
            place += 1;
        }
    }
    all
}

/// Returns the names in the name of a measure of a public state, such as `sheep.state.fear.mean`, and the bytes of each.
fn measure_of_state(text: &str) -> Option<Vec<(NameKind, Range<usize>)>> {
    const WORD: &str = "state.";
    let at = text.find(WORD).filter(|at| *at == 0 || text[..*at].ends_with('.'))?;
    let start = at + WORD.len();
    let end = text[start..].find('.').map_or(text.len(), |end| start + end);
    let group = at.checked_sub(1).filter(|_| !text.starts_with("agent."));
    let group = group.map(|end| (NameKind::Group, 0..end));
    Some(group.into_iter().chain([(NameKind::State, start..end)]).collect())
}

impl Project {
    /// Returns the scenario that a plan is about, if both can be read.
    pub(super) fn scenario_of_plan(&self, path: &Path) -> Option<PathBuf> {
        let scenario = plan_file::scenario_of(path, self.open_files())?;
        Some(real_path(&scenario)).filter(|scenario| self.read(scenario).is_ok())
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
