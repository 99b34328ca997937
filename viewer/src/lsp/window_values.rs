//! Live values from windows: a thread for each project looks for a window and keeps what it says last.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::Sender;
use flockwork_engine::load::is_scenario;
use flockwork_lsp::{LiveValues, SharedValues, is_script, uri};
use lsp_server::{Message, Request, RequestId};
use lsp_types::request::{InlayHintRefreshRequest, Request as _, ShowDocument};
use lsp_types::{ClientCapabilities, Position, Range, ShowDocumentParams};

use crate::sharing::{self, FromWindow, Hello, Lines, VERSION};

/// Time between two looks for a window.
const PAUSE: Duration = Duration::from_secs(1);

/// The windows that are looked for.
pub(super) struct Windows {
    shared: Arc<Shared>,
    followed: BTreeSet<PathBuf>,
}

/// What all threads need.
struct Shared {
    values: LiveValues,
    can_refresh: bool,
    can_show: bool,
    editor: Mutex<Editor>,
}

/// The way to the editor.
struct Editor {
    /// `None` once the editor has left.
    sender: Option<Sender<Message>>,
    requests: u64,
}

impl Shared {
    fn editor(&self) -> MutexGuard<'_, Editor> {
        self.editor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Windows {
    fn drop(&mut self) {
        // The thread that writes to the editor ends when nobody can send any more.
        self.shared.editor().sender = None;
    }
}

impl Windows {
    /// Prepares to set live values and to ask an editor.
    pub(super) fn new(
        values: LiveValues,
        sender: Sender<Message>,
        client: &ClientCapabilities,
    ) -> Self {
        let hints = client.workspace.as_ref().and_then(|of| of.inlay_hint.as_ref());
        let can_refresh = hints.and_then(|of| of.refresh_support) == Some(true);
        let show = client.window.as_ref().and_then(|of| of.show_document.as_ref());
        let can_show = show.is_some_and(|of| of.support);
        let editor = Mutex::new(Editor { sender: Some(sender), requests: 0 });
        let shared = Arc::new(Shared { values, can_refresh, can_show, editor });
        Self { shared, followed: BTreeSet::new() }
    }

    /// Looks for windows of projects from now on.
    pub(super) fn follow(&mut self, projects: &BTreeSet<PathBuf>) {
        for project in projects {
            if self.followed.insert(project.clone()) {
                let (project, shared) = (project.clone(), Arc::clone(&self.shared));
                thread::spawn(move || follow(&project, &shared));
            }
        }
    }
}

/// Looks for windows of a project until the editor leaves.
fn follow(project: &Path, shared: &Shared) {
    while shared.editor().sender.is_some() {
        if let Some(mut stream) = sharing::connect(project) {
            let hello = Hello { version: VERSION, can_show: shared.can_show };
            if sharing::send(&mut stream, &hello).is_ok() {
                read(Lines::new(&stream), project, shared);
            }
            set(project, shared, None);
        }
        thread::sleep(PAUSE);
    }
}

/// Reads the messages of a window, until it ends or sends one that cannot be read.
fn read(mut lines: Lines<&std::os::unix::net::UnixStream>, project: &Path, shared: &Shared) {
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
fn set(project: &Path, shared: &Shared, values: Option<SharedValues>) {
    if shared.values.set(project, values.into_iter().collect()) && shared.can_refresh {
        request(shared, InlayHintRefreshRequest::METHOD, serde_json::Value::Null);
    }
}

/// Asks the editor to show a line of a file of the project.
fn show(project: &Path, shared: &Shared, file: &Path, line: u32) {
    let is_ours = file.starts_with(project) && (is_scenario(file, || None) || is_script(file));
    let Some(uri) = uri(file).filter(|_| is_ours && shared.can_show) else { return };
    let start = Position { line: line.saturating_sub(1), character: 0 };
    let params = ShowDocumentParams {
        uri,
        external: Some(false),
        take_focus: Some(true),
        selection: Some(Range { start, end: start }),
    };
    request(shared, ShowDocument::METHOD, serde_json::to_value(params).unwrap_or_default());
}

/// Asks the editor for something.
fn request(shared: &Shared, method: &str, params: serde_json::Value) {
    let mut editor = shared.editor();
    editor.requests += 1;
    let id = RequestId::from(format!("live {}", editor.requests));
    let sender = editor.sender.clone();
    drop(editor);
    if let Some(sender) = sender {
        // If the editor has left, nobody wants to know.
        let _ = sender.send(Request::new(id, method.to_owned(), params).into());
    }
}
