//! The language server of the program: [`flockwork_lsp::Server`] over the standard input and output, and what needs processes, threads
//! and sockets beside it.
//!
//! One thread answers messages in order. Changed files are checked when no message waits. The thread that reads messages notes which requests
//! are canceled, so that this counts before what comes earlier has been answered.

mod commands;
mod messages;
#[cfg_attr(not(unix), path = "no_window_values.rs")]
mod window_values;

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use crossbeam_channel::{Receiver, Select};
use flockwork_engine::load::{self, FileKind, OutputFile, make_folder};
use flockwork_engine::{Diagnostic, Diagnostics};
use flockwork_lsp::{
    CanceledRequests, OPEN_COMMAND, Server, Work, capabilities, initialize_result, reference_text,
    respond,
};
use lsp_server::{Connection, ErrorCode, Message, Request, RequestId, Response};
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use lsp_types::{
    CodeLensOptions, DidChangeWatchedFilesRegistrationOptions, ExecuteCommandOptions,
    FileOperationFilter, FileOperationPattern, FileOperationRegistrationOptions, FileSystemWatcher,
    GlobPattern, InitializeParams, Registration, RegistrationParams, ServerCapabilities, WatchKind,
    WorkspaceFileOperationsServerCapabilities, WorkspaceServerCapabilities, notification, request,
};

use crate::user_folder;
use commands::{Editor, News};
use window_values::Windows;

/// How the editor ended the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Served {
    /// With `shutdown` and `exit`, as the protocol says.
    ShutDown,
    /// It closed the connection.
    Left,
}

/// Serves an editor over the standard input and output until it leaves.
///
/// # Errors
///
/// If the editor does not follow the protocol.
pub(crate) fn serve() -> Result<Served, Diagnostics> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::InvalidData => broken(&error),
        _ => Diagnostic::error(format!("cannot exchange messages with the editor: {error}")),
    };
    let canceled = CanceledRequests::default();
    let (connection, threads) = messages::connect(canceled.clone()).map_err(failed)?;
    match Session::start(connection, canceled).and_then(Session::run) {
        // The thread that reads may wait for input without end, unless it was that one which ended.
        Err(error) if !error.channel_is_disconnected() => Err(broken(&error).into()),
        served => match threads.join() {
            Ok(()) => served.map_err(|error| broken(&error).into()),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Served::Left),
            Err(error) => Err(failed(error).into()),
        },
    }
}

fn broken(error: &dyn std::error::Error) -> Diagnostic {
    Diagnostic::error(format!("the editor broke the protocol: {error}"))
}

/// The file with the reference.
const REFERENCE: FileKind = FileKind {
    max_bytes: 1 << 20,
    ..FileKind::new("the reference that `flockwork lsp` has written", &[&[b"# Script reference"]])
};

/// Writes the reference where editors can open it, unless it is there. `None` if that is not possible.
fn reference_file() -> Option<PathBuf> {
    let folder = user_folder::state()?;
    let (file, text) = (folder.join("reference.md"), reference_text());
    if load::read(&file).is_ok_and(|known| known.text == text) {
        return Some(file);
    }
    make_folder(&folder).ok()?;
    let written = OutputFile::create(&file, REFERENCE).and_then(|to| to.write_whole(text));
    written.ok().map(|_| file)
}

/// The server with the editor at the other end.
struct Session {
    connection: Connection,
    server: Server,
    /// For commands that take long.
    editor: Editor,
    /// Messages of commands.
    news: Receiver<News>,
    windows: Windows,
}

/// Time without a message until a word that is being typed is checked: half a word is not worth a finding.
const WORD_PAUSE: Duration = Duration::from_millis(400);

/// Returns whether a message says that a letter of a word was typed.
fn types_a_word(message: &Message) -> bool {
    let Message::Notification(one) = message else { return false };
    let changes = one.params["contentChanges"].as_array();
    let last = changes.and_then(|changes| changes.last());
    let is_part = |text: &str| {
        let mut letters = text.chars();
        let first = letters.next();
        first.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
            && letters.next().is_none()
    };
    let typed = last.filter(|change| !change["range"].is_null());
    typed.and_then(|change| change["text"].as_str()).is_some_and(is_part)
}

type ProtocolResult<T> = Result<T, lsp_server::ProtocolError>;

impl Session {
    /// Shakes hands with the editor.
    fn start(connection: Connection, canceled: CanceledRequests) -> ProtocolResult<Self> {
        let (id, params) = connection.initialize_start()?;
        let client: InitializeParams = serde_json::from_value(params).unwrap_or_default();
        let result = initialize_result(capabilities_with_commands());
        connection.initialize_finish(id, serde_json::to_value(result).unwrap_or_default())?;
        let capabilities = client.capabilities;
        let mut server = Server::new(canceled, &capabilities);
        if let Some(file) = reference_file() {
            server.set_reference_file(file);
        }
        let windows = Windows::new(server.live().clone(), connection.sender.clone(), &capabilities);
        let watched = capabilities.workspace.and_then(|of| of.did_change_watched_files);
        let window = capabilities.window;
        let (sender, news) = crossbeam_channel::unbounded();
        let editor = Editor {
            news: sender,
            shows_progress: window.as_ref().and_then(|of| of.work_done_progress) == Some(true),
            opens_files: window.and_then(|of| of.show_document).is_some_and(|of| of.support),
            commands: 0,
            shown: std::sync::Arc::default(),
        };
        let this = Self { connection, server, editor, news, windows };
        if watched.and_then(|of| of.dynamic_registration) == Some(true) {
            this.watch_files();
        }
        Ok(this)
    }

    /// Asks the editor to report changes of files on disk.
    fn watch_files(&self) {
        let made_or_deleted = WatchKind::Create | WatchKind::Delete;
        // If a folder is moved or deleted, editors report only the folder.
        let watched = [("**/*.ron", None), ("**/*.rhai", None), ("**/*", Some(made_or_deleted))];
        let watchers = watched
            .map(|(pattern, kind)| FileSystemWatcher {
                glob_pattern: GlobPattern::String(pattern.to_owned()),
                kind,
            })
            .to_vec();
        let options = DidChangeWatchedFilesRegistrationOptions { watchers };
        let params = RegistrationParams {
            registrations: vec![Registration {
                id: "files".to_owned(),
                method: notification::DidChangeWatchedFiles::METHOD.to_owned(),
                register_options: serde_json::to_value(options).ok(),
            }],
        };
        let method = request::RegisterCapability::METHOD.to_owned();
        self.send(Request::new(RequestId::from("watch files".to_owned()), method, params));
    }

    fn run(mut self) -> ProtocolResult<Served> {
        let mut is_typing = false;
        loop {
            while let Ok(news) = self.news.try_recv() {
                match news {
                    News::Message(message) => self.send(message),
                    News::Tested { scenario, errors } => self.server.note_test(scenario, errors),
                }
            }
            let pause = if is_typing { WORD_PAUSE } else { Duration::ZERO };
            let message = match self.connection.receiver.recv_timeout(pause) {
                Ok(message) => message,
                // No message waits: there is time to check files.
                Err(_) if self.server.is_waiting() => {
                    is_typing = false;
                    let messages = self.server.check_some();
                    self.send_all(messages);
                    continue;
                }
                Err(_) => {
                    let (messages, news) = (&self.connection.receiver, &self.news);
                    let mut select = Select::new();
                    select.recv(news);
                    let next = select.recv(messages);
                    if select.ready() != next {
                        continue;
                    }
                    match messages.recv() {
                        Ok(message) => message,
                        Err(_) => return Ok(Served::Left),
                    }
                }
            };
            is_typing = match &message {
                Message::Notification(_) => types_a_word(&message),
                // Editors ask much about each letter.
                _ => is_typing,
            };
            match message {
                Message::Request(request) if request.method == request::Shutdown::METHOD => {
                    self.send(Response::new_ok(request.id, ()));
                    return Ok(self.wait_for_exit());
                }
                Message::Request(request) if request.method == request::ExecuteCommand::METHOD => {
                    let response = respond::<request::ExecuteCommand>(request, |params| {
                        if params.command == OPEN_COMMAND {
                            commands::open(&mut self.editor, &params.arguments)?;
                            return Ok(None);
                        }
                        let command = self.server.command(&params)?;
                        commands::start(&mut self.editor, command);
                        Ok(None)
                    });
                    self.send(response);
                }
                Message::Notification(one) if one.method == notification::Exit::METHOD => {
                    return Ok(Served::Left);
                }
                message => {
                    let messages = self.server.handle(message);
                    self.send_all(messages);
                    self.windows.follow(self.server.roots());
                }
            }
        }
    }

    /// Waits until the editor says `exit`, after it has asked for the end. Its late answers are dropped, and what it asks
    /// now is refused.
    fn wait_for_exit(&mut self) -> Served {
        while let Ok(message) = self.connection.receiver.recv() {
            match message {
                Message::Notification(one) if one.method == notification::Exit::METHOD => {
                    return Served::ShutDown;
                }
                Message::Request(request) => {
                    let why = "the server has been shut down".to_owned();
                    let refused = ErrorCode::InvalidRequest as i32;
                    self.send(Response::new_err(request.id, refused, why));
                }
                _ => {}
            }
        }
        Served::Left
    }

    fn send_all(&self, messages: Vec<Message>) {
        messages.into_iter().for_each(|message| self.send(message));
    }

    /// Sends a message. If the editor has left, the next message that is received says so.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.connection.sender.send(message.into());
    }
}

/// Returns what the server can do where it can start commands and where files are on a disk.
fn capabilities_with_commands() -> ServerCapabilities {
    ServerCapabilities {
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: Work::ALL
                .map(Work::command)
                .into_iter()
                .chain([OPEN_COMMAND.to_owned()])
                .collect(),
            ..Default::default()
        }),
        workspace: Some(WorkspaceServerCapabilities {
            file_operations: Some(WorkspaceFileOperationsServerCapabilities {
                did_create: Some(any_file()),
                did_rename: Some(any_file()),
                did_delete: Some(any_file()),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..capabilities()
    }
}

/// Returns the operations on files and folders of any name, which the editor shall report.
fn any_file() -> FileOperationRegistrationOptions {
    let pattern = FileOperationPattern { glob: "**/*".to_owned(), matches: None, options: None };
    let scheme = Some("file".to_owned());
    FileOperationRegistrationOptions { filters: vec![FileOperationFilter { scheme, pattern }] }
}

#[cfg(test)]
mod tests {
    use lsp_server::{Message, Notification};
    use serde_json::{Value, json};

    use super::types_a_word;

    #[test]
    fn only_a_letter_of_a_word_waits_for_more() {
        let change = |change: Value| {
            let params = json!({ "contentChanges": [change] });
            types_a_word(&Message::Notification(Notification {
                method: "textDocument/didChange".to_owned(),
                params,
            }))
        };
        let range = json!({ "start": {}, "end": {} });
        for letter in ["g", "é", "7", "_"] {
            assert!(change(json!({ "range": range, "text": letter })), "{letter}");
        }
        for whole in ["", "goal", ";", " ", "\n", "(", "go"] {
            assert!(!change(json!({ "range": range, "text": whole })), "{whole}");
        }
        // The whole text.
        assert!(!change(json!({ "text": "g" })));
    }
}
