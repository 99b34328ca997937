//! Outlines, folds, symbols of all files and calls.

use serde_json::{Value, json};

use super::client::position;
use super::knowledge::{SCENARIO, SCRIPT, WALK, all_open, at};

#[test]
fn files_have_an_outline_and_folds() {
    let mut client = all_open();
    let mut ask = |method: &str, path: &str| {
        let params = json!({"textDocument": {"uri": client.uri(path)}});
        client.request(method, params)
    };
    let names = |symbols: &Value| -> Vec<String> {
        symbols
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let symbols = ask("textDocument/documentSymbol", SCENARIO);
    assert_eq!(names(&symbols), ["rock", "round", "wind", "speed", "sheep", "wolf"]);
    assert_eq!(names(&symbols[4]["children"]), ["far", "alarm"]);
    assert_eq!(names(&ask("textDocument/documentSymbol", SCRIPT)), ["LIMIT", "init", "steer"]);
    let lines = |folds: &Value| -> Vec<(u64, u64)> {
        let line = |fold: &Value, name: &str| fold[name].as_u64().unwrap();
        let all = folds.as_array().unwrap().iter();
        all.map(|fold| (line(fold, "startLine"), line(fold, "endLine"))).collect()
    };
    assert!(lines(&ask("textDocument/foldingRange", SCENARIO)).contains(&(6, 9)));
    assert!(lines(&ask("textDocument/foldingRange", SCRIPT)).contains(&(5, 10)));
}

/// Returns the names in a list, each with what else tells it apart.
fn names_with(found: &Value, of: &str, more: &str) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let one = |one: &Value| {
        let one = if of.is_empty() { one } else { &one[of] };
        format!("{} {}", text(&one["name"]), text(&one[more]))
    };
    found.as_array().unwrap().iter().map(one).collect()
}

#[test]
fn symbols_of_all_files_are_found_by_their_letters() {
    let mut client = all_open();
    let mut ask = |query: &str| {
        names_with(
            &client.request("workspace/symbol", json!({ "query": query })),
            "",
            "containerName",
        )
    };
    assert_eq!(ask("ster"), ["steer walk.rhai"]);
    assert_eq!(ask("FAR"), ["far sheep in herd.ron"]);
    assert_eq!(ask("calm"), ["calm tools.rhai", "calm tools.rhai"]);
    assert_eq!(ask("xyz"), [""; 0]);
    assert!(ask("").len() > 8);
}

#[test]
fn calls_lead_from_scenarios_into_functions_of_other_scripts() {
    let mut client = all_open();
    let mut prepared = |path: &str, text: &str, name: &str| {
        let place = position(text, text.find(name).unwrap());
        let params = at(&client, path, &place);
        let found = client.request("textDocument/prepareCallHierarchy", params);
        found[0].clone()
    };
    let steer = prepared(SCRIPT, WALK, "steer");
    let calm = prepared(SCRIPT, WALK, "calm");
    assert_eq!(calm["detail"], "(me, count) in tools.rhai");
    // A variable has no calls.
    assert_eq!(prepared(SCRIPT, WALK, "near ="), Value::Null);
    let mut calls = |way: &str, item: &Value| {
        let found = client.request(&format!("callHierarchy/{way}Calls"), json!({ "item": item }));
        let of = if way == "incoming" { "from" } else { "to" };
        (names_with(&found, of, "detail"), found)
    };
    let (names, found) = calls("incoming", &calm);
    assert_eq!(names, ["steer (me) in walk.rhai"]);
    assert_eq!(found[0]["fromRanges"][0]["start"], json!({"line": 10, "character": 11}));
    assert_eq!(calls("outgoing", &steer).0, ["calm (me, count) in tools.rhai"]);
    assert_eq!(calls("incoming", &steer).0, ["sheep herd.ron"]);
    assert_eq!(calls("outgoing", &calm).0, [""; 0]);
}
