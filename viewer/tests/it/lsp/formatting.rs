//! Formatting a whole file in an editor.

use serde_json::{Value, json};

use super::client::Client;
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
        "\u{feff}fn steer(me) {\n    let a = [1, 2]; // 🐦,x\n\n    vec(a[0], a[1]) /* 🐦 */ }\n";
    assert_eq!(client.text(SCRIPT), formatted);
    let changed: Vec<&Value> =
        edits.as_array().unwrap().iter().map(|edit| &edit["newText"]).collect();
    assert!(changed.iter().all(|text| text.as_str().unwrap().trim().is_empty()), "{edits}");
    assert_eq!(format(&mut client), json!([]));
    // With a syntax error nothing changes; the finding says why.
    client.edit(SCRIPT, "a[1])", "a[1]");
    assert_eq!(format(&mut client), Value::Null);
}
