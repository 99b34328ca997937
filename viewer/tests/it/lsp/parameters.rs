//! Completion for the parameters of functions that a script defines.

use serde_json::Value;

use super::client::{Client, position};
use super::knowledge::{SCRIPT, TOOLS, at, project};

/// Returns what is offered at `‹` in a file of the project, which is opened after another one was written.
fn offered(path: &str, text: &str, (other, other_text): (&str, &str)) -> Vec<String> {
    let project = project().with(other, other_text);
    let mut client = Client::start(&project);
    let cursor = text.find('‹').unwrap();
    let text = text.replace('‹', "");
    client.open(path, &text);
    let params = at(&client, path, &position(&text, cursor));
    let items = client.request("textDocument/completion", params);
    let label = |item: &Value| item["label"].as_str().unwrap().to_owned();
    items.as_array().map_or_else(Vec::new, |items| items.iter().map(label).collect())
}

const STEER: &str =
    "fn steer(me) {\n    let near = me.neighbors(9);\n    me.seek(mean(near, me.nearest()))\n}\n";

/// Caught: nothing was offered while the body of the function was being written.
#[test]
fn members_of_parameters_are_those_of_the_arguments_of_calls() {
    let tools = (TOOLS, "fn calm(me) { me.wander() }\n");
    for (body, some, none) in [
        ("{ others.‹", &["center", "count", "map"][..], &["seek", "vel", "x"][..]),
        ("{ others.‹ }", &["center", "count"], &["seek", "vel"]),
        ("{\n    others.‹\n}", &["center", "count"], &["seek", "vel"]),
        ("{\n    let sum = vec(0, 0);\n    sum += others.‹\n    sum\n}", &["center"], &["vel"]),
        ("{\n    let sum = one.‹;\n    sum\n}", &["vel", "pos"], &["center", "seek"]),
        ("{\n    for other in others { other.‹ }\n}", &["vel", "pos"], &["center", "seek"]),
    ] {
        for is_before in [true, false] {
            let mean = format!("fn mean(others, one) {body}\n");
            let text = if is_before { mean.clone() + STEER } else { format!("{STEER}{mean}") };
            let all = offered(SCRIPT, &text, tools);
            for name in some {
                assert!(all.iter().any(|one| one == name), "{body}: no {name} in {all:?}");
            }
            for name in none {
                assert!(all.iter().all(|one| one != name), "{body}: {name} in {all:?}");
            }
        }
    }
}

#[test]
fn parameters_of_a_function_in_another_script_have_the_types_of_its_calls() {
    let walk =
        "import \"tools\" as tools;\nfn steer(me) { me.seek(tools::mean(me.neighbors(9))) }\n";
    let all = offered(TOOLS, "fn mean(others) {\n    others.‹\n}\n", (SCRIPT, walk));
    assert!(all.iter().any(|one| one == "center") && all.iter().all(|one| one != "vel"), "{all:?}");
}

/// Caught: nothing was offered.
#[test]
fn a_parameter_of_a_function_that_nothing_calls_may_be_an_agent_or_a_neighborhood() {
    let text = "fn steer(me) { vec(0, 0) }\nfn mean(others) {\n    others.‹\n}\n";
    let all = offered(SCRIPT, text, (TOOLS, "fn calm(me) { me.wander() }\n"));
    for name in ["center", "count", "vel", "pos"] {
        assert!(all.iter().any(|one| one == name), "{name}: {all:?}");
    }
    assert!(all.iter().all(|one| one != "seek"), "{all:?}");
}
