//! Mistakes that people make. Each is a file, with the expected messages in a file beside it.
//!
//! `tests/mistakes/scripts/NAME.rhai` is checked as the behavior of the group `hero` of
//! `tests/mistakes/world.ron`, `tests/mistakes/scenarios/NAME.ron` as a scenario. `NAME.txt` has everything that `check`
//! prints about it. To write these files again, set `SNAPSHOTS=overwrite`, and read what changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use flockwork_engine::diag::Fix;
use flockwork_engine::{Code, Diagnostic, Options, Run, Severity, check};
use snapbox::{Assert, Data};

const ROOT: &str = "tests/mistakes";

/// Returns the files of a folder that have an extension, sorted by name.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(ROOT).join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|one| one == ending))
        .collect();
    files.sort();
    files
}

/// A folder with one mistake among correct files.
struct Project(tempfile::TempDir);

impl Project {
    fn with(name: &str, text: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["scripts", "scenarios"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
        }
        for path in files("right", "rhai") {
            fs::copy(&path, dir.path().join("scripts").join(path.file_name().unwrap())).unwrap();
        }
        fs::write(dir.path().join(name), text).unwrap();
        Self(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Removes the path of the folder from a text.
    fn plain(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.0.path().display()), "")
    }

    fn render(&self, findings: &[Diagnostic]) -> String {
        let all: Vec<String> =
            findings.iter().map(|one| format!("{}\n", one.render(false))).collect();
        self.plain(&all.join("\n"))
    }
}

fn compare(text: String, beside: &Path) {
    let expected = beside.with_extension("txt");
    Assert::new()
        .action_env("SNAPSHOTS")
        .eq(Data::text(text), Data::read_from(&expected, None).raw());
}

/// Returns a project in which a script is the behavior of a group.
fn with_script(path: &Path) -> Project {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let text = fs::read_to_string(path).unwrap();
    let project = Project::with(&format!("scripts/{name}.rhai"), &text);
    let world = fs::read_to_string(Path::new(ROOT).join("world.ron")).unwrap();
    fs::write(project.path("scenarios/world.ron"), world.replace("SCRIPT", name)).unwrap();
    project
}

/// Returns the message of the first error in a run of some ticks.
fn error_of_run(project: &Project) -> Option<String> {
    let mut run = match Run::open(&project.path("scenarios/world.ron"), &Options::default()) {
        Ok(run) => run,
        Err(errors) => return errors.first().map(|error| error.message.clone()),
    };
    (0..20).find_map(|_| run.step().err()).map(|fault| fault.what.message)
}

#[test]
fn scripts_get_the_expected_messages() {
    for path in files("scripts", "rhai") {
        let project = with_script(&path);
        let findings = check(&project.path("scenarios/world.ron"));
        assert!(!findings.is_empty(), "{} is not found", path.display());
        compare(project.render(&findings), &path);
    }
}

#[test]
fn scenarios_get_the_expected_messages() {
    for path in files("scenarios", "ron") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let project = Project::with(&format!("scenarios/{name}"), &text);
        let findings = check(&project.path(&format!("scenarios/{name}")));
        assert!(!findings.is_empty(), "{} is not found", path.display());
        compare(project.render(&findings), &path);
    }
}

/// If a run fails, `check` reports the same error, unless it only warns that a value may be `()` or that a loop
/// may not end. If `check` reports an error, the run fails.
#[test]
fn check_and_run_report_the_same_errors() {
    let mut wrong = Vec::new();
    for path in files("scripts", "rhai") {
        let project = with_script(&path);
        let findings = check(&project.path("scenarios/world.ron"));
        let errors: BTreeSet<&str> = findings
            .iter()
            .filter(|one| one.severity == Severity::Error)
            .map(|one| one.message.as_str())
            .collect();
        let may_fail =
            findings.iter().any(|one| matches!(one.code, Code::MayBeNothing | Code::Endless));
        let run_error = match error_of_run(&project) {
            Some(error) if errors.contains(error.as_str()) => continue,
            Some(_) if may_fail && errors.is_empty() => continue,
            // A run stops at whichever limit such a loop reaches first.
            Some(_) if errors.contains("this loop never ends") => continue,
            None if errors.is_empty() => continue,
            other => other,
        };
        wrong.push(format!("{}: run {run_error:?}, check {errors:?}", path.display()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn correct_scripts_get_no_messages() {
    for script in [
        // The state is used through a variable.
        "fn steer(me) { let s = me.state; s.q = 5; me.wander() * (s.q / 10) }",
        "fn init(me) { me.state.n = 0; } fn steer(me) { me.state.n += 1; me.wander() * me.state.n }",
        // An element of the state is set before it is read, though not in `init`.
        "fn steer(me) { if world.tick == 0 { me.state.home = me.pos; } me.seek(me.state.home) }",
        // Agents are used as points, and integers as floats.
        "fn steer(me) { let hawk = me.nearest(\"hawk\"); (me - hawk) / (1 + me.neighbors(50).count) }",
        "fn steer(me) { if me.goal == () || me.path == () { return; } me.arrive(me.goal, 40) }",
        "fn steer(me) { let all = [1, 2, 3]; me.wander() * all[(all.len() / 2).to_int()] * all[-1] }",
        "fn steer(me) { me.wander(PI / 2) + direction(me.index * 90) + direction(3) }",
        "fn steer(me) { loop { if me.random() < 0.5 { break; } } me.wander() }",
        "fn steer(me) { let name = \"agent \" + me.id; me.state.name = name; me.wander() }",
        "fn steer(me) { if me.group == \"hawk\" || me.params.mood != \"calm\" { return; } me.wander() }",
        // Numbers that are not finite do no harm as long as no vector has one.
        "fn steer(me) { me.wander() * min(me.speed / 0, 2) }",
        "fn steer(me) { let n = me.neighbors(9).count; if n == 0 { n = 1; } me.wander() / n }",
        "fn steer(me) { let n = me.neighbors(9); if n.count > 0 { me.flee(n.nearest) } else { me.wander() } }",
        "fn steer(me) { let n = me.neighbors(9); if 1 > n.count { return; } me.flee(n.nearest) }",
        "fn steer(me) { let n = me.neighbors(9); if n.count != 0 && n.nearest.speed > 1 { me.wander() } }",
        // These functions call themselves a few times only.
        "fn f(me, n) { if n > 0 { f(me, n - 1) } else { me.wander() } } fn steer(me) { f(me, 3) }",
        "fn f(me, n) { if n == 0 { return me.wander(); } f(me, n - 1) } fn steer(me) { f(me, 3) }",
        "fn f(me, n) { n == 0 || f(me, n - 1) } fn steer(me) { if f(me, 3) { me.wander() } }",
    ] {
        let project = Project::with("scripts/right.rhai", script);
        let world = fs::read_to_string(Path::new(ROOT).join("world.ron")).unwrap();
        fs::write(project.path("scenarios/world.ron"), world.replace("SCRIPT", "right")).unwrap();
        for name in ["scenarios/world.ron", "scripts/right.rhai"] {
            let findings = check(&project.path(name));
            let messages = findings.iter().filter(|one| one.severity > Severity::Note);
            let messages: Vec<String> = messages.map(|one| one.render(false)).collect();
            assert!(messages.is_empty(), "{}", messages.join("\n"));
        }
        assert_eq!(error_of_run(&project), None, "{script}");
    }
}

/// Functions that something calls, or may call: by their names in a state machine, a string, a closure or another script.
#[test]
fn functions_that_are_used_get_no_warning() {
    let warned = |script: &str, others: &[(&str, &str)]| {
        let project = with_text(script);
        for (name, text) in others {
            fs::write(project.path(&format!("scripts/{name}.rhai")), text).unwrap();
        }
        let of = |name: &str| {
            let findings = check(&project.path(name)).into_vec();
            let unused = findings.into_iter().filter(|one| one.code == Code::UnusedFunction);
            unused.map(|one| one.message).collect::<Vec<String>>()
        };
        assert_eq!(of("scenarios/world.ron"), of("scripts/it.rhai"), "{script}");
        of("scripts/it.rhai")
    };
    let alone = "fn far(me) { 3 } fn steer(me) { me.wander() }";
    assert_eq!(warned(alone, &[]), ["nothing calls the function `far`"]);
    assert!(warned(alone, &[("other", "import \"it\" as i; fn f(me) { i::far(me) }")]).is_empty());
    let only_imports = "import \"it\" as i; fn f(me) { i::steer(me) }";
    assert_eq!(warned(alone, &[("other", only_imports)]).len(), 1);
    for used in [
        "fn far(me) { 3 } fn steer(me) { me.wander() * far(me) }",
        "fn far(me) { 3 } fn steer(me) { let f = Fn(\"far\"); me.wander() * f.call(me) }",
        "fn far(x) { x } fn steer(me) { me.wander() * [1].map(far)[0] }",
        "fn calm(me) { \"calm\" } fn enter_calm(me) { } fn steer(me) { me.machine(\"mode\", [\"calm\"]); me.wander() }",
        "fn _far(me) { 3 } fn init(me) { } fn steer(me) { me.wander() }",
        // A collection of functions for other scripts is no behavior.
    ] {
        assert_eq!(warned(used, &[]), Vec::<String>::new(), "{used}");
    }
}

/// Returns a project in which a text is the script of the group `hero`.
fn with_text(script: &str) -> Project {
    let project = Project::with("scripts/it.rhai", script);
    let world = fs::read_to_string(Path::new(ROOT).join("world.ron")).unwrap();
    fs::write(project.path("scenarios/world.ron"), world.replace("SCRIPT", "it")).unwrap();
    project
}

/// Caught: errors in code behind a condition that never holds.
#[test]
fn code_that_never_runs_has_no_wrong_values() {
    for body in [
        "if SCALE != 0 { return me.wander() / SCALE; } me.wander()",
        "let w = if SCALE == 0 { 1 } else { 10 % SCALE }; me.wander() * w",
        "let w = switch SCALE { 0 => 1, _ => 10 % SCALE }; me.wander() * w",
        "let k = 0; if k == 0 { return me.wander(); } me.wander() * (7 % k)",
        "let k = 0; if k != 0 && 7 % k == 1 || SCALE > 0 { return; } me.wander()",
        "let a = [1, 2]; if a.len() > 2 { return me.wander() * a[2]; } me.wander()",
        "let a = [1, 2]; if a.len() > 5 { return me.wander() * a[-3]; } me.wander()",
        "let w = if WEIGHTS.len() > 3 { WEIGHTS[3] } else { 1 }; me.wander() * w",
        "let x = \"s\"; if type_of(x) == \"i64\" { return me.wander() * x; } me.wander()",
        "let x = \"s\"; if x.type_of() != \"string\" { return me.wander() * x; } me.wander()",
        "let x = \"s\"; switch type_of(x) { \"i64\" => me.wander() * x, _ => me.wander() }",
        "let a = [1, 2, 3]; let b = a; b[0] = 9; if a[0] == 9 { return me.wander() * [1][4]; } me.wander()",
        "if WEIGHTS.len() == 0 { loop { } } me.wander()",
    ] {
        let script =
            format!("const SCALE = 0; const WEIGHTS = [1, 2, 3]; fn steer(me) {{ {body} }}");
        let project = with_text(&script);
        for name in ["scenarios/world.ron", "scripts/it.rhai"] {
            let findings = check(&project.path(name));
            let messages = findings.iter().filter(|one| one.severity > Severity::Note);
            let messages: Vec<String> = messages.map(|one| one.render(false)).collect();
            assert!(messages.is_empty(), "{}", messages.join("\n"));
        }
        assert_eq!(error_of_run(&project), None, "{body}");
    }
}

/// Caught: errors of values in code that some runs never get to.
#[test]
fn a_wrong_value_is_an_error_only_where_every_agent_gets() {
    for (body, severity) in [
        ("me.wander() / 0", Severity::Error),
        ("if world.time > 90.0 { return me.wander() / 0; } me.wander()", Severity::Warning),
        ("if world.time > 90.0 { return me.wander(); } me.wander() / 0", Severity::Error),
        ("if world.time < 90.0 { return me.wander(); } me.wander() / 0", Severity::Warning),
        ("for i in 0..me.neighbors(1).count { debug(7 % 0); } me.wander()", Severity::Warning),
        (
            "let d = if me.id > 9 { vec(1, 0) } else { 3 }; debug(d / 0); me.wander()",
            Severity::Warning,
        ),
        ("if world.time > 90.0 { me.state.x = 1.0 / 0.0; } me.wander()", Severity::Warning),
        ("if world.time > 90.0 { return me.seek(me.pos, -1); } me.wander()", Severity::Warning),
        ("if world.time > 90.0 { return me.wander() * [1, 2][5]; } me.wander()", Severity::Warning),
        // Mistakes of type stay errors.
        ("if world.time > 90.0 { return me.wander() * \"a\"; } me.wander()", Severity::Error),
    ] {
        let project = with_text(&format!("fn steer(me) {{ {body} }}"));
        let findings = check(&project.path("scenarios/world.ron"));
        let severest = findings.iter().map(|one| one.severity).max();
        assert_eq!(severest, Some(severity), "{body}: {}", project.render(&findings));
    }
}

/// Caught: only the first agent of each group took its first turn.
#[test]
fn every_agent_takes_its_first_turn() {
    for body in [
        "me.wander() * [1][me.index]",
        "me.neighbors(500)[me.index + 1].vel",
        "me.wander() * (100 / (me.index - 1))",
    ] {
        let project = with_text(&format!("fn steer(me) {{ {body} }}"));
        let findings = check(&project.path("scenarios/world.ron"));
        let errors = findings.iter().filter(|one| one.severity == Severity::Error);
        let errors: Vec<&str> = errors.map(|one| one.message.as_str()).collect();
        assert_eq!(errors, [error_of_run(&project).unwrap()], "{body}");
    }
}

/// Caught: what arrays, maps, strings and captured variables held before they were changed in place counted as what they hold.
#[test]
fn what_is_changed_in_place_is_not_known() {
    for body in [
        "let a = []; for o in world.obstacles { a.push(o.center); } if a.len() > 0 { me.flee(a[0]) } else { me.wander() }",
        "let a = []; a.push(1); a.push(2); me.wander() * a[1]",
        "let a = [vec(1, 1)]; a.push(vec(3, 4)); a[1]",
        "let a = []; push(a, vec(3, 4)); a[0]",
        "let a = []; while a.len() < 3 { a.push(vec(1, 2)); } a[2]",
        "let a = filled(); a[0]",
        "let a = []; a += vec(3, 4); a[0]",
        "let a = []; for i in 0..3 { a += i; } me.wander() * a.len()",
        "let m = #{p: 0}; m.p = me.pos; me.seek(m.p)",
        "let m = #{s: -1}; for k in 0..5 { m.s += k; } me.seek(vec(1, 1), m.s)",
        "let m = [0, 0]; for i in 0..2 { m[i] = vec(1, i); } me.seek(m[0])",
        "let m = [-1]; m[0] = 4; me.seek(vec(1, 1), m[0])",
        "let m = [(), ()]; m[0] = me.nearest(); me.flee(m[0])",
        "let f = []; f.push(me.wander()); f.push(me.separation(10)); weighted_sum(f, [1.0, 2.0])",
        "let a = []; for o in world.obstacles { a.push(1); } vec(1, 1) / (a.len() + 1)",
        "let a = [-3, 5]; a.remove(0); me.seek(vec(1, 1), a[0])",
        "let a = [-3, 5]; a.shift(); me.seek(vec(1, 1), a[0])",
        "let a = [-3, 5]; a.sort_desc(); me.seek(vec(1, 1), a[0])",
        "let a = [-3, 5]; let last = if a.len() > 1 { a.pop() } else { -1 }; me.seek(vec(1, 1), last)",
        "let s = -1; [1, 2, 3].for_each(|x| s += x); me.seek(vec(1, 1), s)",
        "let s = -1; s.raise(); me.seek(vec(1, 1), s)",
        "let s = \"HAWK\"; s.make_lower(); me.flee(me.nearest(s))",
        "let x = loop { break 3; }; vec(x, 0)",
        "let x = for i in 0..5 { if i > 2 { break i; } }; vec(x, 0)",
        "let n = 0; for c in \"abc\" { n += 1; } vec(n, 0)",
        "let all = [1.0, 2.0].map(\"twice\"); vec(all[1], 0)",
        "if [1, 2].index_of(\"is_two\") == 1 { vec(1, 0) } else { vec(2, 0) }",
        "me.state.m.hits += 1; me.state.m.fresh = 2; me.state.m.last = me.pos; me.wander()",
    ] {
        let script = format!(
            "fn init(me) {{ me.state.m = #{{ hits: 0, last: vec(0, 0) }}; }}
            fn filled() {{ let all = []; all.push(vec(1, 2)); all }}
            fn raise() {{ this += 5; }}
            fn twice(x) {{ x * 2.0 }}
            fn is_two(x) {{ x == 2 }}
            fn steer(me) {{ {body} }}"
        );
        let project = Project::with("scripts/right.rhai", &script);
        let world = fs::read_to_string(Path::new(ROOT).join("world.ron")).unwrap();
        fs::write(project.path("scenarios/world.ron"), world.replace("SCRIPT", "right")).unwrap();
        let findings = check(&project.path("scenarios/world.ron"));
        let errors = findings.iter().filter(|one| one.severity == Severity::Error);
        let errors: Vec<String> = errors.map(|one| one.render(false)).collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
        assert_eq!(error_of_run(&project), None, "{body}");
    }
}

/// Caught: scripts of expectations and measures were hardly checked.
#[test]
fn what_scripts_of_expectations_and_measures_always_do_wrong_is_found() {
    for (body, wrong) in [
        ("now.groups.wolves.agents == 2", Some("there is no group `wolves`")),
        ("now.groups.hero.agnts > 3", Some("agnts")),
        ("now.groups.heero.mean_speed > 3", Some("there is no group `heero`")),
        ("world.agent(\"dogg\").speed > 0", Some("there is no group `dogg`")),
        ("\"yes\"", Some("but returned a string")),
        ("now.mean_speed > \"a\"", Some("cannot compare")),
        ("let i = 0; while now.tick < 1 { i += 1; } i > 5", Some("stopped after 1,000,000 steps")),
        ("now.groups.hero.agents == 2", None),
        // One agent has no closest pair. Later there may be others.
        ("now.groups.hawk.closest_pair * 2 > 1", None),
        ("now.tick < 50 || now.groups.hawk.mean_speed > 3", None),
        ("if now.tick == 0 { throw \"early\"; } true", None),
        // Later it is a number.
        ("(now.tick - 0.0) / now.tick", None),
    ] {
        for (field, function, body) in [
            ("expect: [Script(name: \"judge\")]", "expect", body.to_owned()),
            (
                "measures: { \"mine\": \"judge\" }",
                "measure",
                format!("let it = {{ {body} }}; if type_of(it) == \"bool\" {{ 1 }} else {{ it }}"),
            ),
        ] {
            let project =
                Project::with("scripts/judge.rhai", &format!("fn {function}(now) {{ {body} }}"));
            let world = fs::read_to_string(Path::new(ROOT).join("world.ron")).unwrap();
            let world = world
                .replace("SCRIPT", "rest")
                .replace("ticks: 100,", &format!("ticks: 100, {field},"));
            fs::write(project.path("scenarios/world.ron"), world).unwrap();
            let found = check(&project.path("scenarios/world.ron"));
            let errors = found.iter().filter(|one| one.severity == Severity::Error);
            let errors: Vec<String> = errors.map(|one| one.render(false)).collect();
            match wrong {
                Some(wrong) => {
                    assert!(errors.len() == 1 && errors[0].contains(wrong), "{body}: {errors:?}")
                }
                None if function == "measure" => {}
                None => assert!(errors.is_empty(), "{body}: {errors:?}"),
            }
        }
    }
}

/// Something else may provide what these scripts need, or use what the scenarios declare.
#[test]
fn what_is_used_in_another_way_gets_no_messages() {
    let fox = "fn steer(me) { let food = me.neighbors(90).prey().nearest;
        if food == () { return me.wander(); } me.pursue(food) }";
    let drift = "fn steer(me) { me.flow_field(me.params.flow) }";
    let lurk = "fn steer(me) { let other = me.nearest(); if other == () { return; }
        if world.obstacles.len() == 0 { return me.flee(other); } me.hide(other, 5, 20) }";
    let moody = "fn steer(me) { if me.neighbors(30).count > 3 { me.state.mood = \"angry\"; }
        switch me.choose(\"mood\", #{ calm: 1.0, glad: me.random() }) {
            \"angry\" => vec(9, 0), \"calm\" => vec(0, 1), _ => vec(1, 0) } }";
    let group = "spawn: Disc(center: (200, 100), radius: 50), body: (radius: 4, max_speed: 40)";
    let one = |fields: &str| format!("groups: {{ \"a\": (behavior: \"it\", {fields}, {group}) }}");
    for (script, rest) in [
        (
            fox,
            format!(
                "groups: {{ \"a\": (behavior: \"it\", count: 2, {group}, prey: [\"b\"]),
            \"b\": (behavior: \"it\", count: 2, {group}) }}"
            ),
        ),
        (
            drift,
            format!(
                "{}, fields: {{ \"wind\": Vortex(center: (9, 9), radius: 60) }}",
                one("count: 1, params: { \"flow\": \"wind\" }")
            ),
        ),
        (
            "fn steer(me) { me.flow_field(world.field(\"lane\" + me.id % 2)) }",
            format!(
                "{}, fields: {{ \"lane0\": Vortex(center: (9, 9), radius: 60),
                \"lane1\": Vortex(center: (90, 9), radius: 60) }}",
                one("count: 1")
            ),
        ),
        (lurk, one("count: 2")),
        (moody, one("count: 2")),
        (
            "fn steer(me) { me.wander() }",
            format!(
                "{}, events: [At(tick: 5, do: Spawn(group: \"a\", count: 2))]",
                one("count: 0")
            ),
        ),
    ] {
        let project = Project::with("scripts/it.rhai", script);
        fs::write(project.path("scenarios/a.ron"), format!("(world: (size: (400, 300)), {rest})"))
            .unwrap();
        let findings = check(&project.path("scenarios/a.ron"));
        let messages = findings.iter().filter(|one| one.severity > Severity::Note);
        let messages: Vec<String> = messages.map(|one| one.render(false)).collect();
        assert!(messages.is_empty(), "{script}\n{}", messages.join("\n"));
    }
}

/// `check` tried these with the first path and with two agents in the group, and both failed.
#[test]
fn code_that_is_right_for_some_paths_and_groups_gets_no_messages() {
    let world = "(world: (size: (400, 300)),
        // check: allow(unused-path)
        paths: { \"short\": (points: [(0, 0), (9, 9)], radius: 5),
            // check: allow(unused-path)
            \"long\": (points: [(0, 0), (9, 9), (99, 9), (99, 99)], radius: 5) },
        groups: { \"hero\": (behavior: \"right\", spawn: Points([(60, 60)]),
            body: (radius: 4, max_speed: 40)) })";
    for script in [
        "fn steer(me) { me.seek(world.path(\"long\").point(3)) }",
        "fn steer(me) { me.seek(world.agent(\"hero\").pos + me.heading) }",
    ] {
        let project = Project::with("scripts/right.rhai", script);
        fs::write(project.path("scenarios/world.ron"), world).unwrap();
        let findings = check(&project.path("scenarios/world.ron"));
        assert!(findings.is_empty(), "{script}: {findings:?}");
        assert_eq!(error_of_run(&project), None, "{script}");
    }
}

/// A false warning makes people ignore the next one.
#[test]
fn a_value_that_is_never_missing_gets_no_warning() {
    let world = |group: &str, events: &str| {
        format!(
            "(world: (size: (400, 300)), events: [{events}], groups: {{
                \"hero\": (behavior: \"chase\", count: 2, spawn: Disc(center: (200, 100), radius: 50),
                    body: (radius: 4, max_speed: 40)),
                \"hawk\": (behavior: \"drift\", count: 1, spawn: Points([(200, 100)]),
                    body: (radius: 4, max_speed: 40), {group}),
            }})"
        )
    };
    let removes = "At(tick: 5, do: Remove(group: \"hawk\"))";
    for (nearest, group, events, warns) in [
        ("me.nearest(\"hawk\")", "", "", false),
        ("me.neighbors().of(\"hawk\").nearest", "", "", false),
        ("me.nearest(\"hero\")", "", "", false),
        ("me.nearest()", "", "", false),
        ("me.nearest(\"hawk\", 50)", "", "", true),
        ("me.neighbors().ahead().nearest", "", "", true),
        ("me.nearest(\"hawk\")", "", removes, true),
        ("me.nearest(\"hawk\")", "after_goals: Remove", "", true),
    ] {
        let script = format!("fn steer(me) {{ me.seek({nearest}) }}");
        let project = Project::with("scripts/chase.rhai", &script);
        fs::write(project.path("scenarios/a.ron"), world(group, events)).unwrap();
        let findings = check(&project.path("scenarios/a.ron"));
        let is_warned = findings.iter().any(|one| one.code == Code::MayBeNothing);
        assert_eq!(is_warned, warns, "{nearest}, {group}: {findings:?}");
        assert!(findings.iter().all(|one| one.severity != Severity::Error), "{findings:?}");
    }
}

/// Caught: behind `if near.is_empty() { return .. }`, the nearest agent was said to be possibly `()`.
#[test]
fn a_neighborhood_that_is_not_empty_has_a_nearest_agent() {
    for (before, warns) in [
        ("if near.is_empty() { return me.wander(); }", false),
        ("if near.is_empty() || world.tick > 9 { return me.wander(); }", false),
        ("if near.count == 0 { return me.wander(); }", false),
        ("if near.len() == 0 { return me.wander(); }", false),
        ("if near.len() < 1 { return me.wander(); }", false),
        ("if near.nearest == () { return me.wander(); }", false),
        ("if near.len() < 2 && world.tick > 9 { return me.wander(); }", true),
        ("if near.len() < 0 { return me.wander(); }", true),
        ("if near.nearest != () { return me.wander(); }", true),
        (
            "let others = near; near = me.neighbors(5); if others.len() == 0 { return me.wander(); }",
            true,
        ),
        ("if near.is_empty() && world.tick > 9 { return me.wander(); }", true),
        ("if !near.is_empty() { return me.wander(); }", true),
        ("if me.neighbors(20).is_empty() { return me.wander(); }", true),
        ("", true),
    ] {
        let script = format!(
            "fn steer(me) {{ let near = me.neighbors(9); {before} me.flee(near.nearest.pos) }}"
        );
        let project = Project::with("scripts/it.rhai", &script);
        let world = fs::read_to_string(Path::new(ROOT).join("world.ron")).unwrap();
        fs::write(project.path("scenarios/world.ron"), world.replace("SCRIPT", "it")).unwrap();
        let found = check(&project.path("scenarios/world.ron"));
        let is_warned = found.iter().any(|one| one.severity > Severity::Note);
        assert_eq!(is_warned, warns, "{script}: {found:?}");
    }
}

/// Caught: a test for `()` in a function of the script was forgotten where the function returned.
#[test]
fn a_test_in_a_function_holds_for_its_caller() {
    let scenario = "(world: (size: (400, 300)), groups: {
        \"hero\": (behavior: \"chase\", count: 2, spawn: Disc(center: (200, 100), radius: 50),
            body: (radius: 4, max_speed: 40)),
        \"hawk\": (behavior: \"drift\", spawn: Points([(200, 100)]), body: (radius: 4, max_speed: 40)),
    })";
    for (functions, condition, warns) in [
        ("fn ok(x) { x != () }", "ok(n)", false),
        ("fn ok(x) { return () != x; }", "ok(n)", false),
        ("fn ok(x) { if x == () { return false; } true }", "ok(n)", false),
        ("fn ok(x) { if x != () { return x.speed > 1; } false }", "ok(n)", false),
        ("fn ok(x) { x != () && x.speed > 1 }", "ok(n)", false),
        ("fn ok(x) { !is_missing(x) } fn is_missing(x) { x == () }", "ok(n)", false),
        ("fn ok(x) { has(x) } fn has(x) { x != () }", "ok(n) && world.tick > 3", false),
        ("fn is_missing(x) { x == () }", "!is_missing(n)", false),
        ("fn is_missing(x) { x == () }", "!(is_missing(n) || world.tick > 3)", false),
        ("fn ok(a, b) { b != () }", "ok(1, n)", false),
        ("fn ok(x) { x != () }", "if ok(n) { n.speed > 1 } else { false }", true),
        ("fn ok(x) { x != () || world.tick > 3 }", "ok(n)", true),
        ("fn ok(x) { if world.tick > 3 { return true; } x != () }", "ok(n)", true),
        ("fn ok(x) { let x = 1; x != () }", "ok(n)", true),
        ("fn ok(x) { x = 1; x != () }", "ok(n)", true),
        ("fn ok(a, b) { b != () }", "ok(n, 1)", true),
        ("fn ok(x) { x != () }", "ok(me.nearest(\"hawk\", 9))", true),
        ("fn ok(x) { x != () }", "ok(n) || world.tick > 3", true),
        ("fn is_missing(x) { x == () }", "is_missing(n) || world.tick > 3", true),
    ] {
        let script = format!(
            "{functions}
            fn steer(me) {{
                let n = me.nearest(\"hawk\", 50);
                if {condition} {{ return me.seek(n); }}
                vec(0, 0)
            }}"
        );
        let project = Project::with("scripts/chase.rhai", &script);
        fs::write(project.path("scenarios/a.ron"), scenario).unwrap();
        let findings = check(&project.path("scenarios/a.ron"));
        let is_warned = findings.iter().any(|one| one.code == Code::MayBeNothing);
        assert_eq!(is_warned, warns, "{script}: {findings:?}");
        assert!(findings.iter().all(|one| one.severity != Severity::Error), "{findings:?}");
    }
}

#[test]
fn there_are_enough_mistakes() {
    let count = files("scripts", "rhai").len() + files("scenarios", "ron").len();
    assert!(count >= 120, "{count}");
}

/// Returns the findings of a project after a fix, which has changed a file in it.
fn after(project: &Project, fix: &Fix) -> Vec<Diagnostic> {
    let source = &fix.place.source;
    let mut text = source.text.clone();
    text.replace_range(fix.place.span.clone(), &fix.text);
    fs::write(&source.name, text).unwrap();
    let scenario = fs::read_dir(project.path("scenarios")).unwrap().next().unwrap();
    let findings = check(&scenario.unwrap().path());
    fs::write(&source.name, &source.text).unwrap();
    findings.into_vec()
}

/// Fixes that are only the first step of a repair, or after which something else can be told: the title, and how that begins.
const FIRST_STEPS: &[(&str, &str)] = &[
    ("Write `[(at: (700, 500), radius: 10)]`", "the script of group `guard` never uses its goals"),
    ("Write it in `{` and `}`", "no script of group `guard` reads"),
    ("Add `,`", "expected `,` between"),
    ("Insert `{`", "this `{` is not closed"),
    ("Write `me.match_velocity`", "match_velocity needs `velocity`"),
    ("Write `me`", "there is no variable `me` here"),
    ("Write `size`", "expected `(`"),
    ("Write `seek`", "seek: `target` may be"),
    ("Write `me.seek`", "seek: `target` may be"),
    ("Write `my_speed`", "the variable `my_speed` is never read"),
    ("Write `max_speed`", "the variable `max_speed` is never read"),
    ("Declare the public state `scraed` of group `hero`", "no script sets"),
];

#[test]
fn every_fix_resolves_its_finding() {
    let scripts = files("scripts", "rhai").into_iter().map(|path| with_script(&path));
    let scenarios = files("scenarios", "ron")
        .into_iter()
        .map(|path| Project::with("scenarios/mistake.ron", &fs::read_to_string(path).unwrap()));
    let (mut wrong, mut count, mut kinds) = (Vec::new(), 0, BTreeSet::new());
    let mut steps = BTreeSet::new();
    for project in scripts.chain(scenarios) {
        let scenario = fs::read_dir(project.path("scenarios")).unwrap().next().unwrap();
        let all = check(&scenario.unwrap().path()).into_vec();
        for finding in &all {
            for fix in finding.fixes() {
                count += 1;
                kinds.extend(fix.title.split_whitespace().next().map(str::to_owned));
                let start = |of: &Diagnostic| of.place.as_ref().map(|place| place.span.start);
                let is_same = |one: &Diagnostic| {
                    one.message == finding.message && start(one) == start(finding)
                };
                let after = after(&project, &fix);
                if after.iter().any(is_same) {
                    wrong.push(format!("{}\n{}", fix.title, finding.render(false)));
                }
                // Nor is what it writes wrong, nor can the file be read any less. Other findings may only be told from then on.
                let written = fix.place.span.start..fix.place.span.start + fix.text.len();
                let is_new = |one: &&Diagnostic| {
                    let is_known = all.iter().any(|known| known.message == one.message);
                    let is_written = one.place.as_ref().is_some_and(|place| {
                        let span = &place.span;
                        place.source.name == fix.place.source.name
                            && span.start < written.end
                            && written.start < span.end
                    });
                    !is_known && (is_written || one.code == Code::Syntax)
                };
                for new in after.iter().filter(is_new) {
                    let is_step = |(title, begin): &(&str, &str)| {
                        *title == fix.title && new.message.starts_with(begin)
                    };
                    if let Some(step) = FIRST_STEPS.iter().position(is_step) {
                        steps.insert(step);
                        continue;
                    }
                    wrong.push(format!(
                        "{}\n{}\nnew: {}",
                        fix.title,
                        finding.render(false),
                        new.render(false)
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(count > 60, "{count}");
    assert_eq!(steps.len(), FIRST_STEPS.len(), "{steps:?}");
    let known = [
        "Add", "Compare", "Declare", "Insert", "Move", "Remove", "Silence", "Use", "Wrap", "Write",
    ];
    assert_eq!(kinds.iter().collect::<Vec<_>>(), known);
}

#[test]
fn what_is_certainly_meant_is_the_fix() {
    let mut wrong: Vec<String> = Vec::new();
    for line in include_str!("../mistakes/meant.txt").lines() {
        let (name, meant) = line.split_once(": ").unwrap();
        let meant = meant.replace("\\n", "\n");
        let mut all = files("scripts", "rhai").into_iter();
        let path = all.find(|path| path.file_stem().unwrap() == name).unwrap();
        let found = check(&with_script(&path).path("scenarios/world.ron"));
        let fixes: Vec<String> =
            found.iter().flat_map(|one| one.fixes()).map(|fix| fix.text).collect();
        wrong.extend((fixes != [meant]).then(|| format!("{name}: {fixes:?}")));
    }
    assert_eq!(wrong, [""; 0]);
}
