//! Code lenses and their commands.

use serde_json::{Value, json};

use super::client::Client;
use crate::project::Project;

const SCENARIO: &str = "scenarios/two.ron";
const SCRIPT: &str = "scripts/walk.rhai";

/// Returns the lenses of a file: the line, the title and the command of each one.
fn lenses(client: &mut Client, path: &str) -> Vec<(u64, String, Value)> {
    let params = json!({"textDocument": {"uri": client.uri(path)}});
    let found = client.request("textDocument/codeLens", params);
    let lens = |one: &Value| {
        let line = one["range"]["start"]["line"].as_u64().unwrap();
        (line, one["command"]["title"].as_str().unwrap().to_owned(), one["command"].clone())
    };
    found.as_array().map_or_else(Vec::new, |all| all.iter().map(lens).collect())
}

/// Starts what a lens with a title starts.
#[track_caller]
fn start(client: &mut Client, path: &str, title: &str) {
    let all = lenses(client, path);
    let (_, _, command) = all.iter().find(|(_, shown, _)| shown == title).unwrap();
    let params = json!({"command": command["command"], "arguments": command["arguments"]});
    let answer = client.request("workspace/executeCommand", params);
    assert_eq!(answer, Value::Null);
}

/// A project with an expectation that fails.
fn failing() -> Project {
    let project = Project::two();
    let scenario = project.read(SCENARIO);
    let scenario = scenario
        .replace("    ticks: 10,\n", "    ticks: 10,\n    expect: [MaxSpeed(speed: 0.5)],\n");
    project.with(SCENARIO, &scenario)
}

fn all_open(project: Project) -> Client {
    let mut client = Client::start(&project);
    for path in [SCENARIO, SCRIPT] {
        client.open(path, &project.read(path));
    }
    client.wait(SCRIPT);
    client.with_project(project)
}

#[test]
fn scenarios_and_behaviors_have_lenses() {
    let other = Project::two().read(SCENARIO);
    let project = Project::two()
        .with("scenarios/other.ron", other)
        .with("scripts/tools.rhai", "fn calm(me) { vec(0, 0) }\n")
        .with(SCRIPT, "// Walks.\nfn steer(me) { vec(me.params.push, 0) }\n");
    let mut client = Client::start(&project);
    client.open(SCRIPT, &project.read(SCRIPT));
    client.open(SCENARIO, &project.read(SCENARIO));
    client.wait(SCRIPT);
    let titles = |all: Vec<(u64, String, Value)>| -> Vec<String> {
        all.into_iter().map(|(line, title, _)| format!("{line}: {title}")).collect()
    };
    assert_eq!(titles(lenses(&mut client, SCENARIO)), ["0: run", "0: view", "0: test"]);
    let all = lenses(&mut client, SCRIPT);
    // Open files come first.
    assert_eq!(titles(all), ["1: view two.ron", "1: explain two.ron", "1: test 2 scenarios"]);
    let tools = "scripts/tools.rhai";
    client.open(tools, &project.read(tools));
    assert!(lenses(&mut client, tools).is_empty());
    let refused = client.request("workspace/executeCommand", json!({"command": "flockwork.fly"}));
    assert_eq!(refused, json!("there is no command flockwork.fly"));
    let refused = client.request("workspace/executeCommand", json!({"command": "flockwork.run"}));
    assert_eq!(refused, json!("flockwork.run needs the URI of a scenario"));
}

/// Caught: while a string was not closed, they were at a bracket behind it.
#[test]
fn lenses_stay_while_a_string_is_written() {
    let project = failing();
    let text = format!("#![enable(implicit_some)]\n{}", project.read(SCENARIO));
    let mut client = Client::start(&project);
    client.open(SCENARIO, &text);
    let lines = |all: Vec<(u64, String, Value)>| all.into_iter().map(|(line, ..)| line);
    for (written, instead) in [("", ""), ("    ticks: 10,\n", "    name: \"Tw,\n    ticks: 10,\n")]
    {
        client.edit(SCENARIO, written, instead);
        let lines: Vec<u64> = lines(lenses(&mut client, SCENARIO)).collect();
        assert_eq!(lines, [1; 3], "{instead}");
    }
}

#[test]
fn a_failed_test_says_why_and_stays_at_its_expectation_until_a_change() {
    let mut client = all_open(failing());
    start(&mut client, SCENARIO, "test");
    let message = client.wait_for_message(1);
    assert!(message.starts_with("two.ron: failed\nagent 0 (walkers) has speed 20"), "{message}");
    let found = client.wait_for_finding(SCENARIO);
    assert!(
        found["message"].as_str().unwrap().starts_with("agent 0 (walkers) has speed 20"),
        "{found}"
    );
    assert_eq!(found["range"]["start"], json!({"line": 4, "character": 13}));
    // A change of the script makes it old.
    client.edit(SCRIPT, "fn steer", "\nfn steer");
    client.wait(SCRIPT);
    assert_eq!(client.messages(SCENARIO), [""; 0]);
    // It is not saved.
    start(&mut client, SCRIPT, "test");
    let warning = client.wait_for_message(2);
    assert_eq!(warning, "not saved, so the files on disk count: walk.rhai");
    client.wait_for_message(1);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn running_and_explaining_show_what_the_program_writes() {
    let mut client = all_open(Project::two());
    start(&mut client, SCENARIO, "run");
    let message = client.wait_for_message(3);
    assert!(message.contains("ticks          10"), "{message}");
    start(&mut client, SCRIPT, "explain");
    let message = client.wait_for_message(3);
    assert!(message.contains("agent 0") && message.contains("tick 10"), "{message}");
    client.edit(SCENARIO, "groups", "grups");
    let broken = client.text(SCENARIO).to_owned();
    std::fs::write(client.file(SCENARIO), broken).unwrap();
    start(&mut client, SCENARIO, "run");
    let message = client.wait_for_message(1);
    assert!(message.starts_with("flockwork run failed\nerror: unknown field `grups`"), "{message}");
}

/// An editor lets the user choose which agent is explained.
#[test]
fn the_agents_of_a_scenario_that_use_a_script_are_known() {
    let scenario = "(\n    ticks: 5,\n    world: (size: (9, 9)),\n    groups: {\n        \"a\": (behavior: \"rest\", spawn: Points([(1, 1), (2, 2)])),\n        \"b\": (behavior: \"walk\", count: 2, spawn: Disc(center: (4, 4), radius: 2)),\n    },\n)\n";
    let project = Project::two()
        .with("scripts/rest.rhai", "fn steer(me) { vec(0, 0) }\n")
        .with("scripts/walk.rhai", "fn steer(me) { vec(1, 0) }\n")
        .with(SCENARIO, scenario);
    let mut client = Client::start(&project);
    client.open(SCRIPT, &project.read(SCRIPT));
    let agents = |client: &mut Client, script: &str| {
        let params = json!({
            "textDocument": {"uri": client.uri(SCENARIO)},
            "script": {"uri": client.uri(script)},
        });
        client.request("flockwork/agents", params)
    };
    let walkers = json!([{"agent": 2, "group": "b"}, {"agent": 3, "group": "b"}]);
    assert_eq!(agents(&mut client, SCRIPT), walkers);
    let resting = agents(&mut client, "scripts/rest.rhai");
    assert_eq!(resting, json!([{"agent": 0, "group": "a"}, {"agent": 1, "group": "a"}]));
    let params = json!({"textDocument": {"uri": client.uri(SCENARIO)}});
    assert_eq!(client.request("flockwork/agents", params).as_array().unwrap().len(), 4);
}

/// An editor marks the results of these scenarios as outdated when a file is saved.
#[test]
fn the_scenarios_that_use_a_file_are_known() {
    let project = Project::two();
    let other = project.read(SCENARIO).replace("\"walk\"", "\"rest\"");
    let project = project
        .with("scenarios/other.ron", other)
        .with("scripts/rest.rhai", "fn steer(me) { vec(me.params.push, 0) }\n")
        .with(SCRIPT, "import \"tools\" as tools;\nfn steer(me) { tools::calm(me) }\n")
        .with("scripts/tools.rhai", "fn calm(me) { vec(me.params.push, 0) }\n");
    let mut client = Client::start(&project);
    client.open(SCRIPT, &project.read(SCRIPT));
    let mut using = |path: &str| -> Vec<String> {
        let params = json!({"textDocument": {"uri": client.uri(path)}});
        let found = client.request("flockwork/scenariosWith", params);
        let uris = found.as_array().unwrap().iter();
        uris.map(|uri| client.path(uri.as_str().unwrap())).collect()
    };
    assert_eq!(using(SCRIPT), [SCENARIO]);
    assert_eq!(using("scripts/tools.rhai"), [SCENARIO]);
    assert_eq!(using("scripts/rest.rhai"), ["scenarios/other.ron"]);
    assert_eq!(using(SCENARIO), [SCENARIO]);
    assert_eq!(using("scripts/none.rhai"), [""; 0]);
}
