//! `flockwork explain`.

use serde_json::Value;

use crate::project::{CommandOutput, Project};

/// Agents that steer to a point and keep apart.
const PAIR: &str = "fn steer(me) {
    me.seek(vec(90, 0)) + 0.5 * me.separation(30)
}
";

fn explain(project: &Project, more: &[&str]) -> CommandOutput {
    let args = [&["explain", "scenarios/two.ron"], more].concat();
    project.flockwork(&args)
}

/// Returns the words of a row of the table.
#[track_caller]
fn row(out: &str, name: &str) -> String {
    let row = out.lines().find(|line| line.get(2..).is_some_and(|line| line.starts_with(name)));
    let row = row.unwrap_or_else(|| panic!("no `{name}` in\n{out}"));
    row.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn each_call_is_shown_with_line_weight_and_cause() {
    let project = Project::two_with(PAIR);
    let answer = explain(&project, &["--agent", "1", "--tick", "0"]).says(0, &[]);
    let out = answer.out();
    // The force of `separation` is larger than the sum of both.
    let headline = "agent 1 (walkers) mostly follows `separation` (110 %: more than the whole force, since `seek` pulls against it), because of 1 neighbor, agent 0, 10 away";
    assert_eq!(out.lines().next(), Some(headline), "{out}");
    let separation = row(&out, "separation");
    assert!(separation.starts_with("* separation "), "{out}");
    for part in [
        "(-10, 10) = 0.5 x (-20, 20)",
        "scripts/walk.rhai:2:36",
        "cause: 1 neighbor, agent 0, 10 away",
    ] {
        assert!(separation.contains(part), "{part} is missing in\n{out}");
    }
    let seek = row(&out, "seek");
    for part in ["scripts/walk.rhai:2:8", "cause: the point (90, 0), 90.55 away"] {
        assert!(seek.contains(part), "{part} is missing in\n{out}");
    }
    for (name, value) in [
        ("agent  ", "1 (walkers), index 1 in its group"),
        ("tick  ", "0 (0 s)"),
        ("position", "(0, 10)"),
        ("velocity", "(20, 0), speed 20 of 20"),
        ("params", "push = 0"),
        ("forces", "of tick 1, decided from what the agent knows after tick 0"),
        ("force  ", "not cut, it has no max_force"),
    ] {
        assert_eq!(answer.summary(name), value, "{out}");
    }
    assert!(answer.summary("goal").ends_with("reached within 1; 1 of 1"));
}

#[test]
fn forces_and_speeds_beyond_the_limits_are_shown() {
    let script = "fn init(me) { me.state.seen = 0; }
fn steer(me) { me.state.seen += 1; vec(0, 900) }";
    let project = Project::two_with(script);
    let text =
        project.read("scenarios/two.ron").replace("max_speed: 20", "max_speed: 20, max_force: 300");
    let project = project.with("scenarios/two.ron", text);
    let answer = explain(&project, &["--agent", "0", "--tick", "2"]).says(0, &[]);
    assert_eq!(answer.summary("state"), "seen = 2 -> 3");
    assert_eq!(answer.summary("wanted"), "(0, 900), length 900");
    assert_eq!(answer.summary("force  "), "cut to max_force 300: (0, 300)");
    let next = answer.summary("next velocity");
    assert!(next.contains("speed 20, cut from ") && next.ends_with("to max_speed 20"), "{next}");
    let out = answer.out();
    assert!(row(&out, "rest").starts_with("* rest 100 % (0, 900)"), "{out}");
    let headline = "agent 0 (walkers) mostly follows what its script computes itself (100 %)\n";
    assert!(out.starts_with(headline), "{out}");
}

#[test]
fn causes_of_what_the_script_computes_itself_are_shown() {
    let script = "fn steer(me) {
    let other = me.nearest(\"walkers\");
    me.vel = 0.5 * (other.pos - me.pos);
    3 * me.to(other)
}
";
    let out =
        explain(&Project::two_with(script), &["--agent", "1", "--tick", "0"]).says(0, &[]).out();
    let cause = "because of agent 0 (walkers), 10 away";
    let headline = out.lines().next().unwrap();
    assert_eq!(headline.matches(cause).count(), 2, "{out}");
    assert!(row(&out, "rest").ends_with("cause: agent 0 (walkers), 10 away"), "{out}");
    assert!(
        out.contains("own velocity   (20, 0) -> (0, -5), set by its script, because of"),
        "{out}"
    );
}

/// Caught: `because of 1 neighbor, agent 0, 10 away; agent 0 (walkers), 10 away`.
#[test]
fn the_nearest_neighbor_is_named_once() {
    let script = "fn steer(me) {
    let near = me.neighbors(60);
    let force = near.count * me.to(near.nearest);
    force
}
";
    let out =
        explain(&Project::two_with(script), &["--agent", "1", "--tick", "0"]).says(0, &[]).out();
    let headline = "agent 1 (walkers) mostly follows what its script computes itself: `force` (100 %), because of 1 neighbor, agent 0, 10 away";
    assert_eq!(out.lines().next(), Some(headline), "{out}");
}

/// Caught: 150 % of a force, without a word.
#[test]
fn a_share_above_the_whole_force_says_why() {
    let script = "fn steer(me) {
    let a = 3 * me.pos;
    let b = -1 * me.pos;
    a + b
}
";
    let out =
        explain(&Project::two_with(script), &["--agent", "1", "--tick", "0"]).says(0, &[]).out();
    let part = ": `a` (150 %: more than the whole force, since other shares pull against it)";
    assert!(out.lines().next().is_some_and(|headline| headline.ends_with(part)), "{out}");
}

#[test]
fn json_has_all_values() {
    let project = Project::two_with(PAIR);
    let answer = explain(&project, &["--agent", "1", "--tick", "0", "--json"]).says(0, &[]);
    let json: Value = serde_json::from_str(&answer.out()).unwrap();
    assert_eq!(json["scenario"], "Two");
    assert_eq!(json["agent"], 1);
    assert_eq!(json["position"], serde_json::json!([0.0, 10.0]));
    assert_eq!(json["body"]["max_force"], Value::Null, "it has none");
    assert_eq!(json["params"]["push"], 0.0);
    assert_eq!(json["goal"]["goals"], 1);
    assert_eq!(json["waypoint"], Value::Null);
    let decision = &json["decision"];
    assert_eq!(decision["explained"], true);
    assert_eq!(decision["rest"], Value::Null);
    assert_eq!(decision["set_velocity"], Value::Null);
    let calls = decision["calls"].as_array().unwrap();
    let names: Vec<_> = calls.iter().map(|call| &call["primitive"]).collect();
    assert_eq!(names, ["seek", "separation"]);
    let call = &calls[1];
    assert_eq!(call["file"], "scripts/walk.rhai");
    assert_eq!((&call["line"], &call["column"]), (&2.into(), &36.into()));
    assert_eq!(call["weight"], 0.5);
    assert_eq!(call["dominant"], true);
    assert_eq!(call["cause"]["kind"], "neighbors");
    assert_eq!(call["cause"]["agent"], 0);
    assert_eq!(call["seen"]["nearest"], serde_json::json!([0]));
    assert_eq!(calls[0]["cause"]["at"], serde_json::json!([90.0, 0.0]));
    let parts: f64 = calls.iter().map(|call| call["fraction"].as_f64().unwrap()).sum();
    assert!((parts - 1.0).abs() < 1e-5);
    // The next tick is as `run` records it.
    let args = ["run", "scenarios/two.ron", "--ticks", "1", "--out", "a.jsonl"];
    project.flockwork(&args).says(0, &[]);
    let frames = project.read("a.jsonl");
    let last: Value = serde_json::from_str(frames.lines().last().unwrap()).unwrap();
    assert_eq!(last["id"], 1);
    assert_eq!(decision["next_position"], serde_json::json!([last["x"], last["y"]]));
    assert_eq!(decision["next_velocity"], serde_json::json!([last["vx"], last["vy"]]));
}

#[test]
fn turns_of_the_interpreter_are_explained_by_what_their_calls_return() {
    let script = "fn steer(me) {
    let forces = [];
    forces.push(me.seek(me.goal + vec(0, 30)));
    debug(forces.len());
    2 * forces[0]
}";
    let project = Project::two_with(script);
    let answer = explain(&project, &["--agent", "0", "--tick", "3"]).says(0, &[]);
    let out = answer.out();
    assert!(out.starts_with("agent 0 (walkers) calls `seek`\n"), "{out}");
    let seek = row(&out, "seek");
    for part in ["returned (", "scripts/walk.rhai:3:20", "cause: the point ("] {
        assert!(seek.contains(part), "{part} is missing in\n{out}");
    }
    assert!(!out.contains('%') && !out.contains("\n  rest"), "{out}");
    assert!(answer.summary("how to read").contains("only the interpreter can run this turn"));
    let answer = explain(&project, &["--agent", "0", "--tick", "3", "--json"]).says(0, &[]);
    let json: Value = serde_json::from_str(&answer.out()).unwrap();
    let decision = &json["decision"];
    assert_eq!((&decision["explained"], &decision["rest"]), (&false.into(), &Value::Null));
    let call = &decision["calls"][0];
    assert_eq!((&call["share"], &call["fraction"]), (&Value::Null, &Value::Null));
    let force: Vec<f64> = serde_json::from_value(decision["wanted_force"].clone()).unwrap();
    assert_eq!(call["raw"], serde_json::json!([force[0] / 2.0, force[1] / 2.0]));
}

#[test]
fn what_is_not_a_multiple_of_a_primitive_is_the_rest() {
    let script = "fn steer(me) { let f = me.wander(); vec(f.x * f.x, 3) }";
    let project = Project::two_with(script);
    let answer = explain(&project, &["--agent", "0", "--tick", "3"]).says(0, &[]);
    let out = answer.out();
    assert!(row(&out, "wander").contains("(0, 0)"), "{out}");
    assert!(row(&out, "rest").contains(", 3)"), "{out}");
    assert!(answer.summary("wanted").contains(", 3), length "));
}

#[test]
fn a_turn_that_fails_is_shown_with_the_state_of_the_agent() {
    let script = "fn init(me) { me.state.n = 1; }
fn steer(me) {
    me.state.n += 1;
    [me.seek(me.goal)][if me.id == 1 && me.state.n == 5 { me.state.n } else { 0 }]
}";
    let project = Project::two_with(script);
    let failed = ["agent 1 of group `walkers`, at tick 3"];
    let answer = explain(&project, &["--agent", "1", "--tick", "3"]).says(2, &failed);
    let out = answer.out();
    assert!(
        out.starts_with("agent 1 (walkers) cannot decide: the array has no element with index 5"),
        "{out}"
    );
    assert_eq!(answer.summary("state"), "n = 4");
    assert_eq!(answer.summary("fails at"), "scripts/walk.rhai:4:24");
    let answer = explain(&project, &["--agent", "1", "--tick", "3", "--json"]);
    let json: Value = serde_json::from_str(&answer.out()).unwrap();
    assert!(
        json["error"].as_str().unwrap().contains("the array has no element with index 5"),
        "{json}"
    );
    assert_eq!(json["decision"], Value::Null);
    // The turn of the other agent does not fail.
    let other = explain(&project, &["--agent", "0", "--tick", "3"]).says(0, &[]);
    assert!(row(&other.out(), "seek").contains("cause: the point"));
}

#[test]
fn an_agent_that_has_stopped_decides_nothing() {
    let project = Project::two();
    let text = project.read("scenarios/two.ron");
    let text = text.replace("goals: [", "after_goals: Stop, goals: [");
    let project = project.with("scenarios/two.ron", text);
    let answer = explain(&project, &["--agent", "0", "--tick", "10"]).says(0, &[]);
    assert!(answer.out().starts_with("agent 0 (walkers) has stopped\n"));
}

#[test]
fn an_agent_that_has_braked_to_rest_has_readable_numbers() {
    // The velocity that is left is the smallest float: its square was 0, and the percentage `inf %`.
    let script = "fn steer(me) { 6 * me.match_velocity(vec(0, 0)) }";
    let project = Project::two_with(script);
    let text = project.read("scenarios/two.ron");
    let text = text.replace("ticks: 10,", "ticks: 1000,");
    let text = text.replace("velocity: (20, 0)", "velocity: (20, 7)");
    let project = project.with("scenarios/two.ron", text);
    for tick in ["20", "100", "280", "1000"] {
        let out = explain(&project, &["--agent", "1", "--tick", tick]).says(0, &[]).out();
        for wrong in ["inf", "NaN", "000000", "(-0,", " -0)"] {
            assert!(!out.contains(wrong), "`{wrong}` is in\n{out}");
        }
        let answer = explain(&project, &["--agent", "1", "--tick", tick, "--json"]);
        let json: Value = serde_json::from_str(&answer.says(0, &[]).out()).unwrap();
        assert_eq!(json["decision"]["calls"][0]["fraction"], 1.0, "{json}");
    }
    let answer = explain(&project, &["--agent", "1", "--tick", "1000"]);
    assert!(row(&answer.out(), "match_velocity").starts_with("* match_velocity 100 %"));
    assert_eq!(answer.summary("velocity"), "none: it is at rest");
}

#[test]
fn a_velocity_that_the_script_sets_is_shown_with_its_causes() {
    let script = "fn steer(me) {
    let mates = me.neighbors(60);
    let v = 0.5 * mates.mean_velocity + 0.1 * (mates.center - me.pos);
    2 * me.match_velocity(v) + 0.1 * me.match_velocity(vec(1, 2))
}";
    let project = Project::two_with(script);
    let answer = explain(&project, &["--agent", "0", "--tick", "2"]).says(0, &[]);
    let out = answer.out();
    let cause = "1 neighbor, agent 1, ";
    let headline = out.lines().next().unwrap();
    assert!(headline.contains(&format!(", because of {cause}")), "{out}");
    let rows = out.lines().filter(|line| line.contains("match_velocity"));
    let rows: Vec<&str> = rows.skip(1).collect();
    assert!(rows[0].contains(&format!("  cause: {cause}")), "{out}");
    assert!(rows[1].ends_with(":4:41"), "{out}");
    let answer = explain(&project, &["--agent", "0", "--tick", "2", "--json"]).says(0, &[]);
    let json: Value = serde_json::from_str(&answer.out()).unwrap();
    let calls = &json["decision"]["calls"];
    assert_eq!(calls[0]["depends_on"][0]["agent"], 1);
    assert_eq!(calls[1]["depends_on"], serde_json::json!([]));
}

#[test]
fn percentages_and_the_star_are_explained_below_the_table() {
    let legend = |script: &str| {
        let project = Project::two_with(script);
        let answer = explain(&project, &["--agent", "0", "--tick", "0"]).says(0, &[]);
        answer.summary("how to read")
    };
    let plain = legend("fn steer(me) { me.seek(vec(0, 90)) }");
    assert_eq!(
        plain,
        "% is how much of the force comes from it, in the direction of the force; * has the largest share"
    );
    let against = legend("fn steer(me) { 3 * me.seek(vec(0, 90)) - me.seek(vec(0, 90)) }");
    assert!(
        against.contains("; all together are 100 %: those that pull the other way are negative, so others can be above 100 %; *"),
        "{against}"
    );
    let steady = legend("fn steer(me) { me.seek(vec(90, 0)) + 0.2 * me.seek(vec(0, 90)) }");
    assert!(
        steady.contains("* needs little force, since the agent already moves that way"),
        "{steady}"
    );
    let none =
        explain(&Project::two_with("fn steer(me) { vec(0, 0) }"), &["--agent", "0", "--tick", "0"]);
    assert!(!none.says(0, &[]).out().contains("how to read"));
}

#[test]
fn a_group_of_one_names_its_agent() {
    let project = Project::two();
    let text = project.read("scenarios/two.ron");
    let text = text.replace("Points([(0, 0), (0, 10)])", "Points([(0, 10)])");
    let project = project.with("scenarios/two.ron", text);
    let out = explain(&project, &["--agent", "walkers", "--tick", "2"]).says(0, &[]);
    assert_eq!(out.summary("agent  "), "0 (walkers), index 0 in its group");
}
