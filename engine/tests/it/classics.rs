//! Compares the classic scenarios that ship with their rules.
//!
//! Each file implements the rules of one classic again, in double precision and with nothing from the engine but the state
//! at tick 0. Then it checks with numbers what a viewer should see.

mod arrive_puppet;
mod boids_three_rules;
mod chase_ball;
mod crowd_obstacles;
mod follow_leader;
mod patrol_path;
mod queue_doorway;
mod turn_away;

use flockwork_engine::sim::Simulation;
pub(crate) use glam::DVec2;

use crate::support::{open, report, step};

/// An agent of the second implementation.
#[derive(Clone, Copy, Debug)]
struct Mover {
    id: u32,
    p: DVec2,
    v: DVec2,
}

/// Returns the unit vector; zero for zero.
fn n(v: DVec2) -> DVec2 {
    v.normalize_or_zero()
}

/// Returns `v`, shortened to the length `longest` if it is longer.
fn trunc(v: DVec2, longest: f64) -> DVec2 {
    v.clamp_length_max(longest)
}

/// Returns the angle from one direction to another, in radians, counter-clockwise; 0 if one of them is zero.
fn turn(from: DVec2, to: DVec2) -> f64 {
    from.perp_dot(to).atan2(from.dot(to))
}

fn at(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// Returns all agents of the engine.
fn movers(simulation: &Simulation) -> Vec<Mover> {
    let agents = &simulation.world().agents;
    let mover = |row: usize| Mover {
        id: agents.id[row].0,
        p: agents.pos(row).as_dvec2(),
        v: agents.vel(row).as_dvec2(),
    };
    (0..agents.len()).map(mover).collect()
}

/// Runs a scenario and the second implementation from the same state. `frame` gets the index of the frame, from 0, and
/// moves all agents. Returns how far the two are apart after each frame: the largest distance of any agent, or infinity if
/// they have different agents.
fn apart(
    simulation: &mut Simulation,
    frames: u64,
    mut frame: impl FnMut(u64, &mut Vec<Mover>),
) -> Vec<f64> {
    let mut theirs = movers(simulation);
    let mut distances = Vec::new();
    for number in 0..frames {
        step(simulation);
        frame(number, &mut theirs);
        let ours = movers(simulation);
        let same = ours.iter().map(|one| one.id).eq(theirs.iter().map(|one| one.id));
        let off = ours.iter().zip(&theirs).map(|(a, b)| a.p.distance(b.p));
        distances.push(if same { off.fold(0.0, f64::max) } else { f64::INFINITY });
    }
    distances
}

/// The tolerance for positions, as a fraction of the world's shorter side.
const TOLERANCE: f64 = 1e-3;

/// Asserts that a scenario follows its second implementation for a number of frames.
fn follows(name: &str, frames: u64, frame: impl FnMut(u64, &mut Vec<Mover>)) {
    let mut simulation = open(name);
    let size = f64::from(simulation.world().space.size.min_element());
    let distances = apart(&mut simulation, frames.max(400), frame);
    let first = distances.iter().position(|&off| off >= TOLERANCE * size);
    let worst = distances[..frames as usize].iter().copied().fold(0.0, f64::max);
    report(&format!(
        "{name:18} {frames} frames, at most {worst:.6} off, {:.1e} of the world; beyond 1e-3 from frame {first:?}",
        worst / size
    ));
    assert!(worst < TOLERANCE * size, "{name}: {worst} off");
}
