//! Compares our primitives with numeric cases of Yuka and OpenSteer.
//!
//! The cases are in a folder next to the checkout, with the other reference data; if that is missing, the test is
//! skipped. A case is used if our definition and theirs agree, or if a stated conversion makes them agree. All
//! other cases are counted, and [`TABLE`] says why they are skipped.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path as FilePath;
use std::sync::{Arc, Mutex};

use flockwork_engine::geom::{Shape, nearest_approach, nearest_on_polyline, point_along};
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::script::Behavior;
use flockwork_engine::sim::{Brain, GroupBuilder, Simulation};
use flockwork_engine::steer;
use flockwork_engine::world::{
    AgentId, Body, Edge, Me, Mind, Neighborhood, NewAgent, Obstacle, Path, PathId, PathMode,
    Progress, Space, View,
};
use serde_json::Value;

use crate::support::{ShippedScripts, report, skipped, step};

const CASES: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/conformance/numeric_cases.json");

/// Library, behavior, number of used cases, number of skipped cases, and why these are skipped.
const TABLE: [(&str, &str, usize, usize, &str); 27] = [
    ("opensteer", "alignment", 4, 1, THREE_RADII),
    ("opensteer", "avoid_neighbors", 6, 0, ""),
    ("opensteer", "avoid_sphere", 5, 0, ""),
    ("opensteer", "cohesion", 5, 0, ""),
    ("opensteer", "map_distance_to_point", 11, 0, ""),
    ("opensteer", "map_point_to_path", 41, 0, ""),
    ("opensteer", "nearest_approach", 5, 0, ""),
    ("opensteer", "pursuit", 6, 0, ""),
    ("opensteer", "seek", 12, 0, ""),
    ("opensteer", "separation", 6, 0, ""),
    ("opensteer", "target_speed", 2, 0, ""),
    ("yuka", "alignment", 1, 0, ""),
    ("yuka", "arrive", 4, 0, ""),
    ("yuka", "cohesion", 1, 0, ""),
    ("yuka", "evade", 2, 0, ""),
    ("yuka", "flee", 3, 0, ""),
    ("yuka", "follow_path", 2, 0, ""),
    ("yuka", "interpose", 1, 0, ""),
    ("yuka", "moving_average", 0, 1, NO_PRIMITIVE),
    (
        "yuka",
        "obstacle_avoidance",
        1,
        1,
        "a detection box that brakes and always pushes to one side",
    ),
    (
        "yuka",
        "offset_pursuit",
        0,
        1,
        "not in a plane; the tests of `offset_pursue` have its numbers",
    ),
    ("yuka", "prioritized_accumulate", 4, 0, ""),
    ("yuka", "pursuit", 2, 0, ""),
    ("yuka", "semi_implicit_euler", 5, 0, ""),
    ("yuka", "seek", 2, 0, ""),
    ("yuka", "separation", 1, 0, ""),
    ("yuka", "stay_on_path", 3, 1, "a path without points, which a world cannot have"),
];

const NO_PRIMITIVE: &str = "we have no such primitive";
const THREE_RADII: &str = "there, an agent within three radii counts even if it is out of view";

#[test]
fn forces_equal_those_of_other_libraries() {
    if !FilePath::new(CASES).is_file() {
        skipped(&format!(
            "the numeric cases of other libraries are expected next to the checkout, but there is no {CASES}"
        ));
        return;
    }
    let all: Value = serde_json::from_str(&fs::read_to_string(CASES).unwrap()).unwrap();
    let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for json in all["cases"].as_array().unwrap() {
        let case = NumericCase::new(json);
        let (used, left) = counts.entry((case.library, case.behavior)).or_default();
        *(if check(&case) { used } else { left }) += 1;
    }
    let expected: BTreeMap<_, _> = TABLE
        .iter()
        .map(|&(library, behavior, used, left, _)| ((library, behavior), (used, left)))
        .collect();
    for (library, behavior, used, left, why) in TABLE {
        let why = if left > 0 { why } else { "" };
        report(&format!("{library:9} {behavior:22} {used:2} used, {left} skipped {why}"));
    }
    assert_eq!(counts, expected, "numbers of used and skipped cases");
}

/// Compares one case. Returns `false` if it cannot be used.
fn check(case: &NumericCase<'_>) -> bool {
    let scene = TestScene::of(case);
    match (case.library, case.behavior) {
        // The same except for the speed: theirs is the distance, see `seek`.
        ("opensteer", "seek") => {
            let target = case.param_point("target");
            let speed = math::length(target - scene.me.pos);
            case.force_is(scene.force(move |me, _| steer::seek(me, target, speed)));
        }
        ("opensteer", "pursuit") => opensteer_pursuit(case, &scene),
        // Our definitions differ on purpose; a script can give theirs.
        ("opensteer", "avoid_neighbors") => {
            let horizon = case.param("min_time_to_collision");
            case.force_is(scene.force_of_script("opensteer_avoid_neighbors", horizon));
        }
        ("opensteer", "target_speed") => {
            // The velocity to match is along the heading. Theirs limits the force to max_force itself; ours leaves
            // that to the body.
            let velocity = scene.me.heading.unwrap() * case.param("target_speed");
            let force = scene.force(move |me, _| steer::match_velocity(me, velocity));
            case.force_is(math::limit(force, scene.body.max_force));
        }
        ("opensteer", "avoid_sphere") => opensteer_avoid_sphere(case, scene),
        ("opensteer", "separation" | "cohesion" | "alignment") => {
            return opensteer_flock(case, scene);
        }
        ("opensteer", "map_point_to_path") => map_point_to_path(case),
        ("opensteer", "map_distance_to_point") => {
            let closed = case.json["params"]["cyclic"].as_bool().unwrap();
            let along = case.number("distance");
            case.same(
                point_along(&case.waypoints(), closed, along),
                case.point(&case.json["expected_point"]),
            );
        }
        ("yuka", "seek") => {
            let (target, speed) = (case.param_point("target"), scene.body.max_speed);
            case.force_is(scene.force(move |me, _| steer::seek(me, target, speed)));
        }
        ("yuka", "flee") => {
            let (target, speed) = (case.param_point("target"), scene.body.max_speed);
            let radius = case.param("panic_distance");
            case.force_is(scene.force(move |me, _| steer::flee(me, target, radius, speed)));
        }
        ("yuka", "arrive") => {
            assert_eq!(case.param("tolerance"), 0.0, "{}", case.id);
            // Their deceleration is a time: speed = distance / deceleration, limited to the maximum.
            let (target, speed) = (case.param_point("target"), scene.body.max_speed);
            let slowing = speed * case.param("deceleration");
            case.force_is(scene.force(move |me, _| steer::arrive(me, target, slowing, speed)));
        }
        ("yuka", "interpose") => {
            let speed = scene.body.max_speed;
            let (slowing, far) = (speed * case.param("deceleration"), f32::INFINITY);
            case.force_is(scene.force(move |me, _| {
                let [a, b] = [1, 2].map(|row| me.world().agent(row));
                steer::interpose(me, a, b, slowing, 0.5, far, speed)
            }));
        }
        ("yuka", "pursuit" | "evade") => yuka_chase(case, scene),
        ("yuka", "separation") => yuka_separation(case, scene),
        ("yuka", "cohesion") => {
            // Theirs is the unit vector of ours.
            let speed = scene.body.max_speed;
            let force = scene.force(move |me, _| steer::cohesion(me, everyone(), speed));
            case.force_is(math::unit(force));
        }
        ("yuka", "alignment") => {
            let (scene, mean) = scene.by_headings(everyone());
            case.force_is(scene.force(move |me, _| steer::alignment(me, everyone(), mean)));
        }
        ("yuka", "obstacle_avoidance") => {
            // With an obstacle, the definitions have nothing in common. Without one, there is no force.
            if !case.json["obstacles"].as_array().unwrap().is_empty() {
                return false;
            }
            let speed = scene.body.max_speed;
            let force = scene.force(move |me, _| steer::avoid_obstacles(me, 2.0, 0.0, speed));
            case.force_is(force);
        }
        ("yuka", "follow_path") => yuka_follow_path(case, scene),
        ("yuka", "stay_on_path") => {
            if case.waypoints().is_empty() {
                return false;
            }
            let (speed, horizon) = (scene.body.max_speed, case.param("prediction_factor"));
            let scene = scene.with_path(case, case.param("radius"));
            case.force_is(
                scene.force(move |me, _| steer::stay_on_path(me, PathId(0), horizon, speed)),
            );
        }
        ("yuka", "prioritized_accumulate") => {
            // Their weights belong to the combinator, ours to the forces.
            let forces = case.points(&case.json["forces"]);
            let weights = case.json["weights"].as_array().unwrap();
            assert_eq!(forces.len(), weights.len(), "{}", case.id);
            let weighted = forces.iter().zip(weights).map(|(&f, w)| f * number(w));
            let (weighted, most): (Vec<_>, f32) = (weighted.collect(), case.number("max_force"));
            case.force_is(scene.force(move |me, _| steer::budget(me, &weighted, most)));
        }
        ("yuka", "semi_implicit_euler") => {
            let force = case.point(&case.json["force"]);
            let mut simulation =
                scene.simulation(Arc::new(move |_: &Me<'_>, _: Mind<'_>| force), 0.0);
            for _ in 0..case.json["steps"].as_u64().unwrap() {
                step(&mut simulation);
            }
            case.same(
                simulation.world().agents.pos(0),
                case.point(&case.json["expected_position"]),
            );
        }
        ("opensteer", "nearest_approach") => {
            let (me, other) = (&scene.me, &scene.others[0]);
            let ours = nearest_approach(other.pos - me.pos, other.vel - me.vel);
            let theirs = scene.force_of_script("opensteer_nearest_approach", 0.0);
            case.same_number(theirs.x, case.number("expected_time"));
            case.same_number(theirs.y, case.number("expected_distance"));
            // A time in the past is 0 here.
            if case.number("expected_time") < 0.0 {
                assert_eq!(ours.time, 0.0, "{}", case.id);
                return true;
            }
            case.same_number(ours.time, case.number("expected_time"));
            case.same_number(ours.distance, case.number("expected_distance"));
        }
        ("yuka", "moving_average" | "offset_pursuit") => return false,
        other => panic!("{}: unknown case {other:?}", case.id),
    }
    true
}

/// Theirs predicts with another time, which is limited, and its speed is the distance. A script gives the same. If the
/// limit applies to both, only the speed differs: ours is set low enough that the limit applies, and the directions are
/// compared too.
fn opensteer_pursuit(case: &NumericCase<'_>, scene: &TestScene) {
    let (quarry, cap) = (&scene.others[0], case.param("max_prediction_time"));
    case.force_is(scene.force_of_script("opensteer_pursuit", cap));
    let (distance, way) = (math::length(quarry.pos - scene.me.pos), math::length(quarry.vel));
    let speed = (distance / cap - way) / 2.0;
    if speed > 0.0 {
        let vel = scene.me.vel;
        let force =
            scene.force(move |me, _| steer::pursue(me, me.world().agent(1), cap, speed, 1.0));
        case.same(math::unit(force + vel), math::unit(case.expected() + vel));
    }
}

/// Scripts that give the forces of other libraries where our definitions differ on purpose. `me.params.number` is the one
/// param of their functions.
const THEIRS: &[(&str, &str)] = &[
    ("opensteer_pursuit", OPENSTEER_PURSUIT),
    ("opensteer_avoid_neighbors", OPENSTEER_AVOID_NEIGHBORS),
    ("opensteer_nearest_approach", OPENSTEER_NEAREST_APPROACH),
];

/// The time depends on whether the quarry is ahead, aside or behind, and on whether it goes the same way, across, or the
/// other way. The speed is the distance.
const OPENSTEER_PURSUIT: &str = r#"
const FACTORS = [4.0, 1.8, 0.85, 1.0, 0.8, 4.0, 0.5, 2.0, 2.0];

fn third(cosine) {
    if cosine > 0.707 { 0 } else if cosine < -0.707 { 2 } else { 1 }
}

fn steer(me) {
    let quarry = world.agent("others");
    let offset = quarry.pos - me.pos;
    let place = third(me.heading.dot(offset.normalized()));
    let factor = FACTORS[3 * place + third(me.heading.dot(quarry.heading))];
    let time = min(offset.length() / me.speed * factor, me.params.number);
    quarry.pos + quarry.vel * time - me.pos - me.vel
}
"#;

/// First, agents that overlap; then the one with the soonest collision, by the angle between both headings.
const OPENSTEER_AVOID_NEIGHBORS: &str = r#"
fn steer(me) {
    let right = -me.heading.perp();
    let soonest = me.params.number;
    let threat = ();
    for other in me.neighbors() {
        let away = me.pos - other.pos;
        if away.length() < me.radius + other.radius {
            return away - me.heading * away.dot(me.heading);
        }
        let relative = other.vel - me.vel;
        let time = if relative.length() > 0.0 { away.dot(relative) / relative.length_squared() } else { 0.0 };
        if time >= 0.0 && time < soonest && (away - relative * time).length() < 2.0 * me.radius {
            soonest = time;
            threat = other;
        }
    }
    if threat == () { return vec(0, 0); }
    let parallel = me.heading.dot(threat.heading);
    let side = if parallel < -0.707 {
        right.dot(threat.pos + threat.vel * soonest - me.pos)
    } else if parallel > 0.707 {
        right.dot(threat.pos - me.pos)
    } else if threat.speed <= me.speed {
        right.dot(threat.vel)
    } else {
        return vec(0, 0);
    };
    if side > 0.0 { -right } else { right }
}
"#;

/// The time may be in the past.
const OPENSTEER_NEAREST_APPROACH: &str = r#"
fn steer(me) {
    let other = world.agent("others");
    let away = me.pos - other.pos;
    let relative = other.vel - me.vel;
    let time = away.dot(relative) / relative.length_squared();
    vec(time, (away - relative * time).length())
}
"#;

/// Between the places of both agents at the time at which this agent could reach the middle.
/// Theirs is a maximum force across the heading, ours a desired velocity along the surface. They agree on when there is a
/// force, and to which side it turns.
fn opensteer_avoid_sphere(case: &NumericCase<'_>, mut scene: TestScene) {
    for obstacle in case.json["obstacles"].as_array().unwrap() {
        scene.obstacles.push(Obstacle {
            name: "it".into(),
            shape: Shape::Circle {
                center: case.point(&obstacle["center"]),
                radius: number(&obstacle["radius"]),
            },
        });
    }
    let (horizon, speed) = (case.param("min_time_to_collision"), scene.body.max_speed);
    let force = scene.force(move |me, _| steer::avoid_obstacles(me, horizon, 0.0, speed));
    let ahead = scene.me.heading.unwrap();
    let side = math::unit(force - ahead * force.dot(ahead));
    case.same(side, math::unit(case.expected()));
}

/// Theirs are unit vectors: of our desired velocity at speed 1 or, for alignment, of the force. There, an agent within
/// three radii counts wherever it is; cases in which that matters are skipped.
fn opensteer_flock(case: &NumericCase<'_>, scene: TestScene) -> bool {
    let (reach, cos_half) = (case.param("max_distance"), case.param("cos_max_angle"));
    let near = Neighborhood::within(reach).in_view(View::Cone { cos_half });
    let ahead = scene.me.heading.unwrap();
    let three_radii_matter = scene.others.iter().any(|other| {
        let offset = other.pos - scene.me.pos;
        let distance = math::length(offset);
        distance < 3.0 * scene.body.radius && ahead.dot(offset) < cos_half * distance
    });
    if three_radii_matter {
        return false;
    }
    let vel = scene.me.vel;
    // Without neighbors both are zero, and ours does not brake.
    let desired = |force: Vec2| {
        if force == Vec2::ZERO { force } else { force + vel }
    };
    match case.behavior {
        "separation" => {
            case.force_is(desired(scene.force(move |me, _| steer::separation(me, near, 1.0))));
        }
        "cohesion" => {
            case.force_is(desired(scene.force(move |me, _| steer::cohesion(me, near, 1.0))));
        }
        _ => {
            let (scene, mean) = scene.by_headings(near);
            let force = scene.force(move |me, _| steer::alignment(me, near, mean));
            case.force_is(math::unit(force));
        }
    }
    true
}

fn map_point_to_path(case: &NumericCase<'_>) {
    let points = case.waypoints();
    let closed = case.json["params"]["cyclic"].as_bool().unwrap();
    let found = nearest_on_polyline(&points, closed, case.point(&case.json["point"]));
    case.same(found.point, case.point(&case.json["expected_point"]));
    case.same_number(found.along, case.number("expected_distance"));
    // Their distance is measured from the side of the path, ours from its center line.
    case.same_number(found.distance - case.param("radius"), case.number("expected_outside"));
    if let Some(tangent) = case.json.get("expected_tangent") {
        let along = points[(found.edge + 1) % points.len()] - points[found.edge];
        case.same(math::unit(along), case.point(tangent));
    }
}

/// Theirs predicts k times as long: T = k * distance / (speed + |vq|), which is ours at the speed
/// (speed + |vq|) / k - |vq|. If that is zero, a speed close to it is used. The desired velocity is then scaled to the
/// speed. Their panic distance is measured to the predicted position of the other agent, ours to its present position;
/// in these cases both are within the panic distance. Their special case for an agent that comes head-on gives the same
/// result if that agent stands still.
fn yuka_chase(case: &NumericCase<'_>, scene: TestScene) {
    let (other, factor) = (&scene.others[0], case.param("prediction_factor"));
    let (speed, way) = (scene.body.max_speed, math::length(other.vel));
    let slower = math::max((speed + way) / factor - way, 1e-6);
    let vel = scene.me.vel;
    let evades = case.behavior == "evade";
    let radius = if evades { case.param("panic_distance") } else { f32::INFINITY };
    let force = scene.force(move |me, _| {
        let other = me.world().agent(1);
        if evades {
            steer::evade(me, other, radius, f32::INFINITY, slower, 1.0)
        } else {
            steer::pursue(me, other, f32::INFINITY, slower, 1.0)
        }
    });
    case.force_is(math::unit(force + vel) * speed - vel);
}

/// Theirs is the sum whose direction ours takes. There, an agent at the same place has no effect; here it deliberately has
/// one, so it is removed.
fn yuka_separation(case: &NumericCase<'_>, mut scene: TestScene) {
    let place = scene.me.pos;
    scene.others.retain(|other| other.pos != place);
    case.force_is(scene.force(|me, _| me.summary(&everyone()).push));
    let speed = math::length(case.expected());
    let vel = scene.me.vel;
    let force = scene.force(move |me, _| steer::separation(me, everyone(), speed));
    case.force_is(force + vel);
}

/// Ours has one radius for reaching a waypoint and for slowing down at the last one. Theirs slows down as in `arrive`.
fn yuka_follow_path(case: &NumericCase<'_>, scene: TestScene) {
    let waypoint = case.param("current_index") as u32;
    let speed = scene.body.max_speed;
    let is_last = waypoint as usize + 1 == case.waypoints().len();
    let radius = if is_last {
        speed * case.param("arrive_deceleration")
    } else {
        case.param("next_waypoint_distance")
    };
    let scene = scene.with_path(case, radius);
    case.force_is(scene.force(move |me, progress| {
        progress[0].waypoint = waypoint;
        steer::follow_path(&me.with_progress(progress), PathId(0), speed)
    }));
}

fn everyone() -> Neighborhood {
    Neighborhood::within(f32::INFINITY)
}

/// One case, in its plane.
struct NumericCase<'c> {
    id: &'c str,
    library: &'c str,
    behavior: &'c str,
    json: &'c Value,
    /// Their axes that become our x and y, so that left there is left here.
    plane: Option<[usize; 2]>,
}

impl<'c> NumericCase<'c> {
    fn new(json: &'c Value) -> Self {
        let library = json["library"].as_str().unwrap();
        let library = [("yuka", "yuka 0.7.8 "), ("opensteer", "OpenSteer ")]
            .into_iter()
            .find(|(_, start)| library.starts_with(start))
            .unwrap_or_else(|| panic!("unknown library {library}"))
            .0;
        let mut vectors = Vec::new();
        collect_vectors(json, &mut vectors);
        let flat = |axis: usize| vectors.iter().all(|v| v[axis] == 0.0);
        let drop = [1, 0, 2].into_iter().find(|&axis| flat(axis));
        Self {
            id: json["id"].as_str().unwrap(),
            library,
            behavior: json["behavior"].as_str().unwrap(),
            json,
            plane: drop.map(|axis| [(axis + 1) % 3, (axis + 2) % 3]),
        }
    }

    fn point(&self, list: &Value) -> Vec2 {
        let [x, y] = self.plane.unwrap_or_else(|| panic!("{} is not in a plane", self.id));
        Vec2::new(number(&list[x]), number(&list[y]))
    }

    fn points(&self, list: &Value) -> Vec<Vec2> {
        let list = list.as_array().unwrap().iter();
        list.map(|one| self.point(one)).collect()
    }

    fn waypoints(&self) -> Vec<Vec2> {
        self.points(&self.json["params"]["waypoints"])
    }

    fn number(&self, name: &str) -> f32 {
        number(&self.json[name])
    }

    fn param(&self, name: &str) -> f32 {
        number(&self.json["params"][name])
    }

    fn param_point(&self, name: &str) -> Vec2 {
        self.point(&self.json["params"][name])
    }

    fn expected(&self) -> Vec2 {
        self.point(&self.json["expected_force"])
    }

    fn force_is(&self, ours: Vec2) {
        self.same(ours, self.expected());
    }

    fn same(&self, ours: Vec2, theirs: Vec2) {
        let tolerance = self.tolerance(math::length(theirs));
        assert!(math::length(ours - theirs) <= tolerance, "{}: {ours} for {theirs}", self.id);
    }

    fn same_number(&self, ours: f32, theirs: f32) {
        let tolerance = self.tolerance(theirs.abs());
        assert!((ours - theirs).abs() <= tolerance, "{}: {ours} for {theirs}", self.id);
    }

    /// Returns the tolerance for a result of this size: that of single precision, or that of the case.
    fn tolerance(&self, size: f32) -> f32 {
        let given = |name: &str| self.json.get(name).map_or(0.0, number);
        let relative = math::max(given("tolerance_rel"), 1e-5);
        math::max(relative * math::max(size, 1.0), given("tolerance"))
    }

    fn new_agent(&self, agent: &Value) -> NewAgent {
        NewAgent {
            pos: self.point(&agent["position"]),
            vel: self.point(&agent["velocity"]),
            heading: Some(self.point(&agent["forward"])),
            sequence: 0,
        }
    }
}

fn number(json: &Value) -> f32 {
    let number = json.as_f64();
    number.unwrap_or_else(|| panic!("{json} is not a number")) as f32
}

/// Collects all lists of three numbers.
fn collect_vectors(json: &Value, found: &mut Vec<[f64; 3]>) {
    match json {
        Value::Array(list) => {
            let numbers: Vec<_> = list.iter().filter_map(Value::as_f64).collect();
            match numbers[..] {
                [x, y, z] if list.len() == 3 => found.push([x, y, z]),
                _ => list.iter().for_each(|one| collect_vectors(one, found)),
            }
        }
        Value::Object(map) => map.values().for_each(|one| collect_vectors(one, found)),
        _ => {}
    }
}

/// The world in which a primitive is called.
struct TestScene {
    me: NewAgent,
    body: Body,
    others: Vec<NewAgent>,
    paths: Vec<Path>,
    obstacles: Vec<Obstacle>,
    dt: f32,
}

impl TestScene {
    /// Returns the agents of a case; one at the origin if the case has none.
    fn of(case: &NumericCase<'_>) -> Self {
        let agent = &case.json["agent"];
        let given = |name: &str, other: f32| agent.get(name).map_or(other, number);
        let body = Body {
            radius: given("radius", 1.0),
            mass: given("mass", 1.0),
            max_speed: given("max_speed", f32::INFINITY),
            max_force: given("max_force", f32::INFINITY),
            ..Body::default()
        };
        let in_plane = agent.is_object() && case.plane.is_some();
        let me = if in_plane { case.new_agent(agent) } else { NOBODY };
        let target = case.json.get("target").into_iter();
        let list = |name: &str| case.json.get(name).and_then(Value::as_array).into_iter().flatten();
        let others = target
            .chain(list("neighbors"))
            .chain(list("targets"))
            .filter(|_| in_plane)
            .map(|other| case.new_agent(other))
            .collect();
        Self {
            me,
            body,
            others,
            paths: Vec::new(),
            obstacles: Vec::new(),
            dt: case.json.get("dt").map_or(1.0, number),
        }
    }

    fn with_path(mut self, case: &NumericCase<'_>, radius: f32) -> Self {
        let closed = case.json["params"]["loop"].as_bool().unwrap();
        self.paths.push(Path {
            name: "path".into(),
            points: case.waypoints(),
            radius,
            mode: if closed { PathMode::Loop } else { PathMode::Once },
        });
        self
    }

    /// Converts a case for alignment of headings. Theirs is the mean heading minus the own heading. Ours is the same if all
    /// agents move at speed 1 and the speed is the length of the mean heading, which is returned with the scene.
    fn by_headings(mut self, near: Neighborhood) -> (Self, f32) {
        for agent in self.others.iter_mut().chain([&mut self.me]) {
            agent.vel = agent.heading.unwrap();
        }
        let mean = self.force(move |me, _| me.summary(&near).mean_velocity());
        (self, math::length(mean))
    }

    /// Returns a simulation with the agent in row 0, and after it the others, which apply no force.
    fn simulation(&self, brain: Arc<dyn Brain>, number: f32) -> Simulation {
        let space = Space { edge: Edge::Open, min: Vec2::splat(-100.0), size: Vec2::splat(200.0) };
        let group = |name: &str| GroupBuilder::new(name).body(self.body);
        let mut builder = Simulation::builder(space)
            .dt(self.dt)
            .group(group("me").param("number", number).agents([self.me]).brain(brain))
            .group(group("others").agents(self.others.clone()).steer(|_, _| Vec2::ZERO));
        for obstacle in &self.obstacles {
            builder = builder.obstacle(&obstacle.name, obstacle.shape.clone());
        }
        for path in &self.paths {
            builder = builder.path(path.clone());
        }
        builder.build().unwrap()
    }

    /// Returns the force of one of [`THEIRS`] for the agent in its first tick, with one number as a param.
    fn force_of_script(&self, name: &str, number: f32) -> Vec2 {
        let behavior = Behavior::compile(name, &ShippedScripts(THEIRS));
        let behavior = behavior.unwrap_or_else(|errors| panic!("{}", errors[0].render(false)));
        let simulation = self.simulation(Arc::new(behavior), number);
        let explanation = simulation.explain(AgentId(0)).unwrap_or_else(|error| panic!("{error}"));
        explanation.unwrap().force
    }

    /// Returns the force of a primitive for the agent in its first tick.
    fn force(
        &self,
        primitive: impl Fn(&Me<'_>, &mut [Progress]) -> Vec2 + Send + Sync + 'static,
    ) -> Vec2 {
        let result = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&result);
        let brain = move |me: &Me<'_>, mind: Mind<'_>| {
            let force = primitive(me, mind.progress);
            *shared.lock().unwrap() = Some(force);
            force
        };
        step(&mut self.simulation(Arc::new(brain), 0.0));
        result.lock().unwrap().unwrap()
    }
}

const NOBODY: NewAgent = NewAgent { pos: Vec2::ZERO, vel: Vec2::ZERO, heading: None, sequence: 0 };
