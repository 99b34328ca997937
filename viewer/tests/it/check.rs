//! Checks.

use crate::project::Project;

#[test]
fn a_sound_project_is_clean() {
    let project = Project::two().with("scripts/lib/tools.rhai", "fn half(x) { x / 2 }");
    let counted = "1 scenario and 2 scripts checked: 0 errors, 0 warnings";
    project.flockwork(&["check"]).says(0, &[counted]);
    project
        .flockwork(&["check", ".", "scripts/walk.rhai"])
        .says(0, &[counted]);
    project
        .flockwork(&["check", "scripts/lib/tools.rhai"])
        .says(0, &["0 scenarios and 1 script checked"]);
}

#[test]
fn every_error_is_told_once_and_where_it_is() {
    let project = Project::two_with("fn steer(me) {\n    vec(0, 0\n}\n")
        .with("scripts/unused.rhai", "fn steer(me, too, many) { 1 }")
        .with("scripts/none.rhai", "fn help() { 1 }")
        .with("scenarios/typo.ron", "(\n    tiks: 5,\n)");
    let text = project.read("scenarios/two.ron");
    let project = project.with("scenarios/three.ron", text.replace("\"walk\"", "\"none\""));
    let answer = project.flockwork(&["check"]);
    let said = answer
        .says(
            1,
            &[
                "scripts/walk.rhai:",
                "scripts/unused.rhai:1:",
                "scripts/none.rhai",
                "scenarios/typo.ron:2:",
                "3 scenarios and 3 scripts checked: 4 errors, 0 warnings",
            ],
        )
        .err();
    assert_eq!(said.matches("scripts/walk.rhai:").count(), 1, "{said}");
}

#[test]
fn warnings_are_no_failure() {
    let project = Project::two();
    let text = project.read("scenarios/two.ron");
    let text = text.replace(
        "groups: {",
        "obstacles: { \"pillar\": Circle(center: (0, 0), radius: 5) }, groups: {",
    );
    let project = project.with("scenarios/two.ron", text);
    project.flockwork(&["check"]).says(
        0,
        &[
            "warning[start-in-obstacle]: ",
            "scenarios/two.ron:",
            "0 errors, 1 warning",
        ],
    );
    project
        .flockwork(&["run", "scenarios/two.ron"])
        .says(0, &["warning[start-in-obstacle]: "]);
}

#[test]
fn paths_that_cannot_be_checked() {
    let project = Project::two()
        .with("notes.txt", "")
        .with("bytes.ron", [0xff]);
    for (path, part) in [
        (
            "notes.txt",
            "neither a scenario (.ron) nor a script (.rhai)",
        ),
        ("scenarios/too.ron", "did you mean `two.ron`?"),
        ("nowhere", "there is no file or folder nowhere"),
        ("bytes.ron", "not text in UTF-8"),
    ] {
        project.flockwork(&["check", path]).says(2, &[part]);
    }
    Project::empty()
        .flockwork(&["check"])
        .says(2, &["neither a folder `scenarios`"]);
    // Found in a folder, it is a finding like others.
    project
        .flockwork(&["check", "."])
        .says(1, &["not text in UTF-8", "1 error,"]);
}

/// What `check` finds wrong with the behavior of a sound scenario.
fn finds(script: &str, code: i32, parts: &[&str]) {
    Project::two_with(script)
        .flockwork(&["check"])
        .says(code, parts);
}

#[test]
fn notes_say_what_keeps_a_behavior_to_the_interpreter() {
    let counted = "0 errors, 0 warnings, 1 note";
    finds(
        "fn steer(me) {\n    let twice = |x| 2 * x;\n    vec(twice.call(1), 0)\n}\n",
        0,
        &[
            "note: calling a function that is a value keeps this to the interpreter",
            "scripts/walk.rhai:3:15",
            counted,
        ],
    );
    finds(
        "fn steer(me) {\n    if me.speed > 90 { debug(me.speed); }\n    vec(0, 0)\n}\n",
        0,
        &["note: ", "`debug`", "scripts/walk.rhai:2:", counted],
    );
    // A state that was set after such a thing, or to a list, was said not to be set.
    finds(
        "fn init(me) {\n    debug(1);\n    me.state.x = 1;\n}\nfn steer(me) {\n    vec(me.state.x, 0)\n}\n",
        0,
        &["scripts/walk.rhai:2:", counted],
    );
    finds(
        "fn init(me) {\n    me.state.all = [];\n}\nfn steer(me) {\n    vec(me.state.all.len(), 0)\n}\n",
        0,
        &["scripts/walk.rhai:2:", "0 errors, 0 warnings, "],
    );
}

#[test]
fn what_a_behavior_gets_wrong_in_its_world() {
    finds(
        "fn steer(me) {\n    if me.speed > 90 { return 1; }\n    vec(0, 0)\n}\n",
        0,
        &[
            "`steer` must return a vector",
            "scripts/walk.rhai:1:",
            "0 errors, 1 warning",
        ],
    );
    finds(
        "fn steer(me) {\n    vec(me.params.psuh, 0)\n}\n",
        1,
        &[
            "no param `psuh`",
            "scripts/walk.rhai:2:",
            "did you mean `push`?",
            "1 error, 0 warnings",
        ],
    );
    finds(
        "fn steer(me) {\n    me.separation(me.neighbors(9).of(\"walker\"))\n}\n",
        1,
        &[
            "no group `walker`",
            "scripts/walk.rhai:2:",
            "did you mean `walkers`?",
            "1 error, 0 warnings",
        ],
    );
    finds(
        "fn steer(me) {\n    let unused = 1;\n    vec(0, 0)\n}\n",
        0,
        &[
            "warning[unused-variable]: the variable `unused` is never read",
            "scripts/walk.rhai:2:",
            "0 errors, 1 warning",
        ],
    );
    finds(
        "fn steer(me) {\n    return vec(0, 0);\n    me.wander()\n}\n",
        0,
        &[
            "warning[unreachable]: this is never reached",
            "scripts/walk.rhai:3:",
            "0 errors, 1 warning",
        ],
    );
}
