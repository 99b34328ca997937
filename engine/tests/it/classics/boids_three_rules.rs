//! Boids with three rules.

use super::*;
use crate::support::{ShippedScripts, parse, start, text};

fn frame(all: &mut [Mover]) {
    for i in 0..all.len() {
        let me = all[i];
        let others: Vec<Mover> = all.iter().copied().filter(|other| other.id != me.id).collect();
        let count = others.len() as f64;
        let center = others.iter().map(|other| other.p).sum::<DVec2>() / count;
        let velocity = others.iter().map(|other| other.v).sum::<DVec2>() / count;
        let close = others.iter().filter(|other| other.p.distance(me.p) < 30.0);
        let v1 = (center - me.p) / 300.0;
        let v2 = -close.map(|other| other.p - me.p).sum::<DVec2>();
        let v3 = (velocity - me.v) / 2.0;
        let bird = &mut all[i];
        bird.v = trunc(bird.v + v1 + 0.8 * v2 + 0.1 * v3, 4.0);
        bird.p += bird.v;
    }
}

/// The system becomes chaotic sooner or later, since the push of a neighbor ends abruptly at a distance of 30. With the
/// twelve birds and the seed of the scenario, that happens after these frames.
#[test]
fn follows_its_rules() {
    follows("boids_three_rules", 200, |_, all| frame(all));
}

/// With twice as many birds, the system becomes chaotic much sooner, so fewer frames are compared. The system is the reason,
/// not the engine: the second implementation alone, rounded to single precision after each frame, leaves its own path as
/// well.
#[test]
fn a_larger_flock_follows_its_rules_until_it_becomes_chaotic() {
    let text = text("boids_three_rules").replace("count: 12", "count: 24");
    let mut simulation = start(parse("boids_three_rules", &text), &ShippedScripts::default());
    let mut rounded = movers(&simulation);
    let mut itself = Vec::new();
    let distances = apart(&mut simulation, 200, |_, all| {
        frame(all);
        frame(&mut rounded);
        for bird in &mut rounded {
            (bird.p, bird.v) = (bird.p.as_vec2().as_dvec2(), bird.v.as_vec2().as_dvec2());
        }
        let off = all.iter().zip(&rounded).map(|(a, b)| a.p.distance(b.p));
        itself.push(off.fold(0.0, f64::max));
    });
    let first = |all: &[f64]| all.iter().position(|&off| off > 0.6);
    report(&format!(
        "24 boids: beyond 1e-3 from frame {:?}, the rounded re-implementation from {:?}",
        first(&distances),
        first(&itself)
    ));
    assert!(distances[..40].iter().all(|&off| off < 0.6), "{distances:?}");
    assert!(first(&itself).is_some_and(|frame| frame < 150), "{itself:?}");
}

#[test]
fn starts_on_a_circle_flying_in_or_out() {
    let all = movers(&open("boids_three_rules"));
    for bird in &all {
        let out = bird.p - at(400.0, 300.0);
        assert!((out.length() - 50.0).abs() < 1e-4);
        assert!(bird.v.length() <= 4.0 && out.perp_dot(bird.v).abs() < 1e-3, "{bird:?}");
    }
    assert!(all.iter().any(|bird| bird.v.dot(bird.p - at(400.0, 300.0)) < 0.0));
}
