//! Our primitives against numeric cases of Yuka and OpenSteer.
//!
//! The cases are kept beside the checkout, with the other reference data; where that folder is missing
//! there is nothing to compare with. A case is used where our definition and theirs agree, or differ by
//! something that can be stated, which is then said where it is converted. The others are counted and
//! [`TABLE`] says why they are left.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path as FilePath;
use std::sync::{Arc, Mutex};

use flockwork_engine::geom::{Shape, nearest_approach, nearest_on_polyline, point_along};
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::sim::{Brain, GroupBuilder, Simulation};
use flockwork_engine::steer;
use flockwork_engine::world::{
    Body, Edge, Me, Mind, Neighborhood, NewAgent, Obstacle, Path, PathId, PathMode, Progress,
    Space, View,
};
use serde_json::Value;

use crate::support::{report, step};

const CASES: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/conformance/numeric_cases.json");

/// Library, behavior, how many cases are used and how many are left, and why those are left.
const TABLE: [(&str, &str, usize, usize, &str); 27] = [
    ("opensteer", "alignment", 4, 1, THREE_RADII),
    ("opensteer", "avoid_neighbors", 0, 6, NO_PRIMITIVE),
    ("opensteer", "avoid_sphere", 5, 0, ""),
    ("opensteer", "cohesion", 5, 0, ""),
    ("opensteer", "map_distance_to_point", 11, 0, ""),
    ("opensteer", "map_point_to_path", 41, 0, ""),
    ("opensteer", "nearest_approach", 2, 3, "theirs lies in the past, where ours is now"),
    (
        "opensteer",
        "pursuit",
        3,
        3,
        "another time to meet: from a table of nine factors, not capped",
    ),
    ("opensteer", "seek", 12, 0, ""),
    ("opensteer", "separation", 6, 0, ""),
    ("opensteer", "target_speed", 2, 0, ""),
    ("yuka", "alignment", 1, 0, ""),
    ("yuka", "arrive", 4, 0, ""),
    ("yuka", "cohesion", 1, 0, ""),
    ("yuka", "evade", 2, 0, ""),
    ("yuka", "flee", 3, 0, ""),
    ("yuka", "follow_path", 2, 0, ""),
    ("yuka", "interpose", 0, 1, NO_PRIMITIVE),
    ("yuka", "moving_average", 0, 1, NO_PRIMITIVE),
    (
        "yuka",
        "obstacle_avoidance",
        1,
        1,
        "a detection box that brakes and pushes to one side always",
    ),
    ("yuka", "offset_pursuit", 0, 1, NO_PRIMITIVE),
    ("yuka", "prioritized_accumulate", 4, 0, ""),
    ("yuka", "pursuit", 2, 0, ""),
    ("yuka", "semi_implicit_euler", 5, 0, ""),
    ("yuka", "seek", 2, 0, ""),
    ("yuka", "separation", 1, 0, ""),
    ("yuka", "stay_on_path", 3, 1, "a path without points, which no world has"),
];

const NO_PRIMITIVE: &str = "we have no such primitive";
const THREE_RADII: &str = "an agent within three radii counts there although out of view";

#[test]
fn forces_are_those_of_other_libraries() {
    if !FilePath::new(CASES).is_file() {
        report(&format!(
            "SKIPPED: the numeric cases of other libraries are kept beside the checkout, and there is no {CASES}"
        ));
        return;
    }
    let all: Value = serde_json::from_str(&fs::read_to_string(CASES).unwrap()).unwrap();
    let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for json in all["cases"].as_array().unwrap() {
        let case = Case::new(json);
        let (used, left) = counts.entry((case.library, case.behavior)).or_default();
        *(if check(&case) { used } else { left }) += 1;
    }
    let expected: BTreeMap<_, _> = TABLE
        .iter()
        .map(|&(library, behavior, used, left, _)| ((library, behavior), (used, left)))
        .collect();
    for (library, behavior, used, left, why) in TABLE {
        let why = if left > 0 { why } else { "" };
        report(&format!("{library:9} {behavior:22} {used:2} used, {left} left {why}"));
    }
    assert_eq!(counts, expected, "how many cases are used and left");
}

/// Compares one case; `false` if it cannot be used.
fn check(case: &Case<'_>) -> bool {
    let scene = Scene::of(case);
    match (case.library, case.behavior) {
        // The same up to the definition of the wanted speed: theirs is the distance, see `seek`.
        ("opensteer", "seek") => {
            let target = case.param_point("target");
            let speed = math::length(target - scene.me.pos);
            case.force_is(scene.ask(move |me, _| steer::seek(me, target, speed)));
        }
        ("opensteer", "pursuit") => return opensteer_pursuit(case, &scene),
        ("opensteer", "target_speed") => {
            // The velocity to match is along the heading; theirs cuts to max_force itself, ours leaves
            // that to the body.
            let velocity = scene.me.heading.unwrap() * case.param("target_speed");
            let force = scene.ask(move |me, _| steer::match_velocity(me, velocity));
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
            case.force_is(scene.ask(move |me, _| steer::seek(me, target, speed)));
        }
        ("yuka", "flee") => {
            let (target, speed) = (case.param_point("target"), scene.body.max_speed);
            let radius = case.param("panic_distance");
            case.force_is(scene.ask(move |me, _| steer::flee(me, target, radius, speed)));
        }
        ("yuka", "arrive") => {
            assert_eq!(case.param("tolerance"), 0.0, "{}", case.id);
            // Their deceleration is a time: speed = distance / deceleration, cut to the highest.
            let (target, speed) = (case.param_point("target"), scene.body.max_speed);
            let slowing = speed * case.param("deceleration");
            case.force_is(scene.ask(move |me, _| steer::arrive(me, target, slowing, speed)));
        }
        ("yuka", "pursuit" | "evade") => yuka_chase(case, scene),
        ("yuka", "separation") => yuka_separation(case, scene),
        ("yuka", "cohesion") => {
            // Theirs is the unit vector of ours.
            let speed = scene.body.max_speed;
            let force = scene.ask(move |me, _| steer::cohesion(me, everyone(), speed));
            case.force_is(math::unit(force));
        }
        ("yuka", "alignment") => {
            let (scene, mean) = scene.by_headings(everyone());
            case.force_is(scene.ask(move |me, _| steer::alignment(me, everyone(), mean)));
        }
        ("yuka", "obstacle_avoidance") => {
            // With an obstacle the definitions have nothing in common; without one there is no force.
            if !case.json["obstacles"].as_array().unwrap().is_empty() {
                return false;
            }
            let speed = scene.body.max_speed;
            let force = scene.ask(move |me, _| steer::avoid_obstacles(me, 2.0, 0.0, speed));
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
                scene.ask(move |me, _| steer::stay_on_path(me, PathId(0), horizon, speed)),
            );
        }
        ("yuka", "prioritized_accumulate") => {
            // Their weights are part of the combination, ours of what is combined.
            let forces = case.points(&case.json["forces"]);
            let weights = case.json["weights"].as_array().unwrap();
            assert_eq!(forces.len(), weights.len(), "{}", case.id);
            let weighted = forces.iter().zip(weights).map(|(&f, w)| f * number(w));
            let (weighted, most): (Vec<_>, f32) = (weighted.collect(), case.number("max_force"));
            case.force_is(scene.ask(move |me, _| steer::budget(me, &weighted, most)));
        }
        ("yuka", "semi_implicit_euler") => {
            let force = case.point(&case.json["force"]);
            let mut simulation = scene.simulation(Arc::new(move |_: &Me<'_>, _: Mind<'_>| force));
            for _ in 0..case.json["steps"].as_u64().unwrap() {
                step(&mut simulation);
            }
            case.same(
                simulation.world().agents.pos[0],
                case.point(&case.json["expected_position"]),
            );
        }
        ("opensteer", "nearest_approach") => {
            let (me, other) = (&scene.me, &scene.others[0]);
            let ours = nearest_approach(other.pos - me.pos, other.vel - me.vel);
            if case.number("expected_time") < 0.0 {
                assert_eq!(ours.time, 0.0, "{}", case.id);
                return false;
            }
            case.same_number(ours.time, case.number("expected_time"));
            case.same_number(ours.distance, case.number("expected_distance"));
        }
        ("opensteer", "avoid_neighbors")
        | ("yuka", "interpose" | "moving_average" | "offset_pursuit") => return false,
        other => panic!("{}: nothing is known of {other:?}", case.id),
    }
    true
}

/// Theirs foresees by a time of its own, capped, and wants a speed equal to the distance. Where the cap
/// holds for both, only the speed differs: ours is set low enough for the cap to hold, and the directions are compared.
fn opensteer_pursuit(case: &Case<'_>, scene: &Scene) -> bool {
    let (quarry, cap) = (&scene.others[0], case.param("max_prediction_time"));
    let (distance, way) = (math::length(quarry.pos - scene.me.pos), math::length(quarry.vel));
    let speed = (distance / cap - way) / 2.0;
    if speed <= 0.0 {
        return false;
    }
    let vel = scene.me.vel;
    let force = scene.ask(move |me, _| steer::pursue(me, me.world().agent(1), cap, speed));
    let theirs = case.expected() + vel;
    case.same(math::unit(force + vel), math::unit(theirs));
    true
}

/// Theirs is a force across the heading of full strength, ours a wanted velocity along the surface: they
/// have in common when there is one, and to which side it turns.
fn opensteer_avoid_sphere(case: &Case<'_>, mut scene: Scene) {
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
    let force = scene.ask(move |me, _| steer::avoid_obstacles(me, horizon, 0.0, speed));
    let ahead = scene.me.heading.unwrap();
    let side = math::unit(force - ahead * force.dot(ahead));
    case.same(side, math::unit(case.expected()));
}

/// Theirs are unit vectors: of the velocity that ours wants at speed 1, and for alignment of the force.
/// Whoever is within three radii counts there wherever it is; cases in which that matters are left.
fn opensteer_flock(case: &Case<'_>, scene: Scene) -> bool {
    let (reach, cos_half) = (case.param("max_distance"), case.param("cos_max_angle"));
    let near = Neighborhood::within(reach).seen(View::Cone { cos_half });
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
    // Where there is no neighbor both are zero, and ours does not brake.
    let wanted = |force: Vec2| {
        if force == Vec2::ZERO { force } else { force + vel }
    };
    match case.behavior {
        "separation" => {
            case.force_is(wanted(scene.ask(move |me, _| steer::separation(me, near, 1.0))));
        }
        "cohesion" => {
            case.force_is(wanted(scene.ask(move |me, _| steer::cohesion(me, near, 1.0))));
        }
        _ => {
            let (scene, mean) = scene.by_headings(near);
            let force = scene.ask(move |me, _| steer::alignment(me, near, mean));
            case.force_is(math::unit(force));
        }
    }
    true
}

fn map_point_to_path(case: &Case<'_>) {
    let points = case.waypoints();
    let closed = case.json["params"]["cyclic"].as_bool().unwrap();
    let found = nearest_on_polyline(&points, closed, case.point(&case.json["point"]));
    case.same(found.point, case.point(&case.json["expected_point"]));
    case.same_number(found.along, case.number("expected_distance"));
    // Theirs counts from the edge of the path, ours from its middle.
    case.same_number(found.distance - case.param("radius"), case.number("expected_outside"));
    if let Some(tangent) = case.json.get("expected_tangent") {
        let along = points[(found.edge + 1) % points.len()] - points[found.edge];
        case.same(math::unit(along), case.point(tangent));
    }
}

/// Theirs foresees k times as long: T = k * distance / (speed + |vq|), which is ours at the speed
/// (speed + |vq|) / k - |vq|. Where that is zero the limit toward it is taken. The wanted velocity is
/// then scaled to the speed. Flee's distance is measured there to where the other will be, and here to
/// where it is, which in these cases are both within the panic distance; their shortcut for one that
/// comes head-on is the same where it stands still.
fn yuka_chase(case: &Case<'_>, scene: Scene) {
    let (other, factor) = (&scene.others[0], case.param("prediction_factor"));
    let (speed, way) = (scene.body.max_speed, math::length(other.vel));
    let slower = math::max((speed + way) / factor - way, 1e-6);
    let vel = scene.me.vel;
    let evades = case.behavior == "evade";
    let radius = if evades { case.param("panic_distance") } else { f32::INFINITY };
    let force = scene.ask(move |me, _| {
        let other = me.world().agent(1);
        if evades {
            steer::evade(me, other, radius, f32::INFINITY, slower)
        } else {
            steer::pursue(me, other, f32::INFINITY, slower)
        }
    });
    case.force_is(math::unit(force + vel) * speed - vel);
}

/// Theirs is the sum that ours gives its direction from. An agent at the same place does nothing there,
/// and by design something here: it is left out.
fn yuka_separation(case: &Case<'_>, mut scene: Scene) {
    let place = scene.me.pos;
    scene.others.retain(|other| other.pos != place);
    case.force_is(scene.ask(|me, _| me.summary(&everyone()).push));
    let speed = math::length(case.expected());
    let vel = scene.me.vel;
    let force = scene.ask(move |me, _| steer::separation(me, everyone(), speed));
    case.force_is(force + vel);
}

/// Ours has one radius for being at a waypoint and for slowing down at the last one; theirs slows down as
/// in `arrive`.
fn yuka_follow_path(case: &Case<'_>, scene: Scene) {
    let waypoint = case.param("current_index") as u32;
    let speed = scene.body.max_speed;
    let is_last = waypoint as usize + 1 == case.waypoints().len();
    let radius = if is_last {
        speed * case.param("arrive_deceleration")
    } else {
        case.param("next_waypoint_distance")
    };
    let scene = scene.with_path(case, radius);
    case.force_is(scene.ask(move |me, progress| {
        progress[0].waypoint = waypoint;
        steer::follow_path(&me.with_progress(progress), PathId(0), speed)
    }));
}

fn everyone() -> Neighborhood {
    Neighborhood::within(f32::INFINITY)
}

/// One case, in the plane in which it lies.
struct Case<'c> {
    id: &'c str,
    library: &'c str,
    behavior: &'c str,
    json: &'c Value,
    /// Which of their axes are our x and y, so that what turns left there turns left here.
    plane: Option<[usize; 2]>,
}

impl<'c> Case<'c> {
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
        let [x, y] = self.plane.unwrap_or_else(|| panic!("{} is solid", self.id));
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
        let room = self.room(math::length(theirs));
        assert!(math::length(ours - theirs) <= room, "{}: {ours} for {theirs}", self.id);
    }

    fn same_number(&self, ours: f32, theirs: f32) {
        let room = self.room(theirs.abs());
        assert!((ours - theirs).abs() <= room, "{}: {ours} for {theirs}", self.id);
    }

    /// How far off a result of this size may be: what single precision needs, or what the case gives.
    fn room(&self, size: f32) -> f32 {
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
    number.unwrap_or_else(|| panic!("{json} is no number")) as f32
}

/// All lists of three numbers.
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

/// What is there when a primitive is asked.
struct Scene {
    me: NewAgent,
    body: Body,
    others: Vec<NewAgent>,
    paths: Vec<Path>,
    obstacles: Vec<Obstacle>,
    dt: f32,
}

impl Scene {
    /// The agents of a case; one at the origin where it has none.
    fn of(case: &Case<'_>) -> Self {
        let agent = &case.json["agent"];
        let given = |name: &str, other: f32| agent.get(name).map_or(other, number);
        let body = Body {
            radius: given("radius", 1.0),
            mass: given("mass", 1.0),
            max_speed: given("max_speed", f32::INFINITY),
            max_force: given("max_force", f32::INFINITY),
        };
        let in_plane = agent.is_object() && case.plane.is_some();
        let me = if in_plane { case.new_agent(agent) } else { NOBODY };
        let target = case.json.get("target").into_iter();
        let neighbors = case.json.get("neighbors").and_then(Value::as_array);
        let others = target
            .chain(neighbors.into_iter().flatten())
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

    fn with_path(mut self, case: &Case<'_>, radius: f32) -> Self {
        let closed = case.json["params"]["loop"].as_bool().unwrap();
        self.paths.push(Path {
            name: "path".into(),
            points: case.waypoints(),
            radius,
            mode: if closed { PathMode::Loop } else { PathMode::Once },
        });
        self
    }

    /// For alignment of headings: theirs is the mean heading minus one's own. That is ours where all move
    /// at speed 1 and the wanted speed is the length of the mean heading, which is given with the scene.
    fn by_headings(mut self, near: Neighborhood) -> (Self, f32) {
        for agent in self.others.iter_mut().chain([&mut self.me]) {
            agent.vel = agent.heading.unwrap();
        }
        let mean = self.ask(move |me, _| me.summary(&near).mean_velocity());
        (self, math::length(mean))
    }

    /// A world with the agent in row 0 and the others, who want nothing, after it.
    fn simulation(&self, brain: Arc<dyn Brain>) -> Simulation {
        let space = Space { edge: Edge::Open, min: Vec2::splat(-100.0), size: Vec2::splat(200.0) };
        let group = |name: &str| GroupBuilder::new(name).body(self.body);
        let mut builder = Simulation::builder(space)
            .dt(self.dt)
            .group(group("me").agents([self.me]).brain(brain))
            .group(group("others").agents(self.others.clone()).steer(|_, _| Vec2::ZERO));
        for obstacle in &self.obstacles {
            builder = builder.obstacle(&obstacle.name, obstacle.shape.clone());
        }
        for path in &self.paths {
            builder = builder.path(path.clone());
        }
        builder.build().unwrap()
    }

    /// What a primitive answers the agent in its first tick.
    fn ask(
        &self,
        primitive: impl Fn(&Me<'_>, &mut [Progress]) -> Vec2 + Send + Sync + 'static,
    ) -> Vec2 {
        let answer = Arc::new(Mutex::new(None));
        let heard = Arc::clone(&answer);
        let brain = move |me: &Me<'_>, mind: Mind<'_>| {
            let force = primitive(me, mind.progress);
            *heard.lock().unwrap() = Some(force);
            force
        };
        step(&mut self.simulation(Arc::new(brain)));
        answer.lock().unwrap().unwrap()
    }
}

const NOBODY: NewAgent = NewAgent { pos: Vec2::ZERO, vel: Vec2::ZERO, heading: None, sequence: 0 };
