//! A crowd through obstacles: seek, and two feelers.

use super::*;

/// Centres and radii, as the scenario has them.
const DISCS: [(f64, f64, f64); 6] = [
    (300.0, 130.0, 45.0),
    (330.0, 340.0, 60.0),
    (480.0, 225.0, 35.0),
    (520.0, 420.0, 40.0),
    (620.0, 120.0, 50.0),
    (660.0, 310.0, 30.0),
];

/// Mass, greatest speed, greatest force and greatest avoidance of the three groups of eight.
const BODIES: [(f64, f64, f64, f64); 3] = [
    (2.0, 1.5, 0.2, 1.0),
    (1.5, 2.5, 0.3, 1.5),
    (1.0, 3.5, 0.4, 2.0),
];

fn avoid(me: &Mover, max_speed: f64, max_avoid: f64) -> DVec2 {
    let look = 100.0 * me.v.length() / max_speed;
    let far = me.p + n(me.v) * look;
    let feelers = [far, me.p + n(me.v) * (look * 0.5), me.p];
    let threats = DISCS.iter().filter(|(x, y, radius)| {
        feelers
            .iter()
            .any(|feeler| feeler.distance(at(*x, *y)) <= *radius)
    });
    let centers = threats.map(|&(x, y, _)| at(x, y));
    let nearest = centers.min_by(|a, b| a.distance(me.p).total_cmp(&b.distance(me.p)));
    nearest.map_or(DVec2::ZERO, |center| n(far - center) * max_avoid)
}

fn frame(all: &mut [Mover]) {
    for me in all {
        let (mass, max_speed, max_force, max_avoid) = BODIES[me.id as usize / 8];
        let seek = n(at(850.0, 260.0) - me.p) * max_speed - me.v;
        let steer = trunc(seek + avoid(me, max_speed, max_avoid), max_force) / mass;
        me.v = trunc(me.v + steer, max_speed);
        me.p += me.v;
    }
}

#[test]
fn follows_its_rules() {
    follows("crowd_obstacles", 200, |_, all| frame(all));
}

/// Frames that agents spend inside discs.
fn inside(text: &str) -> usize {
    let scenario = crate::support::parse("crowd_obstacles", text);
    let mut simulation = crate::support::start(scenario, &crate::support::Scripts::default());
    let mut frames = 0;
    for _ in 0..400 {
        step(&mut simulation);
        let in_a_disc = |me: &&Mover| DISCS.iter().any(|&(x, y, r)| at(x, y).distance(me.p) < r);
        frames += movers(&simulation).iter().filter(in_a_disc).count();
    }
    frames
}

/// With the feelers hardly anyone is ever inside a disc, and without them many are.
#[test]
fn feelers_keep_the_crowd_out_of_the_discs() {
    let text = crate::support::text("crowd_obstacles");
    let with = inside(&text);
    let without = inside(
        &text
            .replace("\"max_avoid\": ", "\"max_avoid\": 0 /* ")
            .replace(".0 },", " */ },"),
    );
    report(&format!(
        "inside discs: {with} frames with feelers, {without} without"
    ));
    assert!(with * 20 < without, "{with} with, {without} without");
}
