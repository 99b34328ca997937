//! Completion in scenarios where a comma is missing.

use super::client::offset;
use super::knowledge::{SCENARIO, at, open};

/// Caught: behind a value whose comma is missing, nothing was offered.
#[test]
fn fields_are_offered_where_the_comma_before_them_is_missing() {
    for (from, to, label, before) in [
        ("edge: Wrap", "edge: Wrap\n        wa‹", "way_cell", "edge: Wrap"),
        ("edge: Wrap", "edge: Wrap\n        ‹", "way_cell", "edge: Wrap"),
        ("edge: Wrap", "edge: Wrap // wraps\n        ‹\n", "way_cell", "edge: Wrap"),
        ("edge: Wrap", "edge: Wrap wa‹", "way_cell", "edge: Wrap"),
        ("\"far\": 12.0", "\"far\": 12.0\n \"‹\"", "speed", "\"far\": 12.0"),
    ] {
        let (mut client, cursor) = open(SCENARIO, from, to);
        let params = at(&client, SCENARIO, &cursor);
        let items = client.request("textDocument/completion", params);
        let item = items.as_array().into_iter().flatten().find(|item| item["label"] == label);
        let edit = &item.unwrap_or_else(|| panic!("{to}: {items:#}"))["additionalTextEdits"][0];
        let end = offset(client.text(SCENARIO), &edit["range"]["start"]);
        assert_eq!(edit["newText"], ",", "{to}");
        assert!(client.text(SCENARIO)[..end].ends_with(before), "{to}: {edit}");
    }
    for to in ["edge: Wrap ‹", "edge: Wr‹", "edge:\n        ‹ Wrap", "min: (1\n        ‹)"]
    {
        let (mut client, cursor) = open(SCENARIO, "edge: Wrap", to);
        let params = at(&client, SCENARIO, &cursor);
        let items = client.request("textDocument/completion", params);
        let mut all = items.as_array().into_iter().flatten();
        assert!(all.all(|item| item["additionalTextEdits"].is_null()), "{to}: {items:#}");
    }
}
