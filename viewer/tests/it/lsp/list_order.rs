//! What completion lists first, and how entries with the same name differ.

use serde_json::Value;

use super::client::{Client, position};
use super::knowledge::{SCENARIO, SCRIPT, at, open, project};
use crate::project::Project;

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
        ("me.‹;", "seek", &["(target, speed?)"]),
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

/// Returns what is offered at the cursor of a text, in the order of the list.
fn in_order(text: &str) -> Vec<String> {
    let mut all = offered(text);
    all.sort_by_key(|one| one["sortText"].as_str().unwrap().to_owned());
    all.iter().map(|one| one["label"].as_str().unwrap().to_owned()).collect()
}

/// Caught: the list began with functions that return neighborhoods.
#[test]
fn what_a_condition_can_compare_comes_first() {
    for text in ["if near.‹ {}", "while !near.‹ {}", "if me.pos.x > 3 && near.‹ {}"] {
        assert_eq!(in_order(text)[0], "count", "{text}");
    }
    assert_ne!(in_order("let a = near.‹;")[0], "count");
}

/// Caught: `me.nearest` was taken for the function of neighborhoods, too, so that the list told another type than a hover.
#[test]
fn a_variable_has_the_type_that_its_hover_tells() {
    let declared = "let w = me.nearest(\"wolf\", 5);\n    ";
    for (text, expected) in [
        ("let force = me.separation(‹", "agent or ()"),
        // Caught: a condition around the cursor counted for the hover only.
        ("if w != () {\n        return me.flee(‹);\n    }", "agent"),
        ("if w != () {\n        ‹\n    }", "agent"),
        ("if w == () {\n        return vec(0, 0);\n    }\n    me.flee(‹", "agent"),
    ] {
        let all = offered(&format!("{declared}{text}"));
        let w = all.iter().find(|one| one["label"] == "w").unwrap();
        assert_eq!(w["labelDetails"]["description"], expected, "{text}");
    }
}

/// Caught: editors show the rest of an entry only while it is selected.
#[test]
fn a_field_of_a_scenario_has_its_type_beside_its_name() {
    let text = "(\n    world: (size: (9, 9)),\n    ‹\n)\n";
    let project = Project::empty().with(SCENARIO, text.replace('‹', ""));
    let mut client = Client::start(&project);
    client.open(SCENARIO, &text.replace('‹', ""));
    let params = at(&client, SCENARIO, &position(text, text.find('‹').unwrap()));
    let all = client.request("textDocument/completion", params);
    let beside = |name: &str| {
        let one = all.as_array().unwrap().iter().find(|one| one["label"] == name).unwrap();
        one["labelDetails"]["description"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(beside("ticks"), "an integer of at least 1");
    assert_eq!(beside("obstacles"), "{ \"name\": Circle | Box |…");
    assert_eq!(beside("start"), "(..)");
}

/// Caught: `me` and `world` came before what an argument can be, and constants and functions that it cannot be were in the list.
#[test]
fn what_an_argument_cannot_be_comes_last_or_not_at_all() {
    let all = in_order("me.seek(‹");
    let place = |name: &str| all.iter().position(|one| one == name);
    assert!(place("vec") < place("me") && place("vec") < place("world"), "{all:?}");
    assert_eq!(["PI", "sqrt", "abs", "is_nan"].map(place), [None; 4], "{all:?}");
    let all = in_order("me.separation(‹");
    assert_eq!(all.iter().position(|one| one == "me.neighbors(60)"), Some(4), "{all:?}");
    assert!(all.iter().any(|one| one == "sqrt"), "{all:?}");
}

/// Caught: the first entry was `force`, a sum of forces.
#[test]
fn agents_come_first_where_a_target_is_wanted() {
    let forces = "let force = vec(0, 0);\n    let push = me.separation(near);\n    ";
    for text in ["force += me.flee(‹);", "force -= me.flee(‹)"] {
        let all = in_order(&format!("{forces}let place = vec(1, 2);\n    {text}"));
        let expected = ["wolf", "place", "near.nearest", "me.nearest(60)"];
        assert_eq!(all[..4], expected, "{text}: {all:?}");
        let place = |name: &str| all.iter().position(|one| one == name);
        assert!(place("force") > Some(3) && place("push") > Some(3), "{all:?}");
    }
}

/// Caught: names of groups were offered only in quotes that were there.
#[test]
fn names_are_offered_where_an_argument_can_be_one() {
    for text in ["me.nearest(‹", "me.neighbors().of(‹);"] {
        let all = in_order(text);
        assert!(all.iter().any(|one| one == "\"sheep\""), "{text} {all:?}");
    }
    assert!(!in_order("me.seek(‹").contains(&"\"sheep\"".to_owned()));
    let written = offered("me.nearest(‹");
    let sheep = written.iter().find(|one| one["label"] == "\"sheep\"").unwrap();
    assert_eq!(sheep["textEdit"]["newText"], "\"sheep\"");
}

#[test]
fn groups_with_the_script_come_first() {
    let project = project();
    let scenario = project.read(SCENARIO).replace("\"sheep\": (", "\"ant\": (), \"sheep\": (");
    assert_eq!(groups(project.with(SCENARIO, scenario)), ["sheep", "ant", "wolf"]);
}

/// Caught: a group of one agent came first where others of it are asked for.
#[test]
fn a_group_with_the_script_and_a_single_agent_comes_last() {
    let project = project();
    let scenario = project.read(SCENARIO);
    let alone = scenario.replace("count: 3", "count: 1");
    assert_ne!(alone, scenario);
    assert_eq!(groups(project.with(SCENARIO, alone)), ["wolf", "sheep"]);
}

/// Returns the groups that are offered in `of("")`, in their order.
fn groups(project: Project) -> Vec<String> {
    let text = project.read(SCRIPT).replace("me.state.count += 1;", "me.neighbors().of(\"\");");
    let cursor = text.find("\"\");").unwrap() + 1;
    let mut client = Client::start(&project);
    client.open(SCRIPT, &text);
    let params = at(&client, SCRIPT, &position(&text, cursor));
    // Before the check of the files and after it.
    let mut orders = Vec::new();
    for _ in 0..2 {
        let items = client.request("textDocument/completion", params.clone());
        let key = |item: &Value| item["sortText"].as_str().unwrap().to_owned();
        let mut items = items.as_array().unwrap().clone();
        items.sort_by_key(key);
        let labels: Vec<&str> = items.iter().filter_map(|item| item["label"].as_str()).collect();
        orders.push(labels.into_iter().map(str::to_owned).collect::<Vec<_>>());
        client.wait(SCRIPT);
    }
    assert_eq!(orders[0], orders[1]);
    orders.remove(0)
}
