//! The values that stand behind lines while a run has stopped.

use serde_json::{Value, json};

use super::{Editor, project};

/// Caught: behind an `if` stood no comparison, and behind the lines of a block that did not run stood values.
#[test]
fn lines_that_ran_have_values_behind_them() {
    let mut editor = Editor::start(project());
    let launch = json!({ "scenario": "scenarios/a.ron", "stopOnEntry": true });
    editor.launch(launch, json!([]));
    editor.stopped();
    let in_columns = |editor: &mut Editor, frame: u64, columns: Option<u64>| -> Vec<String> {
        let path = editor.project.path("scripts/go.rhai");
        let asked = json!({ "path": path, "frameId": frame, "columns": columns });
        let all = editor.ask("flockworkLineValues", asked);
        let one = |one: &Value| format!("{} {}", one["line"], one["text"].as_str().unwrap());
        all["lines"].as_array().unwrap().iter().map(one).collect()
    };
    let behind = |editor: &mut Editor, frame: u64| in_columns(editor, frame, None);
    let script = editor.project.read("scripts/go.rhai");
    let code = script.lines().nth(6).unwrap().to_owned();
    assert_eq!(behind(&mut editor, 0), [""; 0]);
    assert_eq!(editor.go("next"), "step steer, agent 0 (a), tick 0:7");
    assert_eq!(editor.go("stepIn"), "step half, agent 0 (a), tick 0:3");
    assert_eq!(editor.go("next"), "step steer, agent 0 (a), tick 0:7");
    assert_eq!(editor.go("next"), "step steer, agent 0 (a), tick 0:8");
    assert_eq!(behind(&mut editor, 0), ["7 force = 10", "8 next: me.id = 0: false"]);
    // An editor can compare it with the line that it has now.
    let asked = json!({ "path": editor.project.path("scripts/go.rhai"), "frameId": 0 });
    assert_eq!(editor.ask("flockworkLineValues", asked)["lines"][0]["code"], code);
    // The block does not run.
    assert_eq!(editor.go("next"), "step steer, agent 0 (a), tick 0:14");
    // Caught: what stood behind the line where it stands seemed to be computed there.
    let until = ["7 force = 10", "8 me.id = 0: false", "14 before: force = 10"];
    assert_eq!(behind(&mut editor, 0), until);
    // Caught: a line without `before` was as short as one that has it.
    assert_eq!(in_columns(&mut editor, 0, Some(50))[0], until[0]);
}

/// Caught: values of an earlier pass through a loop looked like those of this one.
#[test]
fn values_of_an_earlier_pass_say_so() {
    let script = "fn steer(me) {
    let sum = 0.0;
    for i in 0..3 {
        if i == 1 {
            let one = i * 10;
            sum += one;
        } else {
            sum += 1;
        }
    }
    vec(sum,
        0)
}";
    let mut editor = Editor::start(project().with("scripts/go.rhai", script));
    let launch = json!({ "scenario": "scenarios/a.ron", "agent": 0 });
    editor.launch(launch, json!([{ "line": 8 }, { "line": 11 }]));
    editor.stopped();
    let mut behind = |expected: &[&str]| {
        let asked = json!({ "path": editor.project.path("scripts/go.rhai"), "frameId": 0 });
        let all = editor.ask("flockworkLineValues", asked);
        let one = |one: &Value| format!("{} {}", one["line"], one["text"].as_str().unwrap());
        let all: Vec<String> = all["lines"].as_array().unwrap().iter().map(one).collect();
        assert_eq!(all, expected);
        editor.go("continue");
    };
    behind(&["2 sum = 0", "3 i = 0", "4 i = 0: false", "8 before: sum = 0"]);
    let last_pass = [
        "2 sum = 0",
        "3 i = 2 (last of 3)",
        "4 = 2 (last of 3): false (last of 3)",
        "5 before: one = 10",
        "6 before: sum = 11",
    ];
    behind(&[&last_pass[..], &["8 before: sum = 11"]].concat());
    behind(&[&last_pass[..], &["8 sum = 12 (last of 2)", "11 before: sum = 12"]].concat());
}

/// Caught: a sum over several lines was told behind its first line, as if this was its first term.
#[test]
fn a_variable_of_several_lines_is_behind_the_last_one() {
    let script = "fn steer(me) {
    let sum = me.speed
        + max(me.id, 2);
    vec(sum, 0)
}";
    let mut editor = Editor::start(project().with("scripts/go.rhai", script));
    let launch = json!({ "scenario": "scenarios/a.ron", "agent": 0 });
    editor.launch(launch, json!([{ "line": 4 }]));
    editor.stopped();
    let asked = json!({ "path": editor.project.path("scripts/go.rhai"), "frameId": 0 });
    let all = editor.ask("flockworkLineValues", asked);
    let one = |one: &Value| format!("{} {}", one["line"], one["text"].as_str().unwrap());
    let all: Vec<String> = all["lines"].as_array().unwrap().iter().map(one).collect();
    assert_eq!(all, ["2 me.speed = 2", "3 max = 2, sum = 4", "4 before: sum = 4"]);
}
