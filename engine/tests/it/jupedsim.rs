//! Compares models of pedestrians with JuPedSim: in random small scenes, agents get the velocities that they get there.
//!
//! `docs/peers/jupedsim_vectors.py` has written the scenes and the velocities.

use std::fs;

use flockwork_engine::geom::Shape;
use flockwork_engine::math::Vec2;
use flockwork_engine::sim::{GroupBuilder, Simulation};
use flockwork_engine::steer;
use flockwork_engine::world::{Body, Edge, Me, Neighborhood, NewAgent, Space, World};
use serde_json::Value;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance/jupedsim.json");

/// How far a velocity may be off, in meters per second: JuPedSim computes in double precision.
const TOLERANCE: f32 = 1e-5;

/// The length of JuPedSim's steps, in seconds.
const TICK: f32 = 0.05;

/// JuPedSim's agents see 3 m far.
const SIGHT: f32 = 3.0;

#[test]
fn agents_get_the_velocities_of_jupedsim() {
    let all: Value = serde_json::from_str(&fs::read_to_string(FILE).unwrap()).unwrap();
    let (mut worst, mut compared) = (0.0f32, 0);
    for case in all["cases"].as_array().unwrap() {
        let world = world(case);
        for (row, velocity) in case["velocities"].as_array().unwrap().iter().enumerate() {
            let found = velocity_of(&world.me(row), &case["call"], &case["agents"][row]);
            let off = (found - vector(velocity)).length();
            assert!(off <= TOLERANCE, "agent {row}: {found} instead of {velocity} in {case}");
            (worst, compared) = (worst.max(off), compared + 1);
        }
    }
    assert!(compared > 200, "{compared}");
    crate::support::report(&format!("JuPedSim: {compared} velocities, at most {worst:e} m/s off"));
}

/// Returns the velocity after one step, if the agent takes it at once.
fn velocity_of(me: &Me<'_>, call: &Value, agent: &Value) -> Vec2 {
    let param = |name: &str| number(&agent[name]);
    let near = Neighborhood::within(SIGHT);
    let force = steer::seek(me, vector(&agent["goal"]), me.body().max_speed);
    me.vel()
        + match call.as_str().unwrap() {
            "collision_free_speed" => steer::collision_free_speed(
                me,
                force,
                near,
                param("time_gap"),
                param("strength"),
                param("range"),
                param("wall_strength"),
                param("wall_range"),
                me.body().max_speed,
            ),
            "anticipation_velocity" => steer::anticipation_velocity(
                me,
                force,
                near,
                param("time_gap"),
                param("strength"),
                param("range"),
                param("anticipation"),
                param("reaction"),
                param("wall_distance"),
                me.body().max_speed,
            ),
            other => panic!("no model is called {other}"),
        }
}

/// Returns the world of a case: each agent is a group, since its body is its own.
fn world(case: &Value) -> World {
    let space = Space { edge: Edge::Open, min: Vec2::splat(-20.0), size: Vec2::splat(40.0) };
    let mut simulation = Simulation::builder(space).dt(TICK);
    for (row, agent) in case["agents"].as_array().unwrap().iter().enumerate() {
        let (radius, max_speed) = (number(&agent["radius"]), number(&agent["speed"]));
        let body = Body { radius, max_speed, ..Body::default() };
        let state = |name: &str| agent.get(name).map(vector);
        let (pos, vel) = (vector(&agent["pos"]), state("vel").unwrap_or_default());
        let start = NewAgent { pos, vel, heading: state("heading"), sequence: 0 };
        let group = GroupBuilder::new(&format!("agent {row}")).body(body).agents([start]);
        simulation = simulation.group(group.steer(|_, _| Vec2::ZERO));
    }
    for (index, wall) in case["walls"].as_array().unwrap().iter().enumerate() {
        let end = |at: usize| Vec2::new(number(&wall[at]), number(&wall[at + 1]));
        let shape = Shape::Segment { from: end(0), to: end(2) };
        simulation = simulation.obstacle(&format!("wall {index}"), shape);
    }
    World::clone(simulation.build().unwrap().world())
}

fn vector(json: &Value) -> Vec2 {
    Vec2::new(number(&json[0]), number(&json[1]))
}

fn number(json: &Value) -> f32 {
    json.as_f64().unwrap_or_else(|| panic!("{json} is not a number")) as f32
}
