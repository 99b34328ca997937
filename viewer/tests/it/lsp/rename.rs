//! Renaming in the files that ship, and what it refuses.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::format::format;
use flockwork_engine::load::{OpenFiles, ScriptsFolder, find};
use flockwork_engine::runner::check_open;
use flockwork_engine::tokens::Language;
use flockwork_engine::tokens::ron_tree::{RonTree, RonWord};
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
pub(super) fn edited(
    client: &Client,
    project: &Project,
    edit: &Value,
) -> (Arc<OpenFiles>, Vec<String>) {
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

/// Returns the hash of a scenario after some ticks, for about this many turns of agents.
fn hash(path: &Path, open: &Arc<OpenFiles>, turns: u64) -> u64 {
    let scripts = ScriptsFolder::of_open_scenario(path, open);
    let source = open.read(path).unwrap();
    let mut run = Run::new(&source, &scripts, &Options::default()).unwrap();
    let agents = run.simulation().world().agents.len() as u64;
    let end = run.ticks().min(run.first_tick() + turns / agents.max(1));
    while run.tick() < end {
        run.step().unwrap();
    }
    state_hash(run.simulation().world(), run.simulation().minds())
}

/// Renames what is written at a byte offset of an open file. The renaming leaves the findings and the runs as they were, or is refused. The runs
/// of renamed states have other hashes, since the names are part of them.
fn try_rename(
    (client, project): (&mut Client, &Project),
    (path, at): (&str, usize),
    name: &str,
    turns: Option<u64>,
) -> Result<(), String> {
    let edit = rename(client, path, at, "renamed_")?;
    let (open, paths) = edited(client, project, &edit);
    for changed in paths.iter().filter(|path| path.ends_with(".ron") || path.ends_with(".rhai")) {
        if changed.ends_with(".plan.ron") {
            continue;
        }
        let file: PathBuf = project.path(changed);
        let count = |open| check_open(&file, open).findings.iter().count();
        assert_eq!(count(&open), count(&Arc::default()), "{name}: {changed}");
        if let Some(turns) = turns.filter(|_| changed.ends_with(".ron")) {
            let old = hash(&file, &Arc::default(), turns);
            assert_eq!(hash(&file, &open, turns), old, "{name}: {changed}");
        }
    }
    Ok(())
}

/// Renames all that the scenarios of a project declare, one after the other. Returns what was renamed, and what was refused.
fn rename_all(project: &Project, scenarios: &[String], turns: u64) -> (Vec<String>, Vec<String>) {
    let mut client = Client::start(project);
    let (mut renamed, mut refused) = (Vec::new(), Vec::new());
    for path in scenarios {
        client.open(path, &project.read(path));
        let document = json!({"textDocument": {"uri": client.uri(path)}});
        let symbols = client.request("textDocument/documentSymbol", document);
        let public: Vec<String> = public_states(&project.read(path));
        let mut waiting = symbols.as_array().unwrap().clone();
        while let Some(symbol) = waiting.pop() {
            waiting.extend(symbol["children"].as_array().cloned().unwrap_or_default());
            let at = offset(client.text(path), &symbol["selectionRange"]["start"]);
            let own = symbol["name"].as_str().unwrap().to_owned();
            let name = format!("{path} {own}");
            let turns = Some(turns).filter(|_| !public.contains(&own));
            match try_rename((&mut client, project), (path, at), &name, turns) {
                Ok(()) => renamed.push(name),
                Err(why) => refused.push(format!("{name}: {why}")),
            }
        }
        client.close(path);
    }
    (renamed, refused)
}

/// Returns the names of the public states of a scenario.
fn public_states(scenario: &str) -> Vec<String> {
    let tree = RonTree::new(scenario);
    let is_public = |word: &RonWord<'_, '_>| {
        word.is_key && word.node.parent().is_some_and(|map| map.key() == Some("public"))
    };
    tree.words().filter(is_public).map(|word| word.text.to_owned()).collect()
}

/// Renames the states that the scripts of a project keep, except for those of state machines, whose values are functions. Returns what was
/// renamed, and what was refused.
fn rename_states(project: &Project, is_asked: impl Fn(&str) -> bool) -> (Vec<String>, Vec<String>) {
    let mut client = Client::start(project);
    let (mut renamed, mut refused) = (Vec::new(), Vec::new());
    let all = find(&[project.path("scripts")]).unwrap().scripts;
    for file in all {
        let path = file.strip_prefix(project.path("")).unwrap().to_str().unwrap().to_owned();
        let text = project.read(&path);
        let mut known = BTreeSet::new();
        for (at, before) in text.match_indices("me.state.") {
            let at = at + before.len();
            let own = text[at..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
            if !is_asked(&path) || !known.insert(own) || own == "contains" {
                continue;
            }
            client.open(&path, &text);
            let name = format!("{path} {own}");
            match try_rename((&mut client, project), (&path, at), &name, None) {
                Ok(()) => renamed.push(name),
                Err(why) => refused.push(format!("{name}: {why}")),
            }
            client.close(&path);
        }
    }
    (renamed, refused)
}

/// Asserts that everything can be renamed but groups whose agents have random numbers, which goldens record.
fn assert_renamed(scenarios: impl Fn(&str) -> bool, turns: u64) {
    let (mut project, mut all) = shipped();
    all.retain(|path| scenarios(path));
    for path in &all {
        let golden = path.replace(".ron", ".golden");
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(&golden);
        if let Ok(bytes) = std::fs::read(shipped) {
            project = project.with(&golden, bytes);
        }
    }
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
fn states_of_shipped_scripts_are_renamed() {
    let (project, _) = shipped();
    let names = ["ant", "guard_dog", "hearsay", "grazer"];
    let paths = names.map(|name| format!("scripts/{name}.rhai"));
    let (renamed, refused) = rename_states(&project, |path| paths.iter().any(|of| of == path));
    assert_eq!(renamed.len(), 7, "{renamed:?}");
    assert_eq!(refused, [""; 0]);
}

#[test]
#[ignore = "takes minutes"]
fn states_of_all_shipped_scripts_are_renamed() {
    let (renamed, refused) = rename_states(&shipped().0, |_| true);
    assert!(renamed.len() > refused.len(), "{refused:#?}");
    assert_eq!(refused, [""; 0]);
}

#[test]
#[ignore = "takes minutes"]
fn renaming_in_all_shipped_files_changes_no_findings_and_no_runs() {
    assert_renamed(|_| true, 10_000);
}

#[test]
fn plans_are_renamed_too() {
    for before in ["groups.birds.params.", "birds."] {
        let plan = "scenarios/boids_three_rules.plan.ron";
        let (project, _) = shipped();
        let text = project.read(plan).replace("groups.birds.params.", before);
        let project = project.with(plan, text);
        let mut client = Client::start(&project);
        let path = "scenarios/boids_three_rules.ron";
        client.open(path, &project.read(path));
        let at = project.read(path).find("\"avoid\"").unwrap() + 1;
        let edit = rename(&mut client, path, at, "keep_off").unwrap();
        let (open, paths) = edited(&client, &project, &edit);
        assert_eq!(paths.len(), 3, "{paths:?}");
        let plan = open.read(&project.path(plan)).unwrap();
        assert!(plan.text.contains(&format!("\"{before}keep_off\": ")), "{}", plan.text);
    }
}

/// Caught: a group became `a b`, which no measure can name.
#[test]
fn a_name_with_a_space_is_refused() {
    let project = Project::two();
    let mut client = Client::start(&project);
    let path = "scenarios/two.ron";
    client.open(path, &project.read(path));
    let at = |written: &str| project.read(path).find(written).unwrap() + 1;
    let refused = rename(&mut client, path, at("\"walkers\""), "a b").unwrap_err();
    assert_eq!(refused, "`a b` has a space: write `a_b`");
    let refused = rename(&mut client, path, at("\"walk\""), "a b").unwrap_err();
    assert!(refused.starts_with("`a b` cannot be the name of a script"), "{refused}");
}

/// Caught: a renaming was done although something that it did not find still had the old name.
#[test]
fn a_renaming_that_cannot_be_followed_is_refused() {
    for (script, why) in [
        (
            "fn steer(me) { vec(me.params.map(|name, value| if name == \"push\" { value })[0], 0) }\n",
            "scripts/walk.rhai:1: correct this before `push` is renamed",
        ),
        (
            "fn steer(me) {\n    let first = \"pu\";\n    vec(me.params[first + \"sh\"], 0)\n}\n",
            "scripts/walk.rhai:3: `push` cannot be renamed everywhere",
        ),
        (
            "fn steer(me) {\n    me.wandr() * me.params.push\n}\n",
            "scripts/walk.rhai:2: correct this before `push` is renamed: ",
        ),
    ] {
        let project = Project::two_with(script);
        let mut client = Client::start(&project);
        let path = "scenarios/two.ron";
        client.open(path, &project.read(path));
        let at = project.read(path).find("\"push\"").unwrap() + 1;
        let refused = rename(&mut client, path, at, "pull").unwrap_err();
        // Caught: the place stood at the end, where editors cut the message.
        assert!(refused.starts_with(why), "{refused}");
    }
}

pub(super) const CATS: &str = "scenarios/cats.ron";
pub(super) const SCRIPT: &str = "scripts/cat.rhai";
const GOLDEN: &str = "scenarios/cats.golden";

/// Returns a project with the groups `cat` and `dog`, the path `lane`, and a script.
pub(super) fn cats(script: &str) -> Project {
    let group = |x: u32| {
        format!(
            "(behavior: \"cat\", spawn: Points([({x}, 10)]), body: (radius: 4, max_speed: 70, max_force: 160))"
        )
    };
    let scenario = format!(
        "(\n    ticks: 60,\n    world: (size: (640, 360), edge: Wrap),\n    groups: {{\n        \"cat\": {},\n        \"dog\": {},\n    }},\n    paths: {{ \"lane\": (points: [(10, 10), (300, 10)], radius: 4) }},\n)\n",
        group(10),
        group(200)
    );
    Project::empty().with(CATS, scenario).with(SCRIPT, script)
}

/// Asks for a new name of the first place that reads like `find`.
pub(super) fn rename_first(
    project: &Project,
    path: &str,
    find: &str,
    new: &str,
) -> (Client, Result<Value, String>) {
    let mut client = Client::start(project);
    client.open(path, &project.read(path));
    client.wait(path);
    let at = project.read(path).find(find).unwrap();
    let answer = rename(&mut client, path, at + usize::from(find.starts_with('"')), new);
    (client, answer)
}

/// Caught: the functions that a state machine calls by their names could be renamed, and others could become one of them.
#[test]
fn functions_of_state_machines_keep_their_names() {
    let script = "const STATES = [\"run\", \"walk\"];\n\
        fn steer(me) { me.machine(\"mode\", STATES) }\n\
        fn run(me) { me.seek(vec(100, 100)) }\n\
        fn next_run(me) { if me.time_in(\"mode\") > 0.5 { \"walk\" } }\n\
        fn walk(me) { other(me); enter_run(1, 2); me.seek(vec(0, 0)) }\n\
        fn enter_walk(me) { me.state.x = 1; }\n\
        fn enter_run(a, b) { a + b }\n\
        fn other(me) { me.state.x = 2; }\n";
    let project = cats(script);
    for name in ["run(me)", "next_run", "enter_walk"] {
        let why = rename_first(&project, SCRIPT, name, "elsewhere").1.unwrap_err();
        assert!(why.contains("the state machine `mode` calls"), "{name}: {why}");
    }
    for new in ["enter_run", "exit_walk", "next_walk"] {
        let why = rename_first(&project, SCRIPT, "other(me) { me", new).1.unwrap_err();
        assert!(why.contains("the state machine `mode` would call"), "{new}: {why}");
    }
    rename_first(&project, SCRIPT, "other(me) { me", "another").1.unwrap();
    rename_first(&project, SCRIPT, "enter_run(a", "sum").1.unwrap();
}

/// Caught: strings that are compared with the name of a group kept the old name, and the refusal spoke of random numbers.
#[test]
fn groups_are_renamed_in_comparisons() {
    let script = "fn steer(me) {\n\
        let mine = me.group;\n\
        if me.group != \"cat\" { return vec(1, 0); }\n\
        if !(\"cat\" == me.group) || mine != \"cat\" { return vec(2, 0); }\n\
        if !(me.group in [\"cat\", \"bird\"]) || ![\"cat\"].contains(me.group) { return vec(3, 0); }\n\
        switch me.group { \"cat\" => me.follow_path(\"lane\"), _ => vec(4, 0) }\n\
        }\n";
    let project = cats(script);
    let (client, edit) = rename_first(&project, CATS, "\"cat\": (", "kitty");
    let (open, paths) = edited(&client, &project, &edit.unwrap());
    assert_eq!(paths.len(), 2, "{paths:?}");
    let read = |path: &str| open.read(&project.path(path)).unwrap().text.clone();
    assert_eq!(read(SCRIPT).matches("\"kitty\"").count(), 6, "{}", read(SCRIPT));
    assert!(!read(SCRIPT).contains("\"cat\""));
    assert!(read(CATS).contains("behavior: \"cat\""));
    // From the script, too.
    rename_first(&project, SCRIPT, "\"cat\"", "kitty").1.unwrap();

    let script = "const CAT = \"cat\";\nfn steer(me) { if me.group == CAT { vec(1, 0) } else { vec(2, 0) } }\n";
    let edit = rename_first(&cats(script), CATS, "\"cat\": (", "kitty").1.unwrap();
    assert!(edit["documentChanges"].to_string().contains("cat.rhai"), "{edit}");
    let script = "const CATS = #{ a: \"cat\" };\nfn steer(me) { if me.group == CATS.a { vec(1, 0) } else { vec(2, 0) } }\n";
    let why = rename_first(&cats(script), CATS, "\"cat\": (", "kitty").1.unwrap_err();
    assert!(why.starts_with("scripts/cat.rhai:2: `cat` cannot be renamed everywhere"), "{why}");
    let random = cats("fn steer(me) { me.wander() }\n").with(GOLDEN, "");
    let why = rename_first(&random, CATS, "\"cat\": (", "kitty").1.unwrap_err();
    assert!(why.contains("the random numbers"), "{why}");
}

#[test]
fn groups_are_renamed_in_expectations_between_two() {
    let project = cats("fn steer(me) { me.follow_path(\"lane\") }\n");
    let expect = "    expect: [MinSeparation(distance: 1, between: (\"cat\", \"dog\"))],\n)\n";
    let scenario = project.read(CATS).strip_suffix(")\n").unwrap().to_owned() + expect;
    let project = project.with(CATS, scenario);
    for (find, new, renamed) in [
        ("\"cat\": (", "kitty", "between: (\"kitty\", \"dog\")"),
        ("\"dog\"))", "hound", "between: (\"cat\", \"hound\")"),
    ] {
        let (client, edit) = rename_first(&project, CATS, find, new);
        let (open, _) = edited(&client, &project, &edit.unwrap());
        let text = open.read(&project.path(CATS)).unwrap().text.clone();
        assert!(text.contains(renamed) && text.contains(&format!("\"{new}\": (")), "{text}");
    }
}

#[test]
fn obstacles_and_groups_are_renamed_in_events() {
    let project = cats("fn steer(me) { me.follow_path(\"lane\") + me.avoid_obstacles() }\n");
    let more = "    obstacles: { \"gate\": Circle(center: (90, 90), radius: 1) },
    absent_obstacles: [\"gate\"],
    moving_obstacles: { \"gate\": Along(path: \"lane\", speed: 3) },
    events: [
        At(tick: 2, do: MoveObstacle(obstacle: \"gate\", moves: Along(path: \"lane\", speed: 1))),
        When(condition: Inside(group: \"cat\", area: Circle(center: (0, 0), radius: 1)), do: SetObstacle(obstacle: \"gate\", present: true)),
    ],
)
";
    let scenario = project.read(CATS).strip_suffix(")\n").unwrap().to_owned() + more;
    let project = project.with(CATS, scenario);
    for (find, new, renamed) in [
        (
            "\"gate\": Circle",
            "door",
            &[
                "\"door\": Circle",
                "absent_obstacles: [\"door\"]",
                "obstacle: \"door\", present",
                "moving_obstacles: { \"door\": Along(path: \"lane\"",
                "MoveObstacle(obstacle: \"door\"",
            ][..],
        ),
        ("\"lane\": (", "way", &["{ \"gate\": Along(path: \"way\"", "moves: Along(path: \"way\""]),
        ("\"cat\": (", "kitty", &["Inside(group: \"kitty\""]),
    ] {
        let (client, edit) = rename_first(&project, CATS, find, new);
        let (open, _) = edited(&client, &project, &edit.unwrap());
        let text = open.read(&project.path(CATS)).unwrap().text.clone();
        for part in renamed {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

#[test]
fn inputs_are_renamed_in_scenarios_and_scripts() {
    let project = cats(
        "fn steer(me) { if world.inputs.left || world.inputs[\"left\"] { me.wander() } else { me.follow_path(\"lane\") } }\n",
    );
    let more = "    inputs: { \"left\": Key(\"a\") },
    events: [At(tick: 3, do: Input(name: \"left\", down: true))],
)
";
    let scenario = project.read(CATS).strip_suffix(")\n").unwrap().to_owned() + more;
    let project = project.with(CATS, scenario);
    let (client, edit) = rename_first(&project, CATS, "\"left\": Key", "west");
    let (open, _) = edited(&client, &project, &edit.unwrap());
    let text = |name: &str| open.read(&project.path(name)).unwrap().text.clone();
    for part in ["inputs: { \"west\": Key(\"a\") }", "Input(name: \"west\""] {
        assert!(text(CATS).contains(part), "{part}: {}", text(CATS));
    }
    let script = text(SCRIPT);
    assert!(script.contains("world.inputs.west || world.inputs[\"west\"]"), "{script}");
}

/// Caught: a note of `check --perf` in a script was taken for a new one, since its file has another path.
#[test]
fn scripts_with_notes_about_speed_are_renamed() {
    let script =
        "fn steer(me) { let all = []; for i in 0..9 { all.push(\"${i}\"); } vec(all.len(), 0) }\n";
    let project = cats(script);
    let notes = project.flockwork(&["check", "--perf", CATS]);
    assert!(notes.err().contains("note"), "{}", notes.err());
    let (_, edit) = rename_first(&project, CATS, "\"cat\", spawn", "pets/cat");
    assert!(edit.unwrap()["documentChanges"].to_string().contains("pets/cat.rhai"));
}

/// Caught: the golden kept the old names, so the test said that they differ.
#[test]
fn goldens_get_the_new_names() {
    let script = "fn steer(me) { me.follow_path(\"lane\") }\n";
    for (find, new) in [("\"cat\": (", "kitty-cat"), ("\"lane\"", "street")] {
        let project = cats(script);
        project.flockwork(&["test", "--update", CATS]).says(0, &[]);
        let (client, edit) = rename_first(&project, CATS, find, new);
        let (open, paths) = edited(&client, &project, &edit.unwrap());
        assert!(paths.contains(&"scenarios/cats.golden".to_owned()), "{paths:?}");
        let project = paths.iter().fold(project, |project, path| {
            let text = open.read(&project.path(path)).unwrap().text.clone();
            project.with(path, text)
        });
        project.flockwork(&["test", CATS]).says(0, &[]);
        assert!(project.read("scenarios/cats.golden").contains(new));
    }
    let project = cats(script).with("scenarios/cats.golden", "flockwork golden 1\nend 0\n");
    let why = rename_first(&project, CATS, "\"lane\"", "street").1.unwrap_err();
    assert!(why.contains("`lane` cannot be renamed in the golden cats.golden: "), "{why}");
}

/// Returns the project of `cats` with something more in the scenario.
pub(super) fn cats_with(script: &str, fields: &str) -> Project {
    let project = cats(script);
    let scenario = project.read(CATS).replace("ticks: 60,", &format!("ticks: 60,\n    {fields},"));
    project.with(CATS, scenario)
}

/// Caught: a function was renamed although a string kept its name, so that the run failed.
#[test]
fn functions_are_renamed_in_strings_or_refused() {
    let script = "fn helper(x) { x * 2.0 }\nfn steer(me) {\n    if is_def_fn(\"helper\", 1) { vec(call(Fn(\"helper\"), 1.0), 0) } else { vec(0, 0) }\n}\n";
    let project = cats(script);
    let (client, edit) = rename_first(&project, SCRIPT, "helper", "assist");
    let (open, _) = edited(&client, &project, &edit.unwrap());
    let text = open.read(&project.path(SCRIPT)).unwrap().text.clone();
    assert_eq!(text, script.replace("helper", "assist"));

    for call in [
        "let n = \"helper\"; call(Fn(n), 1.0)",
        "let y = 0.0; for f in [\"helper\"] { y += call(Fn(f), 1.0); } y",
        "[1.0].map(\"helper\")[0]",
        // It runs too late for a comparison of the runs.
        "if world.tick < 1000000 { 0.0 } else { [1.0].map(\"helper\")[0] }",
    ] {
        let script = format!(
            "fn helper(x) {{ x * 2.0 }}\nfn far() {{ {call} }}\nfn steer(me) {{ vec(far(), 0) }}\n"
        );
        let why = rename_first(&cats(&script), SCRIPT, "helper", "assist").1.unwrap_err();
        assert!(why.starts_with("scripts/cat.rhai:2: this string may"), "{call}: {why}");
    }
    // A string that is known to be something else does not count.
    let script = "fn lane(x) { x }\nfn steer(me) { me.follow_path(\"lane\") * lane(1.0) }\n";
    rename_first(&cats(script), SCRIPT, "lane(x)", "width").1.unwrap();
}

/// Caught: a variable got the name of a constant, or the other way around, and a closure then read the constant.
#[test]
fn constants_and_variables_get_different_names() {
    let script = "const K = 2.0;\nfn calm(x) { x * K }\nfn steer(me) {\n\
        let k = 5.0;\n\
        me.neighbors(500).filter(|a| a.distance(me) > k).len() * vec(calm(1), 1)\n}\n";
    let project = cats(script);
    for (find, new, line) in
        [("k = 5", "K", 1), ("K = 2", "k", 4), ("a| a", "K", 1), ("x) {", "K", 1)]
    {
        let why = rename_first(&project, SCRIPT, find, new).1.unwrap_err();
        assert!(
            why.contains(&format!("`{new}` is declared in `scripts/cat.rhai:{line}` already")),
            "{why}"
        );
    }
    rename_first(&project, SCRIPT, "k = 5", "limit").1.unwrap();
    rename_first(&project, SCRIPT, "K = 2", "LIMIT").1.unwrap();
}

/// Caught: a function was renamed although its script asked for it by a name that it puts together.
#[test]
fn own_names_are_renamed_only_if_the_run_stays_the_same() {
    let script = "fn helper(x) { x * 2.0 }\nfn steer(me) { if is_def_fn(\"hel\" + \"per\", 1) { vec(helper(1.0), 0) } else { vec(0, 0) } }\n";
    let why = rename_first(&cats(script), SCRIPT, "helper", "assist").1.unwrap_err();
    assert!(why.contains("the run of cats.ron would change"), "{why}");
    // Caught: the message had no line.
    assert!(why.starts_with("scripts/cat.rhai:2: this may also use `helper`"), "{why}");
}

/// Caught: a group was renamed if its first ticks had no random numbers, so the run changed later, or for other params.
#[test]
fn groups_that_may_have_random_numbers_are_not_renamed() {
    let still = "fn steer(me) { me.follow_path(\"lane\") }\n";
    let late = "if world.tick < 1000000 { vec(0, 0) } else";
    let random = |call: &str| cats(&format!("fn steer(me) {{ {late} {{ {call} }} }}\n"));
    let noisy = cats(still);
    let scenario = noisy.read(CATS).replacen("radius: 4, ", "radius: 4, noise: (motion: 1), ", 1);
    let spawn = "events: [At(tick: 59, do: Spawn(group: \"cat\", count: 1))]";
    let placed = cats_with(still, spawn);
    let places = "Rect(min: (0, 0), max: (9, 9)), count: 0";
    let placed = {
        let scenario = placed.read(CATS).replacen("Points([(10, 10)])", places, 1);
        placed.with(CATS, scenario)
    };
    for (what, project) in [
        ("a primitive", random("me.wander()")),
        ("a function", random("vec(me.random(), 0)")),
        ("a pointer", random("call(Fn(\"random\"), me) * vec(1, 0)")),
        ("a body", noisy.with(CATS, scenario)),
        ("a place", placed),
    ] {
        // Without a golden, nothing records the run.
        rename_first(&project, CATS, "\"cat\": (", "kitty").1.expect(what);
        let project = project.with(GOLDEN, "");
        let why = rename_first(&project, CATS, "\"cat\": (", "kitty").1;
        let why = why.expect_err(what);
        assert!(
            why.contains("the random numbers of its agents depend on it, so cats.golden"),
            "{what}: {why}"
        );
    }
    // A script that reads the name of the group may compare it.
    let reads = random("if me.group == me.params.who { me.wander() } else { vec(1, 0) }");
    let why = rename_first(&reads, CATS, "\"cat\": (", "kitty").1.unwrap_err();
    assert!(why.contains("so the run of cats.ron would differ"), "{why}");
    // Only those of its own agents matter.
    let scenario = random("me.wander()").read(CATS).replacen("behavior: \"cat\", ", "", 1);
    let project = random("me.wander()").with(CATS, scenario);
    rename_first(&project, CATS, "\"cat\": (", "kitty").1.unwrap();
}

/// Caught: the refusal spoke of random numbers where there are none.
#[test]
fn a_group_that_cannot_be_followed_is_not_said_to_be_random() {
    for (test, fields) in [
        ("me.group == me.params.who", "params: { \"who\": \"cat\" }"),
        ("#{ cat: true, dog: false }[me.group] == true", "seed: 1"),
        ("me.group < \"d\"", "seed: 1"),
        ("me.group.starts_with(\"ca\")", "seed: 1"),
    ] {
        let script = format!("fn steer(me) {{ if {test} {{ vec(1, 0) }} else {{ vec(2, 0) }} }}\n");
        let project = cats_with(&script, fields);
        let why = rename_first(&project, CATS, "\"cat\": (", "zebra").1.unwrap_err();
        let place = "scripts/cat.rhai:1: this may also use `cat`, in a way that cannot be followed";
        assert!(why.starts_with(place), "{test}: {why}");
    }
}

/// Caught: a refusal quoted the error that the file would have, as if it had it.
#[test]
fn a_refusal_quotes_the_error_that_is_there() {
    let project = cats_with("fn steer(me) { vec(me.params.k, 0) }\n", "params: { \"kk\": 1.0 }");
    let why = rename_first(&project, SCRIPT, "k, 0", "zip").1.unwrap_err();
    assert!(why.starts_with("scripts/cat.rhai:1: correct this before"), "{why}");
    assert!(why.contains("no param `k`") && !why.contains("`zip`"), "{why}");
}

/// Caught: a renaming was refused because of a note that only `check --perf` shows.
#[test]
fn a_script_may_become_slower() {
    let script = "fn steer(me) { vec(if me.group == \"kit\" + \"ten\" { [1].map(|x| x)[0] } else { 1 }, 0) }\n";
    rename_first(&cats(script), CATS, "\"cat\": (", "kitten").1.unwrap();
}

/// Caught: an error in a script that never mentions the name refused the renaming.
#[test]
fn a_broken_script_prevents_a_renaming_only_if_it_may_use_the_name() {
    let reading = "fn steer(me) { vec(me.params.shyness, 0) }\n";
    let asked = |script: &str, dancer: &str, helper: &str| {
        let project = cats_with(script, "params: { \"shyness\": 1.0 }");
        let scenario = project.read(CATS).replacen("\"cat\", spawn", "\"dancer\", spawn", 1);
        let project = project.with(CATS, scenario).with("scripts/dancer.rhai", dancer);
        let project = project.with("scripts/helper.rhai", helper);
        rename_first(&project, SCRIPT, "shyness", "calm").1
    };
    let broken = "fn steer(me) {\n    let x = 1;\n    me.seek(vec(1, 1)\n}\n";
    let edit = asked(reading, broken, "").unwrap().to_string();
    assert!(edit.contains("cat.rhai") && edit.contains("cats.ron"), "{edit}");
    // It may be one of the names that are not found.
    let with_name = broken.replace("let x", "let shyness");
    let why = asked(reading, &with_name, "").unwrap_err();
    assert!(why.starts_with("scripts/dancer.rhai:3: correct this before `shyness`"), "{why}");
    // What imports a broken script is not checked further.
    let importing = format!("import \"helper\" as helper;\n{reading}");
    let why = asked(&importing, "fn steer(me) { me.brake() }\n", broken).unwrap_err();
    assert!(why.starts_with("scripts/helper.rhai:3: correct this"), "{why}");
    // No runs can be compared, so a name that is put together would not be noticed.
    let together =
        reading.replace("0)", "me.params[if world.tick > 9 { \"shy\" } else { \"\" } + \"ness\"])");
    let why = asked(&together, broken, "").unwrap_err();
    assert!(why.starts_with("scripts/cat.rhai:1: this may also use `shyness`"), "{why}");
}

/// Caught: behind lines with a longer name, comments were no longer below each other.
#[test]
fn comments_behind_renamed_lines_stay_below_each_other() {
    let script = |name: &str, gaps: [&str; 3]| {
        format!(
            "fn steer(me) {{\n    let {name} = me.vel;{}// now\n    let other = me.pos;{}// here\n    {}// and not there\n    \
             let far = vec(9, 9); // apart\n    {name} + other + far // all\n}}\n",
            gaps[0], gaps[1], gaps[2]
        )
    };
    let before = script("v", ["     ", " ", "                    "]);
    for (new, gaps) in [
        ("velocity", [" ", "    ", "                       "]),
        ("own", ["   ", " ", "                    "]),
    ] {
        let project = cats(&before);
        let (client, edit) = rename_first(&project, SCRIPT, "v = me", new);
        let (files, _) = edited(&client, &project, &edit.unwrap());
        let source = files.read(&project.path(SCRIPT)).unwrap();
        assert_eq!(source.text, script(new, gaps));
        // `fmt` has nothing to do.
        assert_eq!(format(&source, Language::Rhai).unwrap(), source.text);
    }
    // In scenarios, too.
    let with_params = |name: &str, gaps: [&str; 2]| {
        let fields = format!(
            "params: {{\n        \"{name}\": 1.0,{}// how strong\n        \"wide\": 2.0,{}// how far\n    }}",
            gaps[0], gaps[1]
        );
        cats_with(&format!("fn steer(me) {{ me.vel * me.params.{name} }}\n"), &fields)
    };
    let project = with_params("k", ["    ", " "]);
    let (client, edit) = rename_first(&project, CATS, "\"k\"", "strength");
    let (files, _) = edited(&client, &project, &edit.unwrap());
    let scenario = files.read(&project.path(CATS)).unwrap();
    assert_eq!(scenario.text, with_params("strength", [" ", "     "]).read(CATS));
}
