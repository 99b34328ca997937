//! Tests of the things that an editor shows unasked: hints and the meanings of names.

use serde_json::{Value, json};

use super::actions::actions;
use super::client::{Client, offset, position};
use crate::project::Project;

const SCENARIO: &str = "scenarios/two.ron";
const SCRIPT: &str = "scripts/walk.rhai";

const TOOLS: &str = "fn calm(me) { vec(0, 0) }\nprivate fn hidden(me) { vec(0, 0) }\n";

fn project(script: &str) -> Project {
    Project::two_with(script).with("scripts/lib/tools.rhai", TOOLS)
}

#[test]
fn lines_that_keep_a_behavior_on_the_interpreter_have_hints() {
    let script = "fn steer(me) {\n    let parts = [1, 2].order_desc(); // 🐦\n    vec(me.params.push, parts[0])\n}\n";
    let project = project(script);
    let mut client = Client::start(&project);
    client.open(SCRIPT, script);
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let ask = |client: &mut Client, range: &Value| {
        let params = json!({"textDocument": {"uri": client.uri(SCRIPT)}, "range": range});
        client.request("textDocument/inlayHint", params).as_array().unwrap().clone()
    };
    let hints = ask(&mut client, &whole);
    assert_eq!(hints.len(), 1, "{hints:?}");
    assert_eq!(hints[0]["position"], json!({"line": 1, "character": 42}));
    let tooltip = hints[0]["tooltip"].as_str().unwrap();
    assert!(tooltip.contains("needs the interpreter"), "{tooltip}");
    let other = json!({"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 0}});
    assert!(ask(&mut client, &other).is_empty());
    client.edit(SCRIPT, "[1, 2].order_desc()", "[1, 2]");
    assert!(ask(&mut client, &whole).is_empty());
}

#[test]
fn functions_are_written_with_their_brackets_where_editors_move_the_cursor() {
    let script = "fn steer(me) {\n    me.nei\n}\nfn other(me) { me.stop_at }\n";
    let snippets =
        json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}});
    for (capabilities, written) in [(snippets, "neighbors($0)"), (json!({}), "neighbors")] {
        let project = project(script);
        let mut client = Client::start_with(&project, capabilities);
        client.open(SCRIPT, script);
        let all = offered(&mut client, SCRIPT, &json!({"line": 1, "character": 10}));
        let place = |text: &str| all.iter().position(|one| one == text);
        let danger = all.iter().position(|one| one.starts_with("neighbor_danger")).unwrap();
        assert!(place(written).is_some_and(|place| place < danger), "{all:?}");
        // A property has none.
        assert!(place("pos").is_some(), "{all:?}");
    }
}

/// Returns what is offered at a position of a file, as it is written, in the order in which it is shown.
fn offered(client: &mut Client, path: &str, position: &Value) -> Vec<String> {
    let params = json!({"textDocument": {"uri": client.uri(path)}, "position": position});
    let items = client.request("textDocument/completion", params);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let item = |item: &Value| (text(&item["sortText"]), text(&item["textEdit"]["newText"]));
    let mut all: Vec<(String, String)> = items.as_array().unwrap().iter().map(item).collect();
    all.sort();
    all.into_iter().map(|(_, text)| text).collect()
}

/// Returns what is offered at `‹` in a file, as it is written, in the order in which it is shown.
fn written(path: &str, text: &str) -> Vec<String> {
    let script = "fn steer(me) { me.vel * me.params.push }\n";
    let project =
        project(script).with("scripts/other.rhai", "fn steer(me) { me.vel * me.params.pull }\n");
    written_in(project, path, text)
}

/// Returns the same for a file of a project.
fn written_in(project: Project, path: &str, text: &str) -> Vec<String> {
    let cursor = text.find('‹').unwrap();
    let text = text.replace('‹', "");
    let project = project.with(path, &text);
    let snippets =
        json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}});
    let mut client = Client::start_with(&project, snippets);
    client.open(path, &text);
    offered(&mut client, path, &position(&text, cursor))
}

/// A function that requires several arguments has a place for each. Caught: the tab key wrote blanks behind the first one.
const VEC: &str = "vec(${1:x}, ${2:y})$0";

/// Caught: functions in the order of letters, and `vec` far below them.
#[test]
fn what_an_argument_can_be_comes_first() {
    let before = |line: &str| {
        written(
            SCRIPT,
            &format!(
                "fn steer(me) {{\n    let speed = 1.5;\n    let near = me.neighbors(9);\n    let goal = vec(1, 2);\n    {line}\n}}\n"
            ),
        )
    };
    for (line, first) in [
        // Caught: the nearest of the neighbors was not among what one goes to, and what returns nothing was.
        ("me.arrive(‹)", &["goal", "near.nearest", VEC, "me"][..]),
        ("me.arrive(g‹)", &["goal", "near.nearest", VEC, "me"]),
        ("me.arrive(goal, ‹)", &["speed", "me.params.push", "me"]),
        ("me.separation(‹)", &["near", "speed", "me"]),
    ] {
        let all = before(line);
        let vec = all.iter().position(|one| one == VEC);
        let shown: Vec<&String> = all.iter().filter(|one| first.contains(&&***one)).collect();
        assert_eq!(all[..2], first[..2], "{line}: {all:?}");
        assert_eq!(shown, first.iter().collect::<Vec<_>>(), "{line}");
        assert_eq!(first.contains(&VEC), vec < Some(5), "{line}: {all:?}");
        // Caught: values that the argument cannot be were beside those that it can be.
        if line.contains("goal, ") {
            let last = &all[all.len() - 3..];
            assert!(["goal", "near"].iter().all(|name| !all[..20].contains(&(*name).to_owned())));
            assert!(last.iter().any(|one| one.starts_with("weighted_sum")), "{last:?}");
        } else if line.starts_with("me.arrive(") {
            assert!(all.contains(&"debug($0)".to_owned()), "{all:?}");
            assert!(!all.iter().any(|one| one == "PI" || one.starts_with("abs")), "{all:?}");
        }
    }
    assert!(before("pri‹").contains(&"prioritize([$0])".to_owned()));
    // In a sum, and as a condition, nothing is known of the type.
    for line in ["me.arrive(goal + ‹)", "if ‹"] {
        assert_eq!(before(line)[..3], ["goal", "near", "speed"], "{line}");
    }
}

/// Caught: params of the group were not among them, a number came before a neighborhood, and a variable that is an argument elsewhere had no type.
#[test]
fn an_argument_is_a_neighborhood_or_a_param() {
    let all = written(
        SCRIPT,
        "fn steer(me) {\n    let far = 9.0;\n    let near = me.neighbors(far);\n    me.separation(‹)\n}\n",
    );
    assert_eq!(all[..4], ["near", "far", "me.params.push", "me.neighbors(${1:radius})"]);
    // Caught: the weight of a force was the first distance, and behind `*` came what a vector is not multiplied by.
    let [distance, factor] = ["me.neighbors(‹)", "me.wander() * ‹"].map(|line| {
        let script = format!(
            "fn steer(me) {{\n    let other = {line};\n    me.seek(vec(me.params.a, 0)) * me.params.push\n}}\n"
        );
        let two = Project::two();
        let scenario = two.read(SCENARIO).replace("\"push\"", "\"a\": 1.0, \"push\"");
        written_in(two.with(SCENARIO, scenario), SCRIPT, &script)[..2].to_vec()
    });
    assert_eq!(distance, ["me.params.a", "me.params.push"]);
    assert_eq!(factor, ["me.params.push", "me.params.a"]);
}

/// Caught: `params: ` without its brackets, fields in the order of letters, and params that only the scripts of other groups read.
#[test]
fn fields_are_written_with_the_brackets_of_their_values() {
    let group = |fields: &str| {
        let text = format!(
            "(\n    world: (size: (80, 60)),\n    groups: {{\n        \"b\": (behavior: \"other\", count: 1),\n        \"a\": (\n            behavior: \"walk\",\n            {fields}\n        ),\n    }},\n)\n"
        );
        written(SCENARIO, &text)
    };
    let all = group("‹");
    assert_eq!(all[..4], ["spawn: $1,", "count: ${1:1},", "body: ($1),", "params: {$1},"]);
    assert!(all.contains(&"velocity: (${1:0}, ${2:0}),".to_owned()), "{all:?}");
    // Where a comma follows or the bracket closes, none is written; where a colon follows, only the name is.
    assert!(group("‹, count: 1").contains(&"spawn: $1".to_owned()));
    assert!(group("body: (radius: 1, ‹),").contains(&"max_speed: ${1:1}".to_owned()));
    assert!(group("‹: Points([]),").contains(&"spawn".to_owned()));
    let spawns = group("spawn: ‹,");
    assert!(spawns.contains(&"Disc(center: (${1:40}, ${2:30}), radius: ${3:6})".to_owned()));
    assert!(group("spawn: ‹(radius: 1),").contains(&"Disc".to_owned()));
    // An element on a line of its own ends with a comma.
    let spots = |text: &str| group(text).into_iter().find(|one| one.starts_with("Circle")).unwrap();
    assert_eq!(spots("signs: [‹],"), spots("signs: [\n‹\n],").trim_end_matches(','));
    assert!(spots("signs: [\n‹\n],").ends_with("),"));
    assert_eq!(group("params: ‹,"), ["{$1}"]);
    assert_eq!(group("goals: [‹],"), ["(at: (${1:40}, ${2:30}))"]);
    assert_eq!(group("params: {‹},"), ["\"push\""]);
}

/// An editor that shows a world itself had no values of its agents.
#[test]
fn values_of_a_world_in_the_editor_stand_behind_the_lines() {
    let script =
        "fn steer(me) {\n    let near = me.neighbors(45.0 + 45.0);\n    near.mean_offset\n}\n";
    let project = project(script);
    let capabilities = json!({"workspace": {"inlayHint": {"refreshSupport": true}}});
    let mut client = Client::start_with(&project, capabilities);
    client.open(SCRIPT, script);
    let at = script.find("near").unwrap();
    let value =
        json!({"start": at, "end": at + 4, "is_variable": true, "text": "2 neighbors", "count": 1});
    let file = json!({"name": SCRIPT, "text": script, "values": [value]});
    let values = json!({"tick": 7, "agent": 1, "group": "walkers", "files": [file]});
    let folder = project.path("").display().to_string();
    client.notify("flockwork/values", json!({"project": folder, "values": [values]}));
    client.wait_for_request("workspace/inlayHint/refresh");
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let hints = |client: &mut Client| {
        let params = json!({"textDocument": {"uri": client.uri(SCRIPT)}, "range": whole});
        client.request("textDocument/inlayHint", params).as_array().unwrap().clone()
    };
    let shown = hints(&mut client);
    assert_eq!(shown.len(), 1, "{shown:?}");
    // Caught: behind long lines, where it has a row of its own, the rows below jumped when the value got longer.
    assert_eq!(shown[0]["label"], format!("{:17}", "= 2 neighbors"));
    assert_eq!(shown[0]["position"]["line"], 1);
    // Caught: while one typed in another line, the value was gone.
    client.edit(SCRIPT, "fn steer", "\nfn steer");
    let moved = hints(&mut client);
    assert_eq!(
        (&moved[0]["label"], &moved[0]["position"]["line"]),
        (&shown[0]["label"], &json!(2))
    );
    // Caught: nothing said why a line that was new had no value.
    client.edit(SCRIPT, "    near.mean_offset", "    let twice = 2;\n    near.mean_offset");
    let with_new = hints(&mut client);
    assert_eq!(
        (&with_new[1]["label"], &with_new[1]["position"]["line"]),
        (&json!("not saved, so the world runs without this"), &json!(3))
    );
    // Nobody is selected any more, and what cannot be read changes nothing.
    client.notify("flockwork/values", json!({"project": 3}));
    client.notify("flockwork/values", json!({"project": folder, "values": []}));
    client.wait_for_request("workspace/inlayHint/refresh");
    assert!(hints(&mut client).is_empty());
}

#[test]
fn the_function_of_a_behavior_is_used_by_its_scenarios() {
    let script = "fn steer(me) { half(me) }\nfn half(me) { vec(0, 0) }\n";
    let project = project(script);
    let mut client = Client::start(&project);
    client.open(SCRIPT, script);
    let params = json!({
        "textDocument": {"uri": client.uri(SCRIPT)},
        "position": {"line": 0, "character": 4},
        "context": {"includeDeclaration": false},
    });
    let found = client.request("textDocument/references", params);
    let files: Vec<String> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|one| client.path(one["uri"].as_str().unwrap()))
        .collect();
    assert!(!files.is_empty() && files.iter().all(|file| file == SCENARIO), "{found}");
}

#[test]
fn variables_up_to_the_line_of_the_debugger_have_values() {
    let script = "fn a(me) { let b = 1; b }\nfn steer(me) {\n    let c = 1;\n    for d in 0..c { c += d + c; }\n    let e = me.c; // c\n    e\n}\n";
    let mut client = Client::start(&project(script));
    client.open(SCRIPT, script);
    let mut shown = |line: u32| -> Vec<(u64, String)> {
        let stop = json!({"line": line, "character": 4});
        let params = json!({
            "textDocument": {"uri": client.uri(SCRIPT)},
            "range": {"start": {"line": 0, "character": 0}, "end": stop},
            "context": {"frameId": 0, "stoppedLocation": {"start": stop, "end": stop}},
        });
        let all = client.request("textDocument/inlineValue", params);
        let all = all.as_array().unwrap().iter();
        let words = |range: &Value| {
            script[offset(script, &range["start"])..offset(script, &range["end"])].to_owned()
        };
        all.map(|one| (one["range"]["start"]["line"].as_u64().unwrap(), words(&one["range"])))
            .collect()
    };
    let c = (2, "c".to_owned());
    // Caught: the value of the line that had not run yet looked like one that is known.
    assert_eq!(shown(2), []);
    let of = |line: u64, word: &str| (line, word.to_owned());
    assert_eq!(shown(4), [c, of(3, "d"), of(3, "c")]);
}

/// Returns the tokens of a file: the text, the type and the modifiers of each.
fn tokens(client: &mut Client, path: &str) -> Vec<(String, String)> {
    let params = json!({"textDocument": {"uri": client.uri(path)}});
    let result = client.request("textDocument/semanticTokens/full", params);
    let legend = client.legend().clone();
    let data: Vec<u64> =
        result["data"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
    let (mut line, mut column) = (0, 0);
    let text = client.text(path);
    let mut all = Vec::new();
    for token in data.chunks(5) {
        line += token[0];
        column = if token[0] > 0 { token[1] } else { column + token[1] };
        let place = |column: u64| offset(text, &json!({"line": line, "character": column}));
        let kind = legend["tokenTypes"][token[3] as usize].as_str().unwrap();
        let flags = ["", " declared", " library", " both"][token[4] as usize];
        all.push((
            text[place(column)..place(column + token[2])].to_owned(),
            format!("{kind}{flags}"),
        ));
    }
    all
}

#[test]
fn names_have_meanings_in_both_languages() {
    let script = "import \"lib/tools\" as tools;\nconst LIMIT = 3;\nfn own(a) { a }\nfn steer(me) {\n    /* 🐦 */ let near = me.neighbors(5); // near\n    \
        if near.count > LIMIT { return me.flee(me.nearest(\"walkers\")); }\n    near.map(|one| one.pos);\n    \
        me.state.home = own(1);\n    tools::calm(me) + vec(me.params.push, sin(1))\n}\n";
    let project = project(script);
    let mut client = Client::start(&project);
    client.open(SCRIPT, script);
    client.open(SCENARIO, &project.read(SCENARIO));
    let shown = |all: Vec<(String, String)>| -> Vec<String> {
        all.into_iter().map(|(text, kind)| format!("{text}: {kind}")).collect()
    };
    let all = shown(tokens(&mut client, SCRIPT));
    let expected = [
        "lib/tools: namespace",
        "tools: namespace declared",
        "LIMIT: variable declared",
        "own: function declared",
        "a: variable declared",
        "a: variable",
        "steer: function declared",
        "me: variable declared",
        "near: variable declared",
        "me: variable",
        "neighbors: method library",
        "near: variable",
        "count: property library",
        "LIMIT: variable",
        "me: variable",
        "flee: method library",
        "me: variable",
        "nearest: method library",
        "walkers: class",
        "near: variable",
        "map: method library",
        "one: variable declared",
        "one: variable",
        "pos: property library",
        "me: variable",
        "state: property library",
        "home: property",
        "own: function",
        "tools: namespace",
        "calm: function",
        "me: variable",
        "vec: function library",
        "me: variable",
        "params: property library",
        "push: parameter",
        "sin: function library",
    ];
    assert_eq!(all, expected);
    let all = shown(tokens(&mut client, SCENARIO));
    for known in [
        "name: property library",
        "walkers: class declared",
        "walk: namespace",
        "Points: enumMember library",
        "push: parameter declared",
        "max_speed: property library",
    ] {
        assert!(all.iter().any(|one| one == known), "{known}: {all:?}");
    }
    client.change(SCENARIO, "\u{feff}(name: \"a\", wor");
    assert_eq!(shown(tokens(&mut client, SCENARIO)), ["name: property library"]);
}

#[test]
fn a_function_of_another_script_can_be_imported() {
    let script = "// Walks.\nfn steer(me) { calm(me) + vec(me.params.push, 0) }\n";
    let project = project(script);
    let mut client = Client::start(&project);
    client.open(SCRIPT, script);
    client.wait(SCRIPT);
    assert_eq!(client.codes(SCRIPT), ["unknown-name"]);
    let found = actions(&mut client, SCRIPT, "calm");
    assert_eq!(found[0]["title"], "Call the function of `lib/tools`");
    client.apply(&found[0]["edit"]);
    client.wait(SCRIPT);
    assert_eq!(client.codes(SCRIPT), [""; 0]);
    let expected = "// Walks.\nimport \"lib/tools\" as tools;\nfn steer(me) { tools::calm(me) + vec(me.params.push, 0) }\n";
    assert_eq!(client.text(SCRIPT), expected);
    // Now it is imported.
    client.edit(SCRIPT, "vec(", "calm(me) + vec(");
    let found = actions(&mut client, SCRIPT, "calm(me) + vec");
    client.apply(&found[0]["edit"]);
    client.wait(SCRIPT);
    assert_eq!(client.codes(SCRIPT), [""; 0]);
    assert!(client.text(SCRIPT).contains("tools::calm(me) + tools::calm(me) + vec"));
    // A private function cannot be called from elsewhere.
    client.edit(SCRIPT, "vec(", "hidden(me) + vec(");
    let found = actions(&mut client, SCRIPT, "hidden");
    assert!(
        found.iter().all(|one| one["title"] != "Call the function of `lib/tools`"),
        "{found:?}"
    );
}
