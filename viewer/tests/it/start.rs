//! Scenarios that start in the middle of a run, with every command.

use std::fs;

use crate::project::Project;

/// Returns the project of `two.ron`, changed to start at tick 4.
fn project() -> Project {
    let project = Project::two();
    let text = project.read("scenarios/two.ron");
    let start = "start: (
        tick: 4,
        groups: { \"walkers\": (
            made: 2,
            reached: (goals: 1, agents: 1, lost: 0),
            agents: [
                (id: 0, index: 0, at: (4, 0), velocity: (20, 0), goal: (sequence: 0, reached: 1)),
                (id: 1, index: 1, at: (4, 10), velocity: (20, 0)),
            ],
        ) },
    ),
    groups:";
    let text = text.replace("groups:", start);
    fs::write(project.path("scenarios/two.ron"), text).unwrap();
    project
}

#[test]
fn a_run_begins_and_ends_at_the_ticks_that_are_written() {
    let project = project();
    let answer = project.flockwork(&["run", "scenarios/two.ron", "--out", "a.csv"]);
    let answer = answer.says(0, &[]);
    assert_eq!(answer.summary("ticks"), "6, from tick 4 to 10");
    assert_eq!(answer.summary("written"), "a.csv (7 ticks)");
    let csv = project.read("a.csv");
    assert!(csv.contains("\n4,0.2,0,walkers,4,0,20,0,1,0\n"), "{csv}");
    assert!(csv.contains("\n10,0.5,1,walkers,10,10,20,0,1,0\n"), "{csv}");
    let answer = project.flockwork(&["run", "scenarios/two.ron", "--ticks", "5"]);
    assert_eq!(answer.says(0, &[]).summary("ticks"), "1, from tick 4 to 5");
    project
        .flockwork(&["run", "scenarios/two.ron", "--ticks", "4"])
        .says(2, &["cannot end at tick 4: the scenario begins at tick 4"]);
    let render = |tick| {
        let args = ["render", "scenarios/two.ron", "--tick", tick, "--out", "a.png"];
        project.flockwork(&args)
    };
    render("3").says(2, &["there is no tick 3: the scenario begins at tick 4"]);
    render("4").says(0, &[]);
    project.flockwork(&["check"]).says(0, &[]);
}

#[test]
fn a_golden_begins_where_the_run_does() {
    let project = project();
    project.flockwork(&["test", "--update"]).says(0, &[]);
    let golden = project.read("scenarios/two.golden");
    assert!(golden.contains("\nfrom 4\n") && golden.contains("\n+ 4 "), "{golden}");
    let out = project.flockwork(&["test"]).says(0, &[]).out();
    assert!(out.contains("1 passed"), "{out}");
    let fails = |args: &[&str], parts: &[&str]| {
        let out = project.flockwork(args).says(1, &[]).out();
        for part in parts {
            assert!(out.contains(part), "`{part}` is missing in\n{out}");
        }
    };
    let text = project.read("scenarios/two.ron");
    fs::write(
        project.path("scenarios/two.ron"),
        text.replace("(4, 10), velocity: (20, 0)", "(4, 10), velocity: (19, 0)"),
    )
    .unwrap();
    fails(
        &["test", "--report", "out"],
        &["tick 4 (0.2 s), the start", "velocity: was (20, 0), is (19, 0)"],
    );
    // A scenario that starts at tick 0 does not match the golden.
    let text = project.read("scenarios/two.ron");
    let first = text.find("start:").unwrap();
    let last = text.rfind("groups:").unwrap();
    let text = format!("{}{}", &text[..first], &text[last..]);
    fs::write(project.path("scenarios/two.ron"), text).unwrap();
    fails(&["test"], &["the golden begins at tick 4, but the scenario at tick 0"]);
}
