//! Numbers that are drawn for each agent, in runs of scenarios.

use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::math;
use flockwork_engine::script::Scripts;
use flockwork_engine::world::{AgentId, Value};
use flockwork_engine::{Options, Run, state_hash};

/// Agents in a row, of which all but one are made later.
const ROW: &str = r#"(
    seed: SEED, dt: 1, ticks: 4, world: (size: (100, 20)),
    groups: { "a": (
        body: (radius: Uniform(from: 0.5, to: 2.5)),
        count: 1, spawn: Points([(5, 9), (9, 9), (13, 9), (17, 9), (21, 9), (25, 9)]),
    ) },
    events: [ At(tick: 2, do: Spawn(group: "a", count: 5)) ],
    expect: [ NoOverlap(groups: ["a"]) ],
)"#;

/// Caught: the radii of agents that were made after the first tick were those of others.
#[test]
fn overlaps_are_judged_by_the_radii_of_agents_that_are_made_later() {
    let mut failed = 0;
    for seed in 0..12 {
        let text = ROW.replace("SEED", &format!("{seed}"));
        let source = Source::new("s.ron", text);
        let mut run = Run::new(&source, &Scripts::new(), &Options::default()).unwrap();
        let mut judge = run.judge_with_margins();
        for _ in 0..run.ticks() {
            run.step().unwrap();
            judge.tick(run.simulation());
        }
        judge.end(run.simulation());
        let agents: Vec<_> = run.world().iter().collect();
        let mut gap = f32::INFINITY;
        for (index, a) in agents.iter().enumerate() {
            for b in &agents[index + 1..] {
                let between = (a.pos() - b.pos()).length() - a.body().radius - b.body().radius;
                gap = math::min(gap, between);
            }
        }
        let margin = judge.margins()[0].value.unwrap();
        assert!((margin - gap).abs() < 1e-5, "seed {seed}: {margin}, not {gap}");
        failed += usize::from(gap < 0.0);
    }
    assert!((1..12).contains(&failed), "some overlap and some do not: {failed}");
}

/// A crowd whose script reads its own numbers in all ways.
const CROWD: &str = r#"(
    seed: 3, dt: 0.1, ticks: 40, world: (size: (60, 60), edge: Wrap),
    params: { "gap": LogNormal(median: 3, spread: 1.3) },
    groups: {
        "walkers": (
            behavior: "walk", count: 150, spawn: Rect(min: (0, 0), max: (60, 60)),
            body: (radius: 0.3, mass: Uniform(from: 50, to: 90), max_speed: Normal(mean: 1.34, deviation: 0.26, within: (0.5, 2.2)), max_force: 100),
            params: { "pace": Mixture([(share: 0.5, of: Uniform(from: 0.5, to: 1)), (share: 0.5, of: Table([(0, 1), (1, 2)]))]) },
        ),
        "others": (behavior: "walk", count: 9, spawn: Ring(center: (30, 30), radius: 5), body: (max_speed: 2), params: { "pace": 1.5 }),
    },
    events: [
        At(tick: 10, do: Set(group: "walkers", param: "pace", value: 1)),
        At(tick: 20, do: Set(group: "others", param: "pace", value: Normal(mean: 1, deviation: 0.1))),
        At(tick: 25, do: Spawn(group: "others", count: 20)),
    ],
)"#;

const WALK: &str = "fn steer(me) {
    let near = me.separation(me.params.gap);
    let fast = if me.params.pace > 1.1 { me.wander() * me.params.pace } else { me.wander() };
    me.mass * (near + fast + me.params[\"pace\"] * me.heading)
}";

#[test]
fn lowered_and_interpreted_turns_read_the_same_numbers() {
    let scripts = Scripts::new().with("walk", WALK);
    let run = |interpreter: bool| {
        let options = Options::default().interpreter(interpreter);
        let mut run = Run::new(&Source::new("s.ron", CROWD), &scripts, &options).unwrap();
        let mut hashes = Vec::new();
        for _ in 0..run.ticks() {
            run.step().unwrap();
            hashes.push(state_hash(run.world(), run.simulation().minds()));
        }
        (hashes, run.interpreter_turns())
    };
    let ((lowered, none), (interpreted, all)) = (run(false), run(true));
    assert!(none == 0 && all > 0, "{none} {all}");
    assert_eq!(lowered, interpreted);
}

#[test]
fn another_seed_draws_other_numbers_and_explanations_show_them() {
    let numbers = |seed: u64| {
        let scripts = Scripts::new().with("walk", WALK);
        let options = Options::default().seed(seed);
        let run = Run::new(&Source::new("s.ron", CROWD), &scripts, &options).unwrap();
        let agent = run.world().find(AgentId(7)).unwrap();
        let (speed, own) = (agent.body().max_speed, agent.params());
        let explained = run.simulation().next_turn(AgentId(7)).unwrap().unwrap();
        assert_eq!((explained.body.max_speed, &explained.params), (speed, &own));
        assert!(matches!(own.get("gap"), Some(Value::Float(_))));
        assert_eq!(agent.group().params.get("gap").map(Value::kind), Some("a number"));
        (speed, Arc::new(own))
    };
    assert_eq!(numbers(3), numbers(3));
    let (first, second) = (numbers(3), numbers(4));
    assert_ne!(first.0, second.0);
    assert_ne!(first.1.get("pace"), second.1.get("pace"));
}
