//! Tests of how starts are chosen: corner and wide starts, both versions side by side, and what guides a search.

use std::sync::Arc;

use proptest::prelude::*;

use super::guide::Guide;
use super::hunt_tests::{LEFT_ONLY, WALKERS, options};
use super::probe::{Counted, Deciding, HeldRun, ProbeOptions, Probed, Probes};
use super::starts::{Draw, Starts};
use super::{Hunt, HuntOptions, HuntResult, Varied};
use crate::diag::Source;
use crate::math::random::Mix;
use crate::math::{self, Vec2};
use crate::script::{Library, Scripts};
use crate::threads::with_threads;

const IDLE: &str = "fn steer(me) { vec(0, 0) }";

/// A crowd in an area among walls, and four agents near places of their own.
const PLACES: &str = r#"(
    world: (size: (100, 60), edge: Clamp),
    obstacles: { "pillar": Circle(center: (50, 30), radius: 15) },
    groups: {
        "crowd": (behavior: "walk", count: 5, spawn: Rect(min: (0, 0), max: (100, 60)), body: (radius: 1.5, max_speed: 9),
            goals: [(at: (70, 50), radius: 2)]),
        "four": (behavior: "walk", count: 4, spawn: Points([(20, 8), (80, 8), (20, 52), (80, 52)]), body: (radius: 1.5, max_speed: 9)),
    },
    expect: [AllFinite],
)"#;

fn scripts(text: &str) -> Scripts {
    Scripts::new().with("walk", text)
}

fn starts(probes: &Probes, keep: &[Varied], is_wide: bool) -> Starts {
    let source = probes.source();
    let run = probes.start(&source.text).unwrap();
    Starts::new(&Arc::clone(source), probes.scenario(), &run, keep, None, &[], is_wide).unwrap()
}

fn search(script: &str, against: Option<&str>, runs: u64) -> HuntResult {
    let other = against.map(scripts);
    let other = other.as_ref().map(|other| other as &dyn Library);
    let options = HuntOptions { runs, expectation: Some("NoOverlap".to_owned()), ..options() };
    let source = Source::new("walkers.ron", WALKERS);
    let hunt = Hunt::new(options, &source, &scripts(script), other).unwrap();
    hunt.search(&|| false, &mut |_| {}, &mut |_| {}).unwrap()
}

/// Returns a run of a text in which nothing fails, and what has happened in it.
fn held(text: &str) -> HeldRun {
    let probes = Probes::new(&Source::new("a.ron", text), &scripts(IDLE)).unwrap();
    let options = ProbeOptions {
        counted: Counted::All,
        deciding: Deciding::Scripts,
        with_margins: true,
        with_history: true,
        with_features: true,
        stop: &|| false,
    };
    match probes.results(&[text], options).unwrap().remove(0) {
        Probed::Held(held) => *held,
        other => panic!("{other:?}"),
    }
}

#[test]
fn runs_that_are_the_same_in_both_versions_are_counted() {
    let calm =
        "fn steer(me) { me.seek(me.goal) + 6 * me.flee(me.neighbors(20).nearest ?? me.pos) }";
    let all = search(calm, Some(&calm.replace("20", "20.0")), 60);
    assert_eq!((all.compared, all.same_in_both), (all.runs, all.runs));
    // They differ where two come nearer than 20, which is in nearly all runs, but not for a single agent.
    let some = search(calm, Some(&calm.replace("20", "19")), 60);
    assert!(some.compared > 20 && some.same_in_both < some.compared / 2, "{some:?}");
    let none = search(calm, None, 60);
    assert_eq!((none.compared, none.same_in_both), (0, 0));
}

/// Caught by hand: a hash of the last state alone, which is the same for all runs in which everybody has left.
#[test]
fn runs_with_the_same_last_state_may_differ() {
    let leaving = |y: u32| {
        held(&format!(
            "(ticks: 100, world: (size: (160, 90)), groups: {{ \"a\": (behavior: \"walk\", spawn: Points([(0, {y})]), velocity: (9, 0),
                body: (max_speed: 9), goals: [(at: (5, {y}), radius: 1)], after_goals: Remove) }}, expect: [AllFinite])"
        ))
    };
    assert_eq!(leaving(1).history, leaving(1).history);
    assert_ne!(leaving(1).history, leaving(2).history);
}

#[test]
fn corner_starts_are_counted_apart_from_the_share() {
    let result = search(LEFT_ONLY, None, 200);
    // Most of the spread starts fail, so that no others are run after the first ones.
    assert_eq!((result.random, result.corner), (80, 0));
    let calm =
        "fn steer(me) { me.seek(me.goal) + 6 * me.flee(me.neighbors(20).nearest ?? me.pos) }";
    let result = search(calm, None, 200);
    let usable = result.runs - result.unusable;
    if result.found.is_empty() {
        assert_eq!(result.random, 80);
        assert!(result.corner >= 24 && result.random + result.corner < usable, "{result:?}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing_if_there_are_two_versions() {
    let calm =
        "fn steer(me) { me.seek(me.goal) + 6 * me.flee(me.neighbors(20).nearest ?? me.pos) }";
    let on = |threads| {
        with_threads(threads, || {
            let result = search(calm, Some(&calm.replace("20", "12")), 200);
            (result.runs, result.same_in_both, result.margins, result.nearest)
        })
        .unwrap()
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn only_hunts_against_another_version_have_wide_starts() {
    let probes = Probes::new(&Source::new("a.ron", PLACES), &scripts(IDLE)).unwrap();
    let places = [(20.0, 8.0), (80.0, 8.0), (20.0, 52.0), (80.0, 52.0)].map(Vec2::from);
    let farthest = |keep: &[Varied], is_wide| {
        let starts = starts(&probes, keep, is_wide);
        let (mut farthest, mut has_velocity) = (0.0, false);
        for number in 0..60 {
            let start = starts.corner(&mut Draw::new(Mix::new(number)));
            let run = probes.start(&starts.text(&start)).unwrap();
            let world = run.simulation().world();
            let (agents, count) = (&world.agents, world.agents.len());
            let four = (0..count).filter(|&row| agents.group[row].0 == 1);
            for (row, place) in four.zip(places) {
                farthest = math::max(farthest, math::length(agents.pos(row) - place));
                has_velocity |= agents.vel(row) != Vec2::ZERO;
            }
        }
        (farthest, has_velocity)
    };
    let (near, moves) = farthest(&[Varied::Counts], false);
    assert!(near > 2.0 && near < 3.01 && !moves, "{near}");
    let (wide, moves) = farthest(&[Varied::Counts], true);
    assert!(wide > 10.0 && wide < 36.01 && moves, "{wide}");
    assert_eq!(farthest(&[Varied::Counts, Varied::Places], true), (0.0, false));
}

#[test]
fn a_run_has_the_features_of_what_happens_in_it() {
    let count = |agents: &str, fields: &str| {
        let run = held(&format!(
            "(ticks: 16, world: (size: (160, 90)), groups: {{ \"a\": (behavior: \"walk\", spawn: Points([{agents}]), {fields}
                body: (radius: 1, max_speed: 9)) }}, expect: [AllFinite])"
        ));
        run.features.seen().len()
    };
    // Its progress, and how many touch it.
    assert_eq!(count("(0, 0)", ""), 2);
    // Two that touch see each other on two sides, and both are touched.
    assert_eq!(count("(0, 0), (1.5, 0)", ""), 4);
    // Two that are far from each other are like one.
    assert_eq!(count("(0, 0), (90, 0)", ""), 2);
    // Of two that are near, both have one near, on two sides.
    assert_eq!(count("(0, 0), (3, 0)", ""), 4);
    assert_eq!(count("(0, 0)", "velocity: (9, 0),"), 2);
}

#[test]
fn what_happens_for_the_first_time_makes_a_start_a_parent() {
    let probes = Probes::new(&Source::new("a.ron", PLACES), &scripts(IDLE)).unwrap();
    let starts = starts(&probes, &[], false);
    let start = starts.random(Draw::new(Mix::new(1)));
    let features = held("(ticks: 9, world: (size: (160, 90)), groups: { \"a\": (behavior: \"walk\", spawn: Points([(0, 0)])) }, expect: [AllFinite])").features;
    let mut guide = Guide::new(1);
    assert!(guide.child(&starts, 4, &mut Draw::new(Mix::new(1))).is_none());
    guide.note_features(&features, None);
    guide.note_features(&features, Some(&start));
    assert!(guide.child(&starts, 4, &mut Draw::new(Mix::new(1))).is_none(), "nothing was new");
    let mut guide = Guide::new(1);
    guide.note_features(&features, Some(&start));
    assert!(guide.child(&starts, 4, &mut Draw::new(Mix::new(1))).is_some());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn changed_starts_are_neither_in_walls_nor_in_obstacles(seed in any::<u64>(), is_wide in any::<bool>()) {
        let probes = Probes::new(&Source::new("a.ron", PLACES), &scripts(IDLE)).unwrap();
        let starts = starts(&probes, &[], is_wide);
        let mut draw = Draw::new(Mix::new(seed));
        let corner = starts.corner(&mut draw);
        let child = starts.child(&corner, &starts.corner(&mut draw), &mut draw);
        for start in [corner, child] {
            let text = starts.text(&start);
            let run = probes.start(&text).unwrap();
            let world = run.simulation().world();
            for (at, velocity) in world.agents.positions().zip(world.agents.velocities()) {
                let is_inside = at.x >= 1.499 && at.x <= 98.501 && at.y >= 1.499 && at.y <= 58.501;
                prop_assert!(is_inside, "{}: {}", at, text);
                prop_assert!(world.obstacles[0].shape.surface(at).distance >= 1.499, "{}: {}", at, text);
                prop_assert!(math::length(velocity) <= 9.0, "{}", text);
            }
        }
    }
}
