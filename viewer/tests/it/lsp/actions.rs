//! Code actions: the fixes of findings.

use serde_json::{Value, json};

use super::client::{Client, position};
use crate::project::Project;

const SCENARIO: &str = "scenarios/two.ron";
const SCRIPT: &str = "scripts/walk.rhai";

/// Returns the actions at the first place that reads like a text.
pub(crate) fn actions(client: &mut Client, path: &str, at: &str) -> Vec<Value> {
    let text = client.text(path);
    let start = text.find(at).unwrap();
    let at = position(text, start);
    let params = json!({
        "textDocument": {"uri": client.uri(path)},
        "range": {"start": at, "end": at},
        "context": {"diagnostics": []},
    });
    client.request("textDocument/codeAction", params).as_array().unwrap().clone()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|one| one["title"].as_str().unwrap()).collect()
}

#[test]
fn a_missing_param_can_be_renamed_or_declared() {
    let project = Project::two();
    let mut client = Client::start(&project);
    client.open(SCENARIO, &project.read(SCENARIO));
    client.open(SCRIPT, "fn steer(me) { vec(me.params.pusch, 0) /* 🐦 */ }");
    // The action is about the text as it is now, also before the findings are published.
    let found = actions(&mut client, SCRIPT, "pusch");
    let declare = "Declare the param `pusch` of group `walkers`";
    let misspelt = "Write `pusch` in the scenario, in place of `push`";
    assert_eq!(titles(&found), ["Write `push`", declare, misspelt]);
    client.apply(&found[2]["edit"]);
    let declared = "params: { \"pusch\": 0.0 }";
    assert!(client.text(SCENARIO).contains(declared), "{}", client.text(SCENARIO));
    client.edit(SCENARIO, "pusch", "push");
    client.apply(&found[0]["edit"]);
    assert_eq!(client.text(SCRIPT), "fn steer(me) { vec(me.params.push, 0) /* 🐦 */ }");
    client.wait(SCRIPT);
    assert_eq!(client.codes(SCRIPT), [""; 0]);
    client.edit(SCRIPT, "push", "pull");
    let found = actions(&mut client, SCRIPT, "pull");
    client.apply(&found.last().unwrap()["edit"]);
    let declared = "params: { \"push\": 0.0, \"pull\": 1.0 }";
    assert!(client.text(SCENARIO).contains(declared), "{}", client.text(SCENARIO));
    client.wait(SCENARIO);
    assert_eq!(client.codes(SCRIPT), [""; 0]);
}

#[test]
fn a_warning_can_be_silenced() {
    let project = Project::two();
    let mut client = Client::start(&project);
    client.open(SCRIPT, "fn steer(me) {\n    let unused = 1;\n    vec(me.params.push, 0)\n}\n");
    let found = actions(&mut client, SCRIPT, "unused");
    let remove = "Remove the variable `unused`";
    assert_eq!(titles(&found), ["Write `_unused`", remove, "Silence `unused-variable` here"]);
    assert_eq!(found[2]["diagnostics"][0]["code"], "unused-variable");
    client.apply(&found[2]["edit"]);
    client.wait(SCRIPT);
    assert_eq!(client.codes(SCRIPT), [""; 0]);
    assert_eq!(titles(&actions(&mut client, SCRIPT, "unused")), [""; 0]);
}

/// Caught: only messages said what is wrong.
#[test]
fn a_slip_whose_meaning_is_clear_has_a_fix() {
    let project = Project::two();
    let mut client = Client::start(&project);
    let rest = "vec(me.params.push, 0)";
    for (line, at, title, fixed) in [
        ("slow: 5;", ":", "Write `let slow =`", "let slow = 5;"),
        ("let slow: 5;", ":", "Write `let slow =`", "let slow = 5;"),
        (
            "me.wander();\n    slow: me.speed;",
            ":",
            "Write `let slow =`",
            "me.wander();\n    let slow = me.speed;",
        ),
        (
            "me.neighbors(\"push\");",
            "\"push",
            "Write `me.params.push`",
            "me.neighbors(me.params.push);",
        ),
        (
            "me.seek(me.neighbors(5));",
            "me.neighbors",
            "Write `me.neighbors(5).center`",
            "me.seek(me.neighbors(5).center);",
        ),
        ("me.separationme.pos);", "separation", "Insert `(`", "me.separation(me.pos);"),
    ] {
        let text = |line: &str| format!("fn steer(me) {{\n    {line}\n    {rest}\n}}\n");
        client.open(SCRIPT, &text(line));
        let found = actions(&mut client, SCRIPT, at);
        assert_eq!(titles(&found).first(), Some(&title), "{line}");
        client.apply(&found[0]["edit"]);
        assert_eq!(client.text(SCRIPT), text(fixed));
        client.close(SCRIPT);
    }
    // It may be another one, or none.
    for line in ["me.neighbors(\"pusch\");", "me.pursue(me.neighbors(5));"] {
        client.open(SCRIPT, &format!("fn steer(me) {{\n    {line}\n    {rest}\n}}\n"));
        let found = actions(&mut client, SCRIPT, "me.neigh");
        assert!(!titles(&found).iter().any(|title| title.starts_with("Write")), "{found:?}");
        client.close(SCRIPT);
    }
}

/// Caught: where the reader saw the bracket, a link said that it is opened there.
#[test]
fn what_is_opened_in_the_same_line_is_not_told_beside_an_error() {
    let project = Project::two();
    let mut client = Client::start(&project);
    for (sum, related) in [("(1 + 2]", 0), ("(1 +\n        2]", 1)] {
        client.open(SCRIPT, &format!("fn steer(me) {{\n    let a = {sum};\n    vec(a, 0)\n}}\n"));
        client.wait(SCRIPT);
        let found = client.found(SCRIPT);
        let count = found[0]["relatedInformation"].as_array().map_or(0, Vec::len);
        assert_eq!(count, related, "{found:#?}");
    }
    client.open(SCRIPT, "fn steer(me) {\n    let a = \"far;\n    vec(1, 0)\n}\n");
    client.wait(SCRIPT);
    let text = client.found(SCRIPT)[0]["message"].as_str().unwrap().to_owned();
    assert!(text.starts_with("this string is not closed\nhelp: "), "{text}");
}

/// A value that changes something, or random numbers that others follow, must stay.
#[test]
fn a_variable_that_is_not_used_is_removed_if_its_value_has_no_effect() {
    let project = Project::two();
    let mut client = Client::start(&project);
    for (value, is_removed) in [
        ("me.pos + vec(1, 2) * 3", true),
        ("me.neighbors(20).count", true),
        ("me.random()", false),
        ("me.wander()", false),
        ("me.time_in(\"alarm\")", false),
        ("own(me)", false),
    ] {
        let text = |line: &str| {
            format!("fn own(me) {{ 1 }}\n\nfn steer(me) {{\n{line}    vec(own(me), 0)\n}}\n")
        };
        client.open(SCRIPT, &text(&format!("    let quiet = {value};\n")));
        let found = actions(&mut client, SCRIPT, "quiet");
        let removal = found.iter().find(|one| one["title"] == "Remove the variable `quiet`");
        assert_eq!(removal.is_some(), is_removed, "{value}: {found:#?}");
        if let Some(removal) = removal {
            client.apply(&removal["edit"]);
            assert_eq!(client.text(SCRIPT), text(""));
        }
    }
}

/// Caught: one slip was a problem for each group; later it was marked only in the file that was edited last.
#[test]
fn a_missing_param_is_marked_in_the_script_and_in_a_scenario_that_was_edited_last() {
    let project = Project::two();
    let group = |name: &str, x: u32| {
        format!(
            "        \"{name}\": (behavior: \"walk\", spawn: Points([({x}, 0)]), body: (max_speed: 9)),\n"
        )
    };
    let groups: String =
        ["a", "b", "c"].into_iter().zip(1..).map(|(name, x)| group(name, x)).collect();
    let scenario =
        format!("(\n    world: (size: (100, 100)),\n    groups: {{\n{groups}    }},\n)\n");
    let project =
        project.with(SCENARIO, &scenario).with(SCRIPT, "fn steer(me) { vec(me.params.push, 0) }\n");
    let mut client = Client::start(&project);
    client.open(SCENARIO, &scenario);
    client.open(SCRIPT, &project.read(SCRIPT));
    client.wait(SCRIPT);
    let message = "groups `a`, `b` and `c` have no param `push`";
    for is_edited in [false, true] {
        if is_edited {
            client.edit(SCENARIO, "(1, 0)", "(4, 0)");
            client.wait(SCENARIO);
        }
        // Of many scenarios that use a script which is edited, none is marked.
        assert_eq!(client.found(SCENARIO).is_empty(), !is_edited);
        let marked = [(SCRIPT, 0), (SCENARIO, 3)];
        for (path, line) in &marked[..1 + usize::from(is_edited)] {
            let found = client.found(path);
            assert_eq!(found.len(), 1, "{path}: {found:#?}");
            assert!(found[0]["message"].as_str().unwrap().starts_with(message), "{found:#?}");
            assert_eq!(found[0]["range"]["start"]["line"], *line);
            let others = found[0]["relatedInformation"].as_array().map_or(0, Vec::len);
            assert_eq!(others, 3, "{found:#?}");
        }
    }
    let declare = "Declare the param `push` of groups `a`, `b` and `c`";
    assert!(titles(&actions(&mut client, SCRIPT, "push")).contains(&declare));
    let found = actions(&mut client, SCENARIO, "walk\", spawn: Points([(2");
    assert_eq!(titles(&found), [declare]);
    client.apply(&found[0]["edit"]);
    assert_eq!(client.text(SCENARIO).matches("params: { \"push\": 1.0 }").count(), 3);
    client.wait(SCENARIO);
    assert_eq!(client.files(), [""; 0]);
}

/// Caught: only the script was marked, in which nothing is wrong.
#[test]
fn a_number_in_quotes_is_marked_in_the_scenario_that_has_it() {
    for (text, at) in [
        ("fn steer(me) { vec(me.params.push * 2, 0) }\n", "* 2"),
        ("fn steer(me) { let far = me.params.push; me.separation(far) }\n", "far)"),
    ] {
        let project = Project::two_with(text);
        let mut client = Client::start(&project);
        client.open(SCENARIO, &project.read(SCENARIO));
        client.open(SCRIPT, text);
        client.edit(SCENARIO, "\"push\": 0.0", "\"push\": \"6.0\"");
        client.wait(SCENARIO);
        let found = client.found(SCENARIO);
        assert_eq!(found.len(), 1, "{found:#?}");
        let remove = "the param `push` is a string; remove its quotes in the scenario: `6.0`";
        assert!(found[0]["message"].as_str().unwrap().contains(remove), "{found:#?}");
        let cause = &found[0]["relatedInformation"][0];
        assert_eq!(cause["message"], "the script takes it for a number here");
        let title = "Write `6.0` without quotes in the scenario";
        assert_eq!(titles(&actions(&mut client, SCRIPT, at)), [title]);
        let fixes = actions(&mut client, SCENARIO, "\"6.0\"");
        assert_eq!(titles(&fixes), [title]);
        client.apply(&fixes[0]["edit"]);
        assert!(client.text(SCENARIO).contains("\"push\": 6.0 }"), "{}", client.text(SCENARIO));
        client.wait(SCENARIO);
        assert_eq!(client.files(), [""; 0]);
    }
}

/// Caught: the scenario, which was edited last, had no finding.
#[test]
fn a_misspelt_param_is_marked_in_the_scenario_that_has_it() {
    let text = "fn steer(me) { vec(me.params.push, 0) }\n";
    let project = Project::two_with(text);
    let mut client = Client::start(&project);
    client.open(SCENARIO, &project.read(SCENARIO));
    client.open(SCRIPT, text);
    client.edit(SCENARIO, "\"push\": 0.0", "\"psuh\": 0.0");
    client.wait(SCENARIO);
    let found = client.found(SCENARIO);
    assert_eq!(found.len(), 1, "{found:#?}");
    let asked = "is this name misspelt? The script reads `push`";
    assert!(found[0]["message"].as_str().unwrap().contains(asked), "{found:#?}");
    let fixes = actions(&mut client, SCENARIO, "\"psuh\"");
    let write = titles(&fixes).iter().position(|title| title.starts_with("Write `push`"));
    client.apply(&fixes[write.unwrap()]["edit"]);
    client.wait(SCENARIO);
    assert_eq!(client.files(), [""; 0]);
}

/// Caught: of two fixes with the same title, nobody could tell which is which.
#[test]
fn fixes_with_the_same_title_are_told_apart() {
    let project = Project::two();
    let mut client = Client::start(&project);
    let text = "fn steer(me) {\n    if me.goal == null { return null; }\n    me.wander()\n}\n";
    client.open(SCRIPT, text);
    let places = ["Write `()` in line 2, column 19", "Write `()` in line 2, column 33"];
    assert_eq!(titles(&actions(&mut client, SCRIPT, "if")), places);
    for (at, fixed) in [("null {", "() { return null"), ("null;", "null { return ()")] {
        let found = actions(&mut client, SCRIPT, at);
        assert_eq!(titles(&found), ["Write `()`"], "{at}");
        client.apply(&found[0]["edit"]);
        assert!(client.text(SCRIPT).contains(fixed), "{}", client.text(SCRIPT));
        client.close(SCRIPT);
        client.open(SCRIPT, text);
    }
}

/// Caught: the cursor was behind the value without a comma, and the fix only in the next line.
#[test]
fn a_missing_comma_is_offered_on_both_lines() {
    let project = Project::two();
    let mut client = Client::start(&project);
    let right = "(\n    world: (size: (100, 100)),\n    seed: 7, // any\n    dt: 0.1,\n    groups: {},\n)\n";
    client.open(SCENARIO, &right.replace("7,", "7"));
    for at in ["seed", "7", "any", "dt", "0.1"] {
        assert_eq!(titles(&actions(&mut client, SCENARIO, at)), ["Add `,`"], "{at}");
    }
    for at in ["world", "groups"] {
        assert_eq!(titles(&actions(&mut client, SCENARIO, at)), [""; 0], "{at}");
    }
    let found = actions(&mut client, SCENARIO, "seed");
    client.apply(&found[0]["edit"]);
    assert_eq!(client.text(SCENARIO), right);
}

/// Caught: the fixes of other mistakes were offered at a brace that is too much, which had none.
#[test]
fn a_brace_too_much_is_removed_by_its_own_fix() {
    let project = Project::two();
    let mut client = Client::start(&project);
    client.open(
        SCRIPT,
        "fn steer(me) {\n    let a = 1\n    let b = .5;\n    vec(me.params.push * a, b)\n}} // end\n",
    );
    let removal = actions(&mut client, SCRIPT, "}} // end");
    assert_eq!(titles(&removal), ["Remove this `}`"]);
    for (at, title) in [("= 1", "Add `;`"), ("let b", "Add `;`"), (".5", "Write `0.5`")] {
        let found = actions(&mut client, SCRIPT, at);
        assert!(titles(&found).contains(&title), "{at}: {found:#?}");
    }
    client.apply(&removal[0]["edit"]);
    assert!(client.text(SCRIPT).ends_with("\n} // end\n"), "{}", client.text(SCRIPT));
    // The finding about the `;` mentions the parenthesis.
    client.edit(SCRIPT, "b)\n}", "b\n}");
    assert_eq!(titles(&actions(&mut client, SCRIPT, "vec(")), ["Insert `)`"]);
}

#[test]
fn a_script_that_does_not_exist_can_be_created() {
    let plan = "(scenario: \"two.ron\", seeds: 2, record: [\"speed\"])";
    let project = Project::two().with("scenarios/two.plan.ron", plan);
    let mut client = Client::start(&project);
    client.open(SCENARIO, &project.read(SCENARIO).replacen("\"walk\"", "\"new/dance\"", 1));
    let found = actions(&mut client, SCENARIO, "new/dance");
    // Caught: it was there twice, since a plan of the scenario finds the same.
    assert_eq!(titles(&found), ["Create the script `new/dance`"]);
    client.apply(&found[0]["edit"]);
    assert!(found[0]["command"].is_null(), "this editor opens no files");
    let script = "scripts/new/dance.rhai";
    assert_eq!(client.text(script), "fn steer(me) {\n    me.wander()\n}\n");
    client.wait(SCENARIO);
    assert_eq!(client.messages(script), [""; 0]);
    assert!(client.codes(SCENARIO).iter().all(|code| code != "unknown-name"));
}

/// Caught: the new script had to be looked for.
#[test]
fn a_new_script_is_opened() {
    let project = Project::two();
    let opens = json!({"window": {"showDocument": {"support": true}}});
    let mut client = Client::start_with(&project, opens);
    client.open(SCENARIO, &project.read(SCENARIO).replacen("\"walk\"", "\"dance\"", 1));
    let found = actions(&mut client, SCENARIO, "dance");
    let command =
        &found.iter().find(|one| one["title"] == "Create the script `dance`").unwrap()["command"];
    let params = json!({"command": command["command"], "arguments": command["arguments"]});
    assert_eq!(client.request("workspace/executeCommand", params), Value::Null);
    let shown = client.wait_for_request("window/showDocument");
    assert_eq!(client.path(shown["uri"].as_str().unwrap()), "scripts/dance.rhai");
    assert_eq!(shown["takeFocus"], true);
    // Caught: the cursor was at the first line, and not where the behavior is written.
    let text = "fn steer(me) {\n    me.wander()\n}\n";
    let (from, to) = (text.find("me.wander").unwrap(), text.find("\n}").unwrap());
    let body = json!({"start": position(text, from), "end": position(text, to)});
    assert_eq!(shown["selection"], body);
    let wrong = json!({"command": command["command"], "arguments": [3]});
    let why = client.request("workspace/executeCommand", wrong);
    assert_eq!(why, "flockwork.open needs the URI of a file");
}

#[test]
fn brackets_and_what_is_too_much_can_be_repaired() {
    let project = Project::two();
    let mut client = Client::start(&project);
    let scenario = project.read(SCENARIO).replace(" // check: allow(unused-param)", "");
    client.open(SCRIPT, "fn steer(me) {\n    vec(me.params.push, 0\n}\n");
    let found = actions(&mut client, SCRIPT, "(me.params");
    assert_eq!(titles(&found), ["Insert `)`"]);
    client.apply(&found[0]["edit"]);
    assert_eq!(client.text(SCRIPT), "fn steer(me) {\n    vec(me.params.push, 0)\n}\n");
    client.edit(SCRIPT, "me.params.push", "9");
    client.open(SCENARIO, &scenario);
    let found = actions(&mut client, SCENARIO, "\"push\"");
    assert_eq!(titles(&found)[0], "Remove the param `push`", "{found:#?}");
    client.apply(&found[0]["edit"]);
    assert!(!client.text(SCENARIO).contains("\"push\""), "{}", client.text(SCENARIO));
    client.edit(SCENARIO, "behavior: \"walk\"", "behavior: \"walk\", behavior: \"walk\"");
    let found = actions(&mut client, SCENARIO, "behavior: \"walk\",\n");
    assert_eq!(titles(&found), ["Remove this `behavior`"]);
    client.apply(&found[0]["edit"]);
    client.wait(SCENARIO);
    assert!(!client.codes(SCENARIO).contains(&"syntax".to_owned()));
}
