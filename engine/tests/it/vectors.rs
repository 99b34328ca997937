//! Conformance vectors: calls of primitives and combinators with their exact results, for other implementations.
//!
//! `engine/tests/conformance/vectors.json` contains them; `docs/src/conformance.md` describes the format. The test calls
//! everything in the file again and compares bits. `SNAPSHOTS=overwrite` writes the file.

use std::fmt::Write as _;
use std::fs;

use flockwork_engine::math::Vec2;
use flockwork_engine::sim::{GroupBuilder, Simulation};
use flockwork_engine::steer::{self, Arg, ForceKind, ParamDefault, ParamKind, Primitive};
use flockwork_engine::world::{Body, Edge, Neighborhood, NewAgent, Space, World};
use serde_json::Value;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance/vectors.json");

/// What the file has vectors for: everything that needs only agents, points and numbers. Add a new primitive here.
const CALLED: [&str; 20] = [
    "seek",
    "flee",
    "arrive",
    "pursue",
    "evade",
    "match_velocity",
    "separation",
    "alignment",
    "cohesion",
    "follow_leader",
    "queue",
    "orca",
    "neighbor_danger",
    "weighted_sum",
    "prioritize",
    "first_of",
    "budget",
    "dither",
    "context",
    "context_slot",
];

/// Agents of a case: position, velocity and heading. The first one makes the call.
type Agents = &'static [([f32; 2], [f32; 2], [f32; 2])];

/// One agent among others, at rest, alone, head-on, and at the place of another one.
const SCENES: [Agents; 5] = [
    &[
        ([1.0, 2.0], [3.0, -1.0], [0.948_683_3, -0.316_227_77]),
        ([13.0, 7.0], [-2.0, 1.0], [-0.894_427_2, 0.447_213_6]),
        ([-3.5, 4.25], [0.0, 3.0], [0.0, 1.0]),
        ([6.0, -3.0], [0.0, 0.0], [1.0, 0.0]),
    ],
    &[([0.0, 0.0], [0.0, 0.0], [0.6, 0.8]), ([5.0, 0.5], [1.5, 0.0], [1.0, 0.0])],
    &[
        ([-20.0, 30.0], [0.1, 0.2], [0.447_213_6, 0.894_427_2]),
        ([70.0, -55.0], [4.0, 4.0], [0.707_106_77, 0.707_106_77]),
    ],
    &[([0.0, 0.0], [2.0, 0.0], [1.0, 0.0]), ([8.0, 0.0], [-2.0, 0.0], [-1.0, 0.0])],
    &[
        ([4.0, 4.0], [1.0, 1.0], [0.707_106_77, 0.707_106_77]),
        ([4.0, 4.0], [0.0, -2.0], [0.0, -1.0]),
    ],
];

const POINTS: [[f32; 2]; 4] = [[10.0, 5.0], [4.0, 4.0], [-7.5, 0.0], [0.0, 0.0]];
const FORCES: [&[[f32; 2]]; 4] = [
    &[[3.0, 0.0], [0.0, 4.0], [-1.0, -1.0]],
    &[[0.0, 0.0], [0.5, -0.25], [2.0, 2.0]],
    &[[1.0, 0.3], [0.9, -0.2], [0.0, 0.0]],
    &[],
];
const NUMBERS: [f32; 3] = [0.5, 2.0, 0.75];
const OTHER_VALUES: [f32; 4] = [2.0, 0.25, 12.0, 0.0];

fn body() -> Body {
    Body { radius: 1.0, mass: 1.0, max_speed: 5.0, max_force: 8.0, ..Body::default() }
}

#[test]
fn results_are_those_of_the_conformance_vectors() {
    if std::env::var_os("SNAPSHOTS").is_some_and(|action| action == "overwrite") {
        fs::write(FILE, all_cases()).unwrap();
    }
    let all: Value = serde_json::from_str(&fs::read_to_string(FILE).unwrap()).unwrap();
    let cases = all["cases"].as_array().unwrap();
    for name in CALLED {
        assert!(cases.iter().any(|case| case["call"] == name), "no case calls {name}");
    }
    for case in cases {
        let world = world(agents_of(case));
        let (lists, numbers) = lists_of(case);
        let primitive = steer::find(case["call"].as_str().unwrap()).unwrap();
        let args = arguments_of(case, primitive, &world, &lists, &numbers);
        let result = primitive.call(&world.me(0), &args).unwrap();
        let expected = match primitive.force_kind {
            ForceKind::Index => Vec2::new(number(&case["result"]), 0.0),
            _ => vector(&case["result"]),
        };
        let bits = |v: Vec2| (v.x.to_bits(), v.y.to_bits());
        assert_eq!(bits(result), bits(expected), "{case}");
    }
}

fn world(agents: Vec<NewAgent>) -> World {
    let space = Space { edge: Edge::Open, min: Vec2::splat(-100.0), size: Vec2::splat(200.0) };
    let group = GroupBuilder::new("all").body(body()).agents(agents).steer(|_, _| Vec2::ZERO);
    let simulation = Simulation::builder(space).group(group).build().unwrap();
    World::clone(simulation.world())
}

fn agents_of(case: &Value) -> Vec<NewAgent> {
    let agent = |agent: &Value| NewAgent {
        pos: vector(&agent["pos"]),
        vel: vector(&agent["vel"]),
        heading: Some(vector(&agent["heading"])),
        sequence: 0,
    };
    case["agents"].as_array().unwrap().iter().map(agent).collect()
}

/// Returns the lists of vectors and of numbers among the arguments, one for each argument.
fn lists_of(case: &Value) -> (Vec<Vec<Vec2>>, Vec<Vec<f32>>) {
    let list =
        |argument: &Value, name: &str| argument[name].as_array().cloned().unwrap_or_default();
    let arguments = case["arguments"].as_array().unwrap();
    let vectors = |argument| list(argument, "vectors").iter().map(vector).collect();
    let numbers = |argument| list(argument, "numbers").iter().map(number).collect();
    (arguments.iter().map(vectors).collect(), arguments.iter().map(numbers).collect())
}

fn arguments_of<'w>(
    case: &Value,
    primitive: &Primitive,
    world: &'w World,
    lists: &'w [Vec<Vec2>],
    numbers: &'w [Vec<f32>],
) -> Vec<Arg<'w>> {
    let given = case["arguments"].as_array().unwrap();
    assert_eq!(given.len(), primitive.params.len(), "{case}");
    let argument = |(i, (param, given)): (usize, (&steer::Param, &Value))| match param.kind {
        ParamKind::Number => Arg::Number(number(&given["number"])),
        ParamKind::Point | ParamKind::Vector => Arg::Vector(vector(&given["vector"])),
        ParamKind::Agent => Arg::Agent(world.agent(given["agent"].as_u64().unwrap() as usize)),
        ParamKind::Neighbors => Arg::Neighbors(Neighborhood::within(number(&given["radius"]))),
        ParamKind::Forces => Arg::Forces(&lists[i]),
        ParamKind::Numbers => Arg::Numbers(&numbers[i]),
        ParamKind::Slots => Arg::Slots(given["slots"].as_u64().unwrap() as usize),
        kind => panic!("{kind:?} needs more than agents, points and numbers"),
    };
    primitive.params.iter().zip(given).enumerate().map(argument).collect()
}

fn vector(json: &Value) -> Vec2 {
    Vec2::new(number(&json[0]), number(&json[1]))
}

fn number(json: &Value) -> f32 {
    match json.as_str() {
        Some("infinity") => f32::INFINITY,
        _ => json.as_f64().unwrap_or_else(|| panic!("{json} is not a number")) as f32,
    }
}

/// Returns the content of the file: one case on each line.
fn all_cases() -> String {
    let mut lines = Vec::new();
    for name in CALLED {
        let primitive = steer::find(name).unwrap();
        for (place, scene) in SCENES.iter().enumerate() {
            for variant in 0..4 {
                lines.push(case(primitive, scene, place, variant));
            }
        }
    }
    lines.dedup();
    format!(
        "{{\n\"about\": \"Calls with their exact results in 32-bit floats; docs/src/conformance.md describes the format.\",\n\
         \"body\": {{\"radius\": 1.0, \"mass\": 1.0, \"max_speed\": 5.0, \"max_force\": 8.0}},\n\"cases\": [\n{}\n]\n}}\n",
        lines.join(",\n")
    )
}

/// Returns the line of one case. The first variant has the defaults for all params that have one.
fn case(primitive: &Primitive, scene: Agents, place: usize, variant: usize) -> String {
    let mut line = format!("{{\"call\": \"{}\", \"agents\": [", primitive.name);
    for (i, &(pos, vel, heading)) in scene.iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        let _ =
            write!(line, "{comma}{{\"pos\": {pos:?}, \"vel\": {vel:?}, \"heading\": {heading:?}}}");
    }
    line.push_str("], \"arguments\": [");
    for (i, param) in primitive.params.iter().enumerate() {
        let at = place + variant + i;
        let other = OTHER_VALUES[at % OTHER_VALUES.len()];
        let of_default = match param.default {
            ParamDefault::Number(x) => x,
            ParamDefault::MaxSpeed => body().max_speed,
            ParamDefault::MaxForce => body().max_force,
            ParamDefault::Required | ParamDefault::OwnPath => other,
        };
        let x = if variant == 0 { of_default } else { other };
        let number = if x == f32::INFINITY { "\"infinity\"".to_owned() } else { format!("{x:?}") };
        let forces = FORCES[(place + variant) % FORCES.len()];
        let comma = if i > 0 { ", " } else { "" };
        let _ = match param.kind {
            ParamKind::Number => write!(line, "{comma}{{\"number\": {number}}}"),
            ParamKind::Point | ParamKind::Vector => {
                write!(line, "{comma}{{\"vector\": {:?}}}", POINTS[at % POINTS.len()])
            }
            ParamKind::Agent => write!(line, "{comma}{{\"agent\": 1}}"),
            ParamKind::Neighbors => {
                write!(line, "{comma}{{\"radius\": {:?}}}", [10.0, 6.0, 200.0, 0.0][variant])
            }
            ParamKind::Forces => {
                let list =
                    if i == 0 { forces } else { FORCES[(place + variant + 1) % FORCES.len()] };
                write!(line, "{comma}{{\"vectors\": {list:?}}}")
            }
            ParamKind::Numbers => {
                write!(line, "{comma}{{\"numbers\": {:?}}}", &NUMBERS[..forces.len()])
            }
            ParamKind::Slots => write!(line, "{comma}{{\"slots\": {}}}", [16, 8, 32, 16][variant]),
            kind => panic!("{kind:?} needs more than agents, points and numbers"),
        };
    }
    line.push_str("], \"result\": ");
    // The arguments are read back, so that the file has what they are.
    let json: Value = serde_json::from_str(&format!("{line}null}}")).unwrap();
    let world = world(agents_of(&json));
    let (lists, numbers) = lists_of(&json);
    let args = arguments_of(&json, primitive, &world, &lists, &numbers);
    let result = primitive.call(&world.me(0), &args).unwrap();
    let _ = match primitive.force_kind {
        ForceKind::Index => write!(line, "{:?}}}", result.x),
        _ => write!(line, "[{:?}, {:?}]}}", result.x, result.y),
    };
    line
}
