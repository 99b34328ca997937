//! The language server: what `check` finds and what the definitions know, in an editor.
//!
//! One thread reads messages and answers them in order. Changed files are checked when no message waits, so typing quickly
//! never piles up work. All knowledge about scenarios and scripts comes from the engine: nothing that scripts can call is
//! listed here.

mod actions;
mod commands;
mod completion;
mod diagnostics;
mod docs;
mod follow;
mod formatting;
mod hints;
mod hover;
mod imports;
mod lenses;
mod live;
mod messages;
mod names;
mod navigate;
mod outline;
mod own_names;
mod plans;
mod position;
mod project;
mod rename;
mod rhai_text;
mod semantic;
mod types;
mod uri;

use std::io::ErrorKind;
use std::ops::ControlFlow;

use crossbeam_channel::{Receiver, Select};
use flockwork_engine::{Diagnostic, Diagnostics};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    CompletionOptions, DidChangeWatchedFilesRegistrationOptions, ExecuteCommandOptions,
    FileOperationFilter, FileOperationPattern, FileOperationRegistrationOptions, FileSystemWatcher,
    GlobPattern, InitializeParams, InitializeResult, OneOf, Registration, RegistrationParams,
    RenameOptions, SaveOptions, SemanticTokensFullOptions, SemanticTokensOptions,
    SemanticTokensServerCapabilities, ServerCapabilities, ServerInfo, SignatureHelpOptions,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, WatchKind,
    WorkspaceFileOperationsServerCapabilities, WorkspaceServerCapabilities, notification, request,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use commands::{Editor, News};
use lenses::Work;
use live::LiveValues;
use project::Project;

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
    let (connection, threads) = messages::connect().map_err(failed)?;
    match Server::start(connection).and_then(Server::run) {
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

struct Server {
    connection: Connection,
    project: Project,
    /// For commands that take long.
    editor: Editor,
    /// Messages of commands.
    news: Receiver<News>,
    live: LiveValues,
}

type ProtocolResult<T> = Result<T, lsp_server::ProtocolError>;

impl Server {
    /// Shakes hands with the editor.
    fn start(connection: Connection) -> ProtocolResult<Self> {
        let (id, params) = connection.initialize_start()?;
        let client: InitializeParams = serde_json::from_value(params).unwrap_or_default();
        let result = InitializeResult {
            capabilities: capabilities(),
            server_info: Some(ServerInfo {
                name: "flockwork".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        };
        connection.initialize_finish(id, serde_json::to_value(result).unwrap_or_default())?;
        let capabilities = client.capabilities;
        let live = LiveValues::new(&connection, &capabilities);
        let watched = capabilities.workspace.and_then(|of| of.did_change_watched_files);
        let window = capabilities.window;
        let (sender, news) = crossbeam_channel::unbounded();
        let editor = Editor {
            news: sender,
            shows_progress: window.as_ref().and_then(|of| of.work_done_progress) == Some(true),
            opens_files: window.and_then(|of| of.show_document).is_some_and(|of| of.support),
            commands: 0,
        };
        let this = Self { connection, project: Project::default(), editor, news, live };
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
        loop {
            while let Ok(news) = self.news.try_recv() {
                match news {
                    News::Message(message) => self.send(message),
                    News::Tested { scenario, errors } => self.project.note_test(scenario, errors),
                }
            }
            let message = match self.connection.receiver.try_recv() {
                Ok(message) => message,
                // Nothing waits: there is time to check one file. The file that the user looks at comes first.
                Err(_) if self.project.is_urgent() => {
                    self.project.check_next();
                    if !self.project.is_urgent() {
                        self.send_news();
                    }
                    continue;
                }
                Err(_) if self.project.check_next() => continue,
                Err(_) => {
                    self.send_news();
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
            match message {
                Message::Request(request) if request.method == request::Shutdown::METHOD => {
                    self.send(Response::new_ok(request.id, ()));
                    return Ok(self.wait_for_exit());
                }
                Message::Request(request) => {
                    let response = self.answer(request);
                    if !self.project.is_waiting() {
                        self.send_news();
                    }
                    self.send(response);
                }
                Message::Notification(notification) => {
                    if self.note(notification).is_break() {
                        return Ok(Served::Left);
                    }
                }
                Message::Response(_) => {}
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

    /// Sends the findings that have changed to the editor.
    fn send_news(&mut self) {
        for published in self.project.news() {
            let method = notification::PublishDiagnostics::METHOD.to_owned();
            self.send(Notification::new(method, published));
        }
    }

    /// Sends a message. If the editor has left, the next message that is received says so.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.connection.sender.send(message.into());
    }

    /// Answers a request.
    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        match self.result(&method, params) {
            Ok(result) => Response::new_ok(id, result),
            Err((code, why)) => Response::new_err(id, code as i32, why),
        }
    }

    /// Returns the result of a request, or the code of an error and its message.
    fn result(&mut self, method: &str, params: Value) -> Result<Value, (ErrorCode, String)> {
        let (project, editor, live) = (&mut self.project, &mut self.editor, &self.live);
        /// Calls the handler of a method with the params of the request. It returns the result, or why it refuses.
        macro_rules! answers {
            ($($request:ident => $answer:expr,)*) => {
                match method {
                    $(request::$request::METHOD => result::<request::$request>(params, $answer),)*
                    _ => Err((ErrorCode::MethodNotFound, format!("there is no method {method}"))),
                }
            };
        }
        answers! {
            CodeActionRequest => |of| Ok(actions::actions(project, of)),
            CodeLensRequest => |of| Ok(lenses::lenses(project, of)),
            Completion => |of| Ok(completion::complete(project, of)),
            DocumentHighlightRequest => |of| Ok(navigate::highlights(project, of)),
            DocumentSymbolRequest => |of| Ok(outline::symbols(project, of)),
            ExecuteCommand => |of| commands::start(project, editor, &of).map(|()| None),
            FoldingRangeRequest => |of| Ok(outline::folds(project, of)),
            Formatting => |of| Ok(formatting::formatting(project, of)),
            GotoDefinition => |of| Ok(navigate::definition(project, of)),
            HoverRequest => |of| {
                let at = of.text_document_position_params.clone();
                let known = hover::hover(project, of);
                Ok(live.hover(project, &at, known))
            },
            InlayHintRequest => |of| {
                let mut all = live.hints(project, &of);
                all.extend(hints::hints(project, of).into_iter().flatten());
                Ok(Some(all))
            },
            PrepareRenameRequest => |of| Ok(rename::prepare_rename(project, of)),
            References => |of| Ok(navigate::references(project, of)),
            Rename => |of| rename::rename(project, of).map(Some),
            SemanticTokensFullRequest => |of| Ok(semantic::tokens(project, of)),
            SignatureHelpRequest => |of| Ok(hover::signature_help(project, of)),
        }
    }

    /// Reacts to a notification. Breaks if the editor leaves.
    fn note(&mut self, what: Notification) -> ControlFlow<()> {
        let Notification { method, params } = what;
        let project = &mut self.project;
        match method.as_str() {
            notification::Exit::METHOD => return ControlFlow::Break(()),
            notification::DidOpenTextDocument::METHOD => {
                with::<notification::DidOpenTextDocument>(params, |of| {
                    let document = of.text_document;
                    project.open(&document.uri, document.version, document.text);
                    self.live.follow(project.roots());
                });
            }
            notification::DidChangeTextDocument::METHOD => {
                with::<notification::DidChangeTextDocument>(params, |of| {
                    let document = of.text_document;
                    project.change(&document.uri, document.version, of.content_changes);
                });
            }
            notification::DidCloseTextDocument::METHOD => {
                with::<notification::DidCloseTextDocument>(params, |of| {
                    project.close(&of.text_document.uri);
                });
            }
            notification::DidSaveTextDocument::METHOD => {
                with::<notification::DidSaveTextDocument>(params, |of| {
                    project.changed_on_disk([&of.text_document.uri]);
                });
            }
            notification::DidCreateFiles::METHOD
            | notification::DidRenameFiles::METHOD
            | notification::DidDeleteFiles::METHOD => project.find_all_files(),
            notification::DidChangeWatchedFiles::METHOD => {
                with::<notification::DidChangeWatchedFiles>(params, |of| {
                    project.changed_on_disk(of.changes.iter().map(|change| &change.uri));
                });
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Returns the result of `work` for the params of a request. An error of `work` says why the request is refused.
fn result<R: request::Request>(
    params: Value,
    work: impl FnOnce(R::Params) -> Result<R::Result, String>,
) -> Result<Value, (ErrorCode, String)> {
    let invalid = |error: serde_json::Error| (ErrorCode::InvalidParams, error.to_string());
    let params = serde_json::from_value(params).map_err(invalid)?;
    let result = work(params).map_err(|why| (ErrorCode::RequestFailed, why))?;
    serde_json::to_value(result).map_err(invalid)
}

/// Calls `work` with the params of a notification, if they are as the protocol says.
fn with<N: notification::Notification>(params: Value, work: impl FnOnce(N::Params))
where
    N::Params: DeserializeOwned,
{
    if let Ok(params) = serde_json::from_value(params) {
        work(params);
    }
}

/// Returns what the server can do.
fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(SaveOptions { include_text: Some(false) }.into()),
            ..Default::default()
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([".", "\"", ":"].map(str::to_owned).to_vec()),
            ..Default::default()
        }),
        hover_provider: Some(true.into()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(["(", ","].map(str::to_owned).to_vec()),
            ..Default::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(true.into()),
        inlay_hint_provider: Some(OneOf::Left(true)),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: semantic::legend(),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..Default::default()
            },
        )),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: Work::ALL.map(Work::command).to_vec(),
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
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..Default::default()
        })),
        ..Default::default()
    }
}

/// Returns the operations on files and folders of any name, which the editor shall report.
fn any_file() -> FileOperationRegistrationOptions {
    let pattern = FileOperationPattern { glob: "**/*".to_owned(), matches: None, options: None };
    let scheme = Some("file".to_owned());
    FileOperationRegistrationOptions { filters: vec![FileOperationFilter { scheme, pattern }] }
}
