//! Checks.

use serde_json::Value;

use crate::project::Project;

#[test]
fn a_sound_project_is_clean() {
    let project = Project::two().with("scripts/lib/tools.rhai", "fn half(x) { x / 2 }");
    let counted = "1 scenario and 2 scripts checked: 0 errors, 0 warnings";
    project.flockwork(&["check"]).says(0, &[counted]);
    project.flockwork(&["check", ".", "scripts/walk.rhai"]).says(0, &[counted]);
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
    project
        .flockwork(&["check"])
        .says(0, &["warning[start-in-obstacle]: ", "scenarios/two.ron:", "0 errors, 2 warnings"]);
    project.flockwork(&["run", "scenarios/two.ron"]).says(0, &["warning[start-in-obstacle]: "]);
}

#[test]
fn paths_that_cannot_be_checked() {
    let project = Project::two().with("notes.txt", "").with("bytes.ron", [0xff]);
    for (path, part) in [
        ("notes.txt", "neither a scenario (.ron) nor a script (.rhai)"),
        ("scenarios/too.ron", "did you mean `two.ron`?"),
        ("nowhere", "there is no file or folder nowhere"),
        ("bytes.ron", "not text in UTF-8"),
    ] {
        project.flockwork(&["check", path]).says(2, &[part]);
    }
    Project::empty().flockwork(&["check"]).says(2, &["neither a folder `scenarios`"]);
    // Found in a folder, it is a finding like others.
    project.flockwork(&["check", "."]).says(1, &["not text in UTF-8", "1 error,"]);
}

/// What `check` finds wrong with the behavior of a sound scenario.
fn finds(script: &str, code: i32, parts: &[&str]) {
    Project::two_with(script).flockwork(&["check"]).says(code, parts);
}

/// The same with what keeps it to the interpreter.
fn finds_slow(script: &str, code: i32, parts: &[&str]) {
    let project = Project::two_with(script);
    project.flockwork(&["check", "--perf"]).says(code, parts);
    let plain = project.flockwork(&["check"]).says(code, &[]).err();
    assert!(!plain.contains("interpreter") && !plain.contains("note"), "{plain}");
    let measured = project.flockwork(&["bench", "scenarios/two.ron", "--ticks", "1"]);
    measured.says(0, &["keeps this to the interpreter"]);
}

#[test]
fn notes_say_what_keeps_a_behavior_to_the_interpreter() {
    let counted = "0 errors, 0 warnings, 1 note";
    finds_slow(
        "fn steer(me) {\n    let twice = |x| 2 * x;\n    vec(twice.call(1), 0)\n}\n",
        0,
        &[
            "note: calling a function that is a value keeps this to the interpreter",
            "scripts/walk.rhai:3:15",
            counted,
        ],
    );
    finds_slow(
        "fn steer(me) {\n    if me.speed > 90 { debug(me.speed); }\n    vec(0, 0)\n}\n",
        0,
        &["note: ", "`debug`", "scripts/walk.rhai:2:", counted],
    );
    // A state that was set after such a thing, or to a list, was said not to be set.
    finds_slow(
        "fn init(me) {\n    debug(1);\n    me.state.x = 1;\n}\nfn steer(me) {\n    vec(me.state.x, 0)\n}\n",
        0,
        &["scripts/walk.rhai:2:", counted],
    );
    finds_slow(
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
        &["`steer` must return a vector", "scripts/walk.rhai:1:", "0 errors, 1 warning"],
    );
    finds(
        "fn steer(me) {\n    vec(me.params.psuh, 0)\n}\n",
        1,
        &["no param `psuh`", "scripts/walk.rhai:2:", "did you mean `push`?", "1 error, 0 warnings"],
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

/// A project with an error that has a related place or help, a warning and a note.
fn mixed() -> Project {
    let project = Project::two_with(
        "fn steer(me) {\n    /* ü */ let unused = 1;\n    debug(1);\n    vec(me.params.push, 0)\n}\n",
    );
    let text = project.read("scenarios/two.ron");
    project
        .with("scenarios/wrong, one.ron", text.replace("behavior: \"walk\"", "behavior: \"wlak\""))
}

#[test]
fn findings_are_json() {
    let project = mixed();
    let answer = project.flockwork(&["check", "--perf", "--format", "json"]);
    let answer = answer.says(1, &["2 scenarios and 1 script checked: 1 error, 1 warning, 1 note"]);
    let json: Value = serde_json::from_str(&answer.out()).unwrap();
    for (key, is) in [
        ("version", 1),
        ("scenarios", 2),
        ("scripts", 1),
        ("errors", 1),
        ("warnings", 1),
        ("notes", 1),
    ] {
        assert_eq!(json[key], is, "{key}");
    }
    let findings = json["findings"].as_array().unwrap();
    let of = |severity: &str| findings.iter().find(|one| one["severity"] == severity).unwrap();
    let warning = of("warning");
    assert_eq!(warning["code"], "unused-variable");
    let place = &warning["place"];
    assert_eq!(place["file"], "scripts/walk.rhai");
    let text = project.read("scripts/walk.rhai");
    let number = |key: &str| place[key].as_u64().unwrap() as usize;
    // Bytes and columns lead to the same words, though a character before them has two bytes.
    let by_bytes = &text[number("start_byte")..number("end_byte")];
    assert_eq!((number("start_line"), number("end_line")), (2, 2));
    let line: Vec<char> = text.lines().nth(1).unwrap().chars().collect();
    let by_columns = &line[number("start_column") - 1..number("end_column") - 1];
    assert_eq!(by_bytes, by_columns.iter().collect::<String>());
    assert!("let unused = 1;".contains(by_bytes) && !by_bytes.is_empty(), "{by_bytes}");
    assert_eq!(of("note")["code"], "interpreted");
    let error = of("error");
    assert_eq!(error["place"]["file"], "scenarios/wrong, one.ron");
    assert!(error["help"].to_string().contains("did you mean `walk`?"), "{error}");
    assert_eq!(error["related"], serde_json::json!([]));
    // Every field is in the help.
    let help = project.flockwork(&["check", "--help"]).says(0, &[]).out();
    let words: Vec<&str> = help.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    for keys in [&json, error, &warning["place"]] {
        for key in keys.as_object().unwrap().keys() {
            assert!(words.contains(&key.as_str()), "{key} is not in the help");
        }
    }
    // A clean project has an empty list.
    let answer = Project::two().flockwork(&["check", "--format", "json"]).says(0, &[]);
    let json: Value = serde_json::from_str(&answer.out()).unwrap();
    assert_eq!(json["findings"], serde_json::json!([]));
}

#[test]
fn findings_are_sarif() {
    let project = mixed();
    let answer = project.flockwork(&["check", "--format", "sarif"]).says(1, &[]);
    let log: Value = serde_json::from_str(&answer.out()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), flockwork_engine::diag::Code::ALL.len());
    for rule in rules {
        assert!(rule["shortDescription"]["text"].as_str().unwrap().ends_with('.'));
    }
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2, "{log}");
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        let region = &result["locations"][0]["physicalLocation"]["region"];
        for key in ["startLine", "startColumn", "endLine", "endColumn"] {
            assert!(region[key].as_u64().unwrap() >= 1, "{region}");
        }
    }
    let warning = results.iter().find(|one| one["level"] == "warning").unwrap();
    let region = &warning["locations"][0]["physicalLocation"]["region"];
    let number = |key: &str| region[key].as_u64().unwrap() as usize;
    let text: Vec<char> = project.read("scripts/walk.rhai").chars().collect();
    let before = "fn steer(me) {\n".len();
    assert_eq!(number("charOffset"), before + number("startColumn") - 1);
    assert_eq!(number("charLength"), number("endColumn") - number("startColumn"));
    let marked = &text[number("charOffset")..][..number("charLength")];
    assert!("let unused = 1;".contains(&marked.iter().collect::<String>()), "{marked:?}");
    let error = results.iter().find(|one| one["level"] == "error").unwrap();
    assert_eq!(
        error["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "scenarios/wrong%2C%20one.ron"
    );
}

#[test]
fn findings_are_workflow_commands() {
    let answer = mixed().flockwork(&["check", "--format", "github"]).says(1, &[]);
    let out = answer.out();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2, "{out}");
    let error = lines.iter().find(|line| line.starts_with("::error ")).unwrap();
    assert!(
        error.starts_with(
            "::error file=scenarios/wrong%2C one.ron,line=8,endLine=8,col=23,endColumn=28,title="
        ),
        "{error}"
    );
    assert!(error.contains("%0Ahelp: did you mean `walk`?"), "{error}");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("::warning file=scripts/walk.rhai,line=2,endLine=2,col=")
                && line.contains(",title=unused-variable::the variable")),
        "{out}"
    );
}
