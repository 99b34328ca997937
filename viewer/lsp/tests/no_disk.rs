//! The server with files that are only open, as on a page: nothing of them is on a disk.
#![expect(clippy::unwrap_used, reason = "what a test sets up either works or fails the test")]
#![expect(clippy::print_stderr, reason = "a test says that it is skipped")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use flockwork_engine::check;
use flockwork_lsp::{Server, uri};
use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};

/// A server and the folder of the project, which does not exist.
struct Page {
    server: Server,
    published: Vec<(String, Vec<Value>)>,
}

impl Page {
    fn new() -> Self {
        Self { server: Server::default(), published: Vec::new() }
    }

    fn uri(path: &str) -> Value {
        json!(uri(&Path::new("/no/such/folder").join(path)).unwrap().as_str())
    }

    fn notify(&mut self, method: &str, params: Value) {
        let message = Notification { method: method.to_owned(), params }.into();
        let messages = self.server.handle(message);
        self.take(messages);
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let request = Request { id: RequestId::from(1), method: method.to_owned(), params };
        let mut messages = self.server.handle(request.into());
        let Some(Message::Response(response)) = messages.pop() else { panic!("no answer") };
        self.take(messages);
        response.response_result.unwrap()
    }

    fn take(&mut self, messages: Vec<Message>) {
        for message in messages {
            let Message::Notification(one) = message else { panic!("{message:?}") };
            let path = one.params["uri"].as_str().unwrap();
            let path = path.strip_prefix("file:///no/such/folder/").unwrap().to_owned();
            let found = one.params["diagnostics"].as_array().unwrap().clone();
            self.published.retain(|(known, _)| *known != path);
            self.published.push((path, found));
        }
    }

    fn open(&mut self, path: &str, text: &str) {
        let document =
            json!({"uri": Self::uri(path), "languageId": "", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    fn close(&mut self, path: &str) {
        let document = json!({"uri": Self::uri(path)});
        self.notify("textDocument/didClose", json!({"textDocument": document}));
    }

    fn check(&mut self) {
        while self.server.is_waiting() {
            let messages = self.server.check_some();
            self.take(messages);
        }
    }

    /// Returns the texts of all findings with their files and lines, from 0.
    fn found(&self) -> BTreeSet<(String, u64, String)> {
        let of_file = |(path, found): &(String, Vec<Value>)| {
            let one = |one: &Value| {
                let text = one["message"].as_str().unwrap().to_owned();
                (path.clone(), one["range"]["start"]["line"].as_u64().unwrap(), text)
            };
            found.iter().map(one).collect::<Vec<_>>()
        };
        self.published.iter().flat_map(of_file).collect()
    }

    fn messages(&self, path: &str) -> Vec<String> {
        let here = self.found().into_iter().filter(|(of, ..)| of == path);
        here.map(|(_, _, message)| message).collect()
    }
}

const SCENARIO: &str = r#"(
    world: (size: (100, 100)),
    groups: { "bird": (behavior: "fly", spawn: Points([(9, 9)]), body: (max_speed: 9, max_force: 9)) },
)
"#;

/// Broken scripts have the same findings as from a disk.
#[test]
fn mistakes_are_the_same_without_a_disk() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/tests/mistakes/scripts");
    if !folder.is_dir() {
        eprintln!("skipped: this is not a checkout of the repository");
        return;
    }
    let folder = folder.canonicalize().unwrap();
    let mut page = Page::new();
    let mut expected = BTreeSet::new();
    let mut count = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "rhai") {
            continue;
        }
        count += 1;
        let name = |path: &Path| format!("scripts/{}", path.file_name().unwrap().to_str().unwrap());
        page.open(&name(&path), &fs::read_to_string(&path).unwrap());
        for finding in check(&path).iter().filter(|one| !one.code.is_about_speed()) {
            let place = finding.place.as_ref().unwrap();
            let (line, _) = place.source.line_column(place.span.start);
            let file = name(Path::new(&place.source.name));
            // "opened here" says nothing beside "this `(` is not closed".
            let says_nothing = ["", "opened here", "it starts here", "it ends here", "this one"];
            let needs_label = !says_nothing.contains(&&*finding.label);
            let mut lines = vec![finding.message.clone()];
            lines.extend(needs_label.then(|| finding.label.clone()));
            lines.extend(finding.help.iter().map(|help| format!("help: {help}")));
            expected.insert((file, line as u64 - 1, lines.join("\n")));
        }
    }
    page.check();
    assert!(count > 100 && expected.len() > 100, "{count} scripts, {} findings", expected.len());
    let found = page.found();
    let more: Vec<_> = found.difference(&expected).collect();
    let less: Vec<_> = expected.difference(&found).collect();
    assert!(
        more.is_empty() && less.is_empty(),
        "only without a disk: {more:?}\nonly with: {less:?}"
    );
}

/// Caught that a scenario kept the finding about a missing script if no folder of scripts was there when it was checked.
#[test]
fn scripts_may_appear_and_go() {
    let mut page = Page::new();
    page.open("scenarios/a.ron", SCENARIO);
    page.check();
    let messages = page.messages("scenarios/a.ron");
    assert!(messages.iter().any(|one| one.contains("fly")), "{messages:?}");
    page.open("scripts/fly.rhai", "fn steer(me) { me.wander() }");
    page.check();
    assert_eq!(page.found(), BTreeSet::new());
    page.close("scripts/fly.rhai");
    page.check();
    let messages = page.messages("scenarios/a.ron");
    assert!(messages.iter().any(|one| one.contains("fly")), "{messages:?}");
}

/// Caught that a renaming was tried in files beside the open ones.
#[test]
fn a_script_is_renamed_with_its_uses() {
    let mut page = Page::new();
    page.open("scenarios/a.ron", SCENARIO);
    page.open("scripts/fly.rhai", "import \"calm\" as calm;\nfn steer(me) { calm::stay(me) }");
    page.open("scripts/calm.rhai", "fn stay(me) { me.wander() }");
    page.check();
    assert_eq!(page.found(), BTreeSet::new());
    let position = json!({"line": 0, "character": 9});
    let document = json!({"uri": Page::uri("scripts/fly.rhai")});
    let params = json!({"textDocument": document, "position": position, "newName": "still"});
    let edit = page.request("textDocument/rename", params);
    let changes = edit["documentChanges"].as_array().unwrap();
    assert!(
        changes.iter().any(|one| one["newUri"] == Page::uri("scripts/still.rhai")),
        "{changes:?}"
    );
    assert!(changes.iter().any(|one| one["edits"][0]["newText"] == "still"), "{changes:?}");
}

/// The file that the user looks at is told before others are checked.
#[test]
fn the_opened_file_is_told_first() {
    let mut page = Page::new();
    for name in ["b", "c", "d"] {
        page.open(&format!("scripts/{name}.rhai"), "fn help(me) { me.wander() }");
    }
    page.check();
    page.open("scripts/fly.rhai", "fn steer(me) { me.wandr() }");
    let messages = page.server.check_some();
    page.take(messages);
    assert_eq!(page.messages("scripts/fly.rhai").len(), 1, "{:?}", page.published);
    assert!(page.server.is_waiting(), "the other files may name it");
    page.check();
    assert!(!page.server.is_waiting());
}

/// Returns a page on which several scenarios with the same script are open, and the script last.
fn many(count: usize) -> Page {
    let mut page = Page::new();
    for i in 0..count {
        page.open(&format!("scenarios/s{i}.ron"), SCENARIO);
    }
    page.open("scripts/fly.rhai", "fn steer(me) { vec(1, 0) }\n");
    page.check();
    page
}

/// Caught: the first findings came when all open scenarios with a script had been checked, for 50 of them after more than a second.
#[test]
fn the_visible_file_is_checked_first() {
    let mut page = many(20);
    page.published.clear();
    let document = json!({"uri": Page::uri("scripts/fly.rhai"), "version": 2});
    let change = json!([{"text": "fn steer(me) { vec(me.params.push, 0) }\n"}]);
    page.notify(
        "textDocument/didChange",
        json!({"textDocument": document, "contentChanges": change}),
    );
    // The script itself, and the scenario with it that was opened last.
    let messages = page.server.check_some();
    page.take(messages);
    assert!(page.server.is_waiting());
    assert!(page.messages("scripts/fly.rhai")[0].starts_with("group `bird` has no param `push`"));
    page.check();
    assert_eq!(page.messages("scripts/fly.rhai").len(), 1);
    // One problem, where the mistake was made, not one for each group.
    assert_eq!(page.found().len(), 1, "{:?}", page.found());
}

/// Caught: the first answer waited for a check of all files, and later for a check of the visible ones.
#[test]
fn an_answer_needs_no_check() {
    let mut page = many(2);
    page.open("scripts/fly.rhai", "fn steer(me) { vec(me.params.push, 0) }\n");
    let document = json!({"uri": Page::uri("scripts/fly.rhai")});
    let position = json!({"line": 0, "character": 5});
    let params = json!({"textDocument": document, "position": position});
    for method in ["hover", "completion", "definition"] {
        page.request(&format!("textDocument/{method}"), params.clone());
    }
    let mut steps = 0;
    while page.server.is_waiting() {
        page.server.check_some();
        steps += 1;
    }
    assert!(steps > 1, "the visible files and the others still wait");
}

#[test]
fn a_canceled_request_is_not_answered() {
    let mut page = many(1);
    for id in [json!(1), json!("one")] {
        page.notify("$/cancelRequest", json!({"id": id}));
        let id = match id.as_str() {
            Some(text) => RequestId::from(text.to_owned()),
            None => RequestId::from(1),
        };
        let params = json!({"textDocument": {"uri": Page::uri("scripts/fly.rhai")}});
        let mut ask = || {
            let method = "textDocument/foldingRange".to_owned();
            let request = Request { id: id.clone(), method, params: params.clone() };
            match page.server.handle(request.into()).pop() {
                Some(Message::Response(response)) => response.response_result,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(ask().unwrap_err().code, -32800);
        // The next one may have the same id.
        assert!(ask().is_ok());
    }
}
