//! The server: it answers messages, checks what has changed, and tells what was found.

use std::collections::BTreeSet;
use std::path::PathBuf;

use flockwork_engine::Diagnostic;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use lsp_types::{ClientCapabilities, ExecuteCommandParams, notification, request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::canceled::CanceledRequests;
use super::capabilities::{capabilities, initialize_result};
use super::lenses::{self, LensCommand};
use super::live::LiveValues;
use super::own_requests::{self, Agents, ScenariosWith, WhyUnformatted};
use super::project::Project;
use super::world_values::{self, WorldValues};
use super::{
    actions, calls, completion, formatting, hints, hover, inline_values, moved_scripts, navigate,
    outline, rename, semantic,
};

/// A language server. It keeps the open files and what was found in the projects that they belong to.
#[derive(Default)]
pub struct Server {
    project: Project,
    live: LiveValues,
    canceled: CanceledRequests,
    /// Whether the editor asks for hints again when it is told to.
    refreshes_hints: bool,
    /// How often it has been told to.
    refreshes: u64,
}

impl Server {
    /// Creates a server for an editor with some capabilities, whose requests may be canceled while they are answered.
    pub fn new(canceled: CanceledRequests, editor: &ClientCapabilities) -> Self {
        let mut server = Self { canceled, ..Self::default() };
        let completion = editor.text_document.as_ref().and_then(|of| of.completion.as_ref());
        let item = completion.and_then(|of| of.completion_item.as_ref());
        server.project.has_snippets = item.and_then(|of| of.snippet_support) == Some(true);
        let window = editor.window.as_ref().and_then(|of| of.show_document.as_ref());
        server.project.opens_files = window.is_some_and(|of| of.support);
        let hints = editor.workspace.as_ref().and_then(|of| of.inlay_hint.as_ref());
        server.refreshes_hints = hints.and_then(|of| of.refresh_support) == Some(true);
        server
    }

    /// Notes the file that has the [reference](crate::reference_text): names that Flockwork gives to scripts lead there.
    pub fn set_reference_file(&mut self, file: PathBuf) {
        self.project.reference = Some(file);
    }

    /// Takes a message of the editor, and returns the messages for the editor, in order. The end of the session is the caller's matter:
    /// `shutdown` and `exit` mean nothing here.
    pub fn handle(&mut self, message: Message) -> Vec<Message> {
        match message {
            Message::Request(Request { id, method, params }) => {
                let (canceled, own) = (self.canceled.clone(), id.clone());
                let is_canceled = move || canceled.has(&own);
                self.project.set_canceled(Some(Box::new(is_canceled)));
                let result = self.result_unless_canceled(&method, params);
                self.project.set_canceled(None);
                self.canceled.forget(&id);
                // What an answer is based on is told before the answer.
                let mut messages =
                    if self.project.is_waiting() { Vec::new() } else { self.findings() };
                messages.push(response(id, result).into());
                messages
            }
            Message::Notification(one) if one.method == world_values::METHOD => {
                self.note_values(one.params).into_iter().collect()
            }
            Message::Notification(notification) => {
                self.note(notification);
                Vec::new()
            }
            Message::Response(_) => Vec::new(),
        }
    }

    /// Takes the values of a world that the editor shows. Returns a request to show them, if they have changed.
    fn note_values(&mut self, params: Value) -> Option<Message> {
        let values: WorldValues = serde_json::from_value(params).ok()?;
        if !values.set(&self.live) || !self.refreshes_hints {
            return None;
        }
        self.refreshes += 1;
        let id = RequestId::from(format!("refresh {}", self.refreshes));
        let method = request::InlayHintRefreshRequest::METHOD.to_owned();
        Some(Request::new(id, method, Value::Null).into())
    }

    /// Returns whether [`check_some`](Self::check_some) has something to do.
    pub fn is_waiting(&self) -> bool {
        self.project.is_waiting() || self.project.has_news()
    }

    /// Checks the next files that wait, and returns messages about what was found. The file that the user looks at is checked and told
    /// first. All others are told when all have been checked.
    pub fn check_some(&mut self) -> Vec<Message> {
        let was_urgent = self.project.is_urgent();
        self.project.check_next();
        let is_urgent = self.project.is_urgent();
        if was_urgent && !is_urgent || !self.project.is_waiting() {
            self.findings()
        } else {
            Vec::new()
        }
    }

    /// Returns the findings that have changed, as messages for the editor.
    fn findings(&mut self) -> Vec<Message> {
        let method = notification::PublishDiagnostics::METHOD;
        let news = self.project.news().into_iter();
        news.map(|one| Notification::new(method.to_owned(), one).into()).collect()
    }

    /// Returns the live values, which another thread may set.
    pub fn live(&self) -> &LiveValues {
        &self.live
    }

    /// Returns the folders of the projects that open files belong to.
    pub fn roots(&self) -> &BTreeSet<PathBuf> {
        self.project.roots()
    }

    /// Returns the command that a lens asks for.
    ///
    /// # Errors
    ///
    /// If there is no such command, or no scenario for it. The error is a message for people.
    pub fn command(&self, params: &ExecuteCommandParams) -> Result<LensCommand, String> {
        lenses::command(&self.project, &self.live, params)
    }

    /// Notes the errors that a test of a scenario has found. They are shown until the scenario or a script of it changes.
    pub fn note_test(&mut self, scenario: PathBuf, errors: Vec<Diagnostic>) {
        self.project.note_test(scenario, errors);
    }

    /// Returns the result of a request. An answer to a canceled one may lack something, and is dropped.
    fn result_unless_canceled(
        &mut self,
        method: &str,
        params: Value,
    ) -> Result<Value, (ErrorCode, String)> {
        let canceled = || Err((ErrorCode::RequestCanceled, "the request was canceled".to_owned()));
        if self.project.is_canceled() {
            return canceled();
        }
        let result = self.result(method, params);
        if self.project.is_canceled() { canceled() } else { result }
    }

    /// Returns the result of a request, or the code of an error and its message.
    fn result(&mut self, method: &str, params: Value) -> Result<Value, (ErrorCode, String)> {
        if method == request::Initialize::METHOD {
            // What the editor can do is not read: nothing here depends on it, and reading it is a lot of code.
            return to_json(initialize_result(capabilities()));
        }
        let (project, live) = (&mut self.project, &self.live);
        match method {
            Agents::METHOD => {
                return result::<Agents>(params, |of| Ok(own_requests::agents(project, of)));
            }
            ScenariosWith::METHOD => {
                return result::<ScenariosWith>(params, |of| {
                    Ok(own_requests::scenarios_with(project, of))
                });
            }
            WhyUnformatted::METHOD => {
                return result::<WhyUnformatted>(params, |of| {
                    Ok(own_requests::why_unformatted(project, of))
                });
            }
            _ => {}
        }
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
            CallHierarchyIncomingCalls => |of| Ok(calls::incoming(project, of)),
            CallHierarchyOutgoingCalls => |of| Ok(calls::outgoing(project, of)),
            CallHierarchyPrepare => |of| Ok(calls::prepare(project, of)),
            CodeActionRequest => |of| Ok(actions::actions(project, of)),
            CodeLensRequest => |of| Ok(lenses::lenses(project, of)),
            Completion => |of| Ok(completion::complete(project, of)),
            DocumentHighlightRequest => |of| Ok(navigate::highlights(project, of)),
            DocumentSymbolRequest => |of| Ok(outline::symbols(project, of)),
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
            InlineValueRequest => |of| Ok(inline_values::inline_values(project, of)),
            OnTypeFormatting => |of| Ok(formatting::on_type_formatting(project, of)),
            PrepareRenameRequest => |of| Ok(rename::prepare_rename(project, of)),
            RangeFormatting => |of| Ok(formatting::range_formatting(project, of)),
            References => |of| Ok(navigate::references(project, of)),
            Rename => |of| rename::rename(project, of).map(Some),
            SemanticTokensFullRequest => |of| Ok(semantic::tokens(project, of)),
            SignatureHelpRequest => |of| Ok(hover::signature_help(project, of)),
            WillRenameFiles => |of| Ok(moved_scripts::moved_scripts(project, of)),
            WorkspaceSymbolRequest => |of| Ok(outline::workspace_symbols(project, &of)),
        }
    }

    /// Reacts to a notification.
    fn note(&mut self, what: Notification) {
        if self.canceled.take(&what) {
            return;
        }
        let Notification { method, params } = what;
        let project = &mut self.project;
        match method.as_str() {
            notification::DidOpenTextDocument::METHOD => {
                with::<notification::DidOpenTextDocument>(params, |of| {
                    let document = of.text_document;
                    project.open(&document.uri, document.version, document.text);
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
    }
}

/// Answers a request with the result of `work` for its params. An error of `work` says why the request is refused.
pub fn respond<R: request::Request>(
    request: Request,
    work: impl FnOnce(R::Params) -> Result<R::Result, String>,
) -> Response {
    response(request.id, result::<R>(request.params, work))
}

fn response(id: RequestId, result: Result<Value, (ErrorCode, String)>) -> Response {
    match result {
        Ok(result) => Response::new_ok(id, result),
        Err((code, why)) => Response::new_err(id, code as i32, why),
    }
}

/// Returns the result of `work` for the params of a request. An error of `work` says why the request is refused.
fn result<R: request::Request>(
    params: Value,
    work: impl FnOnce(R::Params) -> Result<R::Result, String>,
) -> Result<Value, (ErrorCode, String)> {
    let params = serde_json::from_value(params)
        .map_err(|error| (ErrorCode::InvalidParams, error.to_string()))?;
    to_json(work(params).map_err(|why| (ErrorCode::RequestFailed, why))?)
}

fn to_json(result: impl Serialize) -> Result<Value, (ErrorCode, String)> {
    serde_json::to_value(result).map_err(|error| (ErrorCode::InternalError, error.to_string()))
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
