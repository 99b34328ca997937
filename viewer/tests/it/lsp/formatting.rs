//! Formatting a whole file in an editor.

use serde_json::{Value, json};

use super::client::{Client, position};
use crate::project::Project;

const SCRIPT: &str = "scripts/walk.rhai";

/// Formats the text that the editor has, and returns the edits.
fn format(client: &mut Client) -> Value {
    let options = json!({"tabSize": 8, "insertSpaces": false});
    let params = json!({"textDocument": {"uri": client.uri(SCRIPT)}, "options": options});
    let edits = client.request("textDocument/formatting", params);
    if !edits.is_null() {
        let uri = client.uri(SCRIPT);
        client.apply(&json!({"changes": {uri: edits}}));
    }
    edits
}

#[test]
fn an_editor_gets_what_the_command_would_write() {
    let project = Project::two();
    let mut client = Client::start(&project);
    let text =
        "\u{feff} fn steer(me) {\n  let a = [1,2]; // 🐦,x \n\n\n\tvec(a[0],a[1]) /* 🐦 */ }";
    client.open(SCRIPT, text);
    let edits = format(&mut client);
    let formatted =
        "\u{feff}fn steer(me) {\n    let a = [1, 2]; // 🐦,x\n\n    vec(a[0], a[1]) /* 🐦 */\n}\n";
    assert_eq!(client.text(SCRIPT), formatted);
    let changed: Vec<&Value> =
        edits.as_array().unwrap().iter().map(|edit| &edit["newText"]).collect();
    assert!(changed.iter().all(|text| text.as_str().unwrap().trim().is_empty()), "{edits}");
    assert_eq!(format(&mut client), json!([]));
    assert_eq!(why_unformatted(&mut client), Value::Null);
    // With a syntax error nothing changes; the finding says why.
    client.edit(SCRIPT, "a[1])", "a[1]");
    assert_eq!(format(&mut client), Value::Null);
    let why = "walk.rhai is not formatted: line 4 has a mistake";
    assert_eq!(why_unformatted(&mut client), why);
}

/// Returns why the text is not formatted, as the extension for VS Code asks for it.
fn why_unformatted(client: &mut Client) -> Value {
    let params = json!({"textDocument": {"uri": client.uri(SCRIPT)}});
    client.request("flockwork/whyUnformatted", params)
}

/// Sends a request about formatting, and applies the edits.
fn edited(client: &mut Client, method: &str, params: &Value) -> String {
    let document = json!({"uri": client.uri(SCRIPT)});
    let mut all =
        json!({"textDocument": document, "options": {"tabSize": 8, "insertSpaces": false}});
    all.as_object_mut().unwrap().extend(params.as_object().unwrap().clone());
    let edits = client.request(method, all);
    let uri = client.uri(SCRIPT);
    client.apply(&json!({"changes": {uri: edits}}));
    client.text(SCRIPT).to_owned()
}

#[test]
fn the_lines_of_a_range_are_formatted() {
    let mut client = Client::start(&Project::two());
    client.open(SCRIPT, "fn steer(me) {\n  let a=1;\n  let b=2;\n  vec(a,b)\n}\n");
    let at = |line: u32| json!({"line": line, "character": 3});
    let range = json!({"range": {"start": at(2), "end": at(2)}});
    assert_eq!(
        edited(&mut client, "textDocument/rangeFormatting", &range),
        "fn steer(me) {\n  let a=1;\n    let b = 2;\n  vec(a,b)\n}\n"
    );
}

/// While a script is written, it has errors.
#[test]
fn what_is_typed_is_formatted() {
    for (text, sign, expected) in [
        ("fn steer(me) {\nlet a=1;‹", ";", "fn steer(me) {\n    let a = 1;"),
        ("fn steer(me) {\n    if me {\n‹", "\n", "fn steer(me) {\n    if me {\n        "),
        ("fn steer(me) {\n    let a = 1;\n        ‹}", "\n", "fn steer(me) {\n    let a = 1;\n}"),
        (
            "fn steer(me) {\n  x=1;\n  if me{\n  a();\n  }‹\n  y=2;",
            "}",
            "fn steer(me) {\n  x=1;\n    if me {\n        a();\n    }\n  y=2;",
        ),
    ] {
        let mut client = Client::start(&Project::two());
        let offset = text.find('‹').unwrap();
        client.open(SCRIPT, &text.replace('‹', ""));
        let position = position(client.text(SCRIPT), offset);
        let params = json!({"position": position, "ch": sign});
        assert_eq!(edited(&mut client, "textDocument/onTypeFormatting", &params), expected);
    }
}
