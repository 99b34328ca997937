//! Runs that succeed.

use snapbox::str;

use crate::project::Project;

#[test]
fn the_summary_says_what_came_of_it() {
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
    assert_eq!(answer.says(0, &[]).summary("written"), "a.csv (3 frames)");
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
        assert!(
            project
                .flockwork(&args)
                .says(0, &[])
                .summary("written")
                .contains("3 frames")
        );
    }
    let text = project.read("a.txt");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..3],
        ["# framerate: 5", "# id frame x/m y/m", "0 0 0 0"]
    );
    assert_eq!(lines[7], "1 2 8 10");
    let text = project.read("a.jsonl");
    assert!(
        text.starts_with(r#"{"tick":0,"time":0.0,"id":0,"group":"walkers","x":0.0,"#),
        "{text}"
    );
    assert_eq!(text.lines().count(), 6);
}

#[test]
fn threads_do_not_matter_and_seeds_and_params_do() {
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
fn the_interpreter_alone_gives_the_same() {
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
fn params_can_be_set_from_outside() {
    let project = Project::two();
    let args = ["run", "scenarios/two.ron", "--set", "walkers.push=-400"];
    let answer = project.flockwork(&args).says(0, &[]);
    assert_ne!(answer.summary("goals reached"), "1");
}

#[test]
fn what_scripts_say_is_shown_with_tick_and_agent() {
    let project = Project::two_with(
        "fn steer(me) { if world.tick == 3 && me.id == 1 { debug(\"here\"); } vec(0, 0) }",
    );
    let answer = project.flockwork(&["run", "scenarios/two.ron"]);
    let said = answer.says(0, &["tick 3 agent 1: "]).err();
    assert!(said.contains("here") && said.lines().count() == 1, "{said}");
}

#[test]
fn an_older_trajectory_is_replaced() {
    let project = Project::two().with("a.csv", "old");
    project
        .flockwork(&["run", "scenarios/two.ron", "--out", "a.csv"])
        .says(0, &[]);
    assert!(project.read("a.csv").starts_with("tick,time,"));
}

#[test]
fn agents_that_come_and_go_are_counted() {
    let project = Project::two();
    let text = project.read("scenarios/two.ron");
    let text = text.replace("goals: [", "after_goals: Remove, goals: [");
    let project = project.with("scenarios/two.ron", text);
    let answer = project
        .flockwork(&["run", "scenarios/two.ron"])
        .says(0, &[]);
    assert_eq!(answer.summary("agents"), "1 at the end, 2 made in all");
    assert_eq!(answer.summary("closest pair"), "fewer than two agents");
}
