//! What is wrong with scripts, and where it is said to be.

use super::*;
use crate::world::GroupId;

#[test]
fn an_error_inside_an_import_points_there() {
    let library = texts(&[
        ("main", "import \"tools\" as tools;\nfn steer(me) { tools::broken(me) }"),
        ("tools", "fn broken(me) {\n  me.seek(me.nowhere)\n}"),
    ]);
    let error = ticks(&library, 1).err().unwrap();
    assert!(
        error.contains("scripts/tools.rhai:2:14") && error.contains("me has no `nowhere`"),
        "{error}"
    );
    let library = texts(&[
        ("main", "import \"tools\" as tools;\nfn steer(me) { me }"),
        ("tools", "fn broken( {"),
    ]);
    let error = start(&library).err().unwrap();
    assert!(error.contains("scripts/tools.rhai:1:12"), "{error}");
}

#[test]
fn imports_stay_inside_and_do_not_go_in_circles() {
    for path in ["../x", "/etc/x", "a/../../b", "a//b", "C:\\\\x", "./x", ""] {
        fails(
            &format!("import \"{path}\" as x;\nfn steer(me) {{ vec(0, 0) }}"),
            &["is not inside the scripts folder", "main.rhai:1:1"],
        );
    }
    fails(
        "fn steer(me) { import \"nothing\" as x; vec(0, 0) }",
        &["there is no script `nothing`", "main.rhai:1:16"],
    );
    let library = texts(&[
        ("main", "import \"b\" as b;\nfn steer(me) { vec(0, 0) }"),
        ("b", "import \"main\" as m;"),
    ]);
    let error = start(&library).err().unwrap();
    assert!(
        error.contains("`main` imports itself") && error.contains("main -> b -> main"),
        "{error}"
    );
}

#[test]
fn errors_name_the_place_the_agent_and_what_helps() {
    for (script, parts) in [
        (
            "fn steer(me) {\n  me.seek(me.params.alrt)\n}",
            &["main.rhai:2:21", "no param `alrt`", "agent 0 of group `hero`, at tick 0"][..],
        ),
        ("fn steer(me) { me.seek(vec(1, 2), 3, 4) }", &["me.seek(target, speed = me.max_speed)"]),
        ("fn steer(me) { me.seek() }", &["me.seek(target, speed = me.max_speed)"]),
        (
            "fn steer(me) { me.seek(true) }",
            &["`target` must be a point or an agent, and is a boolean"],
        ),
        (
            "fn steer(me) { me.seek(vec(1, 1), -3) }",
            &["`speed` must be a number from 0, and is -3"],
        ),
        (
            "fn steer(me) { me.pos2 }",
            &["main.rhai:1:19", "me has no `pos2`", "did you mean `pos`?"],
        ),
        (
            "fn steer(me) { let a = me.nearest(\"hero\", 1); a.pos }",
            &["main.rhai:1:49", "`()` has no `pos`", "!= ()"],
        ),
        ("fn steer(me) { me.seek(me.nearest(\"hero\", 1)) }", &["is nothing, ()", "!= ()"]),
        ("fn steer(me) { me.nearest(\"heroo\") }", &["no group `heroo`", "did you mean `hero`?"]),
        ("fn steer(me) { me.follow_path(\"rund\") }", &["no path `rund`", "did you mean `round`?"]),
        (
            "fn steer(me) { world.obstacle(\"piller\") }",
            &["no obstacle `piller`", "did you mean `pillar`?"],
        ),
        (
            "fn steer(me) { me.params.alrt * vec(1, 1) }",
            &["main.rhai:1:26", "no param `alrt`", "did you mean `alert`?"],
        ),
        (
            "fn steer(me) { me.params.alert = 3; vec(1, 1) }",
            &["cannot be set by a script", "me.state"],
        ),
        (
            "fn steer(me) { vec(me.state.mode, 0) }",
            &["`me.state.mode` has not been set", "fn init(me)"],
        ),
        ("fn steer(me) { me.state.x = me; vec(1, 1) }", &["`me` cannot be kept"]),
        ("fn steer(me) { me.state.x = 1.0 / 0.0; vec(1, 1) }", &["not a finite number"]),
        ("fn steer(me) { me.pos = vec(1, 2); vec(1, 1) }", &["cannot set `pos`", "`me.vel`"]),
        (
            "fn steer(me) { me.vel = 3; vec(1, 1) }",
            &["`me.vel` must be a vector, and is an integer"],
        ),
        ("fn steer(me) {\n  vec(1, 2) / 0\n}", &["main.rhai:2:13", "not finite"]),
        ("fn steer(me) { 1 % 0; vec(1, 0) }", &["division by zero"]),
        (
            "fn f(x) { x + vec(1, 2) }\nfn steer(me) { f(1) }",
            &["main.rhai:1:13", "`+` cannot be applied to an integer and a vector"],
        ),
        ("fn steer(me) { sin(\"x\") * vec(1, 1) }", &["`sin` does not take a string"]),
        (
            "fn steer(me) { prioritize([me.seek(me.goal), 3]) }",
            &["element 1 must be a vector, and is an integer"],
        ),
        ("fn steer(me) { print(3); vec(1, 1) }", &["use `debug(...)`"]),
        ("fn steer(me) { throw \"oops\" }", &["oops"]),
        ("fn steer(me) { timestamp(); vec(1, 0) }", &["no function `timestamp`"]),
        ("fn steer(me) { sleep(1); vec(1, 0) }", &["no function `sleep`"]),
    ] {
        fails(script, parts);
    }
}

#[test]
fn what_cannot_work_is_found_before_it_runs() {
    for (script, parts) in [
        ("fn ster(me) { vec(1, 2) }", &["no function `steer`", "is `ster` meant to be it?"][..]),
        ("fn steer(me, x) { vec(1, 2) }", &["`steer` takes one parameter", "main.rhai:1:1"]),
        (
            "fn steer(me) { vec(0, 0) }\nfn init() { }",
            &["`init` takes one parameter", "main.rhai:2:1"],
        ),
        ("fn steer(me) {\n  vec(1, 2\n}", &["main.rhai:2:6", "this `(` is not closed"]),
        ("fn steer(me) {\n  vec(1, 2)\n", &["main.rhai:1:14", "this `{` is not closed"]),
        ("", &["no function `steer`"]),
        (
            "fn steer(me) {\n  let speed = 3;\n  me.seek(sped)\n}",
            &["main.rhai:3:11", "no variable `sped`", "did you mean `speed`?"],
        ),
        ("fn steer(me) { eval(\"1\") }", &["main.rhai:1:16", "eval"]),
        (
            "let x = 3;\nfn steer(me) { vec(1, 1) }",
            &["main.rhai:1:1", "no function can see the variable `x`"],
        ),
        (
            "const X = me.pos;\nfn steer(me) { vec(1, 1) }",
            &["main.rhai:1:11", "`me` is not known here"],
        ),
        ("const X = world.time;\nfn steer(me) { vec(1, 1) }", &["there is no world yet"]),
        (
            "fn steer(me) {\n  me.seekk(vec(1, 2))\n}",
            &["main.rhai:2:6", "no function `seekk`", "did you mean `seek`?"],
        ),
        (
            "fn steer(me) { [1, 2].filtre(|x| x > 1); vec(0, 0) }",
            &["no function `filtre`", "did you mean `filter`?"],
        ),
        (
            "fn helper(me) { me.vel }\nfn steer(me) { helpr(me) }",
            &["main.rhai:2:16", "did you mean `helper`?"],
        ),
        (
            "fn steer(me) { me.seek() }",
            &["seek takes 1 to 2 arguments, and got 0", "me.seek(target"],
        ),
        (
            "fn steer(me) { if me.id == 9 { me.poss } else { vec(0, 0) } }",
            &["main.rhai:1:35", "me has no `poss`", "did you mean `pos`?"],
        ),
        ("fn steer(me) { vec(world.tme, 0) }", &["world has no `tme`", "did you mean `time`?"]),
        ("fn steer(me) { prioritize() }", &["prioritize takes 1 argument, and got 0"]),
        ("fn steer(me) { tools::f(me) }", &["nothing is imported as `tools`"]),
    ] {
        let error =
            start(&texts(&[("main", script)])).err().unwrap_or_else(|| panic!("{script} is taken"));
        for part in parts {
            assert!(error.contains(part), "`{part}` is missing in\n{error}\nfor\n{script}");
        }
    }
}

#[test]
fn a_result_that_is_no_vector_is_refused() {
    fails("fn steer(me) { 3 }", &["must return a vector, and returns an integer", "main.rhai:1:1"]);
}

#[test]
fn runaways_are_stopped_where_they_run() {
    for (script, parts) in [
        (
            "fn steer(me) {\n  let x = 1;\n  loop {\n    x += 1;\n  }\n}",
            &["does not come to an end", "main.rhai:4:"][..],
        ),
        ("fn steer(me) {\n  while true { }\n}", &["does not come to an end", "main.rhai:2:"]),
        (
            "fn f(x) { f(x) }\nfn steer(me) {\n  f(1)\n}",
            &["call each other too deeply", "main.rhai:3:3"],
        ),
        (
            "fn steer(me) {\n  let a = [];\n  loop { a.push(1); }\n}",
            &["grows too large", "main.rhai:3:"],
        ),
        (
            "fn steer(me) {\n  let a = \"x\";\n  loop { a += a; }\n}",
            &["grows too large", "main.rhai:3:"],
        ),
        (
            "fn init(me) {\n  loop { }\n}\nfn steer(me) { vec(0, 0) }",
            &["does not come to an end", "main.rhai:2:"],
        ),
    ] {
        fails(script, parts);
    }
    let deep = format!("fn steer(me) {{ {}1{} }}", "(".repeat(500), ")".repeat(500));
    fails(&deep, &["main.rhai:1:"]);
}

#[test]
fn constants_stay_as_they_are() {
    for script in [
        "const M = #{a: 1};\nfn steer(me) { M.a = 3; vec(0, 0) }",
        "const M = [1];\nfn steer(me) { M[0] += 3; vec(0, 0) }",
        "const M = vec(1, 2);\nfn steer(me) { M.x = 3; vec(0, 0) }",
        "fn steer(me) {\nlet x = 1; const M = #{a: 1}; M.a = 3; vec(0, 0) }",
    ] {
        fails(script, &["a constant cannot be changed", "main.rhai:2:"]);
    }
    // A function's own variables may have the same names.
    one_tick(
        "const A = [1];
        fn change(A) { A[0] = 2; A }
        fn steer(me) {
            let f = |A| { A[0] = 4; A };
            change([3]);
            f.call([5]);
            let A = [1];
            A[0] = 3;
            for A in [[1], [2]] { A[0] = 3; }
            vec(A[0], 0)
        }",
    )
    .unwrap();
}

#[test]
fn a_change_that_would_be_lost_is_an_error() {
    fails(
        "fn steer(me) { me.pos.x = 3; vec(0, 0) }",
        &["a script cannot set `pos` of me", "me.vel"],
    );
    fails(
        "fn steer(me) { world.size.x += 3; vec(0, 0) }",
        &["a script cannot set `size` of world"],
    );
    // Looking at parts changes nothing.
    let looks = "me.pos.to_string(); me.pos.length(); world.obstacles.len(); world.size.x;
        me.heading.rotated(1).x; world.obstacles[0].center.x; me.neighbors(50).center.x;
        me.path.name.len(); me.nearest().pos.dot(me.pos); `${me.pos} ${me.nearest()} ${me.goal}`;
        world.obstacles.filter(|o| o.radius > 1).map(|o| o.center); me.group.contains(\"x\");";
    one_tick(&format!("fn steer(me) {{ {looks} vec(0, 0) }}")).unwrap();
    assert_eq!(
        one_tick("fn steer(me) { me.vel.x = 3; me.vel.y = 4; vec(0, 0) }"),
        Ok(Vec2::new(3.0, 4.0))
    );
}

#[test]
fn no_radius_is_negative() {
    for call in [
        "me.neighbors(-5)",
        "me.neighbors(0.0 / 0.0)",
        "me.nearest(-1)",
        "me.nearest(\"others\", -1)",
        "me.separation(-30)",
    ] {
        fails(&format!("fn steer(me) {{ {call}; vec(0, 0) }}"), &["must be a number from 0"]);
    }
}

#[test]
fn what_an_agent_remembers_has_an_end() {
    let fill = |of: &str| format!("fn steer(me) {{ for i in 0..100000 {{ {of} }} vec(0, 0) }}");
    for of in [
        "me.state[\"k\" + i] = i;",
        "me.state[\"k\" + i] = [1, 2, 3, #{a: [1]}];",
        "me.state[\"k\" + i] = \"a text\";",
    ] {
        fails(&fill(of), &["remembers too much", "10000"]);
    }
    one_tick(&fill("me.state.k = i;")).unwrap();
}

#[test]
fn errors_point_to_the_definition_and_not_to_a_comment() {
    let library = texts(&[
        (
            "main",
            "import \"far\" as far;\n// const A is shared\nconst AB = 1; const A = 2;\nfn steer(me) { me.contain() }",
        ),
        ("far", "const A = 1;"),
    ]);
    let error = start(&library).err().unwrap();
    assert!(error.contains("main.rhai:3:21"), "{error}");
    fails(
        "// the fn steer(me) below\nfn steer(me) { 3 }",
        &["main.rhai:2:1", "must return a vector"],
    );
    fails("print(\"x\"); fn steer(me) { me.contain() }", &["scripts do not print"]);
}

#[test]
fn a_script_too_long_to_point_into_is_refused() {
    fails(
        &format!("{}fn steer(me) {{ me.poz }}", "\n".repeat(70_000)),
        &["more than 65534 lines", "main.rhai:65535:1"],
    );
    fails(
        &format!("fn steer(me) {{{} me.poz }}", " ".repeat(70_000)),
        &["more than 65534 characters"],
    );
}

#[test]
fn a_missing_semicolon_in_the_last_line_is_no_missing_end() {
    let wrong = |script: &str| {
        let found = Behavior::compile("main", &texts(&[("main", script)]));
        let all: Vec<String> = found.unwrap_err().iter().map(Diagnostic::to_string).collect();
        all.join("\n")
    };
    let told = wrong("fn steer(me) { let x = 1 let y = 2; vec(0, 0) }");
    assert!(told.contains("main.rhai:1:26") && !told.contains("ends"), "{told}");
    let told = wrong("fn steer(me) {\n    vec(0, 0)\n");
    assert!(told.contains("this `{` is not closed"), "{told}");
    let told = wrong("fn stear(me) { vec(0, 0) }");
    assert!(told.contains("is `stear` meant to be it?"), "{told}");
}

#[test]
fn who_has_no_greatest_speed_is_told_before_it_runs() {
    let behavior = |script: &str| Behavior::compile("main", &texts(&[("main", script)])).unwrap();
    let still: Arc<dyn Brain> = Arc::new(behavior("fn steer(me) { vec(0, 0) }"));
    let mut setup = setup();
    setup.groups[0].0.body.max_speed = f32::INFINITY;
    let simulation = Simulation::new(setup, vec![Arc::clone(&still), still]).unwrap();
    let told = |script: &str| {
        let found = behavior(script).findings(simulation.world(), GroupId(0), vec![false; 2]);
        found.iter().map(Diagnostic::to_string).collect::<String>()
    };
    let wander = told("fn steer(me) { me.wander() }");
    let needs = "wander needs a speed: group `hero` has no max_speed, so give `speed`";
    assert!(wander.contains(needs), "{wander}");
    assert_eq!(told("fn steer(me) { me.seek(me.pos, 5) }"), "");
}

#[test]
fn no_message_ends_early_or_names_a_type_of_rust() {
    for (script, parts) in [
        (
            "fn steer(me) { random() * me.heading }",
            &["`random` needs something to work on", "me.random()"][..],
        ),
        ("fn steer(me) { throw me.neighbors(40) }", &["the script threw a neighborhood"]),
        ("fn steer(me) { throw \"oops\" }", &["the script threw \"oops\""]),
        (
            "fn steer(me) { me.pos[0] * vec(1, 0) }",
            &["a vector has no element for an integer", "`.x` and `.y`"],
        ),
    ] {
        fails(script, parts);
    }
}

#[test]
fn names_of_other_tools_lead_to_ours() {
    for (body, parts) in [
        ("me.vel.norm()", &["did you mean `length()`?"][..]),
        ("dist(me.pos, me.pos)", &["did you mean `a.distance(b)`?"]),
        ("me.position", &["did you mean `pos`?"]),
        ("PI()", &["`PI` is a value"]),
        ("vec(world.width, 0)", &["did you mean `world.size.x`?"]),
        ("me.goal == null", &["write `()` instead"]),
        ("if true and true { }", &["write `&&` instead of `and`"]),
        ("me.nearest('hero')", &["write a string in double quotes: \"hero\""]),
        ("let a = 1;\nlet b = 2\nlet c = a;", &["expected `;`", "`;` is missing behind this"]),
        ("let near = 1; naer", &["did you mean `near`?", "known: PI, me, near, world"]),
    ] {
        let script = format!("fn steer(me) {{\n{body}\n}}");
        let error = start(&texts(&[("main", &script)])).err().unwrap();
        for part in parts {
            assert!(error.contains(part), "`{part}` is missing in\n{error}");
        }
    }
}

#[test]
fn a_comment_that_does_not_end_is_told() {
    let error = start(&texts(&[("main", "/* a /* b */\nfn steer(me) { me.vel }")])).err().unwrap();
    assert!(error.contains("this comment is not closed"), "{error}");
}

proptest::proptest! {
    /// What Rhai can read has no bracket that is not closed.
    #[test]
    fn what_can_be_read_is_not_blamed(
        parts in proptest::collection::vec(
            proptest::prop_oneof![
                proptest::prelude::Just("(1)"), proptest::prelude::Just("[1, 'a']"),
                proptest::prelude::Just("\"a ( b\""), proptest::prelude::Just("\"a \\\" {\""),
                proptest::prelude::Just("'('"), proptest::prelude::Just("'\\''"),
                proptest::prelude::Just("/* ( \" */ 1"), proptest::prelude::Just("1 // ( \"\n"),
                proptest::prelude::Just("#\" \" ( \"#"), proptest::prelude::Just("##\" \"# ( \"##"),
                proptest::prelude::Just("`a ( ${[1]} {`"), proptest::prelude::Just("\"a\"\"(\""),
                proptest::prelude::Just("`\\${ (`"), proptest::prelude::Just("`${`${1}`}`"),
                proptest::prelude::Just("`a``(`"), proptest::prelude::Just("\"\""),
                proptest::prelude::Just("`\\`"), proptest::prelude::Just("#{a: 1}"),
                proptest::prelude::Just("`${#{a: `}`}.a}`"), proptest::prelude::Just("\"a\\\n  (\""),
            ],
            0..5,
        ),
    ) {
        use crate::diag::brackets;
        let list = format!("[{}]", parts.join(", "));
        let read = crate::script::api::engine().compile_expression(&list);
        proptest::prop_assert!(read.is_ok(), "{list}: {read:?}");
        let source = Source::new("a", list);
        proptest::prop_assert_eq!(brackets::unclosed(&source, &brackets::RHAI), None);
    }
}
