//! Runs that are saved in the middle and continued as scenarios.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use flockwork_engine::diag::Source;
use flockwork_engine::math::Vec2;
use flockwork_engine::scenario::continuation;
use flockwork_engine::sim::{Action, Simulation};
use flockwork_engine::suite::{Case, TestOutcome, diagnose, update};
use flockwork_engine::world::{GroupId, ObstacleMotion, Value};
use flockwork_engine::{Options, Run, world_hash};
use proptest::prelude::*;

use crate::support::{ShippedScripts, names, text};

fn hash(simulation: &Simulation) -> u64 {
    world_hash(simulation.world(), simulation.minds())
}

fn open(source: &Arc<Source>, scripts: &ShippedScripts) -> Run {
    let run = Run::new(source, scripts, &Options::default());
    run.unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn step(run: &mut Run) {
    run.step().unwrap_or_else(|fault| panic!("{fault}"));
}

/// Does the actions of `input` for the current tick, then runs the tick.
fn step_with(simulation: &mut Simulation, input: &[(u64, Action)]) {
    let tick = simulation.world().tick;
    for (_, action) in input.iter().filter(|(at, _)| *at == tick) {
        simulation.act(action.clone()).unwrap();
    }
    crate::support::step(simulation);
}

/// Runs a scenario to a tick, saves it there, and compares all later ticks. Returns the saved scenario.
fn check_continuation(
    source: &Arc<Source>,
    scripts: &ShippedScripts,
    input: &[(u64, Action)],
    at: u64,
    end: u64,
) -> Arc<Source> {
    let mut whole = open(source, scripts).simulation().clone();
    while whole.world().tick < at {
        step_with(&mut whole, input);
    }
    let saved = continuation(source, &whole, input, end, "saved")
        .unwrap_or_else(|error| panic!("{}: {error}", source.name));
    let saved = Source::new(source.name.as_str(), saved);
    let mut run = open(&saved, scripts);
    assert_eq!((run.first_tick(), run.tick(), run.ticks()), (at, at, end));
    assert_eq!(run.name(), "saved");
    assert_eq!(run.simulation().state(), whole.state(), "{}", source.name);
    while run.tick() < end {
        assert_eq!(hash(run.simulation()), hash(&whole), "{} at {}", source.name, run.tick());
        step(&mut run);
        step_with(&mut whole, input);
    }
    assert_eq!(hash(run.simulation()), hash(&whole), "{} at the end", source.name);
    saved
}

#[test]
fn saved_shipped_scenarios_continue_with_the_same_bits() {
    for name in names("scenarios", "ron") {
        let source = Source::new(format!("scenarios/{name}.ron"), text(&name));
        let ticks = open(&source, &ShippedScripts::default()).ticks();
        let at = (ticks / 2).min(200);
        let saved =
            check_continuation(&source, &ShippedScripts::default(), &[], at, ticks.min(at + 100));
        // A saved scenario can be saved again.
        let later = at + 20;
        check_continuation(&saved, &ShippedScripts::default(), &[], later, ticks.min(at + 60));
    }
}

/// A scenario whose state has everything that a state can have.
const BUSY: &str = r#"
// Everything that changes.
(
    seed: 9, dt: 0.05, ticks: 300, // a while
    world: (size: (100, 80), edge: Wrap),
    order: ORDER,
    obstacles: {
        "rock": Circle(center: (30, 30), radius: 6), "gate": Segment(from: (50, 0), to: (50, 80)), "post": Circle(center: (70, 20), radius: 4),
    },
    absent_obstacles: ["gate"],
    moving_obstacles: { "rock": Along(path: "the round", speed: 12), "post": Velocity((3, -0.5)) },
    inputs: { "left": Key("left"), "go on": Key("space") },
    shared: {
        "steps": Sum(), "near": Sum(each_tick: true), "spot": Latest(start: (1, 2)), "one": Latest(start: ()), "word": Latest(start: "a"), "loud": Any(),
    },
    paths: {
        "the round": (points: [(10, 10), (90, 10), (90, 70)], radius: 5, mode: PingPong),
        "line": (points: [(0, 0), (50, 50)], radius: 9),
    },
    groups: {
        "walker": (
            behavior: "walker", count: 5, spawn: Disc(center: (50, 40), radius: 30),
            body: (radius: 1, max_speed: 20), public: { "spot": (0, 0), "pushes": Sum(), "jolts": Sum(each_tick: true) }, params: { "k": 1.5, "n": 3, "word": "a \"b\"", "on": true, "spot": (1, 2) },
            path: "the round",
        ),
        "goer": (
            behavior: "goer",
            spawn: Agents([
                (at: (5, 5), goals: [(at: (50, 5), radius: 3), (at: (50, 60), radius: 3)]),
                (at: (9, 70), goals: [(at: (12, 70), radius: 3)]),
                (at: (70, 70), heading_deg: 90),
            ]),
            body: (radius: 1, max_speed: 15), after_goals: AFTER,
        ),
        "late": (behavior: "walker", public: { "spot": (0, 0), "pushes": Sum(), "jolts": Sum(each_tick: true) }, path: "line", count: 0, spawn: Ring(center: (50, 40), radius: 20), body: (max_speed: 9),
            params: { "k": 0.5, "n": 1, "word": "", "on": false, "spot": (0, 0) }),
    },
    events: [
        Every(ticks: 7, do: Spawn(group: "late", count: 1)),
        Every(ticks: 11, from: 20, do: Remove(group: "walker", count: 1)),
        Every(ticks: 11, from: 21, do: Spawn(group: "walker", count: 2)),
        At(tick: 30, do: Set(group: "walker", param: "k", value: -0.0)),
        At(tick: 31, do: Set(group: "walker", param: "word", value: "so\n")),
        At(tick: 40, do: SetGoals(group: "goer", goals: [(at: (1, 1), radius: 4), (at: (60, 60), radius: 4)])),
        At(tick: 50, do: Cursor(at: (20.5, 30))),
        Every(ticks: 13, do: Input(name: "go on", down: true)),
        Every(ticks: 17, do: Input(name: "go on", down: false)),
        At(tick: 90, do: Cursor()),
        At(tick: 35, do: SetObstacle(obstacle: "rock", present: false)),
        Every(ticks: 23, do: MoveObstacle(obstacle: "gate", moves: To(at: (40, 45), speed: 9))),
        Every(ticks: 31, do: MoveObstacle(obstacle: "gate", moves: Velocity((4, 0)))),
        At(tick: 55, do: MoveObstacle(obstacle: "post", moves: Stop)),
        When(condition: Chance(per_second: 0.4), again: true, do: SetObstacle(obstacle: "gate", present: true)),
        When(condition: Near(between: ("walker", "goer"), distance: 1), again: true, do: SetObstacle(obstacle: "gate", present: false)),
        When(condition: Inside(group: "walker", area: Circle(center: (70, 20), radius: 12), agents: AtLeast(2)), do: SetObstacle(obstacle: "post", present: false)),
        When(condition: Reached(group: "goer", agents: Any), do: SetObstacle(obstacle: "rock", present: true)),
        When(condition: Shared(name: "steps", is: AtLeast(500)), again: true, do: SetShared(name: "steps", value: 3.5)),
        When(condition: Shared(name: "loud", is: True), again: true, do: SetShared(name: "loud", value: false)),
        At(tick: 60, do: Scatter(at: (99, 79), radius: 40, speed: 30)) // the last
    ],
    expect: [
        Reach(group: "goer", by: 190), Throughput(from: (0, 0), to: (100, 80), at_least: 1),
        Reach(group: "goer", at: (0, 0),
            radius: 200), // at once
        AllFinite
    ],
    golden: (until: 100, every: 20),
)
"#;

const BUSY_SCRIPTS: ShippedScripts = ShippedScripts(&[
    (
        "walker",
        r##"
        fn init(me) { me.state.seen = []; me.state.born = world.tick; }
        fn steer(me) {
            if world.tick % 9 == me.index % 9 {
                me.state.seen = [world.tick, [me.pos, #{ "a b": me.vel, c: () }], "\"#\n", me.nearest()];
            }
            let force = me.params.k * me.follow_path() + me.wander() + me.separation(8) + me.params.n * vec(me.random(-1, 1), 0);
            me.share("steps", me.speed); me.share("near", me.neighbors(20).count);
            if me.index == 3 { me.share("spot", me.pos); me.share("one", me.nearest()); me.share("word", "so\n"); }
            me.share("loud", me.random() > 0.99);
            if world.shared.loud { force *= 2.0; }
            force += 0.01 * me.to(world.shared.spot) + vec(world.shared.near, world.shared.steps) * 0.01;
            if me.random() > 0.8 { me.tell("walker", "pushes", 0.25, 0.7); me.tell(me.neighbors(30), "jolts", 1, me.index * 0.1); }
            if me.index == 2 { me.tell(me.neighbors(50).of("walker"), "spot", me.pos, 0.2); me.tell("walker", "jolts", 0.5); }
            force += 0.01 * me.to(me.state.spot) + vec(me.state.pushes, me.state.jolts) * 0.1;
            if world.cursor != () { force += me.seek(world.cursor); }
            if world.inputs.left || world.inputs["go on"] { force += vec(0, 2); }
            for obstacle in world.obstacles { force += 0.1 * me.to(obstacle.closest(me.pos)); }
            if world.obstacle("gate").distance(me.pos) < 3 { force *= 0.5; }
            if world.obstacle("rock").present { force += 0.1 * world.obstacle("rock").vel; }
            force + me.avoid_obstacles()
        }"##,
    ),
    (
        "goer",
        r#"
        fn init(me) { me.state.first = me.pos; }
        fn steer(me) {
            me.state.way = if me.goal == () { "none" } else { "some" };
            if me.goal == () { me.wander() } else { me.go_to(me.goal) }
        }"#,
    ),
]);

fn busy(order: &str, after: &str) -> Arc<Source> {
    let text = BUSY.replace("ORDER", order).replace("AFTER", after);
    Source::new("busy.ron", text)
}

fn action() -> impl Strategy<Value = Action> {
    let place = || (-50.0f32..150.0, -50.0f32..150.0).prop_map(Vec2::from);
    let group = || (0u16..3).prop_map(GroupId);
    prop_oneof![
        (group(), place(), any::<bool>()).prop_map(|(group, velocity, after)| Action::Push {
            group,
            velocity,
            when: if after {
                flockwork_engine::sim::PushTime::AfterDecision
            } else {
                flockwork_engine::sim::PushTime::BeforeDecision
            },
        }),
        (-3.0f32..3.0).prop_map(|k| Action::Set {
            group: GroupId(2),
            param: "k".into(),
            value: Value::Float(k),
        }),
        (group(), 1u32..4).prop_map(|(group, count)| Action::Spawn { group, count }),
        (group(), prop::option::of(1u32..4))
            .prop_map(|(group, count)| Action::Remove { group, count }),
        prop::option::of(place()).prop_map(|at| Action::Cursor { at }),
        any::<bool>().prop_map(|down| Action::Input { name: "left".into(), down }),
        (-3.0f32..900.0)
            .prop_map(|x| Action::SetShared { name: "steps".into(), value: Value::Float(x) }),
        any::<bool>().prop_map(|present| Action::SetObstacle { obstacle: "post".into(), present }),
        (place(), 0.1f32..30.0).prop_map(|(at, speed)| Action::MoveObstacle {
            obstacle: "post".into(),
            motion: ObstacleMotion::To { at, speed },
        }),
        (place(), 0.1f32..90.0, 0.0f32..50.0, prop::option::of(group()))
            .prop_map(|(at, radius, speed, group)| Action::Scatter { at, radius, speed, group }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn a_run_saved_at_any_tick_continues_with_the_same_bits_and_actions(
        order in prop::sample::select(&["Synchronous", "Sequential"][..]),
        after in prop::sample::select(&["Stay", "Stop", "Remove"][..]),
        at in 0u64..120,
        input in prop::collection::vec((0u64..140, action()), 0..12),
    ) {
        let mut input = input;
        input.sort_by_key(|(tick, _)| *tick);
        let saved = check_continuation(&busy(order, after), &BUSY_SCRIPTS, &input, at, 140);
        // Comments of the scenario are still there.
        prop_assert!(saved.text.contains("// a while") && saved.text.contains("// the last"));
    }
}

/// The scenario, saved in the middle of its run.
static SAVED: LazyLock<String> = LazyLock::new(|| {
    let source = busy("Synchronous", "Stop");
    let mut simulation = open(&source, &BUSY_SCRIPTS).simulation().clone();
    while simulation.world().tick < 60 {
        crate::support::step(&mut simulation);
    }
    continuation(&source, &simulation, &[], 90, "saved").unwrap()
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_start_is_refused_or_runs_without_harm(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40), 1..5),
    ) {
        const PIECES: &[u8] = b"0123456789999999 --..:A[](){},\"ea\n\n";
        let mut text = SAVED.clone().into_bytes();
        let start = text.windows(7).rposition(|word| word == b"start: ").unwrap() + 8;
        for (at, piece) in changes {
            let at = start + at.index(text.len() - start - 8);
            text[at] = PIECES[piece % PIECES.len()];
        }
        let source = Source::new("saved.ron", String::from_utf8(text).unwrap());
        match Run::new(&source, &BUSY_SCRIPTS, &Options::default()) {
            Ok(mut run) => {
                for _ in 0..5 {
                    if run.step().is_err() {
                        break;
                    }
                }
            }
            Err(errors) => {
                prop_assert!(!errors.is_empty() && errors[0].place.is_some(), "{:?}", errors);
            }
        }
    }
}

#[test]
fn a_scenario_with_a_name_before_its_bracket_can_be_saved() {
    let source = busy("Sequential", "Remove");
    let named = format!(
        "#![enable(implicit_some)]\n/* ( */ Scenario{}",
        &source.text[source.text.find("(\n").unwrap()..]
    );
    let source = Source::new("busy.ron", named.replace("golden: (", "golden: Golden("));
    let saved = check_continuation(&source, &BUSY_SCRIPTS, &[], 33, 60);
    assert!(saved.text.contains("Scenario(\n    name: \"saved\",\n"), "{}", saved.text);
}

#[test]
fn saving_changes_only_what_is_necessary() {
    let source = busy("Synchronous", "Stay");
    let mut simulation = open(&source, &BUSY_SCRIPTS).simulation().clone();
    while simulation.world().tick < 110 {
        crate::support::step(&mut simulation);
    }
    let input = [(110, Action::Cursor { at: None }), (300, Action::Cursor { at: None })];
    let saved = continuation(&source, &simulation, &input, 200, "the \"middle\"").unwrap();
    let lines: Vec<&str> = saved.lines().collect();
    let has = |line: &str| assert!(lines.contains(&line), "{line} is missing in\n{saved}");
    has("    name: \"the \\\"middle\\\"\",");
    has("    seed: 9, dt: 0.05, ticks: 200, // a while");
    has("        At(tick: 60, do: Scatter(at: (99, 79), radius: 40, speed: 30)), // the last");
    has("        At(tick: 110, do: Cursor()),");
    has(
        "        Reach(group: \"goer\", by: 190), // left out because it also depends on the time before tick 110:",
    );
    has("        // Throughput(from: (0, 0), to: (100, 80), at_least: 1),");
    has("        // Reach(group: \"goer\", at: (0, 0),");
    has("        // radius: 200), // at once");
    has("        AllFinite");
    has("    golden: (until: 200, every: 20),");
    has("    start: (");
    has("        tick: 110,");
    let gone = source.text.lines().filter(|line| !lines.contains(line));
    assert_eq!(gone.count(), 6, "{saved}");
    // Expectations about later ticks would fail at the end, although nothing is wrong.
    let short = continuation(&source, &simulation, &[], 150, "short").unwrap();
    let why = "// left out because it is about tick 190, and the run ends at tick 150:";
    let lines = format!("        {why}\n        // Reach(group: \"goer\", by: 190),\n");
    assert!(short.contains(&lines), "{short}");
}

/// Writes a project with one scenario to a folder.
fn project(dir: &Path, scenario: &str, scripts: &ShippedScripts) -> Case {
    fs::create_dir_all(dir.join("scripts")).unwrap();
    for (name, text) in scripts.0 {
        fs::write(dir.join(format!("scripts/{name}.rhai")), text).unwrap();
    }
    let path = dir.join("saved.ron");
    fs::write(&path, scenario).unwrap();
    Case::open(&path)
}

#[test]
fn a_saved_run_has_a_golden_and_a_diagnosis_of_its_own() {
    for mode in ["Exact", "Windows(position: 0.5)", "Within(position: 0.5)", "Bands(seeds: 2)"] {
        let dir = tempfile::tempdir().unwrap();
        let source = busy("Synchronous", "Stay");
        let source =
            Source::new("busy.ron", source.text.replace("every: 20", &format!("mode: {mode}")));
        let mut simulation = open(&source, &BUSY_SCRIPTS).simulation().clone();
        while simulation.world().tick < 105 {
            crate::support::step(&mut simulation);
        }
        let saved = continuation(&source, &simulation, &[], 145, "saved").unwrap();
        let case = project(dir.path(), &saved, &BUSY_SCRIPTS);
        let tested = case.test();
        assert_eq!(tested.outcome, TestOutcome::Passed, "{tested:?}");
        let header = tested.header.unwrap();
        assert_eq!((header.terms.from, header.terms.until), (105, 145));
        update(&case, &header).unwrap();
        let case = Case::open(&case.path);
        let tested = case.test();
        assert_eq!(tested.outcome, TestOutcome::Passed, "{mode}: {tested:?}");
        assert!(tested.comparison.unwrap().is_same(), "{mode}");

        let changed = BUSY_SCRIPTS.0[0].1.replace("tick % 9 ==", "tick > 120 && world.tick % 9 ==");
        let changed =
            changed.replace("me.wander()", "(if world.tick > 120 { 9 } else { 1 }) * me.wander()");
        fs::write(dir.path().join("scripts/walker.rhai"), changed).unwrap();
        let tested = case.test();
        assert_eq!(tested.outcome, TestOutcome::Failed, "{mode}");
        let comparison = tested.comparison.unwrap();
        if let Some(diagnosis) = diagnose(&case, &comparison, None).unwrap() {
            assert_eq!(diagnosis.start, 105);
            assert!((106..=123).contains(&diagnosis.tick), "{mode}: {diagnosis}");
            assert!(diagnosis.from >= 105);
        } else {
            assert!(mode.starts_with("Bands"));
        }
    }
}
