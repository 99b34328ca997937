//! What is found in files with mistakes besides the first mistake.

use std::path::Path;
use std::sync::Arc;

use flockwork_engine::load::OpenFiles;
use flockwork_engine::runner::check_open;
use flockwork_engine::{Code, Diagnostic, Severity};

use crate::support::{folder, names, text};

/// Returns the errors of a scenario that ships while a file has another text.
pub(crate) fn errors(scenario: &Path, file: &Path, text: &str) -> Vec<Diagnostic> {
    let mut open = OpenFiles::default();
    open.open(file, text);
    let found = check_open(scenario, &Arc::new(open)).findings.into_vec();
    found.into_iter().filter(|one| one.severity == Severity::Error).collect()
}

/// The scripts that ship are right: whatever is told about a script besides a sign that is missing is wrong.
#[test]
fn a_missing_sign_causes_no_other_errors() {
    let (mut wrong, mut broken) = (Vec::new(), 0);
    for name in names("scenarios", "ron") {
        let scenario = folder(&format!("scenarios/{name}.ron"));
        for file in
            check_open(&scenario, &Arc::default()).scripts.iter().filter(|one| one.is_file())
        {
            let text = std::fs::read_to_string(file).unwrap();
            let signs: Vec<usize> =
                text.match_indices(['(', ')', ';', '{', '}', ',', '"']).map(|(at, _)| at).collect();
            for at in signs.iter().step_by(signs.len() / 3 + 1) {
                let mut less = text.clone();
                less.remove(*at);
                let found = errors(&scenario, file, &less);
                broken += usize::from(!found.is_empty());
                let others = found.iter().filter(|one| one.code != Code::Syntax);
                wrong.extend(others.map(|one| one.render(false)));
            }
        }
    }
    assert!(broken > 100, "{broken}");
    assert!(wrong.is_empty(), "{} of {broken}:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// A closing bracket that is written twice is found in its line, by the indentation of what is around it, and is one mistake.
#[test]
fn a_bracket_too_much_is_found_and_causes_no_other_errors() {
    let (mut wrong, mut broken, mut elsewhere) = (Vec::new(), 0, Vec::new());
    for name in names("scenarios", "ron") {
        let scenario = folder(&format!("scenarios/{name}.ron"));
        for file in
            check_open(&scenario, &Arc::default()).scripts.iter().filter(|one| one.is_file())
        {
            let text = std::fs::read_to_string(file).unwrap();
            let signs: Vec<usize> = text.match_indices([')', '}']).map(|(at, _)| at).collect();
            for at in signs.iter().step_by(signs.len() / 2 + 1) {
                let mut more = text.clone();
                more.insert(*at, char::from(text.as_bytes()[*at]));
                let found = errors(&scenario, file, &more);
                broken += usize::from(!found.is_empty());
                let others = found.iter().skip(1).filter(|one| one.code != Code::Syntax);
                wrong.extend(others.map(|one| one.render(false)));
                let line = |at: usize| more[..at].matches('\n').count();
                let place = found.first().and_then(|one| one.place.as_ref());
                if place.is_some_and(|place| line(place.span.start) != line(*at)) {
                    elsewhere.push(found[0].render(false));
                }
            }
        }
    }
    assert!(broken > 100, "{broken}");
    assert!(wrong.is_empty(), "{} of {broken}:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(
        elsewhere.len() * 20 < broken,
        "{} of {broken}:\n{}",
        elsewhere.len(),
        elsewhere.join("\n\n")
    );
}

/// Whatever is told about a scenario besides a sign that is missing is wrong.
#[test]
fn a_missing_sign_in_a_scenario_causes_no_other_errors() {
    let (mut wrong, mut broken) = (Vec::new(), 0);
    for name in names("scenarios", "ron") {
        let scenario = folder(&format!("scenarios/{name}.ron"));
        let text = text(&name);
        let signs: Vec<usize> = text
            .match_indices(['(', ')', '{', '}', ',', '[', ']', '"'])
            .map(|(at, _)| at)
            .collect();
        for at in signs.iter().step_by(signs.len() / 6 + 1) {
            let mut less = text.clone();
            less.remove(*at);
            let found = errors(&scenario, &scenario, &less);
            broken += usize::from(!found.is_empty());
            let others = found.iter().skip(1).filter(|one| one.code != Code::Syntax);
            wrong.extend(others.map(|one| one.render(false)));
        }
    }
    assert!(broken > 100, "{broken}");
    assert!(wrong.is_empty(), "{} of {broken}:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// Returns a project without files.
fn project() -> tempfile::TempDir {
    let project = tempfile::tempdir().unwrap();
    for folder in ["scripts", "scenarios"] {
        std::fs::create_dir(project.path().join(folder)).unwrap();
    }
    project
}

#[test]
fn errors_are_found_although_there_are_others() {
    let project = project();
    let scenario = project.path().join("scenarios/a.ron");
    let script = project.path().join("scripts/walk.rhai");
    let right = "(
        world: (size: (99, 99), edge: Wrap),
        groups: {
            \"a\": (
                behavior: \"walk\",
                spawn: Points([(1, 1)]),
                body: (max_speed: 9),
                params: { \"weight\": 1.0 },
            ),
        },
    )";
    let walk = "fn steer(me) {
        let near = me.neighbors(9);
        let far = me.nearest(\"a\", 9);
        if near.count > 2 { return me.wander(); }
        me.params.weight * me.wander()
    }";
    let all = |scenario_edits: &[(&str, &str)], script_edits: &[(&str, &str)]| {
        let edited = |text: &str, edits: &[(&str, &str)]| {
            edits.iter().fold(text.to_owned(), |text, (from, to)| {
                assert!(text.contains(from), "{from}");
                text.replace(from, to)
            })
        };
        std::fs::write(&script, edited(walk, script_edits)).unwrap();
        std::fs::write(&scenario, edited(right, scenario_edits)).unwrap();
        let found = check_open(&scenario, &Arc::default()).findings.into_vec();
        let errors = found.into_iter().filter(|one| one.severity == Severity::Error);
        errors.map(|one| one.message).collect::<Vec<String>>()
    };
    assert_eq!(all(&[], &[]), [""; 0]);
    let no_param = "group `a` has no param `wieght`";
    let param = (".weight", ".wieght");
    let open = "this `(` is not closed";
    // A bracket in the script and a param.
    assert_eq!(all(&[], &[param, ("neighbors(9)", "neighbors(9")]), [open, no_param]);
    // A bracket, a variable, a param and a group.
    let several =
        [param, ("neighbors(9)", "neighbors(9"), ("> 2", "> lmit"), ("\"a\", 9", "\"b\", 9")];
    let found = all(&[], &several);
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(found.contains(&"there is no group `b`".to_owned()), "{found:#?}");
    // Caught: where the function was left out, its other names were found only after the repair.
    let misspelled = ("wander()\n", "wandr()\n");
    let no_function = "there is no function `wandr`";
    let no_brace = "expected `{` after this";
    assert_eq!(all(&[], &[misspelled, ("> 2 {", "> 2\n")]), [no_brace, no_function]);
    assert_eq!(all(&[], &[misspelled, ("\"a\", 9);", "\"a\", 9")]), [open, no_function]);
    let property = ("count > 2 {", "cuont > 2\n");
    let no_property = "a neighborhood has no property `cuont`";
    assert_eq!(all(&[], &[misspelled, property]), [no_brace, no_function, no_property]);
    // A `;` within parentheses is one mistake.
    let semicolon = all(&[], &[param, ("neighbors(9);", "neighbors(9;);")]);
    assert_eq!(semicolon.len(), 2, "{semicolon:#?}");
    // A value in the scenario, a script that does not exist, a param.
    let edge = "unknown edge `Rap`";
    assert_eq!(all(&[("Wrap", "Rap")], &[param]), [edge, no_param]);
    let no_script = "there is no script for the behavior `wlk`";
    assert_eq!(all(&[("Wrap", "Rap"), ("walk", "wlk")], &[]), [edge, no_script]);
    // The group cannot be read at all.
    let no_spawn = "missing field `spawn` in `Group`";
    let found = all(&[("spawn: Points([(1, 1)]),", ""), ("walk", "wlk")], &[]);
    assert_eq!(found, [no_spawn, no_script]);
    let found = all(&[("([(1, 1)])", "([(1, 1), 3])"), ("walk", "wlk")], &[]);
    assert_eq!(found, ["expected `(`", no_script]);
    let no_comma = "expected `,` or a closing bracket after this";
    let found =
        all(&[("Wrap),", "Wrap)"), ("spawn: Points", "spwn: Points"), ("walk", "wlk")], &[]);
    assert_eq!(found, [no_comma, "unknown field `spwn` in `Group`", no_script]);
    // A field in the wrong place, an expectation, and text that nobody can read hide nothing.
    let misplaced = "unknown field `mass` in `Group`";
    let unknown = "unknown expectation `xMinSeparation`";
    let place = ("behavior:", "mass: 3, behavior:");
    let expect = ("        groups:", "        expect: [xMinSeparation(distance: 3)], groups:");
    let garbled = ("\"weight\": 1.0 }", "\"weight\": .9 wei.9 6.0, \"other\": 1.0 }");
    assert_eq!(all(&[place, expect], &[param]), [unknown, misplaced, no_param]);
    let found = all(&[place, expect, garbled], &[]);
    assert_eq!(found, [unknown, misplaced, no_comma]);
    let after_comma = all(&[("(99, 99),", "(99, 99)"), place, expect], &[]);
    assert_eq!(after_comma, [no_comma, unknown, misplaced]);
    // A brace that is too much is a mistake of its own, and so is each one before it.
    let braces = [
        ("neighbors(9);", "neighbors(9)"),
        ("near.count > 2 {", "near.count 2 {"),
        ("wander()\n    }", "wander()\n    }}"),
    ];
    let no_operator = "an operator such as `>` is missing before `2`";
    let no_semicolon = "expected `;` or an operator after this";
    assert_eq!(all(&[], &braces), [no_semicolon, no_operator, "there is one `}` too many"]);
    // The param may be among what is left out.
    assert_eq!(all(&[("1.0 }", "1.0, \"wieght\": }")], &[param]).len(), 1);
    // Brackets and a value in the scenario.
    let brackets = [("([(1, 1)])", "([(1, 1)]"), ("walk", "wlk")];
    assert_eq!(all(&brackets, &[]), [open, no_script]);
    // A broken script does not hide what is wrong in another group.
    std::fs::write(
        project.path().join("scripts/drift.rhai"),
        "fn steer(me) { me.params.speed * me.wander() }",
    )
    .unwrap();
    let two = (
        "groups: {",
        "groups: { \"b\": (behavior: \"drift\", spawn: Points([(9, 9)]), body: (max_speed: 9)),",
    );
    let found = all(&[two], &[("neighbors(9)", "neighbors(9")]);
    assert_eq!(found, [open, "group `b` has no param `speed`"]);
}

/// Caught: a param that no script reads was not found in scripts that begin with `let p = me.params;`.
#[test]
fn params_are_read_through_a_variable() {
    let project = project();
    let scenario = project.path().join("scenarios/a.ron");
    let text =
        "(world: (size: (99, 99)), groups: { \"a\": (behavior: \"walk\", spawn: Points([(1, 1)]),
        body: (max_speed: 9), params: { \"weight\": 1.0, \"other\": 2.0 }) })";
    std::fs::write(&scenario, text).unwrap();
    for (script, is_found) in [
        ("fn steer(me) { let p = me.params; p.weight * me.wander() }", true),
        ("fn steer(me) { me.params.weight * me.wander() }", true),
        ("fn steer(me) { let p = me.params; (p.weight + p.other) * me.wander() }", false),
        ("fn steer(me) { let p = me.params; p[\"other\"] * p.weight * me.wander() }", false),
        (
            "fn f(p) { p.other } fn steer(me) { let p = me.params; f(p) * p.weight * me.wander() }",
            false,
        ),
        (
            "fn steer(me) { let p = me.params; let f = |x| p.other * x; f.call(p.weight) * me.wander() }",
            false,
        ),
        (
            "fn steer(me) { let p = me.params; if p.contains(\"other\") { return vec(p.weight, 0); } me.wander() }",
            false,
        ),
        // The name is not written anywhere.
        ("fn steer(me) { let p = me.params; p[me.group] * p.weight * me.wander() }", false),
    ] {
        std::fs::write(project.path().join("scripts/walk.rhai"), script).unwrap();
        let found = check_open(&scenario, &Arc::default()).findings;
        let unused = found.iter().any(|one| one.code == Code::UnusedParam);
        assert_eq!(unused, is_found, "{script}: {found}");
    }
}
