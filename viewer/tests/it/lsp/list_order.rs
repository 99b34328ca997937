//! What completion lists first, and how entries with the same name differ.

use serde_json::Value;

use super::client::{Client, position};
use super::knowledge::{SCENARIO, SCRIPT, at, open, project};

/// Returns what is offered at the cursor of a text in place of a line of the script.
fn offered(text: &str) -> Vec<Value> {
    let (mut client, cursor) = open(SCRIPT, "    me.state.count += 1;\n", &format!("    {text}\n"));
    let params = at(&client, SCRIPT, &cursor);
    client.request("textDocument/completion", params).as_array().unwrap().clone()
}

/// Caught: the property and the function looked the same.
#[test]
fn functions_have_their_parameters_behind_their_names() {
    for (text, label, expected) in [
        ("near.‹;", "nearest", &["", "(count)"][..]),
        ("me.‹;", "neighbors", &["(…)"]),
        ("me.‹;", "seek", &["(target, speed = me.max_speed)"]),
        ("me.‹;", "pos", &[""]),
        ("let a = ‹;", "vec", &["(x, y)"]),
        ("tools::‹;", "calm", &["(me, count)", "(me)"]),
    ] {
        let all = offered(text).into_iter().filter(|item| item["label"] == label);
        let details =
            all.map(|item| item["labelDetails"]["detail"].as_str().unwrap_or_default().to_owned());
        let mut details: Vec<String> = details.collect();
        details.sort();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(details, expected, "{text} {label}");
    }
}

#[test]
fn groups_with_the_script_come_first() {
    let project = project();
    let scenario = project.read(SCENARIO).replace("\"sheep\": (", "\"ant\": (), \"sheep\": (");
    let project = project.with(SCENARIO, scenario);
    let text = project.read(SCRIPT).replace("me.state.count += 1;", "me.neighbors().of(\"\");");
    let cursor = text.find("\"\");").unwrap() + 1;
    let mut client = Client::start(&project);
    client.open(SCRIPT, &text);
    let params = at(&client, SCRIPT, &position(&text, cursor));
    // Before the check of the files and after it.
    for _ in 0..2 {
        let items = client.request("textDocument/completion", params.clone());
        let key = |item: &Value| item["sortText"].as_str().unwrap().to_owned();
        let mut items = items.as_array().unwrap().clone();
        items.sort_by_key(key);
        let labels: Vec<&str> = items.iter().filter_map(|item| item["label"].as_str()).collect();
        assert_eq!(labels, ["sheep", "ant", "wolf"]);
        client.wait(SCRIPT);
    }
}
