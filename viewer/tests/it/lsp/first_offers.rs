//! What completion offers first, and what is written then, at the places where a script or a scenario is begun.

use serde_json::{Value, json};

use super::client::{Client, offset, position};
use crate::project::Project;

const SCENARIO: &str = "scenarios/a.ron";
const SCRIPT: &str = "scripts/flock.rhai";
const STEER: &str = "fn steer(me) {\n    me.wander()\n}\n";

const TEXT: &str = r#"(
    ticks: 60,
    world: (size: (800, 600), edge: Open),
    groups: {
        "guests": (
            behavior: "flock", count: 1, spawn: Disc(center: (100, 100), radius: 50),
            body: (radius: 4, max_speed: 60, max_force: 120),
        ),
    },
)
"#;

/// An editor with a file, and the place in it where something is typed.
struct Place {
    client: Client,
    path: &'static str,
    text: String,
    cursor: usize,
}

impl Place {
    /// Opens a text of a file, with `‹` at the cursor, in an editor that knows snippets or does not.
    fn new(path: &'static str, text: &str, has_snippets: bool) -> Self {
        let cursor = text.find('‹').unwrap();
        let text = text.replace('‹', "");
        let project = Project::empty().with(SCRIPT, STEER).with(SCENARIO, TEXT).with(path, &text);
        let item = json!({"snippetSupport": has_snippets});
        let capabilities = json!({"textDocument": {"completion": {"completionItem": item}}});
        let mut client = Client::start_with(&project, capabilities).with_project(project);
        client.open(path, &text);
        Self { client, path, text, cursor }
    }

    /// Returns what is offered, the likeliest first.
    fn offers(&mut self) -> Vec<Value> {
        let params = json!({
            "textDocument": {"uri": self.client.uri(self.path)},
            "position": position(&self.text, self.cursor),
        });
        let items = self.client.request("textDocument/completion", params);
        let mut items = items.as_array().cloned().unwrap_or_default();
        items.sort_by_key(|item| item["sortText"].as_str().unwrap().to_owned());
        items
    }

    /// Returns the text after something that is offered was chosen, with what it offers first at each place.
    fn chosen(&self, item: &Value) -> String {
        let edit = &item["textEdit"];
        let [start, end] = ["start", "end"].map(|side| offset(&self.text, &edit["range"][side]));
        let new = edit["newText"].as_str().unwrap();
        let new = match item["insertTextFormat"].as_u64() {
            Some(2) => super::snippets::filled(new),
            _ => new.to_owned(),
        };
        format!("{}{new}{}", &self.text[..start], &self.text[end..])
    }

    /// Returns the errors after something that is offered was chosen.
    fn errors(&mut self, item: &Value) -> Vec<String> {
        let text = self.chosen(item);
        self.client.change(self.path, &text);
        self.client.wait(self.path);
        let found = self.client.found(self.path).into_iter();
        let errors = found.filter(|one| one["severity"] == 1);
        errors.map(|one| format!("{} in:\n{text}", one["message"].as_str().unwrap())).collect()
    }
}

fn label(item: &Value) -> &str {
    item["label"].as_str().unwrap()
}

fn first(path: &'static str, text: &str) -> String {
    label(&Place::new(path, text, true).offers()[0]).to_owned()
}

/// Returns the scenario with a part in place of another one.
fn scenario(from: &str, to: &str) -> String {
    assert!(TEXT.contains(from), "{from}");
    TEXT.replacen(from, to, 1)
}

/// Caught: behind `fn`, the functions came by their letters, and had no body.
#[test]
fn a_new_script_begins_with_a_whole_steer() {
    let body = "fn steer(me) {\n    me.wander()\n}";
    for has_snippets in [true, false] {
        for text in ["fn ‹", "fn st‹", "‹", "fn‹"] {
            let mut place = Place::new(SCRIPT, text, has_snippets);
            let offers = place.offers();
            assert_eq!(place.chosen(&offers[0]), body, "{text}");
            let labels: Vec<&str> = offers.iter().map(label).collect();
            assert!(labels[1].contains("init"), "{labels:?}");
            assert_eq!(place.errors(&offers[0]), [""; 0]);
        }
    }
    // Editors put first where the typed letters stand first in this.
    let filter = |text: &str| Place::new(SCRIPT, text, true).offers()[0]["filterText"].clone();
    assert_eq!([filter("fn‹"), filter("st‹")], ["fn steer", "steer fn"]);
    // What is written already is not written again.
    for (text, expected) in
        [("fn st‹(me) {\n}", "fn steer(me) {\n}"), ("fn st‹ {\n}", "fn steer(me) {\n}")]
    {
        let mut place = Place::new(SCRIPT, text, true);
        let offers = place.offers();
        assert_eq!(place.chosen(&offers[0]), expected);
    }
}

#[test]
fn a_function_that_a_script_has_is_not_offered_again() {
    for text in ["fn ‹", "‹"] {
        let mut place = Place::new(SCRIPT, &format!("{STEER}\n{text}"), true);
        let offers = place.offers();
        assert!(label(&offers[0]).contains("init"), "{}", offers[0]);
        let again = if text == "‹" { "fn steer(me)" } else { "steer" };
        assert!(!offers.iter().any(|one| label(one) == again));
        assert_eq!(place.errors(&offers[0]), [""; 0]);
    }
    let judge = "fn expect(now) {\n    true\n}\n\nfn ‹";
    assert_eq!(first("scripts/judge.rhai", judge), "measure");
}

/// What a scenario calls in a script comes first there.
#[test]
fn a_new_script_begins_with_the_function_that_its_scenario_calls() {
    let text = scenario("    groups", "    expect: [Script(name: \"judge\")],\n    groups");
    let mut place = Place::new(SCENARIO, &format!("{text}‹"), true);
    let path = "scripts/judge.rhai";
    place.client.open(path, "fn ");
    place = Place { path, text: "fn ".to_owned(), cursor: 3, ..place };
    assert_eq!(label(&place.offers()[0]), "expect");
}

/// Caught: nothing wrote more of a new group than its `spawn`.
#[test]
fn a_whole_entry_is_offered_first_and_accepted() {
    let group = |value: &str| {
        scenario("\"guests\": (", &format!("\"flock\": {value},\n        \"guests\": ("))
    };
    let path = |value: &str| {
        scenario("    groups", &format!("    paths: {{ \"round\": {value} }},\n    groups"))
    };
    for has_snippets in [true, false] {
        for (text, name) in [
            (group("‹"), "a whole group"),
            (group("(‹)"), "a whole group"),
            (group("(\n            ‹\n        )"), "a whole group"),
            (path("‹"), "a whole path"),
            (path("(‹)"), "a whole path"),
        ] {
            let mut place = Place::new(SCENARIO, &text, has_snippets);
            let offers = place.offers();
            assert_eq!(label(&offers[0]), name, "{text}");
            assert_eq!(place.errors(&offers[0]), [""; 0]);
        }
    }
    // Its script does not exist yet, and can be created.
    let mut place =
        Place::new(SCENARIO, &group("(‹)").replace("\"flock\": (", "\"hawks\": ("), true);
    let offers = place.offers();
    let errors = place.errors(&offers[0]);
    assert!(errors.len() == 1 && errors[0].starts_with("there is no script"), "{errors:?}");
    // Not where something is written already.
    assert_ne!(first(SCENARIO, &group("(count: 3, ‹)")), "a whole group");
}

/// Caught: sizes were 0, and lists of points empty.
#[test]
fn templates_of_variants_are_accepted() {
    let list = |key: &str| scenario("    groups", &format!("    {key},\n    groups"));
    for (text, count) in [
        (scenario("Disc(center: (100, 100), radius: 50)", "‹"), 5),
        (list("obstacles: { \"rock\": ‹ }"), 5),
        (list("expect: [‹]"), 10),
    ] {
        let mut place = Place::new(SCENARIO, &text, true);
        let offers = place.offers();
        let variants: Vec<&Value> = offers.iter().filter(|one| one["kind"] == 20).collect();
        assert!(variants.len() >= count, "{text}");
        let mut wrong = Vec::new();
        for variant in variants {
            // Some have names and values that nobody knows before.
            let is_open = variant["textEdit"]["newText"].as_str().unwrap().contains("$1\"");
            let is_open = is_open || UNFINISHED.contains(&label(variant));
            if !is_open {
                wrong.extend(place.errors(variant));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
}

/// Variants that need more than a template can know.
const UNFINISHED: [&str; 5] = ["Agents", "NotWorse", "Script", "StayInside", "StayOutside"];

/// Caught: the variants came by their letters, `Agents` before `Points`.
#[test]
fn variants_that_most_scenarios_use_come_first() {
    assert_eq!(first(SCENARIO, &scenario("spawn: Disc", "spawn: ‹Disc")), "Points");
    assert_eq!(first(SCENARIO, &scenario("edge: Open", "edge: ‹")), "Clamp");
}

/// Caught: `vel` came first, whatever the variable is called.
#[test]
fn the_name_of_a_variable_tells_what_is_meant() {
    let steer = |line: &str| format!("fn steer(me) {{\n    {line}\n    me.wander()\n}}\n");
    for (line, expected) in [
        ("let guests = me.‹;", "neighbors(100).of(\"guests\")"),
        ("let guest = me.‹;", "nearest(\"guests\", 100)"),
        ("let near = me.‹;", "neighbors"),
        ("let heading = me.‹;", "heading"),
        ("if me.‹ > 1 { }", "vel"),
    ] {
        assert_eq!(first(SCRIPT, &steer(line)), expected, "{line}");
        if line.contains("guest") {
            let mut place = Place::new(SCRIPT, &steer(line), true);
            let offers = place.offers();
            assert_eq!(place.errors(&offers[0]), [""; 0]);
        }
    }
}

/// Caught: `avoid_obstacles` was among the first where there are no obstacles.
#[test]
fn functions_without_anything_to_work_with_come_last() {
    let offered = |scenario: String| {
        let mut place = Place::new(SCRIPT, "fn steer(me) {\n    me.‹\n}\n", true);
        place.client.open(SCENARIO, &scenario);
        let offers = place.offers();
        let place_of = |name: &str| offers.iter().position(|one| label(one) == name).unwrap();
        place_of("avoid_obstacles")
    };
    assert!(offered(TEXT.to_owned()) > 60);
    let rock = "obstacles: { \"rock\": Circle(center: (400, 300), radius: 20) },\n    groups";
    assert!(offered(scenario("groups", rock)) < 8);
}

/// Caught: scripts came by their letters, also where one has the name of the group.
#[test]
fn a_script_with_the_name_of_the_group_comes_first() {
    let text = scenario("behavior: \"flock\"", "behavior: ‹");
    let mut place = Place::new(SCENARIO, &text, true);
    for name in ["alpha", "guest"] {
        std::fs::write(place.client.file(&format!("scripts/{name}.rhai")), STEER).unwrap();
    }
    let offers = place.offers();
    let labels: Vec<&str> = offers.iter().map(label).collect();
    assert_eq!(labels, ["guest", "alpha", "flock"]);
}
