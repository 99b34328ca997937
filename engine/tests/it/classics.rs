//! The classics as they ship, against the rules they are made of.
//!
//! Each file restates the rules of one classic in double precision, with nothing from the engine but
//! the state at tick 0, and then asserts on numbers what a person is meant to see.

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

/// An agent of a re-implementation.
#[derive(Clone, Copy, Debug)]
struct Mover {
    id: u32,
    p: DVec2,
    v: DVec2,
}

/// The unit vector, zero for zero.
fn n(v: DVec2) -> DVec2 {
    v.normalize_or_zero()
}

/// `v`, its length cut to `longest`.
fn trunc(v: DVec2, longest: f64) -> DVec2 {
    v.clamp_length_max(longest)
}

/// The angle from one direction to another, in radians, counter-clockwise; 0 if one of them is zero.
fn turn(from: DVec2, to: DVec2) -> f64 {
    from.perp_dot(to).atan2(from.dot(to))
}

fn at(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// Everyone as the engine has them.
fn movers(simulation: &Simulation) -> Vec<Mover> {
    let agents = &simulation.world().agents;
    let mover = |row: usize| Mover {
        id: agents.id[row],
        p: agents.pos[row].as_dvec2(),
        v: agents.vel[row].as_dvec2(),
    };
    (0..agents.len()).map(mover).collect()
}

/// Runs a scenario beside a re-implementation that starts from the same state; `frame` gets the number of
/// the frame, from 0, and moves everyone. Gives how far the two are apart after each frame: the largest
/// distance of any agent, infinite where they do not even agree on who is there.
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

/// The share of the world's shorter side that a path may be off.
const TOLERANCE: f64 = 1e-3;

/// Asserts that a shipped scenario follows its re-implementation over a number of frames.
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
