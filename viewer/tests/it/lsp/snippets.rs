//! Snippets: they are offered where they are valid and nowhere else, `check` accepts each with what it offers first, and `fmt` leaves it as
//! it is.

use serde_json::{Value, json};

use super::client::{Client, offset, position};
use crate::project::Project;

const SCENARIO: &str = "scenarios/a.ron";
const SCRIPT: &str = "scripts/flock.rhai";
const STEER: &str = "fn steer(me) {\n    me.wander()\n}\n";

/// Returns a scenario with a field.
fn scenario(field: &str) -> String {
    let birds = r#""birds": (spawn: Points([(10, 10)]), body: (radius: 4), goals: [(at: (70, 50), radius: 1)]),"#;
    let groups = format!("    groups: {{\n        {birds}\n    }},\n");
    let groups = if field.starts_with("groups") { "" } else { &groups };
    format!("(\n    ticks: 60,\n    world: (size: (800, 600)),\n{groups}    {field},\n)\n")
}

/// Returns the project with a text of a file, with `‹` at the cursor, and the snippets that are offered there.
fn offered(path: &str, text: &str) -> (Project, Vec<Value>) {
    offered_in(
        Project::empty().with(SCRIPT, STEER).with(SCENARIO, scenario("paths: {}")),
        path,
        text,
    )
}

/// Returns the same in another project.
fn offered_in(project: Project, path: &str, text: &str) -> (Project, Vec<Value>) {
    let cursor = text.find('‹').unwrap();
    let text = text.replace('‹', "");
    let project = project.with(path, &text);
    let capabilities =
        json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}});
    let mut client = Client::start_with(&project, capabilities);
    client.open(path, &text);
    let params = json!({
        "textDocument": {"uri": client.uri(path)},
        "position": position(&text, cursor),
    });
    let items = client.request("textDocument/completion", params);
    let items = items.as_array().cloned().unwrap_or_default();
    // Functions that Flockwork calls are snippets, too.
    let is_own =
        |item: &Value| item["kind"] == 15 && !item["label"].as_str().unwrap().starts_with("fn ");
    (project, items.into_iter().filter(is_own).collect())
}

/// Returns the text of a snippet with what it offers first at each place. A place without a value has that of the same place before it, as one
/// that begins with it.
pub(super) fn filled(snippet: &str) -> String {
    let snippet = snippet.replace("${2:$1}", "$1");
    let mut parts = snippet.split('$');
    let mut text = parts.next().unwrap().to_owned();
    let mut offered: Vec<(&str, &str)> = Vec::new();
    for part in parts {
        let (place, after) = match part.strip_prefix('{') {
            Some(inner) => inner.split_once('}').unwrap(),
            None => part.split_at(part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len())),
        };
        let digits = place.find(|c: char| !c.is_ascii_digit()).unwrap_or(place.len());
        let (number, value) = place.split_at(digits);
        let value = match value.strip_prefix('|') {
            Some(choices) => choices.split(',').next().unwrap(),
            None => value.trim_start_matches(':'),
        };
        let same = offered.iter().find(|(known, _)| *known == number);
        let value = if value.is_empty() { same.map_or("", |(_, value)| value) } else { value };
        offered.push((number, value));
        text += &format!("{value}{after}");
    }
    text
}

#[test]
fn snippets_are_accepted_where_they_are_offered() {
    let inside = |field: &str| scenario(field).replace('|', "\n        ‹\n    ");
    for (path, text, expected) in [
        (SCENARIO, "‹\n".to_owned(), &["scenario"][..]),
        (SCENARIO, "// A note.\nsce‹\n".to_owned(), &["scenario"]),
        (SCENARIO, inside("groups: {|}"), &["group"]),
        (SCENARIO, inside("groups: {|}").replace('‹', "gro‹"), &["group"]),
        // Caught: in a small world, the agents were outside of it.
        (SCENARIO, inside("groups: {|}").replace("(800, 600)", "(40, 30)"), &["group"]),
        (SCENARIO, inside("obstacles: {|}"), &["circle", "wall"]),
        (SCENARIO, inside("paths: {|}"), &["path"]),
        (SCENARIO, inside("expect: [|]"), &["reach", "overlap"]),
        (
            SCRIPT,
            "fn steer(me) {\n    ‹\n    me.wander()\n}\n".to_owned(),
            &["nearest"],
        ),
        (
            SCRIPT,
            "fn steer(me) {\n    let a = 1;\n    if a == 1 {\n        ne‹\n    }\n    me.wander()\n}\n"
                .to_owned(),
            &["nearest"],
        ),
    ] {
        let (project, items) = offered(path, &text);
        let names: Vec<&str> = items.iter().map(|item| item["label"].as_str().unwrap()).collect();
        assert_eq!(names, expected, "{text}");
        for item in items {
            assert_eq!(item["insertTextFormat"], 2);
            let mut changed = text.replace('‹', "");
            let [start, end] =
                ["start", "end"].map(|side| offset(&changed, &item["textEdit"]["range"][side]));
            let line = changed[..start].rfind('\n').map_or(0, |end| end + 1);
            let new = filled(item["textEdit"]["newText"].as_str().unwrap());
            let new = new.replace('\n', &format!("\n{}", " ".repeat(start - line)));
            changed.replace_range(start..end, &new);
            std::fs::write(project.path(path), &changed).unwrap();
            let checked = project.flockwork(&["check", "."]);
            assert_eq!(checked.code(), Some(0), "{changed}\n{}", checked.out());
            let formatted = project.flockwork(&["fmt", "--check", path]);
            assert_eq!(formatted.code(), Some(0), "{changed}\n{}", formatted.out());
        }
    }
}

/// Caught: a second group got the name of the first one, which is an error.
#[test]
fn names_in_snippets_differ_from_those_that_are_there() {
    let flock = r#""flock": (spawn: Points([(10, 10)]), body: (radius: 4)),"#;
    let (_, items) = offered(SCENARIO, &scenario(&format!("groups: {{ {flock} ‹ }}")));
    let text = items[0]["textEdit"]["newText"].as_str().unwrap();
    assert!(text.starts_with("\"${1:flock_2}\": ("), "{text}");
}

/// Caught: the script was `flock`, whose params the scenario lacked, or which did not exist.
#[test]
fn a_new_group_has_a_script_that_works_and_the_params_that_it_reads() {
    let reads = "fn steer(me) { me.separation(me.params.gap) * me.params.calm }\n";
    let goes = "fn steer(me) { me.seek(me.goal ?? me.pos) }\n";
    let group = r#""reads": (spawn: Points([(10, 10)]), body: (radius: 4), params: { "gap": 7.5, "calm": 2 }),"#;
    let inside = format!("groups: {{\n        {group}\n        ‹\n    }}");
    let (name, params) = (r#""${1:reads_2}": ("#, r#"params: { "calm": 2, "gap": 7.5 },"#);
    for (first, is_whole) in [("", true), ("params: { \"gap\": 3, \"calm\": 1 },\n    ", false)] {
        let text = scenario(&inside).replace("groups", &format!("{first}groups"));
        let project = Project::empty()
            .with("scripts/goes.rhai", goes)
            .with("scripts/reads.rhai", reads)
            .with(SCENARIO, text.replace('‹', ""));
        let (project, items) = offered_in(project, SCENARIO, &text);
        let new = items[0]["textEdit"]["newText"].as_str().unwrap();
        assert!(new.starts_with(name) && new.contains(r#"behavior: "${2:reads}""#), "{new}");
        assert_eq!(new.contains(params), is_whole, "{new}");
        std::fs::write(project.path(SCENARIO), text.replace('‹', &filled(new))).unwrap();
        let checked = project.flockwork(&["check", SCENARIO]);
        assert_eq!(checked.code(), Some(0), "{}", checked.out());
    }
}

/// Caught: the extension of VS Code offered its snippets everywhere, also behind a dot.
#[test]
fn snippets_are_not_offered_elsewhere() {
    let field = |field: &str| scenario(field);
    for (path, text) in [
        (SCENARIO, field("gro‹")),
        (SCENARIO, field("groups: { \"‹\" }")),
        (SCENARIO, field("expect: ‹")),
        (SCENARIO, "() sce‹\n".to_owned()),
        (SCRIPT, "fn steer(me) {\n    me.nea‹\n}\n".to_owned()),
        (SCRIPT, "fn steer(me) {\n    let a = nea‹;\n    me.wander()\n}\n".to_owned()),
        (SCRIPT, "fn steer(me) {\n    let a = #{ nea‹ };\n    me.wander()\n}\n".to_owned()),
        (SCRIPT, "fn half(x) {\n    nea‹\n}\n".to_owned()),
        (SCRIPT, "fn steer(me) { me.wander() }\nst‹\n".to_owned()),
        (SCRIPT, "fn steer(me) {\n    me.nearest(\"‹\")\n}\n".to_owned()),
    ] {
        let (_, items) = offered(path, &text);
        assert!(items.is_empty(), "{text}: {items:#?}");
    }
}
