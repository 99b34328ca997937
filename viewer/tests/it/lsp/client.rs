//! A client of the language server: it speaks with the program over pipes.

use std::collections::BTreeMap;
use std::io::{BufReader, BufWriter};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use crate::project::Project;

/// An editor with the project of a test. It names files by their paths in the project.
pub(crate) struct Client {
    server: Child,
    to: BufWriter<ChildStdin>,
    from: Receiver<Message>,
    root: PathBuf,
    /// The text of each open file, and its version.
    open: BTreeMap<String, (i32, String)>,
    /// The last findings of each file, and their version.
    published: BTreeMap<String, (Option<i64>, Vec<Value>)>,
    requests: i32,
    /// The requests of the server: methods and params.
    asked: Vec<(String, Value)>,
    /// The messages to the user: their kinds and contents.
    shown: Vec<(i64, String)>,
    /// The capabilities of the server.
    capabilities: Value,
    /// Keeps the folder of the project.
    project: Option<Project>,
}

impl Client {
    /// Starts the server for a project.
    pub(crate) fn start(project: &Project) -> Self {
        Self::start_with(project, json!({}))
    }

    /// Starts the server for an editor with some capabilities.
    pub(crate) fn start_with(project: &Project, capabilities: Value) -> Self {
        Self::start_in(project, capabilities, &[])
    }

    /// Starts the server in an environment.
    pub(crate) fn start_in(project: &Project, capabilities: Value, env: &[(&str, &str)]) -> Self {
        let mut server = Command::new(snapbox::cmd::cargo_bin!("flockwork"))
            .arg("lsp")
            .current_dir(project.path(""))
            .env("XDG_RUNTIME_DIR", project.path("runtime"))
            .env("XDG_STATE_HOME", project.path("state"))
            .envs(env.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let to = BufWriter::new(server.stdin.take().unwrap());
        let mut out = BufReader::new(server.stdout.take().unwrap());
        let (sender, from) = channel();
        thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut out) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let root = project.path("").canonicalize().unwrap();
        let (open, published) = Default::default();
        let mut this = Self {
            server,
            to,
            from,
            root,
            open,
            published,
            requests: 0,
            asked: Vec::new(),
            shown: Vec::new(),
            capabilities: Value::Null,
            project: None,
        };
        let params = json!({"capabilities": capabilities, "rootUri": this.uri("")});
        this.capabilities = this.request("initialize", params)["capabilities"].take();
        this.notify("initialized", json!({}));
        this
    }

    /// Returns what the numbers of semantic tokens mean.
    pub(crate) fn legend(&self) -> &Value {
        &self.capabilities["semanticTokensProvider"]["legend"]
    }

    /// Takes the project, so that its folder stays as long as the client.
    pub(crate) fn with_project(mut self, project: Project) -> Self {
        self.project = Some(project);
        self
    }

    /// Returns the URI of a file.
    pub(crate) fn uri(&self, path: &str) -> String {
        let path = self.root.join(path).display().to_string().replace('\\', "/");
        let path = path.trim_start_matches("//?").replace(' ', "%20");
        format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" })
    }

    /// Returns the path in the project of a URI.
    pub(crate) fn path(&self, uri: &str) -> String {
        let path = uri.strip_prefix(&self.uri("")).unwrap_or(uri);
        path.trim_start_matches('/').replace("%20", " ")
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        let message = Message::from(Notification::new(method.to_owned(), params));
        message.write(&mut self.to).unwrap();
    }

    /// Sends a request and returns its result.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        let message = Message::from(Request::new(id.clone(), method.to_owned(), params));
        message.write(&mut self.to).unwrap();
        loop {
            match self.from.recv().expect("the server ended") {
                Message::Response(response) => {
                    assert_eq!(response.id, id);
                    return response.response_result.unwrap_or_else(|error| json!(error.message));
                }
                message => self.take(message),
            }
        }
    }

    /// Waits until the server asks the editor for something that it has not asked for before the last call, and returns the params.
    pub(crate) fn wait_for_request(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.asked.iter().position(|(known, _)| known == method) {
                return self.asked.remove(at).1;
            }
            let message = self.from.recv().expect("the server ended");
            self.take(message);
        }
    }

    /// Waits for the next message to the user that has a kind: 1 is an error, 3 is information.
    pub(crate) fn wait_for_message(&mut self, kind: i64) -> String {
        loop {
            if let Some(place) = self.shown.iter().position(|(of, _)| *of == kind) {
                return self.shown.remove(place).1;
            }
            let message = self.from.recv().expect("the server ended");
            self.take(message);
        }
    }

    fn take(&mut self, message: Message) {
        let Message::Notification(Notification { method, params }) = message else {
            if let Message::Request(Request { method, params, .. }) = message {
                self.asked.push((method, params));
            }
            return;
        };
        if method == "window/showMessage" {
            let text = params["message"].as_str().unwrap().to_owned();
            self.shown.push((params["type"].as_i64().unwrap(), text));
        } else if method == "textDocument/publishDiagnostics" {
            let path = self.path(params["uri"].as_str().unwrap());
            let found = params["diagnostics"].as_array().unwrap().clone();
            self.published.insert(path, (params["version"].as_i64(), found));
        }
    }

    pub(crate) fn open(&mut self, path: &str, text: &str) {
        let version = self.open.get(path).map_or(1, |(version, _)| version + 1);
        self.open.insert(path.to_owned(), (version, text.to_owned()));
        let language = path.rsplit('.').next().unwrap();
        let document = json!({"uri": self.uri(path), "languageId": language, "version": version, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Closes a file. It keeps its text and its version here, for the next time that it is opened.
    pub(crate) fn close(&mut self, path: &str) {
        let params = json!({"textDocument": {"uri": self.uri(path)}});
        self.notify("textDocument/didClose", params);
    }

    /// Replaces the text of an open file.
    pub(crate) fn change(&mut self, path: &str, text: &str) {
        self.send_change(path, text, json!({"text": text}));
    }

    /// Replaces the first place that reads like `from`, as an editor sends it.
    pub(crate) fn edit(&mut self, path: &str, from: &str, to: &str) {
        let (_, text) = &self.open[path];
        let at = text.find(from).unwrap();
        self.replace(path, at..at + from.len(), to);
    }

    /// Replaces a range of bytes, as an editor sends it.
    pub(crate) fn replace(&mut self, path: &str, span: std::ops::Range<usize>, to: &str) {
        let mut text = self.text(path).to_owned();
        let range = json!({"start": position(&text, span.start), "end": position(&text, span.end)});
        text.replace_range(span, to);
        self.send_change(path, &text, json!({"range": range, "text": to}));
    }

    /// Applies an edit of several files, which must be open.
    pub(crate) fn apply(&mut self, edit: &Value) {
        if let Some(operations) = edit["documentChanges"].as_array() {
            for one in operations {
                if one["kind"] == "rename" {
                    let [old, new] =
                        ["oldUri", "newUri"].map(|key| self.path(one[key].as_str().unwrap()));
                    let text = self.text(&old).to_owned();
                    self.close(&old);
                    let folder = self.root.join(&new);
                    std::fs::create_dir_all(folder.parent().unwrap()).unwrap();
                    std::fs::remove_file(self.root.join(&old)).unwrap();
                    self.changed_on_disk(&old, 3);
                    self.open(&new, &text);
                    continue;
                }
                if one["kind"] == "create" {
                    let path = self.path(one["uri"].as_str().unwrap());
                    self.open(&path, "");
                    continue;
                }
                let uri = one["textDocument"]["uri"].as_str().unwrap();
                self.apply(&json!({"changes": {uri: one["edits"]}}));
            }
            return;
        }
        for (uri, edits) in edit["changes"].as_object().unwrap() {
            let path = self.path(uri);
            let text = self.text(&path).to_owned();
            let mut edits: Vec<_> = edits
                .as_array()
                .unwrap()
                .iter()
                .map(|edit| {
                    let range = &edit["range"];
                    let span = offset(&text, &range["start"])..offset(&text, &range["end"]);
                    (span, edit["newText"].as_str().unwrap().to_owned())
                })
                .collect();
            // From the last one on, so that the others stay in their places.
            edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
            for (span, new) in edits {
                self.replace(&path, span, &new);
            }
        }
    }

    /// Returns the text of an open file.
    pub(crate) fn text(&self, path: &str) -> &str {
        &self.open[path].1
    }

    fn send_change(&mut self, path: &str, text: &str, change: Value) {
        let open = self.open.get_mut(path).unwrap();
        *open = (open.0 + 1, text.to_owned());
        let document = json!({"uri": self.uri(path), "version": self.open[path].0});
        let params = json!({"textDocument": document, "contentChanges": [change]});
        self.notify("textDocument/didChange", params);
    }

    pub(crate) fn changed_on_disk(&mut self, path: &str, kind: u32) {
        let change = json!({"uri": self.uri(path), "type": kind});
        self.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
    }

    /// Waits until the server has published what it finds in the current version of an open file, and in all others.
    pub(crate) fn wait(&mut self, path: &str) {
        self.wait_for_first(path);
        // This request needs all checks, and the server tells their findings before it answers.
        let params = json!({
            "textDocument": {"uri": self.uri(path)},
            "position": {"line": 0, "character": 0},
            "context": {"includeDeclaration": true},
        });
        self.request("textDocument/references", params);
    }

    /// Returns what the server says about the first place of an open file that reads like a text.
    pub(crate) fn hover_at(&mut self, path: &str, text: &str) -> Value {
        let at = self.text(path).find(text).unwrap();
        let position = position(self.text(path), at);
        let document = json!({"uri": self.uri(path)});
        self.request("textDocument/hover", json!({"textDocument": document, "position": position}))
    }

    /// Waits until the server has published what it finds in the current version of an open file alone.
    pub(crate) fn wait_for_first(&mut self, path: &str) {
        let version = i64::from(self.open[path].0);
        while self.published.get(path).and_then(|(version, _)| *version) != Some(version) {
            let message = self.from.recv().expect("the server ended");
            self.take(message);
        }
    }

    /// Waits until a file has a finding, and returns the first one.
    pub(crate) fn wait_for_finding(&mut self, path: &str) -> Value {
        while self.found(path).is_empty() {
            let message = self.from.recv().expect("the server ended");
            self.take(message);
        }
        self.found(path).remove(0)
    }

    /// Returns the path of a file on disk.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Returns the findings of a file.
    pub(crate) fn found(&self, path: &str) -> Vec<Value> {
        self.published.get(path).map_or_else(Vec::new, |(_, found)| found.clone())
    }

    /// Returns the files with findings.
    pub(crate) fn files(&self) -> Vec<String> {
        let all = self.published.iter().filter(|(_, (_, found))| !found.is_empty());
        all.map(|(path, _)| path.clone()).collect()
    }

    pub(crate) fn messages(&self, path: &str) -> Vec<String> {
        let text = |one: &Value| one["message"].as_str().unwrap().to_owned();
        self.found(path).iter().map(text).collect()
    }

    pub(crate) fn codes(&self, path: &str) -> Vec<String> {
        let text = |one: &Value| one["code"].as_str().unwrap().to_owned();
        self.found(path).iter().map(text).collect()
    }

    /// Returns the most memory that the server has had so far, in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// Ends the session as the protocol says, and returns the exit code. An answer that comes late and a question that
    /// comes too late change nothing.
    pub(crate) fn end(mut self) -> Option<i32> {
        self.request("shutdown", Value::Null);
        let late = Response::new_ok(RequestId::from("watch files".to_owned()), Value::Null);
        Message::from(late).write(&mut self.to).unwrap();
        let refused = self.request("textDocument/hover", Value::Null);
        assert_eq!(refused, "the server has been shut down");
        self.notify("exit", Value::Null);
        self.server.wait().unwrap().code()
    }

    /// Closes the connection without a message, and returns the exit code.
    pub(crate) fn leave(mut self) -> Option<i32> {
        drop(self.to);
        self.server.wait().unwrap().code()
    }
}

/// Returns the byte offset of a position.
pub(crate) fn offset(text: &str, at: &Value) -> usize {
    let line = at["line"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let column = at["character"].as_u64().unwrap() as usize;
    let line = &text[start..];
    let mut columns = 0;
    let before = line.chars().take_while(|letter| {
        columns += letter.len_utf16();
        columns <= column
    });
    start + before.map(char::len_utf8).sum::<usize>()
}

/// Returns the position of a byte offset: its line and its column in UTF-16.
pub(crate) fn position(text: &str, offset: usize) -> Value {
    let line = text[..offset].matches('\n').count();
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    json!({"line": line, "character": text[start..offset].encode_utf16().count()})
}
