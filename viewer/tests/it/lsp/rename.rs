//! Renaming in the files that ship, and what it refuses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::load::{OpenFiles, ScriptsFolder, find};
use flockwork_engine::runner::check_open;
use flockwork_engine::{Options, Run, state_hash};
use serde_json::{Value, json};

use super::client::{Client, offset, position};
use crate::project::Project;

/// Returns a project with all scenarios, plans and scripts that ship, and the names of the scenarios.
fn shipped() -> (Project, Vec<String>) {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let found = find(&["scenarios", "scripts"].map(|folder| top.join(folder))).unwrap();
    let name = |path: &Path| path.strip_prefix(&top).unwrap().to_str().unwrap().replace('\\', "/");
    let all = found.scenarios.iter().chain(&found.plans).chain(&found.scripts);
    let copy =
        |project: Project, path: &PathBuf| project.with(&name(path), std::fs::read(path).unwrap());
    let project = all.fold(Project::empty(), copy);
    (project, found.scenarios.iter().map(|path| name(path)).collect())
}

/// Asks for a new name of what is written at a byte offset. `Err` says why it is refused.
fn rename(client: &mut Client, path: &str, at: usize, new: &str) -> Result<Value, String> {
    let position = position(client.text(path), at);
    let document = json!({"uri": client.uri(path)});
    let params = json!({"textDocument": document, "position": position, "newName": new});
    match client.request("textDocument/rename", params) {
        Value::String(why) => Err(why),
        edit => Ok(edit),
    }
}

/// Returns the files with an edit, and their paths.
fn edited(client: &Client, project: &Project, edit: &Value) -> (Arc<OpenFiles>, Vec<String>) {
    let (mut open, mut paths) = (OpenFiles::default(), Vec::new());
    for one in edit["documentChanges"].as_array().unwrap() {
        let path = client.path(one["textDocument"]["uri"].as_str().unwrap());
        let mut text = project.read(&path);
        let mut edits: Vec<_> = one["edits"].as_array().unwrap().iter().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(offset(&text, &edit["range"]["start"])));
        for edit in edits {
            let range = &edit["range"];
            let span = offset(&text, &range["start"])..offset(&text, &range["end"]);
            text.replace_range(span, edit["newText"].as_str().unwrap());
        }
        open.open(&project.path(&path), &text);
        paths.push(path);
    }
    (Arc::new(open), paths)
}

/// Returns the hash of a scenario after some ticks, for about so many turns of agents.
fn hash(path: &Path, open: &Arc<OpenFiles>, turns: u64) -> u64 {
    let scripts = ScriptsFolder::of_scenario(path).with_open(open);
    let source = open.read(path).unwrap();
    let mut run = Run::new(&source, &scripts, &Options::default()).unwrap();
    let agents = run.simulation().world().agents.len() as u64;
    let end = run.ticks().min(run.first_tick() + turns / agents.max(1));
    while run.tick() < end {
        run.step().unwrap();
    }
    state_hash(run.simulation().world(), run.simulation().minds())
}

/// Renames all that the scenarios of a project declare, one after the other. Each renaming leaves the findings and the runs as they
/// were, or is refused. Returns what was renamed, and what was refused.
fn rename_all(project: &Project, scenarios: &[String], turns: u64) -> (Vec<String>, Vec<String>) {
    let mut client = Client::start(project);
    let (mut renamed, mut refused) = (Vec::new(), Vec::new());
    for path in scenarios {
        client.open(path, &project.read(path));
        let document = json!({"textDocument": {"uri": client.uri(path)}});
        let symbols = client.request("textDocument/documentSymbol", document);
        let mut waiting = symbols.as_array().unwrap().clone();
        while let Some(symbol) = waiting.pop() {
            waiting.extend(symbol["children"].as_array().cloned().unwrap_or_default());
            let at = offset(client.text(path), &symbol["selectionRange"]["start"]);
            let name = format!("{path} {}", symbol["name"].as_str().unwrap());
            let edit = match rename(&mut client, path, at, "renamed_") {
                Ok(edit) => edit,
                Err(why) => {
                    refused.push(format!("{name}: {why}"));
                    continue;
                }
            };
            let (open, paths) = edited(&client, project, &edit);
            for changed in paths.iter().filter(|path| !path.ends_with(".plan.ron")) {
                let file: PathBuf = project.path(changed);
                let count = |open| check_open(&file, open).findings.iter().count();
                assert_eq!(count(&open), count(&Arc::default()), "{name}: {changed}");
                if changed.ends_with(".ron") {
                    let old = hash(&file, &Arc::default(), turns);
                    assert_eq!(hash(&file, &open, turns), old, "{name}: {changed}");
                }
            }
            renamed.push(name);
        }
        client.close(path);
    }
    (renamed, refused)
}

/// Asserts that everything can be renamed but groups whose agents have random numbers.
fn assert_renamed(scenarios: impl Fn(&str) -> bool, turns: u64) {
    let (project, mut all) = shipped();
    all.retain(|path| scenarios(path));
    let (renamed, refused) = rename_all(&project, &all, turns);
    assert!(renamed.len() > refused.len(), "{refused:#?}");
    assert!(refused.iter().all(|why| why.contains("the random numbers")), "{refused:#?}");
}

/// Caught: a param that a script reads through a variable, a path in a plan, and the name of a group that is handed to a function of a
/// script kept the old name.
#[test]
fn renaming_in_shipped_files_changes_no_findings_and_no_runs() {
    let names = ["boids_three_rules", "night_watch", "predators", "grazers"];
    let paths = names.map(|name| format!("scenarios/{name}.ron"));
    assert_renamed(|path| paths.iter().any(|known| known == path), 2_000);
}

#[test]
#[ignore = "takes minutes"]
fn renaming_in_all_shipped_files_changes_no_findings_and_no_runs() {
    assert_renamed(|_| true, 10_000);
}

#[test]
fn plans_are_renamed_too() {
    let (project, _) = shipped();
    let mut client = Client::start(&project);
    let path = "scenarios/boids_three_rules.ron";
    client.open(path, &project.read(path));
    let at = project.read(path).find("\"avoid\"").unwrap() + 1;
    let edit = rename(&mut client, path, at, "keep_off").unwrap();
    let (open, paths) = edited(&client, &project, &edit);
    assert_eq!(paths.len(), 3, "{paths:?}");
    let plan = open.read(&project.path("scenarios/boids_three_rules.plan.ron")).unwrap();
    assert!(plan.text.contains("\"groups.birds.params.keep_off\": "), "{}", plan.text);
}

/// Caught: a renaming was done although something that it did not find still had the old name.
#[test]
fn a_renaming_that_cannot_be_followed_is_refused() {
    for (script, why) in [
        (
            "fn push(p) { p.push }\nfn steer(me) { vec(push(me.params), 0) }\n",
            "`push` cannot be renamed",
        ),
        (
            "fn steer(me) {\n    let first = \"pu\";\n    vec(me.params[first + \"sh\"], 0)\n}\n",
            "`push` cannot be renamed",
        ),
        ("fn steer(me) {\n    me.wandr()\n}\n", "before this error is corrected: "),
    ] {
        let project = Project::two_with(script);
        let mut client = Client::start(&project);
        let path = "scenarios/two.ron";
        client.open(path, &project.read(path));
        let at = project.read(path).find("\"push\"").unwrap() + 1;
        let refused = rename(&mut client, path, at, "pull").unwrap_err();
        assert!(refused.contains(why), "{refused}");
    }
}
