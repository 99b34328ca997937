//! Patrol a path: seek the current waypoint, back and forth, once, or in a loop.

use super::*;

#[derive(Clone, Copy, PartialEq)]
enum WalkMode {
    ToAndFro,
    Once,
    Round,
}

/// Path radius and mode of the five walkers, as in the scenario.
const WALKERS: [(f64, WalkMode); 5] = [
    (5.0, WalkMode::ToAndFro),
    (25.0, WalkMode::ToAndFro),
    (45.0, WalkMode::ToAndFro),
    (25.0, WalkMode::Once),
    (25.0, WalkMode::Round),
];

fn waypoints(walker: usize) -> [DVec2; 5] {
    let x = 40.0 + 180.0 * walker as f64;
    [(0.0, 60.0), (110.0, 140.0), (0.0, 220.0), (110.0, 300.0), (0.0, 380.0)]
        .map(|(aside, y)| at(x + aside, y))
}

/// The current waypoint of a walker, and its direction through the waypoints.
#[derive(Clone, Copy)]
struct WalkerProgress {
    current: usize,
    back: bool,
}

fn frame(all: &mut [Mover], progress: &mut [WalkerProgress; 5]) {
    let (max_speed, max_force, last) = (3.0, 0.2, 4);
    for (i, me) in all.iter_mut().enumerate() {
        let (radius, mode) = WALKERS[i];
        let on = &mut progress[i];
        let waypoint = waypoints(i)[on.current];
        let distance = waypoint.distance(me.p);
        let at_the_end = mode == WalkMode::Once && on.current == last;
        let speed = if at_the_end { max_speed * (distance / radius).min(1.0) } else { max_speed };
        let steer = n(waypoint - me.p) * speed - me.v;
        if distance <= radius && !at_the_end {
            if mode == WalkMode::ToAndFro && on.current == if on.back { 0 } else { last } {
                // The index leaves the list, turns around, and is back at the end that was just reached.
                on.back = !on.back;
            } else {
                on.current = match on.back {
                    true => on.current - 1,
                    false => (on.current + 1) % 5,
                };
            }
        }
        me.v = trunc(me.v + trunc(steer, max_force), max_speed);
        me.p += me.v;
    }
}

#[test]
fn follows_its_rules() {
    let mut progress = [WalkerProgress { current: 0, back: false }; 5];
    follows("patrol_path", 900, |_, all| frame(all, &mut progress));
}

/// The walker with the larger radius is back sooner, and turns less on the way.
#[test]
fn a_larger_radius_gives_a_shorter_path_with_less_turning() {
    let mut simulation = open("patrol_path");
    let (mut frames, mut turned, mut wide) = ([0; 3], [0.0f64; 3], [0.0f64; 3]);
    let mut last: Vec<Mover> = movers(&simulation);
    // On the way there, on the way back, or done.
    let mut leg = [0; 3];
    for _ in 0..900 {
        step(&mut simulation);
        let all = movers(&simulation);
        for i in 0..3 {
            let back = simulation.minds().progress(i)[i].back;
            leg[i] += i32::from(back == (leg[i] == 0));
            if leg[i] > 1 {
                continue;
            }
            frames[i] += 1;
            turned[i] += turn(last[i].v, all[i].v).abs();
            wide[i] = wide[i].max(all[i].p.x - waypoints(i)[0].x);
        }
        last = all;
    }
    report(&format!("there and back: {frames:?} frames, {turned:?} rad, {wide:?} wide"));
    assert!(frames[0] > frames[1] && frames[1] > frames[2], "{frames:?}");
    assert!(turned[0] > turned[1] && turned[1] > turned[2], "{turned:?}");
    assert!(frames[0] < 900, "all were there and back");
}

#[test]
fn mode_once_stops_at_the_end_and_mode_loop_starts_again() {
    let mut simulation = open("patrol_path");
    for _ in 0..900 {
        step(&mut simulation);
    }
    let stopped = movers(&simulation)[3];
    assert!(stopped.v.length() < 1e-3, "{stopped:?}");
    assert!(stopped.p.distance(waypoints(3)[4]) < 1e-2, "{stopped:?}");
    assert!(movers(&simulation)[4].v.length() > 2.0);
}
