//! `flockwork run`, when it succeeds.

use flockwork_engine::trace::Measure;
use snapbox::str;

use crate::project::Project;

#[test]
fn the_summary_has_a_line_for_each_value() {
    Project::two()
        .command(&["run", "scenarios/two.ron"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
scenario       Two
ticks          10
agents         2
wall time      [..] s
speed          [..] agent-ticks per second
state hash     [..]
mean speed     20 world units/s
closest pair   10 world units, agents 0 and 1
goals reached  1

"#]])
        .stderr_eq(str![[""]]);
}

#[test]
fn the_trajectory_has_every_agent_at_every_tick_from_0() {
    let project = Project::two();
    let answer = project.flockwork(&["run", "scenarios/two.ron", "--ticks", "2", "--out", "a.csv"]);
    assert_eq!(answer.says(0, &[]).summary("written"), "a.csv (3 ticks)");
    assert_eq!(
        project.read("a.csv"),
        "tick,time,id,group,x,y,vx,vy,hx,hy\n\
         0,0,0,walkers,0,0,20,0,1,0\n\
         0,0,1,walkers,0,10,20,0,1,0\n\
         1,0.05,0,walkers,1,0,20,0,1,0\n\
         1,0.05,1,walkers,1,10,20,0,1,0\n\
         2,0.1,0,walkers,2,0,20,0,1,0\n\
         2,0.1,1,walkers,2,10,20,0,1,0\n"
    );
    assert_eq!(project.names(), ["a.csv", "scenarios", "scripts"]);
}

#[test]
fn every_format_records_every_kth_tick() {
    let project = Project::two();
    for name in ["a.txt", "a.jsonl"] {
        let args = ["run", "scenarios/two.ron", "--out", name, "--every", "4"];
        assert!(project.flockwork(&args).says(0, &[]).summary("written").contains("3 ticks"));
    }
    let text = project.read("a.txt");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..3], ["# framerate: 5", "# id frame x/m y/m", "0 0 0 0"]);
    assert_eq!(lines[7], "1 2 8 10");
    let text = project.read("a.jsonl");
    assert!(
        text.starts_with(r#"{"tick":0,"time":0.0,"id":0,"group":"walkers","x":0.0,"#),
        "{text}"
    );
    assert_eq!(text.lines().count(), 6);
}

#[test]
fn measures_are_recorded_over_time() {
    let project = Project::two();
    let run = |more: &[&str]| {
        let args = [&["run", "scenarios/two.ron", "--ticks", "8", "--every", "4"], more].concat();
        project.flockwork(&args).says(0, &[]).out()
    };
    let chosen =
        ["--measure", "path_length", "--measure", "walkers.agents", "--measure", "density"];
    let shown = run(&[&["--measures", "m.csv"], &chosen[..]].concat());
    assert!(shown.contains("path_length    6.5 world units\n"), "{shown}");
    assert!(shown.contains("density        no value\n"), "{shown}");
    // Caught: nothing said that the measures were written, and long names had no space behind them.
    assert!(shown.contains("written        m.csv (3 ticks)\n"), "{shown}");
    let long = run(&["--measure", "walkers.mean_speed", "--out", "t.csv"]);
    assert!(long.contains("\nwalkers.mean_speed "), "{long}");
    assert_eq!(
        project.read("m.csv"),
        "tick,time_s,path_length,walkers.agents,density\n0,0,0,2,\n4,0.2,4,2,\n8,0.4,6.5,2,\n"
    );
    run(&[&["--measures", "m.jsonl"], &chosen[..]].concat());
    let text = project.read("m.jsonl");
    let last = r#"{"tick":8,"time_s":0.4,"path_length":6.5,"walkers.agents":2,"density":null}"#;
    assert_eq!(text.lines().last(), Some(last));
    assert_eq!(text.lines().count(), 3);
    // All measures of the only group are those of all agents.
    run(&["--measures", "m.csv"]);
    let text = project.read("m.csv");
    let names: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let all = Measure::ALL.iter().filter(|measure| measure.is_usual());
    let all = all.map(|measure| measure.name());
    assert_eq!(names, ["tick", "time_s"].into_iter().chain(all).collect::<Vec<_>>());
}

#[test]
fn the_json_object_contains_measures_and_margins() {
    let text = Project::two().read("scenarios/two.ron");
    let expect =
        "expect: [MaxSpeed(speed: 21), NoOverlap(tolerance: 3), AllFinite, MaxSpeed(speed: 5)],\n)";
    let text = text.trim_end().strip_suffix(')').unwrap().to_owned() + expect;
    let project = Project::two().with("scenarios/two.ron", text);
    let object = project.flockwork(&["run", "scenarios/two.ron", "--json"]).says(0, &[]).out();
    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
    assert_eq!(object["measures"]["mean_speed"], 20.0);
    let usual = Measure::ALL.iter().filter(|measure| measure.is_usual()).count();
    assert_eq!(object["measures"].as_object().unwrap().len(), usual);
    let margins = object["margins"].as_array().unwrap();
    let find = |place: usize, what: &str| margins[place][what].clone();
    assert_eq!(
        (find(0, "margin"), find(0, "tick"), find(0, "holds")),
        (1.0.into(), 0.into(), true.into())
    );
    assert_eq!(
        (find(0, "expectation"), find(0, "unit")),
        ("MaxSpeed(speed: 21)".into(), "world units/s".into())
    );
    assert_eq!((find(2, "margin"), find(2, "holds")), (serde_json::Value::Null, true.into()));
    assert_eq!((find(3, "margin"), find(3, "holds")), ((-15.0).into(), false.into()));
}

#[test]
fn the_state_depends_on_seed_and_params_and_not_on_threads() {
    let project = Project::empty();
    project.flockwork(&["new", "."]).says(0, &[]);
    let hash = |more: &[&str]| {
        let args = [&["run", "scenarios/hello.ron", "--ticks", "50"], more].concat();
        project.flockwork(&args).says(0, &[]).summary("state hash")
    };
    let first = hash(&["--threads", "1"]);
    assert_eq!(first.len(), 16);
    assert_eq!(hash(&["--threads", "3"]), first);
    assert_eq!(hash(&["--seed", "1"]), first, "the scenario's own seed");
    assert_ne!(hash(&["--seed", "2"]), first);
    assert_ne!(hash(&["--set", "flock.sight=30"]), first);
}

#[test]
fn the_interpreter_gives_the_same_state_and_errors() {
    let project = Project::empty();
    project.flockwork(&["new", "."]).says(0, &[]);
    let hash = |more: &[&str]| {
        let args = [&["run", "scenarios/hello.ron", "--ticks", "50"], more].concat();
        project.flockwork(&args).says(0, &[]).summary("state hash")
    };
    assert_eq!(hash(&["--interpreter"]), hash(&[]));
    let broken = project.with("scripts/broken.rhai", "fn steer(me) { me.params.none }");
    let text = broken.read("scenarios/hello.ron");
    let behavior = text.split("behavior: \"").nth(1).unwrap();
    let behavior = behavior.split('"').next().unwrap();
    let text = text.replace(&format!("behavior: \"{behavior}\""), "behavior: \"broken\"");
    let broken = broken.with("scenarios/broken.ron", text);
    let error = |more: &[&str]| {
        let args = [&["run", "scenarios/broken.ron"], more].concat();
        broken.flockwork(&args).says(2, &["no param `none`"]).err()
    };
    assert_eq!(error(&["--interpreter"]), error(&[]));
}

#[test]
fn params_can_be_set_by_an_option() {
    let project = Project::two();
    let args = ["run", "scenarios/two.ron", "--set", "walkers.push=-400"];
    let answer = project.flockwork(&args).says(0, &[]);
    assert_ne!(answer.summary("goals reached"), "1");
    // Caught: the help was about what the reader of files had expected.
    let help = "= help: expected a number such as `0.0`\n";
    let args = ["run", "scenarios/two.ron", "--set", "walkers.push=abc"];
    let said = project.flockwork(&args).says(2, &["cannot read `abc` as a number", help]).err();
    assert_eq!(said.matches("help").count(), 1, "{said}");
}

#[test]
fn debug_shows_tick_agent_group_and_line() {
    let project = Project::two_with(
        "fn steer(me) {\n if world.tick == 3 && me.id == 1 { debug(\"here\\nand\"); }\n vec(0, 0) }",
    );
    let answer = project.flockwork(&["run", "scenarios/two.ron"]);
    let messages = answer.says(0, &[]).err();
    assert_eq!(messages, "tick 3 agent 1 (walkers) scripts/walk.rhai:2: here\\nand\n");
}

#[test]
fn only_the_first_lines_of_debug_are_shown() {
    let project = Project::two_with("fn steer(me) { debug(me.id); vec(0, 0) }");
    let messages = |more: &[&str]| {
        let args = [&["run", "scenarios/two.ron", "--ticks", "60"], more].concat();
        project.flockwork(&args).says(0, &[]).err()
    };
    let all = messages(&[]);
    assert_eq!(all.lines().count(), 101, "{all}");
    assert!(
        all.ends_with(
            "note: 20 more lines of `debug` not shown; --debug-lines shows more than 100\n"
        ),
        "{all}"
    );
    assert_eq!(messages(&["--debug-lines", "120"]).lines().count(), 120);
    let none = messages(&["--debug-lines", "0"]);
    assert!(none.starts_with("note: 120 more lines") && none.lines().count() == 1);
}

#[test]
fn the_state_hash_is_that_of_the_golden() {
    let project = Project::empty();
    project.flockwork(&["new", "."]).says(0, &[]);
    project.flockwork(&["test", "--update"]).says(0, &[]);
    let golden = project.read("scenarios/hello.golden");
    let mut keyframes = golden.lines().filter(|line| line.starts_with("tick "));
    let last = keyframes.next_back().unwrap();
    let words: Vec<&str> = last.split(' ').collect();
    let args = ["run", "scenarios/hello.ron", "--ticks", words[1]];
    let hash = project.flockwork(&args).says(0, &[]).summary("state hash");
    assert_eq!(hash, words[2], "{last}");
    assert!(golden.contains(&format!(" {}", &hash[..8])), "the short form");
}

#[test]
fn the_summary_can_be_json() {
    let project = Project::two();
    let args = ["run", "scenarios/two.ron", "--json", "--out", "a.csv"];
    let out = project.flockwork(&args).says(0, &[]).out();
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let text = project.flockwork(&["run", "scenarios/two.ron"]);
    for (key, is) in [
        ("scenario", "\"Two\""),
        ("first_tick", "0"),
        ("last_tick", "10"),
        ("agents", "2"),
        ("agents_made", "2"),
        ("state_hash", &format!("\"{}\"", text.summary("state hash"))),
        ("mean_speed", "20.0"),
        ("closest_pair", "{\"agents\":[0,1],\"distance\":10.0}"),
        ("goals_reached", "1"),
        ("written", "{\"file\":\"a.csv\",\"ticks\":11}"),
        ("written_measures", "null"),
        ("debug_lines", "{\"omitted\":0,\"shown\":0}"),
    ] {
        assert_eq!(json[key].to_string(), is, "{key}");
    }
    assert!(json["wall_time_s"].is_f64() && json["agent_ticks_per_s"].is_f64());
    assert_eq!(json.as_object().unwrap().len(), 16, "{json}");
    let help = project.flockwork(&["run", "--help"]).says(0, &[]).out();
    for key in json.as_object().unwrap().keys() {
        assert!(help.contains(key), "{key} is not in the help");
    }
}

#[test]
fn the_trajectory_can_go_to_the_standard_output() {
    let project = Project::two();
    let run = |more: &[&str]| {
        let args = [&["run", "scenarios/two.ron", "--ticks", "2"], more].concat();
        project.flockwork(&args)
    };
    run(&["--out", "a.csv"]).says(0, &[]);
    let answer = run(&["--out", "-"])
        .says(0, &["state hash  ", "written        the standard output (3 ticks)"]);
    assert_eq!(answer.out(), project.read("a.csv"));
    run(&["--out", "a.jsonl"]).says(0, &[]);
    let answer = run(&["--out", "-", "--format", "jsonl"]).says(0, &[]);
    assert_eq!(answer.out(), project.read("a.jsonl"));
    run(&["--out", "a.data", "--format", "jsonl"]).says(0, &[]);
    assert_eq!(project.read("a.data"), project.read("a.jsonl"));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_run_without_an_error() {
    let project = Project::two();
    let program = snapbox::cmd::cargo_bin!("flockwork").display().to_string();
    let script = format!(
        "'{program}' run scenarios/two.ron --ticks 200000 --out - 2>err | head -1; echo ${{PIPESTATUS[0]}}"
    );
    let done = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(project.path(""))
        .output()
        .unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    assert_eq!(out, "tick,time,id,group,x,y,vx,vy,hx,hy\n0\n");
    assert_eq!(project.read("err"), "");
}

#[test]
fn an_older_trajectory_is_replaced() {
    let project = Project::two().with("a.csv", "tick,time,id,group,x,y,old");
    project.flockwork(&["run", "scenarios/two.ron", "--out", "a.csv"]).says(0, &[]);
    assert!(!project.read("a.csv").contains("old"));
}

#[test]
fn added_and_removed_agents_are_counted() {
    let project = Project::two();
    let text = project.read("scenarios/two.ron");
    let text = text.replace("goals: [", "after_goals: Remove, goals: [");
    let project = project.with("scenarios/two.ron", text);
    let answer = project.flockwork(&["run", "scenarios/two.ron"]).says(0, &[]);
    assert_eq!(answer.summary("agents"), "1 at the end, 2 made in all");
    assert_eq!(answer.summary("closest pair"), "fewer than two agents");
}
