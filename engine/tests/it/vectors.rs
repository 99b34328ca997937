//! Conformance vectors: calls of primitives and combinators with their exact results, for other implementations.
//!
//! `engine/tests/conformance/vectors.json` contains them; `docs/src/conformance.md` describes the format. The test calls
//! everything in the file again and compares bits. `SNAPSHOTS=overwrite` writes the file.

use std::fmt::Write as _;
use std::fs;

use flockwork_engine::geom::Shape;
use flockwork_engine::math::Vec2;
use flockwork_engine::sim::{GroupBuilder, Simulation};
use flockwork_engine::steer::{self, Arg, Flow, ForceKind, ParamDefault, ParamKind, Primitive};
use flockwork_engine::world::{
    Body, Edge, Field, FieldId, FieldShape, Neighborhood, NewAgent, Path, PathId, PathMode, Space,
    World,
};
use serde_json::Value;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance/vectors.json");

/// Primitives without vectors, each with the reason. All others must have some.
const WITHOUT_VECTORS: [(&str, &str); 5] = [
    ("wander", "random numbers"),
    ("jink", "random numbers"),
    ("vicsek", "random numbers"),
    ("keep_formation", "the formation of a group"),
    ("go_to", "the grid that ways are searched on"),
];

/// Returns everything that the file has vectors for. Those of `FIRST` come first, so that old lines stay in place.
fn called() -> Vec<&'static Primitive> {
    let first = FIRST.iter().map(|name| steer::find(name).unwrap());
    let all = steer::PRIMITIVES.iter().chain(steer::COMBINATORS);
    let is_left = |one: &&Primitive| {
        !FIRST.contains(&one.name) && WITHOUT_VECTORS.iter().all(|(name, _)| *name != one.name)
    };
    first.chain(all.filter(is_left)).collect()
}

/// The calls at the beginning of the file.
const FIRST: [&str; 20] = [
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

/// The circles of cases with obstacles: center and radius.
const CIRCLES: [([f32; 2], f32); 2] = [([8.0, -6.0], 3.0), ([-9.0, 1.0], 4.0)];

/// The segments of cases with obstacles, which come after the circles.
const SEGMENTS: [[[f32; 2]; 2]; 1] = [[[-10.0, 8.0], [12.0, 12.0]]];

/// The points of the path, which is a `Loop`.
const PATH: [[f32; 2]; 4] = [[0.0, -10.0], [20.0, -5.0], [15.0, 20.0], [-5.0, 12.0]];
const PATH_RADIUS: f32 = 3.0;

/// The center, the radius and the strength of the vortex.
const VORTEX: ([f32; 2], f32, f32) = ([3.0, 4.0], 6.0, 1.5);

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
    for one in called() {
        assert!(cases.iter().any(|case| case["call"] == one.name), "no case calls {}", one.name);
    }
    for (name, why) in WITHOUT_VECTORS {
        assert!(steer::find(name).is_some(), "{name}, which needs {why}, does not exist");
    }
    for case in cases {
        let world = world(case);
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

fn world(case: &Value) -> World {
    let space = Space { edge: Edge::Open, min: Vec2::splat(-100.0), size: Vec2::splat(200.0) };
    let agents = agents_of(case);
    let group = GroupBuilder::new("all").body(body()).agents(agents).steer(|_, _| Vec2::ZERO);
    let points = PATH.map(Vec2::from).to_vec();
    let path = Path { name: "path".into(), points, radius: PATH_RADIUS, mode: PathMode::Loop };
    let (center, radius, strength) = VORTEX;
    let shape = FieldShape::Vortex { center: center.into(), radius, strength };
    let field = Field { name: "field".into(), shape };
    let mut simulation = Simulation::builder(space).group(group).path(path).field(field);
    if case["obstacles"] == true {
        for (i, (center, radius)) in CIRCLES.into_iter().enumerate() {
            let shape = Shape::Circle { center: center.into(), radius };
            simulation = simulation.obstacle(&format!("circle {i}"), shape);
        }
        for (i, [from, to]) in SEGMENTS.into_iter().enumerate() {
            let shape = Shape::Segment { from: from.into(), to: to.into() };
            simulation = simulation.obstacle(&format!("segment {i}"), shape);
        }
    }
    World::clone(simulation.build().unwrap().world())
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
        ParamKind::Number | ParamKind::Signed => Arg::Number(number(&given["number"])),
        ParamKind::Point | ParamKind::Vector => Arg::Vector(vector(&given["vector"])),
        ParamKind::Agent => Arg::Agent(world.agent(given["agent"].as_u64().unwrap() as usize)),
        ParamKind::Neighbors => Arg::Neighbors(Neighborhood::within(number(&given["radius"]))),
        ParamKind::Forces => Arg::Forces(&lists[i]),
        ParamKind::Numbers => Arg::Numbers(&numbers[i]),
        ParamKind::Slots => Arg::Slots(given["slots"].as_u64().unwrap() as usize),
        ParamKind::Path => Arg::Path(PathId(0)),
        ParamKind::Flow if given["field"] == 0 => Arg::Flow(Flow::Field(FieldId(0))),
        ParamKind::Flow => Arg::Flow(Flow::Vector(vector(&given["vector"]))),
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
    for primitive in called() {
        for has_obstacles in [false, true] {
            if has_obstacles && !primitive.sees_obstacles {
                continue;
            }
            for (place, scene) in SCENES.iter().enumerate() {
                for variant in 0..4 {
                    lines.push(case(primitive, scene, has_obstacles, place, variant));
                }
            }
        }
    }
    lines.dedup();
    let circle = |(center, radius): ([f32; 2], f32)| {
        format!("{{\"center\": {center:?}, \"radius\": {radius:?}}}")
    };
    let segment = |[from, to]: [[f32; 2]; 2]| format!("{{\"from\": {from:?}, \"to\": {to:?}}}");
    let circles = CIRCLES.map(circle);
    let obstacles: Vec<String> = circles.into_iter().chain(SEGMENTS.map(segment)).collect();
    format!(
        "{{\n\"about\": \"Calls with their exact results in 32-bit floats; docs/src/conformance.md describes the format.\",\n\
         \"body\": {{\"radius\": 1.0, \"mass\": 1.0, \"max_speed\": 5.0, \"max_force\": 8.0}},\n\
         \"world\": {{\"min\": [-100.0, -100.0], \"size\": [200.0, 200.0]}},\n\
         \"obstacles\": [{}],\n\
         \"path\": {{\"points\": {PATH:?}, \"radius\": {PATH_RADIUS:?}, \"mode\": \"Loop\"}},\n\
         \"field\": {{\"center\": {:?}, \"radius\": {:?}, \"strength\": {:?}}},\n\"cases\": [\n{}\n]\n}}\n",
        obstacles.join(", "),
        VORTEX.0,
        VORTEX.1,
        VORTEX.2,
        lines.join(",\n")
    )
}

/// Returns the line of one case. The first variant has the defaults for all params that have one.
fn case(
    primitive: &Primitive,
    scene: Agents,
    has_obstacles: bool,
    place: usize,
    variant: usize,
) -> String {
    let mut line = format!("{{\"call\": \"{}\", \"agents\": [", primitive.name);
    for (i, &(pos, vel, heading)) in scene.iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        let _ =
            write!(line, "{comma}{{\"pos\": {pos:?}, \"vel\": {vel:?}, \"heading\": {heading:?}}}");
    }
    line.push(']');
    if has_obstacles {
        line.push_str(", \"obstacles\": true");
    }
    line.push_str(", \"arguments\": [");
    let mut agents = 0;
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
            ParamKind::Number | ParamKind::Signed => {
                write!(line, "{comma}{{\"number\": {number}}}")
            }
            ParamKind::Point | ParamKind::Vector => {
                write!(line, "{comma}{{\"vector\": {:?}}}", POINTS[at % POINTS.len()])
            }
            ParamKind::Agent => {
                agents = (agents + 1).min(scene.len() - 1);
                write!(line, "{comma}{{\"agent\": {agents}}}")
            }
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
            ParamKind::Path => write!(line, "{comma}{{\"path\": 0}}"),
            ParamKind::Flow if variant.is_multiple_of(2) => write!(line, "{comma}{{\"field\": 0}}"),
            ParamKind::Flow => {
                write!(line, "{comma}{{\"vector\": {:?}}}", FORCES[1][place % 3])
            }
        };
    }
    line.push_str("], \"result\": ");
    // The arguments are read back, so that the file has what they are.
    let json: Value = serde_json::from_str(&format!("{line}null}}")).unwrap();
    let world = world(&json);
    let (lists, numbers) = lists_of(&json);
    let args = arguments_of(&json, primitive, &world, &lists, &numbers);
    let result = primitive.call(&world.me(0), &args).unwrap();
    let _ = match primitive.force_kind {
        ForceKind::Index => write!(line, "{:?}}}", result.x),
        _ => write!(line, "[{:?}, {:?}]}}", result.x, result.y),
    };
    line
}
