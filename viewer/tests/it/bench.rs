//! `flockwork bench`: its output, and that all modes end in the same state; never how long they took.

use flockwork_engine::simd::instruction_set;
use serde_json::{Value, json};

use crate::project::Project;

/// The phases of a tick.
const PHASES: [&str; 5] = ["events and goals", "index", "neighbors", "script", "move"];

/// The rows below the phases.
const TOTALS: [&str; 4] = ["total", "  fastest round", "  slowest round", "agent-ticks per second"];

/// Asserts that the median time of a mode is between the least and the largest one.
#[track_caller]
fn assert_is_spread(mode: &Value) {
    let keys =
        ["min_total_ns_per_agent_tick", "total_ns_per_agent_tick", "max_total_ns_per_agent_tick"];
    let times = keys.map(|key| mode[key].as_f64().unwrap());
    assert!(times[0] > 0.0 && times.is_sorted(), "{mode}");
}

#[test]
fn the_standard_flock_is_measured_in_three_modes() {
    let args = ["bench", "--agents", "200", "--ticks", "5"];
    let answer = Project::empty().flockwork(&args).says(0, &[]);
    for (name, value) in [
        ("scenario", "Standard flock"),
        ("agents  ", "200"),
        ("threads", "1"),
        ("instruction set", instruction_set()),
        ("measured", "5 ticks after 100 to warm up, median of 5 rounds"),
        ("left to the interpreter", "0 % of the turns"),
    ] {
        assert_eq!(answer.summary(name), value);
    }
    let names = answer.summary("ns per agent and tick");
    let names: Vec<&str> = names.split_whitespace().collect();
    assert_eq!(names, ["native", "lowered", "interpreted"]);
    for name in PHASES.iter().chain(&TOTALS) {
        let cells = answer.summary(name);
        let cells: Vec<f64> = cells.split_whitespace().map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(cells.len(), 3, "{name}");
    }
    assert!(answer.summary("lowered").ends_with(" times as fast as interpreted"));
    assert!(answer.summary("state hash").ends_with(" after tick 106, the same in all modes"));
}

#[test]
fn json_has_all_values() {
    let project = Project::two();
    let args = ["bench", "scenarios/two.ron", "--threads", "2", "--json"];
    let answer = project.flockwork(&args).says(0, &[]);
    let json: Value = serde_json::from_str(&answer.out()).unwrap();
    assert_eq!(json["scenario"], "Two");
    assert_eq!(json["agents"], 2);
    assert_eq!(json["threads"], 2);
    assert_eq!(json["instruction_set"], instruction_set());
    assert_eq!(json.get("baseline"), None);
    assert_eq!(json["warm_up_ticks"], 6);
    assert_eq!(json["ticks"], 3, "no more than there are left of ten");
    assert_eq!(json["state_tick"], 10);
    assert_eq!(json["share_left_to_interpreter"], 0.0);
    assert!(json["ratio"].as_f64().unwrap() > 0.0);
    let run = project.flockwork(&["run", "scenarios/two.ron"]);
    assert_eq!(json["state_hash"], run.summary("state hash").as_str());
    let modes = json["modes"].as_object().unwrap();
    assert_eq!(modes.keys().collect::<Vec<_>>(), ["interpreted", "lowered"]);
    for mode in modes.values() {
        for phase in PHASES {
            assert!(mode["ns_per_agent_tick"][phase].is_f64(), "{phase} in {mode}");
        }
        assert!(mode["agent_ticks_per_second"].as_f64().unwrap() > 0.0, "{mode}");
        assert_is_spread(mode);
    }
}

#[test]
fn turns_in_the_interpreter_are_counted() {
    let script = "fn steer(me) { if me.index == 0 { debug(me.params); } vec(0, 0) }";
    let project = Project::two_with(script);
    let args = ["bench", "scenarios/two.ron"];
    let answer = project.flockwork(&args).says(0, &[]);
    assert_eq!(answer.summary("left to the interpreter"), "50 % of the turns");
    let text = project.read("scenarios/two.ron");
    let text = text.replace("ticks: 10,", "ticks: 10, order: Sequential,");
    let project = project.with("scenarios/two.ron", text);
    let answer = project.flockwork(&args).says(0, &[]);
    for phase in ["neighbors", "move"] {
        let cells = answer.summary(phase);
        assert_eq!(cells.split_whitespace().collect::<Vec<_>>(), ["-", "-"]);
    }
}

#[test]
fn groups_are_scaled_in_proportion() {
    let project = Project::empty();
    project.flockwork(&["new", "."]).says(0, &[]);
    for agents in ["7", "90"] {
        let args = ["bench", "scenarios/hello.ron", "--ticks", "1", "--agents", agents];
        let answer = project.flockwork(&args).says(0, &[]);
        assert_eq!(answer.summary("agents  "), agents);
    }
}

#[test]
fn many_worlds_are_measured_together_and_alone() {
    let args = ["bench", "scenarios/hello.ron", "--worlds", "9", "--ticks", "2"];
    let project = Project::empty();
    project.flockwork(&["new", "."]).says(0, &[]);
    let answer = project.flockwork(&args).says(0, &[]);
    assert_eq!(answer.summary("worlds"), "9 with different seeds");
    assert!(answer.summary("all worlds together").ends_with(" agent-ticks per second"));
    let args = [&args[..], &["--json"]].concat();
    let json = json_of(&project, &args);
    for mode in ["alone", "together"] {
        assert_is_spread(&json["modes"][mode]);
    }
    let speed = |key: &str| json[key].as_f64().unwrap();
    let ratio = speed("together_agent_ticks_per_second") / speed("alone_agent_ticks_per_second");
    assert!((speed("ratio") - ratio).abs() < 1e-9 * ratio, "{json}");
}

#[track_caller]
fn json_of(project: &Project, args: &[&str]) -> Value {
    serde_json::from_str(&project.flockwork(args).says(0, &[]).out()).unwrap()
}

/// Returns a project with two scenarios that differ in their names, and the arguments that measure both.
fn pair() -> (Project, [&'static str; 5]) {
    let project = Project::two();
    let other = project.read("scenarios/two.ron").replace("\"Two\"", "\"Other\"");
    let project = project.with("scenarios/other.ron", other);
    (project, ["bench", "scenarios/two.ron", "scenarios/other.ron", "--ticks", "1"])
}

#[test]
fn several_scenarios_are_measured_one_after_another() {
    let (project, args) = pair();
    let json = json_of(&project, &[&args[..], &["--json"]].concat());
    let names: Vec<_> = json.as_array().unwrap().iter().map(|one| &one["scenario"]).collect();
    assert_eq!(names, ["Two", "Other"]);
    let project = project.with("before.json", json.to_string());
    let args = [&args[..], &["--baseline", "before.json"]].concat();
    let out = project.flockwork(&args).says(0, &[]).out();
    let starts = ["scenario                Two\n", "\n\nscenario                Other\n"];
    let places = starts.map(|start| out.find(start).unwrap_or_else(|| panic!("{start} in {out}")));
    assert!(places[0] < places[1]);
    assert_eq!(out.matches("\nbaseline                before.json\n").count(), 2, "{out}");
    assert!(!out.contains("not comparable") && !out.contains("not in the baseline"), "{out}");
    let args = ["bench", "scenarios/two.ron", "scenarios/absent.ron", "--ticks", "1"];
    let answer = project.flockwork(&args).says(2, &["absent.ron"]);
    assert_eq!(answer.out(), "", "the files are read before anything is measured");
}

/// Returns what a baseline has of a measurement of the project's scenario.
fn earlier(scenario: &str, modes: &Value) -> Value {
    json!({
        "scenario": scenario,
        "agents": 2,
        "threads": 1,
        "instruction_set": instruction_set(),
        "warm_up_ticks": 6,
        "state_hash": "0123456789abcdef",
        "modes": modes,
    })
}

/// Returns times of a mode in a baseline.
fn times(min: f64, median: f64, max: f64) -> Value {
    json!({
        "min_total_ns_per_agent_tick": min,
        "total_ns_per_agent_tick": median,
        "max_total_ns_per_agent_tick": max,
    })
}

#[test]
fn a_baseline_is_compared_by_scenario_and_mode() {
    // No run is as fast or as slow as this.
    let (fast, slow) = (1e-6, 1e12);
    let before = json!([
        earlier("Two", &json!({ "lowered": times(fast, 2.0, slow) })),
        earlier(
            "Other",
            &json!({ "lowered": times(fast, fast, fast), "interpreted": times(slow, slow, slow) }),
        ),
    ]);
    let (project, args) = pair();
    let project = project.with("before.json", before.to_string());
    let args = [&args[..], &["--baseline", "before.json"]].concat();
    let now = json_of(&project, &[&args[..], &["--json"]].concat());
    for scenario in now.as_array().unwrap() {
        assert_eq!(scenario["baseline"]["file"], "before.json");
        assert_eq!(scenario["baseline"]["has_scenario"], true);
        assert_eq!(scenario["baseline"]["differences"], json!([]));
    }
    let modes = &now[0]["baseline"]["modes"];
    assert_eq!(modes["interpreted"], Value::Null);
    assert_eq!(modes["lowered"]["baseline"], times(fast, 2.0, slow));
    assert_eq!(modes["lowered"]["ranges_overlap"], true);
    let median = now[0]["modes"]["lowered"]["total_ns_per_agent_tick"].as_f64().unwrap();
    assert!((modes["lowered"]["ratio"].as_f64().unwrap() * 2.0 / median - 1.0).abs() < 1e-9);
    let modes = &now[1]["baseline"]["modes"];
    for (mode, is_slower) in [("lowered", true), ("interpreted", false)] {
        assert_eq!(modes[mode]["ranges_overlap"], false);
        assert_eq!(modes[mode]["ratio"].as_f64().unwrap() > 1.0, is_slower);
    }

    let out = project.flockwork(&args).says(0, &[]).out();
    let tables: Vec<&str> = out.split("before.json\n").collect();
    assert_eq!(tables.len(), 3);
    let line = |table: usize, start: &str| {
        tables[table].lines().find(|line| line.starts_with(start)).unwrap().to_owned()
    };
    assert!(line(1, "lowered").ends_with("  ranges overlap"), "{out}");
    assert!(line(1, "interpreted").ends_with("  not in the baseline"), "{out}");
    assert!(line(2, "lowered").ends_with("  ranges do not overlap"), "{out}");
}

#[test]
fn what_cannot_be_compared_with_a_baseline_is_told() {
    let mut two = earlier("Two", &json!({}));
    two["instruction_set"] = json!("abacus");
    two["threads"] = json!(3);
    two["state_tick"] = json!(8);
    let other = earlier("Other", &json!({}));
    let project = Project::two();
    let project = project.with("other.json", other.to_string()).with("two.json", two.to_string());
    let compared = |file: &str, extra: &[&str]| {
        let args = ["bench", "scenarios/two.ron", "--ticks", "1", "--baseline", file];
        project.flockwork(&[&args[..], extra].concat()).says(0, &[]).out()
    };
    assert!(compared("other.json", &[]).contains("the baseline does not have this scenario\n"));
    let out = compared("two.json", &[]);
    for part in [
        "not comparable          threads: 3 in the baseline, 1 now\n".to_owned(),
        format!(" instruction set: abacus in the baseline, {} now\n", instruction_set()),
        " state hash after the same tick: 0123456789abcdef in the baseline, ".to_owned(),
    ] {
        assert!(out.contains(&part), "`{part}` is missing in\n{out}");
    }
    let json: Value = serde_json::from_str(&compared("two.json", &["--json"])).unwrap();
    assert_eq!(json["baseline"]["differences"].as_array().unwrap().len(), 3, "{json}");
    let out = compared("two.json", &["--worlds", "3"]);
    assert!(out.contains(" worlds: one in the baseline, 3 now\n"), "{out}");
    assert!(out.contains(" agents: 2 in the baseline, 6 now\n"), "{out}");
    assert!(out.contains("\ntogether                not in the baseline\n"), "{out}");
}

#[test]
fn many_worlds_have_a_baseline_too() {
    let project = Project::two();
    let args = ["bench", "scenarios/two.ron", "--worlds", "3", "--ticks", "1"];
    let before = json_of(&project, &[&args[..], &["--json"]].concat());
    let project = project.with("before.json", before.to_string());
    let answer = project.flockwork(&[&args[..], &["--baseline", "before.json"]].concat());
    let out = answer.says(0, &[]).out();
    let table = out.split("before.json\n").nth(1).unwrap();
    assert!(table.contains("\ntogether  "), "{out}");
    assert!(!table.contains("not comparable") && !table.contains("not in the baseline"), "{out}");
}

#[test]
fn errors_in_a_baseline_have_a_place() {
    let spread = r#"{"total_ns_per_agent_tick": 2, "min_total_ns_per_agent_tick": 3, "max_total_ns_per_agent_tick": 4}"#;
    let rest = r#""scenario": "A", "agents": 1, "threads": 1, "instruction_set": "avx2", "warm_up_ticks": 1, "state_hash": "a""#;
    for (text, parts) in [
        ("", ["is not valid JSON: EOF while parsing a value", "before.json:1:1"]),
        (
            "[{},\n }",
            ["is not the output of `bench --json`: missing field `scenario`", "before.json:1:3"],
        ),
        (
            "{\n  \"scenario\": \"Ä\", oops\n}",
            ["is not valid JSON: key must be a string", "before.json:2:20"],
        ),
        (
            "{\n  \"scenario\": 7\n}",
            ["invalid type: integer `7`, expected a string", "before.json:2:15"],
        ),
        ("{\"scenario\": \"A\", \"ticks\": 3}\n", ["missing field `agents`", "before.json:1:29"]),
        ("[1, 2]", ["is not the output of `bench --json`: ", "before.json:1:"]),
        (
            &format!("{{{rest},\n\"modes\": {{\"lowered\": {spread}}}}}"),
            ["the times must be above 0", "before.json:2:"],
        ),
    ] {
        let project = Project::two().with("before.json", text);
        let args = ["bench", "scenarios/two.ron", "--ticks", "1", "--baseline", "before.json"];
        let answer = project.flockwork(&args).says(2, &parts);
        answer.says(2, &["flockwork bench --json > FILE"]);
    }
    let args = ["bench", "--baseline", "absent.json"];
    Project::empty().flockwork(&args).says(2, &["absent.json"]);
}
