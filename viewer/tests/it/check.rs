//! `flockwork check`.

use serde_json::Value;

use crate::project::Project;

/// A project with an error that has a related place or help, a warning and a note.
fn project_with_findings() -> Project {
    let project = Project::two_with(
        "fn steer(me) {\n    /* ü */ let unused = 1;\n    debug(me.params);\n    vec(me.params.push, 0)\n}\n",
    );
    let text = project.read("scenarios/two.ron");
    project
        .with("scenarios/wrong, one.ron", text.replace("behavior: \"walk\"", "behavior: \"wlak\""))
}

/// Caught: a file that cannot be read was a finding in a folder, but no finding if it was named.
#[test]
fn a_file_that_cannot_be_read_is_a_finding_and_a_missing_path_is_wrong_use() {
    let project = Project::two();
    std::fs::write(project.path("scripts/latin.rhai"), b"// caf\xe9").unwrap();
    let all = project.flockwork(&["check", "--format", "json"]).says(1, &[]).out();
    assert!(all.contains("scripts/latin.rhai is not text in UTF-8"), "{all}");
    let named = ["check", "--format", "json", "scripts/latin.rhai"];
    let named = project.flockwork(&named).says(1, &[]).out();
    assert!(named.contains("scripts/latin.rhai is not text in UTF-8"), "{named}");
    let missing = ["check", "--format", "json", "scripts", "nope"];
    let missing = project.flockwork(&missing).says(2, &["there is no file or folder nope"]).out();
    assert_eq!(missing, "");
}

#[test]
fn findings_are_json() {
    let project = project_with_findings();
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
    // Bytes and columns mark the same words, although a character before them has two bytes.
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
fn ways_that_are_searched_on_many_cells_are_noted_if_one_asks() {
    let scenario = r#"(
    ticks: 10, world: (size: (400, 300), edge: Clamp),
    obstacles: { "wall": Segment(from: (200, 0), to: (200, 250)) },
    groups: { "walkers": (behavior: "walk", spawn: Points([(50, 50)]), body: (radius: 2, max_speed: 9)) },
)"#;
    let walk = "fn steer(me) { me.go_to(vec(350, 50)) }";
    let cells = |scenario: &str| {
        let project = Project::two_with(walk).with("scenarios/two.ron", scenario);
        project.flockwork(&["check", "scenarios", "--perf"])
    };
    let noted = [
        "note: ways of group `walkers` are searched on 120000 cells",
        "`way_cell: 2` in `world`, there are about a quarter",
    ];
    cells(scenario).says(0, &noted);
    cells(&scenario.replace("edge: Clamp", "edge: Clamp, way_cell: 2")).says(0, &["0 warnings\n"]);
    let project = Project::two_with(walk).with("scenarios/two.ron", scenario);
    project.flockwork(&["check", "scenarios"]).says(0, &["0 warnings\n"]);
}

#[test]
fn a_group_that_only_scripts_fill_is_not_empty() {
    let scenario = r#"(
    ticks: 10, world: (size: (40, 30)),
    groups: {
        "old": (behavior: "walk", spawn: Points([(5, 5)]), body: (max_speed: 2)),
        "new": (behavior: "walk", count: 0, spawn: Points([(5, 5)]), body: (max_speed: 2)),
    },
)"#;
    let says = |script: &str, words: &str| {
        let project = Project::two_with(script).with("scenarios/two.ron", scenario);
        project.flockwork(&["check"]).says(0, &[words]);
    };
    says("fn steer(me) { -me.vel }", "group `new` never has an agent");
    says(
        "fn steer(me) { if me.group == \"old\" { me.create(\"new\", me.pos); } -me.vel }",
        "0 warnings\n",
    );
}

/// Caught: the error was about a group that nobody had written.
#[test]
fn a_script_that_captures_agents_is_clean_without_a_scenario() {
    let player = "fn steer(me) {
    let gem = me.nearest(\"gem\", 1);
    if world.inputs.take && gem != () { me.capture(gem, \"loot\"); }
    -me.vel
}
";
    let project = Project::two().with("scripts/player.rhai", player);
    project.flockwork(&["check", "scripts/player.rhai"]).says(0, &["0 errors, 0 warnings\n"]);
}

#[test]
fn findings_are_sarif() {
    let project = project_with_findings();
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
    let answer = project_with_findings().flockwork(&["check", "--format", "github"]).says(1, &[]);
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

/// `check` once said that such a closure does not exist.
#[test]
fn a_closure_that_captures_nothing_is_clean() {
    let script = "fn steer(me) {
        let slow = me.neighbors(30).filter(|other| other.speed < 10);
        vec(slow.len() * me.params.push, 0)
    }";
    Project::two_with(script).flockwork(&["check"]).says(0, &["0 errors, 0 warnings"]);
}

/// Caught: the name of a file could write a line of its own, such as one that a test passed.
#[cfg(unix)]
#[test]
fn names_of_files_cannot_write_lines() {
    let two = Project::two();
    let scenario = two.read("scenarios/two.ron");
    for (name, shown) in [
        ("n\n    PASS [   0.001s] scenarios/b.ron", "n\\n    PASS"),
        ("e\u{1b}[31m.ron", "e\\u{1b}[31m.ron"),
        ("r\u{202e}nor.ron", "r\\u{202e}nor.ron"),
    ] {
        let project = Project::two().with(&format!("scenarios/{name}"), &scenario);
        let path = format!("scenarios/{name}");
        for args in [
            &["check"] as &[&str],
            &["check", "--format", "github"],
            &["test", "--list"],
            &["test"],
            &["fmt", "--check"],
            &["run", &path],
        ] {
            let answer = project.flockwork(args);
            assert_eq!(answer.code(), Some(2), "{args:?}");
            let said = format!("{}{}", answer.out(), answer.err());
            assert!(said.contains(shown), "{args:?}: {said}");
            let forged = name.split('\n').nth(1).unwrap_or(name);
            assert!(!said.lines().any(|line| line.starts_with(forged)), "{args:?}: {said}");
            assert!(!said.contains(name), "{args:?}: {said}");
        }
    }
}

/// Caught: every file in RON was taken for a scenario, so that a list of sprites was full of errors.
#[test]
fn files_that_are_no_scenarios_are_left_out_and_counted() {
    let sprites = "(atlas: \"a.png\",sprites: { \"world\": (x: 1) })";
    let project = Project::two().with("assets/sprites.ron", sprites).with("assets/fonts.ron", "");
    let left_out = "2 .ron files left out";
    project.flockwork(&["check", "."]).says(0, &["1 scenario and 1 script checked", left_out]);
    project.flockwork(&["fmt", "--check", "."]).says(0, &["2 files: 0 not formatted", left_out]);
    project.flockwork(&["test", "."]).says(1, &[left_out]);
    project.flockwork(&["test", "assets"]).says(2, &[left_out, "no scenario to test"]);
    let answer = project.flockwork(&["check"]).says(0, &["1 scenario and 1 script checked"]);
    assert!(!answer.err().contains("left out"), "{}", answer.err());
    // A file that is named is taken for what its name says.
    let named = project.flockwork(&["check", "assets/sprites.ron"]);
    named.says(1, &["unknown field `atlas`", "1 scenario"]);
    // Outside of a folder `scenarios`, what is in a file decides, also in one with mistakes.
    let project = project.with("levels/one.ron", "(world: (size: (1, 1), groups: {})");
    project.flockwork(&["check", "levels"]).says(1, &["levels/one.ron:1", "1 scenario"]);
}
