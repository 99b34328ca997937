//! Tests of editors with plans.

use super::client::Client;
use crate::project::Project;

const PLAN: &str = "scenarios/two.plan.ron";

fn plan(param: &str) -> String {
    format!("(\n    scenario: \"two.ron\",\n    vary: {{ \"{param}\": List([1, 2]) }},\n)\n")
}

/// Caught: plans had no findings in editors.
#[test]
fn plans_are_checked() {
    let wrong = plan("groups.walkers.params.pul");
    let project = Project::two().with(PLAN, &wrong);
    let mut client = Client::start(&project);
    client.open(PLAN, &wrong);
    client.wait(PLAN);
    let found = client.found(PLAN);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["range"]["start"]["line"], 2);
    let said = project.flockwork(&["check", PLAN]).err();
    let message = found[0]["message"].as_str().unwrap().lines().next().unwrap().to_owned();
    assert!(said.contains(&message), "{message}: {said}");
    client.change(PLAN, "(scenario: \"tow.ron\")");
    client.wait(PLAN);
    assert!(client.messages(PLAN)[0].starts_with("there is no file "), "{:?}", client.found(PLAN));
    client.change(PLAN, "(scenario: \"two.ron\"");
    client.wait(PLAN);
    assert_eq!(client.found(PLAN).len(), 1);
    client.change(PLAN, "(scenario: \"two.ron\")");
    client.wait(PLAN);
    assert_eq!(client.files(), Vec::<String>::new());
}

/// Caught: the same; a plan that is not open follows its scenario, and all files lose their findings when they are gone.
#[test]
fn plans_follow_their_scenarios() {
    let scenario = "scenarios/two.ron";
    let project = Project::two();
    let project = project.with(PLAN, plan("groups.walkers.params.push"));
    let mut client = Client::start(&project);
    client.open(scenario, &project.read(scenario));
    client.wait(scenario);
    assert_eq!(client.files(), Vec::<String>::new());
    client.edit(scenario, "\"push\"", "\"pull\"");
    client.wait(scenario);
    assert!(client.files().contains(&PLAN.to_owned()), "{:?}", client.files());
    std::fs::remove_file(project.path(PLAN)).unwrap();
    client.changed_on_disk(PLAN, 3);
    client.wait(scenario);
    assert!(!client.files().contains(&PLAN.to_owned()), "{:?}", client.files());
}

/// Caught: every file in RON was taken for a scenario.
#[test]
fn other_files_in_ron_have_no_findings() {
    let text = "(atlas: \"a.png\", sprites: [1, 2])";
    let project = Project::two().with("assets/sprites.ron", text).with("level.ron", "(groups: {})");
    let mut client = Client::start(&project);
    client.open("assets/sprites.ron", text);
    client.open("level.ron", "(groups: {})");
    client.wait("level.ron");
    assert_eq!(client.files(), ["level.ron"]);
}
