//! Names that are followed from where they are written to where they are read: through variables and functions of scripts.

use std::sync::Arc;

use flockwork_engine::load::OpenFiles;
use serde_json::{Value, json};

use super::client::{Client, offset, position};
use super::rename::{CATS, SCRIPT, cats, cats_with, edited, rename_first};
use crate::project::Project;

const LIBRARY: &str = "scripts/tools.rhai";

/// Renames what the first place that reads like `find` names, and returns the files as they are then.
#[track_caller]
fn renamed(project: &Project, path: &str, find: &str, new: &str) -> Arc<OpenFiles> {
    let (client, edit) = rename_first(project, path, find, new);
    match edit {
        Ok(edit) => edited(&client, project, &edit).0,
        Err(why) => panic!("{find}: {why}"),
    }
}

/// Returns the text of a file with edits, or as it is on the disk.
fn text(open: &OpenFiles, project: &Project, path: &str) -> String {
    open.read(&project.path(path)).unwrap().text.clone()
}

/// Caught: a param that is read through a parameter of a function, of another script even, kept its name.
#[test]
fn params_are_followed_into_functions() {
    let library =
        "fn push(p) { p.fear + p[\"fear\"] }\nfn pull(me) { let p = me.params; push(p) }\n";
    let script = "import \"tools\" as tools;\n\
        fn add(p, x) { x + p.fear + p[\"fear\"] }\n\
        fn steer(me) {\n    let p = me.params;\n    let q = p;\n    vec(tools::push(me.params) + add(p, 1.0), tools::pull(me) + q.fear)\n}\n";
    let project = cats_with(script, "params: { \"fear\": 2.0 }").with(LIBRARY, library);
    let places =
        [(CATS, "\"fear\""), (SCRIPT, "fear\"]"), (SCRIPT, "fear + p"), (LIBRARY, "fear + p")];
    for (path, find) in places {
        let open = renamed(&project, path, find, "dread");
        for (path, count) in [(CATS, 1), (SCRIPT, 3), (LIBRARY, 2)] {
            let text = text(&open, &project, path);
            assert_eq!(text.matches("dread").count(), count, "{find} {path}: {text}");
            assert!(!text.contains("fear"), "{find} {path}: {text}");
        }
    }
}

/// Caught: a name in a string that does not stand in the call itself was not found, and the renaming was refused.
#[test]
fn strings_are_followed_to_what_asks_for_a_name() {
    for body in [
        "me.follow_path(LANE)",
        "let way = \"lane\"; me.follow_path(way)",
        "let way = \"street\"; way = \"lane\"; me.follow_path(way)",
        "let way = if me.id == 7 { \"street\" } else if me.id < 9 { \"lane\" } else { \"street\" }; me.follow_path(way)",
        "me.follow_path(switch me.id { 7 => \"street\", _ => \"lane\" })",
        "me.follow_path(way(me))",
        "me.follow_path((\"lane\"))",
        "walk_to(me, 1, \"lane\")",
        "let force = vec(0, 0); for way in [\"street\", \"lane\"] { force += me.follow_path(way); } force",
        "let all = [\"lane\", \"street\"]; me.follow_path(all[0])",
        "tools::walk(me, \"lane\")",
    ] {
        let script = format!(
            "import \"tools\" as tools;\nconst LANE = \"lane\";\n\
             fn way(me) {{ if me.id == 7 {{ return \"street\"; }} \"lane\" }}\n\
             fn walk_to(me, x, to) {{ let there = to; step(me, there) * x }}\n\
             fn step(me, to) {{ me.follow_path(to) }}\n\
             fn all(me) {{ me.follow_path(LANE) + me.follow_path(way(me)) + walk_to(me, 1, \"lane\") }}\n\
             fn steer(me) {{ {body} }}\n"
        );
        let project = cats(&script).with(LIBRARY, "fn walk(me, to) { me.follow_path(to) }\n");
        let scenario = project.read(CATS).replace(
            "paths: {",
            "paths: { \"street\": (points: [(20, 90), (300, 90)], radius: 4), ",
        );
        let project = project.with(CATS, scenario);
        let open = renamed(&project, CATS, "\"lane\"", "alley");
        let text = text(&open, &project, SCRIPT);
        let expected = script.replace("\"lane\"", "\"alley\"");
        assert_eq!(text, expected, "{body}");
        let last = script.rfind("\"lane\"").unwrap();
        if last > script.find("fn steer").unwrap() {
            renamed(&project, SCRIPT, &script[last..], "alley");
        }
    }
}

/// Caught: the state of agents could not be renamed, nor found.
#[test]
fn states_are_followed() {
    let script = "import \"tools\" as tools;\n\
        const STATES = [\"run\", \"walk\"];\n\
        fn init(me) { me.state.fear = 0.0; me.state[\"rest\"] = 1.0; tools::calm(me); }\n\
        fn steer(me) {\n\
            let s = me.state;\n\
            s.fear += 1.0;\n\
            let force = me.machine(\"mode\", STATES) + tools::hurry(me.state);\n\
            if me.state.contains(\"fear\") && me.state.mode_since < 3 { s.rest -= 0.1; }\n\
            force\n\
        }\n\
        fn run(me) { vec(me.state.fear, me.time_in(\"mode\")) }\n\
        fn next_run(me) { if me.time_in(\"mode\") > 0.5 { \"walk\" } }\n\
        fn walk(me) { if me.state.mode == \"walk\" { vec(1, me.state.rest) } else { vec(0, 0) } }\n";
    let library =
        "fn calm(me) { me.state.fear = 1.0; }\nfn hurry(s) { vec(s.fear, s[\"rest\"]) }\n";
    let project = cats(script).with(LIBRARY, library);
    for (path, find, old, new, counts) in [
        (SCRIPT, "fear = 0", "fear", "dread", [4, 2]),
        (LIBRARY, "fear = 1", "fear", "dread", [4, 2]),
        (SCRIPT, "rest -=", "rest", "pause", [3, 1]),
        (SCRIPT, "\"mode\"", "mode", "way", [5, 0]),
        (SCRIPT, "mode_since", "mode", "way", [5, 0]),
    ] {
        let open = renamed(&project, path, find, new);
        for (path, count) in [SCRIPT, LIBRARY].into_iter().zip(counts) {
            let text = text(&open, &project, path);
            assert_eq!(text.matches(new).count(), count, "{find} {path}: {text}");
            assert!(!text.contains(old), "{find} {path}: {text}");
        }
        // Who never writes the name does not change.
        assert_eq!(text(&open, &project, CATS), project.read(CATS));
    }
    let why = rename_first(&project, SCRIPT, "fear = 0", "rest").1.unwrap_err();
    assert!(why.contains("`rest` is a state already: scripts/cat.rhai:3"), "{why}");
    let why = rename_first(&project, SCRIPT, "fear = 0", "the fear").1.unwrap_err();
    assert!(why.contains("cannot be read in a script as `me.state.the fear`"), "{why}");
    // It is put together.
    let script = "fn init(me) { me.state.fear = 1.0; }\nfn steer(me) { vec(me.state[\"fe\" + \"ar\"], 0) }\n";
    let why = rename_first(&cats(script), SCRIPT, "fear = 1", "dread").1.unwrap_err();
    assert!(why.starts_with("scripts/cat.rhai:2: `fear` cannot be renamed everywhere"), "{why}");
}

/// A public state, and what is drawn with it.
const PUBLIC: &str = "(public: { \"alarm\": 0.0 }, color_by: (state: \"alarm\", colors: [(value: 0, color: \"#d55e00\")]), \
    label: \"alarm\", signs: [Circle(radius: \"alarm\")], behavior: \"cat\"";

/// Returns a project in which cats tell dogs something.
fn talk() -> Project {
    let script = "fn steer(me) {\n    if me.group == \"cat\" { me.tell(\"dog\", \"alarm\", 2.0); }\n    let dog = me.nearest(\"dog\");\n    if dog == () { vec(me.state.alarm, 0) } else { vec(dog.state.alarm, dog.state[\"alarm\"]) }\n}\n";
    let project = cats(script);
    let scenario = project
        .read(CATS)
        .replace("(behavior: \"cat\"", PUBLIC)
        .replace("ticks: 60,", "ticks: 60,\n    measures: { \"loud\": \"loud\" },");
    let measure = "fn measure(now) { let sum = 0.0; for one in now.members { sum += one.state.alarm; } sum }\n";
    project.with(CATS, scenario).with("scripts/loud.rhai", measure)
}

/// Caught: the names of messages and of public state kept their names.
#[test]
fn messages_and_public_state_are_renamed() {
    let project = talk();
    for (path, find) in [
        (CATS, "\"alarm\""),
        (SCRIPT, "\"alarm\", 2"),
        (SCRIPT, "alarm, 0"),
        ("scripts/loud.rhai", "alarm"),
    ] {
        let open = renamed(&project, path, find, "cry");
        for (path, count) in [(CATS, 8), (SCRIPT, 4), ("scripts/loud.rhai", 1)] {
            let text = text(&open, &project, path);
            assert_eq!(text.matches("cry").count(), count, "{find} {path}: {text}");
            assert!(!text.contains("alarm"), "{find} {path}: {text}");
        }
    }
}

/// Caught: the hashes of a golden contain the names of states, so that it did not fit any more.
#[test]
fn goldens_are_recorded_again_with_the_name_of_a_state() {
    let project = talk();
    project.flockwork(&["test", "--update", CATS]).says(0, &[]);
    let golden = "scenarios/cats.golden";
    let open = renamed(&project, CATS, "\"alarm\"", "cry");
    let files =
        [CATS, SCRIPT, "scripts/loud.rhai", golden].map(|path| (path, text(&open, &project, path)));
    let project = files.into_iter().fold(project, |project, (path, text)| project.with(path, text));
    project.flockwork(&["test", CATS]).says(0, &[]);
    assert!(project.read(golden).contains("cry") && !project.read(golden).contains("alarm"));
    // It is not made to fit a run that differs from it.
    let scenario = project.read(CATS).replace("Points([(10, 10)])", "Points([(11, 10)])");
    let project = project.with(CATS, scenario);
    let why = rename_first(&project, CATS, "\"cry\"", "shout").1.unwrap_err();
    assert!(why.contains("in the golden cats.golden: the run differs from it"), "{why}");
}

/// Returns the lines from 1 of the definitions of the first place that reads like `find`.
fn definitions(project: &Project, path: &str, find: &str) -> Vec<(String, u64)> {
    let mut client = Client::start(project);
    client.open(path, &project.read(path));
    client.wait(path);
    let at = project.read(path).find(find).unwrap();
    let document = json!({"uri": client.uri(path)});
    let params = json!({"textDocument": document, "position": position(client.text(path), at)});
    let found = client.request("textDocument/definition", params);
    let line = |one: &Value| {
        let path = client.path(one["uri"].as_str().unwrap());
        let start = &one["range"]["start"];
        assert!(offset(&project.read(&path), start) > 0);
        (path, start["line"].as_u64().unwrap() + 1)
    };
    found.as_array().map(|all| all.iter().map(line).collect()).unwrap_or_default()
}

#[test]
fn a_state_is_defined_where_it_is_public_or_set_first() {
    let line = |path: &str, line| vec![(path.to_owned(), line)];
    let scenario = definitions(&talk(), SCRIPT, "alarm, 0");
    assert!(scenario.len() == 2 && scenario.iter().all(|(path, _)| path == CATS), "{scenario:?}");
    let script = "fn init(me) {\n    me.state.fear = 0.0;\n}\nfn steer(me) {\n    me.state.fear += 1.0;\n    me.state.rest = 2.0;\n    vec(me.state.fear, me.state.rest) + me.machine(\"mode\", [\"run\"]) * me.time_in(\"mode\")\n}\nfn run(me) { vec(0, 0) }\n";
    let project = cats(script);
    assert_eq!(definitions(&project, SCRIPT, "fear, me"), line(SCRIPT, 2));
    assert_eq!(definitions(&project, SCRIPT, "rest) +"), line(SCRIPT, 6));
    assert_eq!(definitions(&project, SCRIPT, "mode\")\n"), line(SCRIPT, 7));
}

#[test]
fn the_path_of_a_scenario_in_a_plan_leads_to_it() {
    let (plan, scenario) = ("scenarios/two.plan.ron", "scenarios/two.ron");
    let text =
        "(scenario: \"two.ron\", vary: { \"seed\": List([1, 2]) }, record: [\"mean_speed\"])";
    let project = Project::two().with(plan, text);
    let mut client = Client::start(&project);
    client.open(plan, text);
    let mut definition = |find: &str| {
        let at = position(client.text(plan), text.find(find).unwrap());
        let params = json!({"textDocument": {"uri": client.uri(plan)}, "position": at});
        let found = client.request("textDocument/definition", params);
        found.as_array().map(|all| client.path(all[0]["uri"].as_str().unwrap()))
    };
    assert_eq!(definition("wo.ron").as_deref(), Some(scenario));
    assert_eq!(definition("mean_speed"), None);
}

/// Caught: the labels of a plan kept the old path.
#[test]
fn labels_in_plans_are_renamed() {
    let plan = "scenarios/two.plan.ron";
    for path in ["groups.walkers.params.push", "walkers.push"] {
        let text_of = |path: &str| {
            format!(
                "(\n    scenario: \"two.ron\",\n    vary: {{ \"{path}\": List([1, 2]) }},\n    labels: {{ \"{path}\": \"Push\", \"mean_speed\": \"Speed\" }},\n    record: [\"mean_speed\"],\n)\n"
            )
        };
        let project = Project::two().with(plan, text_of(path));
        project.flockwork(&["check", plan]).says(0, &[]);
        let open = renamed(&project, "scenarios/two.ron", "\"push\"", "pull");
        assert_eq!(text(&open, &project, plan), text_of(&path.replace("push", "pull")));
    }
}

/// Caught: the radius of a sign that is the value of a param kept the old name.
#[test]
fn params_are_renamed_in_signs() {
    let project = cats_with("fn steer(me) { vec(me.params.far, 0) }\n", "params: { \"far\": 9.0 }");
    let signs =
        "(signs: [Circle(radius: \"far\"), Cone(radius: 3, angle_deg: \"far\")], behavior: \"cat\"";
    let scenario = project.read(CATS).replace("(behavior: \"cat\"", signs);
    let project = project.with(CATS, scenario);
    let open = renamed(&project, SCRIPT, "far", "reach");
    let text = text(&open, &project, CATS);
    assert!(text.matches("\"reach\"").count() == 5 && !text.contains("far"), "{text}");
}
