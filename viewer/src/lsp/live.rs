//! Live values: what a window of the project shares about the selected agent, in hover and at the ends of lines.
//!
//! A thread for each project looks for a window and keeps what it says last. Values are shown only in the text that the window
//! runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::Sender;
use flockwork_engine::diag::{Place, Source};
use lsp_server::{Connection, Message};
use lsp_types::{
    ClientCapabilities, Hover, HoverContents, InlayHint, InlayHintLabel, InlayHintParams,
    TextDocumentPositionParams,
};

use super::docs;
use super::project::{Project, file};
use super::rhai_text::Tokens;
use crate::sharing::{SharedValue, SharedValues, text_hash};

/// Maximum number of values at the end of a line.
const MAX_IN_LINE: usize = 3;
/// Maximum number of characters of a value at the end of a line.
const MAX_HINT: usize = 60;

/// Values that windows share, and the channel to the editor.
#[derive(Default)]
struct Shared {
    /// The values by the folder of the project.
    values: BTreeMap<PathBuf, Arc<SharedValues>>,
    /// `None` once the editor has left.
    editor: Option<Sender<Message>>,
    #[cfg(unix)]
    requests: u64,
    #[cfg(unix)]
    can_refresh: bool,
    #[cfg(unix)]
    can_show: bool,
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The live values of all projects.
pub(super) struct LiveValues {
    shared: Arc<Mutex<Shared>>,
    followed: BTreeSet<PathBuf>,
}

impl Drop for LiveValues {
    fn drop(&mut self) {
        // The thread that writes to the editor ends when nobody can send any more.
        lock(&self.shared).editor = None;
    }
}

impl LiveValues {
    pub(super) fn new(connection: &Connection, client: &ClientCapabilities) -> Self {
        let editor = Some(connection.sender.clone());
        let mut shared = Shared { editor, ..Shared::default() };
        #[cfg(unix)]
        {
            let hints = client.workspace.as_ref().and_then(|of| of.inlay_hint.as_ref());
            shared.can_refresh = hints.and_then(|of| of.refresh_support) == Some(true);
            let show = client.window.as_ref().and_then(|of| of.show_document.as_ref());
            shared.can_show = show.is_some_and(|of| of.support);
        }
        #[cfg(not(unix))]
        let _ = (client, &mut shared);
        Self { shared: Arc::new(Mutex::new(shared)), followed: BTreeSet::new() }
    }

    /// Looks for windows of projects from now on.
    pub(super) fn follow(&mut self, projects: &BTreeSet<PathBuf>) {
        for project in projects {
            if self.followed.insert(project.clone()) {
                #[cfg(unix)]
                follow::start(project.clone(), Arc::clone(&self.shared));
            }
        }
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
            let value = of.here().find(|one| (one.start..=one.end).contains(&offset))?;
            let text = format!("now: `{}` {}", in_words(value), of.when());
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

    /// Returns the values at the ends of lines: those that variables get in a line, otherwise the results of its calls, without those
    /// that are arguments of others.
    pub(super) fn hints(&self, project: &Project, params: &InlayHintParams) -> Vec<InlayHint> {
        let known = || {
            let path = file(&params.text_document.uri)?;
            let source = project.read(&path).ok()?;
            let of = self.values_in(&path, &source)?;
            Some((source, of))
        };
        let Some((source, of)) = known() else { return Vec::new() };
        let text = &source.text;
        let tokens = Tokens::new(text);
        let mut lines: BTreeMap<usize, Vec<&SharedValue>> = BTreeMap::new();
        for value in of.here() {
            let end = text[value.end..].find('\n').map_or(text.len(), |end| value.end + end);
            lines.entry(end).or_default().push(value);
        }
        let hint = |(end, mut values): (usize, Vec<&SharedValue>)| {
            values.sort_by_key(|value| value.start);
            let is_argument = |value: &SharedValue| {
                let around = tokens.call_around(value.start);
                let around = around.map(|(name, _)| tokens.all[name].span.start);
                values.iter().any(|other| Some(other.start) == around)
            };
            let is_call = |value: &&&SharedValue| {
                text[value.end..].trim_start().starts_with('(') && !is_argument(value)
            };
            let mut shown: Vec<_> = values.iter().filter(|value| value.is_variable).collect();
            if shown.is_empty() {
                shown = values.iter().filter(is_call).collect();
            }
            let named = |value: &&&SharedValue| {
                let words: String = match in_words(value) {
                    words if words.chars().count() <= MAX_HINT => words,
                    words => words.chars().take(MAX_HINT).chain(['…']).collect(),
                };
                format!("{} = {words}", &text[value.start..value.end])
            };
            let mut words: Vec<String> = shown.iter().take(MAX_IN_LINE).map(named).collect();
            if shown.len() > MAX_IN_LINE {
                words.push("…".to_owned());
            }
            let end = text[..end].trim_end_matches('\r').len();
            let position =
                project.range(&Place { source: Arc::clone(&source), span: end..end }).start;
            let is_inside = (params.range.start..=params.range.end).contains(&position);
            (is_inside && !words.is_empty()).then(|| InlayHint {
                position,
                label: InlayHintLabel::String(words.join(", ")),
                kind: None,
                text_edits: None,
                tooltip: Some(lsp_types::InlayHintTooltip::String(format!("now, {}", of.when()))),
                padding_left: Some(true),
                padding_right: None,
                data: None,
            })
        };
        lines.into_iter().filter_map(hint).collect()
    }

    /// Returns the values in a file, if a window runs exactly this text.
    fn values_in(&self, path: &Path, source: &Source) -> Option<ValuesHere> {
        let values: Vec<_> = lock(&self.shared).values.values().cloned().collect();
        let hash = text_hash(&source.text);
        values.into_iter().find_map(|values| {
            let file =
                values.files.iter().position(|file| file.path == path && file.text == hash)?;
            // Another program may have sent anything.
            let is_name = |one: &SharedValue| {
                one.start < one.end && source.text.get(one.start..one.end).is_some()
            };
            let is_sound = values.files[file].values.iter().all(is_name);
            is_sound.then_some(ValuesHere { values, file })
        })
    }
}

/// The values in one file.
struct ValuesHere {
    values: Arc<SharedValues>,
    file: usize,
}

impl ValuesHere {
    fn here(&self) -> impl Iterator<Item = &SharedValue> {
        self.values.files[self.file].values.iter()
    }

    /// Returns whose values they are.
    fn when(&self) -> String {
        let SharedValues { group, agent, tick, .. } = &*self.values;
        format!("for `{group}` {agent} at tick {tick}")
    }
}

/// Returns a value, and how many there were if it is the last one of several.
fn in_words(value: &SharedValue) -> String {
    match value.count {
        ..=1 => value.text.clone(),
        count => format!("{} (last of {count})", value.text),
    }
}

#[cfg(unix)]
mod follow {
    //! The thread that follows the windows of a project.

    use std::path::{Path, PathBuf};
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::Duration;

    use flockwork_engine::load::is_scenario;
    use lsp_server::{Request, RequestId};
    use lsp_types::request::{InlayHintRefreshRequest, Request as _, ShowDocument};
    use lsp_types::{Position, Range, ShowDocumentParams};

    use super::super::project::is_script;
    use super::super::uri;
    use super::{Shared, lock};
    use crate::sharing::{self, FromWindow, Hello, Lines, SharedValues, VERSION};

    /// Time between two looks for a window.
    const PAUSE: Duration = Duration::from_secs(1);

    /// Looks for windows of a project until the editor leaves.
    pub(super) fn start(project: PathBuf, shared: Arc<Mutex<Shared>>) {
        thread::spawn(move || {
            while lock(&shared).editor.is_some() {
                if let Some(mut stream) = sharing::connect(&project) {
                    let can_show = lock(&shared).can_show;
                    let hello = Hello { version: VERSION, can_show };
                    if sharing::send(&mut stream, &hello).is_ok() {
                        read(Lines::new(&stream), &project, &shared);
                    }
                    set(&project, &shared, None);
                }
                thread::sleep(PAUSE);
            }
        });
    }

    /// Reads the messages of a window, until it ends or sends one that cannot be read.
    fn read(
        mut lines: Lines<&std::os::unix::net::UnixStream>,
        project: &Path,
        shared: &Mutex<Shared>,
    ) {
        if !matches!(lines.receive(), Ok(FromWindow::Version(VERSION))) {
            return;
        }
        loop {
            match lines.receive() {
                Ok(FromWindow::Values(values)) => set(project, shared, values),
                Ok(FromWindow::Show { file, line }) => show(project, shared, &file, line),
                Ok(FromWindow::Version(_)) | Err(_) => return,
            }
        }
    }

    /// Keeps new values, and tells the editor that they have changed.
    fn set(project: &Path, shared: &Mutex<Shared>, values: Option<SharedValues>) {
        let mut locked = lock(shared);
        let old = match values {
            Some(values) => locked.values.insert(project.to_owned(), Arc::new(values)),
            None => locked.values.remove(project),
        };
        let has_changed = old.as_ref() != locked.values.get(project);
        let can_refresh = locked.can_refresh;
        drop(locked);
        if has_changed && can_refresh {
            request(shared, InlayHintRefreshRequest::METHOD, serde_json::Value::Null);
        }
    }

    /// Asks the editor to show a line of a file of the project.
    fn show(project: &Path, shared: &Mutex<Shared>, file: &Path, line: u32) {
        let is_ours = file.starts_with(project) && (is_scenario(file, || None) || is_script(file));
        let Some(uri) = uri::uri(file).filter(|_| is_ours && lock(shared).can_show) else { return };
        let start = Position { line: line.saturating_sub(1), character: 0 };
        let params = ShowDocumentParams {
            uri,
            external: Some(false),
            take_focus: Some(true),
            selection: Some(Range { start, end: start }),
        };
        request(shared, ShowDocument::METHOD, serde_json::to_value(params).unwrap_or_default());
    }

    fn request(shared: &Mutex<Shared>, method: &str, params: serde_json::Value) {
        let mut locked = lock(shared);
        locked.requests += 1;
        let id = RequestId::from(format!("live {}", locked.requests));
        let editor = locked.editor.clone();
        drop(locked);
        if let Some(editor) = editor {
            // If the editor has left, nobody wants to know.
            let _ = editor.send(Request::new(id, method.to_owned(), params).into());
        }
    }
}
