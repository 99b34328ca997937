//! Compares the SteerBench cases with trajectories that were recorded with SteerSuite.
//!
//! The reference data is under the GPL and therefore not in this repository. It is read from a folder next to the
//! checkout; if that is missing, the tests are skipped.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use flockwork_engine::geom::Shape;
use flockwork_engine::math::Vec2;
use flockwork_engine::sim::{Simulation, SpawnShape};
use flockwork_engine::trace::Totals;
use serde_json::Value;

use crate::support::{ShippedScripts, open, parse, report, skipped, start, step, text};

const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/steerbench");

const CASES: [&str; 12] = [
    "3-squeeze",
    "4-way-confusion",
    "circle-20",
    "crossing-1",
    "crossing-3",
    "doorway-two-way",
    "double-squeeze",
    "oncoming-1",
    "oncoming-obstacle",
    "overtake",
    "simple-1",
    "simple-obstacle-1",
];

/// The number of ticks between two recorded frames.
const TICKS_PER_FRAME: u64 = 4;

/// The tolerance for positions, in meters.
const TOLERANCE: f64 = 0.01;

/// Reads a file of the reference data. If there is none, reports that and returns `None`.
fn reference(file: &str) -> Option<String> {
    if !Path::new(REFERENCE).is_dir() {
        skipped(&format!(
            "the SteerBench reference data (GPL) is expected next to the checkout, but there is no {REFERENCE}"
        ));
        return None;
    }
    Some(fs::read_to_string(Path::new(REFERENCE).join(file)).unwrap())
}

#[test]
fn trajectories_equal_those_of_steersuite() {
    for case in CASES {
        let Some(text) = reference(&format!("{case}.reference.txt")) else {
            return;
        };
        let frames = frames(&text);
        let mut simulation = open(&format!("steerbench/{case}"));
        let mut worst = 0.0f64;
        for (frame, rows) in frames.iter().enumerate() {
            while simulation.world().tick < frame as u64 * TICKS_PER_FRAME {
                step(&mut simulation);
            }
            let ours = positions(&simulation);
            let ids = |rows: &BTreeMap<u32, (f64, f64)>| rows.keys().copied().collect::<Vec<_>>();
            assert_eq!(ids(&ours), ids(rows), "{case}: agents in frame {frame}");
            for (id, at) in rows {
                let off = (ours[id].0 - at.0).hypot(ours[id].1 - at.1);
                assert!(off < TOLERANCE, "{case}: agent {id} is {off} m off in frame {frame}");
                worst = worst.max(off);
            }
        }
        report(&format!("{case:18} {} frames, at most {worst:.6} m off", frames.len()));
        for _ in 0..TICKS_PER_FRAME {
            step(&mut simulation);
        }
        assert!(simulation.world().agents.is_empty(), "{case}: all agents are removed");
        let ticks = parse(case, &crate::support::text(&format!("steerbench/{case}"))).ticks;
        assert!(ticks >= simulation.world().tick, "{case}: the run is long enough");
    }
}

/// Returns the recorded positions, frame by frame.
fn frames(text: &str) -> Vec<BTreeMap<u32, (f64, f64)>> {
    let mut frames: Vec<BTreeMap<_, _>> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [id, frame, x, y] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("not a row: {line}");
        };
        let frame: usize = frame.parse().unwrap();
        frames.resize_with(frames.len().max(frame + 1), BTreeMap::new);
        frames[frame].insert(id.parse().unwrap(), (x.parse().unwrap(), y.parse().unwrap()));
    }
    frames
}

/// Returns the positions in our run, with ids counted from 1 as in SteerSuite.
fn positions(simulation: &Simulation) -> BTreeMap<u32, (f64, f64)> {
    let agents = &simulation.world().agents;
    let rows = agents.id.iter().zip(agents.positions());
    rows.map(|(id, at)| (id.0 + 1, (f64::from(at.x), f64::from(at.y)))).collect()
}

/// The tolerance for a score, as a share of it. SteerSuite adds in single precision.
const SCORE_TOLERANCE: f64 = 1e-4;

#[test]
fn scores_equal_those_of_steersuite() {
    let Some(table) = reference("scores.csv") else {
        return;
    };
    for case in CASES {
        let row = table.lines().find(|line| line.starts_with(&format!("{case},simpleAI,")));
        let expected: Vec<f64> =
            row.unwrap().split(',').skip(2).map(|number| number.parse().unwrap()).collect();
        let mut simulation = open(&format!("steerbench/{case}"));
        let mut totals = Totals::new(&simulation);
        let ticks = parse(case, &text(&format!("steerbench/{case}"))).ticks;
        while simulation.world().tick < ticks {
            step(&mut simulation);
            totals.add_tick(&simulation);
        }
        let found = totals.score().unwrap();
        let ours = [
            found.agents as f64,
            found.unfinished as f64,
            found.collisions,
            found.time_s,
            found.kinetic_energy,
            found.acceleration,
            found.composite01(),
            found.composite02(),
        ];
        report(&format!("{case:18} {ours:.4?}\n{:18} {expected:.4?}", "simpleAI"));
        for (ours, theirs) in ours.into_iter().zip(expected) {
            let off = (ours - theirs).abs();
            assert!(off <= SCORE_TOLERANCE * theirs.max(1.0), "{case}: {ours} for {theirs}");
        }
    }
}

#[test]
fn scenarios_have_the_geometry_of_the_cases() {
    for case in CASES {
        let Some(json) = reference(&format!("{case}.json")) else {
            return;
        };
        let json: Value = serde_json::from_str(&json).unwrap();
        let scenario = parse(case, &text(&format!("steerbench/{case}")));
        let [(group, spawn)] = &scenario.setup.groups[..] else {
            panic!("{case} has one group");
        };
        let SpawnShape::Agents(agents) = &spawn.shape else {
            panic!("{case} lists its agents");
        };
        assert_eq!(scenario.setup.dt, 0.05);
        same(case, &[group.body.mass, group.body.max_speed], &[1.0, 1.3]);

        let expected = json["agents"].as_array().unwrap();
        assert_eq!(agents.len(), expected.len(), "{case}");
        for (agent, expected) in agents.iter().zip(expected) {
            let speed = expected["speed"].as_f64().unwrap();
            let direction = numbers(&expected["direction"]);
            let length = direction[0].hypot(direction[1]);
            let heading = agent.heading.unwrap();
            same(case, &xy(agent.pos), &numbers(&expected["position"]));
            same(case, &xy(agent.vel), &[direction[0] * speed, direction[1] * speed]);
            same(case, &xy(heading), &[direction[0] / length, direction[1] / length]);
            same(case, &[group.body.radius], &[expected["radius"].as_f64().unwrap()]);
            let goals = expected["goals"].as_array().unwrap();
            let ours = &group.goals[agent.sequence as usize];
            assert_eq!(ours.len(), goals.len(), "{case}");
            for (goal, expected) in ours.iter().zip(goals) {
                same(case, &xy(goal.at), &numbers(&expected["targetLocation"]));
                same(case, &[goal.radius], &[f64::from(group.body.radius)]);
            }
        }

        let expected = json["obstacles"].as_array().unwrap();
        assert_eq!(scenario.setup.obstacles.len(), expected.len(), "{case}");
        for (obstacle, expected) in scenario.setup.obstacles.iter().zip(expected) {
            let (ours, theirs) = (shape(&obstacle.shape), described(expected));
            same(case, &ours, &theirs);
        }
    }
}

/// Describes a box by center, size and the direction of its first side, and a circle by center and radius.
fn shape(shape: &Shape) -> Vec<f32> {
    match shape {
        Shape::Circle { center, radius } => vec![center.x, center.y, *radius],
        Shape::Box(one) => [one.center(), one.half() * 2.0, one.axis()].map(xy).concat(),
        other => panic!("{other:?}"),
    }
}

fn described(obstacle: &Value) -> Vec<f64> {
    let center = || numbers(&obstacle["center"]);
    match obstacle["shape"].as_str().unwrap() {
        "aabb" => {
            let (min, max) = (numbers(&obstacle["min"]), numbers(&obstacle["max"]));
            let half_sums = (0..2).map(|i| (min[i] + max[i]) / 2.0);
            let sizes = (0..2).map(|i| max[i] - min[i]);
            half_sums.chain(sizes).chain([1.0, 0.0]).collect()
        }
        "circle" => [center(), vec![obstacle["radius"].as_f64().unwrap()]].concat(),
        "obb" => {
            // A rotation about their upward axis turns z toward x, and z is our y: the direction is reversed.
            let angle = -obstacle["theta_y_deg"].as_f64().unwrap().to_radians();
            [center(), numbers(&obstacle["size"]), vec![angle.cos(), angle.sin()]].concat()
        }
        other => panic!("{other}"),
    }
}

fn xy(v: Vec2) -> [f32; 2] {
    [v.x, v.y]
}

fn numbers(list: &Value) -> Vec<f64> {
    let list = list.as_array().unwrap().iter();
    list.map(|x| x.as_f64().unwrap()).collect()
}

fn same(case: &str, ours: &[f32], theirs: &[f64]) {
    assert_eq!(ours.len(), theirs.len(), "{case}: {ours:?} for {theirs:?}");
    for (a, b) in ours.iter().zip(theirs) {
        assert!((f64::from(*a) - b).abs() < 1e-6, "{case}: {ours:?} for {theirs:?}");
    }
}

/// In the same cases, `scripts/steerbench/walk.rhai` brings everyone to all goals without a collision, at the same speed; and also two agents to one place,
/// at which only one fits at a time.
#[test]
fn a_short_script_of_primitives_solves_all_cases() {
    let cases = CASES.map(|case| (case, text(&format!("steerbench/{case}"))));
    let head_on = text("steerbench/oncoming-1");
    let goals = head_on.replace("(0, 10)", "(-1.5, 0)").replace("(0, -10)", "(-1.5, 0)");
    let one_place = goals.replace("(-1, ", "(-1.5, ");
    for (case, text) in cases.into_iter().chain([("one place", one_place)]) {
        let text = text.replace("steerbench/goto", "steerbench/walk");
        let mut simulation = start(parse(case, &text), &ShippedScripts::default());
        let mut totals = Totals::new(&simulation);
        while simulation.world().tick < 2000 && !simulation.world().agents.is_empty() {
            step(&mut simulation);
            totals.add_tick(&simulation);
        }
        let found = totals.score().unwrap();
        report(&format!("{case:18} {found:?}"));
        assert_eq!(found.unfinished, 0, "{case}");
        assert!(found.collisions <= 0.06, "{case}: {} collisions", found.collisions);
    }
}
