//! Random edits of shipped files: the server keeps answering, and finds what a fresh `check` finds.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::{Value, json};

use super::client::{Client, position};
use super::mistakes::{found_on_disk, published};
use crate::project::{Project, skipped};

/// Shipped files that use each other, and most features.
const FILES: &[&str] = &[
    "scenarios/night_watch.ron",
    "scenarios/guard_dog.ron",
    "scenarios/predators.ron",
    "scripts/sneak.rhai",
    "scripts/patrol.rhai",
    "scripts/guard_dog.rhai",
    "scripts/predators.rhai",
];

/// The strings that are inserted: signs that open and close something, parts of both languages, and letters of several bytes.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    ",",
    ":",
    ";",
    ".",
    "//",
    "/*",
    "*/",
    "\n",
    " ",
    "`",
    "#",
    "=",
    "-",
    "1e9",
    "0",
    "ü",
    "🐦",
    "me",
    "me.",
    "me.params.",
    "world",
    "let x = ",
    "fn f(me) {",
    "if ",
    "import \"",
    "spawn",
    "Disc(",
    "params: {",
    "behavior: \"",
    "::",
    "..",
    "return",
    "\r\n",
];

/// A change of a file: where it begins, as a part of the length of the text, how many bytes go, and what comes.
#[derive(Clone, Debug)]
struct Edit {
    file: usize,
    at: f64,
    removed: usize,
    piece: usize,
    request: usize,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let removed = prop_oneof![4 => Just(0usize), 4 => 1..4usize, 1 => 4..200usize];
    let edit = (0..FILES.len(), 0.0..1.0f64, removed, 0..=PIECES.len(), 0..REQUESTS.len());
    let edit = edit.prop_map(|(file, at, removed, piece, request)| Edit {
        file,
        at,
        removed,
        piece,
        request,
    });
    prop::collection::vec(edit, 1..25)
}

const REQUESTS: &[&str] = &[
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/semanticTokens/full",
    "textDocument/prepareCallHierarchy",
    "workspace/symbol",
];

fn ask(client: &mut Client, path: &str, at: &Value, method: &str) {
    let params = json!({
        "textDocument": {"uri": client.uri(path)},
        "position": at,
        "range": {"start": at, "end": at},
        "context": {"includeDeclaration": true, "diagnostics": []},
        "newName": "renamed",
        "query": "a",
    });
    client.request(method, params);
}

/// Returns the start of the character that a byte offset is in. No editor has a position inside of `\r\n`.
fn floor_line_break(text: &str, offset: usize) -> usize {
    let offset = text.floor_char_boundary(offset.min(text.len()));
    if text[..offset].ends_with('\r') && text[offset..].starts_with('\n') {
        offset - 1
    } else {
        offset
    }
}

/// Returns the findings in the open files of the client, by a fresh check of files on disk.
fn fresh(client: &Client, project: &Project) -> BTreeSet<String> {
    for file in FILES {
        fs::write(project.path(file), client.text(file)).unwrap();
    }
    found_on_disk(project, FILES).iter().map(Value::to_string).collect()
}

proptest! {
    #![proptest_config(Config { cases: 24, ..Config::default() })]

    #[test]
    fn any_edits_end_in_the_findings_of_a_fresh_check(edits in edits()) {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        if !top.join("scenarios/night_watch.ron").is_file() {
            skipped("this is not a checkout of the repository");
            return Ok(());
        }
        let mut project = Project::empty();
        for file in FILES {
            project = project.with(file, fs::read(top.join(file)).unwrap());
        }
        let mut client = Client::start(&project);
        for file in FILES {
            client.open(file, &project.read(file));
        }
        let mut last = FILES[0];
        for edit in edits {
            last = FILES[edit.file];
            let text = client.text(last).to_owned();
            let start = floor_line_break(&text, (text.len() as f64 * edit.at) as usize);
            let end = floor_line_break(&text, start + edit.removed).max(start);
            let piece = PIECES.get(edit.piece).copied().unwrap_or_default();
            client.replace(last, start..end, piece);
            let at = floor_line_break(client.text(last), start + piece.len());
            let at = position(client.text(last), at);
            ask(&mut client, last, &at, REQUESTS[edit.request]);
        }
        client.wait(last);
        let reported: BTreeSet<String> = published(&client).iter().map(Value::to_string).collect();
        let expected = fresh(&client, &project);
        prop_assert_eq!(reported, expected);
        prop_assert_eq!(client.end(), Some(0));
    }
}
