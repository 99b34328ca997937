//! Runs everything that ships.

use std::collections::BTreeSet;
use std::sync::Arc;

use flockwork_engine::diag::Code;
use flockwork_engine::diag::Source;
use flockwork_engine::live::Session;
use flockwork_engine::math::Vec2;
use flockwork_engine::script::{Behavior, Script};
use flockwork_engine::sim::{Brain, Simulation};
use flockwork_engine::world::{GroupId, Me, Mind, Value};
use flockwork_engine::{Options, Run};

use crate::support::{ShippedScripts, folder, names, open, parse, step, text};

#[test]
fn every_scenario_runs_without_warnings_and_errors() {
    let all = names("scenarios", "ron");
    assert!(all.len() >= 22, "{all:?}");
    for name in all {
        let mut simulation = open(&name);
        for _ in 0..100 {
            step(&mut simulation);
        }
    }
}

/// The window shows these comments as tooltips, and editors show them where the pointer is.
#[test]
fn every_param_has_a_short_comment() {
    let mut count = 0;
    for name in names("scenarios", "ron") {
        let path = folder(&format!("scenarios/{name}.ron"));
        let session =
            Session::open(&path, Options::default()).unwrap_or_else(|all| panic!("{}", all[0]));
        for (group, params) in session.param_notes().iter() {
            for (param, note) in params {
                let comment = note.comment.as_deref().unwrap_or_default();
                let length = comment.chars().count();
                assert!((1..=90).contains(&length), "{name}: {group}.{param}: {comment:?}");
                count += 1;
            }
        }
    }
    assert!(count >= 100, "{count} params");
}

/// The window offers to switch these off. Caught: chances, distances and states had switches, too.
#[test]
fn weights_are_those_of_forces() {
    let mut weights: BTreeSet<String> = BTreeSet::new();
    for name in names("scenarios", "ron") {
        let path = folder(&format!("scenarios/{name}.ron"));
        let session =
            Session::open(&path, Options::default()).unwrap_or_else(|all| panic!("{}", all[0]));
        for params in session.param_notes().values() {
            let of_group = params.iter().filter(|(_, note)| note.is_weight);
            weights.extend(of_group.map(|(param, _)| format!("{name}: {param}")));
        }
    }
    let expected = [
        "boids_three_rules: average",
        "boids_three_rules: avoid",
        "boids_three_rules: center",
        "bumper: haste",
        "crowd_obstacles: max_avoid",
        "drives: haste",
        "flock: alignment",
        "flock: cohesion",
        "flock: separation",
        "follow_leader: max_separation",
        "queue_doorway: max_separation",
        "turn_away: wall",
    ];
    assert!(weights.iter().eq(expected.iter()), "{weights:#?}");
}

/// That expectations hold to the end is tested with the goldens.
#[test]
fn margins_are_those_of_expectations_that_hold() {
    for name in names("scenarios", "ron") {
        let path = folder(&format!("scenarios/{name}.ron"));
        let mut run =
            Run::open(&path, &Options::default()).unwrap_or_else(|all| panic!("{}", all[0]));
        assert!(!run.expectations().is_empty(), "{name} expects nothing");
        let mut judge = run.judge_with_margins();
        for _ in 0..run.ticks().min(200) {
            run.step().unwrap();
            judge.tick(run.simulation());
        }
        for (expectation, margin) in run.expectations().iter().zip(judge.margins()) {
            assert!(margin.value.is_none_or(|margin| margin >= 0.0), "{expectation}: {margin:?}");
        }
        assert!(!judge.failed(), "{name}");
    }
}

#[test]
fn a_limit_that_is_moved_by_the_margin_is_where_the_expectation_fails() {
    // Each has a limit, and the direction in which the limit gets tighter.
    let kinds = [
        ("MaxSpeed(speed: #)", 60.0, -1.0f32),
        ("MaxAcceleration(acceleration: #)", 100.0, -1.0),
        ("MaxTurnRate(deg_per_s: #)", 90.0, -1.0),
        ("MinSeparation(distance: #)", 3.0, 1.0),
        ("NoOverlap(tolerance: #)", 200.0, -1.0),
        ("StayInside(min: (-9000, -9000), max: (#, 9000))", 2000.0, -1.0),
    ];
    let judged = |name: &str, limits: &[f32]| -> Vec<(bool, Option<f32>)> {
        let all = kinds.iter().zip(limits);
        let all = all.map(|((kind, ..), limit)| kind.replace('#', &limit.to_string()));
        let ours = all.collect::<Vec<_>>().join(", ");
        let text = text(name);
        // The scenario's own list ends at the first bracket at the start of a line.
        let (start, rest) = text.split_once("expect: [").unwrap();
        let (_, rest) = rest.split_once("\n    ]").unwrap();
        let source = Source::new(name, format!("{start}expect: [{ours}]{rest}"));
        let mut run = Run::new(&source, &ShippedScripts::default(), &Options::default())
            .unwrap_or_else(|all| panic!("{}", all[0]));
        let mut judge = run.judge_with_margins();
        for _ in 0..120 {
            run.step().unwrap();
            judge.tick(run.simulation());
        }
        let margins = judge.margins();
        let failures = judge.into_failures();
        let fails = |place| failures.iter().any(|failure| failure.expectation == place);
        margins.iter().enumerate().map(|(place, margin)| (fails(place), margin.value)).collect()
    };
    let mut tried = 0;
    for name in ["flock", "night_watch", "drives", "double_bottleneck", "crowds/head_on_orca"] {
        let limits: Vec<f32> = kinds.iter().map(|&(_, limit, _)| limit).collect();
        let first = judged(name, &limits);
        for side in [-1.0, 1.0] {
            let moved = kinds.iter().zip(&first).map(|(&(_, limit, tighter), &(_, margin))| {
                let edge = limit + tighter * margin.unwrap_or_default();
                edge + side * tighter * 1e-3 * (1.0 + limit.abs() + edge.abs())
            });
            let moved: Vec<f32> = moved.map(|limit| limit.max(1e-6)).collect();
            for (kind, (&(fails, margin), moved)) in
                kinds.iter().zip(judged(name, &moved).iter().zip(&moved))
            {
                assert_eq!(fails, margin.is_some_and(|margin| margin < 0.0), "{name}: {kind:?}");
                if *moved > 1e-6 && margin.is_some() {
                    assert_eq!(fails, side > 0.0, "{name}: {kind:?} with the limit {moved}");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 50, "{tried}");
}

#[test]
fn every_script_compiles() {
    for name in names("scripts", "rhai") {
        if let Err(errors) = Script::compile(&name, &ShippedScripts::default()) {
            panic!("{}", errors[0].render(false));
        }
    }
}

#[test]
fn no_script_needs_the_interpreter() {
    for name in names("scenarios", "ron") {
        let scenario = parse(&name, &text(&name));
        let compile = |name: &str| Behavior::compile(name, &ShippedScripts::default()).unwrap();
        let behaviors: Vec<Option<Arc<Behavior>>> = scenario
            .behaviors
            .iter()
            .map(|of| of.as_ref().map(|of| Arc::new(compile(&of.name))))
            .collect();
        // A group without a behavior applies no force.
        let idle = |_: &Me<'_>, _: Mind<'_>| Vec2::ZERO;
        let brains = behaviors.iter().map(|one| match one {
            Some(behavior) => Arc::clone(behavior) as Arc<dyn Brain>,
            None => Arc::new(idle) as Arc<dyn Brain>,
        });
        let mut simulation = Simulation::new(scenario.setup, brains.collect()).unwrap();
        for _ in 0..200 {
            step(&mut simulation);
        }
        for (group, behavior) in behaviors.iter().enumerate() {
            let Some(behavior) = behavior else { continue };
            let mut found =
                behavior.findings(simulation.world(), GroupId(group as u16), Vec::new(), &[]);
            // Another group with the same script has what this one lacks.
            found.retain(|one| one.code != Code::MissingPart);
            assert_eq!(found, [], "{name}: {}", found[0]);
            assert_eq!(behavior.interpreted_turns(), 0, "{name}, group {group}");
        }
    }
}

#[test]
fn every_force_is_explained() {
    let mut calls = 0;
    for name in names("scenarios", "ron") {
        let mut simulation = open(&name);
        for tick in 0..20 {
            let ids = simulation.world().agents.id.clone();
            let ids = ids.into_iter().filter(|id| (id.0 + tick) % 7 == 0);
            let explanations: Vec<_> =
                ids.filter_map(|id| simulation.explain(id).unwrap().map(|why| (id, why))).collect();
            let dt = simulation.world().dt;
            let before = Arc::clone(simulation.world());
            step(&mut simulation);
            for (id, why) in explanations {
                let shares: Vec2 = why.calls.iter().map(|call| call.share).sum();
                let off = (shares + why.rest - why.force).length();
                let large: f32 = why.calls.iter().map(|call| call.share.length()).sum();
                assert!(off <= 1e-4 * (1.0 + large), "{name}, agent {id}: {why:?}");
                calls += why.calls.len();
                for call in &why.calls {
                    assert!(call.place.is_some(), "{name}: {call:?}");
                    let has_target = call.primitive.name != "wander";
                    // That to match may be a velocity or an agent.
                    let is_known = call.primitive.name != "match_velocity";
                    assert!(call.cause.is_some() == has_target || !is_known, "{name}: {call:?}");
                }
                // The explained force must move the agent, if nothing else does.
                let (old, new) = (before.agents.row(id), simulation.world().agents.row(id));
                let (Some(old), Some(new)) = (old, new) else {
                    continue;
                };
                let body = before.agent(old).body();
                let force = why.force.clamp_length_max(body.max_force) / body.mass;
                let vel = (before.agents.vel(old) + force * dt).clamp_length_max(body.max_speed);
                if name == "flock" {
                    let off = (vel - simulation.world().agents.vel(new)).length();
                    assert!(off < 1e-3, "{name}, agent {id}: {vel} {off}");
                }
            }
        }
    }
    assert!(calls > 1000, "{calls} calls");
}

#[test]
fn the_flock_finds_one_direction() {
    let mut simulation = open("flock");
    // The length of the mean heading: near 0 if all agents fly in different directions, 1 if in the same one.
    let order = |simulation: &Simulation| {
        let agents = &simulation.world().agents;
        (agents.headings().sum::<Vec2>() / agents.len() as f32).length()
    };
    let before = order(&simulation);
    for _ in 0..1800 {
        step(&mut simulation);
    }
    let after = order(&simulation);
    assert!(before < 0.2 && after > 0.9, "{before}, then {after}");
}

#[test]
fn the_thief_reaches_its_goal_and_has_to_run() {
    let mut simulation = open("night_watch");
    let mut ran = 0;
    for _ in 0..1800 {
        step(&mut simulation);
        let world = simulation.world();
        for at in world.agents.positions() {
            let inside = world.obstacles.iter().find(|one| one.shape.contains(at));
            assert!(inside.is_none(), "{at} is in {inside:?} at tick {}", world.tick);
        }
        ran += i32::from(
            simulation.minds().state(3).get("mode") == Some(&Value::String("run".into())),
        );
    }
    assert_eq!(simulation.goals_reached(), 1);
    assert!(ran > 300, "{ran} ticks");
}
