//! Laws of symmetry: which runs obey them, and which are expected to.

use flockwork_engine::diag::Source;
use flockwork_engine::script::Scripts;
use flockwork_engine::sim::Law;
use flockwork_engine::world::AgentId;
use flockwork_engine::{Failure, Options, Run, state_hash, with_threads};

use crate::support::{ShippedScripts, names, text};

/// Two groups that meet in a world with one of everything, and events.
fn scenario(params: &str, expect: &str) -> String {
    format!(
        "(
    seed: 5, ticks: 120, world: (size: (160, 90), edge: Wrap),
    obstacles: {{ \"pillar\": Circle(center: (80, 40), radius: 6), \"block\": Box(center: (30, 70), size: (10, 4), angle_deg: 20) }},
    paths: {{ \"round\": (points: [(20, 20), (140, 20), (140, 70), (20, 60)], radius: 5, mode: Loop) }},
    fields: {{ \"wind\": Vortex(center: (70, 50), radius: 20, strength: 5) }},
    groups: {{
        \"a\": (behavior: \"walk\", {params} count: 9, spawn: Rect(min: (5, 10), max: (60, 80)), velocity: (8, 3), path: \"round\",
            body: (radius: 1, max_speed: 20, max_force: 60), goals: [(at: (120, 45), radius: 8), (at: (20, 20), radius: 5)]),
        \"b\": (behavior: \"walk\", {params} count: 7, spawn: Disc(center: (110, 45), radius: 25), path: \"round\",
            body: (radius: 1.5, max_speed: 16, max_force: 80), goals: [(at: (10, 45), radius: 5)]),
    }},
    events: [
        At(tick: 31, do: Spawn(group: \"a\", count: 5)),
        At(tick: 35, do: Push(group: \"b\", velocity: (4, -7))),
        At(tick: 62, do: Scatter(at: (60, 40), radius: 30, speed: 12)),
        At(tick: 66, do: SetGoals(group: \"b\", goals: [(at: (80, 10), radius: 5)])),
        At(tick: 92, do: Remove(group: \"a\", count: 3)),
        At(tick: 93, do: Spawn(group: \"b\", count: 2)),
    ],
    expect: [{expect}],
)"
    )
}

fn open(script: &str, params: &str, expect: &str) -> Run {
    let scripts = Scripts::new().with("walk", script);
    let source = Source::new("s.ron", scenario(params, expect));
    Run::new(&source, &scripts, &Options::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Runs to the end and returns the failures.
fn failures(mut run: Run) -> Vec<Failure> {
    let (mut judge, mut measuring) = (run.judge(), run.judge_with_margins());
    while run.tick() < run.ticks() {
        run.step().unwrap();
        judge.tick(run.simulation());
        measuring.tick(run.simulation());
    }
    let failures = judge.finish(run.simulation());
    for (index, margin) in measuring.margins().iter().enumerate() {
        let fails = failures.iter().any(|failure| failure.expectation == index);
        assert_eq!(margin.value.is_some_and(|margin| margin < 0.0), fails, "{margin:?}");
    }
    failures
}

/// All laws, each as an expectation, with comparisons of half a second that cover the whole run.
fn each_law() -> String {
    let law = |law: Law| format!("Symmetric(under: [{}], ticks: 30, every: 30)", law.name());
    Law::ALL.map(law).join(", ")
}

/// Returns the laws that a run does not obey, and those that it is not expected to obey.
fn broken_and_unexpected(script: &str) -> (Vec<Law>, Vec<Law>) {
    let run = open(script, "", &each_law());
    let simulation = run.simulation();
    let unexpected = Law::ALL.into_iter().filter(|law| simulation.why_not(*law).is_some());
    let unexpected = unexpected.collect();
    let broken = failures(run).iter().map(|failure| Law::ALL[failure.expectation]).collect();
    (broken, unexpected)
}

const GOES: &str = "fn steer(me) { me.seek(me.goal ?? me.waypoint) ";

#[test]
fn a_behavior_without_places_and_sides_obeys_all_laws() {
    let script = format!(
        "{GOES} + me.flow_field(\"wind\") + 2 * me.separation(8) + me.flee(world.obstacle(\"pillar\").center) / 4 + me.alignment(30) }}"
    );
    assert_eq!(broken_and_unexpected(&script), (vec![], vec![]));
}

#[test]
fn what_is_used_shows_in_the_law_that_breaks() {
    use Law::{Mirrored, Reordered, Rotated, Translated};
    for (rest, broken, unexpected) in [
        // A direction of the world.
        ("+ 20 * vec(1, 0) }", &[Rotated][..], &[Translated, Rotated, Mirrored][..]),
        // A wrong sign: the left of the agent where the right was meant.
        ("+ 20 * me.heading.perp() }", &[Mirrored], &[Mirrored]),
        // The first agent in the order of ids.
        ("+ me.seek(me.neighbors(60).first ?? me.pos) }", &[Reordered], &[]),
        // A place is used as if it were an offset.
        ("- 0.3 * me.pos }", &[Translated], &[]),
        ("+ me.seek(vec(0, 0)) }", &[Translated], &[Translated]),
        // One of the two mirrored runs is the same.
        (
            "+ if me.pos.x > 80 { me.vel } else { vec(0, 0) } }",
            &[Translated, Rotated],
            &[Translated, Rotated, Mirrored],
        ),
        ("+ if me.id % 2 == 0 { -me.vel } else { me.vel } }", &[Reordered], &[Reordered]),
        ("+ me.wander() }", &[Mirrored], &[Mirrored]),
    ] {
        let script = format!("{GOES} {rest}");
        let found = broken_and_unexpected(&script);
        assert_eq!(found, (broken.to_vec(), unexpected.to_vec()), "{script}");
    }
}

#[test]
fn state_goes_along() {
    // Vectors, an agent, and a list of them. Of the last one, only a translation is not compared.
    let script = "fn init(me) {
    me.state.home = me.pos;
    me.state.friend = me.neighbors().of(if me.group == \"a\" { \"b\" } else { \"a\" }).nearest;
    me.state.trail = [me.pos, me.vel];
}
fn steer(me) {
    if world.tick % 7 == 0 { me.state.trail = [me.pos, me.vel]; }
    let force = me.seek(me.state.home) + me.match_velocity(me.state.trail[1]);
    if me.state.friend != () && world.tick < 90 { force += me.pursue(me.state.friend); }
    force
}";
    assert_eq!(broken_and_unexpected(script), (vec![], vec![]));
}

/// Two agents at the same place are pushed apart in random directions, which only translations keep.
#[test]
fn agents_at_the_same_place_are_not_compared() {
    let twins = "Points([(20, 20), (20, 20), (30, 25), (31, 26), (50, 25), (51, 26), (70, 25)])";
    let text = scenario("", &each_law()).replace("Disc(center: (110, 45), radius: 25)", twins);
    // New agents would be at the same place in the middle of a comparison.
    let text = text.replace("At(tick: 93, do: Spawn(group: \"b\", count: 2)),", "");
    let scripts = Scripts::new().with("walk", "fn steer(me) { me.separation(9) }");
    let run = Run::new(&Source::new("s.ron", text), &scripts, &Options::default()).unwrap();
    assert_eq!(failures(run), []);
}

#[test]
fn a_script_that_fails_in_both_companions_breaks_the_law() {
    let script = "fn steer(me) {
    let all = [1];
    if world.tick < 60 && me.vel.y.abs() > 15 { all[3] }
    me.vel
}";
    let expect = "Symmetric(under: [Rotated], ticks: 60, tolerance: 1000)";
    let failed = failures(open(script, "", expect));
    let [Failure { message, agent: None, .. }] = &failed[..] else { panic!("{failed:?}") };
    assert!(message.starts_with("the rotated run fails "), "{message}");
    assert!(message.contains("ticks after tick 0: "), "{message}");
}

#[test]
fn a_failure_names_the_law_the_agent_and_the_distance() {
    let script = format!("{GOES} + 20 * vec(1, 0) }}");
    let failed =
        failures(open(&script, "", "Symmetric(under: [Translated, Rotated], tolerance: 0.02)"));
    let [Failure { message, help, agent: Some(AgentId(0)), tick: 2, .. }] = &failed[..] else {
        panic!("{failed:?}")
    };
    let end = "away from its place in the rotated run, 2 ticks after tick 0; expected at most 0.02";
    assert!(message.starts_with("agent 0 (a) is 0.") && message.ends_with(end), "{message}");
    let question = "from tick 0 on, everything is turned by a quarter turn: does the behavior use an absolute direction?";
    assert!(help.iter().any(|line| line == question), "{help:?}");
}

#[test]
fn the_reason_why_a_law_is_not_expected_is_told() {
    let why = |script: &str, params: &str| {
        let run = open(&format!("{GOES} {script}"), params, "");
        Law::ALL.map(|law| run.simulation().why_not(law).unwrap_or_default())
    };
    let wind = "the param `wind` of group `a` may be a place or a direction";
    for (script, params, expected) in [
        ("}", "", ["", "", "", ""]),
        ("}", "params: { \"wind\": (1, 0) },", ["", "", "", ""]),
        ("+ me.params.wind }", "params: { \"wind\": (1, 0) },", [wind, wind, wind, ""]),
        (
            "+ direction(me.id) }",
            "",
            ["", "walk calls `direction`", "walk calls `direction`", "walk reads `id`"],
        ),
        (
            "+ HOME } const HOME = vec(1, 2);",
            "",
            ["walk calls `vec`", "walk calls `vec`", "walk calls `vec`", ""],
        ),
        ("+ if me.speed > 1 { vec(0, 0) } else { me.vel } }", "", ["", "", "", ""]),
    ] {
        assert_eq!(why(script, params), expected.map(str::to_owned), "{script}");
    }
}

#[test]
fn laws_change_neither_the_run_nor_depend_on_threads() {
    let script = format!("{GOES} + 20 * me.heading.perp() + me.separation(9) }}");
    let on = |threads, expect: &str| {
        with_threads(threads, || {
            let mut run = open(&script, "", expect);
            let mut judge = run.judge_with_margins();
            while run.tick() < run.ticks() {
                run.step().unwrap();
                judge.tick(run.simulation());
            }
            let simulation = run.simulation();
            (state_hash(simulation.world(), simulation.minds()), judge.margins())
        })
        .unwrap()
    };
    let (plain, _) = on(1, "");
    let (hash, margins) = on(1, &each_law());
    assert_eq!(plain, hash);
    assert_eq!((hash, margins), on(4, &each_law()));
}

#[test]
fn shipped_scenarios_obey_the_laws_that_are_expected() {
    let mut tried = 0;
    for name in names("scenarios", "ron") {
        let text = text(&name).replacen("expect: [", "expect: [Symmetric(every: 30), ", 1);
        let source = Source::new(format!("{name}.ron"), text);
        let mut run = Run::new(&source, &ShippedScripts::default(), &Options::default()).unwrap();
        let mut judge = run.judge();
        let simulation = run.simulation();
        tried += Law::ALL.iter().filter(|&&law| simulation.why_not(law).is_none()).count();
        let ticks = if simulation.world().agents.len() > 500 { 60 } else { 240 };
        let last = run.ticks().min(run.first_tick() + ticks);
        while run.tick() < last && !judge.has_failed(0) {
            run.step().unwrap();
            judge.tick(run.simulation());
        }
        let failed = judge.into_failures();
        assert!(failed.iter().all(|failure| failure.expectation != 0), "{name}: {failed:?}");
    }
    assert!(tried > 100, "{tried}");
}
