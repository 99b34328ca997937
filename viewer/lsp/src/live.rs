//! Live values: what worlds of the project share about their selected agents, in hover and at the ends of lines.
//!
//! Lines that differ from what the window runs have no values. Where the values come from is the caller's matter.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::load::read;
use flockwork_engine::world::AgentId;
use lsp_types::{
    Hover, HoverContents, InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip,
    TextDocumentPositionParams,
};

use super::docs;
use super::line_values::{LineValues, line_values};
use super::project::{Project, file};
use super::shared_values::{SharedFile, SharedValue, SharedValues};
use super::unchanged_lines::UnchangedLines;

/// The live values of all projects: of each world of a project in which an agent is selected. A clone has the same values, so another thread can
/// set them.
#[derive(Clone, Debug, Default)]
pub struct LiveValues(Arc<Mutex<BTreeMap<PathBuf, Vec<Arc<SharedValues>>>>>);

impl LiveValues {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Vec<Arc<SharedValues>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the values of the worlds of the project in a folder: a script that several of them run has those of the first one. Returns
    /// whether they have changed.
    pub fn set(&self, project: &Path, worlds: Vec<SharedValues>) -> bool {
        let mut all = self.lock();
        let worlds: Vec<_> = worlds.into_iter().map(Arc::new).collect();
        let old = all.insert(project.to_owned(), worlds).unwrap_or_default();
        Some(&old) != all.get(project)
    }

    /// Adds the current value to the hover text of a name.
    pub(super) fn hover(
        &self,
        project: &Project,
        at: &TextDocumentPositionParams,
        known: Option<Hover>,
    ) -> Option<Hover> {
        let live = || -> Option<Hover> {
            let path = file(&at.text_document.uri)?;
            let (source, offset) = project.offset(&path, at.position)?;
            let of = self.values_in(&path, &source)?;
            let mut here = of.values.iter().filter(|one| !one.is_condition);
            let value = here.find(|one| (one.start..=one.end).contains(&offset))?;
            let text = format!("now: `{}` {}", value.in_words(), of.when());
            let range = project.range(&Place { source, span: value.start..value.end });
            let contents = HoverContents::Markup(docs::markup(text));
            Some(Hover { contents, range: Some(range) })
        };
        match (known, live()) {
            (Some(mut known), Some(live)) => {
                if let (HoverContents::Markup(text), HoverContents::Markup(now)) =
                    (&mut known.contents, live.contents)
                {
                    text.value = format!("{}\n\n---\n\n{}", now.value, text.value);
                }
                Some(known)
            }
            (known, live) => known.or(live),
        }
    }

    /// Returns the values behind the lines of a script.
    pub(super) fn hints(&self, project: &Project, params: &InlayHintParams) -> Vec<InlayHint> {
        let known = || {
            let path = file(&params.text_document.uri)?;
            let source = project.read(&path).ok()?;
            let of = self.values_in(&path, &source)?;
            Some((source, of))
        };
        let Some((source, of)) = known() else { return Vec::new() };
        let changed = of.end_of_changed.map(|end| {
            let path = file(&params.text_document.uri);
            let saved = path.and_then(|path| read(&path).ok());
            let is_saved = saved.is_none_or(|saved| saved.text == source.text);
            (end, if is_saved { CHANGED } else { UNSAVED })
        });
        let hint = |end: usize, words: String, tooltip: String| {
            let position =
                project.range(&Place { source: Arc::clone(&source), span: end..end }).start;
            let is_inside = (params.range.start..=params.range.end).contains(&position);
            is_inside.then(|| InlayHint {
                position,
                label: InlayHintLabel::String(words),
                kind: None,
                text_edits: None,
                tooltip: Some(InlayHintTooltip::String(tooltip)),
                padding_left: Some(true),
                padding_right: None,
                data: None,
            })
        };
        let changed = changed.map(|(end, words)| hint(end, words.into(), CHANGED_TIP.into()));
        let behind_line = |LineValues { end, words, whole, width, .. }: LineValues| {
            let when = format!("now, {}", of.when());
            let tooltip = whole.map_or_else(|| when.clone(), |whole| format!("{whole}\n{when}"));
            hint(end, format!("{words:width$}"), tooltip)
        };
        let lines = line_values(&source.text, &of.values, of.of.columns);
        lines.into_iter().map(behind_line).chain(changed).flatten().collect()
    }

    /// Returns the agent with a script that is selected in a world of the project, and the shown tick.
    pub(super) fn selected(&self, script: &Path) -> Option<(AgentId, u64)> {
        let all = self.lock();
        let of =
            all.values().flatten().find(|of| of.files.iter().any(|file| file.path == script))?;
        Some((of.agent, of.tick))
    }

    /// Returns the values in a file, if a window runs it.
    fn values_in(&self, path: &Path, source: &Source) -> Option<ValuesHere> {
        let all: Vec<_> = self.lock().values().flatten().cloned().collect();
        all.into_iter().find_map(|of| {
            let file = of.files.iter().find(|file| file.path == path)?;
            Some(ValuesHere::new(file, &source.text, Arc::clone(&of)))
        })
    }
}

/// What stands behind the first line that a world does not run as it is.
const CHANGED: &str = "the world shows a run without this";
const UNSAVED: &str = "not saved, so the world runs without this";
const CHANGED_TIP: &str = "At this tick, the world ran the file without this change. It runs the file from the tick on at which it is saved without errors.";

/// Returns the values of a script in the lines of a text that are the same in it.
fn in_text(file: &SharedFile, text: &str, unchanged: &UnchangedLines) -> Vec<SharedValue> {
    let moved = |value: &SharedValue| {
        let (start, end) = (unchanged.moved(value.start)?, unchanged.moved(value.end)?);
        // Another program may have sent anything.
        let is_same =
            start < end && text.get(start..end)? == file.text.get(value.start..value.end)?;
        is_same.then(|| SharedValue { start, end, ..value.clone() })
    };
    file.values.iter().filter_map(moved).collect()
}

/// The values in one file.
struct ValuesHere {
    values: Vec<SharedValue>,
    /// Where the first line ends that the world does not run as it is.
    end_of_changed: Option<usize>,
    /// What they belong to.
    of: Arc<SharedValues>,
}

impl ValuesHere {
    fn new(file: &SharedFile, text: &str, of: Arc<SharedValues>) -> Self {
        let unchanged = UnchangedLines::new(&file.text, text);
        let values = in_text(file, text, &unchanged);
        Self { values, end_of_changed: unchanged.end_of_first_changed(text), of }
    }

    /// Returns whose values they are.
    fn when(&self) -> String {
        let SharedValues { group, agent, tick, .. } = &*self.of;
        format!("for `{group}` {agent} at tick {tick}")
    }
}
