//! What is kept from one answer to the next must not outlive what it depends on.

use std::fs;

use crate::project::Project;

use super::client::Client;

const SCENARIO: &str = "scenarios/one.ron";
const SCRIPT: &str = "scripts/walk.rhai";
const TOOLS: &str = "scripts/tools.rhai";

const WALK: &str = r#"import "tools" as tools;
fn steer(me) {
    let made = tools::make(me);
    let read = me.params.size;
    me.wander()
}
"#;

fn scenario(groups: &[&str], size: &str) -> String {
    let group = |name: &&str| {
        format!(
            "\"{name}\": (behavior: \"walk\", spawn: Points([(9, 9)]), body: (max_speed: 9, max_force: 9)), "
        )
    };
    let groups: String = groups.iter().map(group).collect();
    format!("(world: (size: (99, 99)), params: {{ \"size\": {size} }}, groups: {{ {groups} }})")
}

fn tools(value: &str) -> String {
    format!("fn make(me) {{ {value} }}\n")
}

fn start() -> Client {
    let project = Project::empty()
        .with(SCENARIO, scenario(&["birds"], "1"))
        .with(SCRIPT, WALK)
        .with(TOOLS, tools("1"));
    let mut client = Client::start(&project);
    client.open(SCRIPT, WALK);
    client.with_project(project)
}

/// Returns the types of a variable of the script, asked for twice.
fn types(client: &mut Client, variable: &str) -> String {
    let mut ask = || client.hover_at(SCRIPT, variable)["contents"]["value"].to_string();
    let first = ask();
    assert_eq!(ask(), first);
    // The members of these types come behind them.
    first.trim_matches('"').split("\\n").next().unwrap_or_default().to_owned()
}

#[test]
fn types_follow_an_open_script_that_is_imported() {
    let mut client = start();
    assert_eq!(types(&mut client, "made"), "Type: integer");
    client.open(TOOLS, &tools("me.pos"));
    assert_eq!(types(&mut client, "made"), "Type: vector");
    client.change(TOOLS, &tools("\"a\""));
    assert_eq!(types(&mut client, "made"), "Type: string");
    client.close(TOOLS);
    assert_eq!(types(&mut client, "made"), "Type: integer");
}

/// Not all editors tell of changes on disk.
#[test]
fn types_follow_files_on_disk() {
    let mut client = start();
    assert_eq!(types(&mut client, "made"), "Type: integer");
    assert_eq!(types(&mut client, "read"), "Type: integer");
    fs::write(client.file(TOOLS), tools("0.5")).unwrap();
    assert_eq!(types(&mut client, "made"), "Type: float");
    fs::write(client.file(SCENARIO), scenario(&["birds"], "\"big\"")).unwrap();
    assert_eq!(types(&mut client, "read"), "Type: string");
    fs::write(client.file("scenarios/two.ron"), scenario(&["birds"], "(1, 2)")).unwrap();
    client.changed_on_disk("scenarios/two.ron", 1);
    assert_eq!(types(&mut client, "read"), "Type: string or vector");
    fs::remove_file(client.file("scenarios/two.ron")).unwrap();
    client.changed_on_disk("scenarios/two.ron", 3);
    assert_eq!(types(&mut client, "read"), "Type: string");
}

#[test]
fn types_follow_params_and_groups_of_the_scenario() {
    let mut client = start();
    assert_eq!(types(&mut client, "read"), "Type: integer");
    client.open(SCENARIO, &scenario(&["birds"], "0.5"));
    assert_eq!(types(&mut client, "read"), "Type: float");
    // A group of the same kind changes nothing, and one of another kind does.
    let two = scenario(&["birds", "cats"], "0.5");
    client.change(SCENARIO, &two);
    assert_eq!(types(&mut client, "read"), "Type: float");
    let other = two.replace("\"size\"", "\"speed\"");
    let other = other.replace("\"birds\": (", "\"birds\": (params: { \"size\": 0.5 }, ");
    let other = other.replace("\"cats\": (", "\"cats\": (params: { \"size\": \"a\" }, ");
    client.change(SCENARIO, &other);
    assert_eq!(types(&mut client, "read"), "Type: float or string");
}

#[test]
fn types_follow_the_script_itself() {
    let mut client = start();
    assert_eq!(types(&mut client, "made"), "Type: integer");
    client.edit(SCRIPT, "tools::make(me)", "me.vel");
    assert_eq!(types(&mut client, "made"), "Type: vector");
    // Another script has other types at the same place.
    let other = WALK.replace("tools::make(me)", "0.5");
    client.open("scripts/other.rhai", &other);
    let known = client.hover_at("scripts/other.rhai", "made");
    assert_eq!(known["contents"]["value"], "Type: float");
    assert_eq!(types(&mut client, "made"), "Type: vector");
}
