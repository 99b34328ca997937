//! Scripts whose files the editor moves.

use serde_json::json;

use super::client::Client;
use super::rename::edited;
use crate::project::Project;

/// Caught: the scenario kept the old name of a script that was renamed in the list of files.
#[test]
fn the_names_of_a_script_follow_when_the_editor_moves_its_file() {
    let scenario = "(ticks: 9, world: (size: (9, 9)), groups: {\n\
        \"a\": (behavior: \"go\", spawn: Points([(1, 1)])),\n\
        \"b\": (behavior: \"other\", spawn: Points([(2, 2)])),\n})";
    let project = Project::empty()
        .with("scenarios/s.ron", scenario)
        .with("scripts/go.rhai", "fn steer(me) { me.wander() }\n")
        .with("scripts/other.rhai", "import \"go\" as go;\nfn steer(me) { go::steer(me) }\n");
    let mut client = Client::start(&project);
    client.open("scenarios/s.ron", scenario);
    let mut moved = |new: &str| {
        let (old, new) = (client.uri("scripts/go.rhai"), client.uri(new));
        let params = json!({"files": [{"oldUri": old, "newUri": new}]});
        let edit = client.request("workspace/willRenameFiles", params);
        let open = (!edit.is_null()).then(|| edited(&client, &project, &edit).0)?;
        let read = |path: &str| open.read(&project.path(path)).unwrap().text.clone();
        Some((read("scenarios/s.ron"), read("scripts/other.rhai")))
    };
    let (after, import) = moved("scripts/crowd/walk.rhai").unwrap();
    assert_eq!(after, scenario.replace("\"go\"", "\"crowd/walk\""));
    assert!(import.starts_with("import \"crowd/walk\" as go;"), "{import}");
    // Nobody can name these.
    assert_eq!(moved("scripts/my script.rhai"), None);
    assert_eq!(moved("walk.rhai"), None);
}
