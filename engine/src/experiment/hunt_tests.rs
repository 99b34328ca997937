//! Tests of hunts and of shrinking, with scenarios in memory.

use std::sync::Arc;

use super::{FailureKind, Hunt, HuntOptions, HuntResult, Shrunk, Variation, Varied};
use crate::diag::{Diagnostics, Source};
use crate::script::Scripts;
use crate::threads::with_threads;

/// Walkers that see only others on their left.
const LEFT_ONLY: &str = "fn steer(me) {
    let force = me.seek(me.goal);
    let other = me.neighbors(12).nearest;
    if other != () && me.heading.cross(me.to(other)) > 0 { force += me.flee(other); }
    force
}";

const WALKERS: &str = r#"(
    seed: 3,
    ticks: 600,
    world: (size: (160, 90)),
    obstacles: { "far": Circle(center: (80, -500), radius: 5) },
    groups: {
        "east": (behavior: "walk", count: 3, spawn: Rect(min: (5, 10), max: (35, 80)), velocity: (10, 0),
            body: (radius: 1.5, max_speed: 20, max_force: 60), goals: [(at: (150, 45), radius: 5)], after_goals: Remove),
        "west": (behavior: "walk", count: 3, spawn: Rect(min: (125, 10), max: (155, 80)), velocity: (-10, 0),
            body: (radius: 1.5, max_speed: 20, max_force: 60), goals: [(at: (10, 45), radius: 5)], after_goals: Remove),
    },
    events: [At(tick: 500, do: Push(group: "east", velocity: (1, 0)))],
    expect: [MaxSpeed(speed: 20.1), NoOverlap()],
)"#;

fn options() -> HuntOptions {
    HuntOptions {
        runs: 50,
        seed: 0,
        keep: Vec::new(),
        near: None,
        expectation: None,
        vary: Vec::new(),
    }
}

fn hunt(scenario: &str, script: &str, options: HuntOptions) -> Result<Hunt, Diagnostics> {
    let scripts = Scripts::new().with("walk", script);
    Hunt::new(options, &Source::new("walkers.ron", scenario), &scripts)
}

fn search(hunt: &Hunt) -> HuntResult {
    hunt.search(&|| false, &mut |_| {}).unwrap()
}

fn shrunk(hunt: &Hunt, result: &HuntResult) -> Shrunk {
    hunt.shrink(&result.found[0], 1000, &|| false, &mut |_| {}).unwrap()
}

#[test]
fn a_start_that_fails_is_found_and_made_smaller() {
    let hunt = hunt(WALKERS, LEFT_ONLY, options()).unwrap();
    let result = search(&hunt);
    assert_eq!(result.runs, 21, "it ends with the random starts");
    let shrunk = shrunk(&hunt, &result);
    assert!(shrunk.is_smallest);
    assert_eq!((shrunk.after.agents, shrunk.after.obstacles, shrunk.after.events), (2, 0, 0));
    assert!(shrunk.after.ticks <= 120, "{}", shrunk.text);
    assert_eq!(shrunk.failure.kind, FailureKind::Expectation(0));
    assert!(shrunk.failure.margin.is_some_and(|(margin, _)| margin < 0.0));
    assert!(shrunk.text.contains("expect: [ NoOverlap()]"), "{}", shrunk.text);
    // What was written fails by itself, in the same way.
    let again = self::hunt(&shrunk.text, LEFT_ONLY, options()).unwrap();
    let again = search(&again);
    assert_eq!((again.runs, again.found[0].run), (1, 0));
    assert_eq!(again.found[0].failure.message, shrunk.failure.message);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let on = |threads| {
        with_threads(threads, || {
            let hunt = hunt(WALKERS, LEFT_ONLY, options()).unwrap();
            let result = search(&hunt);
            let shrunk = shrunk(&hunt, &result);
            (shrunk.text, shrunk.runs, result.random_failed, result.found[0].text.clone())
        })
        .unwrap()
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn guided_starts_come_nearer_to_a_failure_than_random_ones() {
    let far = WALKERS.replace("NoOverlap()", "MinSeparation(distance: 0.0001)");
    let calm = "fn steer(me) { me.seek(me.goal) + 3 * me.separation(20) }";
    let hunt = hunt(&far, calm, HuntOptions { runs: 300, ..options() }).unwrap();
    let result = search(&hunt);
    let margin = result.margins[1].unwrap();
    assert!(result.found.is_empty() && result.runs == 301);
    assert!(margin.run > 120, "the random runs are the first 120: {margin:?}");
    assert!(result.nearest.is_some());
}

#[test]
fn a_script_that_fails_is_found_and_made_smaller() {
    let script = "fn steer(me) {
        if me.pos.x > 60 { throw \"too far\"; }
        me.seek(me.goal)
    }";
    let hunt = hunt(WALKERS, script, options()).unwrap();
    let result = search(&hunt);
    assert_eq!(result.found[0].run, 0);
    let shrunk = shrunk(&hunt, &result);
    assert!(
        matches!(&shrunk.failure.kind, FailureKind::Script(place) if place.starts_with("walk:2:"))
    );
    assert_eq!(shrunk.after.agents, 1, "{}", shrunk.text);
}

#[test]
fn what_is_kept_stays_and_what_is_named_varies() {
    let keep = vec![Varied::Seed, Varied::Places, Varied::Counts, Varied::Events];
    let calm = "fn steer(me) { me.seek(me.goal) }";
    let scenario = WALKERS.replace("NoOverlap()", "AllFinite");
    let kept = HuntOptions { keep: keep.clone(), ..options() };
    assert_eq!(search(&hunt(&scenario, calm, kept).unwrap()).runs, 1);
    let source = Source::new("--vary", "ticks");
    let place = crate::diag::Place { source: Arc::clone(&source), span: 0..5 };
    let ticks = Variation::Integers { range: 10..=20, step: 1 };
    let vary = vec![("ticks".to_owned(), place.clone(), ticks.clone())];
    let varied = HuntOptions { keep, vary, ..options() };
    assert_eq!(search(&hunt(&scenario, calm, varied).unwrap()).runs, 51);
    let wrong = HuntOptions { vary: vec![("tiks".to_owned(), place, ticks)], ..options() };
    let error = hunt(&scenario, calm, wrong).err().unwrap().into_first();
    assert_eq!(error.position(), "--vary:1:1");
}

#[test]
fn mistakes_are_errors_with_help() {
    let calm = "fn steer(me) { me.seek(me.goal) }";
    let none = WALKERS.replace("expect: [MaxSpeed(speed: 20.1), NoOverlap()],", "");
    let error = hunt(&none, calm, options()).err().unwrap().into_first();
    assert!(error.message.contains("no expectations"), "{error}");
    for (wanted, help) in [
        ("3", "the scenario has 2"),
        ("0", "count from 1"),
        ("NoOverlop", "did you mean `NoOverlap`?"),
    ] {
        let only = HuntOptions { expectation: Some(wanted.to_owned()), ..options() };
        let error = hunt(WALKERS, calm, only).err().unwrap().into_first();
        assert!(error.help.concat().contains(help), "{error}");
    }
    let only = HuntOptions { expectation: Some("NoOver".to_owned()), ..options() };
    assert!(hunt(WALKERS, calm, only).is_ok());
}

/// The numbers are from the table of Wilson intervals in Newcombe 1998, method 3: 81 of 263, and 0 of 20.
#[test]
fn the_share_has_the_interval_of_wilson() {
    let share = |random_failed, random| {
        let (share, [low, high]) =
            HuntResult { random, random_failed, ..HuntResult::default() }.share().unwrap();
        [share, low, high].map(|x| (x * 10_000.0).round() / 10_000.0)
    };
    assert_eq!(share(81, 263), [0.308, 0.2553, 0.3662]);
    assert_eq!(share(0, 20), [0.0, 0.0, 0.1611]);
    assert_eq!(HuntResult::default().share(), None);
}
