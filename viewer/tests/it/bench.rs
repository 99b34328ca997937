//! `flockwork bench`: its output, and that all modes end in the same state; never how long they took.

use serde_json::Value;

use crate::project::Project;

/// The phases of a tick.
const PHASES: [&str; 5] = ["events", "index", "neighbors", "script", "move"];

#[test]
fn the_standard_flock_is_measured_in_three_modes() {
    let args = ["bench", "--agents", "200", "--ticks", "5"];
    let answer = Project::empty().flockwork(&args).says(0, &[]);
    for (name, value) in [
        ("scenario", "Standard flock"),
        ("agents  ", "200"),
        ("threads", "1"),
        ("measured", "5 ticks after 100 to warm up, median of 5 rounds"),
        ("left to the interpreter", "0 % of the turns"),
    ] {
        assert_eq!(answer.summary(name), value);
    }
    let names = answer.summary("ns per agent and tick");
    let names: Vec<&str> = names.split_whitespace().collect();
    assert_eq!(names, ["native", "lowered", "interpreted"]);
    for name in PHASES.iter().chain(&["total", "agent-ticks per second"]) {
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
    assert_eq!(json["warm_up_ticks"], 6);
    assert_eq!(json["ticks"], 3, "no more than there are left of ten");
    assert_eq!(json["state_tick"], 10);
    assert_eq!(json["share_left_to_interpreter"], 0.0);
    assert!(json["ratio"].as_f64().unwrap() > 0.0);
    let run = project.flockwork(&["run", "scenarios/two.ron"]);
    assert_eq!(json["state_hash"], run.summary("state hash").as_str());
    let modes = json["ways"].as_object().unwrap();
    assert_eq!(modes.keys().collect::<Vec<_>>(), ["interpreted", "lowered"]);
    for mode in modes.values() {
        for phase in PHASES {
            assert!(mode["ns_per_agent_tick"][phase].is_f64(), "{phase} in {mode}");
        }
        for name in ["total_ns_per_agent_tick", "agent_ticks_per_second"] {
            assert!(mode[name].as_f64().unwrap() > 0.0, "{name} in {mode}");
        }
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
    let json: Value = serde_json::from_str(&project.flockwork(&args).says(0, &[]).out()).unwrap();
    let speed = |key: &str| json[key].as_f64().unwrap();
    let ratio = speed("together_agent_ticks_per_second") / speed("alone_agent_ticks_per_second");
    assert!((speed("ratio") - ratio).abs() < 1e-9 * ratio, "{json}");
}
