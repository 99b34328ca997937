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
    /// What commands tell.
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
        // Of a folder that is moved or deleted, editors report only the folder.
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
                // Nothing waits: there is time to check one file. What the user looks at comes first, and is told first.
                Err(_) if self.project.is_urgent() => {
                    self.project.check_next();
                    if !self.project.is_urgent() {
                        self.tell_news();
                    }
                    continue;
                }
                Err(_) if self.project.check_next() => continue,
                Err(_) => {
                    self.tell_news();
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
                        self.tell_news();
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

    /// Tells the editor the findings that have changed.
    fn tell_news(&mut self) {
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
        let project = &mut self.project;
        let result = match method.as_str() {
            request::CodeActionRequest::METHOD => {
                result::<request::CodeActionRequest>(params, |of| actions::actions(project, of))
            }
            request::Completion::METHOD => {
                result::<request::Completion>(params, |of| completion::complete(project, of))
            }
            request::HoverRequest::METHOD => result::<request::HoverRequest>(params, |of| {
                let at = of.text_document_position_params.clone();
                let known = hover::hover(project, of);
                self.live.hover(project, &at, known)
            }),
            request::InlayHintRequest::METHOD => {
                result::<request::InlayHintRequest>(params, |of| {
                    let mut all = self.live.hints(project, &of);
                    all.extend(hints::hints(project, of).into_iter().flatten());
                    Some(all)
                })
            }
            request::SignatureHelpRequest::METHOD => {
                result::<request::SignatureHelpRequest>(params, |of| {
                    hover::signature_help(project, of)
                })
            }
            request::GotoDefinition::METHOD => {
                result::<request::GotoDefinition>(params, |of| navigate::definition(project, of))
            }
            request::References::METHOD => {
                result::<request::References>(params, |of| navigate::references(project, of))
            }
            request::DocumentHighlightRequest::METHOD => {
                result::<request::DocumentHighlightRequest>(params, |of| {
                    navigate::highlights(project, of)
                })
            }
            request::PrepareRenameRequest::METHOD => {
                result::<request::PrepareRenameRequest>(params, |of| {
                    rename::prepare_rename(project, of)
                })
            }
            request::Rename::METHOD => {
                let mut refused = None;
                let renamed = result::<request::Rename>(params, |of| {
                    rename::rename(project, of).map_err(|why| refused = Some(why)).ok()
                });
                if let Some(why) = refused {
                    return Response::new_err(id, ErrorCode::RequestFailed as i32, why);
                }
                renamed
            }
            request::DocumentSymbolRequest::METHOD => {
                result::<request::DocumentSymbolRequest>(params, |of| outline::symbols(project, of))
            }
            request::SemanticTokensFullRequest::METHOD => {
                result::<request::SemanticTokensFullRequest>(params, |of| {
                    semantic::tokens(project, of)
                })
            }
            request::Formatting::METHOD => {
                result::<request::Formatting>(params, |of| formatting::formatting(project, of))
            }
            request::CodeLensRequest::METHOD => {
                result::<request::CodeLensRequest>(params, |of| lenses::lenses(project, of))
            }
            request::ExecuteCommand::METHOD => {
                let editor = &mut self.editor;
                let mut refused = None;
                let started = result::<request::ExecuteCommand>(params, |of| {
                    refused = commands::start(project, editor, &of).err();
                    None
                });
                if let Some(why) = refused {
                    return Response::new_err(id, ErrorCode::RequestFailed as i32, why);
                }
                started
            }
            request::FoldingRangeRequest::METHOD => {
                result::<request::FoldingRangeRequest>(params, |of| outline::folds(project, of))
            }
            _ => {
                let unknown = format!("there is no method {method}");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, unknown);
            }
        };
        match result {
            Ok(result) => Response::new_ok(id, result),
            Err(wrong) => Response::new_err(id, ErrorCode::InvalidParams as i32, wrong.to_string()),
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

/// Returns the result of `work` for the params of a request.
fn result<R: request::Request>(
    params: serde_json::Value,
    work: impl FnOnce(R::Params) -> R::Result,
) -> serde_json::Result<serde_json::Value> {
    serde_json::to_value(work(serde_json::from_value(params)?))
}

/// Calls `work` with the params of a notification, if they are as the protocol says.
fn with<N: notification::Notification>(params: serde_json::Value, work: impl FnOnce(N::Params))
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
