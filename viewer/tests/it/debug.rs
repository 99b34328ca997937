//! `flockwork debug`: the debugger, as an editor talks to it.

mod expressions;
mod line_values;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::project::Project;

const SCENARIO: &str = r#"(
    ticks: 20, dt: 0.5, world: (size: (100, 100)),
    groups: {
        "a": (behavior: "go", spawn: Points([(10, 10), (20, 20)]), velocity: (2, 0), params: { "gain": 2.0 }),
        "b": (behavior: "go", spawn: Points([(50, 50)]), velocity: (1, 0), params: { "gain": 3.0 }),
    },
)"#;

const SCRIPT: &str = "// Goes.
fn half(x) {
    x / 2
}
fn steer(me) {
    let p = me.params;
    let force = p.gain * half(me.pos.x);
    if me.id == 1 {
        me.state.seen = force;
        force += 1;
    }

    // The end.
    vec(force, 0)
}
";

/// The numbers of lists of variables.
const LINE: u64 = 1;
const AGENT: u64 = 2;
const VARIABLES: u64 = 3;

/// An editor.
struct Editor {
    project: Project,
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    sent: u64,
    /// Events that came while an answer was awaited.
    events: Vec<Value>,
}

impl Editor {
    fn start(project: Project) -> Self {
        let mut process = std::process::Command::new(snapbox::cmd::cargo_bin!("flockwork"))
            .current_dir(project.path("."))
            .arg("debug")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Self { project, process, to, from: BufReader::new(from), sent: 0, events: Vec::new() }
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).unwrap() > 0, "the debugger has left");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None => break,
            }
        }
        let mut content = vec![0; length];
        self.from.read_exact(&mut content).unwrap();
        serde_json::from_slice(&content).unwrap()
    }

    /// Returns the answer to a request.
    fn request(&mut self, command: &str, arguments: Value) -> Value {
        self.sent += 1;
        let request = json!({ "seq": self.sent, "type": "request", "command": command, "arguments": arguments });
        let text = request.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.to.flush().unwrap();
        loop {
            let message = self.read();
            if message["type"] == "event" {
                self.events.push(message);
                continue;
            }
            assert_eq!(message["request_seq"], self.sent);
            return message;
        }
    }

    /// Returns the body of the answer to a request that succeeds.
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let answer = self.request(command, arguments);
        assert_eq!(answer["success"], true, "{answer:#}");
        answer["body"].clone()
    }

    /// Returns why a request is refused.
    fn refused(&mut self, command: &str, arguments: Value) -> String {
        let answer = self.request(command, arguments);
        assert_eq!(answer["success"], false, "{answer:#}");
        answer["message"].as_str().unwrap().to_owned()
    }

    /// Returns the body of the next event of a kind.
    fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(index) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(index)["body"].clone();
            }
            let message = self.read();
            self.events.push(message);
        }
    }

    /// Waits until the run stands. Returns why, and the functions that run.
    fn stopped(&mut self) -> (String, Vec<String>) {
        let reason = self.event("stopped")["reason"].as_str().unwrap().to_owned();
        let frames = self.ask("stackTrace", json!({ "threadId": 1 }));
        let frame = |frame: &Value| {
            format!("{}:{}", frame["name"].as_str().unwrap(), frame["line"].as_u64().unwrap())
        };
        let frames: Vec<String> =
            frames["stackFrames"].as_array().unwrap().iter().map(frame).collect();
        // Where it stands is told to editors that show the world.
        if let Some(innermost) = frames.first() {
            let Value::Object(turn) = self.event("flockworkTurn") else { panic!("{innermost}") };
            let [agent, tick] = ["agent", "tick"].map(|name| turn[name].as_u64().unwrap());
            assert!(innermost.contains(&format!(", agent {agent} (")), "{innermost}");
            assert!(innermost.contains(&format!("), tick {tick}:")), "{innermost}");
        }
        (reason, frames)
    }

    /// Returns the ticks from which files run, with the text of the script.
    fn versions(&mut self) -> Vec<(u64, String)> {
        let told = self.event("flockworkVersions");
        let version = |one: &Value| {
            let script = one["project"]["files"]["scripts/go.rhai"].as_str().unwrap();
            (one["tick"].as_u64().unwrap(), script.to_owned())
        };
        told["versions"].as_array().unwrap().iter().map(version).collect()
    }

    /// Moves, and returns the reason of the next stop and the innermost function.
    fn go(&mut self, command: &str) -> String {
        self.ask(command, json!({ "threadId": 1 }));
        let (reason, frames) = self.stopped();
        format!("{reason} {}", frames[0])
    }

    /// Returns the variables of a list.
    fn variables(&mut self, list: u64) -> Vec<String> {
        let all = self.ask("variables", json!({ "variablesReference": list }));
        let one = |one: &Value| {
            format!("{} = {}", one["name"].as_str().unwrap(), one["value"].as_str().unwrap())
        };
        all["variables"].as_array().unwrap().iter().map(one).collect()
    }

    fn value(&mut self, expression: &str) -> String {
        let found = self.ask("evaluate", json!({ "expression": expression }));
        found["result"].as_str().unwrap().to_owned()
    }

    /// Launches a scenario, and sets breakpoints in the script `go`.
    fn launch(&mut self, launch: Value, breakpoints: Value) -> Value {
        self.ask("initialize", json!({ "adapterID": "flockwork" }));
        self.event("initialized");
        self.ask("launch", launch);
        let script = json!({ "path": "scripts/go.rhai" });
        let set =
            self.ask("setBreakpoints", json!({ "source": script, "breakpoints": breakpoints }));
        self.ask("configurationDone", json!({}));
        set
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn project() -> Project {
    Project::empty().with("scenarios/a.ron", SCENARIO).with("scripts/go.rhai", SCRIPT)
}

#[test]
fn lines_run_step_by_step_forward_and_back() {
    let mut editor = Editor::start(project());
    let launch = json!({ "scenario": "scenarios/a.ron", "stopOnEntry": true });
    // The comment has no code, so that the stop is at the line after it.
    let set = editor.launch(launch, json!([{ "line": 13 }]));
    assert_eq!(set["breakpoints"][0]["line"], 14);
    assert_eq!(editor.stopped(), ("entry".into(), vec!["steer, agent 0 (a), tick 0:6".into()]));
    assert_eq!(editor.go("next"), "step steer, agent 0 (a), tick 0:7");
    assert_eq!(editor.variables(VARIABLES), ["p = #{gain: 2}"]);
    assert_eq!(editor.go("stepIn"), "step half, agent 0 (a), tick 0:3");
    let frames = editor.ask("stackTrace", json!({ "threadId": 1 }));
    assert_eq!(frames["stackFrames"][1]["name"], "steer");
    assert_eq!(editor.variables(VARIABLES), ["x = 10"]);
    assert_eq!(editor.variables(VARIABLES + 1), ["p = #{gain: 2}"]);
    assert_eq!(editor.go("stepOut"), "step steer, agent 0 (a), tick 0:7");
    assert_eq!(editor.go("next"), "step steer, agent 0 (a), tick 0:8");
    assert_eq!(editor.variables(LINE), ["me.id = 0", "me.id == 1 = false"]);
    assert_eq!(editor.go("stepBack"), "step steer, agent 0 (a), tick 0:7");
    assert_eq!(editor.go("continue"), "breakpoint steer, agent 0 (a), tick 0:14");
    assert_eq!(editor.variables(VARIABLES), ["p = #{gain: 2}", "force = 10"]);
    assert_eq!(editor.go("continue"), "breakpoint steer, agent 1 (a), tick 0:14");
    assert_eq!(editor.value("force"), "21");
    // What no line has computed is computed now.
    assert_eq!(editor.value("me.pos.x * 2"), "40");
    assert_eq!(editor.value("me.params.gain"), "2");
    assert!(
        editor
            .refused("evaluate", json!({ "expression": "me.pos +" }))
            .contains("a value is missing after `+`")
    );
    assert_eq!(editor.go("continue"), "breakpoint steer, agent 2 (b), tick 0:14");
    assert_eq!(editor.go("continue"), "breakpoint steer, agent 0 (a), tick 1:14");
    // Back through agents and ticks, to the start.
    assert_eq!(editor.go("reverseContinue"), "breakpoint steer, agent 2 (b), tick 0:14");
    assert_eq!(editor.go("reverseContinue"), "breakpoint steer, agent 1 (a), tick 0:14");
    assert_eq!(editor.go("reverseContinue"), "breakpoint steer, agent 0 (a), tick 0:14");
    assert_eq!(editor.go("reverseContinue"), "pause steer, agent 0 (a), tick 0:6");
    // From one turn into the next of the same agent, and back.
    assert_eq!(editor.go("continue"), "breakpoint steer, agent 0 (a), tick 0:14");
    assert_eq!(editor.go("next"), "step steer, agent 0 (a), tick 1:6");
    assert_eq!(editor.go("stepBack"), "step steer, agent 0 (a), tick 0:14");
}

/// Caught: back at a line, it stood behind the call in it, so that a step into the function went to the next line.
#[test]
fn a_step_goes_into_the_function_of_a_line_also_after_running_back() {
    let mut editor = Editor::start(project());
    let launch = json!({ "scenario": "scenarios/a.ron", "agent": "a" });
    editor.launch(launch, json!([{ "line": 7 }]));
    assert_eq!(editor.stopped().1, ["steer, agent 0 (a), tick 0:7"]);
    assert_eq!(editor.go("stepIn"), "step half, agent 0 (a), tick 0:3");
    // The line stops once, and not again behind its call.
    assert_eq!(editor.go("continue"), "breakpoint steer, agent 1 (a), tick 0:7");
    assert_eq!(editor.go("reverseContinue"), "breakpoint steer, agent 0 (a), tick 0:7");
    assert_eq!(editor.go("stepIn"), "step half, agent 0 (a), tick 0:3");
    assert_eq!(editor.go("reverseContinue"), "breakpoint steer, agent 0 (a), tick 0:7");
}

#[test]
fn conditions_agents_and_groups_choose_where_a_run_stops() {
    let mut editor = Editor::start(project());
    let launch = json!({ "scenario": "scenarios/a.ron", "agent": "a", "set": { "a.gain": 1 } });
    let breakpoints = json!([{ "line": 7, "condition": "me.pos.x > 30 && me.id == 1" }, { "line": 9, "condition": "me.pos.x >" }]);
    let set = editor.launch(launch, breakpoints);
    assert_eq!(set["breakpoints"][0]["verified"], true);
    assert_eq!(set["breakpoints"][1]["message"], "a value is missing after `>`");
    let (reason, frames) = editor.stopped();
    assert_eq!(reason, "breakpoint");
    let tick: u64 =
        frames[0].split("tick ").nth(1).unwrap().split(':').next().unwrap().parse().unwrap();
    let x: f32 = editor.value("me.pos.x").parse().unwrap();
    assert!(x > 30.0 && frames[0].starts_with("steer, agent 1 (a)"), "{frames:?} {x}");
    // It is where a run without a debugger is.
    let ticks = tick.to_string();
    let run = [
        "run",
        "scenarios/a.ron",
        "--set",
        "a.gain=1",
        "--ticks",
        &ticks,
        "--measure",
        "agent.1.x",
    ];
    let said = editor.project.flockwork(&run).says(0, &[]).out();
    let line = said.lines().find(|line| line.starts_with("agent.1.x")).unwrap();
    let there: f32 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!((there - x).abs() < 0.01, "{said} {x}");
    // Not at the tick before.
    editor.ask(
        "setBreakpoints",
        json!({ "source": { "path": "scripts/go.rhai" }, "breakpoints": [{ "line": 7 }] }),
    );
    assert_eq!(
        editor.go("reverseContinue"),
        format!("breakpoint steer, agent 0 (a), tick {tick}:7")
    );
    editor.go("reverseContinue");
    assert!(editor.value("me.pos.x").parse::<f32>().unwrap() <= 30.0);
    // Without a breakpoint it runs to the end, and stands there at a turn.
    editor.ask(
        "setBreakpoints",
        json!({ "source": { "path": "scripts/go.rhai" }, "breakpoints": [] }),
    );
    assert_eq!(editor.go("continue"), "pause steer, agent 0 (a), tick 19:6");
    assert_eq!(editor.go("next"), "step steer, agent 0 (a), tick 19:7");
    editor.ask("restart", json!({}));
    assert_eq!(editor.stopped().0, "entry");
    let agent = editor.variables(AGENT);
    assert!(agent.contains(&"me.id = 0".to_owned()), "{agent:?}");
    assert!(agent.contains(&"me.params.gain = 1".to_owned()), "{agent:?}");
    editor.ask("disconnect", json!({}));
    assert!(editor.process.wait().unwrap().success());
}

/// Caught: an editor showed only that it runs while a breakpoint was searched.
#[test]
fn a_long_search_is_told_and_can_be_stopped() {
    let scenario = SCENARIO.replace("ticks: 20", "ticks: 1000000");
    let project = project().with("scenarios/a.ron", &scenario);
    let mut editor =
        Editor::start(project.with("scripts/go.rhai", "fn steer(me) {\n    vec(0, 0)\n}\n"));
    editor.ask("initialize", json!({ "supportsProgressReporting": true }));
    editor.ask("launch", json!({ "scenario": "scenarios/a.ron" }));
    let never = json!([{ "line": 2, "condition": "me.id == 9" }]);
    let script = json!({ "path": "scripts/go.rhai" });
    editor.ask("setBreakpoints", json!({ "source": script, "breakpoints": never }));
    editor.ask("configurationDone", json!({}));
    let begun = |editor: &mut Editor| {
        let start = editor.event("progressStart");
        let message = start["message"].as_str().unwrap();
        assert!(message.starts_with("tick ") && message.ends_with(" of 1000000"), "{message}");
        start["progressId"].clone()
    };
    let first = begun(&mut editor);
    let next = editor.event("progressUpdate");
    assert_eq!(next["progressId"], first);
    assert!(next["message"].as_str().unwrap().starts_with("tick "));
    editor.ask("pause", json!({ "threadId": 1 }));
    assert_eq!(editor.event("progressEnd")["progressId"], first);
    assert_eq!(editor.stopped().0, "pause");
    // Its own button stops it, too.
    editor.ask("continue", json!({ "threadId": 1 }));
    let second = begun(&mut editor);
    assert_ne!(second, first);
    editor.ask("cancel", json!({ "progressId": second }));
    assert_eq!(editor.event("progressEnd")["progressId"], second);
    assert_eq!(editor.stopped().0, "pause");
}

/// Caught: the world beside the code ran with the seed and the params of the files.
#[test]
fn an_editor_learns_the_seed_and_the_params_of_the_run() {
    let mut editor = Editor::start(project());
    let launch = json!({
        "scenario": "scenarios/a.ron", "stopOnEntry": true, "seed": 7, "set": { "a.gain": 5 },
    });
    editor.launch(launch, json!([]));
    let told = editor.event("flockworkVersions");
    let project = &told["versions"][0]["project"];
    assert_eq!(project["seed"], 7);
    assert_eq!(project["params"], json!({ "a.gain": "5" }));
}

/// Neighbors were a number, and one had to know what else to ask for.
#[test]
fn neighbors_and_agents_unfold() {
    let script = "fn steer(me) {
    let near = me.neighbors(500);
    let first = near.nearest;
    let p = me.params;
    me.seek(first)
}";
    let mut editor = Editor::start(project().with("scripts/go.rhai", script));
    editor.launch(json!({ "scenario": "scenarios/a.ron" }), json!([{ "line": 5 }]));
    assert_eq!(editor.stopped().1, ["steer, agent 0 (a), tick 0:5"]);
    editor.ask("scopes", json!({ "frameId": 0 }));
    let all = editor.ask("variables", json!({ "variablesReference": VARIABLES }));
    let list = |all: &Value, name: &str| {
        let mut of = all["variables"].as_array().unwrap().iter();
        of.find(|one| one["name"] == name).unwrap()["variablesReference"].as_u64().unwrap()
    };
    let near = editor.ask("variables", json!({ "variablesReference": list(&all, "near") }));
    let count = near["variables"].as_array().unwrap().iter().find(|one| one["name"] == "count");
    assert_eq!(count.unwrap()["value"], "2", "{near}");
    assert_eq!(count.unwrap()["evaluateName"], "near.count");
    // Params were their own text.
    assert!(editor.value("p").starts_with("#{gain: "), "{}", editor.value("p"));
    let gain = editor.variables(list(&all, "p"));
    assert!(gain[0].starts_with("gain = "), "{gain:?}");
    let wrong = editor.refused("evaluate", json!({ "expression": "1 + nera.count" }));
    assert!(wrong.contains("did you mean `near`?"), "{wrong}");
    // What is unfolded unfolds again.
    let nearest = editor.variables(list(&near, "nearest"));
    let of_first = editor.variables(list(&all, "first"));
    assert!(nearest.contains(&"id = 1".to_owned()), "{nearest:?}");
    assert_eq!(nearest, of_first);
    // All of them, and lists have their elements.
    let second = editor.variables(list(&near, "near[1]"));
    assert!(second.contains(&"id = 2".to_owned()), "{second:?}");
    assert_eq!(editor.value("near.map(|other| other.id)"), "[1, 2]");
    let mut completed = |text: &str| -> Vec<String> {
        let asked = json!({ "text": text, "column": text.len() + 1 });
        let all = editor.ask("completions", asked);
        let label = |one: &Value| one["label"].as_str().unwrap().to_owned();
        all["targets"].as_array().unwrap().iter().map(label).collect()
    };
    assert_eq!(completed("1 + n"), ["near"]);
    assert!(completed("near.ne").contains(&"nearest".to_owned()));
    assert!(completed("2 * first.sp").contains(&"speed".to_owned()));
    assert!(completed("me.se").contains(&"seek".to_owned()));
    assert!(completed("nobody.x").is_empty());
    let wrong = editor.refused("evaluate", json!({ "expression": "me.sepration(3)" }));
    assert!(wrong.contains("did you mean"), "{wrong}");
    let plain = list(&editor.ask("variables", json!({ "variablesReference": AGENT })), "me.id");
    assert_eq!(plain, 0);
    for text in ["me.vel.length", "2 * (first.pos - me.pos).length > 1"] {
        let wrong = editor.refused("evaluate", json!({ "expression": text }));
        assert!(wrong.ends_with("`length` is a function: write `v.length()`"), "{text}: {wrong}");
    }
    // A condition says it where it stops.
    let condition =
        json!([{ "line": 5, "condition": "me.neighbors(p.gain / 100).nearest.id == 1" }]);
    let script = json!({ "path": "scripts/go.rhai" });
    editor.ask("setBreakpoints", json!({ "source": script, "breakpoints": condition }));
    assert_eq!(editor.go("continue"), "breakpoint steer, agent 1 (a), tick 0:5");
    let told = editor.event("output")["output"].as_str().unwrap().to_owned();
    assert!(
        told.contains("` cannot be computed: `me.neighbors(p.gain / 100).nearest` is `()`"),
        "{told}"
    );
    // Caught: backwards, it stopped in silence.
    assert_eq!(editor.go("reverseContinue"), "breakpoint steer, agent 0 (a), tick 0:5");
    let output = editor.events.iter().find(|event| event["event"] == "output");
    assert_eq!(output.map(|output| &output["body"]["output"]), Some(&Value::from(told)));
}

#[test]
fn what_is_wrong_is_said() {
    let failing = SCRIPT.replace("force += 1;", "if me.pos.x > 25 { throw \"too far\" }");
    let project = project().with("scripts/go.rhai", failing);
    let mut editor = Editor::start(project);
    editor.ask("initialize", json!({}));
    // Some editors ask to attach by default.
    for command in ["next", "attach", "restart"] {
        let why = editor.refused(command, json!({}));
        assert!(why.contains("the request `launch` and `\"scenario\": "), "{why}");
    }
    assert!(editor.refused("launch", json!({})).contains("names no scenario"));
    let launch = |scenario: &str, agent: Value| json!({ "scenario": scenario, "agent": agent });
    let missing = editor.refused("launch", launch("scenarios/none.ron", Value::Null));
    assert!(missing.contains("none.ron"), "{missing}");
    let group = editor.refused("launch", launch("scenarios/a.ron", "c".into()));
    assert!(group.contains("neither the id of an agent nor the name of a group"), "{group}");
    editor.ask("launch", launch("scenarios/a.ron", 1.into()));
    assert!(editor.refused("dance", json!({})).contains("does not know"));
    editor.ask("configurationDone", json!({}));
    assert_eq!(editor.stopped().0, "entry");
    let said = |editor: &mut Editor| editor.event("output")["output"].as_str().unwrap().to_owned();
    assert!(said(&mut editor).starts_with("no breakpoint is set"));
    editor.ask("continue", json!({}));
    assert_eq!(editor.stopped().0, "exception");
    let said = said(&mut editor);
    assert!(said.contains("too far"), "{said}");
    editor.to.write_all(b"Content-Length: 3\r\n\r\n{}\n").unwrap();
    assert_eq!(editor.process.wait().unwrap().code(), Some(2));
}

/// Only the interpreter can run it.
const RECURSIVE: &str = "fn sum(n) {
    if n <= 0 {
        return 0;
    }
    let rest = sum(n - 1);
    n + rest
}
fn init(me) {
    me.state.count = 1;
    let more = 2;
    me.state.count = more;
}
fn steer(me) {
    let total = sum(2);
    for i in 0..2 {
        total += i;
    }
    vec(total, 0)
}
";

/// Caught: a long list was cut, and nothing showed the rest; a wrong name had "no value here".
#[test]
fn lists_unfold_and_wrong_names_are_corrected() {
    let script = "fn steer(me) {
    let near = me.neighbors(500);
    let all = [1, 2, 3, 4, 5, 6, 7, [8, #{ last: \"a, b\" }]];
    me.state.fear = 1;
    me.seek(near.nearest)
}";
    let mut editor = Editor::start(project().with("scripts/go.rhai", script));
    editor.launch(json!({ "scenario": "scenarios/a.ron" }), json!([{ "line": 5 }]));
    editor.stopped();
    editor.ask("scopes", json!({ "frameId": 0 }));
    let text = "[1, 2, 3, 4, 5, 6, 7, [8, #{last: \"a, b\"}]]";
    assert!(editor.variables(VARIABLES).contains(&format!("all = {text}")));
    let found = editor.ask("evaluate", json!({ "expression": "all" }));
    assert_eq!(found["result"], text);
    let list = |of: &Value| of["variablesReference"].as_u64().unwrap();
    let all = editor.ask("variables", json!({ "variablesReference": list(&found) }));
    let all = all["variables"].as_array().unwrap();
    assert_eq!(all.len(), 8);
    assert_eq!((&all[1]["name"], &all[1]["value"]), (&json!("all[1]"), &json!("2")));
    assert_eq!(list(&all[1]), 0);
    let inner = editor.variables(list(&all[7]));
    assert_eq!(inner, ["all[7][0] = 8", "all[7][1] = #{last: \"a, b\"}"]);
    for (expression, why) in [
        ("naer.count", "there is no variable `naer`; did you mean `near`?"),
        ("near.cuont", "a neighborhood has no property `cuont`; did you mean `count`?"),
        // Caught: nothing said what it has.
        (
            "near.nearest.furlong",
            "an agent has no property `furlong`; known: group, heading, id, index, mass, max_force, max_speed, pos, radius, speed, state, vel",
        ),
        ("near.nearest.sped", "an agent has no property `sped`; did you mean `speed`?"),
        ("me.params.gian", "groups `a` and `b` have no param `gian`; did you mean `gain`?"),
        ("me.state.faer", "`me.state` has no `faer`; did you mean `fear`?"),
        ("all.lenn", "an array has no property `lenn`; did you mean `len()`?"),
    ] {
        assert_eq!(editor.refused("evaluate", json!({ "expression": expression })), why);
    }
    // One that exists is not blamed.
    assert_eq!(editor.value("near.nearest.speed > 100"), "false");
}

/// Caught: a function that calls itself looked like a loop, and only lines with primitives were known.
#[test]
fn functions_that_call_themselves_are_stepped_through_one_by_one() {
    let mut editor = Editor::start(project().with("scripts/go.rhai", RECURSIVE));
    let launch = json!({ "scenario": "scenarios/a.ron", "tick": 1, "agent": 0 });
    editor.launch(launch, json!([{ "line": 3 }]));
    let (reason, frames) = editor.stopped();
    assert_eq!(reason, "breakpoint");
    assert_eq!(frames, ["sum, agent 0 (a), tick 1:3", "sum:5", "sum:5", "steer:14"]);
    assert_eq!(editor.variables(VARIABLES), ["n = 0"]);
    assert_eq!(editor.variables(VARIABLES + 1), ["n = 1"]);
    assert_eq!(editor.variables(VARIABLES + 2), ["n = 2"]);
    assert_eq!(editor.value("n"), "0");
    assert_eq!(editor.go("stepOut"), "step sum, agent 0 (a), tick 1:5");
    assert_eq!(editor.go("next"), "step sum, agent 0 (a), tick 1:6");
    assert_eq!(editor.variables(VARIABLES), ["n = 1", "rest = 0"]);
    assert_eq!(editor.go("stepOut"), "step sum, agent 0 (a), tick 1:5");
    assert_eq!(editor.go("stepOut"), "step steer, agent 0 (a), tick 1:14");
    assert_eq!(editor.go("next"), "step steer, agent 0 (a), tick 1:15");
    assert_eq!(editor.variables(VARIABLES), ["total = 3"]);
    assert_eq!(editor.go("next"), "step steer, agent 0 (a), tick 1:16");
    assert_eq!(editor.go("next"), "step steer, agent 0 (a), tick 1:15");
    assert_eq!(editor.go("stepBack"), "step steer, agent 0 (a), tick 1:16");
    assert_eq!(editor.variables(VARIABLES), ["total = 3", "i = 0"]);
}

#[test]
fn an_agent_begins_before_its_first_turn() {
    let mut editor = Editor::start(project().with("scripts/go.rhai", RECURSIVE));
    let launch = json!({ "scenario": "scenarios/a.ron", "stopOnEntry": true, "agent": 2 });
    editor.launch(launch, json!([{ "line": 11 }]));
    assert_eq!(editor.stopped().1, ["init, agent 2 (b), tick 0:9"]);
    assert_eq!(editor.go("next"), "step init, agent 2 (b), tick 0:10");
    assert_eq!(editor.go("continue"), "breakpoint init, agent 2 (b), tick 0:11");
    assert_eq!(editor.variables(VARIABLES), ["me.state.count = 1", "more = 2"]);
    assert_eq!(editor.go("next"), "step steer, agent 2 (b), tick 0:14");
    assert_eq!(editor.variables(VARIABLES), [""; 0]);
    // It begins once.
    assert_eq!(editor.go("continue"), "pause steer, agent 2 (b), tick 19:14");
}

#[test]
fn saved_scripts_run_on_from_where_it_stands() {
    let mut editor = Editor::start(project());
    let launch = json!({ "scenario": "scenarios/a.ron", "tick": 3 });
    editor.launch(launch, json!([{ "line": 14 }]));
    assert_eq!(editor.stopped().1, ["steer, agent 0 (a), tick 3:14"]);
    assert_eq!(editor.versions(), [(0, SCRIPT.to_owned())]);
    let before: f32 = editor.value("force").parse().unwrap();
    let changed = SCRIPT.replace("x / 2", "x / 4").replace("// Goes.\n", "");
    std::fs::write(editor.project.path("scripts/go.rhai"), &changed).unwrap();
    let said = editor.event("output")["output"].as_str().unwrap().to_owned();
    assert_eq!(
        said,
        "the saved files run from tick 3 on; agent 0 has taken its turn again, up to the same line, which is line 13\n"
    );
    assert_eq!(editor.versions(), [(0, SCRIPT.to_owned()), (3, changed.clone())]);
    let (reason, frames) = editor.stopped();
    assert_eq!((reason.as_str(), frames[0].as_str()), ("pause", "steer, agent 0 (a), tick 3:13"));
    let after: f32 = editor.value("force").parse().unwrap();
    assert!((after * 2.0 - before).abs() < 0.01, "{before} {after}");
    // The line 14 of the new text is a bracket.
    editor.ask(
        "setBreakpoints",
        json!({ "source": { "path": "scripts/go.rhai" }, "breakpoints": [{ "line": 13 }] }),
    );
    assert_eq!(editor.go("continue"), "breakpoint steer, agent 1 (a), tick 3:13");
    // An edit at an earlier tick takes the place of the later one.
    let at_start = json!([{ "line": 6, "condition": "world.tick == 1" }]);
    let script = json!({ "path": "scripts/go.rhai" });
    editor.ask("setBreakpoints", json!({ "source": script, "breakpoints": at_start }));
    assert_eq!(editor.go("reverseContinue"), "breakpoint steer, agent 2 (b), tick 1:6");
    let again = SCRIPT.replace("x / 2", "x / 8");
    std::fs::write(editor.project.path("scripts/go.rhai"), &again).unwrap();
    editor.event("output");
    assert_eq!(editor.versions(), [(0, SCRIPT.to_owned()), (1, again.clone())]);
    editor.stopped();
    // A new run begins with the files as they are.
    editor.ask("restart", json!({}));
    assert_eq!(editor.versions(), [(0, again)]);
}

/// Caught: without a line above, it went on to the next line.
#[test]
fn it_stands_at_the_same_line_after_an_edit() {
    let mut editor = Editor::start(project());
    let launch = json!({ "scenario": "scenarios/a.ron", "tick": 3 });
    editor.launch(launch, json!([{ "line": 8 }]));
    assert_eq!(editor.stopped().1, ["steer, agent 0 (a), tick 3:8"]);
    let mut edit = |after: &str| {
        std::fs::write(editor.project.path("scripts/go.rhai"), after).unwrap();
        let said = editor.event("output")["output"].as_str().unwrap().to_owned();
        (editor.stopped().1[0].clone(), said.split("up to ").last().unwrap().trim().to_owned())
    };
    let stands = |line: u64| format!("steer, agent 0 (a), tick 3:{line}");
    let shorter = SCRIPT.replace("// Goes.\n", "");
    assert_eq!(edit(&shorter), (stands(7), "the same line, which is line 7".to_owned()));
    assert_eq!(edit(SCRIPT), (stands(8), "the same line, which is line 8".to_owned()));
    let gone = "the line where it stood is not run any more";
    let edited = SCRIPT.replace("if me.id == 1", "if me.id == 2");
    assert_eq!(
        edit(&edited),
        (stands(8), "the same line, which is line 8 and was edited".to_owned())
    );
    let start = edited.find("    if").unwrap();
    let removed = edited[..start].to_owned() + &edited[edited.find("\n    // The").unwrap()..];
    assert_eq!(edit(&removed), (stands(10), format!("line 10: {gone}")));
}

#[test]
fn saved_scripts_that_cannot_run_change_nothing() {
    let mut editor = Editor::start(project());
    let launch = json!({ "scenario": "scenarios/a.ron", "tick": 3 });
    editor.launch(launch, json!([{ "line": 14 }]));
    assert_eq!(editor.stopped().1, ["steer, agent 0 (a), tick 3:14"]);
    std::fs::write(editor.project.path("scripts/go.rhai"), "fn steer(me) {").unwrap();
    let said = editor.event("output")["output"].as_str().unwrap().to_owned();
    assert!(said.contains("go.rhai:1:") && said.contains("the version before goes on"), "{said}");
    assert_eq!(editor.go("next"), "step steer, agent 0 (a), tick 4:6");
}
