//! Turn away from the nearest agent in view: constant speed, turns of ten degrees, walls that repel.

use super::*;

const SPEED: f64 = 5.0;

/// Returns the push of the four walls, which the classic does not define: linear from 16 at a wall down to 0.
fn walls(p: DVec2) -> DVec2 {
    let from = |distance: f64| 16.0 * (1.0 - distance / 100.0).max(0.0);
    at(from(p.x) - from(900.0 - p.x), from(p.y) - from(700.0 - p.y))
}

fn frame(all: &mut [Mover]) {
    for i in 0..all.len() {
        let me = all[i];
        let others = all.iter().filter(|other| other.id != me.id).map(|other| other.p - me.p);
        let seen = others.filter(|way| way.dot(me.v) > 0.0 && way.length() <= 100.0);
        let nearest = seen.min_by(|a, b| a.length().total_cmp(&b.length()));
        let degrees: f64 = match nearest {
            // With y up, a point to the right has a negative cross product.
            Some(way) if me.v.perp_dot(way) < 0.0 => 10.0,
            Some(_) => -10.0,
            None => 0.0,
        };
        let turned = DVec2::from_angle(degrees.to_radians()).rotate(me.v);
        all[i].v = n(turned + walls(me.p)) * SPEED;
        all[i].p += all[i].v;
    }
}

#[test]
fn follows_its_rules() {
    follows("turn_away", FRAMES, |_, all| frame(all));
}

const FRAMES: u64 = 200;

/// Agents that meet turn away; none of them ever changes its speed or gets through a wall.
#[test]
fn keeps_its_speed_and_stays_inside() {
    let mut simulation = open("turn_away");
    for _ in 0..1200 {
        step(&mut simulation);
        for one in movers(&simulation) {
            assert!((one.v.length() - SPEED).abs() < 1e-4, "{one:?}");
            assert!(
                one.p.cmpgt(DVec2::ZERO).all() && one.p.cmplt(at(900.0, 700.0)).all(),
                "{one:?}"
            );
        }
    }
}
