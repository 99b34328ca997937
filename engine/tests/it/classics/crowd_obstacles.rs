//! A crowd that moves through obstacles with `seek` and two feelers.

use super::*;
use crate::support::{ShippedScripts, parse, start, text};

/// Centers and radii, as in the scenario.
const DISCS: [(f64, f64, f64); 6] = [
    (300.0, 130.0, 45.0),
    (330.0, 340.0, 60.0),
    (385.0, 262.0, 30.0),
    (520.0, 420.0, 40.0),
    (620.0, 120.0, 50.0),
    (660.0, 310.0, 30.0),
];

/// Mass, maximum speed and maximum force of the three groups of eight agents.
const BODIES: [(f64, f64, f64); 3] = [(2.0, 1.5, 0.2), (1.5, 2.5, 0.3), (1.0, 3.5, 0.4)];

fn avoid(me: &Mover, max_speed: f64) -> DVec2 {
    let look = 50.0 * me.v.length() / max_speed;
    let far = me.p + n(me.v) * look;
    let feelers = [far, me.p + n(me.v) * (look * 0.5), me.p];
    let threats = DISCS.iter().filter(|(x, y, radius)| {
        feelers.iter().any(|feeler| feeler.distance(at(*x, *y)) <= *radius)
    });
    let centers = threats.map(|&(x, y, _)| at(x, y));
    let nearest = centers.min_by(|a, b| a.distance(me.p).total_cmp(&b.distance(me.p)));
    nearest.map_or(DVec2::ZERO, |center| n(far - center) * 3.0)
}

fn frame(all: &mut [Mover]) {
    for me in all {
        let (mass, max_speed, max_force) = BODIES[me.id as usize / 8];
        let seek = n(at(850.0, 260.0) - me.p) * max_speed - me.v;
        let steer = trunc(seek + avoid(me, max_speed), max_force) / mass;
        me.v = trunc(me.v + steer, max_speed);
        me.p += me.v;
    }
}

#[test]
fn follows_its_rules() {
    follows("crowd_obstacles", 200, |_, all| frame(all));
}

/// Returns how deep any agent ever gets inside a disc, in world units.
fn deepest(text: &str) -> f64 {
    let mut simulation = start(parse("crowd_obstacles", text), &ShippedScripts::default());
    let mut deepest = f64::NEG_INFINITY;
    for _ in 0..400 {
        step(&mut simulation);
        for me in movers(&simulation) {
            let depths = DISCS.map(|(x, y, radius)| radius - at(x, y).distance(me.p));
            deepest = depths.into_iter().fold(deepest, f64::max);
        }
    }
    deepest
}

/// With feelers, all agents slide along the discs; without, they move through them.
#[test]
fn feelers_keep_the_crowd_out_of_the_discs() {
    let text = text("crowd_obstacles");
    let with = deepest(&text);
    let without = deepest(&text.replace("\"max_avoid\": 3.0", "\"max_avoid\": 0.0"));
    report(&format!("inside discs: {with} deep with feelers, {without} without"));
    assert!(with < 5.0 && without > 30.0, "{with} with, {without} without");
}
