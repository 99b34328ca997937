//! Runs from files: opening them, setting params, and the errors.

use std::fs;

use flockwork_engine::world::Value;
use flockwork_engine::{Diagnostics, Options, Run, world_hash};
use tempfile::TempDir;

/// Creates a project with a group for each behavior, named `g0`, `g1` and so on.
fn project(behaviors: &[&str], scripts: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let groups: String = behaviors
        .iter()
        .enumerate()
        .map(|(i, behavior)| {
            format!(
                r#""g{i}": (behavior: "{behavior}", spawn: Points([({i}, 0)]), params: {{ "x": 1.0 }}),"#
            )
        })
        .collect();
    let scenario =
        format!("(seed: 1, ticks: 5, world: (size: (100, 100)), groups: {{ {groups} }})");
    fs::write(dir.path().join("plain.ron"), scenario).unwrap();
    fs::create_dir(dir.path().join("scripts")).unwrap();
    for (name, text) in scripts {
        fs::write(dir.path().join(format!("scripts/{name}.rhai")), text).unwrap();
    }
    dir
}

fn open(dir: &TempDir, settings: &[&str]) -> Result<Run, Diagnostics> {
    let settings = settings.iter().map(|text| text.parse().unwrap());
    let options = Options::default().settings(settings);
    Run::open(&dir.path().join("plain.ron"), &options)
}

#[test]
fn the_same_options_give_the_same_run() {
    let script = ("a", "fn steer(me) { vec(me.params.x, 0) + me.wander(1, 1, 5) }");
    let dir = project(&["a", "a"], &[script]);
    let hash = |settings: &[&str]| {
        let mut run = open(&dir, settings).unwrap();
        assert_eq!((run.name(), run.ticks()), ("plain", 5));
        for _ in 0..run.ticks() {
            run.step().unwrap();
        }
        world_hash(run.simulation().world(), run.simulation().minds())
    };
    assert_eq!(hash(&[]), hash(&[]));
    assert_ne!(hash(&[]), hash(&["g1.x=2"]));
}

#[test]
fn every_error_is_reported_once() {
    let dir = project(
        &["a", "b", "none", "a"],
        &[
            ("a", "import \"lib\" as lib; fn steer(me) { vec(0, 0) }"),
            ("b", "import \"lib\" as lib; fn steer(me) { vec(0, 0) }"),
            ("lib", "fn broken( {"),
        ],
    );
    let errors = open(&dir, &["g0.y=1", "g0.x=[1"]).err().unwrap();
    let text: String = errors.iter().map(ToString::to_string).collect();
    for part in ["no param `y`", "cannot read `[1`", "scripts/lib.rhai:1:", "behavior `none`"] {
        assert_eq!(text.matches(part).count(), 1, "{part} in\n{text}");
    }
    assert_eq!(errors.len(), 4, "{text}");
}

/// Caught: a run was opened though nothing gives the goals that an expectation judges, and it said nothing about empty groups.
#[test]
fn what_no_script_does_is_said_when_a_run_is_opened() {
    let opened = |script: &str, expect: &str| {
        let dir = project(&[], &[("a", script)]);
        let scenario = format!(
            r#"(ticks: 5, world: (size: (9, 9)), expect: [{expect}], groups: {{
                "walker": (behavior: "a", spawn: Points([(1, 0)])),
                "cub": (behavior: "a", count: 0, spawn: Disc(center: (5, 5), radius: 1)),
            }})"#
        );
        fs::write(dir.path().join("plain.ron"), scenario).unwrap();
        open(&dir, &[])
    };
    let (idle, reach) = ("fn steer(me) { vec(1, 0) }", r#"Reach(group: "walker", by: 4)"#);
    let errors = opened(idle, reach).err().unwrap();
    assert_eq!(errors.len(), 1, "{errors}");
    assert_eq!(errors[0].message, "agents of group `walker` have no goals");
    let warnings = opened(idle, "").unwrap().warnings().to_vec();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0].message, "group `cub` never has an agent");
    let busy = r#"fn steer(me) {
        me.set_goal(vec(5, 5), 1);
        me.create("cub", me.pos, #{});
        vec(1, 0)
    }"#;
    assert_eq!(opened(busy, reach).unwrap().warnings(), []);
}

#[test]
fn groups_may_have_no_behavior_and_share_params() {
    let dir = tempfile::tempdir().unwrap();
    let scenario = r#"(
        ticks: 5, hz: 10, world: (size: (100, 100)), params: { "push": 1.0 },
        groups: {
            "ball": (spawn: Points([(0, 0)]), velocity: (3, 4)),
            "cart": (behavior: "cart", spawn: Points([(0, 0)])),
            "van": (behavior: "cart", spawn: Points([(0, 0)]), params: { "push": 2.0 }),
        },
    )"#;
    fs::write(dir.path().join("plain.ron"), scenario).unwrap();
    fs::create_dir(dir.path().join("scripts")).unwrap();
    let script = "fn steer(me) { vec(me.params.push, 0) }";
    fs::write(dir.path().join("scripts/cart.rhai"), script).unwrap();
    let speeds = |settings: &[&str]| {
        let mut run = open(&dir, settings).unwrap();
        for _ in 0..10 {
            run.step().unwrap();
        }
        let agents = &run.simulation().world().agents;
        [agents.vel(0).length(), agents.vel(1).x, agents.vel(2).x].map(f32::round)
    };
    assert_eq!(speeds(&[]), [5.0, 1.0, 2.0]);
    assert_eq!(speeds(&["push=7"]), [5.0, 7.0, 2.0]);
    assert_eq!(speeds(&["push=7", "van.push=3"]), [5.0, 7.0, 3.0]);
    // A group's own value wins, whatever the order.
    assert_eq!(speeds(&["cart.push=3", "push=7"]), [5.0, 3.0, 2.0]);
    let wrong = open(&dir, &["pusch=7"]).err().unwrap();
    assert!(wrong[0].message.contains("did you mean `push`?"), "{}", wrong[0]);
}

#[test]
fn agents_keep_what_is_their_own_in_a_continued_run() {
    let text = r#"(
        ticks: 40, hz: 10, world: (size: (100, 100)),
        paths: {
            "low": (points: [(100, 0), (200, 0)], radius: 3),
            "middle": (points: [(100, 9), (200, 9)], radius: 3),
            "high": (points: [(100, 18), (200, 18)], radius: 3),
        },
        groups: {
            "cart": (behavior: "cart", body: (max_speed: 5, max_force: 50), path: "low",
                public: { "load": 1, "name": "a" }, spawn: Agents([
                (at: (0, 0)),
                (at: (0, 9), path: "middle", body: (max_speed: 2, radius: 3), state: { "load": 7 }),
                (at: (0, 18), path: "high", body: (mass: 100, radius: 2), state: { "name": "b" }),
            ])),
        },
        events: [At(tick: 3, do: Spawn(group: "cart", count: 2))],
        expect: [NoOverlap(from: 1)],
    )"#;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("plain.ron");
    fs::write(&path, text).unwrap();
    fs::create_dir(dir.path().join("scripts")).unwrap();
    let script = "fn steer(me) { me.state.r = me.radius; me.state.load *= 2; if me.state.name == \"b\" { me.state.r = 0.0; }
        me.follow_path() + me.seek(me.waypoint) * 0.1 }";
    fs::write(dir.path().join("scripts/cart.rhai"), script).unwrap();
    let hash = |run: &Run| world_hash(run.simulation().world(), run.simulation().minds());
    let mut runs = [false, true].map(|interpreter| {
        let options = Options::default().interpreter(interpreter);
        Run::open(&path, &options).unwrap()
    });
    for run in &mut runs {
        for _ in 0..20 {
            run.step().unwrap();
        }
    }
    let [run, interpreted] = runs;
    assert_eq!(hash(&run), hash(&interpreted));
    let world = run.simulation().world();
    let speeds: Vec<f32> = world.agents.velocities().map(|vel| vel.x.round()).collect();
    // The fourth and the fifth agent have the bodies of the first and the second.
    assert_eq!(speeds, [5.0, 2.0, 0.0, 4.0, 2.0]);
    assert_eq!(world.agent(4).body().radius, 3.0);
    let heights: Vec<f32> = world.agents.positions().map(|pos| pos.y.round()).collect();
    assert_eq!(heights, [0.0, 9.0, 18.0, 0.0, 9.0]);
    let load = |row: usize| world.agent(row).state("load");
    let doubled = |first: f32, ticks| Some(Value::Float(first * 2f32.powi(ticks)));
    assert_eq!(
        [0, 1, 3, 4].map(load),
        [(1.0, 20), (7.0, 20), (1.0, 17), (7.0, 17)].map(|(first, ticks)| doubled(first, ticks))
    );
    let radius = |row: usize| run.simulation().minds().state(row).get("r").cloned();
    assert_eq!([1, 2].map(radius), [3.0, 0.0].map(|r| Some(Value::Float(r))));
    assert_eq!(run.interpreter_turns(), 0, "all of it is lowered");
    let source = flockwork_engine::diag::Source::new("plain.ron", text);
    let on = flockwork_engine::scenario::continuation(&source, run.simulation(), &[], 40, "later")
        .unwrap();
    fs::write(dir.path().join("later.ron"), on).unwrap();
    let mut later = Run::open(&dir.path().join("later.ron"), &Options::default()).unwrap();
    let mut run = run;
    for _ in 0..20 {
        run.step().unwrap();
        later.step().unwrap();
        assert_eq!(hash(&run), hash(&later));
    }
}
