//! Arrive behind a puppet: the puppet moves first, and the follower slows down within the braking distance.

use super::*;
use crate::support::{ShippedScripts, parse, start, text};

/// End points and frame counts of the puppet's legs, as in its script.
const LEGS: [(f64, f64, u64); 5] = [
    (400.0, 100.0, 60),
    (500.0, 300.0, 50),
    (500.0, 300.0, 30),
    (200.0, 300.0, 75),
    (100.0, 100.0, 55),
];

/// Returns the position of the puppet after a number of frames.
fn puppet(frames: u64) -> DVec2 {
    let round: u64 = LEGS.iter().map(|leg| leg.2).sum();
    let mut left = frames % round;
    let mut from = at(100.0, 100.0);
    for (x, y, frames) in LEGS {
        if left <= frames {
            return from.lerp(at(x, y), left as f64 / frames as f64);
        }
        from = at(x, y);
        left -= frames;
    }
    from
}

fn follow(follower: &mut Mover, puppet: DVec2) {
    let (max_speed, max_accel, brake_distance) = (8.0, 0.5, 80.0);
    let distance = puppet.distance(follower.p);
    let wanted =
        if distance < brake_distance { max_speed * distance / brake_distance } else { max_speed };
    if wanted == 0.0 {
        return;
    }
    let steer = trunc(n(puppet - follower.p) * wanted - follower.v, max_accel);
    follower.v = trunc(follower.v + steer, max_speed);
    follower.p += follower.v;
}

#[test]
fn follows_its_rules() {
    follows("arrive_puppet", 400, |number, all| {
        all[0].p = puppet(number + 1);
        let puppet = all[0].p;
        follow(&mut all[1], puppet);
    });
}

/// The puppet turns on the spot by half a right angle and more. The follower faces along its velocity, and never turns by
/// more than its acceleration allows.
#[test]
fn the_follower_smooths_the_corners_of_the_path() {
    let mut simulation = open("arrive_puppet");
    let mut sharpest = [0.0f64; 2];
    let mut last: Option<[DVec2; 2]> = None;
    for _ in 0..270 {
        step(&mut simulation);
        let all = movers(&simulation);
        let velocities = [all[0].v, all[1].v];
        if let Some([a, b]) = last {
            sharpest[0] = sharpest[0].max(velocities[0].distance(a));
            sharpest[1] = sharpest[1].max(velocities[1].distance(b));
        }
        last = Some(velocities);
    }
    assert!(sharpest[0] > 3.0 && sharpest[1] < 0.500_01, "{sharpest:?}");
}

/// A follower exactly at its puppet's position does not move and has no NaN. When the puppet leaves, the follower has the
/// velocity that it came with.
#[test]
fn a_follower_at_the_position_of_its_puppet_does_not_move() {
    const WAITS: &str =
        "fn steer(me) { me.vel = if world.tick < 5 { vec(0, 0) } else { vec(4, 1) }; vec(0, 0) }";
    let text = text("arrive_puppet")
        .replace("spawn: Points([(40, 220)]),", "spawn: Points([(100, 100)]), velocity: (0, 3),");
    let scenario = parse("arrive_puppet", &text);
    let mut simulation = start(scenario, &ShippedScripts(&[("puppet", WAITS)]));
    let mut places = Vec::new();
    let distances = apart(&mut simulation, 60, |number, all| {
        if number >= 5 {
            all[0].p += at(4.0, 1.0);
        }
        let puppet = all[0].p;
        follow(&mut all[1], puppet);
        places.push(all[1].p);
    });
    assert_eq!(places[..5], [at(100.0, 100.0); 5]);
    assert!(distances.iter().all(|&off| off < 1e-3), "{distances:?}");
}

/// Behind a puppet at rest, the follower comes to rest too.
#[test]
fn comes_to_rest_at_a_puppet_at_rest() {
    let scenario = parse("arrive_puppet", &text("arrive_puppet"));
    let still = ShippedScripts(&[("puppet", "fn steer(me) { vec(0, 0) }")]);
    let mut simulation = start(scenario, &still);
    for _ in 0..600 {
        step(&mut simulation);
        let follower = movers(&simulation)[1];
        assert!(follower.p.is_finite() && follower.v.is_finite());
    }
    let follower = movers(&simulation)[1];
    assert!(
        follower.p.distance(at(100.0, 100.0)) < 1e-3 && follower.v.length() < 1e-3,
        "{follower:?}"
    );
}
